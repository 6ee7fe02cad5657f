/** Numbers and thoughts in words, as people read them. */

import type { Thought } from "../protocol.ts";

const THIN = "\u202f"; // a narrow space that does not break

/** 1234567 as 1 234 567; also numbers that a float cannot hold. */
export function grouped(count: string | number): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  return [digits.slice(0, first), ...(digits.slice(first).match(/.{3}/g) ?? [])].join(THIN);
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}${THIN}%`;
}

export function speedOf({ positions, seconds }: { positions: number; seconds: number }): string {
  if (seconds < 0.05) return "";
  const each = positions / seconds;
  if (each >= 1e6) return `${(each / 1e6).toFixed(1)} M positions/s`;
  if (each >= 1e3) return `${Math.round(each / 1e3)} k positions/s`;
  return `${Math.round(each)} positions/s`;
}

export function seconds(value: number): string {
  if (value < 0.001) return `under 1${THIN}ms`;
  if (value < 1) return `${Math.round(value * 1000)}${THIN}ms`;
  return `${value.toFixed(value < 10 ? 1 : 0)}${THIN}s`;
}

/** What a search thinks of the position, for the player to move. */
export function standing(thought: Thought, mover: string): string {
  if (thought.shares && thought.sure && thought.share > 0 && thought.share < 1)
    return `${percent(thought.share)} for ${mover}`;
  if (thought.sure) {
    if (thought.share > 0.5) return `win for ${mover}`;
    return thought.share < 0.5 ? `loss for ${mover}` : "draw";
  }
  if (thought.value === null) return `${percent(thought.share)} for ${mover}`;
  const sign = thought.value > 0 ? "+" : thought.value < 0 ? "−" : "";
  const size = Math.abs(thought.value);
  return `${sign}${Number.isInteger(size) ? size : size.toFixed(2)} for ${mover}`;
}

/** The share of the first of two players, of a thought about a position in which `mover` is to move. */
export function shareOfFirst(thought: Thought, mover: string, first: string): number {
  return mover === first ? thought.share : 1 - thought.share;
}
