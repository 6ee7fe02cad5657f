/** Prolog in colour: what each piece of its text is. */

export type Sort = "comment" | "string" | "variable" | "number" | "name" | "sign" | "space";

const PIECES: [Sort, RegExp][] = [
  ["space", /\s+/y],
  ["comment", /%.*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ["string", /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S]|'')*'?/y],
  ["variable", /[A-Z_][A-Za-z0-9_]*/y],
  ["number", /\d+(?:\.\d+)?/y],
  ["name", /[a-z][A-Za-z0-9_]*/y],
  ["sign", /[\s\S]/y],
];

/** The pieces of a text, which together are the text. */
export function pieces(text: string): { sort: Sort; text: string }[] {
  const found: { sort: Sort; text: string }[] = [];
  for (let at = 0; at < text.length; ) {
    const [sort, piece] = pieceAt(text, at);
    const last = found.at(-1);
    if (last?.sort === sort) last.text += piece;
    else found.push({ sort, text: piece });
    at += piece.length;
  }
  return found;
}

function pieceAt(text: string, at: number): [Sort, string] {
  for (const [sort, pattern] of PIECES) {
    pattern.lastIndex = at;
    const piece = pattern.exec(text)?.[0];
    if (piece) return [sort, piece];
  }
  return ["sign", text[at]!];
}
