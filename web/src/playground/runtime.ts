/**
 * Python and Prolog as WebAssembly, with pysolve in them: a question goes in as JSON, the answer comes out as JSON.
 * It runs in a worker of the page, and in node for the tests.
 */

import type { loadPyodide } from "pyodide";
import makeSwipl from "swipl-wasm/dist/swipl/swipl-web.js";
import { type MakeSwipl, type Prolog, startProlog } from "./prolog.ts";

/** The files of the playground. */
export interface Files {
  /** Where a file lies: an address, or a path in node. */
  at(name: string): string;
  read(name: string): Promise<ArrayBuffer>;
}

/** Answers with a line of JSON, `{"answer": …}` or `{"failure": …}`; `heard` gets lines `{"part": …}` before. */
export type Answer = (
  question: string,
  asked: string,
  heard: (part: string) => void,
  cancelled: () => boolean,
) => string;

export interface Pysolve {
  answer: Answer;
  /** Bytes that Prolog holds. */
  memory(): number;
}

declare const SITE: string; // where pysolve lies: playground.mjs says it
const START = `
import sys
sys.path.insert(0, "${SITE}")
from pysolve.service.browser import answerer
answerer
`;
type Python = Awaited<ReturnType<typeof loadPyodide>>;

export async function start(files: Files): Promise<Pysolve> {
  const [python, prolog] = await Promise.all([startPython(files), startSwipl(files)]);
  return {
    answer: python.runPython(START)(prolog) as Answer,
    memory: () => prolog.memory.buffer.byteLength,
  };
}

async function startSwipl(files: Files): Promise<Prolog> {
  const [code, library] = await Promise.all([files.read("swipl-web.wasm"), files.read("swipl-web.data")]);
  return startProlog(makeSwipl as unknown as MakeSwipl, await WebAssembly.compile(code), library);
}

async function startPython(files: Files): Promise<Python> {
  const site = files.read("site.zip");
  const pyodide = (await import(files.at("pyodide.mjs"))) as { loadPyodide: typeof loadPyodide };
  const python = await pyodide.loadPyodide({
    indexURL: files.at(""),
    stdLibURL: files.at("python.zip"),
    env: { HOME: "/home/pyodide", XDG_CACHE_HOME: `${SITE}/cache` },
  });
  python.unpackArchive(new Uint8Array(await site), "zip", { extractDir: SITE });
  makePrivate(python, `${SITE}/cache/pysolve`);
  return python;
}

/** pysolve trusts a kept parser only where nobody else can have written it. */
function makePrivate(python: Python, folder: string): void {
  python.FS.chmod(folder, 0o700);
  for (const name of python.FS.readdir(folder)) if (!name.startsWith(".")) python.FS.chmod(`${folder}/${name}`, 0o600);
}
