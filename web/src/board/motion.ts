/** What moved between two positions: what left one cell and appeared on another. */

import type { Look, Part, Played, State } from "../protocol.ts";

/** Parts that slide from one cell to another. */
export interface Slide {
  from: string;
  to: string;
  parts: Part[];
}

/** Parts that appear, or are gone. */
export interface Change {
  cell: string;
  parts: Part[];
}

export interface Motion {
  slides: Slide[];
  gone: Change[];
}

export const STILL: Motion = { slides: [], gone: [] };

/** From `before` to `after`, between which `moves` were played or taken back. */
export function motion(before: State, after: State, moves: Played[]): Motion {
  const cells = new Set([...Object.keys(before.looks), ...Object.keys(after.looks)]);
  const left: Change[] = [];
  const came: Change[] = [];
  for (const cell of cells) {
    const [was, is] = [bodies(before.looks[cell]), bodies(after.looks[cell])];
    left.push({ cell, parts: without(was, is) });
    came.push({ cell, parts: without(is, was) });
  }
  const sources = left.filter((change) => change.parts.length);
  const ways = moves.map(({ cells: named, goal }) => (goal && !named.includes(goal) ? [...named, goal] : named));
  const slides: Slide[] = [];
  for (const change of came) {
    const source = likeliest(change, sources, ways);
    if (source) slides.push({ from: source.cell, to: change.cell, parts: common(change.parts, source.parts) });
  }
  const moved = new Set(slides.map((slide) => slide.from));
  return { slides, gone: sources.filter((change) => !moved.has(change.cell)) };
}

/** Whence these parts came: a cell of a move that also names this one, before all other cells. */
function likeliest(change: Change, sources: Change[], ways: string[][]): Change | null {
  const alike = sources.filter(
    (source) => source.cell !== change.cell && common(change.parts, source.parts).some(isBody),
  );
  const named = alike.find((source) =>
    ways.some((cells) => cells.includes(source.cell) && cells.includes(change.cell)),
  );
  return named ?? alike[0] ?? null;
}

/** True for what a piece has of its own: two texts that are alike need not be the same piece. */
function isBody([tag]: Part): boolean {
  return tag !== "text";
}

/** What lies on a cell, without the group around it. */
export function bodies(look: Look | undefined): Part[] {
  return (look?.parts ?? []).flatMap((part) => (part[0] === "g" && !part[1].transform ? (part[3] ?? []) : [part]));
}

function without(these: Part[], others: Part[]): Part[] {
  return rest(these, others, false);
}

function common(these: Part[], others: Part[]): Part[] {
  return rest(these, others, true);
}

/** The parts of `these` that are also among `others`, or those that are not; equal parts count one by one. */
function rest(these: Part[], others: Part[], among: boolean): Part[] {
  const count = new Map<string, number>();
  for (const part of others) count.set(JSON.stringify(part), (count.get(JSON.stringify(part)) ?? 0) + 1);
  return these.filter((part) => {
    const key = JSON.stringify(part);
    const there = count.get(key) ?? 0;
    if (there) count.set(key, there - 1);
    return there > 0 === among;
  });
}
