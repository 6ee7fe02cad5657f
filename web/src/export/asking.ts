/** Asks workers that the page makes from its own text: one for what is quick, one for what may be cancelled. */

import { LONG } from "../generated/constants.ts";
import { type Ask, AskError, type Failure } from "../protocol.ts";
import type { Sent, Told } from "./core.ts";
import type { Exported } from "./exported.ts";
import type { Image } from "./machine.ts";

const SLOW: ReadonlySet<string> = new Set(LONG);
const CANCELLED: Failure = { kind: "cancelled", message: "cancelled" };

interface Waiting {
  sent: Sent;
  resolve: (answer: never) => void;
  reject: (error: AskError) => void;
  heard: (part: never) => void;
}

/** A worker with the questions that it has not answered. */
class Member {
  private worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;

  constructor(
    private readonly address: string,
    private readonly first: Sent,
  ) {
    this.worker = this.started();
  }

  private started(): Worker {
    const worker = new Worker(this.address);
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
    worker.onerror = (event) => this.failed({ kind: "internal", message: event.message || "the worker has ended" });
    worker.postMessage(this.first);
    return worker;
  }

  ask(question: string, asked: object, heard: (part: never) => void, signal?: AbortSignal): Promise<never> {
    return new Promise((resolve, reject) => {
      this.number += 1;
      const id = this.number;
      const sent: Sent = { id, question, asked: asked as Record<string, unknown> };
      this.waiting.set(id, { sent, resolve, reject, heard });
      signal?.addEventListener("abort", () => this.cancel(id), { once: true });
      if (signal?.aborted) this.cancel(id);
      else this.worker.postMessage(sent);
    });
  }

  private hear(told: Told): void {
    const waiting = this.waiting.get(told.id);
    if (!waiting) return;
    if ("part" in told) {
      waiting.heard(told.part as never);
      return;
    }
    this.waiting.delete(told.id);
    if ("answer" in told) waiting.resolve(told.answer as never);
    else waiting.reject(new AskError(told.failure as Failure));
  }

  /** Ends the worker, which cannot hear anything while it thinks, and asks another one what else was asked. */
  private cancel(id: number): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    waiting.reject(new AskError(CANCELLED));
    this.worker.terminate();
    this.worker = this.started();
    for (const { sent } of this.waiting.values()) this.worker.postMessage(sent);
  }

  private failed(failure: Failure): void {
    for (const { reject } of this.waiting.values()) reject(new AskError(failure));
    this.waiting.clear();
  }
}

/** Asks the core, whose source is given, about an exported game. */
export function askWorkers(
  source: string,
  exported: Exported,
  modules: WebAssembly.Module[],
  learned: Record<string, Image>,
): Ask {
  const text = `${source};PysolveCore.serve(self)`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const first: Sent = { exported: { ...exported, programs: [], learned: {} }, modules, learned };
  const quick = new Member(address, first);
  let long: Member | undefined;
  return (question, asked, how = {}) => {
    const heard = (part: never) => how.heard?.(part);
    if (!SLOW.has(question)) return quick.ask(question, asked, heard);
    long ??= new Member(address, first);
    return long.ask(question, asked, heard, how.signal);
  };
}
