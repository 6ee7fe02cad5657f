/** The game on the board: a tree of moves, where one stands in it, and what a click means. */

import { batch, computed, signal } from "@preact/signals";
import type { Ask, Description, Explanation, Line, Mark, Move, State, Where } from "../protocol.ts";
import { failed, messageOf, type Rules } from "./rules.ts";

/** A position in the tree. */
export interface Step {
  parent: Step | null;
  move: string; // that led here; "" at the root
  next: Step[]; // the first is the main line
  state: State | null; // null until somebody goes there
}

/** An explanation, and the cell at which it is shown. */
export interface Bubble {
  cells: string[];
  explanation: Explanation;
}

export class Play {
  readonly root = signal<Step | null>(null);
  readonly at = signal<Step | null>(null);
  readonly held = signal<string[]>([]); // the cells clicked so far
  readonly kind = signal(""); // the kind of moves that a button or menu has chosen, or ""
  readonly menu = signal<Move[]>([]); // several moves that the clicks may mean
  readonly bubble = signal<Bubble | null>(null);
  readonly pointed = signal<string[]>([]); // cells that a text outside of the board speaks of
  readonly marked = signal<Mark[]>([]); // what an answer outside of the board marks
  readonly flipped = signal(false);
  readonly trouble = signal("");

  readonly state = computed(() => this.at.value?.state ?? null);
  readonly line = computed<Line>(() => this.state.value?.line ?? { seed: 0, start: "", moves: [] });
  /** The moves that fit what is held. */
  readonly fitting = computed(() => {
    const held = this.held.value;
    return (this.state.value?.moves ?? []).filter(
      (move) =>
        (!this.kind.value || move.kind === this.kind.value) &&
        held.every((cell, place) => places(move)[place] === cell),
    );
  });
  /** The cells with which a move can begin, and where those that fit can go on. */
  readonly begins = computed(
    () => new Set((this.state.value?.moves ?? []).flatMap((move) => places(move).slice(0, 1))),
  );
  readonly targets = computed(() => {
    const place = this.held.value.length;
    return new Set(place ? this.fitting.value.flatMap((move) => places(move).slice(place, place + 1)) : []);
  });
  /** Moves that no click on a cell can mean: they have buttons of their own. */
  readonly buttons = computed(() => (this.state.value?.moves ?? []).filter((move) => !places(move).length));

  private game: Description | null = null;
  private number = 0;

  constructor(
    private readonly ask: Ask,
    private readonly rules: () => Rules,
  ) {}

  /** Where the board stands, for any question about it. */
  where(): Where {
    return { game: this.game?.id ?? "", line: this.line.value };
  }

  /** The same moves in a game whose rules have changed, as far as they are still legal; else its first position. */
  async becomes(game: Description): Promise<void> {
    if (game.id === this.game?.id) return;
    const same = this.game?.name === game.name;
    const line = same ? this.line.value : { seed: 0, start: "", moves: [] };
    this.game = game;
    await this.show(line);
  }

  /** Shows a position and how it was reached. */
  async show(line: Line): Promise<void> {
    const steps = await this.replayed(line);
    if (!steps) return;
    batch(() => {
      this.root.value = steps[0]!;
      this.stand(steps.at(-1)!);
    });
  }

  async restart(seed = this.line.value.seed): Promise<void> {
    await this.show({ seed, start: "", moves: [] });
  }

  /** The steps of a line, the first position first; null if another question came meanwhile. */
  private async replayed(line: Line): Promise<Step[] | null> {
    this.number += 1;
    const number = this.number;
    const state = await this.asked(line);
    if (!state || number !== this.number) return null;
    this.trouble.value = state.lost ? `${state.lost.move}: ${state.lost.message}` : "";
    const steps: Step[] = [{ parent: null, move: "", next: [], state: null }];
    for (const move of state.line.moves) {
      const step: Step = { parent: steps.at(-1)!, move, next: [], state: null };
      steps.at(-1)!.next.push(step);
      steps.push(step);
    }
    steps.at(-1)!.state = state;
    return steps;
  }

  private async asked(line: Line): Promise<State | null> {
    if (!this.game) return null;
    try {
      return await this.ask("state", { game: this.game.id, line });
    } catch (error) {
      if (failed(error, "gone")) {
        this.game = null;
        await this.rules().check();
      } else {
        this.trouble.value = messageOf(error);
      }
      return null;
    }
  }

