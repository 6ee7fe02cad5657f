/** The move list: the tree of moves as rows, a turn or a part of one in each. */

import type { Played } from "../protocol.ts";
import type { Step } from "../store/play.ts";

export interface Row {
  depth: number; // of branches: 0 is the main line
  number: number; // of the turn
  player: string;
  steps: Step[];
  resumes: boolean; // the turn began in a row above
}

/** How moves are written; what one position knows of the moves before it is kept for all. */
export class Notes {
  private readonly notes = new WeakMap<Step, Played>();

  learn(last: Step | null): void {
    const played = last?.state?.played ?? [];
    let step = last;
    for (let at = played.length - 1; at >= 0 && step?.parent; at -= 1) {
      this.notes.set(step, played[at]!);
      step = step.parent;
    }
  }

  of(step: Step): Played {
    const unknown = {
      player: "",
      text: step.move,
      written: step.move,
      cells: [],
      goal: null,
      landed: [],
      left: [],
      turn: 0,
    };
    return this.notes.get(step) ?? unknown;
  }
}

/** All moves: each row is followed by the branches that leave its last move's place, and then the line goes on. */
export function rowsOf(root: Step, notes: Notes): Row[] {
  const rows: Row[] = [];
  const first = root.next[0];
  if (first) walk(first, 0, notes, rows);
  return rows;
}

function walk(first: Step, depth: number, notes: Notes, rows: Row[]): void {
  let row: Row | null = null;
  for (let step: Step | undefined = first; step; step = step.next[0]) {
    const { turn, player } = notes.of(step);
    if (!row || row.number !== turn || row.player !== player) {
      row = { depth, number: turn, player, steps: [], resumes: begunBefore(step, notes) };
      rows.push(row);
    }
    row.steps.push(step);
    const branches: Step[] = isMain(step) ? step.parent!.next.slice(1) : [];
    for (const branch of branches) walk(branch, depth + 1, notes, rows);
    if (branches.length) row = null;
  }
}

/** True for the first move that was played in its position: only there the others are listed. */
function isMain(step: Step): boolean {
  return step.parent?.next[0] === step;
}

function begunBefore(step: Step, notes: Notes): boolean {
  const before = step.parent;
  return Boolean(before?.parent) && notes.of(before!).turn === notes.of(step).turn;
}

/** The last position of the line that goes on from here. */
export function endOf(step: Step): Step {
  let last = step;
  while (last.next[0]) last = last.next[0];
  return last;
}
