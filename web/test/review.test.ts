import assert from "node:assert/strict";
import { test } from "node:test";
import { FALLS } from "../src/generated/constants.ts";
import { fallOf, Review } from "../src/store/review.ts";
import { settled, table, thought } from "./fake.ts";

/** A game of six moves, of which three were taken back. */
async function played() {
  const it = await table();
  it.play.game.value = { ...it.play.game.value!, players: [{ name: "Red" }, { name: "Blue" }] } as never;
  await it.play.playAll(["a", "b", "a", "b", "a", "a"]);
  await it.play.backTo(3);
  return { ...it, review: new Review(it.ask, it.play, it.thinking) };
}

test("a game is reviewed to its end, and says which moves lost much", async () => {
  const { review, calls, play } = await played();
  const running = review.run();
  const shares = [0.5, 0.5, 0.9, 0.1, 0.85, 0.4]; // of whoever is to move
  for (const [number, share] of shares.entries()) {
    await settled();
    assert.deepEqual(calls[number]!.asked.line.moves.length, number);
    assert.deepEqual(review.progress.value, { done: number, of: 7 });
    calls[number]!.answer({ ...thought("a"), share });
  }
  await running;
  assert.equal(review.progress.value, null);
  const { known, faults } = review.course.value!;
  assert.deepEqual(
    known.map((one) => Math.round(100 * one!.shares.Red!)),
    [50, 50, 90, 90, 85, 60, 50],
  );
  assert.deepEqual(
    faults.map((one) => [one.number, one.played.player, one.fall, one.better]),
    [[2, "Blue", "blunder", "A"]],
  );
  assert.equal(play.line.value.moves.length, 3); // the board stays where it is
});

test("a position stands between its two deepest searches, so that even and odd depths do not swing", async () => {
  const { review, calls, play } = await played();
  const running = review.run();
  await settled();
  for (const [depth, share] of [0.2, 0.8, 0.4].entries()) calls[0]!.heard({ ...thought("a"), depth: depth + 1, share });
  calls[0]!.answer({ ...thought("a"), depth: 3, share: 0.4 });
  await settled();
  calls[1]!.heard({ ...thought("a"), depth: 4, share: 0.4 });
  calls[1]!.answer({ ...thought("a"), depth: 5, share: 1, sure: true }); // what is proven is no estimate
  await settled();
  calls[2]!.answer(thought("a"));
  await settled();
  const { known } = review.course.value!;
  assert.deepEqual([known[0]!.shares.Red!.toFixed(2), known[1]!.shares.Red], ["0.60", 0]);
  play.game.value = null;
  for (const call of calls.slice(3)) call.answer(thought("a"));
  void running;
});

test("a review that is cancelled keeps what it has found, and goes on from there", async () => {
  const { review, calls, thinking } = await played();
  const running = review.run();
  await settled();
  calls[0]!.answer(thought("a"));
  await settled();
  thinking.cancel();
  await running;
  assert.deepEqual([calls[1]!.signal?.aborted, review.progress.value], [true, null]);
  void review.run();
  await settled();
  assert.deepEqual(calls[2]!.asked.line.moves, ["a"]);
});

test("a move is the worst that its loss reaches", () => {
  assert.equal(fallOf((FALLS.inaccuracy - 1) / 100), null);
  for (const [name, least] of Object.entries(FALLS)) assert.equal(fallOf(least / 100 + 0.001), name);
});
