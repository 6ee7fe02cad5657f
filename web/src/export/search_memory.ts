/** What searches by depth have in common: the memory of a program, and what may still be spent. */

import type { Code, Machine } from "./machine.ts";
import { DEEP } from "./machine.ts";

export const WIN = 1_000_000; // for each unit of a payoff: a win now; n moves later it is worth n less
export const DEEPEST = 128;
export const BEYOND = 4; // moves searched beyond the horizon at most
export const FEW = 1 << 17; // entries of the first table; when half of them are taken, a greater one takes its place
export const ENTRIES = 1 << 19; // positions in the table at most: a browser has less memory than a computer
const HISTORY_BITS = 20; // games whose move codes have more bits have no history
const MARKS = 1 << 17; // positions of unfinished turns that are kept
const FIRST = 2_000; // positions before the clock is looked at for the first time

/** How far a search looks. */
export interface Limits {
  depth?: number;
  turns?: number;
  nodes?: number;
  seconds?: number;
}

/** The memory of a search; its tables are kept from depth to depth. */
export class Memory {
  readonly search: number;
  readonly table: number;
  readonly history: number;
  readonly promises: number;
  readonly line: number;
  readonly marks: number;
  readonly markSlots: number;
  readonly markRoom: number;
  readonly moves: number;
  readonly tried: number; // the order of the first moves; 0 for that of the search

  constructor(
    private readonly machine: Machine,
    byTurns: boolean,
    order: number[],
  ) {
    this.search = this.room("search_size");
    let entries = 0;
    for (let size = FEW; ; size *= 8) {
      entries += Math.min(size, 2 * ENTRIES);
      if (size >= 2 * ENTRIES) break;
    }
    this.table = this.room("entry_size", entries);
    this.history = machine.allocated(machine.bits <= HISTORY_BITS ? 8 * 2 ** machine.bits : 8);
    this.promises = machine.allocated(DEEP * 8);
    this.line = machine.allocated((DEEPEST + BEYOND + 1) * machine.wide);
    this.markRoom = byTurns ? MARKS : 1;
    this.marks = this.room("mark_size", this.markRoom);
    this.markSlots = machine.allocated(2 * this.markRoom * 4);
    this.tried = order.length ? this.numbers(order) : 0;
    this.moves = machine.deepMoves();
  }

  /** Room for so many things whose size the program says. */
  room(name: string, count = 1): number {
    return this.machine.allocated(count * this.machine.number(name));
  }

  /** A list where the program reads it. */
  numbers(list: number[]): number {
    const at = this.machine.allocated(8 * list.length + 8);
    this.machine.words(at, list.length).set(list.map(BigInt));
    return at;
  }

  /** The line that the last search has found. */
  found(): Code[] {
    return this.machine.codes(this.line, this.machine.left("high"));
  }
}

/** What may still be spent: positions, and time, which a program does not look at by itself. */
export class Clock {
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

/** The payoff, in units of the game, of an end of this value. */
export function payoffAtEnd(value: number): number {
  const size = Math.floor((Math.abs(value) + WIN / 2) / WIN);
  return value > 0 ? size : -size;
}

/** Does a value stand for a forced end, and not for an estimate? */
export function endsForSure(value: number): boolean {
  const size = Math.abs(payoffAtEnd(value));
  return size > 0 && Math.abs(value) >= size * WIN;
}

/** Can a deeper search change nothing: does somebody win alone, or one of several players lose for sure? */
export function decides(value: number, players: number, unit: number): boolean {
  return value >= unit * WIN || value <= -Math.max(1, Math.floor(unit / Math.max(1, players - 1))) * WIN;
}
