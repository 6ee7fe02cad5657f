/** The core of an exported game, for a worker and for tests in node. */

import { Answers } from "./answers.ts";
import type { Exported } from "./exported.ts";
import { Trouble } from "./machine.ts";

export { Answers, Trouble };

/** What a page sends: first what the game is, then questions. */
export type Sent =
  | { exported: Exported; modules: WebAssembly.Module[] }
  | { id: number; question: string; asked: Record<string, unknown> };

/** What it hears of a question. */
export type Told = { id: number; part: unknown } | { id: number; answer: unknown } | { id: number; failure: unknown };

/** The programs of a game, compiled. */
export async function modules(programs: string[]): Promise<WebAssembly.Module[]> {
  return Promise.all(programs.map(async (packed) => WebAssembly.compile(await inflated(packed))));
}

/** Bytes that were deflated and written as base64. */
export async function inflated(packed: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** Answers questions in a worker. */
export function serve(scope: { onmessage: unknown; postMessage: (told: Told) => void }): void {
  let answers: Answers | undefined;
  scope.onmessage = ({ data }: { data: Sent }) => {
    if ("exported" in data) {
      answers = new Answers(data.exported, data.modules);
      return;
    }
    const { id, question, asked } = data;
    try {
      scope.postMessage({ id, answer: answers!.answer(question, asked, (part) => scope.postMessage({ id, part })) });
    } catch (error) {
      scope.postMessage({ id, failure: failureOf(error) });
    }
  };
}

function failureOf(error: unknown): { kind: string; message: string } {
  if (error instanceof Trouble) return { kind: error.kind, message: error.message };
  const deep = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
  return deep
    ? { kind: "limit", message: "there is not enough memory for this" }
    : { kind: "internal", message: `${error}` };
}
