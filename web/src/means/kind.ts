/** The kind of move that the board speaks of: what is held, what a button chose, or what was played last. */

import type { Play } from "../store/play.ts";

export function kindOf(play: Play, kinds: string[]): string {
  const held = play.held.value.length ? play.fitting.value[0]?.kind : undefined;
  const at = play.at.value;
  const last = at?.parent?.state?.moves.find((move) => move.text === at.move)?.kind;
  const first = play.state.value?.moves[0]?.kind;
  return [held, play.kind.value, last, first].find((kind) => kind && kinds.includes(kind)) ?? kinds[0] ?? "";
}
