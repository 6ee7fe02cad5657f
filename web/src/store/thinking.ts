/**
 * Who plays which side, and what the program thinks.
 *
 * There is one place for long questions, and the latest wish has it.  The program moves by itself only upon a move: who
 * steps through the moves, looks, and nothing happens before they say so.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { MOST_LINES, SOLVING } from "../generated/constants.ts";
import type { Ask, In, State, Thought } from "../protocol.ts";
import { Clock } from "./clock.ts";
import { remember, remembered } from "./memory.ts";
import { BEGINNING, type Play, places, randomSeed, type Step } from "./play.ts";
import { failed, messageOf } from "./rules.ts";

/** What a long question is for: the first three are about the position on the board. */
export type Purpose = "move" | "hint" | "analysis" | "count" | "match" | "review" | "solve";

interface Work {
  purpose: Purpose;
  step: Step | null; // the position that it is about; null if it is about the game
  abort: AbortController;
}

export const PACES = [0, 500, 1500] as const; // ms at least before a move of a program, so that people see each
const PACE = 500;

export class Thinking {
  readonly seats = signal<Record<string, string>>({}); // player text by player; a person where there is none
  readonly wrong = signal<Record<string, string>>({}); // why a text that was written for a player is none
  readonly seconds = signal(2);
  readonly paused = signal(false);
  readonly strange = signal(false); // somebody else seated the programs, and nobody has let them play yet
  readonly analysing = signal(false); // think about each position that nobody else thinks about
  readonly lines = signal(whole(remembered("lines"), MOST_LINES, 1)); // that an analysis tells
  readonly arrows = signal(remembered("arrows") !== "off"); // on the board, for the moves of these lines
  readonly thought = signal<Thought | null>(null); // the latest one
  readonly of = signal<Step | null>(null); // the position that `thought` is about
  readonly hinted = signal<Thought | null>(null); // the hint that is shown on the board
  readonly pace = signal<number>(PACE);
  readonly trouble = signal("");

  private readonly running = signal<Work | null>(null);
  readonly purpose = computed(() => this.running.value?.purpose ?? null); // what is being done, if anything
  readonly busy = computed(() => this.running.value !== null);

  /** The best lines of the position on the board, the best first; none while nobody analyses. */
  readonly shown = computed<Thought[]>(() => {
    const { value } = this.thought;
    if (!value || !this.analysing.value || this.of.value !== this.play.at.value) return [];
    return value.lines ?? [value];
  });

  /** The player text of whose turn it is, "" if it is a person's, or chance moves. */
  readonly toMove = computed(() => {
    const state = this.play.state.value;
    return state && !state.outcome && !state.chance ? (this.seats.value[state.mover] ?? "") : "";
  });
  /** The program is to move, and does so only when somebody says so. */
  readonly waiting = computed(
    () => this.toMove.value !== "" && this.purpose.value !== "move" && (this.paused.value || this.play.looks.value),
  );

  private analysed: Step | null = null; // nothing more can be found about this position
  private readonly wishes = new Map<string, symbol>(); // who was to sit down last at each side
  private moved = 0; // when the program moved last

  constructor(
    private readonly ask: Ask,
    private readonly play: Play,
    pace = paceOf(remembered("pace")),
    readonly clock = new Clock(play),
  ) {
    this.pace.value = pace;
    let before: Step | null = null;
    effect(() => {
      const step = play.at.value;
      if (step === before) return;
      before = step;
      queueMicrotask(() => this.leave());
    });
    effect(() => {
      if (!this.play.root.value) return;
      batch(() => {
        for (const about of [this.thought, this.of, this.hinted]) about.value = null; // those were of another game
      });
    });
    effect(() => {
      if (!this.paused.value) this.strange.value = false;
    });
    effect(() => {
      const open = !this.running.value && this.goesOn(play.state.value);
      const moves = this.toMove.value && !this.waiting.value;
      if (open && (moves || this.analysing.value)) queueMicrotask(() => this.goOn());
    });
  }

  /** Seats the players of an address.  Programs among them wait until a person starts them. */
  seatStrangers(seats: Record<string, string>): void {
    const programs = Object.values(seats).some(Boolean);
    batch(() => {
      this.strange.value = programs;
      this.paused.value = programs;
      this.seats.value = seats;
    });
  }

  /** Somebody sits down to play: a person if the text is empty.  A text that names no player is refused, and one after
   * which somebody else sat down changes nothing. */
  async seat(player: string, text: string): Promise<boolean> {
    const wish = Symbol(player);
    this.wishes.set(player, wish);
    const refused = text ? await this.refusal(text) : "";
    if (this.wishes.get(player) !== wish) return false;
    batch(() => {
      const { [player]: _, ...others } = this.wrong.value;
      this.wrong.value = refused ? { ...others, [player]: refused } : others;
      if (refused) return;
      if (this.purpose.value === "move" && this.play.state.value?.mover === player) this.drop();
      this.seats.value = { ...this.seats.value, [player]: text };
    });
    if (!refused && this.play.hides.value) await this.play.restart(); // nobody sits down where secrets are known
    return !refused;
  }

