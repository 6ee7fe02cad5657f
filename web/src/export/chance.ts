/**
 * Expectiminimax: minimax where some moves are left to chance, as pysolve/search/expectiminimax.py has it, step by step,
 * so that it finds the same.
 */

import { BACK, DEEPEST, EXACT, LOWER, NOTHING, UPPER, WIN, WINDOW } from "../generated/constants.ts";
import { keyOf } from "./game.ts";
import type { Code, Expansion, Machine } from "./machine.ts";
import { decides, ENTRIES, type Found, type Seen, type Valued, type Valuing, type Wanted } from "./search.ts";

const MOST = WIN + DEEPEST; // that a position can be worth
const OFTEN = 64; // positions between two looks at the clock

interface Entry {
  depth: number;
  bound: number;
  value: number;
  best: number; // the place of the best move; -1 where nobody chooses
}

/** A limit was reached before a depth was finished; `found` is the best result by then. */
class Stopped extends Error {
  constructor(
    readonly nodes: number,
    readonly found: Seen | null,
  ) {
    super();
  }
}

/** Searches one depth after another, with the table between them. */
export class ChanceSearcher {
  private readonly table = new Map<string, Entry>();
  private readonly line: Code[][] = Array.from({ length: DEEPEST + 2 }, () => []);
  private nodes = 0;
  private limit = Infinity;
  private best: number | null = null; // the value of the best move of the root so far

  constructor(
    private readonly machine: Machine,
    private readonly until: number,
    private readonly back: number[] = [],
    private readonly order: number[] = [],
  ) {}

  /** Searches within a window of values; throws `Stopped`. */
  visit(state: Uint8Array, depth: number, alpha: number, beta: number, limit = Infinity): Seen {
    this.nodes = 0;
    this.limit = limit;
    this.best = null;
    try {
      const value = this.value(state, depth, alpha, beta, 0);
      return { value, line: this.line[0]!, nodes: this.nodes };
    } catch (stop) {
      if (!(stop instanceof Stopped)) throw stop;
      const found = this.best === null ? null : { value: this.best, line: this.line[0]!, nodes: this.nodes };
      throw new Stopped(this.nodes, found);
    }
  }

  private count(): void {
    if (this.nodes === this.limit) throw new Stopped(this.nodes, null);
    this.nodes += 1;
    if (this.nodes % OFTEN === 0 && performance.now() > this.until) throw new Stopped(this.nodes, null);
  }

  /** The value of a state for the player to move if it lies between alpha and beta, otherwise a bound. */
  private value(state: Uint8Array, depth: number, alpha: number, beta: number, ply: number): number {
    this.line[ply] = [];
    this.count();
    const key = depth > 1 ? keyOf(state) : "";
    const known = depth > 1 ? this.table.get(key) : undefined;
    if (known && known.depth === depth && ply && holds(known, alpha, beta)) return known.value;
    const node = this.machine.expand(state);
    if (node.ending) return endOf(this.machine.paid(node.result)[state[0]! - 1]!, depth);
    if (depth === 0 || ply === DEEPEST) return this.machine.estimates(state)[state[0]! - 1]!;
    const weights = this.machine.weights(state, node.codes);
    let value: number;
    let best = -1;
    if (weights) {
      value = this.mean(state, node, weights, depth, alpha, beta, ply);
      this.line[ply] = [];
    } else [value, best] = this.chosen(state, node, depth, alpha, beta, ply, known?.best ?? -1);
    if (depth > 1) {
      const bound = value >= beta ? LOWER : value <= alpha ? UPPER : EXACT;
      if (this.table.size >= ENTRIES && !this.table.has(key)) this.table.clear();
      this.table.set(key, { depth, bound, value, best });
    }
    return value;
  }

  /** The value of a child for the player to move in `state`. */
  private child(state: Uint8Array, child: Uint8Array, depth: number, alpha: number, beta: number, ply: number): number {
    if (child[0] === state[0]) return this.value(child, depth - 1, alpha, beta, ply + 1);
    return -this.value(child, depth - 1, -beta, -alpha, ply + 1);
  }

