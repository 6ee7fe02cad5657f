/** Minimax by a program: deeper and deeper until a limit is reached, as pysolve/search/minimax.py does it. */

import type { Exported } from "./exported.ts";
import type { Code, Machine } from "./machine.ts";
import { DEEP, Trouble } from "./machine.ts";

export const WIN = 1_000_000; // a win now; a win n moves later is worth n less
const BACK = 1 - WIN; // a move back to a position that was left before
const NOTHING = 4 * WIN; // more than every value
const WINDOW = 25; // the smallest half-width of an aspiration window
const DEEPEST = 128;
const BEYOND = 4; // moves searched beyond the horizon at most
const HISTORY_BITS = 20; // games whose move codes have more bits have no history
const FEW = 1 << 17; // entries of the first table; when half of them are taken, a greater one takes its place
const ENTRIES = 1 << 19; // positions in the table at most: a browser has less memory than a computer
const MARKS = 1 << 17; // positions of unfinished turns that are kept
const FIRST = 2_000; // positions before the clock is looked at for the first time

/** How far a search looks. */
export interface Limits {
  depth?: number;
  turns?: number;
  nodes?: number;
  seconds?: number;
}

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

/** The memory of a search; its tables are kept from depth to depth. */
class Searcher {
  private readonly search: number;
  private readonly table: number;
  private readonly history: number;
  private readonly promises: number;
  private readonly line: number;
  private readonly busy: number;
  private readonly marks: number;
  private readonly markSlots: number;
  private readonly markRoom: number;
  private readonly back: number;
  private readonly tried: number;
  nodes = 0; // of the last visit
  stopped = false;

  constructor(
    private readonly machine: Machine,
    private readonly byTurns: boolean,
    private readonly horizon: Horizon,
  ) {
    const room = (name: string, count = 1) => machine.allocated(count * machine.number(name));
    this.search = room("search_size");
    let entries = 0;
    for (let size = FEW; ; size *= 8) {
      entries += Math.min(size, 2 * ENTRIES);
      if (size >= 2 * ENTRIES) break;
    }
    this.table = room("entry_size", entries);
    this.history = machine.allocated(machine.bits <= HISTORY_BITS ? 8 * 2 ** machine.bits : 8);
    this.promises = machine.allocated(DEEP * 8);
    this.line = machine.allocated((DEEPEST + BEYOND + 1) * machine.wide);
    this.busy = room("busy_size");
    this.markRoom = byTurns ? MARKS : 1;
    this.marks = room("mark_size", this.markRoom);
    this.markSlots = machine.allocated(2 * this.markRoom * 4);
    this.back = this.numbers(horizon.back);
    this.tried = horizon.order.length ? this.numbers(horizon.order) : 0;
    machine.deepMoves();
  }

  private numbers(list: number[]): number {
    const at = this.machine.allocated(8 * list.length + 8);
    this.machine.words(at, list.length).set(list.map(BigInt));
    return at;
  }

  /** Searches to a depth within a window, through so many positions at most (-1: all); null if it found nothing. */
  visit(state: Uint8Array, depth: number, alpha: number, beta: number, nodes: number): Visit | null {
    const { machine, horizon } = this;
    machine.put(state);
    const big = BigInt;
    const found = machine.call(
      "search", machine.control, machine.state, big(depth), big(alpha), big(beta), big(nodes), this.search, this.table,
      big(FEW), big(ENTRIES), 0n, this.busy, this.history, machine.deepMoves(), this.promises, big(DEEP), this.line,
      big(this.byTurns), big(horizon.kinds), big(horizon.captures), this.marks, this.markSlots, big(this.markRoom),
      this.back, big(horizon.back.length), this.tried,
    ); // biome-ignore format: arguments
    if (found === -1n) throw new Trouble("limit", "there are too many moves to search");
    this.nodes = machine.left("nodes");
    this.stopped = found < 0n;
    const line = machine.codes(this.line, machine.left("high"));
    return this.stopped && !line.length ? null : { value: machine.left("low"), line };
  }
}

/** The best line from a position; `heard` hears of each finished depth. */
export function minimax(
  machine: Machine,
  state: Uint8Array,
  limits: Limits,
  horizon: Horizon,
  heard: (found: Found) => void,
): Found {
  const byTurns = limits.turns !== undefined;
  const began = performance.now();
  const searcher = new Searcher(machine, byTurns, horizon);
  const { ending, winner, codes } = machine.expand(state);
  if (ending) return { value: winner ? (winner === state[0] ? WIN : -WIN) : 0, line: [], depth: 0, nodes: 1, byTurns };
  let found: Found = { value: 0, line: codes.slice(0, 1), depth: 0, nodes: 0, byTurns };
  const clock = new Clock(began, limits);
  const deepest = Math.min(limits.depth ?? limits.turns ?? DEEPEST, DEEPEST);
  for (let depth = 1; depth <= deepest; depth++) {
    const [visit, finished] = deepened(searcher, state, depth, found, clock);
    found = { ...found, nodes: clock.nodes };
    if (!finished) {
      found = better(found, visit, depth, horizon.order.length > 0);
      break;
    }
    found = { ...visit!, depth, nodes: clock.nodes, byTurns };
    heard(found);
    if (Math.abs(found.value) >= WIN || (codes.length === 1 && !limits.depth && !limits.turns)) break;
  }
  if (found.depth || !byTurns || clock.nodes !== limits.nodes) return found;
  const { turns: _, ...rest } = limits; // the first turn is too long: count its moves
  const left = limits.seconds === undefined ? {} : { seconds: Math.max(0, limits.seconds - clock.seconds) };
  const byMoves = minimax(machine, state, { ...rest, ...left }, horizon, heard);
  return { ...byMoves, nodes: found.nodes + byMoves.nodes };
}

/** What may still be spent: positions, and time, which a program does not look at by itself. */
class Clock {
  nodes = 0;

  constructor(
    private readonly began: number,
    private readonly limits: Limits,
  ) {}

  get seconds(): number {
    return (performance.now() - this.began) / 1000;
  }

  /** How many positions may be looked at before the clock must be read again; -1: all. */
  next(): number {
    const { nodes, seconds } = this.limits;
    const most = nodes === undefined ? Infinity : nodes - this.nodes;
    if (seconds === undefined) return most === Infinity ? -1 : most;
    const left = seconds - this.seconds;
    if (left <= 0) return 0;
    if (this.nodes < FIRST) return Math.min(most, FIRST);
    const pace = this.nodes / Math.max(this.seconds, 0.001); // what is stopped begins again: rather once than often
    return Math.max(1, Math.min(most, Math.ceil(pace * left)));
  }

  /** Is there nothing left to spend? */
  over(): boolean {
    const { nodes, seconds } = this.limits;
    return (nodes !== undefined && this.nodes >= nodes) || (seconds !== undefined && this.seconds >= seconds);
  }
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
function better(found: Found, later: Visit | null, depth: number, ordered: boolean): Found {
  if (!later || later.value <= BACK || (later.line[0] === found.line[0] && later.value < WIN)) return found;
  if (ordered && found.depth && later.value < WIN) return found;
  return { ...found, value: later.value, line: later.line, depth: later.value >= WIN ? depth : found.depth };
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
