/** What is said of cells and positions, for those who hear the board. */

import type { Explanation, Played, Reason, State } from "../protocol.ts";

export function labelOf(
  { name: cell, label }: { name: string; label: string },
  state: State,
  signs: { held: boolean; target: boolean; begins: boolean },
): string {
  const lies = [seen(state.looks[cell]?.label), label].filter(Boolean).join(" on ") || "empty";
  const sign = signs.held ? "held" : signs.target ? "can be chosen" : signs.begins ? "can move" : "";
  return [cell, lies, sign].filter(Boolean).join(", ");
}

/** A `?` in words. */
function seen(label: string | undefined): string | undefined {
  return label === "?" ? "not seen" : label;
}

/** A move of chance: somebody rolls dice; of all else the rules alone know whom it is for. */
export function befell(roll: number[], player: string): string {
  return roll.length ? `${player} rolled` : "By chance:";
}

function didOf({ player, written, roll }: State["played"][number]): string {
  if (!written) return `${player} has moved`;
  return roll ? befell(roll, player) : `${player} played`;
}

/** The last move and whose turn it is, or who has won. */
export function newsOf(state: State): string {
  const last = state.played.at(-1);
  const said = last ? `${didOf(last)}${last.written && ` ${last.written}`}.` : "";
  const now = state.outcome ? state.outcome.text : state.chance ? turnOf(state) : `${state.mover} to move.`;
  return `${said} ${now}`.trim();
}

/** What is happening where chance moves. */
export function turnOf({ chance, mover }: State): string {
  return chance?.rolls.some(({ dice }) => dice.length) ? `${mover} rolls` : `Chance moves for ${mover}`;
}

const MOST_NAMED = 8; // cells that are told one by one

/** What is held, and where one can go on. */
export function holdingOf(held: string[], targets: string[]): string {
  const named = targets.slice(0, MOST_NAMED).join(", ");
  const more = targets.length > MOST_NAMED ? ` and ${targets.length - MOST_NAMED} more` : "";
  return `${held.join(", ")} held.${named ? ` It can go on to ${named}${more}.` : ""}`;
}

/** Why what was clicked is no move. */
export function refusalOf(cells: string[], explanation: Explanation): string {
  return `${cells.join(" to ")} is ${explanation.legal ? "" : "not "}legal. ${reasonOf(explanation)}`.trim();
}

/** The author's words for the first demand that fails. */
export function reasonOf(explanation: Explanation): string {
  const failing = explanation.kinds[0]?.demands.find((demand) => !demand.holds);
  return failing?.reason ?? innermost(failing)?.reason ?? explanation.note;
}

/** The first failing part of a demand that has words of its author. */
function innermost(reason: Reason | undefined): Reason | undefined {
  for (const part of reason?.parts ?? []) {
    const found = part.holds ? undefined : part.reason ? part : innermost(part);
    if (found) return found;
  }
  return undefined;
}

/** The cells that are clicked, as an arrow from one to the next. */
export function wayOf(cells: string[]): string {
  return cells.map(wordOf).join(" → ");
}

/** A cell as it is; a thing beside the board without its type, "Tiger" for "card Tiger". */
export function wordOf(place: string): string {
  return place.slice(place.indexOf(" ") + 1);
}

/**
 * The moves of all others since the player to move moved last.  Within a turn it is the last move; where all moves are
 * the mover's own, as in a puzzle, the last turn.  A roll that changes nothing on the board is none of them.
 */
export function sinceOwn(state: State): Played[] {
  const { turn_began, mover } = state;
  const seen = (move: Played) => !move.roll || move.landed.length > 0;
  const now = state.played.slice(turn_began).filter(seen);
  if (now.length) return now.slice(-1);
  const played = state.played.filter(seen);
  const own = played.findLastIndex(({ player }) => player === mover);
  const since = played.slice(own + 1);
  return since.length ? since : played.filter(({ turn }) => turn === played.at(-1)?.turn);
}
