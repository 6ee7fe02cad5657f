/** A worker of the playground: it answers one question after the other. */

import type { FromWorker, ToWorker } from "./lane.ts";
import { start } from "./runtime.ts";

const MUCH = 250_000_000; // bytes of Prolog, after which another worker takes over: clauses of games are never given back

const here = new URL(".", import.meta.url).href;
const ready = start({
  at: (name) => here + name,
  read: async (name) => {
    const answer = await fetch(here + name);
    if (!answer.ok) throw new Error(`${name} is missing: ${answer.status}`);
    return answer.arrayBuffer();
  },
});

const tell = (message: FromWorker): void => postMessage(message);

ready.then(
  () => tell({ ready: true }),
  (error) => tell({ broken: String(error) }),
);

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  const { answer, memory } = await ready;
  try {
    const line = answer(
      data.question,
      data.asked,
      (part) => tell({ number: data.number, line: part }),
      () => withdrawn(data.ticket),
    );
    tell({ number: data.number, line });
    if (memory() > MUCH) tell({ tired: true });
  } catch (error) {
    tell({ broken: String(error) }); // Python itself is at its end: no question can be answered any more
  }
});

/**
 * Whether the page has withdrawn a question.  No message can arrive while Python computes, but a request can be made:
 * the ticket is the address of a blob, which is there until the page revokes it.
 */
function withdrawn(ticket: string): boolean {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", ticket, false);
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}