  /** The value where a player chooses, and the place of the best move. */
  private chosen(
    state: Uint8Array,
    { codes }: Expansion,
    depth: number,
    alpha: number,
    beta: number,
    ply: number,
    first: number,
  ): [value: number, best: number] {
    let [value, best, floor] = [NOTHING as number, first, alpha];
    for (const place of this.ordered(codes.length, first, ply)) {
      let score: number = BACK;
      if (ply === 0 && this.back.includes(place)) this.line[1] = [];
      else score = this.child(state, this.machine.after(state, codes[place]!), depth, floor, beta, ply);
      if (score <= value) continue;
      [value, best] = [score, place];
      if (score <= floor) continue;
      floor = score;
      this.line[ply] = [codes[place]!, ...this.line[ply + 1]!];
      if (ply === 0) this.best = score;
      if (score >= beta) break;
    }
    return [value, best];
  }

  /** The places of the moves: one that was best before comes first, unless the root has an order of its own. */
  private ordered(count: number, first: number, ply: number): number[] {
    if (ply === 0 && this.order.length) return this.order;
    const others = Array.from({ length: count }, (_, place) => place).filter((place) => place !== first);
    return first >= 0 ? [first, ...others] : others;
  }

  /** The value where chance moves: the mean, rounded down. */
  private mean(
    state: Uint8Array,
    { codes }: Expansion,
    weights: number[],
    depth: number,
    alpha: number,
    beta: number,
    ply: number,
  ): number {
    const bounds = new Bounds(weights, alpha, beta);
    const children = codes.map((code) => this.machine.after(state, code));
    if (depth > 2 && children.length > 1)
      for (const [number, child] of children.entries()) {
        this.probe(state, child, depth, bounds, number, ply);
        if (bounds.decided !== null) return bounds.decided;
      }
    for (const [number, child] of children.entries()) {
      if (bounds.low[number]! >= bounds.high[number]!) continue;
      const [floor, ceiling] = bounds.window(number);
      bounds.found(number, this.child(state, child, depth, floor, ceiling, ply), floor, ceiling);
      if (bounds.decided !== null) return bounds.decided;
    }
    return bounds.mean;
  }

  /** Bounds the value of a child by one move: from below where the same player chooses, else from above. */
  private probe(
    state: Uint8Array,
    child: Uint8Array,
    depth: number,
    bounds: Bounds,
    number: number,
    ply: number,
  ): void {
    const node = this.machine.expand(child);
    if (node.ending || this.machine.weights(child, node.codes)) return;
    const known = this.table.get(keyOf(child));
    const code = node.codes[known && known.best >= 0 ? known.best : 0]!;
    const [floor, ceiling] = bounds.window(number);
    const after = this.machine.after(child, code);
    if (child[0] === state[0]) {
      const value = this.child(child, after, depth - 1, floor, ceiling, ply + 1);
      if (value > floor) bounds.raised(number, value);
    } else {
      const value = -this.child(child, after, depth - 1, -ceiling, -floor, ply + 1);
      if (value < ceiling) bounds.lowered(number, value);
    }
  }
}

/** A memory of a search for several lines (pysolve.search.several). */
export class ChanceDepths implements Valuing {
  private readonly searcher: ChanceSearcher;
  nodes = 0;

  constructor(
    machine: Machine,
    private readonly player: number,
    until: number,
  ) {
    this.searcher = new ChanceSearcher(machine, until);
  }

  visit(code: Code, place: number, child: Uint8Array, depth: number, worst: number): Valued | null {
    const mine = child[0] === this.player;
    const [alpha, beta] = mine ? [worst, -NOTHING] : [NOTHING as number, -worst];
    try {
      const { value, line, nodes } = this.searcher.visit(child, depth - 1, alpha, beta);
      this.nodes += nodes;
      return { value: mine ? value : -value, place, line: [code, ...line] };
    } catch (stop) {
      if (stop instanceof Stopped) return null;
      throw stop;
    }
  }
}

/** Does an entry decide what is asked within a window? */
function holds({ bound, value }: Entry, alpha: number, beta: number): boolean {
  return bound === EXACT || (bound === LOWER && value >= beta) || (bound === UPPER && value <= alpha);
}

/** The value of an end with this payoff, `left` steps before the horizon: a good one is better sooner. */
function endOf(payoff: number, left: number): number {
  return payoff * WIN + (payoff > 0 ? left : payoff ? -left : 0);
}

/** Between which values the children of a node of chance lie, and what follows from that for their mean. */
class Bounds {
  readonly low: number[];
  readonly high: number[];
  private readonly total: number;
  private readonly wanted: number;
  private readonly needed: number;
  private least: number; // that the weighted values add up to
  private most: number;

