/** One page: its parts, and what they know of each other. */

import { computed, effect, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { View } from "../address.ts";
import type { Ask, Card, Description, Hello, Line } from "../protocol.ts";
import type { Way } from "../way.ts";
import { Dice } from "./dice.ts";
import { Play } from "./play.ts";
import { Review } from "./review.ts";
import { Rules } from "./rules.ts";
import { Sound } from "./sound.ts";
import { Thinking } from "./thinking.ts";

export type Part = "rules" | "board" | "rail"; // shown alone where the window is narrow
export type Tab = "moves" | "rules" | "means";
export type At = "home" | "new" | "game";

export class Page {
  readonly rules: Rules;
  readonly play: Play;
  readonly thinking: Thinking;
  readonly review: Review;
  readonly dice: Dice;
  readonly sound: Sound;
  readonly at = signal<At>("game"); // the list of games, the beginning of new rules, or a game
  readonly view = signal<View>("play"); // of the game: it is played, or its rules are written
  readonly part = signal<Part>("board");
  readonly tab = signal<Tab>("moves");
  readonly query = { draft: signal(""), goal: signal("") }; // that is being written, and that was asked last
  readonly cards = signal<Card[] | null>(null); // of all games; null until they are known
  seating: ((game: Description) => void) | null = null; // seats the players, as soon as there is a game
  way: Way | null = null; // where the page has addresses, and other games to go to
  readonly draftKept = signal(false); // the browser keeps the text that is not saved
  readonly line = signal<{ number: number } | null>(null); // the line of the rules to look at; a new object each time

  constructor(
    readonly ask: Ask,
    readonly hello: Hello,
  ) {
    this.play = new Play(ask);
    this.rules = new Rules(ask, (game, line) => this.becomes(game, line));
    this.thinking = new Thinking(ask, this.play);
    this.play.seatsOf = (game) => this.kept(game);
    effect(() => {
      if (this.writes.value) queueMicrotask(() => void this.play.unseal());
    });
    this.dice = new Dice(this.play, this.thinking.pace);
    this.sound = new Sound(this.play);
    this.review = new Review(ask, this.play, this.thinking);
  }

  can(what: string): boolean {
    return this.hello.can.includes(what);
  }

  /** The rules have a part of the page, if only to be read. */
  get showsRules(): boolean {
    return this.can("edit") || this.can("read");
  }

  /** There are other games to go to, and new ones to begin. */
  get hasHome(): boolean {
    return this.hello.product !== "export";
  }

  /** The text of the rules is on the page. */
  readonly writes = computed(() => this.showsRules && this.view.value === "write");

  /** Leads the reader to a line of the rules. */
  lookAt(number: number): void {
    this.view.value = "write";
    this.line.value = { number };
    this.part.value = "rules";
  }

  /** Asks anew what was not answered while there was no connection. */
  async answersAgain(): Promise<void> {
    const { play, thinking } = this;
    play.trouble.value = "";
    if (thinking.trouble.value) {
      thinking.trouble.value = "";
      thinking.paused.value = false; // a program that could not move tries again
    }
    if (this.at.value === "game") await this.rules.check();
  }

  /** True while a person may move: nobody has won, and neither chance nor a program is about to move. */
  get waits(): boolean {
    const { play, thinking } = this;
    const goesOn = play.state.value && !play.state.value.outcome && !play.state.value.chance;
    if (thinking.clock.over.value || play.next.value) return false;
    return Boolean(goesOn) && (!thinking.toMove.value || thinking.waiting.value);
  }

  /** Seats those who were to sit down as soon as there is a game. */
  seat(game: Description): void {
    const { seating } = this;
    this.seating = null;
    seating?.(game);
  }

  /** Who plays, if a new game is to keep its secrets: where it is played, and not written, and a person plays. */
  private kept(game: Description): Record<string, string> | null {
    if (!game.secret || this.writes.value) return null;
    const seats = Object.fromEntries(game.players.map(({ name }) => [name, this.thinking.seats.value[name] ?? ""]));
    return Object.values(seats).every(Boolean) ? null : seats;
  }

  private async becomes(game: Description | null, line?: Line): Promise<void> {
    if (!game) return this.play.clear();
    const players = new Set(game.players.map((player) => player.name));
    const seats = Object.entries(this.thinking.seats.value).filter(([player]) => players.has(player));
    this.thinking.seats.value = Object.fromEntries(seats);
    if (game.secret) this.seat(game); // before the game begins: afterwards nobody sits down at a table
    await this.play.becomes(game, line);
  }
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("there is no page around this part");
  return page;
}
