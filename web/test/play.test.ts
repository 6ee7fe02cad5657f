import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, AskError, type Description, type Explanation, type Line, type State } from "../src/protocol.ts";
import { Play, places } from "../src/store/play.ts";

const EXPLANATION: Explanation = { move: "", legal: false, note: "no", kinds: [] };

type Moves = Record<string, string[]>; // the cells of each move by its text; the last one is its goal after ">"

/** A game in which these moves are legal in every position, and the questions that are asked about it. */
async function table(moves: Moves, turn: string[] = []) {
  const asked: { question: string; asked: { line: Line; cells?: string[]; game: string } }[] = [];
  const waiting: (() => void)[] = [];
  const later = { value: false }; // answers wait until somebody lets them go
  const ask = (async (question: string, what: { line: Line; cells?: string[]; game: string }) => {
    asked.push({ question, asked: what });
    if (later.value) await new Promise<void>((go) => waiting.push(go));
    if (question === "why") return EXPLANATION;
    if (what.line.start === "nowhere") throw new AskError({ kind: "asked", message: "there is no such position" });
    return stateOf(moves, what.line, turn);
  }) as unknown as Ask;
  const play = new Play(ask);
  await play.becomes(game("one"));
  asked.length = 0;
  return { play, asked, waiting, later };
}

function game(id: string, name = "game"): Description {
  return { id, name } as Description;
}

function stateOf(moves: Moves, line: Line, turn: string[]): State {
  const end = line.moves.findIndex((text) => !(text in moves));
  const legal = end < 0 ? line.moves : line.moves.slice(0, end);
  const over = legal.at(-1) === "end";
  return {
    line: { ...line, moves: legal },
    lost: end < 0 ? null : { move: line.moves[end]!, message: "is not legal" },
    mover: "Red",
    moves: over
      ? []
      : Object.entries(moves).map(([text, cells]) => {
          const goal = cells.at(-1)?.startsWith(">") ? cells.at(-1)!.slice(1) : null;
          const named = goal ? cells.slice(0, -1) : cells;
          return { text, written: text, kind: text.split(" ")[0]!, cells: named, goal, pass: false };
        }),
    looks: {},
    marks: [],
    beside: [],
    asides: [],
    played: [],
    turn_began: 0,
    rest: turn,
    outcome: over ? { winner: null, text: "draw", reason: "", line: null } : null,
    position: "",
  };
}

const STEPS: Moves = { "a b": ["a", "b"], "a c": ["a", "c"], "b c": ["b", "c"] };

test("a click holds, a second click moves", async () => {
  const { play } = await table(STEPS);
  assert.deepEqual([...play.begins.value], ["a", "b"]);
  await play.click("a");
  assert.deepEqual(play.held.value, ["a"]);
  assert.deepEqual([...play.targets.value], ["b", "c"]);
  await play.click("c");
  assert.deepEqual(play.line.value.moves, ["a c"]);
  assert.deepEqual(play.held.value, []);
});

test("a click on what is held lets it go", async () => {
  const { play, asked } = await table(STEPS);
  await play.click("a");
  await play.click("a");
  assert.deepEqual(play.held.value, []);
  assert.equal(asked.length, 0);
});

test("a click on another piece holds that one instead", async () => {
  const { play } = await table({ "a c": ["a", "c"], "b c": ["b", "c"] });
  await play.click("a");
  await play.click("b");
  assert.deepEqual(play.held.value, ["b"]);
});

test("another second cell replaces the second cell, and the first stays held", async () => {
  const { play } = await table({ "a b x": ["a", "b", "x"], "a c y": ["a", "c", "y"] });
  await play.click("a");
  await play.click("b");
  await play.click("c");
  assert.deepEqual(play.held.value, ["a", "c"]);
});

test("a move of one cell is played by one click", async () => {
  const { play } = await table({ "put a": ["a"], "put b": ["b"] });
  await play.click("b");
  assert.deepEqual(play.line.value.moves, ["put b"]);
});

test("a move is also clicked by the cell to which it leads", async () => {
  const { play } = await table({ "a east": ["a", ">b"], "a north": ["a", ">c"] });
  await play.click("a");
  assert.deepEqual([...play.targets.value], ["b", "c"]);
  await play.click("c");
  assert.deepEqual(play.line.value.moves, ["a north"]);
});

test("the goal counts once if the move names it", () => {
  const move = { text: "", written: "", kind: "", pass: false };
  assert.deepEqual(places({ ...move, cells: ["a", "b"], goal: "b" }), ["a", "b"]);
  assert.deepEqual(places({ ...move, cells: ["a"], goal: "b" }), ["a", "b"]);
  assert.deepEqual(places({ ...move, cells: ["a"], goal: null }), ["a"]);
});

test("several moves by the same cells open a menu", async () => {
  const { play } = await table({ "Knight a": ["a"], "Farm a": ["a"] });
  await play.click("a");
  assert.deepEqual(
    play.menu.value.map((move) => move.text),
    ["Knight a", "Farm a"],
  );
  assert.deepEqual(play.line.value.moves, []);
  await play.play("Farm a");
  assert.deepEqual(play.line.value.moves, ["Farm a"]);
  assert.deepEqual(play.menu.value, []);
});

test("where one could go on, nothing is played; the moves that end here are told apart", async () => {
  const { play } = await table({ "stay a": ["a"], "step a b": ["a", "b"] });
  await play.click("a");
  assert.deepEqual(play.line.value.moves, []);
  assert.deepEqual(play.menu.value, []);
  assert.deepEqual(
    play.complete.value.map((move) => move.text),
    ["stay a"],
  );
});

