/** Addresses: what is shared comes back, and whatever is damaged is refused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { packed, type Shared, unpacked } from "../src/share.ts";

const SHARED: Shared = {
  name: "mine.rules",
  text: 'game "Ä ≠ 🂡 <img onerror=alert(1)>"\n',
  options: { size: "8" },
  line: { seed: 7, start: "", moves: ["a1-a2", "b1 east"] },
  seats: { Red: "minimax:depth=3" },
};

/** Any value in the form of an address. */
function inAddress(value: unknown): Promise<string> {
  return packed(value as Shared);
}

test("what is shared comes back", async () => {
  const fragment = await packed(SHARED);
  assert.match(fragment, /^1\.[A-Za-z0-9_-]+$/);
  assert.deepEqual(await unpacked(fragment), SHARED);
});

test("a shipped game goes by its name", async () => {
  const { text: _, ...byName } = SHARED;
  assert.deepEqual(await unpacked(await packed(byName)), byName);
});

test("broken and long rules come back, and repetition costs little", async () => {
  const long = { ...SHARED, text: "move !! \n".repeat(10_000) };
  const fragment = await packed(long);
  assert.ok(fragment.length < 2_000);
  assert.deepEqual(await unpacked(fragment), long);
});

test("a damaged address is refused, wherever it is damaged", async () => {
  const fragment = await packed(SHARED);
  for (let place = 0; place < fragment.length; place += 7) {
    const letter = fragment[place] === "A" ? "B" : "A";
    const found = await unpacked(fragment.slice(0, place) + letter + fragment.slice(place + 1));
    assert.ok(found === null || typeof found.name === "string");
  }
  assert.equal(await unpacked(fragment.slice(0, -4)), null);
  assert.equal(await unpacked(`${fragment}!`), null);
});

test("other versions and plain anchors are refused", async () => {
  for (const fragment of ["", "zola", "2.abc", "1.", "1.%00", (await packed(SHARED)).slice(2)])
    assert.equal(await unpacked(fragment), null, fragment);
});

test("an address whose parts have other types is refused", async () => {
  const wrong: unknown[] = [
    null, [], "zola", {}, { ...SHARED, name: 3 }, { ...SHARED, text: ["game"] }, { ...SHARED, options: { size: 8 } },
    { ...SHARED, options: ["size"] }, { ...SHARED, seats: null }, { ...SHARED, line: { seed: 0, moves: [] } },
    { ...SHARED, line: { seed: 1.5, start: "", moves: [] } }, { ...SHARED, line: { seed: 0, start: "", moves: [1] } },
  ]; // biome-ignore format: a table
  for (const value of wrong) assert.equal(await unpacked(await inAddress(value)), null, JSON.stringify(value));
});

test("nothing but the parts of a shared page comes back", async () => {
  assert.deepEqual(await unpacked(await inAddress({ ...SHARED, __proto__: { a: 1 }, more: "x" })), SHARED);
});

test("an address that unfolds to very much is refused", async () => {
  assert.equal(await unpacked(await packed({ ...SHARED, text: "x".repeat(3_000_000) })), null);
});
