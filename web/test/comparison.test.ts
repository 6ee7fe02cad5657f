/** Two texts, line by line. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { compared, type Stretch, shortened } from "../src/editor/comparison.ts";

function joined(stretches: Stretch[], but: Stretch["kind"]): string {
  return stretches
    .filter(({ kind }) => kind !== but)
    .flatMap(({ lines }) => lines)
    .join("\n");
}

test("a comparison has all lines of both texts, in order", () => {
  const texts = ["", "a", "a\nb\nc", "a\nx\nc", "c\nb\na", "a\nb\nc\nd\ne\nf", "b\nd\nf\nf", "x\n\n\ny", "a\nb\nc\n"];
  for (const ours of texts)
    for (const theirs of texts) {
      const found = compared(ours, theirs);
      assert.equal(joined(found, "theirs"), ours);
      assert.equal(joined(found, "ours"), theirs);
    }
});

test("lines that both have are the same, and only a few of them are shown", () => {
  const lines = Array.from({ length: 20 }, (_, number) => `line ${number}`);
  const theirs = [...lines];
  theirs[10] = "another";
  const found = shortened(compared(lines.join("\n"), theirs.join("\n")));
  assert.deepEqual(found, [
    null,
    { kind: "same", lines: ["line 8", "line 9"] },
    { kind: "ours", lines: ["line 10"] },
    { kind: "theirs", lines: ["another"] },
    { kind: "same", lines: ["line 11", "line 12"] },
    null,
  ]);
});

test("texts that are too long for a table are compared as a whole", () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, number) => `${word} ${number}`).join("\n");
  assert.deepEqual(
    compared(many("a"), many("b")).map(({ kind }) => kind),
    ["ours", "theirs"],
  );
});
