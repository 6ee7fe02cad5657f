import assert from "node:assert/strict";
import { test } from "node:test";
import { askable, goalOf } from "../src/means/goal.ts";
import { kindOf } from "../src/means/kind.ts";
import { pieces } from "../src/means/prolog.ts";
import { verdict } from "../src/means/verdict.ts";
import { grouped, seconds, shareOfFirst, speedOf, standing } from "../src/rail/words.ts";
import { table, thought } from "./fake.ts";

test("Prolog in pieces: all of the text, and each piece is what it is", () => {
  const text = '% a rule\nmove(\'a b\', [X|_Rest]) :- N is 1.5 + X, \\+ at(X, "q\\""). /* open';
  const found = pieces(text);
  assert.equal(found.map((piece) => piece.text).join(""), text);
  const of = (sort: string) => found.filter((piece) => piece.sort === sort).map((piece) => piece.text);
  assert.deepEqual(of("comment"), ["% a rule", "/* open"]);
  assert.deepEqual(of("string"), ["'a b'", '"q\\""']);
  assert.deepEqual(of("variable"), ["X", "_Rest", "N", "X", "X"]);
  assert.deepEqual(of("number"), ["1.5"]);
  assert.deepEqual(of("name"), ["move", "is", "at"]);
});

test("a goal for a name has a variable for each parameter, and each another one", () => {
  assert.equal(goalOf({ name: "capture", parameters: ["from", "to"] }), "capture(From, To)");
  assert.equal(goalOf({ name: "near", parameters: ["cell", "cell", "0..3"] }), "near(Cell1, Cell2, Value)");
  assert.equal(goalOf({ name: "crowded", parameters: [] }), "crowded");
  const castle = { name: "castle", parameters: ["rook"] };
  assert.equal(goalOf(castle, new Set(["Rook"])), "castle(Rook_)");
});

test("moves can be asked about, by the names of their parameters, before all else", () => {
  const parameters = ["from", "to"].map((name) => ({ name, type: "cell", values: [] }));
  const kinds = [{ name: "capture", text: "", line: 1, parameters }];
  const queries = ["capture", "at"].map((name) => ({ name, parameters: ["cell"] }));
  assert.deepEqual(askable({ kinds, queries }), [
    { name: "capture", parameters: ["from", "to"] },
    { name: "at", parameters: ["cell"] },
  ]);
});

test("the kind of move is that under the pointer, of what is held, or of what can be played", async () => {
  const { play } = await table();
  assert.equal(kindOf(play, ["pass", "name"]), "name");
  assert.equal(kindOf(play, ["pass", "rest"]), "pass");
  assert.equal(kindOf(play, []), "");
  const state = play.at.value!.state!;
  const move = { ...state.moves[0]!, goal: null };
  const moves = [
    { ...move, kind: "step", cells: ["a1", "a2"] },
    { ...move, kind: "jump", cells: ["a1", "a3"] },
    { ...move, kind: "drop", cells: ["b1"] },
  ];
  play.at.value = { ...play.at.value!, state: { ...state, moves } };
  const kinds = ["drop", "jump", "step"];
  assert.equal(kindOf(play, kinds), "step");
  play.over.value = "b1";
  assert.equal(kindOf(play, kinds), "drop");
  play.held.value = ["a1"];
  assert.equal(kindOf(play, kinds), "step");
  play.over.value = "a3";
  assert.equal(kindOf(play, kinds), "jump");
});

test("a balance says only what its intervals allow", () => {
  const side = (name: string, low: number, high: number) => ({ name, wins: 0, share: (low + high) / 2, low, high });
  const of = (low: number, high: number) =>
    verdict({
      played: 9,
      asked: 9,
      draws: 0,
      moves: 9,
      endings: [],
      players: [side("Red", low, high), side("Blue", 1 - high, 1 - low)],
    });
  assert.equal(of(0.55, 0.8), "Red has the better side.");
  assert.equal(of(0.2, 0.45), "Blue has the better side.");
  assert.equal(of(0.4, 0.6), "So far no side is better for sure.");
  assert.equal(of(0.47, 0.53), "The sides are about equal.");
});

test("numbers as people read them", () => {
  assert.equal(grouped("12345678901234567890"), "12 345 678 901 234 567 890".replaceAll(" ", "\u202f"));
  assert.equal(grouped(999), "999");
  assert.deepEqual([0.0001, 0.25, 2.34, 61].map(seconds), ["under 1 ms", "250 ms", "2.3 s", "61 s"].map((one) => one.replace(/ (?=m?s)/, "\u202f"))); // biome-ignore format: short
  assert.equal(speedOf({ positions: 2_400_000, seconds: 2 }), "1.2 M positions/s");
  assert.equal(speedOf({ positions: 24_000, seconds: 2 }), "12 k positions/s");
  assert.equal(speedOf({ positions: 100, seconds: 0.01 }), "");
});

test("what a search thinks, for the player to move, and its share for the first player", () => {
  const found = { ...thought("a"), share: 0.75, value: 38 };
  assert.equal(standing(found, "Blue"), "+38 for Blue");
  assert.equal(standing({ ...found, value: -0.125 }, "Red"), "−0.13 for Red");
  assert.equal(standing({ ...found, value: null }, "Red"), "75\u202f% for Red");
  assert.equal(standing({ ...found, sure: true }, "Red"), "win for Red");
  assert.equal(standing({ ...found, sure: true, share: 0 }, "Red"), "loss for Red");
  assert.equal(standing({ ...found, sure: true, share: 0.5 }, "Red"), "draw");
  const shares = { Red: 0.5, Blue: 0.5, Green: 0 };
  assert.equal(standing({ ...found, sure: true, share: 0.5, shares }, "Red"), "50\u202f% for Red");
  assert.equal(standing({ ...found, sure: true, share: 1, shares }, "Red"), "win for Red");
  assert.deepEqual([shareOfFirst(found, "Red", "Red"), shareOfFirst(found, "Blue", "Red")], [0.75, 0.25]);
});
