/** What comes from outside, an address or the browser's storage, is nothing until its form is checked: here. */

import type { Line } from "../protocol.ts";

export function isRecord(found: unknown): found is Record<string, unknown> {
  return typeof found === "object" && found !== null && !Array.isArray(found);
}

export function isOfStrings(found: unknown): found is Record<string, string> {
  return isRecord(found) && Object.values(found).every((value) => typeof value === "string");
}

export function isLine(found: unknown): found is Line {
  if (!isRecord(found)) return false;
  const { seed, start, moves, before = 0, table = "" } = found;
  const isList = Array.isArray(moves) && moves.every((move) => typeof move === "string");
  return Number.isSafeInteger(seed) && Number.isSafeInteger(before) && isText(start) && isText(table) && isList;
}

/** The parts of a line and no others. */
export function bareLine({ seed, start, moves, before, table }: Line): Line {
  return { seed, start, moves, ...(before && { before }), ...(table && { table }) };
}

function isText(found: unknown): found is string {
  return typeof found === "string";
}