test("moves without cells are buttons", async () => {
  const { play } = await table({ "a b": ["a", "b"], pass: [] });
  assert.deepEqual(
    play.buttons.value.map((move) => move.text),
    ["pass"],
  );
  assert.deepEqual(play.complete.value, []);
});

test("a click that no move means asks why, with all cells in order, and what is held stays held", async () => {
  const { play, asked } = await table(STEPS);
  await play.click("a");
  await play.click("z");
  assert.deepEqual(asked.at(-1)?.asked.cells, ["a", "z"]);
  assert.deepEqual(play.bubble.value?.cells, ["a", "z"]);
  assert.deepEqual(play.held.value, ["a"]);
  await play.click("b");
  assert.equal(play.bubble.value, null);
  assert.deepEqual(play.line.value.moves, ["a b"]);
});

test("nothing can be clicked when the game is over", async () => {
  const { play, asked } = await table({ end: ["a"] });
  await play.click("a");
  asked.length = 0;
  await play.click("a");
  await play.drop("a", "b");
  assert.equal(asked.length, 0);
});

test("a drag holds and moves, or says why not", async () => {
  const { play } = await table(STEPS);
  play.hold("a");
  play.hold("a");
  assert.deepEqual(play.held.value, ["a"]);
  await play.drop("a", "b");
  assert.deepEqual(play.line.value.moves, ["a b"]);
  play.hold("c"); // with which no move begins
  assert.deepEqual(play.held.value, []);
  await play.drop("c", "a");
  assert.deepEqual(play.bubble.value?.cells, ["c", "a"]);
});

test("an explanation that comes late is dropped", async () => {
  const { play, waiting, later } = await table(STEPS);
  later.value = true;
  const asking = play.explain(["z"]);
  play.release();
  for (const go of waiting) go();
  await asking;
  assert.equal(play.bubble.value, null);
});

test("a position that comes late does not replace a newer one", async () => {
  const { play, waiting, later } = await table(STEPS);
  later.value = true;
  const slow = play.show({ seed: 1, start: "", moves: [] });
  const quick = play.show({ seed: 2, start: "", moves: [] });
  waiting[1]!();
  await quick;
  waiting[0]!();
  await slow;
  assert.equal(play.line.value.seed, 2);
});

test("a click waits for the move that is under way", async () => {
  const { play, waiting, later } = await table(STEPS);
  later.value = true;
  const moving = play.play("a b");
  const click = play.click("b");
  assert.deepEqual(play.held.value, []);
  waiting[0]!();
  await Promise.all([moving, click]);
  assert.deepEqual(play.line.value.moves, ["a b"]);
  assert.deepEqual(play.held.value, ["b"]);
});

test("what was played is a tree: another move begins a branch, the same move goes on in its own", async () => {
  const { play, asked } = await table(STEPS);
  await play.playAll(["a b", "b c"]);
  await play.back();
  await play.play("a c");
  const middle = play.at.value!.parent!;
  assert.deepEqual(
    middle.next.map((step) => step.move),
    ["b c", "a c"],
  );
  await play.back();
  asked.length = 0;
  await play.play("b c");
  assert.equal(asked.length, 0);
  assert.equal(play.at.value, middle.next[0]);
  await play.backTo(0);
  await play.forward();
  assert.equal(play.at.value, middle);
  assert.deepEqual(play.line.value.moves, ["a b"]);
});

test("several moves are one question, and each is a step that one can go back to", async () => {
  const { play, asked } = await table(STEPS);
  await play.playAll(["a b", "a c", "b c"]);
  assert.deepEqual(
    asked.map((one) => one.asked.line.moves),
    [["a b", "a c", "b c"]],
  );
  await play.back();
  assert.deepEqual(play.line.value.moves, ["a b", "a c"]);
});

test("a move that is not legal is told, and nothing else happens", async () => {
  const { play } = await table(STEPS);
  await play.play("x");
  assert.equal(play.trouble.value, "x: is not legal");
  assert.deepEqual(play.line.value.moves, []);
  assert.deepEqual(play.root.value?.next, []);
});

test("other rules of the same game keep the moves that are still legal", async () => {
  const { play, asked } = await table(STEPS);
  await play.play("a b");
  await play.becomes(game("two"));
  assert.deepEqual(asked.at(-1)?.asked, { game: "two", line: { seed: 0, start: "", moves: ["a b"] } });
  assert.deepEqual(play.line.value.moves, ["a b"]);
  assert.equal(play.game.value?.id, "two");
  await play.becomes(game("three", "another"));
  assert.deepEqual(play.line.value.moves, []);
});

test("moves that the new rules do not allow are cut, and the first of them is told", async () => {
  const moves: Moves = { ...STEPS };
  const { play } = await table(moves);
  await play.playAll(["a b", "a c"]);
  delete moves["a c"];
  await play.becomes(game("two"));
  assert.deepEqual(play.line.value.moves, ["a b"]);
  assert.equal(play.trouble.value, "a c: is not legal");
});

test("a position that cannot be had leaves the board as it is", async () => {
  const { play } = await table(STEPS);
  await play.play("a b");
  await play.show({ seed: 0, start: "nowhere", moves: [] });
  assert.equal(play.trouble.value, "there is no such position");
  assert.deepEqual(play.line.value.moves, ["a b"]);
});

test("where there is no game any more, an answer about the former one shows no board", async () => {
  const { play, waiting, later } = await table({ a: ["a1"] });
  later.value = true;
  const moving = play.play("a");
  play.clear();
  for (const go of waiting) go();
  await moving;
  assert.deepEqual([play.game.value, play.state.value, play.root.value], [null, null, null]);
});
