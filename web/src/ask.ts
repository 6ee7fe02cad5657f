/** Questions over HTTP: `POST ask/NAME` with a JSON body, answered by lines of JSON. */

import { type Ask, AskError, type Failure, type Heard } from "./protocol.ts";
import { lose } from "./store/connection.ts";

const LOST: Failure = {
  kind: "internal",
  message: "The connection to pysolve is lost. Is `pysolve web` still running?",
};

const HELLO = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
const PAGE = Math.random().toString(36).slice(2); // by which the server knows the questions of one page

export function askOver(address: string): Ask {
  const gone = (signal?: AbortSignal): AskError => {
    if (signal?.aborted) return new AskError({ kind: "cancelled", message: "cancelled" });
    lose(async () => Boolean(await fetch(`${address}ask/hello`, HELLO)));
    return new AskError(LOST);
  };
  return async (question, asked, how = {}) => {
    let answer: Response;
    try {
      answer = await fetch(`${address}ask/${question}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-page": PAGE },
        body: JSON.stringify(asked),
        ...(how.signal && { signal: how.signal }),
      });
    } catch {
      throw gone(how.signal);
    }
    try {
      for await (const line of lines(answer)) {
        const heard = JSON.parse(line) as Heard;
        if ("failure" in heard) throw new AskError(heard.failure);
        if ("answer" in heard) return heard.answer as never;
        how.heard?.(heard.part as never);
      }
    } catch (error) {
      if (error instanceof AskError) throw error;
      throw gone(how.signal);
    }
    throw gone();
  };
}

async function* lines(answer: Response): AsyncGenerator<string> {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const found = (rest + value).split("\n");
    rest = found.pop() ?? "";
    yield* found.filter(Boolean);
  }
  if (rest) yield rest;
}
