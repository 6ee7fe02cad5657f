/** Whole turns: where they lead, and what ends one without doing more. */

import { MOST_POSITIONS } from "../generated/constants.ts";
import { type Game, keyOf, type Position } from "./game.ts";
import { type Code, type Machine, Trouble } from "./machine.ts";

const MOST_OF_TURN = 200_000; // positions of a turn that a player may look at

/** The distinct positions that the turn of a position can lead to, depth first, in the order of moves. */
export function turnPositions(machine: Machine, state: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  const met = new Set([keyOf(state)]);
  const walk = (here: Uint8Array) => {
    for (const code of machine.expand(here).codes) {
      const after = machine.after(here, code);
      const key = keyOf(after);
      if (met.has(key)) continue;
      met.add(key);
      if (met.size > MOST_OF_TURN)
        throw new Trouble("limit", `a turn from here has more than ${MOST_OF_TURN} positions`);
      if (after[0] !== here[0] || machine.expand(after).ending) found.push(after);
      else walk(after);
    }
  };
  walk(state);
  return found;
}

/** The moves that end the turn without doing more; none if it has no such moves. */
export function resting(position: Position): Code[] {
  if (position.outcome) return [];
  const { kinds } = position.game.exported;
  const legal = new Set(position.codes.map((code) => position.game.decoded(code).kind));
  for (const [number, kind] of kinds.entries()) {
    if (!legal.has(number) || !kind.rests) continue;
    const moves = restOfTurn(position, number);
    if (moves.length && endsTurn(position, moves)) return moves;
  }
  return [];
}

/** The moves of one kind until the turn passes or there are no more of them, if all orders of them end alike. */
function restOfTurn(position: Position, kind: number): Code[] {
  const ends = new Set<string>();
  const met = new Set([keyOf(position.state)]);
  const todo = [position];
  while (todo.length) {
    const before = todo.pop()!;
    const moves = ofKind(before, position.mover, kind);
    if (!moves.length) ends.add(keyOf(before.state));
    for (const code of moves) {
      const after = before.play(code);
      const key = keyOf(after.state);
      if (met.has(key)) continue;
      met.add(key);
      todo.push(after);
    }
    if (ends.size > 1 || met.size > MOST_POSITIONS) return [];
  }
  const found: Code[] = [];
  let here = position;
  for (;;) {
    const [first] = ofKind(here, position.mover, kind);
    if (first === undefined) return found;
    found.push(first);
    here = here.play(first);
  }
}

function ofKind(position: Position, mover: number, kind: number): Code[] {
  if (position.mover !== mover || position.outcome) return [];
  return position.codes.filter((code) => position.game.decoded(code).kind === kind);
}

/** Is it another player's turn after the moves, or the end, and is everybody's piece where it was? */
function endsTurn(position: Position, moves: Code[]): boolean {
  const after = moves.reduce((here, code) => here.play(code), position);
  const same = men(position.game, position.state) === men(after.game, after.state);
  return same && (after.mover !== position.mover || after.outcome !== null);
}

function men(game: Game, state: Uint8Array): string {
  return game.exported.men.map(([from, to]) => keyOf(state.subarray(from, to))).join("/");
}
