/** Monte Carlo tree search by a program (dsl/to_c/runtime/tree_search.c). */

import { COUNTED, FINE, ONE, UNKNOWN } from "../generated/constants.ts";
import { type Code, type Image, type Machine, type Past, Trouble } from "./machine.ts";

const EXACT = 1 << COUNTED; // counts from here on are rounded, to be looked up in a table
const ROOM = 1 << 19; // positions in a tree: a browser has less memory than a computer
const OFTEN = 100; // milliseconds between reports

export interface Settings {
  evaluates: boolean;
  takesBest: boolean;
  explore: number;
  bias: number;
  grave: number;
  even: number;
  prior: number;
  differ: boolean; // may the others get one thing or another where a player wins alone?
  policy: Image | null;
  puct: number;
}

export interface Grown {
  values: number[]; // of each player, from -1, a loss, to 1, a win
  proven: number | null; // the result for the player to move, if it is certain
  line: Code[];
  visits: number;
  lines: Grown[]; // of the best moves, as many as were asked for
}

/** When a tree is done; a limit that is left out does not count. */
export interface TreeLimits {
  visits: number | undefined;
  nodes: number | undefined; // positions: one for each visit, and those of the random games
  seconds: number | undefined;
  lines?: number; // that are told
}

/** The best line within the limits; `heard` hears now and then what it is so far. */
export function grown(
  machine: Machine,
  state: Uint8Array,
  past: Past,
  settings: Settings,
  { visits = -1, nodes = -1, seconds = Infinity, lines = 1 }: TreeLimits,
  seed: number,
  heard: (found: Grown) => void,
): Grown {
  const until = performance.now() + 1000 * seconds;
  const weight = (setting: number) => rounded(2 * setting * FINE);
  const how = machine.numbers([
    ROOM, weight(settings.explore), weight(settings.bias), Number(settings.evaluates), Number(settings.takesBest),
    settings.grave, settings.even, settings.prior, Number(settings.differ),
    settings.policy ? machine.laid(settings.policy) : 0, weight(settings.puct),
  ]); // biome-ignore format: numbers
  const tree = machine.allocated(machine.number("tree_size", how));
  const [logs, roots] = weights().map((table) => machine.numbers(table));
  const before = machine.past(past);
  let next = performance.now() + OFTEN;
  const ended = machine.interrupted(
    () => {
      const now = performance.now();
      if (now >= next) heard(found(machine, tree, lines));
      if (now >= next) next = now + OFTEN;
      return now >= until;
    },
    () =>
      machine.asked(
        "grow", state, BigInt(visits), BigInt(nodes), BigInt.asIntN(64, BigInt(seed)), tree, how, logs!, roots!,
        BigInt(past.turns), ...before, BigInt(past.before.length),
      ), // biome-ignore format: arguments
  );
  if (ended === -1n) throw new Trouble("limit", "a position has more moves than there is memory for");
  const done = found(machine, tree, lines);
  if (!done.line.length && done.proven === null) done.line.push(machine.expand(state).codes[0]!);
  return done;
}

/** What a tree knows: of each position on the line the child that is best. */
function found(machine: Machine, tree: number, lines = 1): Grown {
  const root = way(machine, tree, 0);
  const from = (at: number): Grown => {
    const { values, proven, visits } = way(machine, tree, at);
    const line: Code[] = at ? [way(machine, tree, at).code] : [];
    for (let [here] = ranked(machine, tree, at); here; [here] = ranked(machine, tree, here))
      line.push(way(machine, tree, here).code);
    return { values, proven: proven ? values[root.mover - 1]! : null, line, visits, lines: [] };
  };
  const others = lines > 1 ? ranked(machine, tree, 0).slice(0, lines).map(from) : [];
  return { ...from(0), lines: others };
}

/** Where the visited children of a position are, the best first. */
function ranked(machine: Machine, tree: number, at: number): number[] {
  return machine.meanwhile(() => {
    const places = machine.numbers(new Array(way(machine, tree, at).opened).fill(0));
    const count = machine.number("ranked", tree, BigInt(at), places);
    return Array.from(machine.words(places, count), Number);
  });
}

function way(machine: Machine, tree: number, at: number) {
  return machine.meanwhile(() => {
    const { players } = machine;
    const about = machine.allocated(8 * (7 + players));
    const opened = machine.number("way", tree, BigInt(at), about);
    const [, , side, visits, value, proven, , ...each] = Array.from(machine.words(about, 7 + players), Number) as Told;
    const values = players > 2 ? each : [value, -value].slice(0, players);
    return {
      code: machine.move(about),
      mover: players > 2 || side === 1 ? side : 2, // the side of two is a sign
      visits,
      values: values.map((one) => one / ONE),
      proven: proven !== UNKNOWN,
      opened,
    };
  });
}

/** What a program tells of a position after the move: the value is that of the first player where there are two. */
type Told = [
  move: number,
  index: number,
  side: number,
  visits: number,
  value: number,
  proven: number,
  first: number,
  ...number[],
];

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
