/** The editor without a document: cures, completion, meanings, outline, folding, examples that are added. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState, Text } from "@codemirror/state";
import { withExample } from "../src/editor/add_example.ts";
import { offered } from "../src/editor/completion.ts";
import { meaningAt, toldOf } from "../src/editor/hover.ts";
import { foldUnder, rules } from "../src/editor/language.ts";
import { declaration, Meanings } from "../src/editor/meanings.ts";
import { type Name, variables } from "../src/editor/names.ts";
import { outlineOf } from "../src/editor/outline.tsx";
import { cureOf, difference, differences, range } from "../src/editor/places.ts";

const NAMES: Name[] = [
  { name: "at", sort: "state", line: 9, text: "at(cell): player or none" },
  { name: "Red", sort: "value", line: 2, text: "Red" },
];

/** The text, and the place of | in it. */
function marked(text: string): { doc: Text; position: number; plain: string } {
  const position = text.indexOf("|");
  const plain = text.replace("|", "");
  return { doc: Text.of(plain.split("\n")), position, plain };
}

function labels(text: string): string[] {
  const { doc, position } = marked(text);
  return offered(doc, position, NAMES).map(({ label }) => label);
}

test("a cure replaces the characters of its span, counted as Python counts them", () => {
  const doc = Text.of(["option size = 4", 'define 🂡 = neighbors(a1) # "🂡"']);
  const span = { line: 2, column: 12, end_line: 2, end_column: 21 };
  const change = cureOf(doc, { label: "neighbors → neighbours", span, text: "neighbours" });
  assert.equal(doc.sliceString(change.from, change.to), "neighbors");
  const state = EditorState.create({ doc });
  assert.match(state.update({ changes: change }).state.doc.toString(), /= neighbours\(a1\)/);
});

test("a span beyond the text is kept within it", () => {
  const doc = Text.of(["ab", "cd"]);
  assert.deepEqual(range(doc, { line: 1, column: 2, end_line: 1, end_column: 9 }), { from: 1, to: 2 });
  assert.deepEqual(range(doc, { line: 7, column: 1, end_line: 8, end_column: 3 }), { from: 3, to: 5 });
  assert.deepEqual(range(doc, { line: 2, column: 2, end_line: 1, end_column: 1 }), { from: 4, to: 4 });
});

test("the difference of two texts is the smallest change between them", () => {
  assert.deepEqual(difference("abcdef", "abXef"), { from: 2, to: 4, insert: "X" });
  assert.deepEqual(difference("aa", "aaa"), { from: 2, to: 2, insert: "a" });
  assert.deepEqual(difference("abc", ""), { from: 0, to: 3, insert: "" });
  assert.deepEqual(difference("same", "same"), { from: 4, to: 4, insert: "" });
});

test("the differences of two texts leave equal lines alone", () => {
  const [before, after] = ["a\n  b\nc d\n", "a\n b\nc  d\n"];
  assert.deepEqual(differences(before, after), [
    { from: 3, to: 4, insert: "" },
    { from: 8, to: 8, insert: " " },
  ]);
  const state = EditorState.create({ doc: before });
  assert.equal(state.update({ changes: differences(before, after) }).state.doc.toString(), after);
  assert.deepEqual(differences("a\nb", "a\n\nb"), [{ from: 2, to: 2, insert: "\n" }]);
});

test("at the margin stand sections, and nothing else", () => {
  const found = labels("players A, B\n\n|");
  assert.ok(found.includes("move") && found.includes("replace"));
  assert.ok(!found.includes("at") && !found.includes("and"));
});

test("within a move stand its parts, and then effects or conditions", () => {
  assert.deepEqual(labels("move rest\n  |"), ["when", "do", "then", "after", "prefer"]);
  assert.deepEqual(labels("move rest(to: cell)\n  do\n    |").slice(0, 6), ["at", "Red", "to", "let", "push", "take"]);
  assert.ok(labels("move rest\n  when\n    |").includes("neighbours"));
  assert.ok(labels("move go(from, to: cell)\n  when at(from) = |").includes("from"));
});

test("a board, a look, a kind that is removed: only what fits", () => {
  assert.deepEqual(labels("board |"), ["square", "cylinder", "torus", "hex", "graph"]);
  assert.deepEqual(labels("board hex |"), ["hexagon", "rhombus", "triangle", "star"]);
  assert.ok(labels('show\n  at: Red "r" |').includes("disc"));
  assert.ok(!labels('show\n  at: Red "r" |').includes("at"));
  assert.ok(labels("remove |").includes("mark") && !labels("remove |").includes("board"));
  assert.ok(labels('example "x"\n  |').includes("illegal"));
  assert.deepEqual(labels('example "x"\n  illegal a1 |'), ["because"]);
  assert.ok(labels("end\n  |").includes("Red"));
});

