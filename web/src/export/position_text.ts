/** Positions from text, as dsl/notation.py reads them: a drawn board, on one line or several, and facts. */

import type { Exported, Slot, Sort } from "./exported.ts";
import type { Game } from "./game.ts";
import { label } from "./game.ts";
import { Trouble } from "./machine.ts";

const FACT = /\s*([A-Za-z]\w*)\s*(?:\(([^)]*)\)\s*)?=\s*([^\s,+]+(?:\s*\+\s*[^\s,+]+)*)\s*,?/y;
const WHO = /\s*([A-Za-z]\w*\b)(?!\s*[=(])\s*,?/y;

/** The state that a text describes; what it leaves out is as in the first position. */
export function parsed(game: Game, text: string): Uint8Array {
  const rows = text
    .trim()
    .split("\n")
    .filter((row) => row.trim());
  if (!rows.length) throw wrong("a position is empty");
  return new Reading(game).read(rows);
}

function wrong(message: string): Trouble {
  return new Trouble("asked", message);
}

class Reading {
  private readonly exported: Exported;
  private readonly state: Uint8Array;

  constructor(private readonly game: Game) {
    this.exported = game.exported;
    this.state = Uint8Array.from(this.exported.base);
  }

  read(rows: string[]): Uint8Array {
    let [facts, drawn] = ["", rows.map((row) => row.trim().split(/\s+/))];
    if (!this.exported.rows.length) {
      [facts, drawn] = [rows.join(" ").replace(/^position/, ""), []];
    } else if (rows.length === 1 && !rows[0]!.startsWith("position")) {
      const [board = "", ...rest] = rows[0]!.trim().split(" ");
      const narrow = this.exported.rows.every((row) => row.length === 1);
      const words = (row: string) => (narrow || board.includes(",") ? row.split(",") : [...row]);
      [facts, drawn] = [rest.join(" "), board.split("/").map(words)];
    } else {
      const sort = this.sort(this.exported.slots[0]!);
      const named = sort.labels.includes(rows[0]!.trim().split(",")[0]!) && rows.length > this.exported.rows.length;
      if (rows[0]!.startsWith("position") || named) {
        facts = rows[0]!.replace(/^position/, "");
        drawn = drawn.slice(1);
      }
    }
    this.head(facts);
    if (drawn.length) {
      this.draw(drawn);
      this.head(facts); // a token may lie on something
    }
    this.refuseBreach();
    return this.state;
  }

  private sort(slot: Slot): Sort {
    return this.exported.sorts[slot.sort]!;
  }

  /** `Red, step = placing`, with or without commas. */
  private head(said: string): void {
    const text = said.trimEnd();
    WHO.lastIndex = 0;
    const who = WHO.exec(text);
    let at = 0;
    if (who) {
      const mover = this.exported.slots[0]!;
      this.put(mover, 0, this.value(who[1]!, this.sort(mover), "the mover"));
      at = WHO.lastIndex;
    }
    while (at < text.length) {
      FACT.lastIndex = at;
      const fact = FACT.exec(text);
      if (!fact) throw wrong(`"${text.slice(at).trim()}" does not have the form  name = value`);
      this.fact(fact[1]!, fact[2], fact[3]!);
      at = FACT.lastIndex;
    }
  }

  private fact(name: string, args: string | undefined, value: string): void {
    const slot = this.exported.slots.find((one) => one.name === name);
    if (!slot) throw wrong(`there is no state variable "${name}"`);
    const words = args ? args.split(",").map((word) => word.trim()) : [];
    if (words.length !== slot.params.length)
      throw wrong(`${name} takes ${slot.params.length} arguments, not ${words.length}`);
    let index = 0;
    for (const [place, word] of words.entries()) {
      const sort = this.exported.sorts[slot.params[place]!]!;
      index = index * (sort.high - sort.low + 1) + this.value(word, sort, `${name}(…)`) - sort.low;
    }
    const where = words.length ? `${name}(${words.join(", ")})` : name;
    if (slot.stack) {
      const sure = { ...this.sort(slot), optional: false };
      const lying = value === "none" ? [] : value.split("+").map((word) => this.value(word.trim(), sure, where));
      this.putStack(slot, index, lying, where);
    } else this.put(slot, index, this.value(value, this.sort(slot), where));
  }

  private putStack(slot: Slot, index: number, lying: number[], where: string): void {
    const { height, items, most } = slot.stack!;
    if (lying.length > most) throw wrong(`${where} cannot hold ${lying.length} values: it holds up to ${most}`);
    const { slots } = this.exported;
    const none = this.sort(slot).low - 1;
    this.put(slots[height]!, index, lying.length);
    for (let at = 0; at < most; at++) this.put(slots[items]!, index * most + at, lying[at] ?? none);
    this.put(slot, index, lying.at(-1) ?? none);
  }

  /** A drawn word with only the uppermost value of each stack, and what lies in those that have more. */
  private plain(written: string): [word: string, lying: Map<number, number[]>] {
    let word = written;
    const lying = new Map<number, number[]>();
    for (const layer of this.exported.layers) {
      const number = layer.slots[0]!;
      if (!layer.on_cell || !this.exported.slots[number]!.stack) continue;
      const glyphs = layer.glyphs.slice(1); // the first is that of an empty stack
      const escaped = glyphs.map(({ text }) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const found = new RegExp(`(?:${escaped.join("|")}){2,}`).exec(word);
      if (!found) continue;
      const values: number[] = [];
      let [rest, last] = [found[0], ""];
      while (rest) {
        const glyph = glyphs.find(({ text }) => rest.startsWith(text))!;
        values.push(glyph.values[0]!);
        last = glyph.text;
        rest = rest.slice(last.length);
      }
      lying.set(number, values);
      word = word.slice(0, found.index) + last + word.slice(found.index + found[0].length);
    }
    return [word, lying];
  }

  /** A value of a sort from its word, number or truth value. */
  private value(word: string, sort: Sort, what: string): number {
    if (sort.optional && word === "none") return sort.low - 1;
    const meant = sort.name === "bool" ? ({ on: "true", off: "false" }[word] ?? word) : word;
    if (sort.labels.length) {
      const exact = sort.labels.indexOf(meant);
      if (exact >= 0) return sort.low + exact;
      const same = sort.labels.flatMap((one, place) => (one.toLowerCase() === meant.toLowerCase() ? [place] : []));
      if (same.length === 1) return sort.low + same[0]!;
    } else if (/^-?\d+$/.test(meant) && Number(meant) >= sort.low && Number(meant) <= sort.high) return Number(meant);
    const words = sort.labels.length ? sort.labels : [`a number from ${sort.low} to ${sort.high}`];
    const known = [...words, ...(sort.optional ? ["none"] : [])];
    const shown = known.length > 8 ? `${known.slice(0, 7).join(", ")} …` : known.join(", ");
    throw wrong(`${what} cannot be "${word}": it must be one of ${shown}`);
  }

  private put(slot: Slot, index: number, value: number): void {
    const at = slot.offset + slot.width * index;
    const stored = value + slot.shift;
    if (slot.width === 1) this.state[at] = stored;
    else this.state.set([Math.floor(stored / 255), stored % 255], at);
  }

  private draw(drawn: string[][]): void {
    const { rows, texts, cells, slots } = this.exported;
    if (drawn.length !== rows.length) throw wrong(`the board has ${rows.length} rows; the drawing has ${drawn.length}`);
    for (const [number, words] of drawn.entries()) {
      const want = [...rows[number]!];
      while (want.length && want.at(-1) === null && words.length < want.length) want.pop();
      if (words.length !== want.length)
        throw wrong(`row ${number + 1} from the top has ${want.length} cells; ${words.length} are drawn`);
      for (const [place, word] of words.entries()) {
        const cell = want[place]!;
        if (cell === null) {
          if (word !== "~") throw wrong(`"${word}" is drawn where the board has no cell; write ~ there`);
          continue;
        }
        const [plain, lying] = this.plain(word);
        const meant = texts[plain];
        if (!meant) throw wrong(`unknown glyph "${word}" on ${cells[cell - 1]}`);
        for (const [slot, value, index] of meant)
          if (value === null) this.put(slots[slot]!, index, cell);
          else if (slots[slot]!.stack) {
            const single = value === this.sort(slots[slot]!).low - 1 ? [] : [value];
            this.putStack(slots[slot]!, cell - 1, lying.get(slot) ?? single, word);
          } else this.put(slots[slot]!, cell - 1, value);
      }
    }
  }

  /** Refuses what the rules say never to be drawn. */
  private refuseBreach(): void {
    const { nevers, layers, slots, cells } = this.exported;
    if (!nevers.length) return;
    const drawn = layers.filter((layer) => layer.on_cell).flatMap((layer) => layer.slots.map((slot) => slots[slot]!));
    for (const [place, cell] of cells.entries()) {
      const values = drawn.map((slot) => this.game.value(this.state, slot, place));
      const never = nevers.find((one) => one.cases.includes(values.join()));
      if (!never) continue;
      const said = drawn.map((slot, at) => `${slot.name}(${cell}) = ${label(this.sort(slot), values[at]!)}`);
      throw wrong(`${said.join(", ")}: excluded by the rules:  ${never.text}`);
    }
  }
}
