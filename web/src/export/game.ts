/** An exported game: its positions, and what is said of them in words, as Python says it. */

import { FLAT, FOOT, HIGHEST, LIFT, MOST_SAID, TALL } from "../generated/constants.ts";
import type { Aside, Look, Mark, Move, Outcome, Part } from "../protocol.ts";
import type { Besides, Derived, Exported, Kind, Layer, Shown, Slot, Sort } from "./exported.ts";
import { type Code, type Expansion, type Image, Machine, type Past, Trouble } from "./machine.ts";

/** A move: its number in the program, its kind, and its parameters. */
export interface Played {
  code: Code;
  kind: number;
  values: number[];
}

type Glyph = Layer["glyphs"][number];

export class Game {
  private readonly opened = new Map<string, Machine>();
  private readonly texts = new Map<Code, Move>();
  private readonly glyphs: Map<string, Glyph>[];

  constructor(
    readonly exported: Exported,
    private readonly modules: WebAssembly.Module[],
    private readonly learned: Record<string, Image>,
  ) {
    this.glyphs = exported.layers.map(
      (layer) => new Map(layer.glyphs.map((glyph) => [glyph.values.join(), glyph] as const)),
    );
  }

  /** A program, opened on first use: 0 plays by the rules as they are, the last one explains.  It judges positions by the
   * learned values of a file, if one is named. */
  program(number = 0, values?: string): Machine {
    const name = `${number} ${values ?? ""}`;
    let found = this.opened.get(name);
    if (!found) {
      found = this.fresh(number, values);
      this.opened.set(name, found);
    }
    return found;
  }

  /** A program with memory of its own, for what needs much of it once. */
  fresh(number = 0, values?: string): Machine {
    const { size, bits, game } = this.exported;
    const made = new Machine(this.modules[number]!, size, bits, game.players.length, (code) => this.isChance(code));
    if (values !== undefined) made.judgeBy(this.image(values));
    return made;
  }

  /** What was learned and stands in the file of this name. */
  image(file: string): Image {
    if (!Object.hasOwn(this.learned, file))
      throw new Trouble("asked", `${file} is not part of this file: export it with a player who goes by ${file}`);
    return this.learned[file]!;
  }

  /** What a result pays to each player, in parts of `unit`. */
  paid(result: number): number[] {
    return this.program().paid(result);
  }

  get telling(): Machine {
    return this.program(this.modules.length - 1);
  }

  /** The program that estimates as a player does who looks at some lines alone, or thinks that stuck loses. */
  view(name: string, player: number): number | null {
    return this.exported.views[name]?.[player - 1] ?? null;
  }

  // ------------------------------------------------------------------------------------------ moves

  /** Does nobody choose this move? */
  isChance(code: Code): boolean {
    const { kind_shift, kinds } = this.exported;
    return kinds[Number(BigInt(code) >> BigInt(kind_shift))]?.chance ?? false;
  }

  /** What the dice show by which a move is written, if it is a roll of dice. */
  faces(code: Code): number[] {
    const { kind, values } = this.decoded(code);
    return this.exported.kinds[kind]!.dice ? values : [];
  }

  decoded(code: Code): Played {
    const { kind_shift, kinds } = this.exported;
    const whole = BigInt(code);
    const kind = Number(whole >> BigInt(kind_shift));
    const values = (kinds[kind]?.fields ?? []).map(
      ([shift, bits, low]) => Number((whole >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n)) + low,
    );
    return { code, kind, values };
  }

  encoded(kind: number, values: number[]): Code {
    const { kind_shift, kinds, bits } = this.exported;
    let whole = BigInt(kind) << BigInt(kind_shift);
    kinds[kind]!.fields.forEach(([shift, , low], place) => {
      whole |= BigInt(values[place]! - low) << BigInt(shift);
    });
    return bits <= 32 ? Number(whole) : whole;
  }

  /** A move in words. */
  move(code: Code): Move {
    let found = this.texts.get(code);
    if (!found) {
      found = this.worded(this.decoded(code));
      this.texts.set(code, found);
    }
    return found;
  }

