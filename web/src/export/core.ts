/** The core of an exported game, for a worker and for tests in node. */

import { Answers } from "./answers.ts";
import type { Exported } from "./exported.ts";
import { type Image, Trouble } from "./machine.ts";
import { compiled, images } from "./packed.ts";

export { Trouble };

/** Answers by an exported game. */
export async function opened(exported: Exported): Promise<Answers> {
  return new Answers(exported, await compiled(exported.programs), await images(exported.learned));
}

/** What a page sends: first what the game is, then questions. */
export type Sent =
  | { exported: Exported; modules: WebAssembly.Module[]; learned: Record<string, Image> }
  | { id: number; question: string; asked: Record<string, unknown> };

/** What it hears of a question. */
export type Told = { id: number; part: unknown } | { id: number; answer: unknown } | { id: number; failure: unknown };

/** Answers questions in a worker. */
export function serve(scope: { onmessage: unknown; postMessage: (told: Told) => void }): void {
  let answers: Answers | undefined;
  scope.onmessage = ({ data }: { data: Sent }) => {
    if ("exported" in data) {
      answers = new Answers(data.exported, data.modules, data.learned);
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
