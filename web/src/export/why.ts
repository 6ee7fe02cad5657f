/** Why a move is legal or not: each demand by itself, and the values that decide it, as Python says it. */

import { BEGINS, MOST_CHOICES, MOST_EXPLAINED, MOST_LISTED, MOST_READINGS } from "../generated/constants.ts";
import type { Explanation, Reason } from "../protocol.ts";
import type { Demand, Sort } from "./exported.ts";
import { Form, Reading, type Word } from "./forms.ts";
import type { Game, Position } from "./game.ts";
import type { Code } from "./machine.ts";

/** Each demand on a move; those on the position after it only if all others hold. */
export function reasons(position: Position, kind: number, values: number[]): Reason[] {
  const { game, state } = position;
  const action = game.exported.kinds[kind]!;
  const asking = new Asking(game, state, game.encoded(kind, values));
  const found = action.when.map((demand) => asking.reason(demand));
  if (found.some((one) => !one.holds)) return found;
  return [...found, ...action.after.map((demand) => asking.reason(demand))];
}

class Asking {
  private readonly move: Code;

  constructor(
    private readonly game: Game,
    private readonly state: Uint8Array,
    code: Code,
  ) {
    this.move = game.telling.argument(code);
  }

  reason(demand: Demand): Reason {
    const holds = this.holds(demand);
    return this.told(demand, holds, holds ? [] : this.deciding(demand, holds));
  }

  private told(demand: Demand, holds: boolean, parts: Reason[]): Reason {
    const { text, line, reason } = demand;
    return { holds, text, line, reason, values: this.values(demand, holds), parts };
  }

  /** Of the conditions that are joined those that fail as they do together, or hold so where that is denied. */
  private deciding(demand: Demand, holds: boolean): Reason[] {
    const together = holds !== demand.negated;
    return demand.parts
      .filter((part) => this.holds(part) === together)
      .map((part) => this.told(part, together, this.deciding(part, together)));
  }

  private holds(demand: Demand): boolean {
    const machine = this.game.telling;
    machine.put(this.state);
    return machine.call("demand", machine.control, machine.state, this.move, BigInt(demand.number)) !== 0n;
  }

  private values(demand: Demand, holds: boolean): string[] {
    const found = demand.probes.length ? this.equations(demand) : [];
    if (demand.trail) found.push(...this.way(demand, demand.trail, holds));
    return [...new Set(found)];
  }

  private equations(demand: Demand): string[] {
    const numbers = this.game.telling.rows("reasons", this.state, this.move, BigInt(demand.number));
    const found: string[] = [];
    for (let at = 0; at < numbers.length; ) {
      const probe = demand.probes[numbers[at++]!]!;
      const words = probe.sorts.map((sort) => this.word(sort, numbers[at++]!));
      const place = probe.label.replace(/\{\d+\}/g, () => words.shift()!);
      if (probe.value !== null) found.push(`${place} = ${this.word(probe.value, numbers[at++]!)}`);
      else found.push(`${place} ${probe.off_board ? "is off the board" : "has no value"}`);
    }
    return found;
  }

  /** A shortest way to what is asked for; or all that is reached, where the demand fails. */
  private way(demand: Demand, trail: { sort: number; goal: boolean }, holds: boolean): string[] {
    const begun = this.beside(demand, BEGINS);
    const goal = trail.goal ? begun.shift() : undefined;
    const seen = new Set(begun);
    let ways = begun.map((member) => [member]);
    while (ways.length) {
      const way = ways.find((one) => one.at(-1) === goal);
      if (way) return [`path: ${this.listed(trail.sort, way)}`];
      ways = this.longer(demand, ways, seen);
      for (const one of ways) seen.add(one.at(-1)!);
    }
    return holds
      ? []
      : [
          `reached: ${this.listed(
            trail.sort,
            [...seen].sort((a, b) => a - b),
          )}`,
        ];
  }

  /** The ways that go one step further, one for each new value. */
  private longer(demand: Demand, ways: number[][], seen: Set<number>): number[][] {
    const found = new Map<number, number[]>();
    for (const way of ways)
      for (const value of this.beside(demand, way.at(-1)!))
        if (!seen.has(value) && !found.has(value)) found.set(value, [...way, value]);
    return [...found.keys()].sort((a, b) => a - b).map((value) => found.get(value)!);
  }

  private beside(demand: Demand, near: number): number[] {
    return this.game.telling.rows("trail", this.state, this.move, BigInt(demand.number), BigInt(near));
  }

  private word(sort: number, value: number): string {
    return this.game.word(sort, value);
  }

  private listed(sort: number, values: number[]): string {
    const words = values.map((value) => this.word(sort, value));
    if (words.length > MOST_LISTED + 1)
      return `${words.slice(0, MOST_LISTED).join(", ")} and ${words.length - MOST_LISTED} more`;
    return words.join(", ") || "nothing";
  }
}

