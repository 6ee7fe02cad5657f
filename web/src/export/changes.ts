/** What a move changes on a board, as Python says it: where something has come, and where something has only gone. */

import type { Game, Position } from "./game.ts";

export interface Changed {
  landed: string[];
  left: string[];
}

const known = new WeakMap<Position, Changed>();

/** The places that the move which led to a position has changed. */
export function changedBy(before: Position, after: Position): Changed {
  let found = known.get(after);
  if (!found) {
    found = changed(before.game, before.state, after.state);
    known.set(after, found);
  }
  return found;
}

/** The places that look otherwise in the second state; a note on things that stay changes nothing. */
export function changed(game: Game, before: Uint8Array, after: Uint8Array): Changed {
  const { cells, sites } = game.exported;
  const notes = notesOf(game);
  const [old, now] = [game.seen(before), game.seen(after)];
  const found: Changed = { landed: [], left: [] };
  for (const place of [...cells, ...sites.map(({ name }) => name)]) {
    const piles = old.map((line, number) => [line.get(place) ?? [], now[number]!.get(place) ?? []] as const);
    const differs = piles.flatMap(([was, is], number) => (was.join("|") === is.join("|") ? [] : [number]));
    const stays = piles.some(([was], number) => was.length > 0 && !differs.includes(number));
    if (!differs.length || (stays && differs.every((number) => notes[number]))) continue;
    const came = piles.some(([was, is]) => is.some((one) => count(is, one) > count(was, one)));
    (came ? found.landed : found.left).push(place);
  }
  return found;
}

function count(pile: string[], one: string): number {
  return pile.filter((other) => other === one).length;
}

/** For each line of `show`, whether it draws a condition alone. */
function notesOf({ exported: { layers, rims, slots, sorts } }: Game): boolean[] {
  const isNote = (numbers: number[]) => numbers.every((slot) => sorts[slots[slot]!.sort]!.name === "bool");
  return [...layers.map((layer) => layer.on_cell && isNote(layer.slots)), ...rims.map((rim) => isNote(rim.slots))];
}
