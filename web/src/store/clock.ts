/**
 * A clock of the page: each player has some minutes, and gains some seconds with each turn.
 *
 * It begins with the first move, and stands while somebody looks at earlier positions.  Whose time is over has lost, as
 * the page has it: the rules know of no clock.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import type { Play, Step } from "./play.ts";

const OFTEN = 200; // ms between two looks at the clock
const PARTS = 25; // a program takes such a part of its time for a move, and most of what it gains

/** What calls something again and again, and how to end that. */
export type Ticking = (act: () => void) => () => void;

function interval(act: () => void): () => void {
  const timer = setInterval(act, OFTEN);
  return () => clearInterval(timer);
}

export class Clock {
  readonly minutes = signal(0); // of each player; 0: there is no clock
  readonly increment = signal(0); // seconds
  readonly over = signal<string | null>(null); // the player whose time is over
  private readonly left = signal<Record<string, number>>({}); // ms
  private readonly running = signal<{ player: string; since: number } | null>(null);
  readonly shown = computed(() => this.minutes.value > 0);

  constructor(
    private readonly play: Play,
    private readonly now: () => number = () => performance.now(),
    ticking: Ticking = interval,
  ) {
    let before: Step | null = null;
    effect(() => {
      const step = play.at.value;
      if (step === before) return;
      before = step;
      queueMicrotask(() => this.follow(step));
    });
    effect(() => (this.running.value ? ticking(() => this.tick()) : undefined));
  }

  /** Other times, for a game that begins anew with them. */
  set(minutes: number, increment: number): void {
    batch(() => {
      this.minutes.value = minutes;
      this.increment.value = increment;
      this.reset();
    });
    this.follow(this.play.at.value);
  }

  leftOf(player: string): number {
    return this.left.value[player] ?? 60_000 * this.minutes.value;
  }

  /** The seconds that a program may think about its next move; `most` without a clock. */
  share(player: string, most: number): number {
    if (!this.shown.value) return most;
    const share = this.leftOf(player) / 1000 / PARTS + 0.8 * this.increment.value;
    return Math.min(most, share, this.leftOf(player) / 2000);
  }

  tick(): void {
    const running = this.running.value;
    if (!running) return;
    const now = this.now();
    const left = Math.max(0, this.leftOf(running.player) - (now - running.since));
    batch(() => {
      this.left.value = { ...this.left.value, [running.player]: left };
      this.running.value = left > 0 ? { ...running, since: now } : null;
      if (left === 0) this.over.value = running.player;
    });
  }

  private follow(step: Step | null): void {
    const covered = step?.state?.veil?.viewer === null;
    if (step !== this.play.at.value || !this.shown.value || this.play.looks.value || covered) {
      this.tick();
      this.running.value = null;
      return;
    }
    if (!step?.parent) this.reset();
    if (!step?.parent || this.over.value) return;
    const state = step.state;
    const moved = this.running.value?.player;
    this.tick();
    if (this.over.value) return;
    batch(() => {
      if (moved && moved !== state?.mover)
        this.left.value = { ...this.left.value, [moved]: this.leftOf(moved) + 1000 * this.increment.value };
      const goesOn = state && !state.outcome;
      this.running.value = goesOn ? { player: state.mover, since: this.now() } : null;
    });
  }

  private reset(): void {
    batch(() => {
      this.left.value = {};
      this.running.value = null;
      this.over.value = null;
    });
  }
}

/** Milliseconds as 12:05, and as 9.3 where few are left. */
export function timeOf(left: number): string {
  const seconds = left / 1000;
  if (seconds < 10) return (Math.ceil(seconds * 10) / 10).toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
