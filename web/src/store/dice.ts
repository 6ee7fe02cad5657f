/** What is left to chance: it happens by itself after a moment, upon a click, or as real dice show. */

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { remember, remembered } from "./memory.ts";
import type { Play, Step } from "./play.ts";

export const WAYS = ["itself", "click", "real"] as const;
export type Way = (typeof WAYS)[number];

const SHORT = 150; // ms at most before what shows no dice, such as a tile that appears

export class Dice {
  readonly way = signal<Way>(WAYS.find((way) => way === remembered("dice")) ?? "itself");
  /** Somebody is to say that dice roll: with a click, or because they came here by stepping through the moves. */
  readonly waits = computed(
    () => this.chance.value !== undefined && (this.way.value !== "itself" || this.play.looks.value),
  );

  private readonly chance = computed(() => this.play.state.value?.chance);

  constructor(
    private readonly play: Play,
    private readonly pace: ReadonlySignal<number>, // ms
  ) {
    effect(() => {
      const [step, chance] = [play.at.value, this.chance.value];
      if (!step || !chance || this.waits.value) return;
      const pause = chance.rolls.some(({ dice }) => dice.length) ? this.pace.peek() : Math.min(SHORT, this.pace.peek());
      const timer = setTimeout(() => void this.roll(step), pause);
      return () => clearTimeout(timer);
    });
  }

  choose(way: Way): void {
    remember("dice", way);
    this.way.value = way;
  }

  /** Lets happen what the seed draws. */
  async roll(step: Step | null = this.play.at.value): Promise<void> {
    const drawn = this.chance.value?.drawn;
    if (drawn && step === this.play.at.value) await this.play.play(drawn);
  }
}
