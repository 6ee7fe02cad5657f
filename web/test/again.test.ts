import assert from "node:assert/strict";
import { test } from "node:test";
import { askAgain } from "../src/again.ts";
import { type Ask, AskError } from "../src/protocol.ts";

/** A service that knows only the games that were checked since it was started. */
function forgetful() {
  const known = new Set<string>();
  const asked: string[] = [];
  const ask = (async (question: string, what: { text?: string; game?: string }) => {
    asked.push(question);
    if (question === "check") known.add(what.text!);
    else if (!known.has(what.game!)) throw new AskError({ kind: "gone", message: "there is no such game here" });
    return question === "check" ? { game: { id: what.text } } : "answered";
  }) as unknown as Ask;
  return { ask, asked, known };
}

const where = (game: string) => ({ game, line: { seed: 0, start: "", moves: [] } });

test("a game that the service has forgotten is checked again with the text that it had", async () => {
  const { ask, asked, known } = forgetful();
  const patient = askAgain(ask);
  await patient("check", { name: "", text: "first", options: {} });
  await patient("check", { name: "", text: "second", options: {} });
  known.clear();
  assert.equal(await patient("state", where("first")), "answered");
  assert.deepEqual(asked, ["check", "check", "state", "check", "state"]);
  assert.deepEqual([...known], ["first"]);
});

test("a game that was never checked here stays unknown", async () => {
  const { ask } = forgetful();
  await assert.rejects(askAgain(ask)("state", where("first")), /there is no such game here/);
});