  private worded({ kind, values }: Played): Move {
    const action = this.exported.kinds[kind];
    if (!action) return { text: "pass", written: "pass", kind: "pass", cells: [], goal: null, values: [], pass: true };
    const words = values.map((value, place) => this.word(action.params[place]!.sort, value));
    const text = filled(action, words);
    const cells = action.cells.map((place) => words[place]!);
    const named = action.values.map((place) => this.named(action.params[place]!.sort, values[place]!));
    return {
      text,
      written: text,
      kind: action.name,
      cells,
      goal: this.goal(action, values),
      values: named,
      pass: false,
    };
  }

  /** Where a move leads: to the last cell that it names, or one step from there if a direction follows. */
  goal(action: Kind, values: number[]): string | null {
    let [goal, way, site] = [0, 0, ""];
    action.params.forEach((param, place) => {
      if (param.cell) [goal, way, site] = [values[place]!, 0, ""];
      else if (param.site) site = this.word(param.sort, values[place]!);
      else if (param.direction) way = values[place]!;
    });
    if (site) return site;
    if (goal && way) goal = this.exported.step[`${goal} ${way}`] ?? goal;
    return goal ? this.exported.cells[goal - 1]! : null;
  }

  /** The word for a value; the number, if it is none of the sort. */
  word(sort: number, value: number): string {
    return label(this.exported.sorts[sort]!, value);
  }

  /** A value with its type, so that no other type has it: `card Tiger`. */
  private named(sort: number, value: number): string {
    return `${this.exported.sorts[sort]!.type} ${this.word(sort, value)}`;
  }

  /** The value of a sort that has this name, or null. */
  valueNamed(sort: number, name: string): number | null {
    const { low, high } = this.exported.sorts[sort]!;
    for (let value = low; value <= high; value++) if (this.named(sort, value) === name) return value;
    return null;
  }

  // ---------------------------------------------------------------------------------------- values

  /** What `repeated` compares: two states with the same one are the same position. */
  identity(state: Uint8Array): string {
    if (!this.exported.ignored.length) return keyOf(state);
    const found = state.slice();
    for (const [from, to] of this.exported.ignored) found.fill(0, from, to);
    return keyOf(found);
  }

  value(state: Uint8Array, slot: Slot, index = 0): number {
    const at = slot.offset + slot.width * index;
    return (slot.width === 1 ? state[at]! : state[at]! * 255 + state[at + 1]!) - slot.shift;
  }

  /** How many values a slot has. */
  count(slot: Slot): number {
    return slot.params.reduce((total, sort) => total * span(this.exported.sorts[sort]!), 1);
  }

  /** The arguments of a value by its place among those of the slot. */
  arguments(slot: Slot, index: number): number[] {
    const found: number[] = [];
    for (const number of [...slot.params].reverse()) {
      const sort = this.exported.sorts[number]!;
      found.unshift(sort.low + (index % span(sort)));
      index = Math.floor(index / span(sort));
    }
    return found;
  }

  // ----------------------------------------------------------------------------------------- looks

  /** What lies on each cell on which something lies. */
  looks(state: Uint8Array): Record<string, Look> {
    const found: Record<string, Look> = {};
    const { layers, derived } = this.exported;
    const said = derived.map((one) => ({ below: one.below, things: this.derived(one, state) }));
    this.exported.cells.forEach((name, place) => {
      const things: Lying[] = [];
      let top = 0; // the lift of what lies on a stack
      const say = (below: number) => {
        for (const one of said)
          if (one.below === below)
            things.push(...(one.things.get(place + 1) ?? []).map((thing) => ({ thing, lift: top })));
      };
      layers.forEach((layer, number) => {
        say(number);
        const slots = layer.slots.map((slot) => this.exported.slots[slot]!);
        const seen = layer.on_cell
          ? this.shown(layer, number, state, place)
          : layer.glyphs.filter(({ index }) => this.value(state, slots[0]!, index) === place + 1);
        const lying = layer.on_cell && slots[0]!.stack ? this.stacked(state, slots[0]!, place).length : 0;
        const lifts = lying ? lifted(lying, layer.flat) : seen.map(() => top);
        for (const [at, { thing }] of seen.entries()) things.push({ thing, lift: lifts[at]! });
        if (lying) top = lifts.at(-1)!;
      });
      say(layers.length);
      const look = this.composed(things.filter(({ thing }) => thing));
      if (look) found[name] = look;
    });
    for (const { name, side, number } of this.exported.sites) {
      const rims = this.exported.rims.filter(({ kind }) => kind === side[0]);
      const things = rims.map(({ slots, glyphs }) => {
        const values = slots.map((slot) => this.value(state, this.exported.slots[slot]!, number)).join();
        return glyphs.find((glyph) => glyph.values.join() === values)!.thing;
      });
      const look = this.exported.looks[`${side.join(" ")} ${things.filter(Boolean).join()}`];
      if (look) found[name] = look;
    }
    return found;
  }

