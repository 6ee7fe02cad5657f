/** What a board in a notebook and the notebook around it say to each other. */

import type { Description, Failure, Line, Question } from "../protocol.ts";

/** A question, or the line that is now on the board; `ready` comes first. */
export type Up = { ready: true } | { number: number; question: Question; asked: unknown } | { line: Line };

/** What is to be shown, once; then answers to questions. */
export type Down =
  | { game: Description; line: Line; dark: boolean }
  | { number: number; part?: unknown; answer?: unknown; failure?: Failure };
