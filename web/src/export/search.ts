/** Minimax and max-n by a program, which goes deeper and deeper by itself (dsl/to_c/runtime/drive.c). */

import { DEEPEST, FEW, FOUND, NOTHING, SETTINGS, WIN } from "../generated/constants.ts";
import { type Code, type Machine, Trouble } from "./machine.ts";

export const ENTRIES = 1 << 19; // positions in the table at most: a browser has less memory than a computer
const MARKS = 1 << 17; // positions of unfinished turns that are kept

/** What is searched; a limit that is left out does not count. */
export interface Wanted {
  depth?: number | undefined;
  turns?: number | undefined;
  nodes?: number | undefined;
  seconds?: number | undefined;
  each: boolean; // does every player play for themselves?
  kinds: number; // those that are searched beyond the horizon, as bits
  captures: boolean;
  back: number[]; // indices of the moves that lead back to a position left before
  order: number[]; // indices of all moves in the order in which they are tried; empty for that of the search
}

/** What a search to one depth has found. */
export interface Seen {
  value: number;
  line: Code[];
  nodes: number;
}

export interface Found {
  value: number; // for the player to move
  line: Code[];
  depth: number; // the last finished one
  nodes: number;
}

/** The best line from a position; `heard` hears of each finished depth. */
export function search(machine: Machine, state: Uint8Array, wanted: Wanted, heard: (found: Found) => void): Found {
  const { depth, turns, nodes = -1, seconds = Infinity, each, kinds, captures, back, order } = wanted;
  const until = performance.now() + 1000 * seconds;
  const said: Partial<Record<(typeof SETTINGS)[number], number | boolean>> = {
    depth: turns ?? depth ?? 0,
    nodes,
    by_turns: turns !== undefined,
    each,
    kinds,
    captures,
    entries: ENTRIES,
    few: FEW,
    marks: turns === undefined ? 1 : MARKS,
    backs: back.length,
    orders: order.length,
  };
  const how = machine.numbers([...SETTINGS.map((name) => Number(said[name] ?? 0)), ...back, ...order]);
  const [memory, table] = ["search_size", "table_size"].map((name) => machine.allocated(machine.number(name, how)));
  const ask = (found: number) => machine.asked("drive", state, memory!, table!, how, found);
  return deepened(machine, until, 1, ask, ([one]) => heard(one!))[0]!;
}

/** The lines that a program finds that goes deeper by itself, and is told where its findings go. */
export function deepened(
  machine: Machine,
  until: number,
  lines: number,
  ask: (found: number) => bigint,
  heard: (found: Found[]) => void,
): Found[] {
  const size = machine.number("found_size");
  const found = machine.allocated((DEEPEST + 2) * lines * size); // the best so far, those of all depths, unfinished ones
  const others = machine.players === 2 ? 0 : machine.players; // the values of all players
  const read = (at: number): Found => {
    const word = (name: (typeof FOUND)[number]) => Number(machine.words(at, FOUND.length)[FOUND.indexOf(name)]);
    const line = machine.codes(at + 8 * (FOUND.length + others), word("length"));
    return { value: word("value"), line, depth: word("depth"), nodes: word("nodes") };
  };
  /** The lines of a depth; there may be fewer than are wanted. */
  const depth = (place: number): Found[] =>
    Array.from({ length: lines }, (_, line) => read(found + (place * lines + line) * size)).filter(
      ({ line }, at) => line.length || !at,
    );
  let told = 0;
  const tell = () => {
    while (told < machine.left("high")) heard(depth(++told));
  };
  const ended = machine.interrupted(
    () => {
      tell();
      return performance.now() >= until;
    },
    () => ask(found),
  );
  if (ended === -1n) throw new Trouble("limit", "there are too many moves to search");
  tell();
  return depth(0);
}

/** What a move is worth for the player who makes it. */
export interface Valued {
  value: number;
  place: number; // among the moves
  line: Code[];
}

/** Values the moves of a position, one depth after another. */
export interface Valuing {
  readonly nodes: number; // that were visited so far
  /** The value after a move, exact if it is greater than `worst`; null if the time is over. */
  visit(code: Code, place: number, child: Uint8Array, depth: number, worst: number): Valued | null;
}

