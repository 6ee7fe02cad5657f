/** What a balance says, as carefully as its intervals allow. */

import type { Standing } from "../protocol.ts";

export function verdict({ played, players }: Standing): string {
  if (!played || players.length < 2) return "";
  const even = 1 / players.length;
  const ahead = players.find(({ low }) => low > even);
  if (ahead) return `${ahead.name} has the better side.`;
  const widest = Math.max(...players.map(({ low, high }) => high - low));
  return widest < 0.1 ? "The sides are about equal." : "So far no side is better for sure.";
}
