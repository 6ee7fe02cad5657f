/**
 * Questions to the workers of the playground: quick ones to one worker, long ones to another, which is started when the
 * first of them is asked, so that the board answers while somebody thinks.
 */

import { askAgain } from "../again.ts";
import { LONG, MOST_SECONDS } from "../generated/constants.ts";
import type { Ask, Question } from "../protocol.ts";
import { type Hand, Lane } from "./lane.ts";

const SLOW: ReadonlySet<Question> = new Set(LONG);
const SECOND = 1000;

/** Long ones have a worker of their own; but how a game with secrets stands is known to the quick one alone. */
function takesLong(question: Question, asked: unknown): boolean {
  const { line } = asked as { line?: { table?: string } };
  return SLOW.has(question) && !line?.table;
}

/** Answers that are known before any worker is ready: question, what goes in, answer. */
export type Known = [question: Question, asked: unknown, answer: unknown][];

export function askWorkers(make: () => Hand, known: Promise<Known> = Promise.resolve([])): Ask {
  const quick = new Lane(make, { patience: 3 * SECOND, longest: 60 * SECOND });
  const long = new Lane(make, { patience: 2 * SECOND, longest: MOST_SECONDS * SECOND });
  const askLong: Ask = async (question, asked, how) => {
    await quick.begun; // two workers that start at once would both start late
    return long.ask(question, asked, how);
  };
  const lane = (question: Question, asked: unknown): Ask => (takesLong(question, asked) ? askLong : quick.ask);
  quick.start();
  const answers = known.then((all) => new Map(all.map(([question, asked, answer]) => [key(question, asked), answer])));
  const ask: Ask = async (question, asked, how) => {
    const answer = (await answers).get(key(question, asked));
    return answer === undefined ? lane(question, asked)(question, asked, how) : (structuredClone(answer) as never);
  };
  return askAgain(ask, lane);
}

/** The same for the same question, in whichever order its values were written. */
function key(question: Question, asked: unknown): string {
  return JSON.stringify([question, asked], (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
