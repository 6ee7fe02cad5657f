/** Something that lies beside a cell, above the page: within the window, and not over the cell. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useDesk } from "./desk.ts";
import { placed } from "./view.ts";

interface Properties {
  cell: string;
  of: string;
  role: "dialog" | "menu";
  label: string;
  keep: string[]; // cells that should be seen beside it
  about: unknown; // when it changes, all is placed anew
  children: ComponentChildren;
}

export function Beside({ cell, of, role, label, keep, about, children }: Properties) {
  const desk = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const size = desk.size.value;
  useLayoutEffect(() => {
    const rect = desk.rectOf(cell);
    const element = box.current;
    if (!rect || !element) return;
    element.style.maxHeight = "";
    const { clientWidth, clientHeight } = document.documentElement;
    const { width, height } = element.getBoundingClientRect();
    const window = { left: 0, top: 0, width: clientWidth, height: clientHeight };
    const kept = keep.flatMap((one) => desk.rectOf(one) ?? []);
    const place = placed(rect, { width, height }, window, kept);
    element.style.left = `${place.left}px`;
    element.style.top = `${place.top}px`;
    element.style.maxHeight = `${place.height}px`;
    element.style.setProperty("--tip", `${place.tip}px`);
    element.dataset.side = place.side;
  }, [cell, about, size]);
  useEffect(() => {
    const again = () => {
      desk.size.value += 1;
    };
    const element = box.current;
    element?.addEventListener("toggle", again, true); // details that open need more room
    return () => element?.removeEventListener("toggle", again, true);
  }, []);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a dialog and a menu have labels
    <div ref={box} class={`above beside ${of}`} role={role} aria-label={label}>
      <div class="within">{children}</div>
    </div>
  );
}
