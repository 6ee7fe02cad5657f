/** Where things are: in the picture, which may be turned round, and in the window. */

import type { Board, Part, Window } from "../protocol.ts";
import type { Dots } from "./pattern.ts";

export interface Spot {
  name: string;
  x: number;
  y: number;
  row: number;
  kind: string; // "cell", "edge" or "corner"
  parts: Part[];
  label: string; // what lies there in every position
  fades: boolean; // the board goes on behind it
}

export interface View {
  box: Board["box"];
  spots: Spot[];
  at: Map<string, Spot>;
  unit: number; // the distance of two neighbours
  points: boolean; // does a disc stand for the outline of a cell?
  turned: boolean;
  dots: Dots;
  above: Part[]; // coordinates
}

/** The view of a board, or of the part of it in a window. */
export function viewOf(board: Board, turned: boolean, dots: Dots = new Map(), window: Window | null = null): View {
  const { box, above } = window ?? board;
  const turn = (x: number, y: number) => place(box, x, y, turned);
  const [seen, rim] = [new Set(window?.cells), new Set(window?.rim)];
  const cells = board.cells
    .filter(({ name }) => !window || seen.has(name))
    .map(({ name, x, y, row, parts, label }) => {
      const [across, down] = turn(x, y);
      return { name, x: across, y: down, row, kind: "cell", parts, label, fades: rim.has(name) };
    });
  const sites = board.sites.map(({ name, x, y, kind, parts }) => {
    const [across, down] = turn(x, y);
    return { name, x: across, y: down, row: -Math.round(y), kind, parts, label: "", fades: false };
  });
  const spots = [...cells, ...sites];
  return {
    box,
    above,
    spots,
    at: new Map(spots.map((spot) => [spot.name, spot])),
    unit: unitOf(cells, board.form === "square"),
    points: board.points,
    turned,
    dots,
  };
}

/** The window to show after another one of this game: what was seen stays where it was while it is large enough. */
export function steady(before: Window | null, now: Window | null): Window | null {
  const seen = new Set(before?.cells);
  return now?.cells.every((cell) => seen.has(cell)) ? before : now;
}

/** True for what colours a whole cell: it is no piece. */
export function isGround([tag, { width, points }]: Part, unit: number): boolean {
  if (tag === "rect") return Number(width) > 0.8 * unit;
  return tag === "polygon" && String(points).split(" ").length === 6;
}

/** A place of the picture, turned by half a circle if the board is seen from the other side. */
export function place(box: Board["box"], x: number, y: number, turned: boolean): [number, number] {
  return turned ? [2 * box[0] + box[2] - x, 2 * box[1] + box[3] - y] : [x, y];
}

/** Texts beside the board: their places turn, they stay upright. */
export function turnedText([tag, attributes, text, parts]: Part, box: Board["box"]): Part {
  const [x, y] = [Number(attributes.x), Number(attributes.y)];
  if (tag !== "text" || Number.isNaN(x) || Number.isNaN(y)) {
    return [tag, attributes, text ?? "", (parts ?? []).map((part) => turnedText(part, box))];
  }
  const lift = 0.355 * Number(attributes["font-size"] ?? 17); // from the middle of a text down to its base line
  const [turnedX, turnedY] = place(box, x, y - lift, true);
  return [tag, { ...attributes, x: turnedX, y: turnedY + lift }, text ?? ""];
}

/** The distance of two neighbours; squares that touch at corners alone are farther apart than they are wide. */
function unitOf(spots: { x: number; y: number }[], squares: boolean): number {
  let least = Number.POSITIVE_INFINITY;
  spots.forEach((one, number) => {
    for (const other of spots.slice(number + 1)) {
      const [dx, dy] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
      const away = squares ? Math.min(...[dx, dy].filter((side) => side > 1)) : Math.hypot(dx, dy);
      least = Math.min(least, away);
    }
  });
  return Number.isFinite(least) ? least : 60;
}

