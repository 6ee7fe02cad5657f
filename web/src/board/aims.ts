/** Aiming: what a move puts at the edges and corners of cells is meant by pointing near it. */

import type { Description, Move, Preview, State } from "../protocol.ts";
import { sides } from "./motion.ts";
import type { View } from "./view.ts";

/** A move, and the line along which lies what it puts between cells. */
export interface Aim {
  move: string;
  cell: string;
  ends: [x: number, y: number][];
}

const NEAR = 0.2; // of the distance of two cells: so far from its line one points at a wall
const BORDER = 0.12; // so near to the border of a cell nobody points at the cell

/** The moves that may put something between cells: those whose cells alone do not say all. */
export function aimed(game: Description, moves: Move[]): Move[] {
  if (!game.walls) return [];
  const wordy = new Set(
    game.kinds.filter(({ parameters }) => parameters.some(({ values }) => values.length)).map(({ name }) => name),
  );
  return moves.filter((move) => wordy.has(move.kind) && move.cells.length === 1);
}

/** Where one points to mean a move: where something new lies at the side of a cell, and nothing else has come. */
export function aimOf(view: View, state: State, preview: Preview): Aim | null {
  const [cell, ...others] = preview.landed;
  const spot = view.at.get(cell ?? "");
  if (!cell || !spot || others.length || preview.left.length) return null;
  const before = new Set(sides(state.looks[cell], view.turned).map((part) => JSON.stringify(part)));
  const came = sides(preview.looks[cell] ?? undefined, view.turned).find((part) => !before.has(JSON.stringify(part)));
  const rect = came?.[3]?.[0];
  if (!came || rect?.[0] !== "rect") return null;
  const box = rect[1];
  const [dx = 0, dy = 0] = numbers(came[1].transform);
  const [turn = 0] = numbers(box.transform);
  const [wide, high] = [Number(box.width), Number(box.height)];
  const [half, along] = wide >= high ? [wide / 2, turn] : [high / 2, turn + 90];
  const [x, y] = [half * Math.cos((along * Math.PI) / 180), half * Math.sin((along * Math.PI) / 180)];
  const [cx, cy] = [spot.x + dx, spot.y + dy];
  return {
    move: preview.move,
    cell,
    ends: [
      [cx - x, cy - y],
      [cx + x, cy + y],
    ],
  };
}

function numbers(transform: unknown): number[] {
  return (String(transform ?? "").match(/-?[\d.]+/g) ?? []).map(Number);
}

/** The move that is meant by a place of the picture: the one whose line is nearest, and its middle; or none. */
export function aimAt(view: View, aims: Aim[], x: number, y: number): Aim | null {
  let found: Aim | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const aim of aims) {
    const [[ax, ay], [bx, by]] = aim.ends as [[number, number], [number, number]];
    const away = toSegment(x, y, ax, ay, bx, by);
    if (away > NEAR * view.unit) continue;
    const measure = away + 0.05 * Math.hypot((ax + bx) / 2 - x, (ay + by) / 2 - y);
    if (measure < least) [found, least] = [aim, measure];
  }
  return found;
}

/** True where one points at the border of cells of a square board, and so at none of them. */
export function atBorder(view: View, x: number, y: number): boolean {
  const near = view.spots.find((spot) => Math.max(Math.abs(spot.x - x), Math.abs(spot.y - y)) <= view.unit / 2);
  if (!near) return true;
  return Math.max(Math.abs(near.x - x), Math.abs(near.y - y)) > (0.5 - BORDER) * view.unit;
}

function toSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy || 1;
  const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
