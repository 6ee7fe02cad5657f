import assert from "node:assert/strict";
import test from "node:test";
import { Answers } from "../src/notebook/answers.ts";
import type { Down, Up } from "../src/notebook/messages.ts";
import { joined, type Model } from "../src/notebook/widget.ts";
import type { Description, Line } from "../src/protocol.ts";

const LINE: Line = { seed: 1, start: "", moves: [] };
const GAME = { id: "zola" } as Description;

test("each question gets its own parts and its own answer", async () => {
  const said: Up[] = [];
  const answers = new Answers((message) => said.push(message));
  const parts: unknown[] = [];
  const first = answers.ask("perft", { game: "zola", line: LINE, depth: 2 }, { heard: (part) => parts.push(part) });
  const second = answers.ask("format", { text: "a" });
  assert.deepEqual(
    said.map((message) => "number" in message && [message.number, message.question]),
    [
      [1, "perft"],
      [2, "format"],
    ],
  );
  answers.hear({ number: 1, part: "one" });
  answers.hear({ number: 2, answer: "two" });
  answers.hear({ number: 1, answer: "counts" });
  answers.hear({ number: 1, part: "late" });
  assert.deepEqual([parts, await first, await second], [["one"], "counts", "two"]);
});

test("a failure is an error, and a cancelled question hears nothing more", async () => {
  const answers = new Answers(() => {});
  const failed = answers.ask("format", { text: "a" });
  answers.hear({ number: 1, failure: { kind: "limit", message: "too long" } });
  await assert.rejects(failed, { failure: { kind: "limit", message: "too long" } });
  const abort = new AbortController();
  const cancelled = answers.ask("format", { text: "a" }, { signal: abort.signal });
  abort.abort();
  await assert.rejects(cancelled, { failure: { kind: "cancelled", message: "cancelled" } });
  answers.hear({ number: 2, answer: "late" });
});

/** A widget that is shown twice: what its frames and Python hear. */
function shownTwice() {
  const values: Record<string, unknown> = { game: GAME, line: LINE };
  const python: { view: string; number: number }[] = [];
  const fromPython = new Set<(content: never) => void>();
  let saved = 0;
  const model: Model = {
    get: (name) => values[name] as never,
    set: (name, value) => {
      values[name] = value;
    },
    save_changes: () => {
      saved += 1;
    },
    send: (content) => python.push(content as never),
    on: (_, heard) => fromPython.add(heard),
    off: (_, heard) => fromPython.delete(heard),
  };
  const around = new EventTarget();
  const views = [0, 1].map(() => {
    const heard: Down[] = [];
    const contentWindow = { postMessage: (message: Down) => heard.push(message) } as unknown as Window;
    const leave = joined(model, { contentWindow }, () => true, around as Window);
    const says = (data: Up) =>
      around.dispatchEvent(Object.assign(new Event("message"), { source: contentWindow, data }));
    return { heard, says, leave };
  });
  const answer = (content: unknown) => {
    for (const heard of fromPython) heard(content as never);
  };
  return { views, python, values, answer, saved: () => saved, listeners: () => fromPython.size };
}

test("a frame is told what to show, and an answer goes to the frame that asked", () => {
  const { views, python, answer } = shownTwice();
  const [one, other] = views;
  one!.says({ ready: true });
  assert.deepEqual([one!.heard, other!.heard], [[{ game: GAME, line: LINE, dark: true }], []]);
  one!.says({ number: 1, question: "format", asked: { text: "a" } });
  other!.says({ number: 1, question: "format", asked: { text: "b" } });
  assert.equal(new Set(python.map(({ view }) => view)).size, 2);
  answer({ view: python[1]!.view, number: 1, answer: "b" });
  assert.deepEqual([one!.heard.length, other!.heard], [1, [{ number: 1, answer: "b" }]]);
});

test("Python knows the line on the board, until the widget is closed", () => {
  const { views, values, saved, listeners } = shownTwice();
  const line = { ...LINE, moves: ["a1xb1"] };
  views[0]!.says({ line });
  assert.deepEqual([values.line, saved()], [line, 1]);
  for (const view of views) view.leave();
  views[0]!.says({ line: LINE });
  assert.deepEqual([values.line, saved(), listeners()], [line, 1, 0]);
});
