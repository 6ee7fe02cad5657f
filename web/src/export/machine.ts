/** A program of a game: WebAssembly, its memory, and the questions that it answers. */

import { CONTROL, CUT_BY_STEPS, DEEP, MISTAKE, NO_ROOM, STEPS, UNSOUND } from "../generated/constants.ts";
import type { Failure } from "../protocol.ts";

export type Code = number | bigint; // a move as the program has it

const RESULT = 512; // numbers of an answer: those that an ending compares, or fewer
const PAGE = 65536;
const FIRST_ROOM = 1 << 12; // moves of one position, at first
const MOST_ROOM = 1 << 22;

/** A question without an answer. */
export class Trouble extends Error {
  constructor(
    readonly kind: Failure["kind"],
    message: string,
  ) {
    super(message);
  }
}

export interface Expansion {
  ending: number;
  result: number; // what it pays says `paid`
  codes: Code[];
}

/** A game so far, as endings ask about it: turns, and the positions before this one with how often they occurred. */
export interface Past {
  turns: number;
  before: [state: Uint8Array, times: number][];
}

/** Memory that a program reads, with the places of the addresses in it, which count from its beginning. */
export interface Image {
  data: Uint8Array;
  addresses: number[];
}

type Export = (...args: Code[]) => bigint;

export class Machine {
  readonly wide: number; // bytes of a move
  readonly control: number;
  readonly state: number;
  private readonly memory: WebAssembly.Memory;
  private readonly calls: Record<string, Export>;
  private readonly result: number;
  private readonly child: number;
  private top: number;
  private room = FIRST_ROOM;
  private moves = 0;
  private children = 0;
  private deep = 0;
  private values = 0; // by which positions are judged, if they are not by `evaluate`
  private stops = () => false;

  constructor(
    module: WebAssembly.Module,
    readonly size: number,
    readonly bits: number,
    readonly players: number,
    private readonly isChance: (code: Code) => boolean,
  ) {
    const host = { stops: () => Number(this.stops()) };
    const found = new WebAssembly.Instance(module, { host }).exports as Record<string, unknown>;
    this.memory = found.memory as WebAssembly.Memory;
    this.calls = found as Record<string, Export>;
    this.wide = bits <= 32 ? 4 : 8;
    this.top = (found.__heap_base as WebAssembly.Global).value as number;
    this.control = this.allocated(8 * CONTROL.length);
    this.state = this.allocated(size + 64);
    this.result = this.allocated(8 * RESULT);
    this.child = this.allocated(size + 64);
  }

  // ---------------------------------------------------------------------------------------- memory

