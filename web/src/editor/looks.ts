/** How the lines of rules look: classes of words.css. */

import { units } from "./places.ts";

const DEEPEST = 16; // columns for which the stylesheet has a class

/** A long line goes on below its own beginning: the classes of its indentation. */
export function hang(line: string): string {
  return `hang hang-${Math.min(line.length - line.trimStart().length, DEEPEST)}`;
}

/** The class of a kind of words. */
export function lookOf(kind: string): string {
  return `w-${kind}`;
}

/** A word with the number of its kind. */
export interface Word {
  from: number;
  to: number;
  kind: number;
}

/** The words of a line that have a colour, from what the service says of it. */
export function wordsOf(line: string, numbers: number[]): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < numbers.length; at += 3)
    found.push({ from: units(line, numbers[at]!), to: units(line, numbers[at + 1]!), kind: numbers[at + 2]! });
  return found;
}
