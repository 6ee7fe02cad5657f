/** The gallery: which games a search finds, and how new files are called. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, matches, retitled } from "../src/games/cards.ts";
import type { Card } from "../src/protocol.ts";

const CARD: Card = {
  name: "nine_mens_morris",
  title: "Nine Men's Morris",
  author: "",
  about: "Form mills.",
  players: ["White", "Black"],
  cells: 24,
  mechanisms: ["placing", "moving"],
  lines: 60,
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
