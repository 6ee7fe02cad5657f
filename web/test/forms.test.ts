/** Texts of moves in an exported game: what each word is, and that a text is read once. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Form, Reading, type Word } from "../src/export/forms.ts";

const WAYS = new Set(["n", "ne", "east"]);
const words = (form: string, word: Word, text: string) => {
  const found = new Reading(new Form(form, () => word), text).words();
  return found && Object.fromEntries(found);
};

test("the first word is as long as it can be", () => {
  assert.deepEqual(words("{a}{b}", "number", "123"), { a: "12", b: "3" });
  assert.deepEqual(words("{a}-{b}", "number", "1--2"), { a: "1", b: "-2" });
  assert.deepEqual(words("Go {a} {b}", WAYS, "goneast"), { a: "n", b: "east" });
  assert.deepEqual(words("{a}{b}", WAYS, "nen"), { a: "ne", b: "n" });
  assert.deepEqual(words("{a}{b}{a}", "number", "12312"), { a: "12", b: "3" });
  assert.deepEqual(words("{a}x{a}", WAYS, "nexn"), null);
  assert.deepEqual(words("{a}{b}", "number", "1"), null);
  assert.deepEqual(words("{a}", "number", "1x"), null);
});

test("numbers side by side are read in one pass", () => {
  const text = `${"1".repeat(100)}!`;
  const reading = new Reading(new Form("{a}{b}{c}{d}{e}{f}", () => "number"), text);
  assert.equal(reading.words(), null);
  assert.ok(reading.tried.size <= 2 * 6 * text.length, `${reading.tried.size} steps`);
});
