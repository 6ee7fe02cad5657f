/** The narrow part beside the board: who plays, what has been played, and what the rules mean. */

import "../styles/rail.css";
import { useRef } from "preact/hooks";
import { MeansPart } from "../means/means.tsx";
import { SheetPart } from "../sheet/sheet.tsx";
import { type Page, type Tab, usePage } from "../store/page.ts";
import { CoursePart } from "./course.tsx";
import { Files } from "./files.tsx";
import { Habits } from "./habits.tsx";
import { Moves } from "./moves.tsx";
import { Seats } from "./seats.tsx";
import { Thoughts } from "./thoughts.tsx";

const NAMES: Record<Tab, string> = { moves: "Moves", rules: "Rules", means: "Meaning" };

/** Who plays wants to know the rules, who writes what they mean. */
function tabsOf(page: Page): Tab[] {
  const means = ["query", "clauses", "balance"].some((what) => page.can(what));
  if (!page.writes.value) return ["moves", "rules"];
  return means ? ["moves", "means"] : ["moves"];
}

export function RailPart() {
  const page = usePage();
  const tabs = tabsOf(page);
  const tab = tabs.includes(page.tab.value) ? page.tab.value : "moves";
  const many = tabs.length > 1;
  return (
    <section class="rail" aria-label="Players and moves" tabIndex={tab === "rules" ? 0 : undefined}>
      {many && <Tabs tabs={tabs} shown={tab} />}
      <div
        class={`rail-${tab}`}
        {...(many && { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}` })}
      >
        {tab === "means" ? <MeansPart /> : tab === "rules" ? <SheetPart /> : <MovesTab />}
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
        <Habits />
      </div>
      <Moves />
      <CoursePart />
      <Files />
    </>
  );
}

/** One tab is reached by Tab, the others from it by the arrows. */
function Tabs({ tabs, shown }: { tabs: Tab[]; shown: Tab }) {
  const page = usePage();
  const list = useRef<HTMLDivElement>(null);
  const turn = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    page.tab.value = tabs.at((tabs.indexOf(shown) + step) % tabs.length)!;
    list.current?.querySelector<HTMLElement>(`#tab-${page.tab.value}`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label="What is shown" onKeyDown={turn}>
      {tabs.map((tab) => {
        const chosen = shown === tab;
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
            {NAMES[tab]}
          </button>
        );
      })}
    </div>
  );
}
