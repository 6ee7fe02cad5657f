// Plays an exported game in node: argument 1 is the core, 2 what the game carries; each line of stdin is a request.
//   {"question", "asked"}               -> {"answer"} or {"failure"}, with the parts that were heard
//   {"games": [seeds], "longest"}       -> {"digests"}: of all that is said of each position of random games
//   {"game": seed, "longest"}           -> {"told"}: the same, position by position
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import vm from "node:vm";

const [, , coreFile, gameFile] = process.argv;
vm.runInThisContext(`${readFileSync(coreFile, "utf8")};globalThis.PysolveCore = PysolveCore`, { filename: coreFile });
const { opened, Trouble } = globalThis.PysolveCore;
const exported = JSON.parse(readFileSync(gameFile, "utf8"));
const answers = await opened(exported);
const { game } = answers;

const OFTEN = 32; // positions of which one is looked at in all detail

/** What is said of a position; of some also what lies where. */
function told(position, ply) {
  const { outcome } = position;
  const texts = position.codes.map((code) => game.move(code).text);
  const said = [Buffer.from(position.state).toString("hex"), texts.join(","), outcome ? `${outcome.text}|${outcome.line ?? ""}` : ""];
  if (ply % OFTEN === 0 || outcome) {
    const { state } = position;
    const moves = position.weights ? [] : position.codes.map((code) => game.move(code));
    said.push(JSON.stringify([game.looks(state), game.ties(state), game.marks(state), game.beside(state), game.facts(state), game.asides(state), game.outs(state), game.line(state), moves]));
  }
  return said.join("\n");
}

/** The positions of a random game. */
function* played(seed, longest) {
  let lots = seed >>> 0;
  let position = answers.first({ seed, start: "", moves: [] });
  for (let ply = 0; ; ply++) {
    yield told(position, ply);
    const { codes } = position;
    if (!codes.length || position.outcome || ply === longest) return;
    lots = (Math.imul(lots, 1664525) + 1013904223) >>> 0;
    position = position.play(codes[Math.floor((lots * codes.length) / 2 ** 32)]);
  }
}

function digest(seed, longest) {
  const hash = createHash("sha256");
  for (const one of played(seed, longest)) hash.update(`${one}\n`);
  return hash.digest("hex");
}

function reply(request) {
  if (request.games) return { digests: request.games.map((seed) => digest(seed, request.longest)) };
  if ("game" in request) return { told: [...played(request.game, request.longest)] };
  const parts = [];
  try {
    return { answer: answers.answer(request.question, request.asked, (part) => parts.push(part)), parts };
  } catch (error) {
    return { failure: { kind: error instanceof Trouble ? error.kind : "internal", message: `${error.message}` }, parts };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = JSON.stringify(reply(JSON.parse(line)), (_, value) => (typeof value === "bigint" ? String(value) : value));
  process.stdout.write(`${answer}\n`);
}
