// The Python and Prolog of a playground, in node: for what is answered when it is built, and for the tests.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Starts what lies in a folder of built files; the same as `start` in src/playground/runtime.ts. */
export async function startIn(folder) {
  // SWI-Prolog asks for these where it runs in node.
  globalThis.require ??= createRequire(import.meta.url);
  globalThis.__dirname ??= ".";
  const { start } = await import(join(folder, "runtime.mjs"));
  return start({
    at: (name) => join(folder, "/") + name,
    read: async (name) => {
      const data = await readFile(join(folder, name));
      return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    },
  });
}

/** The line with which a question is answered: `{"answer": …}` or `{"failure": …}`. */
export function answerOf({ answer }, question, asked) {
  return answer(
    question,
    JSON.stringify(asked),
    () => {},
    () => false,
  );
}
