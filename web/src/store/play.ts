/** The game on the board: a tree of moves, where one stands in it, and what a click means. */

import { batch, computed, signal } from "@preact/signals";
import type { Ask, Description, Explanation, Line, Mark, Move, State, Where } from "../protocol.ts";
import { messageOf } from "./rules.ts";

/** A position in the tree. */
export interface Step {
  parent: Step | null;
  move: string; // that led here; "" at the root
  next: Step[]; // the first is the main line
  state: State | null; // null until somebody goes there
}

/** An explanation, and the cells that were clicked; it is shown at the last one. */
export interface Bubble {
  cells: string[];
  explanation: Explanation;
}

const BEGINNING: Line = { seed: 0, start: "", moves: [] };

export class Play {
  readonly game = signal<Description | null>(null); // whose board is shown; changes together with the position
  readonly root = signal<Step | null>(null);
  readonly at = signal<Step | null>(null);
  readonly held = signal<string[]>([]); // the cells clicked so far
  readonly kind = signal(""); // the kind of moves that a button or menu has chosen, or ""
  readonly menu = signal<Move[]>([]); // several moves that the clicks may mean
  readonly bubble = signal<Bubble | null>(null);
  readonly pointed = signal<string[]>([]); // cells that a text outside of the board speaks of
  readonly marked = signal<Mark[]>([]); // what an answer outside of the board marks
  readonly over = signal<string | null>(null); // the cell under the pointer
  readonly looks = signal(false); // somebody went to this position through the tree, and did not play a move
  readonly flipped = signal(false);
  readonly trouble = signal("");

  readonly state = computed(() => this.at.value?.state ?? null);
  readonly line = computed<Line>(() => this.state.value?.line ?? BEGINNING);
  /** The moves of the chosen kind, or all. */
  private readonly moves = computed(() =>
    (this.state.value?.moves ?? []).filter((move) => !this.kind.value || move.kind === this.kind.value),
  );
  /** The moves that fit what is held. */
  readonly fitting = computed(() => this.moves.value.filter((move) => begins(move, this.held.value)));
  /** The cells with which a move can begin, and where those that fit can go on. */
  readonly begins = computed(() => this.after([]));
  readonly targets = computed(() => (this.held.value.length ? this.after(this.held.value) : new Set<string>()));
  /** The moves that need no more clicks. */
  readonly complete = computed(() =>
    this.fitting.value.filter((move) => this.held.value.length && places(move).length === this.held.value.length),
  );
  /** Moves that no click on a cell can mean: they have buttons of their own. */
  readonly buttons = computed(() => (this.state.value?.moves ?? []).filter((move) => !places(move).length));

  private number = 0; // of the last change of position; a late answer must not replace a newer one
  private explanations = 0; // that were asked for or given up, for the same reason
  private moving: Promise<unknown> = Promise.resolve(); // what is under way, before a click has its meaning

  constructor(private readonly ask: Ask) {}

  /** Where the board stands, for any question about it. */
  where(): Where {
    return { game: this.game.value?.id ?? "", line: this.line.value };
  }

  /** The cells that can follow these. */
  after(cells: string[]): Set<string> {
    const here = this.moves.value.filter((move) => begins(move, cells));
    return new Set(here.flatMap((move) => places(move).slice(cells.length, cells.length + 1)));
  }

  // ---------------------------------------------------------------------------------------------- positions

  /** The same moves in a game whose rules have changed, as far as they are still legal; else its first position. */
  async becomes(game: Description): Promise<void> {
    if (game.id === this.game.value?.id) return;
    const same = this.game.value?.name === game.name;
    const line = same ? this.line.value : BEGINNING;
    if (!(await this.stands(game, line)) && line !== BEGINNING) await this.stands(game, BEGINNING);
  }

  /** There is no game: an answer about the former one comes too late. */
  clear(): void {
    this.begin();
    batch(() => {
      this.game.value = null;
      this.root.value = null;
      this.stand(null);
      this.trouble.value = "";
    });
  }

  /** Shows a position and how it was reached. */
  async show(line: Line): Promise<void> {
    if (this.game.value) await this.stands(this.game.value, line);
  }

  async restart(seed = this.line.value.seed): Promise<void> {
    await this.show({ seed, start: "", moves: [] });
  }

  /** True unless the position could not be had: then all stays as it is. */
  async stands(game: Description, line: Line): Promise<boolean> {
    const number = this.begin();
    const state = await this.asked(game, line);
    if (number !== this.number) return true; // somebody went elsewhere meanwhile
    if (!state) return false;
    const root: Step = { parent: null, move: "", next: [], state: null };
    const last = grown(root, state.line.moves);
    last.state = state;
    batch(() => {
      this.game.value = game;
      this.root.value = root;
      this.stand(last);
      this.trouble.value = lostOf(state);
    });
    return true;
  }

  private begin(): number {
    this.number += 1;
    return this.number;
  }

  private async asked(game: Description, line: Line): Promise<State | null> {
    try {
      const state = await this.ask("state", { game: game.id, line });
      this.trouble.value = "";
      return state;
    } catch (error) {
      this.trouble.value = messageOf(error);
      return null;
    }
  }

  private stand(step: Step | null, looks = false): void {
    batch(() => {
      this.at.value = step;
      this.looks.value = looks;
      this.release();
    });
  }

  /** Lets go of what is held, and closes menu and explanation. */
  release(): void {
    this.explanations += 1;
    batch(() => {
      this.held.value = [];
      this.kind.value = "";
      this.menu.value = [];
      this.bubble.value = null;
    });
  }

