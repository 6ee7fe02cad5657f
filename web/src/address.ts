/**
 * What the part of an address behind `#` names: the games, new rules, a game and its position, or a text that is shared.
 *
 * `#/zola/write?o.size=4&moves=a1xb1,c2xc3` is a game with a name: a view, options, and how the position was reached.
 * `#1.…` carries a whole text; `share.ts` packs it.  What people may have typed is checked here.
 */

import type { Line, Options } from "./protocol.ts";

export type View = "play" | "write";

export type Place =
  | { at: "home" }
  | { at: "new" }
  | { at: "game"; name: string; view: View; options: Options; line: Line | null } // null: as it was left
  | { at: "shared"; packed: string; view: View };

export const PACKED = "1."; // the version of packed texts
const NEW = "new";
const WRITE = "/write";
const OPTION = "o.";
const LONGEST = 8_000; // characters; moves that make more are left out: the browser keeps them all the same

/** What stands behind `#`. */
export function fragmentOf(place: Place): string {
  switch (place.at) {
    case "home":
      return "";
    case "new":
      return NEW;
    case "shared":
      return place.packed + viewOf(place.view);
    case "game": {
      const options = Object.entries(place.options).map(([name, value]) => `${OPTION}${quoted(name)}=${quoted(value)}`);
      const path = `/${quoted(place.name)}${viewOf(place.view)}`;
      const whole = withParts(path, [...options, ...partsOf(place.line)]);
      return whole.length > LONGEST ? withParts(path, options) : whole;
    }
  }
}

function viewOf(view: View): string {
  return view === "write" ? WRITE : "";
}

function withParts(path: string, parts: string[]): string {
  return parts.length ? `${path}?${parts.join("&")}` : path;
}

function partsOf(line: Line | null): string[] {
  if (!line) return [];
  const { seed, start, moves, before } = line;
  return [
    ...(seed ? [`seed=${seed}`] : []),
    ...(start ? [`start=${quoted(start)}`] : []),
    ...(before ? [`before=${before}`] : []),
    ...(moves.length ? [`moves=${moves.map(quoted).join(",")}`] : []),
  ];
}

/** Letters as they are, and what addresses may hold besides; the comma parts moves. */
function quoted(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%3A", ":");
}

function unquoted(text: string): string {
  return decodeURIComponent(text.replaceAll("+", "%20"));
}

/** What a fragment names; null if it names nothing. */
export function placeOf(fragment: string): Place | null {
  if (fragment === "" || fragment === "/") return { at: "home" };
  if (fragment === NEW) return { at: "new" };
  try {
    return fragment.startsWith("/") ? gameOf(fragment) : sharedOf(fragment);
  } catch {
    return null; // a % that stands for nothing
  }
}

function sharedOf(fragment: string): Place | null {
  if (!fragment.startsWith(PACKED)) return null;
  const view = fragment.endsWith(WRITE) ? "write" : "play";
  return { at: "shared", view, packed: view === "write" ? fragment.slice(0, -WRITE.length) : fragment };
}

function gameOf(fragment: string): Place | null {
  const [path, ...rest] = fragment.split("?");
  const view = path!.endsWith(WRITE) ? "write" : "play";
  const name = unquoted(path!.slice(1, view === "write" ? -WRITE.length : undefined));
  if (!name || name.includes("\0")) return null;
  const options: [string, string][] = [];
  const told: Record<string, string> = {};
  for (const part of rest.join("?").split("&").filter(Boolean)) {
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    if (key === undefined || value === undefined) return null;
    if (key.startsWith(OPTION)) options.push([unquoted(key.slice(OPTION.length)), unquoted(value)]);
    else told[key] = value;
  }
  const line = lineOf(told);
  return line === undefined ? null : { at: "game", name, view, options: Object.fromEntries(options), line };
}

/** The line that an address tells; null if it tells none, undefined if that is no line. */
function lineOf({ seed = "", start = "", moves = "", before = "" }: Record<string, string>): Line | null | undefined {
  if (!seed && !start && !moves) return null;
  if (!/^\d{0,16}$/.test(seed) || !Number.isSafeInteger(Number(seed)) || !/^\d{0,9}$/.test(before)) return undefined;
  return {
    seed: Number(seed),
    start: unquoted(start),
    moves: moves ? moves.split(",").map(unquoted) : [],
    ...(Number(before) && { before: Number(before) }),
  };
}