  /** For each line of `show`, what it draws at each place where that is seen. */
  seen(state: Uint8Array): Map<string, string[]>[] {
    const { cells, layers, rims, slots, sites } = this.exported;
    const onCells = layers.map((layer, number) => {
      const found = new Map<string, string[]>();
      const put = (name: string, { values, thing }: Glyph) => {
        if (thing) found.set(name, [...(found.get(name) ?? []), values.join()]);
      };
      cells.forEach((name, place) => {
        if (layer.on_cell) for (const glyph of this.shown(layer, number, state, place)) put(name, glyph);
      });
      for (const glyph of layer.on_cell ? [] : layer.glyphs) {
        const cell = this.value(state, slots[layer.slots[0]!]!, glyph.index);
        if (cell > 0) put(cells[cell - 1]!, glyph);
      }
      return found;
    });
    const onSites = rims.map((rim) => {
      const found = new Map<string, string[]>();
      for (const { name, side, number } of sites) {
        if (side[0] !== rim.kind) continue;
        const values = rim.slots.map((slot) => this.value(state, slots[slot]!, number)).join();
        if (rim.glyphs.find((glyph) => glyph.values.join() === values)!.thing) found.set(name, [values]);
      }
      return found;
    });
    return [...onCells, ...onSites];
  }

  /** The glyphs that a layer draws on a cell: one, but of a stack one for each of its values, from below. */
  private shown(layer: Layer, number: number, state: Uint8Array, place: number): Glyph[] {
    const slots = layer.slots.map((slot) => this.exported.slots[slot]!);
    const lying = slots[0]!.stack ? this.stacked(state, slots[0]!, place).map(String) : [];
    const keys = lying.length ? lying : [slots.map((slot) => this.value(state, slot, place)).join()];
    return keys.map((key) => this.glyphs[number]!.get(key)!);
  }

  /** What lies in a stack, from below. */
  stacked(state: Uint8Array, slot: Slot, index: number): number[] {
    const { height, items, most } = slot.stack!;
    const count = this.value(state, this.exported.slots[height]!, index);
    return Array.from({ length: count }, (_, at) => this.value(state, this.exported.slots[items]!, index * most + at));
  }

  /** How things look together; those that lie higher on a stack are moved up. */
  private composed(things: Lying[]): Look | undefined {
    const levels: { things: number[]; lift: number }[] = [];
    for (const { thing, lift } of things) {
      const last = levels.at(-1);
      if (last && last.lift === lift) last.things.push(thing);
      else levels.push({ things: [thing], lift });
    }
    const looks = levels.map((level) => this.exported.looks[level.things.join()]!);
    if (levels.every(({ lift }) => !lift)) return looks[0];
    const inside = looks.flatMap(({ parts }, at): Part[] => {
      const { lift } = levels[at]!;
      const drawn = parts[0]![3] ?? [];
      return lift ? [["g", { transform: `translate(0 ${-lift})` }, "", drawn]] : drawn;
    });
    const [tag, attributes] = looks[0]!.parts[0]!;
    return { parts: [[tag, attributes, "", inside]], label: looks.map(({ label }) => label).join(", ") };
  }

