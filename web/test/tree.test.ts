import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, Notes, type Row, rowsOf } from "../src/rail/tree.ts";
import type { Step } from "../src/store/play.ts";
import { stateOf, table } from "./fake.ts";

function shown(rows: Row[]): string[] {
  return rows.map(
    ({ depth, number, player, steps, resumes }) =>
      `${">".repeat(depth)}${number}${resumes ? "…" : ""} ${player} ${steps.map((step) => step.move).join(" ")}`,
  );
}

/** Moves after a position of a tree in which two moves make a turn; the step after them. */
function grow(from: Step, moves: string, notes: Notes): Step {
  let last = from;
  for (const move of moves) {
    const step: Step = { parent: last, move, next: [], state: null };
    last.next.push(step);
    last = step;
  }
  const state = stateOf({ seed: 0, start: "", moves: lineTo(last) });
  const played = state.played.map((one, at) => {
    const turn = Math.floor(at / 2);
    return { ...one, turn: turn + 1, player: ["Red", "Blue"][turn % 2]! };
  });
  last.state = { ...state, played };
  notes.learn(last);
  return last;
}

/** A tree with a main line. */
function tree(moves: string): { root: Step; notes: Notes } {
  const root: Step = { parent: null, move: "", next: [], state: null };
  const notes = new Notes();
  grow(root, moves, notes);
  return { root, notes };
}

function lineTo(step: Step): string[] {
  return step.parent ? [...lineTo(step.parent), step.move] : [];
}

test("a turn of several moves is one row", () => {
  const { root, notes } = tree("abcde");
  assert.deepEqual(shown(rowsOf(root, notes)), ["1 Red a b", "2 Blue c d", "3 Red e"]);
});

test("branches stand below the row that they leave, and the turn goes on after them", () => {
  const { root, notes } = tree("abcd");
  grow(root, "xyz", notes);
  grow(root.next[0]!.next[0]!.next[0]!, "w", notes);
  const rows = ["1 Red a", ">1 Red x y", ">2 Blue z", "1… Red b", "2 Blue c d", ">2… Blue w"];
  assert.deepEqual(shown(rowsOf(root, notes)), rows);
});

test("a branch of a branch stands deeper", () => {
  const { root, notes } = tree("ab");
  grow(root.next[0]!, "xy", notes);
  grow(root.next[0]!.next[1]!, "z", notes);
  assert.deepEqual(shown(rowsOf(root, notes)), ["1 Red a b", ">1… Red x", ">2 Blue y", ">>2 Blue z"]);
});

test("moves are known that one position tells of, also where nobody has been", async () => {
  const { play } = await table();
  await play.show({ seed: 0, start: "", moves: ["a", "b", "a"] });
  const notes = new Notes();
  notes.learn(play.at.value);
  assert.deepEqual(shown(rowsOf(play.root.value!, notes)), ["1 Red a", "2 Blue b", "3 Red a"]);
  assert.equal(notes.of(play.at.value!).player, "Red");
});

test("the end of the line on which a position stands", async () => {
  const { play } = await table();
  await play.playAll(["a", "b", "a", "b"]);
  assert.equal(endOf(play.root.value!), play.at.value);
});
