/** A game as a record, as pysolve/record.py writes it. */

import type { Position } from "./game.ts";

/** The record of a game that ends in a position. */
export function record(
  name: string,
  line: { seed: number; start: string },
  players: Record<string, string>,
  last: Position,
): string {
  const { exported } = last.game;
  const { outcome } = last;
  const options = Object.entries(exported.options).map(([option, value]) => `${option}=${value}`);
  const tags: [string, string][] = [
    ["Game", name], ["Options", options.join(", ")], ["Rules", exported.digest], ["Seed", exported.game.draws_lots ? String(line.seed || "") : ""],
    ["Position", line.start], ...exported.game.players.map(({ name: seat }): [string, string] => [seat, players[seat] ?? "human"]),
    ["Result", outcome ? (outcome.winner ?? "draw") : "*"], ["Termination", outcome ? last.account : ""],
  ]; // biome-ignore format: a table
  const turns = turnsOf(last);
  const rounds = turns.flatMap((_, place) =>
    place % 2 ? [] : [`${place / 2 + 1}. ${turns.slice(place, place + 2).join("; ")}`],
  );
  const head = tags.filter(([, value]) => value).map(([tag, value]) => `[${tag} ${quoted(value)}]`);
  return `${[...head, "", ...rounds].join("\n").trimEnd()}\n`;
}

/** The moves of each turn, with commas between them. */
function turnsOf(last: Position): string[] {
  const turns = new Map<number, string[]>();
  for (let at = last; at.from; at = at.from.position) {
    const { text } = at.game.move(at.from.code);
    const moves = turns.get(at.from.position.turns) ?? [];
    moves.unshift(/[,;{}"[\]]|^\d+\./.test(text) ? quoted(text) : text);
    turns.set(at.from.position.turns, moves);
  }
  return [...turns.values()].reverse().map((moves) => moves.join(", "));
}

/** The text between quotes, on one line: what does not print is written by its number. */
function quoted(text: string): string {
  const marked = text.replace(/["\\]/g, "\\$&");
  const escaped = marked.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (one) =>
    one.codePointAt(0)! > 0xffff ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