  /** Memory of so many bytes; what was never given before is 0. */
  allocated(bytes: number): number {
    const at = (this.top + 63) & ~63;
    this.top = at + bytes;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch {
        throw new Trouble("limit", "there is not enough memory for this");
      }
    }
    return at;
  }

  /** Carries out what needs memory for a while. */
  meanwhile<T>(work: () => T): T {
    const top = this.top;
    try {
      return work();
    } finally {
      this.top = top;
    }
  }

  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, count);
  }

  words(at: number, count: number): BigInt64Array {
    return new BigInt64Array(this.memory.buffer, at, count);
  }

  codes(at: number, count: number): Code[] {
    return this.wide === 4
      ? Array.from(new Uint32Array(this.memory.buffer, at, count))
      : Array.from(new BigUint64Array(this.memory.buffer, at, count));
  }

  /** A move that stands in the place of a number. */
  move(at: number): Code {
    return this.codes(at, 1)[0]!;
  }

  /** A list where the program reads it. */
  numbers(list: number[]): number {
    const at = this.allocated(8 * list.length + 8);
    this.words(at, list.length).set(list.map(BigInt));
    return at;
  }

  /** Lays what was learned where the program can read it. */
  laid({ data, addresses }: Image): number {
    const at = this.allocated(data.length);
    this.bytes(at, data.length).set(data);
    for (const place of addresses) {
      const address = new Uint32Array(this.memory.buffer, at + place, 1);
      address[0] = address[0]! + at;
    }
    return at;
  }

  /** From now on positions are judged by learned values. */
  judgeBy(values: Image): void {
    const at = this.laid(values);
    const judge = this.allocated(this.number("judge_size", at));
    new Uint32Array(this.memory.buffer, judge, 1)[0] = at;
    this.values = judge;
  }

  put(state: Uint8Array): void {
    this.bytes(this.state, this.size).set(state);
  }

  /** Carries out what takes long: now and then it asks whether to stop, and then ends with what it has found. */
  interrupted<T>(stops: () => boolean, work: () => T): T {
    this.stops = stops;
    try {
      return work();
    } finally {
      this.stops = () => false;
    }
  }

  /** Calls a function about a position. */
  asked(name: string, state: Uint8Array, ...args: Code[]): bigint {
    this.put(state);
    return this.call(name, this.control, this.state, ...args);
  }

  /** Calls a function about positions; what it returns below 0 is for the caller, but for mistakes. */
  call(name: string, ...args: Code[]): bigint {
    const found = this.value(name, ...args);
    if (Number(found) === MISTAKE)
      throw new Trouble("rules", `line ${this.left("line")} of the rules has an impossible effect`);
    if (Number(found) === UNSOUND) throw new Trouble("internal", "this is no position of the game");
    return found;
  }

  /** True if the program has a function. */
  has(name: string): boolean {
    return `ps_${name}` in this.calls;
  }

  /** Calls a function that returns any value. */
  private value(name: string, ...args: Code[]): bigint {
    const control = this.words(this.control, CONTROL.length);
    control.fill(0n);
    for (const word of ["steps", "left"] as const) control[CONTROL.indexOf(word)] = BigInt(STEPS);
    control[CONTROL.indexOf("values")] = BigInt(this.values);
    const found = this.calls[`ps_${name}`]!(...args);
    if (this.left("cut") === CUT_BY_STEPS)
      throw new Trouble("limit", `a position needs more than ${STEPS.toLocaleString("en")} steps`);
    return found;
  }

  /** What a function says that asks about no position. */
  number(name: string, ...args: Code[]): number {
    return Number(this.calls[`ps_${name}`]!(...args));
  }

  /** What the last call has left in the control block. */
  left(word: (typeof CONTROL)[number]): number {
    return Number(this.words(this.control, CONTROL.length)[CONTROL.indexOf(word)]);
  }

  // ------------------------------------------------------------------------------------- questions

  start(seed: number): Uint8Array {
    this.call("start", this.control, BigInt.asIntN(64, BigInt(seed)), this.child);
    return this.bytes(this.child, this.size).slice();
  }

  expand(state: Uint8Array): Expansion {
    this.put(state);
    for (;;) {
      this.makeRoom();
      const room = BigInt(this.room);
      const count = this.call("expand", this.control, this.state, this.moves, room, this.result, this.children);
      if (Number(count) === NO_ROOM) {
        if (this.room >= MOST_ROOM) throw new Trouble("limit", `there are more than ${this.room} legal moves here`);
        this.room *= 4;
        this.moves = 0;
        continue;
      }
      const [ending, result] = this.words(this.result, 2);
      return { ending: Number(ending), result: Number(result), codes: this.codes(this.moves, Number(count)) };
    }
  }

  /** How likely each of all moves of a position is, where chance moves; null where a player does. */
  weights(state: Uint8Array, codes: Code[]): number[] | null {
    if (!codes.length || !this.isChance(codes[0]!)) return null;
    return this.meanwhile(() => {
      const [moves, out] = [this.allocated(codes.length * this.wide), this.allocated(codes.length * 8)];
      if (this.wide === 4) new Uint32Array(this.memory.buffer, moves, codes.length).set(codes.map(Number));
      else new BigUint64Array(this.memory.buffer, moves, codes.length).set(codes.map(BigInt));
      this.asked("weights", state, moves, BigInt(codes.length), out);
      return Array.from(this.words(out, codes.length), Number);
    });
  }

  private makeRoom(): void {
    if (this.moves) return;
    this.moves = this.allocated(this.room * this.wide);
    if (this.number("tries")) this.children = this.allocated(this.room * this.size + 8);
  }

  after(state: Uint8Array, code: Code): Uint8Array {
    this.put(state);
    if (this.wide === 4) new Uint32Array(this.memory.buffer, this.result, 1)[0] = Number(code);
    else new BigUint64Array(this.memory.buffer, this.result, 1)[0] = BigInt(code);
    this.call("children", this.control, this.state, this.result, 1n, this.child);
    return this.bytes(this.child, this.size).slice();
  }

  /** The `evaluate` block for each player. */
  estimates(state: Uint8Array): number[] {
    this.put(state);
    if (this.players === 2) {
      const first = Number(this.value("estimate", this.control, this.state));
      return [first, -first];
    }
    this.call("estimates", this.control, this.state, this.result);
    return Array.from(this.words(this.result, this.players), Number);
  }

  /** What a result pays to each player: whole numbers. */
  paid(result: number): number[] {
    if (this.players === 2)
      return [
        [0, 0],
        [1, -1],
        [-1, 1],
      ][result]!; // a draw, or who wins
    this.number("paid", BigInt(result), this.result);
    return Array.from(this.words(this.result, this.players), Number);
  }

  /** The ending, and the result, after so many turns where the position has occurred so often; null if none holds. */
  judge(state: Uint8Array, turns: number, times: number): [ending: number, result: number] | null {
    this.put(state);
    const ending = this.call("judge", this.control, this.state, BigInt(turns), BigInt(times), this.result);
    return ending ? [Number(ending), Number(this.words(this.result, 1)[0])] : null;
  }

  /** What an ending compares: for each line of it a number for each player. */
  standing(state: Uint8Array, ending: number, stuck: boolean): number[] {
    this.put(state);
    const count = this.call("standing", this.control, this.state, BigInt(ending), BigInt(stuck), this.result);
    return Array.from(this.words(this.result, Number(count)), Number);
  }

  /** Room for the moves on the way to a deep position, made once. */
  deepMoves(): number {
    this.deep ||= this.allocated(DEEP * this.wide);
    return this.deep;
  }

  /** How many sequences of moves there are; after a game so far if endings ask about it. */
  perft(state: Uint8Array, depth: number, past: Past | null): bigint {
    const moves = this.deepMoves();
    this.put(state);
    const found = this.meanwhile(() => {
      const asked = [this.control, this.state, BigInt(depth), moves, BigInt(DEEP)];
      if (!past) return this.call("perft", ...asked);
      const path = this.allocated((depth + 1) * (padded(this.size) + 8));
      const [before, times] = this.past(past);
      return this.call("perft_after", ...asked, path, BigInt(past.turns), before, times, BigInt(past.before.length));
    });
    if (found < 0n) throw new Trouble("limit", "there are too many moves on the way to this depth");
    return found;
  }

  /** The positions of a game so far, and how often they occurred, where programs read them. */
  past(past: Past): [before: number, times: number] {
    const size = padded(this.size);
    const count = past.before.length;
    const before = this.allocated(count * size + 8);
    const times = this.allocated(count * 8 + 8);
    past.before.forEach(([state, often], place) => {
      const at = this.bytes(before + place * size, size);
      at.fill(0);
      at.set(state);
      this.words(times, count)[place] = BigInt(often);
    });
    return [before, times];
  }

  /** The numbers that a question about a position writes, however many they are. */
  rows(name: string, state: Uint8Array, ...args: Code[]): number[] {
    this.put(state);
    for (let room = 1 << 10; ; room *= 4) {
      const found = this.meanwhile(() => {
        const out = this.allocated(room * 8);
        const count = this.call(name, this.control, this.state, ...args, out, BigInt(room));
        return Number(count) === NO_ROOM ? null : Array.from(this.words(out, Number(count)), Number);
      });
      if (found) return found;
    }
  }

  /** A move as an argument of a function. */
  argument(code: Code): Code {
    return this.wide === 4 ? Number(code) | 0 : BigInt.asIntN(64, BigInt(code));
  }
}

/** The bytes of a position in a program: a whole number of words. */
export function padded(size: number): number {
  return (size + 7) & ~7;
}
