/** What moves would change, asked for when somebody points at them, and kept with their position. */

import { signal } from "@preact/signals";
import { MOST_PREVIEWED } from "../generated/constants.ts";
import type { Ask, Preview } from "../protocol.ts";
import type { Play, Step } from "./play.ts";

export class Previews {
  private readonly known = new WeakMap<Step, Map<string, Preview | "asked" | "unknown">>();
  private readonly count = signal(0); // answers so far

  constructor(
    private readonly ask: Ask,
    private readonly play: Play,
  ) {}

  /** What is known of a move of this position. */
  of(text: string): Preview | undefined {
    this.count.value; // a later answer is seen, too
    const step = this.play.at.value;
    const found = step && this.known.get(step)?.get(text);
    return typeof found === "object" ? (found ?? undefined) : undefined;
  }

  /** False for a move about which nothing will be known. */
  comes(text: string): boolean {
    this.count.value;
    const step = this.play.at.value;
    return !step || this.known.get(step)?.get(text) !== "unknown";
  }

  /** Asks for what is not known yet; where nobody answers, nothing is shown. */
  async want(texts: string[]): Promise<void> {
    const step = this.play.at.value;
    if (!step || this.play.hides.value) return; // at a table nobody knows before a move what it does
    const known = this.known.get(step) ?? new Map<string, Preview | "asked" | "unknown">();
    this.known.set(step, known);
    const moves = texts.filter((text) => !known.has(text)).slice(0, MOST_PREVIEWED);
    if (!moves.length) return;
    for (const text of moves) known.set(text, "asked");
    try {
      const { previews } = await this.ask("preview", { ...this.play.where(), moves });
      for (const preview of previews) known.set(preview.move, preview);
    } catch {
      for (const text of moves) known.set(text, "unknown"); // a preview is a help and no more
    }
    this.count.value += 1;
  }
}
