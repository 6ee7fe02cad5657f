/** A service for tests: Red and Blue name "a" or "b" in turn, up to six times.  Long questions answer when told to. */

import {
  type Ask,
  AskError,
  type Description,
  type Failure,
  type Line,
  type State,
  type Thought,
} from "../src/protocol.ts";
import { Play } from "../src/store/play.ts";
import { Thinking } from "../src/store/thinking.ts";

const LENGTH = 6;
const PLAYERS = ["Red", "Blue"];

export interface Call {
  question: string;
  asked: { line: Line; player?: string; seconds?: number; lines?: number; game: string };
  heard: (part: unknown) => void;
  answer: (answer: unknown) => void;
  fail: (failure: Failure) => void;
  signal: AbortSignal | undefined;
}

export function thought(move: string): Thought {
  const found = { move, written: move.toUpperCase(), depth: 1, value: 0, share: 0.5, sure: false };
  return { ...found, line: [move], moves: [move], positions: 1, seconds: 0 };
}

export function stateOf(line: Line): State {
  const player = (number: number) => PLAYERS[number % 2]!;
  const count = line.moves.length;
  const over = count >= LENGTH;
  const move = (text: string) => ({
    text,
    written: text,
    kind: "name",
    cells: [],
    goal: null,
    values: [],
    pass: false,
  });
  return {
    line,
    lost: null,
    mover: player(count),
    moves: over ? [] : [move("a"), move("b")],
    looks: {},
    ties: [],
    marks: [],
    window: null,
    beside: [],
    facts: [],
    asides: [],
    out: [],
    played: line.moves.map((text, number) => ({
      player: player(number),
      text,
      written: text,
      cells: [],
      goal: null,
      landed: [],
      left: [],
      turn: number + 1,
    })),
    turn_began: count,
    rest: [],
    outcome: over ? { winner: null, text: "draw", reason: "enough", line: null } : null,
    position: `${count}`,
  };
}

/** A page's store without a page, and the long questions that it has asked so far. */
export async function table(pace = 0) {
  const calls: Call[] = [];
  const ask = ((question: string, asked: Call["asked"], how: { heard?: never; signal?: AbortSignal } = {}) => {
    if (question === "state") return Promise.resolve(stateOf(asked.line));
    return new Promise((answer, refuse) => {
      const fail = (failure: Failure) => refuse(new AskError(failure));
      how.signal?.addEventListener("abort", () => fail({ kind: "cancelled", message: "cancelled" }));
      calls.push({ question, asked, heard: how.heard ?? (() => {}), answer, fail, signal: how.signal });
    });
  }) as unknown as Ask;
  const play = new Play(ask);
  const thinking = new Thinking(ask, play, pace);
  await play.becomes({ id: "one", name: "one" } as Description);
  return { ask, calls, play, thinking };
}

/** Lets everything happen that does not wait for an answer. */
export function settled(): Promise<void> {
  return new Promise((done) => setTimeout(done, 1));
}
