import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Ask,
  AskError,
  type Description,
  type Explanation,
  type Line,
  type Preview,
  type State,
} from "../src/protocol.ts";
import { Play, places } from "../src/store/play.ts";

const EXPLANATION: Explanation = { move: "", legal: false, note: "no", kinds: [] };

// The cells of each move by its text; the last one is its goal after ">"; with a space it is a value, "card Tiger".
type Moves = Record<string, string[]>;

/** A game in which these moves are legal in every position, and the questions that are asked about it. */
async function table(moves: Moves, turn: string[] = [], lying: [player: string, values: string[]][] = []) {
  const asked: { question: string; asked: { line: Line; cells?: string[]; values?: string[]; game: string } }[] = [];
  const waiting: (() => void)[] = [];
  const later = { value: false }; // answers wait until somebody lets them go
  const ask = (async (question: string, what: { line: Line; cells?: string[]; game: string }) => {
    asked.push({ question, asked: what });
    if (later.value) await new Promise<void>((go) => waiting.push(go));
    if (question === "why") return EXPLANATION;
    if (question === "preview") return { previews: previewsOf((what as unknown as { moves: string[] }).moves) };
    if (what.line.start === "nowhere") throw new AskError({ kind: "asked", message: "there is no such position" });
    return stateOf(moves, what.line, turn, lying);
  }) as unknown as Ask;
  const play = new Play(ask);
  await play.becomes(game("one"));
  asked.length = 0;
  return { play, asked, waiting, later };
}

function previewsOf(moves: string[]): Preview[] {
  if (moves.includes("unknown")) throw new AskError({ kind: "asked", message: "there is no such question" });
  return moves.map((move) => ({ move, landed: [move], left: [], looks: {} }));
}

function game(id: string, name = "game"): Description {
  return { id, name } as Description;
}

