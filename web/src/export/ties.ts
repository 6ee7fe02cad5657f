/** Which of equal moves is preferred, as pysolve/search/ties.py says it. */

import type { Exported } from "./exported.ts";

/** Indices of moves, the preferred one first: first, last, top, bottom or random. */
export function preferred(exported: Exported, moves: Preferred[], ties: string, chance: () => number): number[] {
  const found = moves.map((_, index) => index);
  if (ties === "top" || ties === "bottom") {
    const read = moves.map((move) => asRead(exported, move));
    found.sort((a, b) => compared(read[a]!, read[b]!) || a - b);
  }
  if (ties === "last" || ties === "bottom") found.reverse();
  if (ties === "random") shuffle(found, chance);
  return found;
}

export interface Preferred {
  kind: number;
  values: number[];
}

/** A move whose cells are replaced by their places on the board as it is read, row by row from the top. */
function asRead(exported: Exported, { kind, values }: Preferred): number[] {
  const places = new Map(
    exported.rows
      .flat()
      .filter((cell) => cell !== null)
      .map((cell, place) => [cell, place]),
  );
  const params = exported.kinds[kind]?.params ?? [];
  return [
    kind,
    ...values.map((value, place) =>
      exported.sorts[params[place]!.sort]!.name === "cell" ? (places.get(value) ?? value) : value,
    ),
  ];
}

function compared(a: number[], b: number[]): number {
  for (const [place, value] of a.entries()) if (value !== b[place]) return value - (b[place] ?? -Infinity);
  return a.length - b.length;
}

function shuffle(list: number[], chance: () => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const at = Math.floor(chance() * (last + 1));
    [list[at], list[last]] = [list[last]!, list[at]!];
  }
}
