/** The game on the board: a tree of moves, where one stands in it, and what a click means. */

import { batch, computed, signal } from "@preact/signals";
import type { Ask, Description, Explanation, Line, Mark, Move, State, Where } from "../protocol.ts";
import { Previews } from "./previews.ts";
import { failed, messageOf } from "./rules.ts";

/** A position in the tree. */
export interface Step {
  parent: Step | null;
  move: string; // that led here; "" at the root
  next: Step[]; // the first is the main line
  state: State | null; // null until somebody goes there
}

/** An explanation, and what was clicked; it is shown at the last of it. */
export interface Bubble {
  cells: string[]; // and things beside the board
  explanation: Explanation;
}

export const BEGINNING: Line = { seed: 0, start: "", moves: [] };

export class Play {
  readonly game = signal<Description | null>(null); // whose board is shown; changes together with the position
  readonly root = signal<Step | null>(null);
  readonly at = signal<Step | null>(null);
  readonly held = signal<string[]>([]); // the cells and the things beside the board that were clicked so far
  readonly kind = signal(""); // the kind of moves that a button or menu has chosen, or ""
  readonly menu = signal<Move[]>([]); // several moves that the clicks may mean
  readonly bubble = signal<Bubble | null>(null);
  readonly pointed = signal<string[]>([]); // cells that a text outside of the board speaks of
  readonly marked = signal<Mark[]>([]); // what an answer outside of the board marks
  readonly over = signal<string | null>(null); // the cell under the pointer
  readonly looks = signal(false); // somebody went to this position through the tree, and did not play a move
  readonly flipped = signal(false);
  readonly whole = signal(false); // also the part of a large board that is not in use is shown
  readonly aimed = signal<ReadonlySet<string>>(new Set()); // moves that are meant by pointing between cells
  readonly previews: Previews;
  readonly trouble = signal("");

  private fresh = false; // a table was laid, and nothing has happened at it since

  /** Who plays, where a new game of this kind is to keep its secrets from people; null where all is open. */
  seatsOf: (game: Description) => Record<string, string> | null = () => null;

  readonly state = computed(() => this.at.value?.state ?? null);
  /** The board shows what one person sees, or nothing while nobody looks: no move is taken back, and none looked at. */
  readonly hides = computed(() => this.state.value?.veil !== undefined);
  /** The person who is to look now, after whoever looked before has gone. */
  readonly next = computed(() => {
    const { mover, veil } = this.state.value ?? {};
    return veil && mover !== veil.viewer && !veil.seats[mover!] ? mover! : null;
  });
  readonly line = computed<Line>(() => this.state.value?.line ?? BEGINNING);
  /** The moves of the chosen kind, or all. */
  private readonly moves = computed(() =>
    (this.state.value?.moves ?? []).filter((move) => !this.kind.value || move.kind === this.kind.value),
  );
  /** What lies beside the board for the player to move: the values that it stands for. */
  readonly lying = computed(() => lyingIn(this.state.value));
  /** The moves that a pointer can mean by cells and things beside the board. */
  private readonly clickable = computed(() => this.moves.value.filter((move) => !this.aimed.value.has(move.text)));
  /** The cells and things with which such a move can begin. */
  readonly opens = computed(() => this.after([], this.clickable.value));
  /** The moves that fit what is held. */
  readonly fitting = computed(() => this.moves.value.filter((move) => this.mayMean(move, this.held.value)));
  /** The cells and things with which a move can begin, and those with which a move that fits can go on. */
  readonly begins = computed(() => this.after([]));
  readonly targets = computed(() => (this.held.value.length ? this.after(this.held.value) : new Set<string>()));
  /** The moves all of whose cells were clicked; what lies beside the board may still tell them apart. */
  readonly complete = computed(() => {
    const [cells] = this.parted(this.held.value);
    return this.fitting.value.filter((move) => this.held.value.length && places(move).length === cells.length);
  });
  /** Of them those that no click can mean any more, where one may stop or go on. */
  readonly ended = computed(() =>
    this.targets.value.size ? this.complete.value.filter((move) => !this.open(move)) : [],
  );
  /** Moves that no click on a cell or a thing can mean: they have buttons of their own. */
  readonly buttons = computed(() =>
    (this.state.value?.moves ?? []).filter(
      (move) => !places(move).length && !move.values.some((value) => this.lying.value.has(value)),
    ),
  );

