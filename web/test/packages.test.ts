/** Which Python the playground takes its packages from. */

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error a script without types
import { packages, pythons } from "../packages.mjs";

test("a Python that is named is the only one, the environment of the project comes before that of the machine", () => {
  assert.deepEqual(pythons({ PYTHON: "/my/python", VIRTUAL_ENV: "/active" }), ["/my/python"]);
  const found: string[] = pythons({ VIRTUAL_ENV: "/active" });
  const places = ["/active/bin/python", "/.venv/bin/python", "python3"];
  const order = places.map((place) => found.findIndex((python) => python.endsWith(place)));
  assert.ok(!order.includes(-1), String(found));
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
});

test("without the packages it is said what to install", () => {
  assert.throws(() => packages(["/nowhere/python"]), /no Python has the packages .*pip install -e/);
});
