/** Which games a search finds, in which order they stand, and how new ones are called. */

import type { Card, In } from "../protocol.ts";

export type Beginning = In<"begin">;

// ------------------------------------------------------------------------------------------ searching

export interface Search {
  words: string;
  players: string; // how many, or ""
  length: string; // a name of LENGTHS, or ""
  kind: string; // PUZZLE, a mechanism, or ""
}

export const EVERYTHING: Search = { words: "", players: "", length: "", kind: "" };
export const PUZZLE = "puzzle";

/** Lengths by the turns of a game that is played at random. */
export const LENGTHS: [name: string, least: number, most: number][] = [
  ["short", 1, 40],
  ["medium", 41, 120],
  ["long", 121, Number.POSITIVE_INFINITY],
];

export function isPuzzle(card: Card): boolean {
  return Math.max(...card.seats) === 1;
}

/** How many play where it is no puzzle, in words; empty where it is not known. */
export function seatsOf({ seats }: Card): string {
  const firsts = seats.filter((count) => !seats.includes(count - 1));
  const lasts = seats.filter((count) => !seats.includes(count + 1));
  const runs = firsts.map((first, at) => (first === lasts[at] ? `${first}` : `${first}–${lasts[at]}`));
  return runs.length ? `${runs.join(" or ")} players` : "";
}

/** The numbers of players that these games are for. */
export function countsOf(cards: Card[]): number[] {
  return [...new Set(cards.flatMap(({ seats }) => seats))].sort((one, other) => one - other);
}

export function lengthOf({ turns }: Card): string {
  return LENGTHS.find(([, least, most]) => turns >= least && turns <= most)?.[0] ?? "";
}

/** The kinds of all these games, the usual ones first. */
export function kindsOf(cards: Card[]): string[] {
  const count = new Map<string, number>();
  for (const kind of cards.flatMap(({ mechanisms }) => mechanisms)) count.set(kind, (count.get(kind) ?? 0) + 1);
  const kinds = [...count].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
  return [...(cards.some(isPuzzle) ? [PUZZLE] : []), ...kinds.map(([kind]) => kind)];
}

/** Whether a search finds a card. */
export function finds({ words, players, length, kind }: Search, card: Card): boolean {
  if (players && !card.seats.includes(Number(players))) return false;
  if (length && lengthOf(card) !== length) return false;
  if (kind && (kind === PUZZLE ? !isPuzzle(card) : !card.mechanisms.includes(kind))) return false;
  return matches(card, words);
}

const FOR = /\b(\d+)[\s-]*players?\b/; // how many people play

/** Whether a card has all these words somewhere; "3 players" finds the games for three. */
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
  const said = plain(words);
  const count = FOR.exec(said)?.[1];
  if (count && !card.seats.includes(Number(count))) return false;
  return said
    .replace(FOR, "")
    .trim()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Small letters without accents. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// ------------------------------------------------------------------------------------------ families

/** A game and those that are found of its variants; where the game itself is not found, `found` is false. */
export interface Family {
  card: Card;
  variants: Card[];
}

/** The cards that are found, variants under the game that they go back to if that is found, too. */
export function families(cards: Card[], found: (card: Card) => boolean): Family[] {
  const byName = new Map(cards.map((card) => [card.name, card]));
  const made = new Map<Card, Family>();
  for (const card of cards) if (found(card) && !parentOf(card, byName, found)) made.set(card, { card, variants: [] });
  for (const card of cards) {
    const parent = found(card) && parentOf(card, byName, found);
    if (!parent) continue;
    const family = made.get(parent);
    if (family) family.variants.push(card);
    else made.set(card, { card, variants: [] }); // files that extend each other
  }
  return [...made.values()];
}

/** The farthest game that a card goes back to, of those that are found at the same place. */
function parentOf(card: Card, cards: Map<string, Card>, found: (card: Card) => boolean): Card | null {
  let last: Card | null = null;
  const seen = new Set([card.name]);
  for (let name = card.extends; name && !seen.has(name); name = cards.get(name)?.extends ?? null) {
    seen.add(name);
    const parent = cards.get(name);
    if (parent && parent.place === card.place && found(parent)) last = parent;
  }
  return last;
}

// ------------------------------------------------------------------------------------------ new ones

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