// --------------------------------------------------------------------------------------- what is meant

export interface Meant {
  kind: number;
  values: number[];
}

/** The moves, legal or not, that have this text. */
export function readings(game: Game, text: string): Meant[] {
  const wanted = text.trim().toLowerCase().replaceAll(" ", "");
  const found: Meant[] = [];
  for (const [kind, action] of game.exported.kinds.entries()) {
    const words = new Reading(formOf(game, kind), wanted).words();
    if (!words) continue;
    const values = action.params.map((param) => meaning(game.exported.sorts[param.sort]!, words.get(param.name)));
    if (values.every((value) => value !== null)) found.push({ kind, values });
  }
  return found;
}

/** The legal move that a text means, if it means just one. */
export function legalMove(position: Position, text: string): Code | null {
  const exact = position.find(text);
  if (exact !== null) return exact;
  const legal = new Set(position.codes);
  const found = readings(position.game, text).map(({ kind, values }) => position.game.encoded(kind, values));
  const fitting = found.filter((code) => legal.has(code));
  return fitting.length === 1 ? fitting[0]! : null;
}

function formOf(game: Game, kind: number): Form {
  const { text, params } = game.exported.kinds[kind]!;
  const sortOf = (name: string) => game.exported.sorts[params.find((one) => one.name === name)!.sort]!;
  return new Form(text, (name) => wordsOf(sortOf(name)));
}

function wordsOf(sort: Sort): Word {
  if (!sort.labels.length) return "number";
  return new Set([...sort.labels.map((one) => one.toLowerCase()), ...(sort.optional ? ["none"] : [])]);
}

function meaning(sort: Sort, word: string | undefined): number | null {
  if (word === undefined) return null;
  if (sort.optional && word === "none") return sort.low - 1;
  const place = sort.labels.findIndex((one) => one.toLowerCase() === word);
  if (sort.labels.length) return place < 0 ? null : sort.low + place;
  const value = Number(word);
  return value >= sort.low && value <= sort.high ? value : null;
}

/** The explanation of a move by its text. */
export function explained(position: Position, text: string, kind: string | undefined): Explanation {
  const { game } = position;
  const found = readings(game, text);
  const asked = kind === undefined ? found : found.filter((one) => game.exported.kinds[one.kind]!.name === kind);
  const legal = new Set(position.codes);
  const kinds = (asked.length ? asked : found).map((one) => ({
    kind: named(game, one),
    demands: reasons(position, one.kind, one.values),
  }));
  kinds.sort((a, b) => failing(a.demands) - failing(b.demands));
  const isLegal = found.some((one) => legal.has(game.encoded(one.kind, one.values)));
  const isPass = text.trim().toLowerCase() === "pass" && game.exported.passes;
  if (isPass && !found.length)
    return { move: text, legal: position.find("pass") !== null, note: over(position) || "", kinds };
  const note = over(position) || (found.length ? "" : `"${text}" is not a move`);
  return { move: text, legal: isLegal, note, kinds };
}

function named(game: Game, { kind, values }: Meant): string {
  return `${game.exported.kinds[kind]!.name} ${game.move(game.encoded(kind, values)).text}`;
}

function failing(demands: Reason[]): number {
  return demands.filter((demand) => !demand.holds).length;
}

function over(position: Position): string {
  return position.outcome ? `the game is over; ${position.result}` : "";
}

// ----------------------------------------------------------------------------------------------- clicks

/** Why no move that names these cells, or leads to the last of them, and has these values is legal; or that one is. */
export function clicked(position: Position, cells: string[], values: string[], kind: string | undefined): Explanation {
  const { game } = position;
  const legal = new Set(position.codes);
  const isLegal = ({ kind, values }: Meant) => legal.has(game.encoded(kind, values));
  const found: Meant[] = [];
  for (const one of moves(game, cells, values, kind)) {
    if (found.length === MOST_READINGS) break;
    found.push(one);
  }
  const byKind = new Map<number, Meant[]>();
  for (const one of found) {
    if (!byKind.has(one.kind)) byKind.set(one.kind, []);
    byKind.get(one.kind)!.push(one);
  }
  const nearest = [...byKind.values()].map((some) => {
    const ranks = new Map(some.map((one) => [one, [Number(!isLegal(one)), distance(game, cells[0], one)] as const]));
    some.sort((a, b) => ranks.get(a)![0] - ranks.get(b)![0] || ranks.get(a)![1] - ranks.get(b)![1]);
    return nearestOf(position, some.slice(0, Math.max(1, Math.floor(MOST_EXPLAINED / byKind.size))));
  });
  nearest.sort((a, b) => failing(a.demands) - failing(b.demands));
  const fitting = found.filter(isLegal);
  const first = nearest[0]?.meant;
  return {
    move: first ? game.move(game.encoded(first.kind, first.values)).text : [...values, ...cells].join(" "),
    legal: fitting.length > 0,
    note: over(position) || noteOf(game, [...values, ...cells], found, fitting),
    kinds: nearest.map(({ meant, demands }) => ({ kind: named(game, meant), demands })),
  };
}

