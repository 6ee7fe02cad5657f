/** The point of a game, as payoffs from -1 to 1 divide it among the players: as pysolve/lab/scoring.py says it. */
export function divided(paid: number[], ranks: boolean): number[] {
  const players = paid.length;
  if (players === 1 || ranks) return paid.map((one) => (1 + one) / Math.max(2, players));
  return paid.map((one) => (1 + (players - 1) * one) / players);
}