  /** The things that a definition draws, by the cells, counted from 1. */
  private derived(one: Derived, state: Uint8Array): Map<number, number[]> {
    const found = new Map<number, number[]>();
    const rows = this.rows(one, state);
    const put = (cell: number, thing: number) => {
      if (thing) found.set(cell, [...(found.get(cell) ?? []), thing]);
    };
    if (!one.on_cell) {
      for (const { values, thing } of one.glyphs)
        for (const row of rows) if (row.slice(0, -1).join() === values.join()) put(row.at(-1)!, thing);
      return found;
    }
    const things = new Map(one.glyphs.map(({ values, thing }) => [values.join(), thing] as const));
    const values = new Map<number, string>();
    if (one.holds) for (const place of this.exported.cells.keys()) values.set(place + 1, "0");
    for (const [cell, ...value] of rows) values.set(cell!, one.holds ? "1" : value.join());
    for (const [cell, value] of values) put(cell, things.get(value) ?? 0);
    return found;
  }

  /** The lines between cells. */
  ties(state: Uint8Array): Part[] {
    return this.exported.ties.flatMap((tie) => {
      const pairs = new Map<string, [one: number, other: number, glyph: number]>();
      for (const [one, other, ...value] of this.rows(tie, state).slice(0, MOST_SAID)) {
        const of = (values: number[]) => tie.glyphs.findIndex((glyph) => glyph.values.join() === values.join());
        const own = of(value.length ? value : [1]); // of a condition there are the pairs alone
        const pair: [number, number, number] = [Math.min(one!, other!), Math.max(one!, other!), own < 0 ? of([]) : own];
        if (pair[2] >= 0 && other! > 0 && one !== other) pairs.set(pair.join(), pair);
      }
      const sorted = [...pairs.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
      return sorted.map(([one, other, glyph]): Part => {
        const [[x1, y1], [x2, y2]] = [this.exported.spots[one - 1]!, this.exported.spots[other - 1]!];
        return ["line", { x1, y1, x2, y2, ...tie.glyphs[glyph]!.style }];
      });
    });
  }

  marks(state: Uint8Array): Mark[] {
    const found: Mark[] = [];
    for (const marking of this.exported.marks) {
      const marked = new Set(this.rows(marking, state).map((row) => row[0]!));
      if (!marked.size) continue;
      const names = this.exported.cells.filter((_, place) => marked.has(place + 1));
      const depth = found.filter((before) => before.cells.some((name) => names.includes(name))).length;
      const { group, around, sides } = marking.drawn[depth]!;
      const [tag, attributes, text = "", first = []] = group;
      const inside: Part[] = [...first];
      this.exported.cells.forEach((_, place) => {
        if (!marked.has(place + 1)) return;
        inside.push(...(around[place] ?? []));
        for (const [behind, part] of sides[place] ?? []) if (!marked.has(behind)) inside.push(part);
      });
      found.push({
        cells: names,
        colour: marking.colour,
        text: marking.text,
        lasting: marking.lasting,
        parts: [inside.length ? [tag, attributes, text, inside] : [tag, attributes]],
      });
    }
    return found;
  }

  /** The numbers of the players who are out. */
  outs(state: Uint8Array): number[] {
    const { outs } = this.exported;
    return outs === null ? [] : this.telling.rows("shown", state, BigInt(outs));
  }

  /** The rows of what is marked or told. */
  private rows(shown: Shown, state: Uint8Array): number[][] {
    if (shown.program === null) return shown.rows;
    const numbers = this.telling.rows("shown", state, BigInt(shown.program));
    const found: number[][] = [];
    for (let at = 0; at < numbers.length; at += shown.sorts.length)
      found.push(numbers.slice(at, at + shown.sorts.length));
    return found;
  }

  // ------------------------------------------------------------------------------ beside the board

  /** What the author has words for and the board does not show, a line each. */
  beside(state: Uint8Array): string[] {
    const said = new Map(this.exported.sayings.map((saying) => [saying.slot, saying.texts]));
    const lines = this.exported.beside.map((number) => {
      const slot = this.exported.slots[number]!;
      return said.get(number)?.[this.value(state, slot) - lowest(this.exported.sorts[slot.sort]!)] ?? "";
    });
    return [...lines.filter(Boolean), ...this.told(state)];
  }

  /** What no line of the rules shows or says: `clock: 3`. */
  facts(state: Uint8Array): string[] {
    const said = new Set(this.exported.sayings.map((saying) => saying.slot));
    return this.exported.beside.flatMap((number) => {
      const slot = this.exported.slots[number]!;
      const groups = said.has(number) ? [] : this.grouped(slot, state);
      return groups.length ? [`${slot.name.replaceAll("_", " ")}: ${groups.join("; ")}`] : [];
    });
  }

  /** What lies beside the board. */
  asides(state: Uint8Array): Aside[] {
    return this.exported.asides.map((one) => this.aside(one, state)).filter(({ groups }) => groups.length);
  }

  private aside(one: Besides, state: Uint8Array): Aside {
    const groups = new Map<string, { things: Aside["groups"][number]["things"]; said: string[] }>();
    for (const row of this.rows(one, state)) {
      const [key, count, word, note] = this.besideOne(one, row);
      const look = one.looks[key];
      if (count < 0 || look === null) continue;
      const head = one.headed ? this.word(one.sorts[0]!, row[0]!) : "";
      const group = groups.get(head) ?? { things: [], said: [] };
      groups.set(head, group);
      group.said.push(word);
      const value = one.named ? this.named(one.sorts[one.sort]!, row[one.sort]!) : "";
      const written = one.kind === "each" && one.arguments > 1;
      const drawn = !written && look ? look : { parts: [], label: written ? word : "" };
      if (count) group.things.push({ look: drawn, count, value, note });
    }
    const said = [...groups].map(([head, group]) => [...(head ? [head] : []), group.said.join(", ")].join(" "));
    return {
      title: one.text,
      text: `${one.text}: ${said.join(one.kind === "count" && one.arguments < 2 ? ", " : "; ")}`,
      groups: [...groups].map(([label, { things }]) => ({ label, player: one.whose ? label : "", things })),
    };
  }

  /** What an answer puts beside the board: whose look it has, how many there are, -1 if none can be, word and note. */
  private besideOne(one: Besides, row: number[]): [key: string, count: number, word: string, note: string] {
    const last = row.at(-1)!;
    if (one.kind === "told") {
      const [word = "", note = ""] = row.map((value, place) => this.word(one.sorts[place]!, value));
      return [String(row[0]), 1, note ? `${word} ${note}` : word, note];
    }
    const low = this.exported.sorts[one.sorts.at(-1)!]!.low;
    if (one.kind === "count") {
      const args = row.slice(1, -1).map((value, place) => one.words[value] ?? this.word(one.sorts[place + 1]!, value));
      const key = row.slice(0, -1).slice(-1).join();
      return [key, last < low ? -1 : Math.max(0, last), [...args, String(last)].join(" "), ""];
    }
    if (one.kind === "holds") {
      const [sort, value] = [one.sorts[one.arguments - 1]!, row[one.arguments - 1]!];
      return [String(value), one.condition || last ? 1 : -1, one.words[value] ?? this.word(sort, value), ""];
    }
    const word = one.words[last] ?? this.word(one.sorts.at(-1)!, last);
    const named = one.arguments > 1 ? `${this.word(one.sorts[1]!, row[1]!)}: ${word}` : word;
    return [String(last), last < low ? -1 : 1, named, ""];
  }

  private told(state: Uint8Array): string[] {
    const lines: string[] = [];
    for (const tell of this.exported.tells) {
      const answers = this.rows(tell, state).map((row) =>
        row.map((value, place) => this.word(tell.sorts[place]!, value)).join(" "),
      );
      const values = answers.slice(0, MOST_SAID);
      if (values.length) lines.push(`${tell.text}: ${values.join(", ")}`);
    }
    return lines;
  }

  /** The values of a slot, those with the same arguments but the last one together. */
  private grouped(slot: Slot, state: Uint8Array): string[] {
    const sort = this.exported.sorts[slot.sort]!;
    const params = slot.params.map((number) => this.exported.sorts[number]!);
    const onCells = params.some((one) => ["cell", "edge", "corner"].includes(one.name));
    const groups = new Map<string, string[]>();
    for (let index = 0; index < this.count(slot); index++) {
      const args = this.arguments(slot, index);
      const value = this.value(state, slot, index);
      const none = sort.optional && value === sort.low - 1;
      const unsaid = !slot.stack && ((sort.name === "bool" && !value) || (onCells && value === slot.default));
      if (none || unsaid) continue;
      const words = args.length ? [label(params.at(-1)!, args.at(-1)!)] : [];
      if (slot.stack) words.push(this.stackText(state, slot, index));
      else if (!(words.length && sort.name === "bool")) words.push(label(sort, value));
      const head = args
        .slice(0, -1)
        .map((arg, place) => label(params[place]!, arg))
        .join(" ");
      const group = groups.get(head) ?? [];
      group.push(words.join(args.length > 1 ? ": " : " "));
      groups.set(head, group);
    }
    return [...groups].map(([head, values]) => [...(head ? [head] : []), values.join(", ")].join(" "));
  }

  // ------------------------------------------------------------------------------------- as a text

  /** The position on one line, as Python writes it. */
  line(state: Uint8Array): string {
    const wide = this.exported.wide_texts;
    const rows = this.exported.rows.map((row) => {
      const words = row.map((cell) => (cell === null ? "~" : this.cellText(state, cell)));
      return words.join(wide ? "," : "");
    });
    const mover = this.exported.slots[0]!;
    const facts = this.undrawn(state).map((fact) => fact.replaceAll(" ", ""));
    return [...(rows.length ? [rows.join("/")] : []), this.word(mover.sort, this.value(state, mover)), ...facts].join(
      " ",
    );
  }

  private cellText(state: Uint8Array, cell: number): string {
    let text = "";
    for (const [number, layer] of this.exported.layers.entries()) {
      const slots = layer.slots.map((slot) => this.exported.slots[slot]!);
      if (layer.on_cell) for (const glyph of this.shown(layer, number, state, cell - 1)) text += glyph.text;
      else {
        const over = layer.glyphs.find(({ index }) => this.value(state, slots[0]!, index) === cell);
        if (over) return over.text;
      }
    }
    return text || ".";
  }

  /** What a drawing does not show, where it differs from what a text leaves out. */
  private undrawn(state: Uint8Array): string[] {
    const drawn = new Set(this.exported.drawn);
    const covered = this.covered(state);
    const base = Uint8Array.from(this.exported.base);
    const facts: string[] = [];
    this.exported.slots.forEach((slot, number) => {
      if (number === 0 || slot.part) return;
      const sort = this.exported.sorts[slot.sort]!;
      for (let index = 0; index < this.count(slot); index++) {
        if (drawn.has(number) && !covered.has(`${number} ${index}`)) continue;
        if (slot.stack) {
          const [text, usual] = [state, base].map((one) => this.stackText(one, slot, index));
          if (text !== usual) facts.push(`${this.place(slot, index)} = ${text}`);
          continue;
        }
        const value = this.value(state, slot, index);
        if (value !== this.value(base, slot, index)) facts.push(`${this.place(slot, index)} = ${label(sort, value)}`);
      }
    });
    return facts;
  }

  /** What lies in a stack, from below: `King + Pawn`, or `none`. */
  private stackText(state: Uint8Array, slot: Slot, index: number): string {
    const sort = this.exported.sorts[slot.sort]!;
    return (
      this.stacked(state, slot, index)
        .map((value) => label(sort, value))
        .join(" + ") || "none"
    );
  }

  private place(slot: Slot, index: number): string {
    const args = this.arguments(slot, index).map((arg, place) => this.word(slot.params[place]!, arg));
    return args.length ? `${slot.name}(${args.join(", ")})` : slot.name;
  }

  /** The drawn places that the drawing cannot show: below a token, other tokens too, and tokens that lie nowhere. */
  private covered(state: Uint8Array): Set<string> {
    const found = new Set<string>();
    const over = new Set<number>();
    for (const layer of this.exported.layers) {
      for (const { index } of layer.on_cell ? [] : layer.glyphs) {
        const cell = this.value(state, this.exported.slots[layer.slots[0]!]!, index);
        if (cell <= 0 || over.has(cell)) found.add(`${layer.slots[0]} ${index}`);
        else over.add(cell);
      }
    }
    for (const layer of this.exported.layers)
      if (layer.on_cell) for (const slot of layer.slots) for (const cell of over) found.add(`${slot} ${cell - 1}`);
    return found;
  }
}

/** Something on a cell, and how far above its middle it lies. */
interface Lying {
  thing: number;
  lift: number;
}

function lifted(count: number, flat: boolean): number[] {
  const [step, highest] = flat ? [FLAT, TALL] : [LIFT, HIGHEST];
  const whole = Math.min(step * (count - 1), highest);
  const foot = flat ? FOOT : -Math.floor(whole / 2);
  return Array.from({ length: count }, (_, at) => foot + Math.floor((whole * at) / Math.max(1, count - 1)));
}

export function label(sort: Sort, value: number): string {
  if (sort.optional && value === sort.low - 1) return "none";
  return sort.labels[value - sort.low] ?? String(value);
}

export function lowest(sort: Sort): number {
  return sort.optional ? sort.low - 1 : sort.low;
}

function span(sort: Sort): number {
  return sort.high - sort.low + 1;
}

/** The text of a move with its parameters. */
function filled(action: Kind, words: string[]): string {
  return action.text.replace(/\{(\w+)\}/g, (_, name) => words[action.params.findIndex((one) => one.name === name)]!);
}

// -------------------------------------------------------------------------------------------- positions

/** A position of a game, with what was played before it. */
export class Position {
  private known: Expansion | null = null;
  private ended: Outcome | null | undefined;
  result = ""; // how the game has ended, as Python writes it, once `outcome` was asked
  account = ""; // the reason with what was compared, likewise
  won = ""; // who has won, as records have it, likewise
  private byText: Map<string, Code> | null = null;

