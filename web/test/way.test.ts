/** Who sits down where a game is opened. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Description } from "../src/protocol.ts";
import { seated } from "../src/way.ts";

const game = { players: [{ name: "Red" }, { name: "Blue" }, { name: "Green" }], levels: { easy: "random" } };

test("whoever begins is a person, and the others are of the level", () => {
  const found = game as unknown as Description;
  assert.deepEqual(seated(found, "Blue", "easy"), { Red: "easy", Green: "easy" });
  assert.deepEqual(seated(found, undefined, "easy"), { Blue: "easy", Green: "easy" });
  assert.deepEqual(seated(found, "Blue", ""), {});
  assert.deepEqual(seated(found, "Blue", "hard"), {}); // which the game does not have
  assert.deepEqual(seated({ ...found, players: found.players.slice(0, 1) }, "Red", "easy"), {});
});