test("the variables of a section, and of no other", () => {
  const doc = Text.of(
    "define a(p: player) = 1\nmove b(from, to: cell)\n  do\n    let n = 1\n    for c in x: at(c) := n".split("\n"),
  );
  assert.deepEqual(variables(doc, 1), ["p"]);
  assert.deepEqual(variables(doc, 3), ["from", "to", "c", "n"]);
});

test("a word has the manual's sentence, a name its declaration, a text nothing", () => {
  const meaning = (text: string) => {
    const { position, plain } = marked(text);
    return meaningAt(EditorState.create({ doc: plain, extensions: rules() }), position, NAMES);
  };
  assert.equal(meaning("define a = colu|mn(c)")?.text, "`column(c)`, `row(c)`: numbers, starting at 1");
  assert.equal(meaning('example "x"\n  mo|ves 3')?.text, "`moves 12`: the number of legal moves");
  assert.match(meaning("move a\n  do\n    a|t(c) := mover")?.code ?? "", /^at\(cell\)/);
  assert.equal(meaning("move a\n  do\n    |at(c) := mover")?.line, 9);
  assert.equal(meaning('game "colu|mn"'), null);
  assert.equal(meaning("# colu|mn"), null);
  assert.equal(meaning("define a = unkno|wn"), null);
});

test("a name has the type and the value that the service knows; it is asked once for each text", async () => {
  const free = { name: "free", kind: "definition", type: "condition", head: "define free(c: cell) = at(c) = none" };
  const rest = { params: [], value: "", place: ["mine", 2, 8] as [string, number, number], scope: null };
  const size = { ...rest, name: "size", kind: "option", type: "2..9", head: "option size = 3 in 2..9", value: "3" };
  const loop = { ...rest, name: "n", kind: "variable", type: "cell", head: "n in neighbours(c)" };
  let asked = 0;
  const ask = (_: string, { text }: { text: string }) => {
    asked += 1;
    const mentions = ["free", "size", "n"].map((word, number) => {
      const line = text.split("\n").findIndex((one) => one.includes(`= ${word}`));
      return ["mine", line + 1, [...(text.split("\n")[line] ?? "")].join("").indexOf(`= ${word}`) + 3, number, 0];
    });
    return Promise.resolve({
      problems: [],
      names: [{ ...rest, ...free }, size, loop],
      mentions,
      untyped: [],
      types: {},
    });
  };
  const meanings = new Meanings(ask as never, () => "mine");
  const told = (text: string) => {
    const { position, plain } = marked(text);
    return toldOf(EditorState.create({ doc: plain, extensions: rules() }), position, NAMES, meanings);
  };
  assert.equal((await told("define x = fr|ee(a1)"))?.kind, "definition: condition");
  assert.equal((await told("define x = |free(a1)"))?.line, 2);
  assert.equal(asked, 1);
  assert.equal((await told("define x = si|ze"))?.text, "Its value is `3`.");
  assert.equal((await told("define x = |n"))?.code, "n: cell");
  assert.equal(asked, 3);
  assert.equal(declaration({ ...loop, kind: "value", type: "player", head: "White", name: "White" }), "White: player");
  const lost = new Meanings(
    () => Promise.reject(new Error("lost")),
    () => "mine",
  );
  const state = EditorState.create({ doc: "move a\n  do\n    at(c) := mover", extensions: rules() });
  assert.equal((await toldOf(state, 17, NAMES, lost))?.line, 9);
});

test("the outline has each section with its name", () => {
  const text =
    'game "X" extends "y"\n\nreplace define free(c: cell) = 1\nstate at(cell): player\nplayers A, B\n  when\nexample "a b"';
  assert.deepEqual(
    outlineOf(text).map(({ line, section, name }) => `${line} ${section}: ${name}`),
    ["1 game: X", "3 replace define: free", "4 state: at", "5 players: A, B", "7 example: a b"],
  );
});

test("what is indented under a line is folded with it, without the empty lines behind", () => {
  const state = EditorState.create({ doc: "move a\n  when\n    b\n\n  do\n    c\n\n\nend" });
  const fold = (number: number) => {
    const line = state.doc.line(number);
    const found = foldUnder(state, line.from, line.to);
    return found && state.doc.sliceString(found.from, found.to);
  };
  assert.equal(fold(1), "\n  when\n    b\n\n  do\n    c");
  assert.equal(fold(2), "\n    b");
  assert.equal(fold(3), null);
  assert.equal(fold(4), null);
});

test("an example is added behind an empty line", () => {
  const added = withExample("end draw\n\n\n", 'example "x"\n  legal a1\n');
  assert.deepEqual(added, { whole: 'end draw\n\nexample "x"\n  legal a1\n', line: 3 });
});
