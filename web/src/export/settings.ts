/** Players by their texts, as `minimax:depth=3`: which there are, and how each is written, stands in the exported game. */

import type { Setting } from "./exported.ts";
import type { Game } from "./game.ts";
import { Trouble } from "./machine.ts";

/** What is set of a player. */
export interface Settings {
  depth?: number;
  turns?: number;
  nodes?: number;
  time?: number;
  playouts?: number;
  replies?: number;
  explore?: number;
  bias?: number;
  quiet?: string[];
  terms?: string[];
  onesided?: string[];
  ties?: string;
  stuck?: string;
  leaf?: string;
  backup?: string;
  prior?: number;
  grave?: number;
  even?: number;
  by?: string;
  search?: string;
  techniques?: string[];
  values?: string;
  policy?: string;
  puct?: number;
}

type Value = number | string | string[];

/** Name and settings of a player, or of the level of this name. */
export function read(game: Game, player: string): [name: string, settings: Settings] {
  const { players } = game.exported;
  const text = game.exported.game.levels[player] ?? player;
  const [name = "", rest] = text.trim().split(/:(.*)/s);
  const known = players[name];
  if (!known) throw wrong(`there is no player "${name}" here: players are ${Object.keys(players).join(", ")}`);
  if (known.refused) throw wrong(known.refused);
  const settings: Record<string, Value> = {};
  for (const word of rest === undefined ? [] : rest.split(",")) {
    const [key = "", value] = word.split(/=(.*)/s).map((part) => part.trim());
    const setting = known.settings[key];
    if (!setting) throw wrong(`${name} has no setting "${key}" here`);
    if (setting.refused) throw wrong(setting.refused);
    if (key in settings) throw wrong(`${key} of ${name} is set twice`);
    const flag = setting.kind === "flag";
    if (flag !== (value === undefined))
      throw wrong(`${key} of ${name} is written  ${flag ? key : `${key}=…, ${setting.takes}`}`);
    const found = meant(setting, value ?? "");
    if (found === null) throw wrong(`${key} of ${name} cannot be "${value}": it must be ${setting.takes}`);
    settings[key] = found;
  }
  for (const { key, other, together, message } of known.rules)
    if (key in settings && other in settings !== together) throw wrong(message);
  return [name, settings];
}

/** What a text stands for; null if it is not valid. */
function meant({ kind, most, least, words }: Setting, text: string): Value | null {
  const number = /^[-+.\de]+$/i.test(text) ? Number(text) : Number.NaN;
  if (kind === "count") return /^\d+$/.test(text) && number >= least && number <= most ? number : null;
  if (kind === "amount" || kind === "weight")
    return (number > 0 && number < most) || (number === 0 && kind === "weight") ? number : null;
  if (kind === "names") return text.split("+").every(Boolean) ? text.split("+") : null;
  if (kind === "word") return words.includes(text) ? text : null;
  return text || kind === "flag" ? text : null;
}

function wrong(message: string): Trouble {
  return new Trouble("asked", message);
}
