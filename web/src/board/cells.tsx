/** What pointers, keys and screen readers meet: a grid of cells that are not seen. */

import { useMemo } from "preact/hooks";
import type { State } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { useDesk } from "./desk.ts";
import { Outline } from "./picture.tsx";
import { type Spot, towards, type View } from "./view.ts";
import { labelOf } from "./words.ts";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const;

export function Cells({ view, state }: { view: View; state: State }) {
  const page = usePage();
  const { play } = page;
  const desk = useDesk();
  const rows = useMemo(() => rowsOf(view), [view]);
  const held = play.held.value;
  const at = view.at.has(desk.cursor.value ?? "") ? desk.cursor.value : view.spots[0]?.name;
  const walk = (event: KeyboardEvent, from: string) => {
    const arrow = ARROWS.find((name) => name === event.key);
    if (!event.shiftKey && desk.arrow(event.key)) {
      // it moves what can be moved
    } else if (arrow) {
      const next = towards(view, from, arrow);
      if (next) focus(desk.picture, next.name);
    } else if (event.key === "Enter" || event.key === " ") {
      if (page.waits) void play.click(from);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <g role="rowgroup">
      {rows.map((row, number) => (
        <g key={row[0]?.name} role="row" aria-rowindex={number + 1}>
          {row.map((spot) => (
            <g
              key={spot.name}
              role="gridcell"
              data-cell={spot.name}
              tabindex={spot.name === at ? 0 : -1}
              aria-selected={held.includes(spot.name)}
              aria-label={labelOf(spot, state, {
                held: held.includes(spot.name),
                target: play.targets.value.has(spot.name),
                begins: play.begins.value.has(spot.name),
              })}
              onFocus={({ currentTarget }) => {
                desk.cursor.value = spot.name;
                desk.focused.value = currentTarget.matches(":focus-visible") ? spot.name : null;
              }}
              onBlur={() => {
                desk.focused.value = null;
              }}
              onKeyDown={(event) => walk(event, spot.name)}
            >
              <Outline view={view} spot={spot} of="cell" />
            </g>
          ))}
        </g>
      ))}
    </g>
  );
}

function rowsOf(view: View): Spot[][] {
  const rows = new Map<string, Spot[]>(); // those of edges and corners lie above those of cells
  for (const spot of view.spots) {
    const row = `${spot.kind === "cell"} ${spot.row}`;
    rows.set(row, [...(rows.get(row) ?? []), spot]);
  }
  const sorted = [...rows.values()].map((row) => row.toSorted((one, other) => one.x - other.x));
  const above = (row: Spot[]) => Number(row[0]!.kind !== "cell");
  return sorted.toSorted((one, other) => above(one) - above(other) || one[0]!.y - other[0]!.y);
}

export function focus(picture: SVGSVGElement | null, cell: string): void {
  picture?.querySelector<SVGElement>(`[data-cell="${CSS.escape(cell)}"]`)?.focus();
}
