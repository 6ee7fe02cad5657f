// Asks a built playground in node: questions on stdin, answers on stdout, a line of JSON each.
//   node playground.mjs FOLDER     a line is [question, asked]; its answer [seconds, {"answer": …} or {"failure": …}],
//                                in CPU time
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { answerOf, startIn } from "../node.mjs";

process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error).slice(-2000)); // without the line of code, which is a megabyte long
  process.exit(1);
});

const folder = resolve(process.argv[2]);
const version = (await readdir(folder, { withFileTypes: true })).find((entry) => entry.isDirectory()).name;
const began = process.cpuUsage();
const started = await startIn(join(folder, version));
console.log(JSON.stringify([seconds(began), { ready: started.memory() }]));
for await (const line of createInterface({ input: process.stdin })) {
  const from = process.cpuUsage();
  const found = answerOf(started, ...JSON.parse(line));
  console.log(`[${seconds(from)},${found}]`);
}

function seconds(from) {
  const { user, system } = process.cpuUsage(from);
  return Math.round((user + system) / 1000) / 1000;
}