  private number = 0; // of the last change of position; a late answer must not replace a newer one
  private explanations = 0; // that were asked for or given up, for the same reason
  private moving: Promise<unknown> = Promise.resolve(); // what is under way, before a click has its meaning

  constructor(private readonly ask: Ask) {
    this.previews = new Previews(ask, this);
  }

  /** Where the board stands, for any question about it. */
  where(): Where {
    return { game: this.game.value?.id ?? "", line: this.line.value };
  }

  /** The cells and the things beside the board that can follow these. */
  after(held: string[], among = this.moves.value): Set<string> {
    const here = among.filter((move) => this.mayMean(move, held));
    const [{ length }] = this.parted(held);
    return new Set(here.flatMap((move) => [...places(move).slice(length, length + 1), ...this.missing(move, held)]));
  }

  /** Cells, in their order, and things beside the board: these may be clicked before or after those. */
  private parted(held: string[]): [cells: string[], things: string[]] {
    const isThing = (one: string) => this.lying.value.has(one);
    return [held.filter((one) => !isThing(one)), held.filter(isThing)];
  }

  /** True if clicks on these may mean this move. */
  private mayMean(move: Move, held: string[]): boolean {
    const [cells, things] = this.parted(held);
    return begins(move, cells) && things.every((thing) => move.values.includes(thing));
  }

  /** What lies beside the board for this move and was not clicked. */
  private missing(move: Move, held: string[]): string[] {
    return move.values.filter((value) => this.lying.value.has(value) && !held.includes(value));
  }

  /** True if a click on a thing beside the board can still mean this move. */
  private open(move: Move): boolean {
    return this.missing(move, this.held.value).length > 0;
  }

  // ---------------------------------------------------------------------------------------------- positions

