/**
 * Questions to the workers of the playground: quick ones to one worker, long ones to another, which is started when the
 * first of them is asked, so that the board answers while somebody thinks.
 */

import { askAgain } from "../again.ts";
import type { Ask, Question } from "../protocol.ts";
import { type Hand, Lane } from "./lane.ts";

const LONG: ReadonlySet<Question> = new Set(["choose", "analyse", "perft", "balance", "examples"]);
const SECOND = 1000;

export function askWorkers(make: () => Hand): Ask {
  const quick = new Lane(make, { patience: 3 * SECOND, longest: 60 * SECOND });
  const long = new Lane(make, { patience: 2 * SECOND, longest: 3600 * SECOND });
  const lane = (question: Question): Ask => (LONG.has(question) ? long.ask : quick.ask);
  quick.start();
  return askAgain((question, asked, how) => lane(question)(question, asked, how), lane);
}