  /** Goes to a position of the tree. */
  async go(step: Step): Promise<void> {
    await this.walk(step, true);
  }

  private async walk(step: Step, looks: boolean): Promise<void> {
    const game = this.game.value;
    if (!game) return;
    const number = this.begin();
    const state = step.state ?? (await this.asked(game, lineOf(step, this.line.value)));
    if (!state || number !== this.number) return;
    step.state = state;
    this.stand(step, looks);
  }

  async back(): Promise<void> {
    await this.backTo(this.line.value.moves.length - 1);
  }

  /** To the position after so many moves of this line. */
  async backTo(count: number): Promise<void> {
    let step = this.at.value;
    for (let moves = this.line.value.moves.length; step?.parent && moves > count; moves -= 1) step = step.parent;
    if (step && step !== this.at.value) await this.go(step);
  }

  async forward(): Promise<void> {
    const next = this.at.value?.next[0];
    if (next) await this.go(next);
  }

  /** Plays a move here; if it was played here before, goes on in that branch. */
  async play(text: string): Promise<void> {
    await this.playAll([text]);
  }

  /** Plays several moves one after the other, such as the rest of a turn. */
  playAll(texts: string[]): Promise<void> {
    const moving = this.playedAll(texts);
    this.moving = moving;
    return moving;
  }

  private async playedAll(texts: string[]): Promise<void> {
    const [here, game] = [this.at.value, this.game.value];
    if (!here || !game || !texts.length) return;
    const before = known(here, texts);
    if (before) return this.walk(before, false);
    const number = this.begin();
    const line = lineOf(here, this.line.value);
    const state = await this.asked(game, { ...line, moves: [...line.moves, ...texts] });
    if (!state || number !== this.number) return;
    if (state.lost) {
      this.trouble.value = lostOf(state);
      return;
    }
    const step = grown(here, texts);
    step.state = state;
    this.stand(step);
  }

  // ---------------------------------------------------------------------------------------------- clicks

  /** A click on a cell, or Enter on it: it holds, moves, asks which move is meant, or says why not. */
  async click(cell: string): Promise<void> {
    await this.moving;
    if (!this.state.value || this.state.value.outcome) return;
    const held = this.held.value;
    if (held.at(-1) === cell && !this.targets.value.has(cell)) return this.release();
    for (let kept = held.length; kept >= 0; kept -= 1) {
      const cells = [...held.slice(0, kept), cell];
      if (this.moves.value.some((move) => begins(move, cells))) return this.take(cells);
    }
    await this.explain([...held, cell]);
  }

  /** Begins to drag what lies on a cell: as a click on it, but what is held already stays held. */
  hold(cell: string): void {
    if (this.held.value.at(-1) === cell || !this.begins.value.has(cell)) return;
    this.explanations += 1;
    batch(() => {
      this.bubble.value = null;
      this.menu.value = [];
      this.held.value = [cell];
    });
  }

  /** What was dragged from one cell is let go over another one. */
  async drop(from: string, to: string): Promise<void> {
    if (this.held.value.at(-1) === from) await this.click(to);
    else if (this.state.value && !this.state.value.outcome) await this.explain([from, to]);
  }

  private async take(cells: string[]): Promise<void> {
    this.explanations += 1;
    batch(() => {
      this.bubble.value = null;
      this.menu.value = [];
      this.held.value = cells;
    });
    if (this.targets.value.size) return; // what ends here can still be chosen: `complete`
    const [only, ...others] = this.complete.value;
    if (only && !others.length) await this.play(only.text);
    else this.menu.value = this.complete.value;
  }

  /** Says at the cell why these cells, in this order, are no legal move. */
  async explain(cells: string[]): Promise<void> {
    this.explanations += 1;
    const number = this.explanations;
    try {
      const kind = this.kind.value;
      const explanation = await this.ask("why", { ...this.where(), cells, ...(kind && { kind }) });
      if (number === this.explanations) this.bubble.value = { cells, explanation };
    } catch (error) {
      if (number === this.explanations) this.trouble.value = messageOf(error);
    }
  }
}

/** Which move could not be played and why; the first position is a move without a text. */
function lostOf({ lost }: State): string {
  return lost ? [lost.move, lost.message].filter(Boolean).join(": ") : "";
}

/** The cells by which a move is clicked: those that it names, and the one that it leads to if that is another one. */
export function places(move: Move): string[] {
  return move.goal && !move.cells.includes(move.goal) ? [...move.cells, move.goal] : move.cells;
}

/** True if clicks on these cells, in this order, may mean this move. */
function begins(move: Move, cells: string[]): boolean {
  const named = places(move);
  return cells.every((cell, place) => named[place] === cell);
}

export function lineOf(step: Step, root: Line): Line {
  const moves: string[] = [];
  for (let one: Step | null = step; one?.parent; one = one.parent) moves.unshift(one.move);
  return { seed: root.seed, start: root.start, moves };
}

/** The position after these moves, if all of them were played here before. */
function known(from: Step, texts: string[]): Step | null {
  let step: Step | undefined = from;
  for (const text of texts) step = step?.next.find((next) => next.move === text);
  return step ?? null;
}

/** The position after these moves, in branches that are there or begin here. */
function grown(from: Step, texts: string[]): Step {
  let step = from;
  for (const text of texts) {
    const before = step.next.find((next) => next.move === text);
    const next: Step = before ?? { parent: step, move: text, next: [], state: null };
    if (!before) step.next.push(next);
    step = next;
  }
  return step;
}
