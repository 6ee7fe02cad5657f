/** What each line of rules is: in which section and block it stands, and whether it is the row of a drawing. */

import { isIn } from "./words.ts";

/** A line that others are indented under. */
interface Block {
  indent: number;
  word: string; // with which it begins
}

export interface Reading {
  readonly section: string; // the word of its section, "example"
  readonly blocks: readonly Block[]; // the lines that this one stands under, the line itself last
  readonly drawing: number; // the indentation of the line that began the drawing; -1 outside of drawings
}

export const NOTHING: Reading = { section: "", blocks: [], drawing: -1 };
const DRAWINGS: Record<string, string[]> = { example: ["position"], setup: ["position"], board: ["shape"] };
const CHANGES = ["replace", "remove"]; // stand before the word of a section

/** How a line is read after the line above it.  Empty lines and comments change nothing. */
export function readLine(above: Reading, line: string): Reading {
  const indent = line.length - line.trimStart().length;
  const words = /^\s*([A-Za-z]\w*)?(?:\s+([A-Za-z]\w*))?/.exec(line)!;
  if (!line.trim()) return above;
  if (above.drawing >= 0 && indent > above.drawing) return above;
  if (line.trimStart().startsWith("#")) return above.drawing < 0 ? above : { ...above, drawing: -1 };
  const word = words[1] ?? "";
  const changed = CHANGES.includes(word) ? (words[2] ?? "") : word;
  const section = indent > 0 ? above.section : isIn("sections", word) ? changed || word : "";
  const blocks = [...above.blocks.filter((block) => block.indent < indent), { indent, word }];
  const draws = (DRAWINGS[section] ?? []).some((one) => one === word || (!indent && one === words[2]));
  return { section, blocks, drawing: draws ? indent : -1 };
}

/** The word of the nearest line above that heads a block of this group, or "". */
export function heading(reading: Reading, heads: (word: string) => boolean): string {
  return reading.blocks.findLast((block) => heads(block.word))?.word ?? "";
}

/** Whether a line is indented under the word of a move or of an example: the rest of it are moves. */
export function listsMoves(reading: Reading): boolean {
  return reading.section === "example" && ["play", "legal", "illegal"].includes(heading(reading, isExample));
}

function isExample(word: string): boolean {
  return isIn("example", word);
}
