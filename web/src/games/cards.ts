/** Which games a search finds, and how new ones are called. */

import type { Card, In } from "../protocol.ts";

export type Beginning = In<"begin">;

/** Whether a card has all these words somewhere. */
export function matches(card: Card, words: string): boolean {
  const text = [
    card.name,
    card.title,
    card.author,
    card.about,
    card.extends ?? "",
    ...card.players,
    ...card.mechanisms,
  ];
  const whole = plain(text.join(" "));
  return plain(words)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The name of a file for a game of this title, different from those that there are. */
export function fileName(title: string, taken: string[]): string {
  const base =
    plain(title)
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "game";
  for (let number = 1; ; number += 1) {
    const name = `${base}${number > 1 ? `-${number}` : ""}.rules`;
    if (!taken.includes(name)) return name;
  }
}

/** The same rules under another title. */
export function retitled(text: string, title: string): string {
  return text.replace(/^(game\s+)"[^"\n]*"/m, (_whole, game: string) => `${game}"${title}"`);
}
