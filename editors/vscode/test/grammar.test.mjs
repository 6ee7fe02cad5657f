/** Tokenizes rules with the grammar as VS Code does. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const here = new URL("../", import.meta.url);
const grammarText = readFileSync(new URL("syntaxes/pysolve-rules.tmLanguage.json", here), "utf-8");
await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(grammarText, "grammar.json"),
});
const grammar = await registry.loadGrammar("source.pysolve-rules");

/** Words with the first part of their scope; plain ones have "". */
function scopes(text) {
  const found = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes: all } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      const scope = all.at(-1).replace(".pysolve-rules", "");
      if (word) found.push([word, scope === "source" ? "" : scope]);
    }
  }
  return found;
}

function scopeOf(text, word) {
  return scopes(text).find(([one]) => one === word)?.[1];
}

test("sections and names", () => {
  assert.deepEqual(scopes("define lonely(c: cell) = true").slice(0, 2), [
    ["define", "keyword.declaration"],
    ["lonely", "entity.name.function"],
  ]);
  assert.equal(scopeOf("players White, Black", "players"), "keyword.declaration");
  assert.equal(scopeOf('replace board hex rhombus 3 by 4', "rhombus"), "keyword.control");
});

test("drawings have no comments", () => {
  const text = "board square 3 by 2\n  shape\n    # . #\n    # # #\nstuck draw";
  assert.equal(scopeOf(text, "# . #"), "string.unquoted.drawing");
  assert.equal(scopeOf(text, "stuck"), "keyword.declaration");
  assert.equal(scopeOf("players A, B  # two", "# two"), "comment.line.number-sign");
});

test("moves of examples", () => {
  const text = 'example "x"\n  play a1-a2, b1 b2\n  illegal c3 because "no"';
  assert.equal(scopeOf(text, "a1-a2"), "entity.name.label");
  assert.equal(scopeOf(text, "b1 b2"), "entity.name.label");
  assert.equal(scopeOf(text, "because"), "keyword.control");
  assert.equal(scopeOf(text, '"no"'), "string.quoted.double");
});

test("words of phrases are names elsewhere", () => {
  assert.equal(scopeOf("define x = first c: cell where true", "first"), "keyword.control");
  assert.ok(!scopeOf("define x = first + 1", "first"));
  assert.equal(scopeOf("  at: White \"w\" white disc", "white disc"), "support.constant.color");
  assert.ok(!scopeOf("define x = white", "white"));
});

test("all games can be coloured", () => {
  const games = new URL("../../rules/", here);
  for (const name of readdirSync(games).filter((one) => one.endsWith(".rules"))) {
    const found = scopes(readFileSync(new URL(name, games), "utf-8"));
    const coloured = found.filter(([, scope]) => scope).length;
    assert.ok(coloured > found.length / 3, `${name}: ${coloured} of ${found.length}`);
    assert.ok(!found.some(([word, scope]) => word.startsWith('"') && !scope.startsWith("string")), name);
  }
});
