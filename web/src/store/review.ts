/**
 * The course of a game: how the players stood in each of its positions, and which moves lost much of that.
 *
 * What was found about a position is kept with it, so that a longer game, or one that was given up, goes on from there.
 */

import { batch, computed, signal } from "@preact/signals";
import { FALLS, REVIEWED } from "../generated/constants.ts";
import type { Ask, Line, Played, State, Thought } from "../protocol.ts";
import { lineOf, type Play, type Step } from "./play.ts";
import type { Thinking } from "./thinking.ts";

export type Fall = keyof typeof FALLS;

/** How a position stands. */
export interface Standing {
  shares: Record<string, number>; // of each player, together 1
  best: Thought | null; // null where the game is over
}

/** A move that lost much. */
export interface Fault {
  step: Step; // the position after it
  number: number; // of the move, from 1
  played: Played;
  fall: Fall;
  before: number; // the share of its player
  after: number;
  better: string; // as people write it
}

/** A reviewed game: its positions from the first, as far as they are known. */
export interface Course {
  players: string[];
  steps: Step[];
  known: (Standing | undefined)[];
  faults: Fault[];
}

/** The worst grade whose loss is reached; thresholds are parts of a hundred. */
export function fallOf(lost: number): Fall | null {
  let found: Fall | null = null;
  for (const [name, least] of Object.entries(FALLS) as [Fall, number][]) if (100 * lost >= least) found = name;
  return found;
}

export class Review {
  readonly progress = signal<{ done: number; of: number } | null>(null); // null while nothing is reviewed
  readonly trouble = signal("");
  private readonly found = signal(new Map<Step, Standing>());
  private readonly moves = signal(new Map<Step, Played>()); // that led to each position

  private root: Step | null = null;

  /** What is known of the line on which the board stands; null if that is nothing. */
  readonly course = computed<Course | null>(() => {
    const steps = this.line();
    const known = steps.map((step) => this.found.value.get(step));
    if (known.filter(Boolean).length < 2) return null;
    const players = this.play.game.value?.players.map(({ name }) => name) ?? [];
    return { players, steps, known, faults: this.faults(steps, known) };
  });
  readonly faultOf = computed(() => new Map((this.course.value?.faults ?? []).map((fault) => [fault.step, fault])));

  constructor(
    private readonly ask: Ask,
    private readonly play: Play,
    private readonly thinking: Thinking,
  ) {}

  standing(step: Step): Standing | undefined {
    return this.found.value.get(step);
  }

  /** Looks at each position of the line that was not looked at; ends early if somebody cancels. */
  async run(): Promise<void> {
    const game = this.play.game.value;
    const steps = this.line();
    const last = steps.at(-1);
    if (!game || !last) return;
    const root = this.play.line.value;
    const where = (step: Step) => ({ game: game.id, line: lineOf(step, root) });
    if (steps[0] !== this.root) {
      this.root = steps[0]!; // of another game nothing is kept
      this.found.value = new Map();
      this.moves.value = new Map();
    }
    this.trouble.value = "";
    const fails = (message: string) => {
      this.trouble.value = message;
    };
    await this.thinking.errand(
      "review",
      async (signal) => {
        const end = await this.ask("state", where(last));
        this.learn(steps, end);
        const todo = steps.filter((step) => !this.found.value.has(step));
        for (const [done, step] of todo.entries()) {
          if (signal.aborted) return;
          this.progress.value = { done, of: todo.length };
          const outcome = step === last ? end.outcome : null;
          const mover = end.played[steps.indexOf(step)]?.player ?? end.mover;
          const names = game.players.map(({ name }) => name);
          const standing = outcome ? ended(names, outcome.winner) : await this.look(names, mover, where(step), signal);
          if (signal.aborted) return;
          this.found.value = new Map(this.found.value).set(step, standing);
        }
      },
      fails,
    );
    this.progress.value = null;
  }

  /**
   * How a position stands: the mean of the two deepest searches.
   *
   * Searches of even and odd depth differ by what it is worth to have moved last; neighbouring positions, searched to
   * any depths, would swing from one to the other.
   */
  private async look(
    players: string[],
    mover: string,
    where: { game: string; line: Line },
    signal: AbortSignal,
  ): Promise<Standing> {
    const depths: Thought[] = [];
    const heard = (thought: Thought) => {
      if (depths.at(-1)?.depth === thought.depth) depths.pop();
      depths.push(thought);
    };
    const last = await this.ask("analyse", { ...where, seconds: REVIEWED }, { heard, signal });
    const found = thoughtOf(players, mover, last);
    const shallower = depths.findLast((thought) => thought.depth === last.depth - 1);
    return last.sure || !shallower ? found : mean(found, thoughtOf(players, mover, shallower));
  }

  /** The positions of the line on which the board stands, to its end. */
  private line(): Step[] {
    const at = this.play.at.value;
    const found: Step[] = [];
    for (let step: Step | null = at; step; step = step.parent) found.unshift(step);
    for (let step = at?.next[0]; step; step = step.next[0]) found.push(step);
    return found;
  }

  private learn(steps: Step[], end: State): void {
    const moves = new Map(this.moves.value);
    steps.slice(1).forEach((step, at) => {
      const played = end.played[at];
      if (played) moves.set(step, played);
    });
    batch(() => {
      this.moves.value = moves;
    });
  }

  private faults(steps: Step[], known: (Standing | undefined)[]): Fault[] {
    return steps.flatMap((step, at) => {
      const [before, after, played] = [known[at - 1], known[at], this.moves.value.get(step)];
      if (!before || !after || !played || played.roll || before.best?.move === played.text) return [];
      const [was, is] = [before.shares[played.player] ?? 0, after.shares[played.player] ?? 0];
      const fall = fallOf(was - is);
      const better = before.best?.written ?? "";
      return fall ? [{ step, number: at, played, fall, before: was, after: is, better }] : [];
    });
  }
}

/** How all stand after a game: a winner has all. */
function ended(players: string[], winner: string | null): Standing {
  const shares = players.map((name) => [name, winner === null ? 1 / players.length : Number(name === winner)]);
  return { shares: Object.fromEntries(shares), best: null };
}

/** The standing of the first one, with shares between both. */
function mean(one: Standing, other: Standing): Standing {
  const shares = Object.entries(one.shares).map(([name, share]) => [name, (share + (other.shares[name] ?? share)) / 2]);
  return { ...one, shares: Object.fromEntries(shares) };
}

function thoughtOf(players: string[], mover: string, thought: Thought): Standing {
  if (thought.shares) return { shares: thought.shares, best: thought };
  const share = (name: string) => (name === mover ? thought.share : 1 - thought.share);
  return { shares: Object.fromEntries(players.map((name) => [name, share(name)])), best: thought };
}
