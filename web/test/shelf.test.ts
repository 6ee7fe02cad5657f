/** What the browser keeps: bounded, checked, and the least worthy goes first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_KEPT, type Kept, LARGEST_KEPT, MOST_KEPT, Shelf, type Store } from "../src/store/shelf.ts";

/** A storage that has room for so many characters. */
function storage(room = Number.POSITIVE_INFINITY): Store & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get length() {
      return entries.size;
    },
    key: (number) => [...entries.keys()][number] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => {
      const others = [...entries].filter(([name]) => name !== key);
      if (others.reduce((sum, [, text]) => sum + text.length, value.length) > room) throw new Error("quota");
      entries.set(key, value);
    },
    removeItem: (key) => entries.delete(key),
  };
}

let clock = 0;

function game(name: string, some: Partial<Kept> = {}): Kept {
  clock += 1;
  const line = { seed: 0, start: "", moves: ["a"] };
  return { name, title: name, options: {}, line, seats: {}, draft: null, when: clock, ...some };
}

test("what is kept comes back, the latest first, and belongs to one place", () => {
  const store = storage();
  const shelf = new Shelf("here", store);
  const mine = game("mine.rules", {
    draft: { text: "game", digest: "" },
    seats: { Red: "easy" },
    options: { size: "4" },
  });
  shelf.keep(mine);
  shelf.keep(game("zola"));
  assert.deepEqual(shelf.of("mine.rules"), mine);
  assert.deepEqual(
    shelf.all().map(({ name }) => name),
    ["zola", "mine.rules"],
  );
  assert.deepEqual(new Shelf("there", store).all(), []);
  shelf.forget("zola");
  assert.equal(shelf.of("zola"), null);
});

test("there is room for some games: mere looks go first, then games, then texts, and what had a value is told", () => {
  const shelf = new Shelf("", storage());
  const draft = { text: "game", digest: "" };
  shelf.keep(game("text", { draft }));
  shelf.keep(game("look", { line: { seed: 0, start: "", moves: [] } }));
  for (let number = 0; number < MOST_KEPT - 2; number += 1) assert.deepEqual(shelf.keep(game(`game ${number}`)), []);
  assert.deepEqual(shelf.keep(game("next")), []);
  assert.equal(shelf.of("look"), null);
  assert.deepEqual(
    shelf.keep(game("another"))?.map(({ name }) => name),
    ["game 0"],
  );
  assert.ok(shelf.of("text"));
  assert.equal(shelf.all().length, MOST_KEPT);
});

test("sizes are bounded, of one game and of all", () => {
  const shelf = new Shelf("", storage());
  const text = "x".repeat(LARGEST_KEPT - 1_000);
  const draft = { text, digest: "" };
  assert.equal(shelf.keep(game("too large", { draft: { ...draft, text: `${text}${"x".repeat(1_000)}` } })), null);
  const gone: string[] = [];
  for (let number = 0; number < 8; number += 1)
    gone.push(...shelf.keep(game(`${number}`, { draft }))!.map(({ name }) => name));
  assert.ok(shelf.all().length * LARGEST_KEPT <= ALL_KEPT + LARGEST_KEPT);
  assert.deepEqual(gone, ["0", "1", "2"].slice(0, gone.length));
  assert.ok(gone.length >= 2);
});

test("where the storage is full, others make room, and else nothing is kept", () => {
  const shelf = new Shelf("", storage(500));
  assert.deepEqual(shelf.keep(game("one")), []);
  while (shelf.all().length < 3) assert.ok(shelf.keep(game(`${shelf.all().length}`)));
  const more = shelf.keep(game("more", { seats: { Red: "x".repeat(100) } }));
  assert.ok(more?.length);
  assert.ok(shelf.of("more"));
  assert.equal(shelf.keep(game("large", { draft: { text: "x".repeat(600), digest: "" } })), null);
  assert.equal(new Shelf("", null).keep(game("one")), null);
  assert.deepEqual(new Shelf("", null).all(), []);
});

test("what others have written there is no game", () => {
  const store = storage();
  const shelf = new Shelf("", store);
  shelf.keep(game("zola"));
  const right = JSON.parse(store.entries.get("pysolve.game./zola")!);
  const wrong: unknown[] = [
    null, [], "zola", 3, { ...right, title: 3 }, { ...right, when: "now" }, { ...right, when: null },
    { ...right, options: { size: 4 } }, { ...right, seats: ["easy"] }, { ...right, line: { seed: 0, moves: [] } },
    { ...right, line: { seed: 0.5, start: "", moves: [] } }, { ...right, draft: "game" }, { ...right, draft: { text: 1 } },
  ]; // biome-ignore format: a table
  for (const value of wrong) {
    store.entries.set("pysolve.game./zola", JSON.stringify(value));
    assert.equal(shelf.of("zola"), null, JSON.stringify(value));
  }
  for (const text of ["", "{", "nonsense", "x".repeat(LARGEST_KEPT + 1)]) {
    store.entries.set("pysolve.game./zola", text);
    assert.equal(shelf.of("zola"), null);
  }
  store.entries.set("pysolve.game./zola", JSON.stringify({ ...right, more: 1, line: { ...right.line, more: 1 } }));
  assert.deepEqual(shelf.of("zola"), { ...right, name: "zola" });
});
