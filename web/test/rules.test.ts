/** The rules that are open: options that were chosen, and those that the text has. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Description, Options } from "../src/protocol.ts";
import { Rules } from "../src/store/rules.ts";

/** A service whose games have the option size; a text is its default, "wrong" is no game. */
function sized(asked: Options[]): Ask {
  return (async (question: string, { text, options }: { text: string; options: Options }) => {
    assert.equal(question, "check");
    asked.push(options);
    const game = { id: text, examples: [] } as unknown as Description;
    return { problems: [], options: { size: text, ...options }, game: text === "wrong" ? null : game };
  }) as unknown as Ask;
}

test("an option that nobody has chosen follows the text", async () => {
  const asked: Options[] = [];
  const rules = new Rules(sized(asked), async () => {});
  await rules.open("mine.rules", "6");
  assert.deepEqual(rules.options.value, { size: "6" });
  rules.edit("8");
  await rules.check();
  assert.deepEqual(rules.options.value, { size: "8" });
  assert.deepEqual(asked, [{}, {}]);
});

test("an option that was chosen stays, and is forgotten with other rules", async () => {
  const rules = new Rules(sized([]), async () => {});
  await rules.open("mine.rules", "6");
  await rules.set("size", "4");
  rules.edit("8");
  await rules.check();
  assert.deepEqual(rules.options.value, { size: "4" });
  rules.edit("wrong");
  await rules.check();
  assert.deepEqual(rules.chosen.value, { size: "4" });
  await rules.open("other.rules", "10");
  assert.deepEqual(rules.options.value, { size: "10" });
});

test("rules that are wrong from the start leave no board of the former ones", async () => {
  const shown: (string | null)[] = [];
  const rules = new Rules(sized([]), async (game) => void shown.push(game?.id ?? null));
  await rules.open("mine.rules", "6");
  rules.edit("wrong");
  await rules.check();
  assert.deepEqual(shown, ["6"]);
  await rules.open("other.rules", "wrong");
  assert.deepEqual(shown, ["6", null]);
});
