// The Python and Prolog of a built playground, in node: questions on stdin, answers on stdout, a line of JSON each.
//   node playground.mjs FOLDER     a line is [question, asked]; its answer is [seconds, {"answer": …} or {"failure": …}]
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error).slice(-2000)); // without the line of code, which is a megabyte long
  process.exit(1);
});
// SWI-Prolog asks for these where it runs in node.
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = ".";

const folder = resolve(process.argv[2]);
const version = (await readdir(folder, { withFileTypes: true })).find((entry) => entry.isDirectory()).name;
const files = join(folder, version, "/");
const { start } = await import(`${files}runtime.mjs`);

const began = performance.now();
const { answer, memory } = await start({
  at: (name) => files + name,
  read: async (name) => {
    const data = await readFile(files + name);
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  },
});
console.log(JSON.stringify([seconds(began), { ready: memory() }]));
for await (const line of createInterface({ input: process.stdin })) {
  const [question, asked] = JSON.parse(line);
  const from = performance.now();
  const found = answer(
    question,
    JSON.stringify(asked),
    () => {},
    () => false,
  );
  console.log(`[${seconds(from)},${found}]`);
}

function seconds(from) {
  return Math.round(performance.now() - from) / 1000;
}
