/** Minimax by a program: deeper and deeper until a limit is reached, as pysolve/search/minimax.py does it. */

import type { Exported } from "./exported.ts";
import { type Code, DEEP, type Machine, Trouble } from "./machine.ts";
import { payoffs } from "./payoffs.ts";
import { Clock, DEEPEST, decides, ENTRIES, FEW, type Limits, Memory, WIN } from "./search_memory.ts";

const BACK = 1 - WIN; // a move back to a position that was left before
const NOTHING = 1000 * WIN; // more than every value
const WINDOW = 25; // the smallest half-width of an aspiration window

export interface Horizon {
  kinds: number; // those that are searched beyond it, as bits
  captures: boolean;
  back: number[]; // indices of the moves that lead back to a position left before
  order: number[]; // indices of all moves in the order in which they are tried; empty for that of the search
}

export interface Found {
  value: number; // for the player to move
  line: Code[];
  depth: number; // the last finished one
  nodes: number;
  byTurns: boolean;
}

interface Visit {
  value: number;
  line: Code[];
}

class Searcher {
  private readonly memory: Memory;
  private readonly busy: number;
  private readonly back: number;
  nodes = 0; // of the last visit
  stopped = false;

  constructor(
    private readonly machine: Machine,
    private readonly byTurns: boolean,
    private readonly horizon: Horizon,
  ) {
    this.memory = new Memory(machine, byTurns, horizon.order);
    this.busy = this.memory.room("busy_size");
    this.back = this.memory.numbers(horizon.back);
  }

  /** Searches to a depth within a window, through so many positions at most (-1: all); null if it found nothing. */
  visit(state: Uint8Array, depth: number, alpha: number, beta: number, nodes: number): Visit | null {
    const { machine, memory, horizon } = this;
    machine.put(state);
    if (machine.players !== 2) machine.call("search_for", memory.search, BigInt(state[0]!)); // all others against him
    const big = BigInt;
    const found = machine.call(
      "search", machine.control, machine.state, big(depth), big(alpha), big(beta), big(nodes), memory.search,
      memory.table, big(FEW), big(ENTRIES), 0n, this.busy, memory.history, memory.moves, memory.promises, big(DEEP),
      memory.line, big(this.byTurns), big(horizon.kinds), big(horizon.captures), memory.marks, memory.markSlots,
      big(memory.markRoom), this.back, big(horizon.back.length), memory.tried,
    ); // biome-ignore format: arguments
    if (found === -1n) throw new Trouble("limit", "there are too many moves to search");
    this.nodes = machine.left("nodes");
    this.stopped = found < 0n;
    const line = memory.found();
    return this.stopped && !line.length ? null : { value: machine.left("low"), line };
  }
}

/** The best line from a position; `heard` hears of each finished depth. */
export function minimax(
  machine: Machine,
  state: Uint8Array,
  limits: Limits,
  horizon: Horizon,
  unit: number,
  heard: (found: Found) => void,
): Found {
  const byTurns = limits.turns !== undefined;
  const began = performance.now();
  const searcher = new Searcher(machine, byTurns, horizon);
  const { ending, result, codes } = machine.expand(state);
  if (ending) {
    const paid = payoffs(result, machine.players, unit)[state[0]! - 1]!;
    return { value: paid * WIN, line: [], depth: 0, nodes: 1, byTurns };
  }
  let found: Found = { value: 0, line: codes.slice(0, 1), depth: 0, nodes: 0, byTurns };
  const clock = new Clock(began, limits);
  const deepest = Math.min(limits.depth ?? limits.turns ?? DEEPEST, DEEPEST);
  for (let depth = 1; depth <= deepest; depth++) {
    const [visit, finished] = deepened(searcher, state, depth, found, clock);
    found = { ...found, nodes: clock.nodes };
    if (!finished) {
      found = better(found, visit, depth, horizon.order.length > 0, unit * WIN);
      break;
    }
    found = { ...visit!, depth, nodes: clock.nodes, byTurns };
    heard(found);
    if (decides(found.value, machine.players, unit) || (codes.length === 1 && !limits.depth && !limits.turns)) break;
  }
  if (found.depth || !byTurns || clock.nodes !== limits.nodes) return found;
  const { turns: _, ...rest } = limits; // the first turn is too long: count its moves
  const left = limits.seconds === undefined ? {} : { seconds: Math.max(0, limits.seconds - clock.seconds) };
  const byMoves = minimax(machine, state, { ...rest, ...left }, horizon, unit, heard);
  return { ...byMoves, nodes: found.nodes + byMoves.nodes };
}

/** Searches one depth, first in a window around the last value, then, if the value lies outside, without one. */
function deepened(
  searcher: Searcher,
  state: Uint8Array,
  depth: number,
  before: Found,
  clock: Clock,
): [visit: Visit | null, finished: boolean] {
  const margin = WINDOW + Math.trunc(Math.abs(before.value) / 8);
  const windows = depth > 1 ? [[before.value - margin, before.value + margin]] : [];
  let found: Visit | null = null;
  for (const [alpha, beta] of [...windows, [-NOTHING, NOTHING]] as [number, number][]) {
    let visit: Visit | null;
    for (;;) {
      const next = clock.next();
      if (next === 0 && clock.over()) return [found, false];
      visit = searcher.visit(state, depth, alpha, beta, next);
      clock.nodes += searcher.nodes;
      if (!searcher.stopped) break;
      if (clock.over()) return [visit ?? found, false]; // else the same depth again: its table is kept
    }
    if (alpha < visit!.value && visit!.value < beta) return [visit, true];
    found = visit!.value >= beta ? visit : null;
  }
  throw new Trouble("internal", "a search without a window has no value");
}

/** The result of a depth, or that of the stopped search of the next one, if that had found a better move. */
function better(found: Found, later: Visit | null, depth: number, ordered: boolean, won: number): Found {
  if (!later || later.value <= BACK || (later.line[0] === found.line[0] && later.value < won)) return found;
  if (ordered && found.depth && later.value < won) return found;
  return { ...found, value: later.value, line: later.line, depth: later.value >= won ? depth : found.depth };
}

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
