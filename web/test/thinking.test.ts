import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, table, thought } from "./fake.ts";

/** Blue is a program; Red has moved, so it thinks. */
async function thinking() {
  const it = await table();
  it.thinking.seats.value = { Blue: "easy" };
  await it.play.play("a");
  await settled();
  return it;
}

test("the program moves when it is its turn, by the player of that seat", async () => {
  const { calls, play, thinking: it } = await thinking();
  assert.deepEqual(
    calls.map((call) => [call.question, call.asked.player, call.asked.line.moves]),
    [["choose", "easy", ["a"]]],
  );
  assert.equal(it.purpose.value, "move");
  calls[0]!.answer(thought("b"));
  await settled();
  assert.deepEqual(play.line.value.moves, ["a", "b"]);
  assert.equal(it.purpose.value, null);
  assert.equal(calls.length, 1);
});

test("programs that an address seats wait until a person starts them", async () => {
  const { calls, play, thinking: it } = await table();
  it.seatStrangers({ Red: "minimax:time=100000,threads=256", Blue: "easy" });
  await settled();
  assert.deepEqual([calls.length, it.waiting.value, it.strange.value], [0, true, true]);
  await play.play("a"); // a person moves for one of them
  await settled();
  assert.equal(calls.length, 0);
  void it.proceed();
  await settled();
  assert.deepEqual([calls.length, it.strange.value], [1, false]);
  it.pause();
  assert.equal(it.strange.value, false);
  it.seatStrangers({ Red: "", Blue: "" });
  assert.deepEqual([it.paused.value, it.strange.value], [false, false]);
});

test("what was thought about a game is not said of the next one", async () => {
  const { calls, play, thinking: it } = await thinking();
  calls[0]!.answer(thought("b"));
  await settled();
  assert.notEqual(it.thought.value, null);
  await play.restart();
  assert.deepEqual([it.thought.value, it.of.value], [null, null]);
});

test("two programs play on until the game is over", async () => {
  const { calls, play, thinking: it } = await table();
  it.seats.value = { Red: "easy", Blue: "hard" };
  for (let move = 0; move < 6; move += 1) {
    await settled();
    calls[move]!.answer(thought("a"));
  }
  await settled();
  assert.deepEqual(
    calls.map((call) => call.asked.player),
    ["easy", "hard", "easy", "hard", "easy", "hard"],
  );
  assert.ok(play.state.value?.outcome);
  assert.equal(it.busy.value, false);
});

test("going back stops the program, and it does not move there by itself", async () => {
  const { calls, play, thinking: it } = await thinking();
  calls[0]!.answer(thought("b"));
  await settled();
  await play.back();
  await settled();
  assert.deepEqual([calls.length, it.waiting.value], [1, true]);
  void it.proceed();
  await settled();
  assert.deepEqual([calls.length, it.waiting.value], [2, false]);
  calls[1]!.answer(thought("a"));
  await settled();
  assert.deepEqual(play.line.value.moves, ["a", "a"]);
  assert.equal(play.root.value!.next[0]!.next.length, 2);
});

test("a program that goes on replays what is known, and does not stop there", async () => {
  const { calls, play, thinking: it } = await table();
  it.seats.value = { Red: "easy", Blue: "easy" };
  for (let move = 0; move < 2; move += 1) {
    await settled();
    calls[move]!.answer(thought("a"));
  }
  await settled();
  await play.go(play.root.value!);
  await settled();
  assert.equal(it.waiting.value, true);
  void it.proceed();
  await settled();
  calls.at(-1)!.answer(thought("a"));
  await settled();
  assert.deepEqual([play.line.value.moves, it.waiting.value, it.purpose.value], [["a"], false, "move"]);
});

test("a person who plays a known move again is answered again", async () => {
  const { calls, play, thinking: it } = await thinking();
  calls[0]!.answer(thought("b"));
  await settled();
  await it.undo();
  await play.play("a");
  await settled();
  assert.deepEqual([calls.length, calls[1]!.asked.line.moves], [2, ["a"]]);
});

test("stepping forward to where the program is to move leaves the move to people", async () => {
  const { play, thinking: it } = await thinking();
  await play.back();
  await play.forward();
  await settled();
  assert.deepEqual([it.waiting.value, it.busy.value], [true, false]);
});

test("undo takes back what the program answered, too; a new move is answered again", async () => {
  const { calls, play, thinking: it } = await thinking();
  calls[0]!.answer(thought("b"));
  await settled();
  await it.undo();
  await settled();
  assert.deepEqual([play.line.value.moves, calls.length], [[], 1]);
  await play.play("b");
  await settled();
  assert.deepEqual(calls[1]!.asked.line.moves, ["b"]);
});

