/** What the words in a text mean: words of the language, names of the game, variables of the section around them. */

import type { Text } from "@codemirror/state";
import type { Description } from "../protocol.ts";
import { NOTHING, type Reading, readLine } from "./reading.ts";
import { isIn } from "./words.ts";

const NAMES_TOO = new Set(["from", "to"]); // words of a phrase that are names everywhere else

// Names with commas between them: whether the first stands behind `in`, the names, and a sign that they are introduced.
const LIST = /\b(?=[A-Za-z])(?<=(\bin\s+)?)([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)(\s*(?::(?!=)|\bin\b))?/g;

export type Name = Description["names"][number];

/** How a line is read: the lines from the beginning of its section decide it. */
export function readingAt(doc: Text, number: number): Reading {
  let first = number;
  while (first > 1 && !/^[A-Za-z]/.test(doc.line(first).text)) first -= 1;
  let reading = NOTHING;
  for (let line = first; line <= number; line += 1) reading = readLine(reading, doc.line(line).text);
  return reading;
}

/** The names that the section around a line introduces: parameters, and variables of `for`, `some`, `let` and so on. */
export function variables(doc: Text, number: number): string[] {
  let first = number;
  while (first > 1 && !/^[A-Za-z]/.test(doc.line(first).text)) first -= 1;
  let last = number;
  while (last < doc.lines && !/^[A-Za-z]/.test(doc.line(last + 1).text)) last += 1;
  const section = doc.sliceString(doc.line(first).from, doc.line(last).to).replace(/"[^"\n]*"|#.*/g, "");
  const found = new Set<string>();
  for (const [, behindIn, names, introduced] of section.matchAll(LIST))
    for (const name of introduced ? names!.split(",").slice(behindIn ? 1 : 0) : []) found.add(name.trim());
  for (const [, name] of section.matchAll(/\blet\s+([A-Za-z]\w*)/g)) found.add(name!);
  return [...found].filter((name) => !isIn("all", name) || NAMES_TOO.has(name));
}
