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

test("what is typed while a check is running is checked once, behind it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const answers: (() => void)[] = [];
  const ask = () => new Promise((settle) => answers.push(() => settle({ problems: [], options: {}, game: null })));
  const rules = new Rules(ask as never, async () => {});
  for (const text of ["a", "ab", "abc"]) {
    rules.edit(text);
    t.mock.timers.tick(1000);
    assert.equal(answers.length, 1);
  }
  answers[0]!();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  t.mock.timers.tick(1000);
  assert.equal(answers.length, 2);
  answers[1]!();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  assert.equal(rules.checked.value, "abc");
});

test("a typed text is checked as soon as the keys pause, and its examples are played when they rest", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked: string[] = [];
  const ask = async (question: string, { text, game }: { text: string; game: string }) => {
    asked.push(`${question} ${text ?? game}`);
    if (question === "examples") return { examples: [] };
    return { problems: [], options: {}, game: { id: text, examples: [{}] } };
  };
  const turns = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const rules = new Rules(ask as never, async () => {});
  await rules.open("mine.rules", "a");
  await turns();
  assert.deepEqual(asked.splice(0), ["check a", "examples a"]);
  rules.edit("ab");
  t.mock.timers.tick(30);
  rules.edit("abc");
  t.mock.timers.tick(30);
  assert.deepEqual(asked, []);
  t.mock.timers.tick(10);
  await turns();
  rules.edit("abcd");
  t.mock.timers.tick(40);
  await turns();
  assert.deepEqual(asked.splice(0), ["check abc", "check abcd"]);
  t.mock.timers.tick(250);
  assert.deepEqual(asked, ["examples abcd"]);
});
