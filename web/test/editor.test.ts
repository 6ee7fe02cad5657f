/** The editor without a document: cures, what is asked of the service and shown, examples that are added. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CompletionContext } from "@codemirror/autocomplete";
import { foldable } from "@codemirror/language";
import { EditorState, Text } from "@codemirror/state";
import { withExample } from "../src/editor/add_example.ts";
import { complete, prepare } from "../src/editor/completion.ts";
import { rules } from "../src/editor/language.ts";
import { cureOf, difference, differences, range } from "../src/editor/places.ts";
import { Service } from "../src/editor/service.ts";
import { show, shown } from "../src/editor/shown.ts";

/** The place of | in a text, and the text without it. */
function marked(text: string): { state: EditorState; position: number } {
  const position = text.indexOf("|");
  return { state: EditorState.create({ doc: text.replace("|", ""), extensions: [rules(), shown] }), position };
}

/** A service that answers questions with `answer`, and what it was asked. */
function serviceOf(answer: (question: string) => unknown) {
  const asked: [question: string, given: Record<string, unknown>][] = [];
  const ask = async (question: string, given: object) => {
    asked.push([question, { ...given }]);
    return answer(question);
  };
  return { service: new Service(ask as never, () => "mine"), asked };
}

const OFFER = { label: "column", detail: "column(cell)", text: "a number", code: "", rank: 3 };

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

test("what can stand at a place is asked once for a word, before anybody types it", async () => {
  const { service, asked } = serviceOf(() => ({ column: 12, offers: [OFFER] }));
  const offered = async (text: string) => {
    const { state, position } = marked(text);
    return complete(service)(new CompletionContext(state, position, false));
  };
  const { state, position } = marked("define 🂡 = | + 1");
  prepare(service, state.update({ selection: { anchor: position } }).state);
  assert.equal(asked.length, 1);
  const found = await offered("define 🂡 = col| + 1");
  assert.deepEqual([found?.from, found?.options[0]?.label, found?.options[0]?.boost], [12, "column", -3]);
  assert.deepEqual(asked, [["complete", { name: "mine", text: "define 🂡 =  + 1", line: 1, column: 12 }]]);
  await offered("define b = col| + 1");
  assert.equal(asked.length, 2);
  assert.equal(await offered("define b = |"), null);
  assert.equal(await offered("define b = 1c|"), null);
  assert.equal(asked.length, 2);
});

test("a service that does not answer leaves the text as it is", async () => {
  const { service } = serviceOf(() => Promise.reject(new Error("lost")));
  const { state, position } = marked("define b = c|");
  assert.equal(await complete(service)(new CompletionContext(state, position, true)), null);
  await service.look({ state, dispatch: () => assert.fail() } as never);
});

test("the text is shown as it is now: one question at a time, and no answer about what has gone", async () => {
  const shows: unknown[] = [];
  const view = { state: marked("abc|").state, dispatch: (one: unknown) => void shows.push(one) };
  const { service, asked } = serviceOf(() => {
    if (asked.length === 1) view.state = marked("abcd|").state;
    return { kinds: [], colours: [], folds: [], sections: [{ line: 1, section: "game", name: "X" }] };
  });
  await Promise.all([service.look(view as never), service.look(view as never, true), service.look(view as never)]);
  const texts = asked.filter(([question]) => question === "view").map(([, { text, read }]) => `${text} ${read}`);
  assert.deepEqual([texts, shows.length, service.sections.value.length], [["abc false", "abcd true"], 1, 1]);
});

test("colours and folds move with the text, and what is changed loses its colour", () => {
  const doc = "move 🂡 a\n  when\n\nend";
  const colours = [[0, 4, 0, 7, 8, 1], [2, 6, 1], [], [0, 3, 0]];
  const found = { kinds: ["heading", "name"], colours, sections: [], folds: [[1, 2] as [number, number]] };
  let { state } = EditorState.create({ doc, extensions: [rules(), shown] }).update({ effects: show.of(found) });
  const coloured = () => {
    const words: string[] = [];
    state.field(shown).colours.between(0, state.doc.length, (from, to) => void words.push(state.sliceDoc(from, to)));
    return words;
  };
  const folded = (number: number) => {
    const { from, to } = state.doc.line(number);
    const fold = foldable(state, from, to);
    return fold && state.sliceDoc(fold.from, fold.to);
  };
  assert.deepEqual([coloured(), folded(1), folded(2)], [["move", "a", "when", "end"], "\n  when", null]);
  const insert = (text: string, word: string) => ({ from: doc.indexOf(word), insert: text });
  state = state.update({ changes: [insert("\n", "move"), insert("x", "hen")] }).state;
  assert.deepEqual([coloured(), folded(2), folded(3)], [["a", "end"], "\n  wxhen", null]);
});

test("an example is added behind an empty line", () => {
  const added = withExample("end draw\n\n\n", 'example "x"\n  legal a1\n');
  assert.deepEqual(added, { whole: 'end draw\n\nexample "x"\n  legal a1\n', line: 3 });
});
