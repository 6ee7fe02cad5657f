/** Monte Carlo tree search by a program, as pysolve/search/mcts.py does it. */

import type { Code, Machine, Past } from "./machine.ts";
import { DEEP, padded, Trouble } from "./machine.ts";

const ONE = 1 << 20; // a win
const FINE = 1 << 10; // units of weights
const EXACT = 1 << 10; // counts from here on are rounded, to be looked up in a table
const LONGEST = 1000; // moves of a random game
const PATH = 512 + LONGEST + 2; // positions on the way to the end of a random game
const ROOM = 1 << 19; // positions in a tree: a browser has less memory than a computer
const UNKNOWN = 2;
const SLICE = 200; // visits before the clock is looked at

export interface Settings {
  evaluates: boolean;
  takesBest: boolean;
  explore: number;
  bias: number;
}

export interface Grown {
  values: number[]; // of each player, from -1, a loss, to 1, a win
  proven: number | null; // the result for the player to move, if it is certain
  line: Code[];
  visits: number;
}

interface Branch {
  code: Code;
  number: number;
  mover: number;
  visits: number;
  values: number[]; // of each player
  proven: boolean;
  first: number;
  opened: number;
}

/** When a tree is done; a limit that is left out does not count. */
export interface TreeLimits {
  visits: number | undefined;
  nodes: number | undefined; // positions: one for each visit, and those of the random games
  seconds: number | undefined;
}

/** The best line within the limits. */
export function grown(
  machine: Machine,
  state: Uint8Array,
  past: Past,
  settings: Settings,
  { visits = Infinity, nodes = Infinity, seconds }: TreeLimits,
  seed: number,
  heard: (found: Grown) => void,
): Grown {
  const tree = new Tree(machine, state, past, settings);
  const longest = settings.evaluates ? 1 : 1 + LONGEST; // positions of a visit, at most
  const until = seconds === undefined ? Infinity : performance.now() + 1000 * seconds;
  const slice = seconds === undefined ? Infinity : SLICE;
  for (let done = 0; ; ) {
    const left = nodes - done - tree.played();
    const some = Math.min(slice, visits - done, Math.max(1, Math.floor(left / longest)));
    if (left <= 0 || some <= 0) break;
    tree.grow(some, seed + done);
    done += some;
    const found = tree.found();
    if (seconds !== undefined) heard(found);
    if (found.proven !== null || performance.now() > until) break;
  }
  return tree.found();
}

class Tree {
  private readonly tree: number;
  private readonly ways: number;
  private readonly how: number;
  private readonly logs: number;
  private readonly roots: number;
  private readonly path: number;
  private readonly before: [number, number];
  private readonly about: number;

  constructor(
    private readonly machine: Machine,
    private readonly state: Uint8Array,
    private readonly past: Past,
    settings: Settings,
  ) {
    this.tree = machine.allocated(machine.number("tree_size"));
    this.ways = machine.allocated(ROOM * machine.number("way_size"));
    const weight = (setting: number) => rounded(2 * setting * FINE);
    this.how = this.numbers([
      ROOM, weight(settings.explore), weight(settings.bias), Number(settings.evaluates), Number(settings.takesBest),
    ]); // biome-ignore format: numbers
    const [logs, roots] = weights();
    this.logs = this.numbers(logs);
    this.roots = this.numbers(roots);
    this.path = machine.allocated(PATH * (padded(machine.size) + 8));
    this.before = machine.past(past);
    this.about = machine.allocated(8 * (7 + machine.players));
    machine.deepMoves();
  }

  private numbers(list: number[]): number {
    const at = this.machine.allocated(8 * list.length);
    this.machine.words(at, list.length).set(list.map(BigInt));
    return at;
  }

  grow(visits: number, seed: number): void {
    const { machine, past } = this;
    machine.put(this.state);
    const found = machine.call(
      "grow", machine.control, machine.state, BigInt(visits), BigInt.asIntN(64, BigInt(seed)), this.tree, this.ways,
      this.how, this.logs, this.roots, this.path, BigInt(past.turns), ...this.before, BigInt(past.before.length),
      machine.deepMoves(), BigInt(DEEP),
    ); // biome-ignore format: arguments
    if (found === -1n) throw new Trouble("limit", "a position has more moves than there is memory for");
  }

  /** Moves of random games so far. */
  played(): number {
    return Number(this.machine.call("tree_played", this.tree));
  }

  found(): Grown {
    const root = this.branch(0);
    const line: Code[] = [];
    for (let [here] = this.ranked(root); here; [here] = this.ranked(here)) line.push(here.code);
    if (!line.length && !root.proven) line.push(this.machine.expand(this.state).codes[0]!);
    const values = root.values.map((value) => value / ONE);
    return { values, proven: root.proven ? values[root.mover - 1]! : null, line, visits: root.visits };
  }

  /** The visited children: proven wins, then by visits and value, then other proven ones by their results. */
  private ranked(branch: Branch): Branch[] {
    const worth = (one: Branch) => one.values[branch.mover - 1]!;
    const children = Array.from({ length: branch.opened }, (_, place) => this.branch(branch.first + place));
    const certain = (one: Branch) => (!one.proven ? 0 : worth(one) === ONE ? -1 : 1 + ONE - worth(one));
    children.sort(
      (a, b) => certain(a) - certain(b) || b.visits - a.visits || worth(b) - worth(a) || a.number - b.number,
    );
    const best = Math.max(-ONE, ...children.filter((one) => one.proven).map(worth));
    const [first] = children;
    if (first && !first.proven && worth(first) < best) {
      const other = (one: Branch) => Number(!one.proven || worth(one) !== best);
      children.sort((a, b) => other(a) - other(b));
    }
    return children;
  }

  private branch(at: number): Branch {
    const { machine } = this;
    const { players } = machine;
    const opened = Number(machine.call("way", this.ways, BigInt(at), this.about));
    const found = Array.from(machine.words(this.about, players > 2 ? 7 + players : 7));
    const [number, side, visits, value, proven, first, ...each] = found.slice(1).map(Number) as Told;
    return {
      code: machine.wide === 4 ? Number(found[0]) : BigInt.asUintN(64, found[0]!),
      number,
      mover: players > 2 || side === 1 ? side : 2, // the side of two is a sign
      visits,
      values: players > 2 ? each : [value, -value].slice(0, players),
      proven: proven !== UNKNOWN,
      first,
      opened,
    };
  }
}

/** What a program tells of a position after the move: the value is that of the first player where there are two. */
type Told = [number: number, side: number, visits: number, value: number, proven: number, first: number, ...number[]];

let tables: [logs: number[], roots: number[]] | undefined;

/** sqrt(ln n) and 1 / sqrt(n) for counts n. */
function weights(): [logs: number[], roots: number[]] {
  if (tables) return tables;
  const counts = Array.from({ length: EXACT - 1 }, (_, place) => place + 1);
  for (let more = 1; more < 32; more++) for (let top = EXACT / 2; top < EXACT; top++) counts.push(top * 2 ** more);
  const logs = counts.map((count) => rounded(ONE * Math.sqrt(Math.log(count))));
  tables = [
    [0, ...logs],
    [0, ...counts.map((count) => rounded(ONE / Math.sqrt(count)))],
  ];
  return tables;
}

/** To the nearest whole number; halves to the even one, as Python does. */
function rounded(number: number): number {
  const low = Math.floor(number);
  const rest = number - low;
  return rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
}
