/** Whether whoever answers can be reached; while he cannot, the page tries again and again. */

import { signal } from "@preact/signals";

export const lost = signal(false);

const PAUSES = [500, 1_000, 2_000, 3_000]; // ms before each attempt; the last one again and again

/** There was no answer: tries `reach` until it returns true. */
export function lose(reach: () => Promise<boolean>): void {
  if (lost.value) return;
  lost.value = true;
  let tried = 0;
  const again = async () => {
    tried += 1;
    if (await reach().catch(() => false)) lost.value = false;
    else wait();
  };
  const wait = () => {
    setTimeout(() => void again(), PAUSES[Math.min(tried, PAUSES.length - 1)]);
  };
  wait();
}
