/** The colours of players beside the board, as bright as their pieces are in the reader's scheme. */

/** The colours of rules that page.css has for light and dark, by what they are on light paper. */
export const NAMES: Record<string, string> = {
  "#c0392b": "red",
  "#2b62ad": "blue",
  "#3c8043": "green",
  "#2c99a6": "cyan",
  "#7c4a96": "purple",
  "#7b5233": "brown",
  "#fbfaf6": "white",
};

export function paintOf(colour: string): string {
  const name = NAMES[colour];
  return name ? `var(--${name})` : colour;
}