  constructor(
    readonly game: Game,
    readonly state: Uint8Array,
    readonly turns: number, // complete turns before it
    private readonly before: Met | null, // the positions so far
    readonly from: { position: Position; code: Code } | null = null,
  ) {}

  static first(game: Game, state: Uint8Array): Position {
    return new Position(game, state, 0, null);
  }

  get mover(): number {
    return this.state[0]!;
  }

  get expansion(): Expansion {
    this.known ??= this.game.program().expand(this.state);
    return this.known;
  }

  /** All moves that are possible here: the legal ones, or where chance moves, those of chance; none when the game is over. */
  get codes(): Code[] {
    return this.game.exported.remembers && this.outcome ? [] : this.expansion.codes;
  }

  /** How likely each move is, where chance moves; null where a player does. */
  get weights(): number[] | null {
    return this.game.exported.game.rolls ? this.game.program().weights(this.state, this.codes) : null;
  }

  find(text: string): Code | null {
    this.byText ??= new Map(this.codes.map((code) => [this.game.move(code).text, code]));
    return this.byText.get(text) ?? null;
  }

  play(code: Code): Position {
    const state = this.game.program().after(this.state, code);
    const turns = this.turns + Number(state[0] !== this.state[0]);
    const met = this.game.exported.remembers ? { identity: this.identity, before: this.before } : null;
    return new Position(this.game, state, turns, met, { position: this, code });
  }

