/** The rules that are open: options that were chosen, and those that the text has. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Description, Line, Options } from "../src/protocol.ts";
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

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test("an option that nobody has chosen follows the text", async () => {
  const asked: Options[] = [];
  const rules = new Rules(sized(asked), async () => {});
  await rules.open("mine.rules", "6");
  assert.deepEqual(rules.options.value, { size: "6" });
  rules.edit("8");
  await turns();
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

test("rules that become right later begin at the position that they were opened with, once", async () => {
  const line: Line = { seed: 0, start: "", moves: ["a"] };
  const shown: (Line | undefined)[] = [];
  const rules = new Rules(sized([]), async (_, begins) => void shown.push(begins));
  await rules.open("mine.rules", "wrong", {}, "", line);
  for (const text of ["6", "8"]) {
    rules.edit(text);
    await rules.check();
  }
  assert.deepEqual(shown, [undefined, line, undefined]);
});

test("what is typed while a check is running is checked once, behind it", async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const ask = (_: string, { text }: { text: string }) => {
    asked.push(text);
    return new Promise((settle) => answers.push(() => settle({ problems: [], options: {}, game: null })));
  };
  const rules = new Rules(ask as never, async () => {});
  for (const text of ["a", "ab", "abc"]) rules.edit(text);
  await turns();
  assert.deepEqual(asked, ["a"]);
  answers[0]!();
  await turns();
  assert.deepEqual(asked, ["a", "abc"]);
  assert.equal(rules.shown.value, "");
  answers[1]!();
  await turns();
  assert.deepEqual(asked, ["a", "abc"]);
  assert.equal(rules.checked.value, "abc");
  assert.equal(rules.shown.value, "abc");
});

test("what is typed during a check that fails is checked all the same", async () => {
  const asked: string[] = [];
  const ask = async (_: string, { text }: { text: string }) => {
    asked.push(text);
    if (text === "a") throw new Error("lost");
    return { problems: [], options: {}, game: null };
  };
  const rules = new Rules(ask as never, async () => {});
  for (const text of ["a", "ab"]) rules.edit(text);
  await turns();
  assert.deepEqual(asked, ["a", "ab"]);
  assert.equal(rules.trouble.value, "");
});

test("a typed text is checked at once, and its examples are played when the keys rest", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked: string[] = [];
  const ask = async (question: string, { text, game }: { text: string; game: string }) => {
    asked.push(`${question} ${text ?? game}`);
    if (question === "examples") return { examples: [] };
    return { problems: [], options: {}, game: { id: text, examples: [{}] } };
  };
  const rules = new Rules(ask as never, async () => {});
  await rules.open("mine.rules", "a");
  await turns();
  assert.deepEqual(asked.splice(0), ["check a", "examples a"]);
  rules.edit("ab");
  assert.deepEqual(asked.splice(0), ["check ab"]);
  await turns();
  t.mock.timers.tick(200);
  rules.edit("abc");
  await turns();
  assert.deepEqual(asked.splice(0), ["check abc"]);
  t.mock.timers.tick(250);
  assert.deepEqual(asked, ["examples abc"]);
});
