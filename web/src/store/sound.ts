/** A short click for each move, made by the browser itself; off until somebody wants it. */

import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./memory.ts";
import type { Play, Step } from "./play.ts";

export class Sound {
  readonly on = signal(remembered("sound") === "on");
  private context: AudioContext | undefined;

  constructor(play: Play) {
    let before: Step | null = null;
    effect(() => {
      const step = play.at.value;
      const deeper = step !== before && step?.parent && !play.looks.peek();
      before = step;
      if (deeper && this.on.peek()) this.click();
    });
  }

  turn(on: boolean): void {
    remember("sound", on ? "on" : "off");
    this.on.value = on;
    if (on) this.click();
  }

  private click(): void {
    if (typeof AudioContext === "undefined") return;
    this.context ??= new AudioContext();
    const { currentTime, destination } = this.context;
    const tone = this.context.createOscillator();
    const volume = this.context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(520, currentTime);
    tone.frequency.exponentialRampToValueAtTime(180, currentTime + 0.05);
    volume.gain.setValueAtTime(0.18, currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.07);
    tone.connect(volume).connect(destination);
    tone.start();
    tone.stop(currentTime + 0.08);
  }
}
