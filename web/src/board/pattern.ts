/** Dots on pieces whose colours are alike in lightness: so they differ where nobody sees colours. */

import type { Description, Part, State } from "../protocol.ts";
import { bodies } from "./motion.ts";
import { isGround } from "./view.ts";

/** How many dots the pieces of a colour have. */
export type Dots = Map<string, number>;

const ALIKE = 1.7; // contrast, as WCAG has it, below which two colours need something else to tell them apart

/** The colours by which sides differ: those of the players, or, if not all have one, of the discs that were seen so far. */
export function coloursOf(players: Description["players"], looks: State["looks"], seen: string[]): string[] {
  const given = players.map(({ colour }) => colour);
  if (given.every(Boolean)) return given;
  const discs = Object.values(looks)
    .flatMap(bodies)
    .filter(([tag]) => tag === "circle");
  const found = new Set(discs.map(([, { fill }]) => String(fill)).filter((colour) => !seen.includes(colour)));
  return [...seen, ...[...found].sort()];
}

/** Pieces of the first colour are plain, those of the next one have a dot, and so on. */
export function dotsOf(given: string[]): Dots {
  const colours = [...new Set(given.filter((colour) => /^#[0-9a-f]{6}$/i.test(colour)))];
  const alike = colours.some((one) => colours.some((other) => one !== other && contrast(one, other) < ALIKE));
  return new Map(alike ? colours.map((colour, number): [string, number] => [colour, number]) : []);
}

function contrast(one: string, other: string): number {
  const [dark, light] = [lightness(one), lightness(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of a colour such as #2b62ad. */
function lightness(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** These parts of a cell, each that has one of these colours with its dots: in its middle, or in the corner of a ground. */
export function dotted(parts: Part[], dots: Dots, unit: number): Part[] {
  if (!dots.size) return parts;
  const worded = parts.some(([tag]) => tag === "text");
  return parts.flatMap((part) => {
    const count = dots.get(String(part[1].fill)) ?? 0;
    const ground = isGround(part, unit);
    if (!count || part[0] === "text" || (worded && !ground)) return [part];
    const [x, y] = ground ? [-0.27 * unit, 0.27 * unit] : [0, 0];
    return [part, ...row(count, x, y, unit, ground)];
  });
}

function row(count: number, x: number, y: number, unit: number, ground: boolean): Part[] {
  const radius = (ground ? 0.045 : 0.075) * unit;
  const first = ground ? x : x - 1.3 * radius * (count - 1);
  return Array.from({ length: count }, (_, place) => [
    "circle",
    { cx: first + 2.6 * radius * place, cy: y, r: radius, class: "dot" },
  ]);
}
