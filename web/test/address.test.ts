/** Addresses of games: what is written is read again, and what nobody wrote is refused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentOf, type Place, placeOf } from "../src/address.ts";

const PLACES: [Place, string][] = [
  [{ at: "home" }, ""],
  [{ at: "new" }, "new"],
  [{ at: "game", name: "zola", view: "play", options: {}, line: null }, "/zola"],
  [{ at: "game", name: "zola", view: "write", options: { size: "4" }, line: null }, "/zola/write?o.size=4"],
  [
    {
      at: "game",
      name: "below/mine & more.rules",
      view: "play",
      options: { "größe": "a=b&c" },
      line: { seed: 7, start: "R. B?", moves: ["a1xb1", "put, b2 + 1", "e4/#"] },
    },
    "/below%2Fmine+%26+more.rules?o.gr%C3%B6%C3%9Fe=a%3Db%26c&seed=7&start=R.+B%3F&moves=a1xb1,put%2C+b2+%2B+1,e4%2F%23",
  ],
  [
    { at: "game", name: "zola", view: "play", options: {}, line: { seed: 0, start: "R", moves: [], before: 12 } },
    "/zola?start=R&before=12",
  ],
  [{ at: "shared", packed: "1.q1Yq", view: "play" }, "1.q1Yq"],
  [{ at: "shared", packed: "1.q1Yq", view: "write" }, "1.q1Yq/write"],
]; // biome-ignore format: a table

test("an address says where the page is, and is read again", () => {
  for (const [place, fragment] of PLACES) {
    assert.equal(fragmentOf(place), fragment);
    assert.deepEqual(placeOf(fragment), place);
  }
});

test("the beginning of a game is not told: it opens as it was left", () => {
  const line = { seed: 0, start: "", moves: [] };
  assert.equal(fragmentOf({ at: "game", name: "zola", view: "play", options: {}, line }), "/zola");
});

test("moves that make an address too long are left out", () => {
  const line = { seed: 0, start: "", moves: Array.from({ length: 4000 }, () => "a1-b2") };
  assert.equal(fragmentOf({ at: "game", name: "zola", view: "play", options: { size: "4" }, line }), "/zola?o.size=4");
});

test("an address that names nothing is refused", () => {
  for (const fragment of ["zola", "2.abc", "/?seed=1", "/%", "/zola?seed", "/zola?seed=x", "/zola?seed=12345678901234567",
    "/zola?moves=%E0%A4%A", "/a%00b", "<img>"]) // biome-ignore format: a table
    assert.equal(placeOf(fragment), null, fragment);
});
