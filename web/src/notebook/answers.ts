/** Questions as messages: each has a number, under which parts and its answer come back. */

import { type Ask, AskError, type Failure } from "../protocol.ts";
import type { Down, Up } from "./messages.ts";

interface Waiting {
  heard: ((part: never) => void) | undefined;
  answer: (answer: never) => void;
  fail: (error: AskError) => void;
}

export class Answers {
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;

  constructor(private readonly say: (message: Up) => void) {}

  readonly ask: Ask = (question, asked, how = {}) =>
    new Promise((answer, fail) => {
      this.number += 1;
      const number = this.number;
      this.waiting.set(number, { heard: how.heard, answer, fail });
      how.signal?.addEventListener("abort", () => this.end(number, { kind: "cancelled", message: "cancelled" }));
      this.say({ number, question, asked });
    });

  /** Part of an answer, or its end; nothing for a question that was cancelled. */
  hear(message: Extract<Down, { number: number }>): void {
    const waiting = this.waiting.get(message.number);
    if (message.failure) this.end(message.number, message.failure);
    else if ("answer" in message) {
      this.waiting.delete(message.number);
      waiting?.answer(message.answer as never);
    } else waiting?.heard?.(message.part as never);
  }

  private end(number: number, failure: Failure): void {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    waiting?.fail(new AskError(failure));
  }
}
