/** What a result is worth to each player, as dsl/model/payoffs.py says it. */

const SHARED = 1 << 24; // with a bit for each player who shares the first place
const RANKED = 1 << 25; // with the place of each player, less 1
const PLACE_BITS = 3;
const PLACE_MASK = 7;

/** What each of `players` gets, in parts of `unit`; 0 is a draw, a small number the player who alone wins. */
export function payoffs(result: number, players: number, unit: number): number[] {
  const numbers = Array.from({ length: players }, (_, at) => at);
  if (!result) return numbers.map(() => 0);
  const places = numbers.map((at) => place(result, at));
  if (players === 1) return [places[0] ? -unit : unit];
  const first = places.filter((one) => !one).length;
  return places.map((own) => {
    if (result & RANKED) {
      const equals = places.filter((one) => one === own).length;
      return unit - (unit * (2 * own + equals - 1)) / (players - 1);
    }
    return own ? -unit / (players - 1) : (unit * (players - first)) / (first * (players - 1));
  });
}

/** The place of a player, from 0; of those who are not first only whether they are not, unless all have places. */
function place(result: number, at: number): number {
  if (result & RANKED) return (result >> (PLACE_BITS * at)) & PLACE_MASK;
  if (result & SHARED) return Number(!((result >> at) & 1));
  return Number(result !== at + 1);
}

/** The point of a game, as payoffs from -1 to 1 divide it among the players: as pysolve/points.py says it. */
export function divided(paid: number[], ranks: boolean): number[] {
  const players = paid.length;
  if (players === 1 || ranks) return paid.map((one) => (1 + one) / Math.max(2, players));
  return paid.map((one) => (1 + (players - 1) * one) / players);
}
