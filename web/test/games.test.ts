/** The gallery: which games a search finds, and how new files are called. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countsOf,
  EVERYTHING,
  families,
  fileName,
  finds,
  kindsOf,
  lengthOf,
  matches,
  retitled,
  seatsOf,
} from "../src/games/cards.ts";
import type { Card } from "../src/protocol.ts";

const CARD: Card = {
  name: "nine_mens_morris",
  title: "Nine Men's Morris",
  author: "",
  about: "Form mills.",
  players: ["White", "Black"],
  seats: [2],
  cells: 24,
  mechanisms: ["placing", "moving"],
  lines: 60,
  turns: 60,
  extends: null,
  picture: "",
  place: "shipped",
};

test("a search finds all words, wherever they stand, without accents and capitals", () => {
  for (const words of ["", "  ", "MORRIS", "mills moving", "black nine_", "Mörris"])
    assert.ok(matches(CARD, words), words);
  for (const words of ["chess", "mills chess"]) assert.ok(!matches(CARD, words), words);
});

test("a file is called as its game, and as no other file", () => {
  assert.equal(fileName("My first Gâme!", []), "my-first-game.rules");
  assert.equal(fileName("Hex", ["hex.rules", "hex-2.rules"]), "hex-3.rules");
  assert.equal(fileName("…", []), "game.rules");
  assert.equal(fileName("../etc/passwd", []), "etc-passwd.rules");
});

test("a copy has its own title, and its parent", () => {
  const text = '# "Hex"\ngame "Hex" extends "hex"\n  about "game"\n';
  assert.equal(retitled(text, "Mine $1"), '# "Hex"\ngame "Mine $1" extends "hex"\n  about "game"\n');
  assert.equal(retitled("players A, B", "Mine"), "players A, B");
});

test("a search says in words how many play", () => {
  const three = { ...CARD, seats: [3, 4] };
  assert.deepEqual(
    ["3 players", "3-player mills", "2 players", "mills 2 players", "3 players chess", "13 players"].map((words) => [
      matches(CARD, words),
      matches(three, words),
    ]),
    [
      [false, true],
      [false, true],
      [true, false],
      [true, false],
      [false, false],
      [false, false],
    ],
  );
});

test("a search may ask for players, length and kind", () => {
  const puzzle = { ...CARD, players: ["Solver"], seats: [1], turns: 0 };
  const some = { ...CARD, seats: [2, 3, 4, 6] };
  assert.ok(finds(EVERYTHING, CARD));
  assert.ok(finds({ words: "mills", players: "2", length: "medium", kind: "moving" }, CARD));
  for (const other of [
    { players: "3" },
    { length: "short" },
    { kind: "stacks" },
    { kind: "puzzle" },
    { words: "chess" },
  ])
    assert.ok(!finds({ ...EVERYTHING, ...other }, CARD), JSON.stringify(other));
  assert.ok(finds({ ...EVERYTHING, players: "1", kind: "puzzle" }, puzzle));
  assert.deepEqual(
    countsOf([some, puzzle]).filter((count) => finds({ ...EVERYTHING, players: String(count) }, some)),
    [2, 3, 4, 6],
  );
  assert.deepEqual([CARD, some, { ...CARD, seats: [2, 3, 4] }, { ...CARD, seats: [] }].map(seatsOf), [
    "2 players",
    "2–4 or 6 players",
    "2–4 players",
    "",
  ]);
  assert.deepEqual(
    [1, 40, 41, 400, 0].map((turns) => lengthOf({ ...CARD, turns })),
    ["short", "short", "medium", "long", ""],
  );
  assert.deepEqual(kindsOf([CARD, { ...puzzle, mechanisms: ["moving"] }]), ["puzzle", "moving", "placing"]);
});

test("variants stand under the farthest game that they change, if it is found too", () => {
  const card = (name: string, parent: string | null, place: Card["place"] = "shipped") => ({
    ...CARD,
    name,
    extends: parent,
    place,
  });
  const cards = [
    card("a", null),
    card("b", "a"),
    card("c", "b"),
    card("d", null),
    card("e", "a", "folder"),
    card("f", "g"),
  ];
  const shown = (found: (card: Card) => boolean) =>
    families(cards, found).map((family) => [family.card.name, ...family.variants.map(({ name }) => name)].join(" "));
  assert.deepEqual(
    shown(() => true),
    ["a b c", "d", "e", "f"],
  );
  assert.deepEqual(
    shown(({ name }) => name !== "a"),
    ["b c", "d", "e", "f"],
  );
  const circle = [card("x", "y"), card("y", "x")];
  assert.doesNotThrow(() => families(circle, () => true));
});