  constructor(
    private readonly weights: number[],
    alpha: number,
    beta: number,
  ) {
    this.total = weights.reduce((sum, weight) => sum + weight, 0);
    this.low = weights.map(() => -MOST);
    this.high = weights.map(() => MOST);
    [this.least, this.most] = [-MOST * this.total, MOST * this.total];
    // A window beyond all values is as good as one just outside of them, and its product is exact.
    this.wanted = Math.min(beta, MOST + 1) * this.total;
    this.needed = (Math.max(alpha, -MOST - 1) + 1) * this.total;
  }

  /** A bound of the mean, if that is certainly at or beyond the window. */
  get decided(): number | null {
    if (this.least >= this.wanted) return this.mean;
    return this.most < this.needed ? Math.floor(this.most / this.total) : null;
  }

  /** The mean, as soon as all values are known. */
  get mean(): number {
    return Math.floor(this.least / this.total);
  }

  /** Between what values that of a child still matters: at these it decides the mean, or is known better. */
  window(number: number): [floor: number, ceiling: number] {
    const [weight, low, high] = [this.weights[number]!, this.low[number]!, this.high[number]!];
    const ceiling = -Math.floor((this.least - weight * low - this.wanted) / weight);
    const floor = -Math.floor((this.most - weight * high - this.needed) / weight) - 1;
    return [Math.max(floor, low - 1), Math.min(ceiling, high + 1)];
  }

  /** Takes note of what a search within a window has found. */
  found(number: number, value: number, floor: number, ceiling: number): void {
    if (value > floor) this.raised(number, value);
    if (value < ceiling) this.lowered(number, value);
  }

  raised(number: number, value: number): void {
    if (value <= this.low[number]!) return;
    this.least += this.weights[number]! * (value - this.low[number]!);
    this.low[number] = value;
  }

  lowered(number: number, value: number): void {
    if (value >= this.high[number]!) return;
    this.most -= this.weights[number]! * (this.high[number]! - value);
    this.high[number] = value;
  }
}

/** The best line from a position, deeper and deeper; where chance moves there is a value and no line. */
export function expected(machine: Machine, state: Uint8Array, wanted: Wanted, heard: (found: Found) => void): Found {
  const { depth = DEEPEST, nodes = Infinity, seconds = Infinity, back, order } = wanted;
  const searcher = new ChanceSearcher(machine, performance.now() + 1000 * seconds, back, order);
  const { codes } = machine.expand(state);
  const chosen = !machine.weights(state, codes);
  let found: Found = { value: 0, line: chosen ? codes.slice(0, 1) : [], depth: 0, nodes: 0 };
  let total = 0;
  for (let now = 1; now <= Math.min(depth, DEEPEST); now++) {
    let before: Seen | null = null;
    try {
      for (const [alpha, beta] of windows(now, found.value)) {
        const seen = searcher.visit(state, now, alpha, beta, nodes - total);
        total += seen.nodes;
        before = seen.value >= beta ? seen : null;
        if (alpha < seen.value && seen.value < beta) {
          found = { value: seen.value, line: seen.line, depth: now, nodes: total };
          break;
        }
      }
    } catch (stop) {
      if (!(stop instanceof Stopped)) throw stop;
      total += stop.nodes;
      found = better(found, stop.found ?? before, now, order.length > 0);
      break;
    }
    heard(found);
    if (decides(found.value, machine.players, 1) || (codes.length === 1 && wanted.depth === undefined)) break;
  }
  return { ...found, nodes: total };
}

/** First a window around the last value, then one that holds every value. */
function windows(depth: number, value: number): [alpha: number, beta: number][] {
  const whole: [number, number] = [NOTHING, -NOTHING];
  const margin = WINDOW + Math.floor(Math.abs(value) / 8);
  return depth > 1 ? [[value - margin, value + margin], whole] : [whole];
}

/** The result of a depth, or that of the stopped search of the next depth, if that had found a better move. */
function better(found: Found, later: Seen | null, depth: number, ordered: boolean): Found {
  if (!later?.line.length || later.value <= BACK) return found;
  const wins = later.value >= WIN;
  if (!wins && (later.line[0] === found.line[0] || (ordered && found.depth))) return found;
  return { ...found, value: later.value, line: later.line, depth: wins ? depth : found.depth };
}
