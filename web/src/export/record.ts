/** A game as a record, as pysolve/notation/record.py writes it. */

import type { Line } from "../protocol.ts";
import type { Position } from "./game.ts";
import { Trouble } from "./machine.ts";

/** The record of a game that ends in a position. */
export function record(name: string, line: Line, players: Record<string, string>, last: Position): string {
  const { exported } = last.game;
  const { outcome } = last;
  const options = Object.entries(exported.options).map(([option, value]) => `${option}=${value}`);
  const tags: [string, string][] = [
    ["Game", name], ["Options", options.join(", ")], ["Rules", exported.digest], ["Seed", exported.game.draws_lots || exported.game.rolls ? String(line.seed || "") : ""],
    ["Position", line.start], ["TurnsBefore", String(line.before || "")], ...exported.game.players.map(({ name: seat }): [string, string] => [seat, players[seat] ?? "human"]),
    ["Result", outcome ? last.won : "*"], ["Termination", outcome ? last.account : ""],
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

// ------------------------------------------------------------------------------------------------ read

const OURS = ["Game", "Options", "Rules", "Seed", "Position", "TurnsBefore", "Date", "Result", "Termination"];
const TAG = /^\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/;
const MOVE = /\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"](?:[^,;"]*[^\s,;"])?))\s*([,;]|$)/y;
// A quotation mark or a brace that stays open is taken as it stands.
const COMMENT = /("(?:[^"\\]|\\.?)*(?:"|$)|\{[^}]*$)|\{[^}]*\}/g;

interface Replayed {
  name: string;
  options: Record<string, string>;
  line: Line;
  players: Record<string, string>;
}

/** What a record says; whether its moves are legal is found out when they are played. */
export function replayed(text: string): Replayed {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const tags = new Map<string, string>();
  let at = 0;
  for (; at < lines.length && (!lines[at]!.trim() || lines[at]!.startsWith("[")); at++) {
    if (!lines[at]!.trim()) continue;
    const found = TAG.exec(lines[at]!);
    if (!found) throw new Trouble("asked", `line ${at + 1}: a tag is written  [Name "value"], not  ${lines[at]}`);
    tags.set(found[1]!, unquoted(found[2]!));
  }
  const name = tags.get("Game");
  if (name === undefined)
    throw new Trouble("asked", 'this is not a game record: it does not begin with a tag like  [Game "zola"]');
  const seed = Number(tags.get("Seed") ?? 0);
  if (!(Number.isSafeInteger(seed) && seed >= 0))
    throw new Trouble("asked", `the seed of a record is a number, not "${tags.get("Seed")}"`);
  const before = Number(tags.get("TurnsBefore") ?? 0);
  if (!(Number.isSafeInteger(before) && before >= 0))
    throw new Trouble("asked", `TurnsBefore of a record is a number, not "${tags.get("TurnsBefore")}"`);
  const options = (tags.get("Options") ?? "").split(",").filter((word) => word.trim());
  return {
    name,
    options: Object.fromEntries(
      options.map((word) =>
        word
          .split(/=(.*)/s)
          .map((part) => part.trim())
          .slice(0, 2),
      ),
    ),
    line: {
      seed,
      start: tags.get("Position") ?? "",
      moves: lines.slice(at).flatMap((line, place) => movesOf(line, at + place + 1)),
      ...(before && { before }),
    },
    players: Object.fromEntries([...tags].filter(([tag]) => !OURS.includes(tag))),
  };
}

/** The moves of a line, without its number and comments. */
function movesOf(line: string, number: number): string[] {
  const plain = line.replace(COMMENT, (_, said) => said ?? " ");
  const rest = plain.replace(/^\s*\d+\.(?=\s|$)/, "").trim();
  const moves: string[] = [];
  for (let at = 0; at < rest.length; at = MOVE.lastIndex) {
    MOVE.lastIndex = at;
    const found = MOVE.exec(rest);
    if (!found) throw new Trouble("asked", `line ${number}: ${line.trim()} cannot be read as moves`);
    moves.push(found[2] ?? unquoted(found[1]!));
  }
  return moves;
}

function unquoted(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code, one) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : one,
  );
}