test("without programs, undo takes back one move", async () => {
  const { play, thinking: it } = await table();
  await play.playAll(["a", "b", "a"]);
  await it.undo();
  assert.deepEqual(play.line.value.moves, ["a", "b"]);
});

test("a late answer about another position plays nothing", async () => {
  const { calls, play, thinking: it } = await thinking();
  await play.back();
  await settled();
  assert.equal(calls[0]!.signal?.aborted, true);
  calls[0]!.heard(thought("b"));
  calls[0]!.answer(thought("b"));
  await settled();
  assert.deepEqual([play.line.value.moves, it.thought.value], [[], null]);
});

test("cancel makes the program wait until it is told to go on", async () => {
  const { calls, thinking: it } = await thinking();
  it.cancel();
  await settled();
  assert.deepEqual([calls.length, it.busy.value, it.paused.value, it.waiting.value], [1, false, true, true]);
  void it.proceed();
  await settled();
  assert.deepEqual([calls.length, it.paused.value], [2, false]);
});

test("a failure is said once, and the program waits", async () => {
  const { calls, thinking: it } = await thinking();
  calls[0]!.fail({ kind: "limit", message: "too many positions" });
  await settled();
  assert.deepEqual([it.trouble.value, it.waiting.value, calls.length], ["too many positions", true, 1]);
  void it.proceed();
  await settled();
  assert.equal(it.trouble.value, "");
});

test("a person who takes the seat of a thinking program ends that", async () => {
  const { calls, thinking: it } = await thinking();
  assert.equal(await it.seat("Blue", ""), true);
  await settled();
  assert.deepEqual([calls[0]!.signal?.aborted, it.busy.value, it.waiting.value], [true, false, false]);
});

test("a text that names no player is refused with the message of the service", async () => {
  const { calls, thinking: it } = await table();
  const seated = it.seat("Blue", "minmax");
  calls[0]!.fail({ kind: "asked", message: 'there is no player "minmax"' });
  assert.equal(await seated, false);
  assert.deepEqual([it.seats.value, it.wrong.value], [{}, { Blue: 'there is no player "minmax"' }]);
  const again = it.seat("Blue", "minimax");
  calls[1]!.heard(thought("a"));
  assert.equal(await again, true);
  assert.deepEqual([it.seats.value, it.wrong.value], [{ Blue: "minimax" }, {}]);
  assert.equal(calls[1]!.signal?.aborted, true);
});

test("analysis follows the board, and ends where nothing more can be found", async () => {
  const { calls, play, thinking: it } = await table();
  it.analysing.value = true;
  await settled();
  assert.deepEqual([calls[0]!.question, it.purpose.value], ["analyse", "analysis"]);
  calls[0]!.heard({ ...thought("b"), depth: 3 });
  assert.equal(it.thought.value?.depth, 3);
  await play.play("a");
  await settled();
  assert.deepEqual([calls[0]!.signal?.aborted, calls[1]!.asked.line.moves], [true, ["a"]]);
  calls[1]!.answer(thought("a"));
  await settled();
  assert.deepEqual([calls.length, it.busy.value, it.thought.value?.move], [2, false, "a"]);
});

test("an analysis tells as many lines as are wanted, and begins anew with another number", async () => {
  const { calls, play, thinking: it } = await table();
  it.analysing.value = true;
  await settled();
  assert.equal(calls[0]!.asked.lines, undefined);
  it.tellLines(3);
  await settled();
  assert.deepEqual([calls[0]!.signal?.aborted, calls[1]!.asked.lines], [true, 3]);
  calls[1]!.heard({ ...thought("b"), lines: [thought("b"), thought("a")] });
  assert.deepEqual(
    it.shown.value.map((one) => one.move),
    ["b", "a"],
  );
  await play.play("a");
  assert.deepEqual(it.shown.value, []);
});

test("analysis that fails is not tried again at the same position", async () => {
  const { calls, thinking: it } = await table();
  it.analysing.value = true;
  await settled();
  calls[0]!.fail({ kind: "asked", message: "these rules evaluate nothing" });
  await settled();
  assert.deepEqual([calls.length, it.trouble.value], [1, "these rules evaluate nothing"]);
});