function stateOf(moves: Moves, line: Line, turn: string[], lying: [player: string, values: string[]][] = []): State {
  const end = line.moves.findIndex((text) => !(text in moves));
  const legal = end < 0 ? line.moves : line.moves.slice(0, end);
  const over = legal.at(-1) === "end";
  return {
    line: { ...line, moves: legal },
    lost: end < 0 ? null : { move: line.moves[end]!, message: "is not legal" },
    mover: "Red",
    moves: over
      ? []
      : Object.entries(moves).map(([text, all]) => {
          const values = all.filter((one) => one.includes(" "));
          const cells = all.filter((one) => !one.includes(" "));
          const goal = cells.at(-1)?.startsWith(">") ? cells.at(-1)!.slice(1) : null;
          const named = goal ? cells.slice(0, -1) : cells;
          return { text, written: text, kind: text.split(" ")[0]!, cells: named, goal, values, pass: false };
        }),
    looks: {},
    ties: [],
    marks: [],
    window: null,
    beside: [],
    facts: [],
    out: [],
    asides: lying.map(([player, values]) => {
      const things = values.map((value) => ({ look: { parts: [], label: value }, count: 1, value, note: "" }));
      return { title: "hand", text: "", groups: [{ label: player, player, things }] };
    }),
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
  const move = { text: "", written: "", kind: "", values: [], pass: false };
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

const CARDS: Moves = {
  "Tiger a-b": ["card Tiger", "a", "b"],
  "Crab a-b": ["card Crab", "a", "b"],
  "Crab a-c": ["card Crab", "a", "c"],
  "lay Tiger": ["card Tiger"],
};
const HANDS: [string, string[]][] = [
  ["Red", ["card Tiger", "card Crab"]],
  ["Blue", ["card Goose"]],
];

test("a thing beside the board is held like a cell, before the cells or after them", async () => {
  const { play } = await table(CARDS, [], HANDS);
  await play.click("card Crab");
  assert.deepEqual([...play.targets.value], ["a"]);
  await play.click("a");
  assert.deepEqual([...play.targets.value], ["b", "c"]);
  await play.click("b");
  assert.deepEqual(play.line.value.moves, ["Crab a-b"]);
  await play.click("a");
  await play.click("b");
  assert.deepEqual(play.menu.value, []);
  assert.deepEqual([...play.targets.value], ["card Tiger", "card Crab"]);
  await play.click("card Tiger");
  assert.deepEqual(play.line.value.moves, ["Crab a-b", "Tiger a-b"]);
});

test("where the cells say enough, no thing need be clicked", async () => {
  const { play } = await table(CARDS, [], HANDS);
  await play.click("a");
  await play.click("c");
  assert.deepEqual(play.line.value.moves, ["Crab a-c"]);
});

test("another thing takes the place of the one that is held, and the cells stay", async () => {
  const { play } = await table(CARDS, [], HANDS);
  await play.click("card Tiger");
  await play.click("a");
  await play.click("card Crab");
  assert.deepEqual(play.held.value, ["a", "card Crab"]);
  await play.click("card Crab");
  assert.deepEqual(play.held.value, ["a"]);
});

test("a move that names a thing alone is played by it, and has no button", async () => {
  const { play } = await table({ "give 1": ["0..3 1"], "give 2": ["0..3 2"], rest: [] }, [], [["", ["0..3 1"]]]);
  assert.deepEqual(
    play.buttons.value.map((move) => move.text),
    ["give 2", "rest"],
  );
  await play.click("0..3 1");
  assert.deepEqual(play.line.value.moves, ["give 1"]);
});

test("where one may stop or go on, a move that a thing still tells apart has no button", async () => {
  const { play } = await table(
    { "a b": ["a", "b"], "Spearman a": ["unit Spearman", "a"] },
    [],
    [["", ["unit Spearman"]]],
  );
  await play.click("a");
  assert.deepEqual([...play.targets.value], ["b", "unit Spearman"]);
  assert.deepEqual(play.ended.value, []);
  await play.click("unit Spearman");
  assert.deepEqual(play.line.value.moves, ["Spearman a"]);
});

test("what a click would play is known before it, unless it would do something else", async () => {
  const { play } = await table({ ...STEPS, "put d": ["d"], "c4h x": ["e"], "c4v x": ["e"] });
  assert.deepEqual(
    ["a", "d", "e", "z"].map((cell) => play.meant(cell)),
    ["", "put d", "", ""],
  );
  await play.click("a");
  assert.equal(play.meant("c"), "a c");
});

test("who points means no move that is aimed at by a click on a cell, who has keys is asked", async () => {
  const { play, asked } = await table({ c4h: ["c4"], c4v: ["c4"], c5: ["c5"], c5h: ["c5"] });
  play.aimed.value = new Set(["c4h", "c4v", "c5h"]);
  assert.deepEqual([...play.opens.value], ["c5"]);
  await play.click("c4", true);
  assert.equal(asked.at(-1)?.question, "why");
  await play.click("c4");
  assert.deepEqual(
    play.menu.value.map((move) => move.text),
    ["c4h", "c4v"],
  );
  play.release();
  await play.click("c5", true);
  assert.deepEqual(play.line.value.moves, ["c5"]);
});

test("a preview is asked for once, and belongs to its position", async () => {
  const { play, asked } = await table({ a: ["a"], b: ["b"] });
  await Promise.all([play.previews.want(["a"]), play.previews.want(["a", "b"])]);
  assert.deepEqual(
    asked.map((one) => (one.asked as unknown as { moves: string[] }).moves),
    [["a"], ["b"]],
  );
  assert.deepEqual(play.previews.of("a")?.landed, ["a"]);
  await play.click("a");
  assert.equal(play.previews.of("a"), undefined);
  assert.equal(play.previews.comes("a"), true);
});

test("where nobody answers, a preview is not waited for", async () => {
  const { play } = await table({ a: ["a"], unknown: ["b"] });
  await play.previews.want(["unknown"]);
  assert.equal(play.previews.of("unknown"), undefined);
  assert.equal(play.previews.comes("unknown"), false);
});

test("a thing of another player, or one that no legal move needs, says why not", async () => {
  const { play, asked } = await table({ "Tiger a-b": ["card Tiger", "a", "b"] }, [], HANDS);
  await play.click("card Crab");
  assert.deepEqual(asked.at(-1)?.asked.values, ["card Crab"]);
  assert.deepEqual(asked.at(-1)?.asked.cells, []);
  await play.click("card Tiger");
  await play.click("card Crab"); // in its place, not with it
  assert.deepEqual(asked.at(-1)?.asked.values, ["card Crab"]);
  await play.click("card Tiger");
  await play.click("a");
  await play.click("card Goose");
  assert.deepEqual([asked.at(-1)?.asked.cells, asked.at(-1)?.asked.values], [["a"], ["card Goose"]]);
  assert.deepEqual(play.held.value, ["a"]);
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

test("a game is shown at once at the position that it was opened with", async () => {
  const { play, asked } = await table(STEPS);
  const line = { seed: 0, start: "", moves: ["a b"] };
  await play.becomes(game("two", "another"), line);
  assert.deepEqual(asked, [{ question: "state", asked: { game: "two", line } }]);
  assert.deepEqual(play.line.value.moves, ["a b"]);
  await play.becomes(game("two", "another"), { seed: 0, start: "", moves: [] });
  assert.deepEqual(play.line.value.moves, []);
});

test("a game whose position cannot be had is shown from its beginning, and says why", async () => {
  const { play } = await table(STEPS);
  await play.becomes(game("two", "another"), { seed: 0, start: "nowhere", moves: [] });
  assert.equal(play.game.value?.id, "two");
  assert.deepEqual(play.line.value, { seed: 0, start: "", moves: [] });
  assert.equal(play.trouble.value, "there is no such position");
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
