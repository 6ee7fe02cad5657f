/** Light or dark: as the system has it, until the reader chooses. */

import { computed, effect, signal } from "@preact/signals";
import { remember, remembered } from "./memory.ts";

export type Scheme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");
const preferred = signal<Scheme>(system.matches ? "dark" : "light");
const chosen = signal(remembered("scheme"));

export const scheme = computed<Scheme>(() =>
  chosen.value === "dark" || chosen.value === "light" ? chosen.value : preferred.value,
);

system.addEventListener("change", () => {
  preferred.value = system.matches ? "dark" : "light";
});

effect(() => {
  document.documentElement.dataset.scheme = scheme.value;
});

/** The other scheme.  Whoever returns to that of the system follows the system again. */
export function toggleScheme(): void {
  const other = scheme.value === "dark" ? "light" : "dark";
  chosen.value = other === preferred.value ? "" : other;
  remember("scheme", chosen.value);
}
