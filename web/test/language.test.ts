/** Colours of the rules language: each token by its place, and every shipped file. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { StringStream } from "@codemirror/language";
import { indentAfter, parser, type Token } from "../src/editor/language.ts";

const RULES = new URL("../../rules/", import.meta.url);

/** The tokens of a text, as "word token", without those that have no colour. */
function tokens(text: string): string[] {
  const reader = parser.startState();
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const token: Token | null = parser.token(stream, reader);
      assert.ok(stream.pos > stream.start, `nothing was read of "${line.slice(stream.pos)}"`);
      if (token && token !== "operator") found.push(`${stream.current()} ${token}`);
    }
  }
  return found;
}

function coloured(text: string, wanted: string[]): void {
  assert.deepEqual(tokens(text), wanted);
}

test("a move: words are keywords only where they begin a phrase", () => {
  coloured('move walk(from, to: cell) as "{from}-{to}"\n  when\n    to in neighbours(from) else "no" # far', [
    "move heading", "walk declared", "cell kind", "as keyword", '"{from}-{to}" string', "when keyword",
    "in keyword", "neighbours( given", "else keyword", '"no" string', "# far comment",
  ].map((token) => token.replace("( ", " "))); // biome-ignore format: a table
});

test("reach, steps and first are names unless their phrase follows", () => {
  coloured("define a = reach from b by next", [
    "define heading",
    "a declared",
    "reach keyword",
    "from keyword",
    "by keyword",
  ]);
  coloured("define a = steps from b to c by next", [
    "define heading",
    "a declared",
    "steps keyword",
    "from keyword",
    "by keyword",
  ]);
  coloured("define a = first + reach + steps", ["define heading", "a declared"]);
  coloured("define a = first c: cell", ["define heading", "a declared", "first keyword", "cell kind"]);
});

test("a board, its forms and its drawing", () => {
  coloured("board hex rhombus 4 by 3\n  shape\n    # . #\n\nplayers A, B", [
    "board heading", "hex keyword", "rhombus keyword", "4 number", "by keyword", "3 number", "shape keyword",
    "# drawing", ". drawing", "# drawing", "players heading",
  ]); // biome-ignore format: a table
});

test("an example: a drawing, moves and their reason", () => {
  coloured('example "x"\n  position White\n    # . w2\n  play a1-a2, b1 east,\n    c3\n  illegal d4 because "taken"\n  holds moves(White) = 3', [
    "example heading", '"x" string', "position keyword", "# drawing", ". drawing", "w2 drawing", "play keyword",
    "a1-a2 move", "b1 east move", "c3 move", "illegal keyword", "d4 move", "because keyword", '"taken" string',
    "holds keyword", "moves given", "3 number",
  ]); // biome-ignore format: a table
});

test("show: colours and shapes stand behind a glyph", () => {
  coloured('show\n  at: red "r" red disc, none "."\n  stones: 0 "", number grey\nmark goal green "here"', [
    "show heading", '"r" string', "red look", "disc look", "none keyword", '"." string', "0 number", '"" string',
    "number keyword", "grey look", "mark heading", "goal declared", "green look", '"here" string',
  ]); // biome-ignore format: a table
});

test("words of the end are names elsewhere", () => {
  coloured("end\n  mover wins when turns >= 3\n  draw when draw", [
    "end heading", "mover given", "wins keyword", "when keyword", "turns given", "3 number", "draw keyword",
    "when keyword", "draw keyword",
  ]); // biome-ignore format: a table
  coloured("define wins = turns + me", ["define heading", "wins declared"]);
});

test("a variant: the word behind replace and remove is a section", () => {
  coloured("replace define a = 1\nremove move rest\nrename White as Red", [
    "replace heading", "define heading", "a declared", "1 number", "remove heading", "move heading", "rest declared",
    "rename heading", "as keyword",
  ]); // biome-ignore format: a table
});

test("a section that stands on one line", () => {
  coloured("stuck pass\nend draw when repeated 3", [
    "stuck heading", "pass keyword", "end heading", "draw keyword", "when keyword", "repeated keyword", "3 number",
  ]); // biome-ignore format: a table
});

for (const file of readdirSync(RULES).filter((name) => name.endsWith(".rules")))
  test(`${file}: each line at the margin begins with a section`, () => {
    const text = readFileSync(new URL(file, RULES), "utf8");
    const sections = text.split("\n").filter((line) => /^[a-z]/.test(line)).length;
    const heads = text.split("\n").filter((line) => /^(replace|remove) /.test(line)).length;
    assert.equal(tokens(text).filter((token) => token.endsWith(" heading")).length, sections + heads);
  });

test("a new line is indented where a block begins", () => {
  const wanted: [string, number][] = [
    ["  when", 4], ["move rest", 2], ["    at(to) = none", 4], ["end draw when turns = 3", 0], ["  if a = b  # so", 4],
    ['example "x"', 2], ["  position White", 4], ["  for c: cell: at(c) := none", 2], ["  for c: cell", 4], ["", 0],
  ]; // biome-ignore format: a table
  for (const [line, indent] of wanted) assert.equal(indentAfter(line), indent, line);
});
