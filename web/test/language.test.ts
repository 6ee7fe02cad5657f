/** What the editor knows of the language before the service has answered: words with a colour, indentation. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { StringStream } from "@codemirror/language";
import { indentAfter, token } from "../src/editor/language.ts";

/** The tokens of a line, as "word kind", without those that have no colour. */
function tokens(line: string): string[] {
  const stream = new StringStream(line, 2, 2);
  const found: string[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const kind = token(stream);
    assert.ok(stream.pos > stream.start, `nothing was read of "${line.slice(stream.pos)}"`);
    if (kind) found.push(`${stream.current()} ${kind}`);
  }
  return found;
}

test("words have a colour at once, whatever they mean where they stand", () => {
  assert.deepEqual(tokens('move walk(from, to: cell) as "{from}"'), ["move heading", "cell kind", '"{from}" string']);
  assert.deepEqual(tokens('    to in neighbours(from) else "no" # far'), [
    "in keyword", "neighbours given", "else keyword", '"no" string', "# far comment",
  ]); // biome-ignore format: a table
  assert.deepEqual(tokens("  move >= 3"), [">= operator", "3 number"]);
  assert.deepEqual(tokens('  constructor "open'), ['"open string']);
});

test("a new line is indented where a block begins", () => {
  const wanted: [string, number][] = [
    ["  when", 4], ["move rest", 2], ["    at(to) = none", 4], ["end draw when turns = 3", 0], ["  if a = b  # so", 4],
    ['example "x"', 2], ["  position White", 4], ["  for c: cell: at(c) := none", 2], ["  for c: cell", 4], ["", 0],
  ]; // biome-ignore format: a table
  for (const [line, indent] of wanted) assert.equal(indentAfter(line), indent, line);
});