  /** What `repeated` compares: two positions with the same one are the same. */
  get identity(): string {
    return this.game.identity(this.state);
  }

  /** How often each position occurred before this one. */
  get seen(): Map<string, number> {
    const found = new Map<string, number>();
    for (let met = this.before; met; met = met.before) found.set(met.identity, (found.get(met.identity) ?? 0) + 1);
    return found;
  }

  /** The game so far, as programs read it. */
  get past(): Past {
    return { turns: this.turns, before: [...this.seen].map(([key, times]) => [bytesOf(key), times]) };
  }

  get times(): number {
    const own = this.identity;
    let times = 1;
    for (let met = this.before; met; met = met.before) times += Number(met.identity === own);
    return times;
  }

  /** Ending and result, by the position and by the game so far; null while it goes on. */
  get judged(): [ending: number, result: number] | null {
    const { remembers } = this.game.exported;
    const found = remembers ? this.game.program().judge(this.state, this.turns, this.times) : null;
    if (found) return found;
    const { ending, result } = this.expansion;
    return ending ? [ending, result] : null;
  }

  /** What each player gets, from -1 to 1; null while the game goes on. */
  get paid(): number[] | null {
    const { judged } = this;
    return judged && this.game.paid(judged[1]).map((one) => one / this.game.exported.unit);
  }