test("a count takes the place of the analysis, which then goes on", async () => {
  const { calls, thinking: it } = await table();
  it.analysing.value = true;
  await settled();
  let done: (value: string) => void = assert.fail;
  const answer = new Promise<string>((answered) => {
    done = answered;
  });
  const count = it.errand("count", () => answer, assert.fail);
  await settled();
  assert.deepEqual([calls[0]!.signal?.aborted, it.purpose.value], [true, "count"]);
  done("three");
  assert.equal(await count, "three");
  await settled();
  assert.deepEqual([calls.length, it.purpose.value], [2, "analysis"]);
});

test("a count ends when the board moves on, a match does not", async () => {
  const { play, thinking: it } = await table();
  const signals: AbortSignal[] = [];
  const never = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>(() => {});
  };
  void it.errand("count", never, assert.fail);
  await play.play("a");
  await settled();
  void it.errand("match", never, assert.fail);
  await play.play("a");
  await settled();
  assert.deepEqual([signals[0]!.aborted, signals[1]!.aborted, it.purpose.value], [true, false, "match"]);
});

test("the program waits for a match that somebody asked for, and then moves", async () => {
  const { calls, thinking: it } = await thinking();
  let done: (value: string) => void = assert.fail;
  const answer = new Promise<string>((answered) => {
    done = answered;
  });
  void it.errand("match", () => answer, assert.fail);
  await settled();
  assert.deepEqual([calls[0]!.signal?.aborted, it.purpose.value, it.waiting.value], [true, "match", false]);
  done("over");
  await settled();
  assert.deepEqual([calls.length, it.purpose.value], [2, "move"]);
});

test("a hint holds the things beside the board that its move needs", async () => {
  const { calls, play, thinking: it } = await table();
  const state = play.at.value!.state!;
  const look = { parts: [], label: "" };
  const things = ["card Tiger", "card Crab"].map((value) => ({ look, count: 1, value, note: "" }));
  const asides = [{ title: "hand", text: "", groups: [{ label: "", player: "", things }] }];
  const move = { ...state.moves[0]!, cells: ["c1", "c2"], values: ["card Crab"] };
  play.at.value = { ...play.at.value!, state: { ...state, asides, moves: [move] } };
  const hint = it.hint();
  await settled();
  calls[0]!.answer(thought(move.text));
  await hint;
  assert.deepEqual(play.held.value, ["card Crab", "c1"]);
  assert.deepEqual(play.pointed.value, ["c1", "c2", "card Crab"]);
});

test("a hint shows the move until the board moves on", async () => {
  const { calls, play, thinking: it } = await table();
  const hint = it.hint();
  await settled();
  assert.deepEqual([calls[0]!.question, calls[0]!.asked.seconds], ["analyse", 2]);
  calls[0]!.answer(thought("b"));
  await hint;
  assert.equal(it.hinted.value?.move, "b");
  await play.play("a");
  await settled();
  assert.equal(it.hinted.value, null);
});

test("who sits down last stays, even if an earlier player is looked up for longer", async () => {
  const { calls, thinking: it } = await table();
  const first = it.seat("Blue", "hard");
  const second = it.seat("Blue", "easy");
  calls[1]!.heard(thought("a"));
  assert.equal(await second, true);
  calls[0]!.heard(thought("a"));
  assert.equal(await first, false);
  assert.deepEqual(it.seats.value, { Blue: "easy" });
});

test("a rematch begins anew with the same players, or with changed sides", async () => {
  const { calls, play, thinking: it } = await thinking();
  play.game.value = { ...play.game.value!, players: [{ name: "Red" }, { name: "Blue" }] } as never;
  await it.rematch();
  assert.deepEqual([play.line.value.moves, it.seats.value], [[], { Blue: "easy" }]);
  await it.rematch(true);
  await settled();
  assert.deepEqual(it.seats.value, { Red: "easy", Blue: "" });
  assert.deepEqual(calls.at(-1)!.asked.line.moves, []); // the program begins
});

test("a puzzle is solved before the eyes of the reader, or the page says that it was not", async () => {
  const { calls, play, thinking: it } = await table();
  const solving = it.solve();
  await settled();
  assert.deepEqual([calls[0]!.question, it.purpose.value], ["analyse", "solve"]);
  calls[0]!.answer({ ...thought("a"), sure: true, share: 1, moves: ["a", "b", "a"] });
  await solving;
  assert.deepEqual(play.line.value.moves, ["a", "b", "a"]);
  const again = it.solve();
  await settled();
  calls[1]!.answer(thought("a"));
  await again;
  assert.equal(it.trouble.value, "No solution was found in 60 seconds.");
});
