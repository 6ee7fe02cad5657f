/** The line between rules and board, which moves by pointer and by keys. */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { remember, remembered } from "./store/memory.ts";

const USUAL = 36; // percent of the window
const [LEAST, MOST] = [15, 70];

const width = signal(within(Number(remembered("rules") ?? USUAL)));

export function Divider() {
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    line.current?.parentElement?.style.setProperty("--rules", `${width.value}%`);
  }, [width.value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no value
    <div
      ref={line}
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the rules"
      aria-valuenow={Math.round(width.value)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={byKey}
      onDblClick={() => set(USUAL)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={byPointer}
    />
  );
}

function byPointer(event: PointerEvent & { currentTarget: HTMLElement }): void {
  if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
  const parts = event.currentTarget.parentElement!.getBoundingClientRect();
  set((100 * (event.clientX - parts.left)) / parts.width);
}

function byKey(event: KeyboardEvent): void {
  const steps: Record<string, number> = {
    ArrowLeft: width.value - 2,
    ArrowRight: width.value + 2,
    Home: LEAST,
    End: MOST,
  };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  set(to);
}

function set(percent: number): void {
  width.value = within(percent);
  remember("rules", width.value.toFixed(1));
}

function within(percent: number): number {
  return Math.min(MOST, Math.max(LEAST, percent || USUAL));
}