  /** A game at the position that it was opened with; or the same moves in a game whose rules have changed, as far as they
   * are still legal; else its first position. */
  async becomes(game: Description, opened?: Line): Promise<void> {
    if (game.id === this.game.value?.id && !opened) return;
    const same = this.game.value?.name === game.name;
    const fresh = game.rolls ? { ...BEGINNING, seed: randomSeed() } : BEGINNING;
    const line = opened ?? (same && !this.hides.value ? this.line.value : fresh);
    if ((await this.stands(game, line)) || line === fresh) return;
    const why = this.trouble.value;
    if ((await this.stands(game, fresh)) && opened) this.trouble.value = why;
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

  /** Another game: with this seed; without one, with the same setup, but where dice roll they roll otherwise. */
  async restart(seed = this.game.value?.rolls ? randomSeed() : this.line.value.seed): Promise<void> {
    await this.show({ seed, start: "", moves: [] });
  }

  /** True unless the position could not be had: then all stays as it is. */
  async stands(game: Description, line: Line): Promise<boolean> {
    const number = this.begin();
    const state = await this.opened(game, line);
    if (number !== this.number) return true; // somebody went elsewhere meanwhile
    if (!state) return false;
    this.stood(game, state);
    return true;
  }

  /** Shows a position; of what led to it the moves that are told. */
  private stood(game: Description, state: State): void {
    const root: Step = { parent: null, move: "", next: [], state: null };
    const last = grown(root, state.veil ? state.played.map(({ text }) => text) : state.line.moves);
    last.state = state;
    batch(() => {
      this.game.value = game;
      this.root.value = root;
      this.stand(last);
      this.trouble.value = lostOf(state);
    });
  }

  // ---------------------------------------------------------------------------------------------- tables

  /** Asks something that changes a table, and shows what it looks like then. */
  private async turned(answer: (where: Where) => Promise<State>): Promise<void> {
    const game = this.game.value;
    if (!game || !this.hides.value) return;
    const number = this.begin();
    const where = this.where();
    const state = await this.answered(() => answer(where));
    if (state && number === this.number) this.stood(game, state);
  }

  private moved(move: string): Promise<void> {
    this.fresh = false;
    return this.turned((where) => this.ask("move", { ...where, move }));
  }

  /** A table at which nothing has happened becomes an open game, for who writes the rules. */
  async unseal(): Promise<void> {
    if (this.hides.peek() && this.fresh) await this.restart();
  }

  /** Lets programs move, as far as whoever looks may see it at once. */
  async reply(seconds: number, signal: AbortSignal): Promise<void> {
    this.fresh = false;
    await this.turned((where) => this.ask("reply", { ...where, seconds }, { signal }));
  }

  /** Whoever looks has gone: nothing is shown until the next person is there. */
  async cover(): Promise<void> {
    await this.turned((where) => this.ask("state", where));
  }

  /** The next person is there. */
  async uncover(): Promise<void> {
    const player = this.next.value;
    if (player) await this.turned((where) => this.ask("look", { ...where, player }));
  }

  /** Shows everything, from now on. */
  async reveal(): Promise<void> {
    if (!this.hides.value) return;
    try {
      await this.show((await this.ask("reveal", this.where())).line);
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
  }

  private begin(): number {
    this.number += 1;
    return this.number;
  }

  private asked(game: Description, line: Line): Promise<State | null> {
    return this.answered(() => this.ask("state", { game: game.id, line }));
  }

  /** The first position of a line; of a new game with secrets that is played, at a table of its own. */
  private opened(game: Description, line: Line): Promise<State | null> {
    const fresh = !line.table && !line.start && !line.moves.length;
    const seats = fresh ? this.seatsOf(game) : null;
    this.fresh = seats !== null;
    return seats ? this.answered(() => this.ask("sit", { game: game.id, seats })) : this.asked(game, line);
  }

  private async answered(answer: () => Promise<State>): Promise<State | null> {
    try {
      const state = await answer();
      this.trouble.value = "";
      return state;
    } catch (error) {
      if (!failed(error, "cancelled")) this.trouble.value = messageOf(error);
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
    if (!game || this.hides.value) return;
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
    if (this.hides.value) return this.moved(texts[0]!);
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

  /** A click on a cell or a thing beside the board, or Enter on it: it holds, moves, asks which move is meant, or says
   * why not.  Who points does not mean what lies between cells by a click on a cell. */
  async click(place: string, points = false): Promise<void> {
    await this.moving;
    if (!this.state.value || this.state.value.outcome) return;
    const held = this.held.value;
    if (held.includes(place) && !this.targets.value.has(place)) {
      if (held.at(-1) === place || this.lying.value.has(place)) return this.letGo(place);
    }
    const among = points ? this.clickable.value : this.moves.value;
    const meant = this.ways(place).find((way) => among.some((move) => this.mayMean(move, way)));
    if (meant) await this.take(meant, among);
    else await this.explain([...this.besides(place), place], points ? this.pointedKind() : "");
  }

  /** What is held and speaks of the same move as one more click: of the things beside the board there is one. */
  private besides(place: string): string[] {
    const [cells, things] = this.parted(this.held.value);
    return [...(this.isThing(place) ? [] : things), ...cells].filter((one) => one !== place);
  }

  /** The kind of moves that a click on a cell means, where others are aimed; none if there are several. */
  private pointedKind(): string {
    const kinds = new Set(this.aimed.value.size ? this.clickable.value.map((move) => move.kind) : []);
    return kinds.size === 1 ? [...kinds][0]! : "";
  }

  /** The move that a click here would play; none if it would do something else. */
  meant(place: string): string {
    const among = this.clickable.value;
    for (const way of this.ways(place)) {
      const fitting = among.filter((move) => this.mayMean(move, way));
      const [cells] = this.parted(way);
      if (fitting.length === 1 && places(fitting[0]!).length === cells.length) return fitting[0]!.text;
      if (fitting.length) return "";
    }
    return "";
  }

  /** What one more click may mean, with as much as possible of what is held. */
  private ways(place: string): string[][] {
    const [cells, things] = this.parted(this.held.value);
    const shorter = Array.from({ length: cells.length + 1 }, (_, gone) => cells.slice(0, cells.length - gone));
    if (this.isThing(place)) return [[...this.held.value, place], ...shorter.map((kept) => [...kept, place])];
    const with_ = shorter.map((kept) => [...things, ...kept, place]);
    return things.length ? [...with_, ...shorter.map((kept) => [...kept, place])] : with_;
  }

  /** True for a thing beside the board, also one that no legal move needs. */
  private isThing(place: string): boolean {
    return (
      this.state.value?.asides.some(({ groups }) =>
        groups.some(({ things }) => things.some(({ value }) => value === place)),
      ) ?? false
    );
  }

  /** Lets go of a thing beside the board; or of all cells, so that the things stay held. */
  private letGo(place: string): void {
    const [cells, things] = this.parted(this.held.value);
    const left = things.includes(place) ? [...cells, ...things.filter((one) => one !== place)] : things;
    const kind = this.kind.value;
    this.release();
    if (!left.length) return;
    this.kind.value = kind;
    this.held.value = left;
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

  private async take(held: string[], among: Move[]): Promise<void> {
    this.explanations += 1;
    batch(() => {
      this.bubble.value = null;
      this.menu.value = [];
      this.held.value = held;
    });
    const [cells] = this.parted(held);
    const fitting = among.filter((move) => this.mayMean(move, held));
    const complete = fitting.filter((move) => places(move).length === cells.length);
    if (fitting.length > complete.length) return; // what ends here can still be chosen: `ended`
    const [only, ...others] = complete;
    if (only && !others.length) await this.play(only.text);
    else if (!complete.some((move) => this.open(move))) this.menu.value = complete;
  }

  /** Says at the last of them why these cells, in this order, and things beside the board are no legal move. */
  async explain(clicked: string[], wanted = ""): Promise<void> {
    this.explanations += 1;
    const number = this.explanations;
    try {
      const kind = wanted || this.kind.value;
      const cells = clicked.filter((one) => !this.isThing(one));
      const values = clicked.filter((one) => this.isThing(one));
      const explanation = await this.ask("why", {
        ...this.where(),
        cells,
        ...(values.length && { values }),
        ...(kind && { kind }),
      });
      if (number === this.explanations) this.bubble.value = { cells: clicked, explanation };
    } catch (error) {
      if (number === this.explanations) this.trouble.value = messageOf(error);
    }
  }
}

/** A seed for a setup and for rolls that nobody has seen. */
export function randomSeed(): number {
  return 1 + Math.floor(Math.random() * 999_999);
}

/** Which move could not be played and why; the first position is a move without a text. */
function lostOf({ lost }: State): string {
  return lost ? [lost.move, lost.message].filter(Boolean).join(": ") : "";
}

/** The cells by which a move is clicked: those that it names, and the one that it leads to if that is another one. */
export function places(move: Move): string[] {
  return move.goal && !move.cells.includes(move.goal) ? [...move.cells, move.goal] : move.cells;
}

/** The values for which something lies beside the board that the player to move may use. */
function lyingIn(state: State | null): Set<string> {
  const found = new Set<string>();
  for (const { groups } of state?.asides ?? [])
    for (const { player, things } of groups)
      for (const { value } of things) if (value && (!player || player === state?.mover)) found.add(value);
  return found;
}

/** True if clicks on these cells, in this order, may mean this move. */
function begins(move: Move, cells: string[]): boolean {
  const named = places(move);
  return cells.every((cell, place) => named[place] === cell);
}

export function lineOf(step: Step, root: Line): Line {
  const moves: string[] = [];
  for (let one: Step | null = step; one?.parent; one = one.parent) moves.unshift(one.move);
  return { ...root, moves };
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
