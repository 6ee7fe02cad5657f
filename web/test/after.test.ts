import assert from "node:assert/strict";
import { test } from "node:test";
import type { Description } from "../src/protocol.ts";
import { nextLevel } from "../src/store/levels.ts";

function puzzle(...options: [name: string, values: string[]][]): Description {
  const made = options.map(([name, values]) => ({ name, value: values[0] ?? "1", values, about: "" }));
  return { players: [{ name: "Solver", colour: "" }], options: made } as unknown as Description;
}

test("the next level is the next value of the option that counts levels", () => {
  const discs = puzzle(["discs", ["1", "2", "3"]]);
  assert.deepEqual(nextLevel(discs, { discs: "2" }), ["discs", "3"]);
  assert.equal(nextLevel(discs, { discs: "3" }), null);
  const level = puzzle(["size", ["3", "4"]], ["level", ["1", "2"]]);
  assert.deepEqual(nextLevel(level, {}), ["level", "2"]);
  assert.equal(nextLevel(puzzle(["width", ["2", "3"]], ["height", ["2", "3"]]), {}), null);
  assert.equal(nextLevel({ ...discs, players: [...discs.players, ...discs.players] }, {}), null);
});