/** A memory of a search that goes to one depth after another, with the table between them (pysolve.search.several). */
export class Depths implements Valuing {
  private readonly how: number;
  private readonly memory: number;
  private readonly table: number;
  private readonly found: number;
  nodes = 0;

  constructor(
    private readonly machine: Machine,
    private readonly player: number,
    private readonly each: boolean,
    private readonly until: number,
  ) {
    const said: Partial<Record<(typeof SETTINGS)[number], number>> = {
      depth: 1, nodes: -1, each: Number(each), player: each ? 0 : player, entries: ENTRIES, few: FEW, marks: 1,
    }; // biome-ignore format: settings
    this.how = machine.numbers(SETTINGS.map((name) => said[name] ?? 0));
    const sizes = ["search_size", "table_size"].map((name) => machine.number(name, this.how));
    [this.memory, this.table] = sizes.map((size) => machine.allocated(size)) as [number, number];
    this.found = machine.allocated(machine.number("found_size"));
  }

  /** The value after a move, exact if it is greater than `worst`; null if the time is over. */
  visit(code: Code, place: number, child: Uint8Array, depth: number, worst: number): Valued | null {
    const { machine, each, player } = this;
    const mine = child[0] === player;
    machine.words(this.how, SETTINGS.length)[SETTINGS.indexOf("depth")] = BigInt(depth - 1);
    const [alpha, beta] = each ? [NOTHING, -NOTHING] : mine ? [worst, -NOTHING] : [NOTHING, -worst];
    const ended = machine.interrupted(
      () => performance.now() >= this.until,
      () =>
        machine.asked("search", child, this.memory, this.table, this.how, BigInt(alpha!), BigInt(beta!), this.found),
    );
    this.nodes += machine.left("nodes");
    if (ended === -1n) throw new Trouble("limit", "there are too many moves to search");
    if (ended < 0n) return null;
    const others = machine.players === 2 ? 0 : machine.players;
    const word = (at: number) => Number(machine.words(this.found, FOUND.length + others)[at]);
    const value = word(each ? FOUND.length + player - 1 : FOUND.indexOf("value"));
    const rest = machine.codes(this.found + 8 * (FOUND.length + others), word(FOUND.indexOf("length")));
    return { value: each || mine ? value : -value, place, line: [code, ...rest] };
  }
}

/** The best lines, each from another move, deeper and deeper; `heard` hears of each finished depth.  The search is that
 * of pysolve.search.several. */
export function several(
  machine: Machine,
  state: Uint8Array,
  depths: Valuing,
  wanted: { lines: number; unit: number },
  heard: (found: Found[]) => void,
): Found[] {
  const { codes } = machine.expand(state);
  const children = codes.map((code) => machine.after(state, code));
  let tried = codes.map((_, place) => place);
  let found: Found[] = [];
  for (let depth = 1; depth <= DEEPEST; depth++) {
    let best: Valued[] = [];
    const rest: number[] = [];
    const told = () => best.map(({ value, line }) => ({ value, line, depth, nodes: depths.nodes }));
    for (const place of tried) {
      const worst = best.length === wanted.lines ? best.at(-1)!.value : NOTHING;
      const one = depths.visit(codes[place]!, place, children[place]!, depth, worst);
      if (!one) return found.length ? found : told();
      if (one.value <= worst) {
        rest.push(place);
        continue;
      }
      best = [...best, one].sort((left, right) => right.value - left.value);
      rest.push(...best.splice(wanted.lines).map((last) => last.place));
    }
    tried = [...best.map((one) => one.place), ...rest];
    found = told();
    heard(found);
    if (found.every((one) => decides(one.value, machine.players, wanted.unit))) break;
  }
  return found;
}

/** Can a deeper search change nothing?  Somebody wins alone, or one of several players loses for sure. */
export function decides(value: number, players: number, unit: number): boolean {
  return value >= unit * WIN || value <= -Math.max(1, Math.floor(unit / Math.max(1, players - 1))) * WIN;
}

/** Does a value stand for a forced end, and not for an estimate? */
export function endsForSure(value: number): boolean {
  const size = Math.floor((Math.abs(value) + WIN / 2) / WIN);
  return size > 0 && Math.abs(value) >= size * WIN;
}
