/** The narrow part beside the board: who plays, what has been played, and what the rules mean. */

import "../styles/rail.css";
import { useRef } from "preact/hooks";
import { MeansPart } from "../means/means.tsx";
import { type Tab, usePage } from "../store/page.ts";
import { Files } from "./files.tsx";
import { Moves } from "./moves.tsx";
import { Seats } from "./seats.tsx";
import { Thoughts } from "./thoughts.tsx";

const TABS: [Tab, string][] = [
  ["moves", "Moves"],
  ["means", "Means"],
];

export function RailPart() {
  const page = usePage();
  const means = ["query", "clauses", "balance"].some((what) => page.can(what));
  const tab = means ? page.tab.value : "moves";
  return (
    <section class="rail" aria-label="Players and moves">
      {means && <Tabs />}
      <div
        class={`rail-${tab}`}
        {...(means && { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}` })}
      >
        {tab === "means" ? <MeansPart /> : <MovesTab />}
      </div>
    </section>
  );
}

function MovesTab() {
  const page = usePage();
  if (!page.rules.game.value) return null;
  return (
    <>
      <div class="rail-players">
        <Seats />
        <Thoughts />
      </div>
      <Moves />
      <Files />
    </>
  );
}

/** One tab is reached by Tab, the other from it by the arrows. */
function Tabs() {
  const page = usePage();
  const list = useRef<HTMLDivElement>(null);
  const turn = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    page.tab.value = page.tab.value === "moves" ? "means" : "moves";
    list.current?.querySelector<HTMLElement>(`#tab-${page.tab.value}`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label="What is shown" onKeyDown={turn}>
      {TABS.map(([tab, name]) => {
        const chosen = page.tab.value === tab;
        return (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={chosen}
            aria-controls={chosen ? `panel-${tab}` : undefined}
            tabIndex={chosen ? 0 : -1}
            onClick={() => {
              page.tab.value = tab;
            }}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}