/** The cell at a place, or the one next to it: on squares and hexagons that is the cell itself. */
export function cellAt(view: View, x: number, y: number): Spot | null {
  let found: Spot | null = null;
  let least = 0.71 * view.unit; // half the diagonal of a square
  for (const spot of view.spots) {
    const distance = Math.hypot(spot.x - x, spot.y - y);
    if (distance < least) [found, least] = [spot, distance];
  }
  return found;
}

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const STEPS: Record<Direction, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest cell in a direction; one that lies aside counts as farther away. */
export function towards(view: View, from: string, direction: Direction): Spot | null {
  const here = view.at.get(from);
  if (!here) return view.spots[0] ?? null;
  const [dx, dy] = STEPS[direction];
  let found: Spot | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of view.spots) {
    const along = (spot.x - here.x) * dx + (spot.y - here.y) * dy;
    const aside = Math.abs((spot.x - here.x) * dy) + Math.abs((spot.y - here.y) * dx);
    if (along <= 0.01 * view.unit || aside > 1.2 * along) continue;
    const distance = Math.hypot(along, aside) + 0.1 * aside;
    if (distance < least) [found, least] = [spot, distance];
  }
  return found;
}

// ------------------------------------------------------------------------------------------------ in the window

export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Placed {
  side: "below" | "above" | "right" | "left";
  left: number;
  top: number;
  height: number; // at most
  tip: number; // along the side at which the cell lies: where it points
}

const GAP = 10; // between a cell and what speaks of it
const EDGE = 8; // between that and the end of the window

interface Size {
  width: number;
  height: number;
}

/**
 * Where something of this size can lie beside a cell: within the window, not over the cell, and over as few of the
 * cells in `keep` as possible.
 *
 * Where it fits on no side, it lies where there is most room above or below, and is lower than it would be.
 */
export function placed(cell: Rect, size: Size, window: Rect, keep: Rect[] = []): Placed {
  const right = window.left + window.width - EDGE;
  const bottom = window.top + window.height - EDGE;
  const below = bottom - (cell.top + cell.height + GAP);
  const above = cell.top - GAP - (window.top + EDGE);
  const places: Placed[] = [];
  if (below >= size.height) places.push(over(cell, size, window, "below"));
  if (above >= size.height) places.push(over(cell, size, window, "above"));
  if (right - (cell.left + cell.width + GAP) >= size.width) places.push(aside(cell, size, window, "right"));
  if (cell.left - GAP - (window.left + EDGE) >= size.width) places.push(aside(cell, size, window, "left"));
  const covered = (place: Placed) => keep.filter((one) => overlap(one, { ...place, width: size.width })).length;
  const least = Math.min(...places.map(covered));
  const best = places.find((place) => covered(place) === least);
  if (best) return best;
  const side = below >= above ? "below" : "above";
  return over(cell, { ...size, height: Math.max(below, above) }, window, side);
}

function over(cell: Rect, { width, height }: Size, window: Rect, side: "below" | "above"): Placed {
  const middle = cell.left + cell.width / 2;
  const left = within(middle - width / 2, window.left + EDGE, window.left + window.width - EDGE - width);
  const top = side === "below" ? cell.top + cell.height + GAP : cell.top - GAP - height;
  return { side, left, top, height, tip: middle - left };
}

function aside(cell: Rect, size: Size, window: Rect, side: "left" | "right"): Placed {
  const middle = cell.top + cell.height / 2;
  const height = Math.min(size.height, window.height - 2 * EDGE);
  const top = within(middle - height / 2, window.top + EDGE, window.top + window.height - EDGE - height);
  const left = side === "right" ? cell.left + cell.width + GAP : cell.left - GAP - size.width;
  return { side, left, top, height, tip: middle - top };
}

function overlap(one: Rect, other: Rect): boolean {
  const apart = (at: number, length: number, from: number, size: number) => at + length <= from || from + size <= at;
  return !(apart(one.left, one.width, other.left, other.width) || apart(one.top, one.height, other.top, other.height));
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