  /** Why a text names no player, "" if it does: it is asked for a move, and as soon as it thinks it is let go. */
  private async refusal(text: string): Promise<string> {
    const where = this.play.where();
    const first = { ...where, line: { ...BEGINNING, ...(!where.line.table && where.line), moves: [] } };
    const abort = new AbortController();
    try {
      const how = { heard: () => abort.abort(), signal: abort.signal };
      await this.ask("choose", { ...first, player: text, seconds: 0.05 }, how);
    } catch (error) {
      if (failed(error, "asked")) return messageOf(error);
    }
    return "";
  }

  /** Stops what is being done; the program then waits until somebody lets it go on. */
  cancel(): void {
    const purpose = this.purpose.value;
    batch(() => {
      this.drop();
      if (purpose === "move") this.paused.value = true;
      if (purpose === "analysis") this.analysing.value = false;
    });
  }

  pause(): void {
    batch(() => {
      if (this.purpose.value === "move") this.drop();
      this.paused.value = true;
    });
  }

  /** The program goes on from here, also where something has been played already. */
  async proceed(): Promise<void> {
    this.paused.value = false;
    if (this.toMove.value) await this.turn();
  }

  /** Another game with the same players; or one in which everybody plays the next side. */
  async rematch(change = false): Promise<void> {
    const { game } = this.play;
    const players = game.value?.players.map(({ name }) => name) ?? [];
    const next = players.map((player, at) => [player, this.seats.value[players.at(at - 1)!] ?? ""]);
    batch(() => {
      this.drop();
      this.paused.value = false;
      if (change) this.seats.value = Object.fromEntries(next);
    });
    await this.play.restart(game.value?.draws_lots ? randomSeed() : undefined);
  }

  /** Shows the solution of a puzzle from here, move by move; or says that none was found. */
  async solve(): Promise<void> {
    const from = this.play.at.value;
    if (!from?.state || from.state.outcome) return;
    await this.do("solve", null, async (signal) => {
      const heard = (thought: Thought) => {
        if (this.play.at.value !== from) return;
        this.thought.value = thought;
        this.of.value = from;
      };
      const found = await this.ask("analyse", { ...this.play.where(), seconds: SOLVING }, { heard, signal });
      if (signal.aborted || this.play.at.value !== from) return;
      if (!found.sure || found.share < 1) {
        this.trouble.value = `No solution was found in ${SOLVING} seconds.`;
        return;
      }
      let here: Step | null = from;
      for (const move of found.moves) {
        await rest(this.pace.value);
        if (signal.aborted || this.play.at.value !== here) return; // somebody plays for themselves
        await this.play.play(move);
        here = this.play.at.value;
      }
    });
  }

  setPace(pace: number): void {
    remember("pace", String(pace));
    this.pace.value = pace;
  }

  /** Tells so many lines from now on. */
  tellLines(lines: number): void {
    remember("lines", String(lines));
    batch(() => {
      if (this.purpose.value === "analysis") this.drop();
      this.analysed = null;
      this.lines.value = lines;
    });
  }

  showArrows(arrows: boolean): void {
    remember("arrows", arrows ? "on" : "off");
    this.arrows.value = arrows;
  }

  /** Thinks for a while about the position, and shows the best move on the board. */
  async hint(): Promise<Thought | null> {
    const step = this.play.at.value;
    if (!step || !this.goesOn(step.state)) return null;
    const known = this.analysing.value && this.of.value === step ? this.thought.value : null;
    const found =
      known ??
      (await this.do("hint", step, (signal) =>
        this.ask("analyse", { ...this.play.where(), seconds: this.seconds.value }, { heard: this.hears(step), signal }),
      ));
    if (found && this.play.at.value === step) this.showHint(found);
    return found;
  }

  private showHint(found: Thought): void {
    const move = this.play.state.value?.moves.find((one) => one.text === found.move);
    batch(() => {
      this.play.release();
      this.hinted.value = found;
      if (!move) return;
      const [cells, things] = [places(move), move.values.filter((value) => this.play.lying.value.has(value))];
      this.play.held.value = cells.length ? [...things, ...cells.slice(0, -1)] : [];
      this.play.pointed.value = [...cells, ...things];
    });
  }

  /** Does something long that is not about moves, such as counting; null if it was cancelled or went wrong. */
  async errand<T>(
    purpose: "count" | "match" | "review",
    work: (signal: AbortSignal) => Promise<T>,
    fails: (message: string) => void,
  ): Promise<T | null> {
    const step = purpose === "count" ? this.play.at.value : null;
    return this.do(purpose, step, work, fails);
  }

  /** Takes back the last move of a person, and what programs answered to it; or the whole turn of that move. */
  async undo(turn = false): Promise<void> {
    if (this.play.hides.value) return;
    const played = this.play.state.value?.played ?? [];
    const mine = played.findLastIndex((one) => !one.roll && !this.seats.value[one.player]);
    const last = mine >= 0 ? mine : played.length - 1;
    const began = played.findIndex((one) => one.turn === played[last]?.turn);
    if (played.length) await this.play.backTo(turn ? began : last);
  }

