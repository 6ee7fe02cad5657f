/** One page: its parts, and what they know of each other. */

import { signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Ask, Description, Hello } from "../protocol.ts";
import { Play } from "./play.ts";
import { Rules } from "./rules.ts";
import { Thinking } from "./thinking.ts";

export type Part = "rules" | "board" | "rail"; // shown alone where the window is narrow
export type Tab = "moves" | "means";

export class Page {
  readonly rules: Rules;
  readonly play: Play;
  readonly thinking: Thinking;
  readonly part = signal<Part>("board");
  readonly tab = signal<Tab>("moves");
  readonly query = { draft: signal(""), goal: signal("") }; // that is being written, and that was asked last
  readonly gallery = signal(false); // the list of games is open
  readonly line = signal<{ number: number } | null>(null); // the line of the rules to look at; a new object each time

  constructor(
    readonly ask: Ask,
    readonly hello: Hello,
  ) {
    this.play = new Play(ask);
    this.rules = new Rules(ask, (game) => this.becomes(game));
    this.thinking = new Thinking(ask, this.play);
  }

  can(what: string): boolean {
    return this.hello.can.includes(what);
  }

  /** The rules have a part of the page, if only to be read. */
  get showsRules(): boolean {
    return this.can("edit") || this.can("read");
  }

  /** Leads the reader to a line of the rules. */
  lookAt(number: number): void {
    this.line.value = { number };
    this.part.value = "rules";
  }

  /** True while a person may move: nobody has won, and no program is about to move. */
  get waits(): boolean {
    const { play, thinking } = this;
    const goesOn = play.state.value && !play.state.value.outcome;
    return Boolean(goesOn) && (!thinking.toMove.value || thinking.waiting.value);
  }

  private async becomes(game: Description | null): Promise<void> {
    if (!game) return this.play.clear();
    const players = new Set(game.players.map((player) => player.name));
    const seats = Object.entries(this.thinking.seats.value).filter(([player]) => players.has(player));
    this.thinking.seats.value = Object.fromEntries(seats);
    await this.play.becomes(game);
  }
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("there is no page around this part");
  return page;
}
