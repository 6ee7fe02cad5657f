/**
 * Texts of moves in the form that the author gives them, as dsl/forms.py reads them.
 *
 * Each word is as long as it can be, and shorter where the rest fails.  What has failed at a place is not tried there
 * again: the work grows with the length of the text times the parts of the form.
 */

import { MOST_STEPS } from "../generated/constants.ts";

/** What stands for a parameter: digits, or one of some words. */
export type Word = "number" | ReadonlySet<string>;

type Part = { text: string } | { name: string; word: Word; lengths: number[] }; // of the words, the longest first
type Said = readonly [name: string, begin: number, end: number];

interface State {
  part: number; // that is read next
  at: number; // the place in the text
  begin: number; // of the number that is being read; -1 if none is
  said: readonly Said[];
}

export class Form {
  readonly parts: Part[] = [];
  readonly repeated = new Set<string>(); // parameters that stand twice: the same word each time

  constructor(text: string, wordOf: (name: string) => Word) {
    const seen = new Set<string>();
    for (const [literal, name] of text.replaceAll(" ", "").matchAll(/\{(\w+)\}|[^{]+/g)) {
      if (!name) this.parts.push({ text: literal.toLowerCase() });
      else {
        const word = wordOf(name);
        this.parts.push({ name, word, lengths: word === "number" ? [] : lengthsOf(word) });
        if (seen.has(name)) this.repeated.add(name);
        seen.add(name);
      }
    }
  }
}

/** One text that is read in a form; the text is in small letters, without blanks. */
export class Reading {
  readonly tried = new Set<string>();

  constructor(
    private readonly form: Form,
    private readonly text: string,
  ) {}

  /** The word of each parameter; null if the text does not have the form. */
  words(): Map<string, string> | null {
    const waiting: State[] = [{ part: 0, at: 0, begin: -1, said: [] }];
    while (waiting.length && this.tried.size < MOST_STEPS) {
      const state = waiting.pop()!;
      if (state.part < this.form.parts.length) {
        if (this.isNew(state)) waiting.push(...this.next(state).reverse());
      } else if (state.at === this.text.length)
        return new Map(state.said.map(([name, begin, end]) => [name, this.text.slice(begin, end)]));
    }
    return null;
  }

  /** False if nothing came of the same part at this place: where words began matters only if they stand again. */
  private isNew({ part, at, begin, said }: State): boolean {
    const piece = this.form.parts[part]!;
    const matters = "name" in piece && this.form.repeated.has(piece.name);
    const again = said.filter(([name]) => this.form.repeated.has(name));
    const key = [part, at, matters ? begin : Math.min(begin, 0), ...again].join();
    const isNew = !this.tried.has(key);
    this.tried.add(key);
    return isNew;
  }

  /** What can follow, the best first. */
  private next(state: State): State[] {
    const part = this.form.parts[state.part]!;
    if ("text" in part) return this.same(state, part.text);
    const before = state.said.find(([name]) => name === part.name);
    if (before) return this.same(state, this.text.slice(before[1], before[2]));
    if (part.word === "number") return this.inNumber(state, part.name);
    const { name, word, lengths } = part;
    const ends = lengths.map((length) => state.at + length);
    return ends
      .filter((end) => word.has(this.text.slice(state.at, end)))
      .map((end) => behind(state, [name, state.at, end]));
  }

  private same(state: State, text: string): State[] {
    const { part, at, said } = state;
    return this.text.startsWith(text, at) ? [{ part: part + 1, at: at + text.length, begin: -1, said }] : [];
  }

  private inNumber(state: State, name: string): State[] {
    const { at, begin } = state;
    const inside = begin >= 0;
    const sign = !inside && this.text[at] === "-" ? 1 : 0;
    const longer = isDigit(this.text[at + sign]) ? [{ ...state, at: at + sign + 1, begin: inside ? begin : at }] : [];
    return inside ? [...longer, behind(state, [name, begin, at])] : longer;
  }
}

function lengthsOf(words: ReadonlySet<string>): number[] {
  return [...new Set([...words].map((word) => word.length))].sort((a, b) => b - a);
}

function behind({ part, said }: State, word: Said): State {
  return { part: part + 1, at: word[2], begin: -1, said: [...said, word] };
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= "0" && sign <= "9";
}
