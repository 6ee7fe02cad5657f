/** Max-n by a program: every player plays for themselves, deeper and deeper, as pysolve/search/maxn.py does it. */

import { type Code, DEEP, type Machine, Trouble } from "./machine.ts";
import type { Found } from "./search.ts";
import { Clock, DEEPEST, decides, ENTRIES, FEW, type Limits, Memory } from "./search_memory.ts";

interface Visit {
  value: number; // for the player to move
  line: Code[];
}

class EachSearcher {
  private readonly memory: Memory;
  private readonly values: number;
  nodes = 0; // of the last visit
  stopped = false;

  constructor(
    private readonly machine: Machine,
    private readonly byTurns: boolean,
    order: number[],
  ) {
    this.memory = new Memory(machine, byTurns, order);
    this.values = machine.allocated(8 * machine.players);
  }

  /** Searches to a depth, through so many positions at most (-1: all); null if it found nothing. */
  visit(state: Uint8Array, depth: number, nodes: number): Visit | null {
    const { machine, memory } = this;
    machine.put(state);
    const found = machine.call(
      "search_each", machine.control, machine.state, BigInt(depth), BigInt(nodes), memory.search, memory.table,
      BigInt(FEW), BigInt(ENTRIES), memory.moves, BigInt(DEEP), memory.line, BigInt(this.byTurns), memory.marks,
      memory.markSlots, BigInt(memory.markRoom), memory.tried, this.values,
    ); // biome-ignore format: arguments
    if (found === -1n) throw new Trouble("limit", "there are too many moves to search");
    this.nodes = machine.left("nodes");
    this.stopped = found < 0n;
    const line = memory.found();
    if (this.stopped && !line.length) return null;
    return { value: Number(machine.words(this.values, machine.players)[state[0]! - 1]), line };
  }
}

/** The best line from a position whose game goes on, every player plays for themselves; `heard` hears of each finished depth. */
export function maxn(
  machine: Machine,
  state: Uint8Array,
  limits: Limits,
  order: number[],
  unit: number,
  heard: (found: Found) => void,
): Found {
  const byTurns = limits.turns !== undefined;
  const searcher = new EachSearcher(machine, byTurns, order);
  const clock = new Clock(performance.now(), limits);
  const { codes } = machine.expand(state);
  const value = machine.estimates(state)[state[0]! - 1]!;
  let found: Found = { value, line: codes.slice(0, 1), depth: 0, nodes: 0, byTurns };
  const deepest = Math.min(limits.depth ?? limits.turns ?? DEEPEST, DEEPEST);
  for (let depth = 1; depth <= deepest; depth++) {
    const [visit, finished] = finishedBy(searcher, state, depth, clock);
    found = { ...found, nodes: clock.nodes };
    if (!finished) {
      if (visit && !found.depth) found = { ...found, ...visit };
      break;
    }
    found = { ...found, ...visit!, depth };
    heard(found);
    if (decides(found.value, machine.players, unit) || (codes.length === 1 && !limits.depth && !limits.turns)) break;
  }
  return found;
}

/** Searches one depth until it is finished or nothing is left to spend: what it has found by then. */
function finishedBy(
  searcher: EachSearcher,
  state: Uint8Array,
  depth: number,
  clock: Clock,
): [visit: Visit | null, finished: boolean] {
  let visit: Visit | null = null;
  for (;;) {
    const next = clock.next();
    if (next === 0 && clock.over()) return [visit, false];
    visit = searcher.visit(state, depth, next) ?? visit;
    clock.nodes += searcher.nodes;
    if (!searcher.stopped) return [visit, true];
    if (clock.over()) return [visit, false]; // else the same depth again: its table is kept
  }
}