  get outcome(): Outcome | null {
    if (this.ended === undefined) this.ended = this.told();
    return this.ended;
  }

  private told(): Outcome | null {
    const judged = this.judged;
    if (!judged) return null;
    const { endings, stuck, game } = this.game.exported;
    const [number, result] = judged;
    const isStuck = number > endings.length;
    const ending = isStuck ? stuck! : endings[number - 1]!;
    const paid = this.game.paid(result);
    const most = Math.max(...paid);
    const winners = game.players.map(({ name }) => name).filter((_, at) => most > 0 && paid[at] === most);
    const winner = winners.length === 1 ? winners[0]! : null;
    const reason = ending.reason ?? `${game.players[this.mover - 1]!.name} has no legal move`;
    const [account, scored] = this.accounted(number, isStuck, winner, reason);
    const draws = paid.every((one) => !one);
    this.won = draws ? "draw" : winners.join(" and ") || "lost";
    const who = `the winner${winner === null ? "s" : ""}: ${this.won}`; // a name can be a singular or a plural
    const wins = scored ? `${who}, ${account}` : `${who} (${account})`;
    const text = draws || !winners.length ? `${this.won}: ${account}` : wins;
    this.result = text;
    this.account = account;
    return { winner, text: text[0]!.toUpperCase() + text.slice(1), reason, line: ending.line };
  }