  private stand(step: Step): void {
    batch(() => {
      this.at.value = step;
      this.release();
    });
  }

  /** Lets go of what is held, and closes menu and explanation. */
  release(): void {
    batch(() => {
      this.held.value = [];
      this.kind.value = "";
      this.menu.value = [];
      this.bubble.value = null;
    });
  }

  /** Goes to a position of the tree. */
  async go(step: Step): Promise<void> {
    this.number += 1;
    const number = this.number;
    const state = step.state ?? (await this.asked(lineOf(step, this.line.value)));
    if (!state || number !== this.number) return;
    step.state = state;
    this.stand(step);
  }

  async back(): Promise<void> {
    const parent = this.at.value?.parent;
    if (parent) await this.go(parent);
  }

  async forward(): Promise<void> {
    const next = this.at.value?.next[0];
    if (next) await this.go(next);
  }

  /** To the beginning of this turn, or of the one before if it has just begun. */
  async backTurn(): Promise<void> {
    const state = this.state.value;
    if (!state?.line.moves.length) return;
    const count = state.line.moves.length;
    let began = state.turn_began;
    if (began === count) {
      await this.back();
      began = this.state.value?.turn_began ?? 0;
    }
    let step = this.at.value;
    while (step?.parent && lineOf(step, state.line).moves.length > began) step = step.parent;
    if (step) await this.go(step);
  }

  /** Plays a move here; if it was played here before, goes on in that branch. */
  async play(text: string): Promise<void> {
    const here = this.at.value;
    if (!here) return;
    const before = here.next.find((step) => step.move === text);
    if (before) return this.go(before);
    this.number += 1;
    const number = this.number;
    const line = lineOf(here, this.line.value);
    const state = await this.asked({ ...line, moves: [...line.moves, text] });
    if (!state || number !== this.number) return;
    if (state.lost) {
      this.trouble.value = `${state.lost.move}: ${state.lost.message}`;
      return;
    }
    const step: Step = { parent: here, move: text, next: [], state };
    here.next.push(step);
    this.stand(step);
  }

  /** Plays several moves one after the other, such as the rest of a turn. */
  async playAll(texts: string[]): Promise<void> {
    for (const text of texts) await this.play(text);
  }

  /** A click on a cell, or Enter on it: it holds, moves, asks which move is meant, or says why not. */
  async click(cell: string): Promise<void> {
    const held = this.held.value;
    if (held.at(-1) === cell && !this.targets.value.has(cell)) return this.release();
    if (this.fits([...held, cell])) return this.take([...held, cell]);
    if (held.length && this.begins.value.has(cell)) return this.take([cell]);
    await this.explain([...held, cell]);
  }

  private fits(cells: string[]): boolean {
    return this.fitting.value.some((move) => cells.every((cell, place) => places(move)[place] === cell));
  }

  private async take(cells: string[]): Promise<void> {
    batch(() => {
      this.bubble.value = null;
      this.menu.value = [];
      this.held.value = cells;
    });
    const whole = this.fitting.value.filter((move) => places(move).length === cells.length);
    const longer = this.fitting.value.length > whole.length;
    if (whole.length === 1 && !longer) await this.play(whole[0]!.text);
    else if (whole.length) this.menu.value = whole;
  }

  /** Says at the cell why these cells, in this order, are no legal move. */
  async explain(cells: string[]): Promise<void> {
    const { game, line } = this.where();
    this.number += 1;
    const number = this.number;
    try {
      const kind = this.kind.value;
      const explanation = await this.ask("why", { game, line, cells, ...(kind && { kind }) });
      if (number === this.number) this.bubble.value = { cells, explanation };
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
  }
}

/** The cells by which a move is clicked: those that it names, and the one that it leads to if that is another one. */
export function places(move: Move): string[] {
  return move.goal && !move.cells.includes(move.goal) ? [...move.cells, move.goal] : move.cells;
}

export function lineOf(step: Step, root: Line): Line {
  const moves: string[] = [];
  for (let one: Step | null = step; one?.parent; one = one.parent) moves.unshift(one.move);
  return { seed: root.seed, start: root.start, moves };
}
