/** What moved between two positions: what left one cell and appeared on another. */

import type { Look, Part, Played, State } from "../protocol.ts";

/** Parts that slide from one cell to another. */
export interface Slide {
  from: string;
  to: string;
  parts: Part[];
}

/** Parts that appear, or are gone. */
export interface Change {
  cell: string;
  parts: Part[];
}

export interface Motion {
  slides: Slide[];
  gone: Change[];
}

export const STILL: Motion = { slides: [], gone: [] };

/** From `before` to `after`, between which `moves` were played or taken back. */
export function motion(before: State, after: State, moves: Played[]): Motion {
  const cells = new Set([...Object.keys(before.looks), ...Object.keys(after.looks)]);
  const left: Change[] = [];
  const came: Change[] = [];
  for (const cell of cells) {
    const [was, is] = [bodies(before.looks[cell]), bodies(after.looks[cell])];
    const same = alike(was, is);
    left.push({ cell, parts: was.slice(same) });
    came.push({ cell, parts: is.slice(same) });
  }
  const sources = left.filter((change) => change.parts.length);
  const ways = moves.map(({ cells: named, goal }) => (goal && !named.includes(goal) ? [...named, goal] : named));
  const slides: Slide[] = [];
  for (const change of came) {
    const source = likeliest(change, sources, ways);
    if (source) slides.push({ from: source.cell, to: change.cell, parts: common(change.parts, source.parts) });
  }
  const moved = new Set(slides.map((slide) => slide.from));
  return { slides, gone: sources.filter((change) => !moved.has(change.cell)) };
}

/** Whence these parts came: a cell of a move that also names this one, before all other cells. */
function likeliest(change: Change, sources: Change[], ways: string[][]): Change | null {
  const like = sources.filter(
    (source) => source.cell !== change.cell && common(change.parts, source.parts).some(isBody),
  );
  const named = like.find((source) => ways.some((cells) => cells.includes(source.cell) && cells.includes(change.cell)));
  return named ?? like[0] ?? null;
}

/** True for what a piece has of its own: two texts that are alike need not be the same piece. */
function isBody([tag]: Part): boolean {
  return tag !== "text";
}

/** What lies on a cell, without the group around it, and without what lies at its edges and corners. */
export function bodies(look: Look | undefined): Part[] {
  return inside(look).filter((part) => !isSide(part));
}

/** What lies at the edges and corners of a cell; on a turned board at the other ones. */
export function sides(look: Look | undefined, turned: boolean): Part[] {
  const found = inside(look).filter(isSide);
  return turned ? found.map(opposite) : found;
}

function inside(look: Look | undefined): Part[] {
  return (look?.parts ?? []).flatMap((part) => (part[0] === "g" && !part[1].transform ? (part[3] ?? []) : [part]));
}

function isSide([tag, attributes]: Part): boolean {
  return tag === "g" && attributes.class === "side";
}

/** The same on the other side of the middle of its cell. */
function opposite([tag, attributes, text, parts]: Part): Part {
  const moved = String(attributes.transform).replace(/-?[\d.]+/g, (number) => String(-Number(number)));
  return [tag, { ...attributes, transform: moved }, text ?? "", parts ?? []];
}

/** How many parts lie in both places below all that differs. */
function alike(these: Part[], others: Part[]): number {
  const first = these.findIndex((part, place) => JSON.stringify(part) !== JSON.stringify(others[place]));
  return first < 0 ? these.length : first;
}

/** The parts of `these` that are also among `others`; equal parts count one by one. */
function common(these: Part[], others: Part[]): Part[] {
  const left = others.map((part) => JSON.stringify(part));
  return these.filter((part) => {
    const place = left.indexOf(JSON.stringify(part));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}