  /** The reason, with the scores that the ending compares; and whether there are any. */
  private accounted(number: number, isStuck: boolean, winner: string | null, reason: string): [string, boolean] {
    const { endings, stuck, game } = this.game.exported;
    const { scores, ranks } = isStuck ? stuck! : endings[number - 1]!;
    if (!scores.length) return [reason, false];
    const standing = this.game.program().standing(this.state, number, isStuck);
    const names = game.players.map((player) => player.name);
    const told: string[] = []; // up to what decides
    const ways = names.map(() => ""); // what of each player was compared so far
    let decides = -1;
    let by = "";
    let first = names.map((_, at) => at); // who may still be the first
    for (const [place, score] of scores.entries()) {
      const values = standing.slice(names.length * place, names.length * (place + 1));
      const numbers = compared(names, values, winner);
      told.push(`${score.name} ${numbers}`);
      const best = (score.least ? Math.min : Math.max)(...first.map((at) => values[at]!));
      const left = first.filter((at) => values[at] === best);
      if (left.length < first.length) {
        decides = place;
        by = `by ${score.least ? "least " : ""}${score.name}: ${numbers}`;
      }
      first = left;
      // biome-ignore lint/suspicious/useIterableCallbackReturn: an assignment, whose value nobody reads
      values.forEach((value, at) => (ways[at] += ` ${value}`));
      if (ranks ? new Set(ways).size === names.length : first.length === 1) break;
    }
    if (decides < 0) return [`${told.join(", ")} (${reason})`, true];
    const before = told.slice(0, decides).join(", ");
    const then = told.slice(decides + 1).join(", ");
    return [`${by}${before && `, after ${before}`}${then && `, then ${then}`} (${reason})`, true];
  }
}

/** The numbers that an ending compares: of two players that of the winner first, else each with its player. */
function compared(names: string[], values: number[], winner: string | null): string {
  if (names.length !== 2) return names.map((name, at) => `${name} ${values[at]}`).join(", ");
  return (names[1] === winner ? [values[1], values[0]] : values).join(" to ");
}

/** The positions of a game so far, the last one first. */
interface Met {
  identity: string;
  before: Met | null;
}

export function keyOf(state: Uint8Array): string {
  return String.fromCharCode(...state);
}

export function bytesOf(key: string): Uint8Array {
  return Uint8Array.from(key, (one) => one.charCodeAt(0));
}
