import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, timeOf } from "../src/store/clock.ts";
import { settled, table } from "./fake.ts";

/** A clock of one minute and two seconds a turn, whose time passes as the test says. */
async function timed() {
  const { play } = await table();
  const time = { now: 0 };
  let ticks = 0;
  const clock = new Clock(
    play,
    () => time.now,
    () => {
      ticks += 1;
      return () => {
        ticks -= 1;
      };
    },
  );
  clock.set(1, 2);
  return { play, clock, time, ticking: () => ticks };
}

test("time passes for whoever is to move, from the first move on", async () => {
  const { play, clock, time } = await timed();
  time.now = 5000;
  await play.play("a"); // nobody's time has passed
  await settled();
  time.now = 15_000;
  await play.play("b");
  await settled();
  assert.deepEqual([clock.leftOf("Red"), clock.leftOf("Blue")], [60_000, 52_000]);
  time.now = 16_000;
  clock.tick();
  assert.equal(clock.leftOf("Red"), 59_000);
});

test("whose time is over has lost, until a new game begins", async () => {
  const { play, clock, time, ticking } = await timed();
  await play.play("a");
  await settled();
  assert.equal(ticking(), 1);
  time.now = 61_000;
  clock.tick();
  assert.deepEqual([clock.over.value, clock.leftOf("Blue"), ticking()], ["Blue", 0, 0]);
  await play.restart();
  await settled();
  assert.deepEqual([clock.over.value, clock.leftOf("Blue")], [null, 60_000]);
});

test("the clock stands while somebody looks at earlier positions", async () => {
  const { play, clock, time, ticking } = await timed();
  await play.play("a");
  await settled();
  await play.back();
  await settled();
  assert.equal(ticking(), 0);
  time.now = 90_000;
  clock.tick();
  assert.equal(clock.over.value, null);
});

test("a program takes a share of its time", async () => {
  const { clock } = await timed();
  assert.equal(clock.share("Blue", 10), 60 / 25 + 1.6);
  assert.equal(clock.share("Blue", 1), 1);
  clock.set(0, 0);
  assert.equal(clock.share("Blue", 10), 10);
});

test("time is written in minutes, and in tenths at the end", () => {
  assert.deepEqual([timeOf(725_000), timeOf(60_000), timeOf(9250)], ["12:05", "1:00", "9.3"]);
});
