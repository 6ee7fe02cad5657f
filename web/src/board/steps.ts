/** Puzzles in which one thing goes step by step: arrow keys move it. */

import type { Preview } from "../protocol.ts";
import type { Direction, View } from "./view.ts";

export type Steps = ReadonlyMap<Direction, string>; // the move for each arrow

const WAYS: [Direction, number, number][] = [
  ["ArrowUp", 0, -1],
  ["ArrowDown", 0, 1],
  ["ArrowLeft", -1, 0],
  ["ArrowRight", 1, 0],
];

/**
 * The moves for the arrow keys, where each is a step to a neighbouring cell, no two in the same direction, and all
 * begin at the same cell, as those of a keeper, or end there, as tiles slide into a gap; else none.
 */
export function stepsOf(view: View, previews: Preview[]): Steps {
  const found = new Map<Direction, string>();
  const starts = new Set<string | undefined>();
  const ends = new Set<string>();
  for (const { move, left, landed } of previews) {
    const from = view.at.get(left[0] ?? "");
    const step = from && left.length === 1 ? stepFrom(view, from, landed) : null;
    if (!step || found.has(step.way)) return new Map();
    found.set(step.way, move);
    starts.add(left[0]);
    ends.add(step.to);
  }
  return starts.size <= 1 || ends.size <= 1 ? found : new Map();
}

/** The one step from a cell to another: a thing that is pushed lies behind that. */
function stepFrom(view: View, from: { x: number; y: number }, landed: string[]): { way: Direction; to: string } | null {
  for (const name of landed) {
    const spot = view.at.get(name);
    if (!spot) continue;
    const [dx, dy] = [Math.round((spot.x - from.x) / view.unit), Math.round((spot.y - from.y) / view.unit)];
    const way = WAYS.find(([, x, y]) => x === dx && y === dy);
    if (way) return { way: way[0], to: name };
  }
  return null;
}
