/** The kind of move that the board speaks of: what lies under the pointer, is held, was chosen, or was played last. */

import { type Play, places } from "../store/play.ts";

export function kindOf(play: Play, kinds: string[]): string {
  const held = play.held.value;
  const over = play.over.value;
  const under = over ? kindFrom(play, [...held, over]) : undefined;
  const holds = held.length ? kindFrom(play, held) : undefined;
  const at = play.at.value;
  const last = at?.parent?.state?.moves.find((move) => move.text === at.move)?.kind;
  const first = play.state.value?.moves[0]?.kind;
  return [under, holds, play.kind.value, last, first].find((kind) => kind && kinds.includes(kind)) ?? kinds[0] ?? "";
}

/** The kind of the first move that begins with these cells. */
function kindFrom(play: Play, cells: string[]): string | undefined {
  const moves = play.state.value?.moves ?? [];
  return moves.find((move) => cells.every((cell, place) => places(move)[place] === cell))?.kind;
}