  // ------------------------------------------------------------------------------------ by itself

  /** The board shows another position: what was about the former one ends. */
  private leave(): void {
    const work = this.running.value;
    if (work?.step && work.step !== this.play.at.value) this.drop();
    this.unhint();
  }

  /** From now on thinks about the position on the board, or no longer; a hint makes way for what is found. */
  analyses(on: boolean): void {
    batch(() => {
      if (this.hinted.value) this.play.release();
      this.analysing.value = on;
      this.unhint();
    });
  }

  private unhint(): void {
    if (!this.hinted.value) return;
    batch(() => {
      this.hinted.value = null;
      this.play.pointed.value = [];
    });
  }

  /** True where a player is to move. */
  private goesOn(state: State | null): boolean {
    if (state?.veil && !this.seats.value[state.mover] && state.veil.viewer !== state.mover) return false;
    return state !== null && !state.outcome && !state.chance && !this.clock.over.value;
  }

  /** Moves for whoever is to move if a program plays that side; else thinks about the position if that is wanted. */
  private goOn(): void {
    const step = this.play.at.value;
    if (this.busy.value || !step || !this.goesOn(step.state)) return;
    if (this.toMove.value && !this.waiting.value) void this.turn();
    else if (this.analysing.value && this.analysed !== step) void this.analyse(step);
  }

  private async turn(): Promise<void> {
    const player = this.toMove.value;
    const step = this.play.at.value;
    if (!player || !step) return;
    const began = Date.now();
    await this.do("move", step, async (signal) => {
      const seconds = this.clock.share(step.state?.mover ?? "", this.seconds.value);
      if (this.play.hides.value) return this.replied(step, seconds, began, signal);
      const asked = { ...this.play.where(), player, seconds };
      const found = await this.ask("choose", asked, { heard: this.hears(step), signal });
      await rest(Math.max(began, this.moved) + this.pace.value - Date.now());
      if (signal.aborted || this.play.at.value !== step) return;
      this.hears(step)(found);
      this.moved = Date.now();
      await this.play.play(found.move);
      if (this.play.at.value === step && this.play.trouble.value) this.paused.value = true; // once is enough
    });
  }

  /** At a table the program moves where nobody sees what it thinks. */
  private async replied(step: Step, seconds: number, began: number, signal: AbortSignal): Promise<void> {
    await rest(Math.max(began, this.moved) + this.pace.value - Date.now());
    if (signal.aborted || this.play.at.value !== step) return;
    this.moved = Date.now();
    await this.play.reply(seconds, signal);
    if (this.play.at.value === step && !signal.aborted) this.paused.value = true; // it failed, and once is enough
  }

  private async analyse(step: Step): Promise<void> {
    const enough = () => {
      this.analysed = step;
    };
    const work = async (signal: AbortSignal) => {
      this.hears(step)(await this.ask("analyse", this.analysis(), { heard: this.hears(step), signal }));
      enough();
    };
    await this.do("analysis", step, work, (message) => {
      this.trouble.value = message;
      enough();
    });
  }

  /** What an analysis of the position asks. */
  private analysis(): In<"analyse"> {
    const lines = this.lines.value;
    return { ...this.play.where(), ...(lines > 1 && { lines }) };
  }

  private hears(step: Step): (thought: Thought) => void {
    return (thought) => {
      if (this.play.at.value !== step || this.running.value?.step !== step) return;
      batch(() => {
        this.thought.value = thought;
        this.of.value = step;
      });
    };
  }

  // ------------------------------------------------------------------------------------ one at a time

  /** Does one long thing instead of the one before; null if another one came, or somebody cancelled it. */
  private async do<T>(
    purpose: Purpose,
    step: Step | null,
    work: (signal: AbortSignal) => Promise<T>,
    fails = (message: string) => {
      this.trouble.value = message;
    },
  ): Promise<T | null> {
    const abort = new AbortController();
    const mine: Work = { purpose, step, abort };
    batch(() => {
      this.drop();
      this.running.value = mine;
      this.trouble.value = "";
    });
    try {
      const found = await work(abort.signal);
      return abort.signal.aborted ? null : found;
    } catch (error) {
      if (!abort.signal.aborted && !failed(error, "cancelled")) {
        fails(messageOf(error));
        if (purpose === "move") this.paused.value = true;
      }
      return null;
    } finally {
      if (this.running.value === mine) this.running.value = null;
    }
  }

  private drop(): void {
    this.running.value?.abort.abort();
    this.running.value = null;
  }
}

/** The pace that somebody has chosen before. */
function paceOf(text: string | null): number {
  return PACES.find((pace) => String(pace) === text) ?? PACE;
}

/** A remembered whole number from 1 to `most`. */
function whole(text: string | null, most: number, otherwise: number): number {
  const found = Number(text);
  return Number.isInteger(found) && found >= 1 && found <= most ? found : otherwise;
}

function rest(milliseconds: number): Promise<void> {
  return milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve();
}
