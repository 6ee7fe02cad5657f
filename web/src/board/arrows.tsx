/** What an analysis has found, on the board: an arrow for the move of each line, the best one the widest. */

import { useMemo } from "preact/hooks";
import type { State } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { places } from "../store/play.ts";
import type { Spot, View } from "./view.ts";

/** The move of one line: the places from which and to which it leads, or the one that it marks. */
interface Arrow {
  rank: number; // 0 is the best line
  from: Spot | null;
  to: Spot;
}

export function Arrows({ view, state }: { view: View; state: State }) {
  const { thinking } = usePage();
  const lines = thinking.shown.value;
  const arrows = useMemo(() => arrowsOf(view, state, lines), [view, state, lines]);
  if (!thinking.arrows.value || thinking.hinted.value || !arrows.length) return null;
  return (
    <g class="arrows">
      {arrows.map((arrow) => (
        <g key={arrow.rank} class={`arrow-${arrow.rank}`}>
          {arrow.from ? (
            <polygon points={outlineOf(arrow.from, arrow.to, view.unit, widthOf(arrow.rank))} />
          ) : (
            <circle
              cx={arrow.to.x}
              cy={arrow.to.y}
              r={(arrow.to.kind === "cell" ? 0.36 : 0.22) * view.unit}
              stroke-width={(0.8 * widthOf(arrow.rank) * view.unit).toFixed(1)}
            />
          )}
        </g>
      ))}
    </g>
  );
}

/** The arrows of several lines, the best last, so that it lies above the others; one for each way on the board. */
export function arrowsOf(view: View, state: State, lines: { move: string }[]): Arrow[] {
  const found = new Map<string, Arrow>();
  for (const [rank, line] of lines.entries()) {
    const move = state.moves.find((one) => one.text === line.move);
    const spots = (move ? places(move) : []).flatMap((place) => view.at.get(place) ?? []);
    const [first, last] = [spots[0], spots.at(-1)];
    if (!first || !last) continue;
    const way = `${first.name} ${last.name}`;
    if (!found.has(way)) found.set(way, { rank, from: first === last ? null : first, to: last });
  }
  return [...found.values()].reverse();
}

/** Of a shaft, as a part of the distance of two cells. */
function widthOf(rank: number): number {
  return Math.max(0.06, 0.15 - 0.03 * rank);
}

/** The outline of an arrow from the middle of one cell to that of another. */
function outlineOf(from: Spot, to: Spot, unit: number, width: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [along, across] = [(way: number) => way / length, width * unit];
  const [start, end] = [Math.min(0.22 * unit, 0.2 * length), length - 0.08 * unit];
  const neck = end - 2.1 * across;
  const at = (way: number, side: number) => {
    const x = from.x + dx * along(way) - dy * along(side);
    const y = from.y + dy * along(way) + dx * along(side);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const half = across / 2;
  return [
    at(start, half),
    at(neck, half),
    at(neck, 1.25 * across),
    at(end, 0),
    at(neck, -1.25 * across),
    at(neck, -half),
    at(start, -half),
  ].join(" ");
}
