import assert from "node:assert/strict";
import { test } from "node:test";
import { askWorkers, type Known } from "../src/playground/ask.ts";
import { type FromWorker, type Hand, Lane, type ToWorker } from "../src/playground/lane.ts";
import type { AskError, Failure } from "../src/protocol.ts";

/** A worker that answers when the test says so. */
class Slow implements Hand {
  readonly asked: ToWorker[] = [];
  ended = false;
  onmessage: Hand["onmessage"] = null;
  onerror: Hand["onerror"] = null;

  postMessage(message: ToWorker): void {
    this.asked.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  says(data: FromWorker): void {
    this.onmessage?.({ data });
  }

  /** Sends a line about the question that it was given last. */
  line(line: object): void {
    this.says({ number: this.asked.at(-1)!.number, line: JSON.stringify(line) });
  }
}

const NEVER = 1_000_000;
const COUNT = { game: "g", line: { seed: 0, start: "", moves: [] }, depth: 1 };

function lane(limits = { patience: NEVER, longest: NEVER }) {
  const hands: Slow[] = [];
  const made = new Lane(() => {
    hands.push(new Slow());
    return hands.at(-1)!;
  }, limits);
  return { ask: made.ask, hands };
}

const kind = (wanted: Failure["kind"]) => (error: AskError) => error.failure.kind === wanted;

test("questions are answered one after the other, each with its parts", async () => {
  const { ask, hands } = lane();
  const heard: object[] = [];
  const first = ask("perft", COUNT, { heard: (part) => heard.push(part) });
  const second = ask("format", { text: "x" });
  const [hand] = hands as [Slow];
  assert.equal(hand.asked.length, 1);
  assert.equal(hand.asked[0]!.asked, JSON.stringify(COUNT));
  hand.line({ part: { depth: 1 } });
  hand.line({ answer: { counts: [] } });
  assert.deepEqual(await first, { counts: [] });
  assert.deepEqual(heard, [{ depth: 1 }]);
  hand.line({ failure: { kind: "asked", message: "not so" } });
  await assert.rejects(second, kind("asked"));
  assert.equal(hands.length, 1);
});

test("an answer that comes after its question was cancelled is dropped, and the worker goes on", async () => {
  const { ask, hands } = lane();
  const control = new AbortController();
  const heard: object[] = [];
  const first = ask("perft", COUNT, { heard: (part) => heard.push(part), signal: control.signal });
  const ticket = await fetch(hands[0]!.asked[0]!.ticket);
  assert.equal(ticket.status, 200);
  control.abort();
  await assert.rejects(first, kind("cancelled"));
  await assert.rejects(fetch(hands[0]!.asked[0]!.ticket)); // so the worker learns of it
  const second = ask("format", { text: "x" });
  hands[0]!.line({ part: { depth: 1 } });
  hands[0]!.line({ failure: { kind: "cancelled", message: "cancelled" } });
  hands[0]!.line({ answer: { text: "y" } });
  assert.deepEqual(await second, { text: "y" });
  assert.deepEqual(heard, []);
  assert.equal(hands[0]!.ended, false);
});

test("a question that is cancelled while it waits is never asked", async () => {
  const { ask, hands } = lane();
  const control = new AbortController();
  const first = ask("format", { text: "1" });
  const second = ask("format", { text: "2" }, { signal: control.signal });
  const third = ask("format", { text: "3" });
  control.abort();
  await assert.rejects(second, kind("cancelled"));
  await assert.rejects(ask("format", { text: "4" }, { signal: control.signal }), kind("cancelled"));
  hands[0]!.line({ answer: 1 });
  hands[0]!.line({ answer: 3 });
  assert.deepEqual([await first, await third], [1, 3]);
  assert.equal(hands[0]!.asked.length, 2);
});

test("a worker that does not let go of a cancelled question is ended, and another one takes over", async () => {
  const { ask, hands } = lane({ patience: 1, longest: NEVER });
  const control = new AbortController();
  const first = ask("perft", COUNT, { signal: control.signal });
  const second = ask("format", { text: "x" });
  control.abort();
  await assert.rejects(first, kind("cancelled"));
  while (hands.length < 2) await new Promise((done) => setTimeout(done, 1));
  assert.equal(hands[0]!.ended, true);
  hands[1]!.line({ answer: "formatted" });
  assert.equal(await second, "formatted");
});

test("a question that takes longer than the limit fails, and says so", async () => {
  const { ask, hands } = lane({ patience: NEVER, longest: 1 });
  await assert.rejects(ask("format", { text: "x" }), kind("limit"));
  assert.equal(hands[0]!.ended, true);
});

test("a worker that breaks fails its question; the next one goes to another worker", async () => {
  const { ask, hands } = lane();
  const first = ask("format", { text: "x" });
  hands[0]!.says({ broken: "RuntimeError" });
  await assert.rejects(first, /The worker has stopped: RuntimeError/);
  const second = ask("format", { text: "x" });
  hands[0]!.says({ number: 2, line: '{"answer":"late"}' });
  hands[1]!.line({ answer: "in time" });
  assert.equal(await second, "in time");
});

test("a tired worker answers until its successor is ready and no question runs", async () => {
  const { ask, hands } = lane();
  const first = ask("format", { text: "1" });
  hands[0]!.line({ answer: 1 });
  hands[0]!.says({ tired: true });
  hands[0]!.says({ tired: true });
  assert.equal(hands.length, 2);
  const second = ask("format", { text: "2" });
  hands[1]!.says({ ready: true });
  assert.equal(hands[0]!.ended, false);
  const third = ask("format", { text: "3" });
  hands[0]!.line({ answer: 2 });
  assert.equal(hands[0]!.ended, true);
  hands[1]!.line({ answer: 3 });
  assert.deepEqual(await Promise.all([first, second, third]), [1, 2, 3]);
});

test("long questions have a worker of their own, which checks the game itself", async () => {
  const hands: Slow[] = [];
  const ask = askWorkers(() => {
    hands.push(new Slow());
    return hands.at(-1)!;
  });
  const rules = { name: "", text: "rules", options: {} };
  const checked = ask("check", rules);
  await new Promise((done) => setTimeout(done));
  hands[0]!.line({ answer: { game: { id: "g" } } });
  await checked;
  assert.equal(hands.length, 1);
  const counted = ask("perft", COUNT);
  await new Promise((done) => setTimeout(done));
  assert.equal(hands.length, 1); // the second worker starts when the first one is ready
  hands[0]!.says({ ready: true });
  await new Promise((done) => setTimeout(done));
  hands[1]!.line({ failure: { kind: "gone", message: "not here" } });
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([hands[1]!.asked.at(-1)!.question, hands[1]!.asked.at(-1)!.asked], ["check", JSON.stringify(rules)]);
  hands[1]!.line({ answer: { game: { id: "g" } } });
  await new Promise((done) => setTimeout(done));
  assert.equal(hands[1]!.asked.at(-1)!.question, "perft");
  hands[1]!.line({ answer: { counts: [] } });
  assert.deepEqual(await counted, { counts: [] });
  assert.equal(hands[0]!.asked.length, 1);
});

test("a long question that is cancelled before there is a worker for it is never asked", async () => {
  const hands: Slow[] = [];
  const ask = askWorkers(() => {
    hands.push(new Slow());
    return hands.at(-1)!;
  });
  const ends = new AbortController();
  const counted = ask("perft", COUNT, { signal: ends.signal });
  ends.abort();
  hands[0]!.says({ broken: "no memory" }); // then the other one may have more luck
  await assert.rejects(counted, kind("cancelled"));
  assert.ok(hands.every((hand) => hand.asked.length === 0));
});

test("what is known before is answered without a worker", async () => {
  const hands: Slow[] = [];
  const known: Known = [["format", { text: "a", more: 1 }, { text: "b" }]];
  const ask = askWorkers(() => {
    hands.push(new Slow());
    return hands.at(-1)!;
  }, Promise.resolve(known));
  assert.deepEqual(await ask("format", { more: 1, text: "a" } as { text: string }), { text: "b" });
  const other = ask("format", { text: "c" });
  await new Promise((done) => setTimeout(done));
  hands[0]!.line({ answer: { text: "d" } });
  assert.deepEqual(await other, { text: "d" });
});