/** Of moves of one kind the first on which the fewest demands fail. */
function nearestOf(position: Position, some: Meant[]): { meant: Meant; demands: Reason[] } {
  let best: { meant: Meant; demands: Reason[] } | undefined;
  for (const meant of some) {
    const demands = reasons(position, meant.kind, meant.values);
    if (!best || failing(demands) < failing(best.demands)) best = { meant, demands };
    if (!failing(demands)) break;
  }
  return best!;
}

/** How far a move leads from a cell, in steps of a king; a cell is farther than any other from itself. */
function distance(game: Game, cell: string | undefined, { kind, values }: Meant): number {
  const goal = game.goal(game.exported.kinds[kind]!, values);
  const { cells } = game.exported.game.board;
  if (goal === null || cell === undefined || goal === cell) return cells.length;
  const [from, to] = [cell, goal].map((name) => cells.find((one) => one.name === name));
  if (!from || !to) return cells.length;
  return Math.max(Math.abs(from.column - to.column), Math.abs(from.row - to.row));
}

function noteOf(game: Game, clicks: string[], found: Meant[], legal: Meant[]): string {
  if (!found.length)
    return clicks.length === 1 ? `no move names ${clicks[0]}` : `no move leads from ${clicks.join(" to ")}`;
  if (legal.length > 1)
    return `legal are ${choices(legal.map(({ kind, values }) => game.move(game.encoded(kind, values)).text))}`;
  if (found.length > MOST_EXPLAINED && !legal.length)
    return "there are more moves with these cells; those that lead to cells near by were looked at";
  return "";
}

/** The values that some parameters may have, by their place. */
type Given = Map<number, number[]>;

/** The moves, legal or not, that have these values and name these cells first, or all but the last and lead to it. */
function* moves(game: Game, cells: string[], values: string[], wanted: string | undefined): Generator<Meant> {
  for (const [kind, action] of game.exported.kinds.entries()) {
    if ((wanted !== undefined && wanted !== action.name) || !(action.cells.length || values.length)) continue;
    const given: Given = chosen(game, kind, values);
    for (const [place, param] of action.cells.slice(0, cells.length).entries()) {
      const { labels, low } = game.exported.sorts[action.params[param]!.sort]!;
      given.set(param, labels.includes(cells[place]!) ? [low + labels.indexOf(cells[place]!)] : []);
    }
    if ([...given.values()].some((ones) => !ones.length)) continue;
    if (action.cells.length >= cells.length) yield* spread(game, kind, given, []);
    else if (action.cells.length === cells.length - 1) yield* leading(game, kind, given, cells.at(-1)!);
  }
}

/** The parameters that have these values, which lie beside the board; one that no parameter can have leaves no move. */
function chosen(game: Game, kind: number, values: string[]): Given {
  const { params, values: places } = game.exported.kinds[kind]!;
  const found: Given = new Map();
  for (const value of values) {
    const place = places.find((one) => game.valueNamed(params[one]!.sort, value) !== null);
    if (place === undefined) found.set(-1, []);
    else found.set(place, [game.valueNamed(params[place]!.sort, value)!]);
  }
  return found;
}

/** The moves of a kind that lead to a cell: which do, its last direction alone decides, whatever else is chosen. */
function* leading(game: Game, kind: number, given: Given, goal: string): Generator<Meant> {
  const action = game.exported.kinds[kind]!;
  const way = action.params.findLastIndex((param) => param.direction);
  if (way < 0) return;
  const ways: number[] = [];
  const { low, high } = game.exported.sorts[action.params[way]!.sort]!;
  for (let value = low; value <= high; value++) {
    const first = spread(game, kind, new Map([...given, [way, [value]]]), []).next();
    if (!first.done && game.goal(action, first.value.values) === goal) ways.push(value);
  }
  yield* spread(game, kind, new Map([...given, [way, ways]]), []);
}

/** The moves of a kind in which some parameters have one of these values. */
function* spread(game: Game, kind: number, given: Given, values: number[]): Generator<Meant> {
  const param = game.exported.kinds[kind]!.params[values.length];
  if (!param) {
    yield { kind, values };
    return;
  }
  const known = given.get(values.length);
  if (known) {
    for (const value of known) yield* spread(game, kind, given, [...values, value]);
    return;
  }
  const { low, high } = game.exported.sorts[param.sort]!;
  for (let value = low; value <= high; value++) yield* spread(game, kind, given, [...values, value]);
}

/** "a, b or c"; a long list is cut. */
function choices(words: string[]): string {
  const shown =
    words.length > MOST_CHOICES
      ? [...words.slice(0, MOST_CHOICES - 1), `${words.length - MOST_CHOICES + 1} others`]
      : words;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
