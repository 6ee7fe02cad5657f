/** Who plays which side, and what the program thinks. */

import { computed, signal } from "@preact/signals";
import type { Ask, Thought } from "../protocol.ts";
import type { Play, Step } from "./play.ts";
import { failed, messageOf } from "./rules.ts";

export type Purpose = "move" | "hint" | "analysis";

export class Thinking {
  readonly seats = signal<Record<string, string>>({}); // player text by player; a person where there is none
  readonly seconds = signal(2);
  readonly paused = signal(false);
  readonly thought = signal<Thought | null>(null); // the latest one
  readonly purpose = signal<Purpose | null>(null); // what is being thought about, if anything
  readonly of = signal<Step | null>(null); // the position that `thought` is about
  readonly trouble = signal("");
  readonly busy = computed(() => this.purpose.value !== null);

  private running: AbortController | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly play: Play,
  ) {}

  /** The player whose turn it is, if it is the program. */
  readonly toMove = computed(() => {
    const state = this.play.state.value;
    return state && !state.outcome ? (this.seats.value[state.mover] ?? "") : "";
  });

  cancel(): void {
    this.running?.abort();
    this.running = undefined;
    this.purpose.value = null;
  }

  /** Moves for whoever is to move if a program plays that side. */
  async turn(): Promise<void> {
    const player = this.toMove.value;
    if (!player || this.paused.value) return;
    const found = await this.think("move", player);
    if (found) await this.play.play(found.move);
  }

  async hint(player: string): Promise<Thought | null> {
    return this.think("hint", player);
  }

  /** Thinks until it is cancelled. */
  async analyse(): Promise<void> {
    await this.think("analysis", "");
  }

  private async think(purpose: Purpose, player: string): Promise<Thought | null> {
    this.cancel();
    const running = new AbortController();
    this.running = running;
    const step = this.play.at.value;
    this.purpose.value = purpose;
    this.of.value = step;
    this.thought.value = null;
    this.trouble.value = "";
    const heard = (thought: Thought) => {
      if (this.running === running) this.thought.value = thought;
    };
    try {
      const how = { heard, signal: running.signal };
      const where = this.play.where();
      const found =
        purpose === "analysis"
          ? await this.ask("analyse", where, how)
          : await this.ask("choose", { ...where, player, seconds: this.seconds.value }, how);
      if (this.running !== running || this.play.at.value !== step) return null;
      this.thought.value = found;
      return found;
    } catch (error) {
      if (this.running === running && !failed(error, "cancelled")) {
        this.trouble.value = messageOf(error);
        this.paused.value = true;
      }
      return null;
    } finally {
      if (this.running === running) {
        this.running = undefined;
        this.purpose.value = null;
      }
    }
  }
}
