/** Puzzles that come in levels. */

import type { Description } from "../protocol.ts";

/** The option and value of the next level of a puzzle: an option called `level`, or its only one, that counts. */
export function nextLevel(game: Description, chosen: Record<string, string>): [string, string] | null {
  if (game.players.length !== 1) return null;
  const counts = game.options.filter(({ values }) => values.length > 1 && values.every((one) => /^\d+$/.test(one)));
  const level = counts.find(({ name }) => name === "level") ?? (game.options.length === 1 ? counts[0] : undefined);
  if (!level) return null;
  const value = level.values[level.values.indexOf(chosen[level.name] ?? level.value) + 1];
  return value === undefined ? null : [level.name, value];
}
