/** The colours of players beside the board, as bright as their pieces are in the reader's scheme. */

import { COLOURS } from "../generated/constants.ts";

const BRIGHTER = ["red", "blue", "green", "cyan", "purple", "brown", "white"] as const;

/** The colours of rules that page.css has for light and dark, by what they are on light paper. */
export const NAMES: Record<string, string> = Object.fromEntries(BRIGHTER.map((name) => [COLOURS[name], name]));

export function paintOf(colour: string): string {
  const name = NAMES[colour];
  return name ? `var(--${name})` : colour;
}
