/** Places in rules: lines and columns as the service counts them, in whole characters, and offsets in a text. */

import type { Text } from "@codemirror/state";
import type { Problem, Span } from "../protocol.ts";

/** The offset of a column of a line; both are kept within the text. */
export function offset(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return found.from + units(found.text, Math.max(column - 1, 0));
}

/** How long so many characters of a line are, as JavaScript counts. */
export function units(text: string, count: number): number {
  if (!/[\ud800-\udfff]/.test(text)) return Math.min(count, text.length);
  return [...text].slice(0, count).join("").length;
}

/** The column, from 1, of a place in a line. */
export function columnOf(text: string, place: number): number {
  return [...text.slice(0, place)].length + 1;
}

export function range(doc: Text, span: Span): { from: number; to: number } {
  const from = offset(doc, span.line, span.column);
  return { from, to: Math.max(from, offset(doc, span.end_line, span.end_column)) };
}

/** The change that cures a problem. */
export function cureOf(doc: Text, cure: NonNullable<Problem["cure"]>): Change {
  return { ...range(doc, cure.span), insert: cure.text };
}

type Change = { from: number; to: number; insert: string };

/** Changes that make one text of another: line by line where both have as many lines. */
export function differences(before: string, after: string): Change[] {
  const old = before.split("\n");
  const lines = after.split("\n");
  if (old.length !== lines.length) return [difference(before, after)];
  let start = 0;
  return old.flatMap((line, place) => {
    const { from, to, insert } = difference(line, lines[place]!);
    const here = start;
    start += line.length + 1;
    return from < to || insert ? [{ from: here + from, to: here + to, insert }] : [];
  });
}

/** The smallest change that makes one text of another, so that the caret stays where it is. */
export function difference(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
