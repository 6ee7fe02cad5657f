/** The strong search by a program, which goes deeper and deeper by itself (dsl/to_c/runtime/strong.c). */

import { FEW, LEAST, MOST_OF_TECHNIQUE, STRONG, TECHNIQUES, UNCHANGED } from "../generated/constants.ts";
import { type Machine, Trouble } from "./machine.ts";
import { deepened, ENTRIES, type Found, type Wanted } from "./search.ts";

/** What is searched; a limit that is left out does not count. */
export interface Asked extends Pick<Wanted, "depth" | "nodes" | "seconds" | "back"> {
  lines: number; // how many, as far as there are moves
  earlier: Uint8Array[]; // positions that have occurred in the game
  techniques: readonly number[];
}

/** The best lines from a position; `heard` hears of each finished depth. */
export function strong(machine: Machine, state: Uint8Array, asked: Asked, heard: (found: Found[]) => void): Found[] {
  const { depth = 0, nodes = -1, seconds = Infinity, back, earlier, techniques } = asked;
  const lines = Math.max(1, Math.min(asked.lines, machine.expand(state).codes.length));
  const until = performance.now() + 1000 * seconds;
  const told = {
    depth, nodes, lines, helper: 0, shared: 0, entries: entries(nodes), few: FEW, earlier: earlier.length,
    backs: back.length, unwanted: 0,
  }; // biome-ignore format: settings
  const how = machine.numbers([...STRONG.map((name) => told[name]), ...techniques, ...back]);
  const memory = machine.allocated(machine.number("strong_size"));
  const table = machine.allocated(machine.number("strong_table_size", how));
  const past = machine.allocated(earlier.length * machine.size + 8);
  earlier.forEach((one, place) => {
    machine.bytes(past + place * machine.size, machine.size).set(one);
  });
  const ask = (found: number) => machine.asked("strong", state, past, memory, table, how, found);
  return deepened(machine, until, lines, ask, heard);
}

/** How many positions the table holds: more than there are to search, as far as there is memory. */
function entries(nodes: number): number {
  let count = LEAST;
  while (count < ENTRIES && (nodes < 0 || count <= nodes)) count *= 2;
  return count;
}

/** The numbers of the default techniques but for some: each word is a name with its number, as late0. */
export function techniquesOf(words: string[]): number[] {
  const found: Record<string, number> = { ...TECHNIQUES };
  const alone = words.length === 1 && words[0] === UNCHANGED;
  for (const word of alone ? [] : words) {
    const [, name = "", number = ""] = /^([a-z]*)(\d*)$/.exec(word) ?? [];
    if (!Object.hasOwn(TECHNIQUES, name) || !number || Number(number) > MOST_OF_TECHNIQUE)
      throw new Trouble(
        "asked",
        `techniques of minimax: "${word}" is no technique with its number from 0 to ${MOST_OF_TECHNIQUE.toLocaleString("en")}: ` +
          `techniques are ${Object.keys(TECHNIQUES).join(", ")}; ${UNCHANGED} alone changes none`,
      );
    found[name] = Number(number);
  }
  return Object.values(found);
}
