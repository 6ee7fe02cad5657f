/** Questions to one worker, one at a time; a worker that does not let go is ended, and the next one is started. */

import { type Ask, AskError, type Failure, type Heard, type Question } from "../protocol.ts";

export type ToWorker = { number: number; question: string; asked: string; ticket: string };
export type FromWorker =
  | { ready: true }
  | { number: number; line: string }
  | { tired: true } // it holds much memory: another one should take over
  | { broken: string };

/** What is needed of a `Worker`. */
export interface Hand {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

export interface Limits {
  /** Milliseconds for a worker that shall stop, before it is ended. */
  patience: number;
  /** Milliseconds for an answer. */
  longest: number;
}

interface Asked extends ToWorker {
  heard: (part: never) => void;
  settle: (answer: unknown) => void;
  fail: (error: AskError) => void;
}

const CANCELLED: Failure = { kind: "cancelled", message: "cancelled" };
const TOO_LONG: Failure = {
  kind: "limit",
  message: "The answer takes too long here. pysolve on your own computer is faster: see its README.",
};

export class Lane {
  private hand: Hand | null = null;
  private successor: Hand | null = null; // starts while the tired hand still answers
  private successorReady = false;
  private readonly waiting: Asked[] = [];
  private running: Asked | null = null; // the worker is at it, whether anybody still waits or not
  private timer: ReturnType<typeof setTimeout> | undefined;
  private number = 0;
  private tellBegun = (): void => {};
  /** The first worker is ready, or will never be. */
  readonly begun = new Promise<void>((tell) => {
    this.tellBegun = tell;
  });

  constructor(
    private readonly make: () => Hand,
    private readonly limits: Limits,
  ) {}

  /** Starts the worker, so that the first question need not wait for that. */
  start(): void {
    this.hand ??= this.takeOn();
  }

  private takeOn(): Hand {
    const hand = this.make();
    hand.onmessage = ({ data }) => this.hears(hand, data);
    hand.onerror = ({ message }) => this.hears(hand, { broken: message || "its files cannot be loaded" });
    return hand;
  }

  readonly ask: Ask = (question, asked, how = {}) =>
    new Promise((settle, reject) => {
      const { heard, signal } = how;
      this.number += 1;
      const one: Asked = {
        number: this.number,
        question: question satisfies Question,
        asked: JSON.stringify(asked),
        ticket: URL.createObjectURL(new Blob(["1"])),
        heard: (part) => {
          if (!signal?.aborted) heard?.(part);
        },
        settle: (answer) => settle(answer as never),
        fail: reject,
      };
      this.waiting.push(one);
      if (signal?.aborted) this.withdraw(one);
      else signal?.addEventListener("abort", () => this.withdraw(one), { once: true });
      this.goOn();
    });

  private goOn(): void {
    if (this.successorReady && !this.running) this.succeed();
    const next = this.running ? undefined : this.waiting.shift();
    if (!next) return;
    this.start();
    this.running = next;
    const { number, question, asked, ticket } = next;
    this.hand!.postMessage({ number, question, asked, ticket });
    this.within(this.limits.longest, TOO_LONG);
  }

  /** Nobody waits for an answer any more. */
  private withdraw(one: Asked): void {
    URL.revokeObjectURL(one.ticket);
    one.fail(new AskError(CANCELLED));
    const place = this.waiting.indexOf(one);
    if (place >= 0) this.waiting.splice(place, 1);
    if (one === this.running) this.within(this.limits.patience, CANCELLED);
  }

  private hears(hand: Hand, told: FromWorker): void {
    if (hand === this.successor) {
      this.successorReady = "ready" in told;
      if ("broken" in told) this.dismissSuccessor();
      this.goOn();
    }
    if (hand !== this.hand) return;
    if ("ready" in told || "broken" in told) this.tellBegun();
    if ("tired" in told) this.successor ??= this.takeOn();
    else if ("broken" in told) this.breaks({ kind: "internal", message: `The worker has stopped: ${told.broken}` });
    else if ("line" in told && this.running?.number === told.number) this.gets(this.running, JSON.parse(told.line));
  }

  private gets(one: Asked, line: Heard): void {
    if ("part" in line) {
      one.heard(line.part as never);
      return;
    }
    this.ends();
    if ("answer" in line) one.settle(line.answer);
    else one.fail(new AskError(line.failure));
    this.goOn();
  }

  /** The question that runs has a time from now on, after which its worker is ended. */
  private within(milliseconds: number, failure: Failure): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.breaks(failure);
      this.start(); // it will be needed, and takes its time
    }, milliseconds);
  }

  private breaks(failure: Failure): void {
    this.hand?.terminate();
    this.hand = null;
    const one = this.ends();
    one?.fail(new AskError(failure));
    this.goOn();
  }

  private succeed(): void {
    this.hand?.terminate();
    this.hand = this.successor;
    this.successor = null;
    this.successorReady = false;
  }

  private dismissSuccessor(): void {
    this.successor?.terminate();
    this.successor = null;
    this.successorReady = false;
  }

  private ends(): Asked | null {
    clearTimeout(this.timer);
    const one = this.running;
    this.running = null;
    if (one) URL.revokeObjectURL(one.ticket);
    return one;
  }
}
