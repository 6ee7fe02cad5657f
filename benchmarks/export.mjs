// Answers questions about an exported game in node: argument 1 is the core, 2 what the game carries, 3 the questions as
// JSON.  Prints for each the CPU time of the best of five rounds in milliseconds, and the answer.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [, , coreFile, gameFile, questions] = process.argv;
vm.runInThisContext(`${readFileSync(coreFile, "utf8")};globalThis.PysolveCore = PysolveCore`, { filename: coreFile });
const { opened } = globalThis.PysolveCore;
const exported = JSON.parse(readFileSync(gameFile, "utf8"));
const answers = await opened(exported);

const found = JSON.parse(questions).map(({ question, asked }) => {
  let best = Number.POSITIVE_INFINITY;
  let answer;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    answer = answers.answer(question, asked);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return { milliseconds: best, answer };
});
process.stdout.write(JSON.stringify(found));
