/** The whole page, whoever answers. */

import { render } from "preact";
import "./styles/page.css";
import { askAgain } from "./again.ts";
import { BoardPart } from "./board/board.tsx";
import { Veil } from "./board/veil.tsx";
import { Connection } from "./connection.tsx";
import { Divider } from "./divider.tsx";
import { EditorPlace } from "./editor_place.tsx";
import { Foot } from "./foot.tsx";
import { Home } from "./games/home.tsx";
import { Head } from "./head.tsx";
import { Notice } from "./notice.tsx";
import type { Ask } from "./protocol.ts";
import { RailPart } from "./rail/rail.tsx";
import { Page, PageContext, type Part, type Tab, usePage } from "./store/page.ts";
import { messageOf } from "./store/rules.ts";
import { Way } from "./way.ts";

export async function show(ask: Ask): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const hello = await ask("hello", {});
    const page = new Page(askAgain(ask), hello);
    const way = new Way(page);
    page.way = way;
    render(
      <PageContext.Provider value={page}>
        <Whole page={page} />
      </PageContext.Provider>,
      root,
    );
    await way.begin();
  } catch (error) {
    root.textContent = messageOf(error);
  }
}

function Whole({ page }: { page: Page }) {
  if (page.at.value !== "game")
    return (
      <div class="page at-home">
        <Head />
        <Home />
        <Connection />
        <Notice />
      </div>
    );
  const writes = page.writes.value;
  const covered = page.play.state.value?.veil?.viewer === null;
  return (
    <div class="page" data-part={page.part.value} data-view={writes ? "write" : "play"}>
      <Head />
      <main class={writes ? "parts" : "parts without-rules"}>
        {writes && <EditorPlace />}
        {writes && <Divider />}
        {covered ? (
          <Veil />
        ) : (
          <>
            <BoardPart />
            <RailPart />
          </>
        )}
      </main>
      <Foot />
      {!covered && <Bar entries={writes ? WRITING : PLAYING} />}
      <Connection />
      <Notice />
    </div>
  );
}

type Entry = [name: string, part: Part, tab?: Tab];

const WRITING: Entry[] = [
  ["Rules", "rules"],
  ["Board", "board"],
  ["Moves", "rail"],
];
const PLAYING: Entry[] = [
  ["Board", "board"],
  ["Moves", "rail", "moves"],
  ["Rules", "rail", "rules"],
];

/** Where the window is narrow, one part is shown at a time: this chooses which. */
function Bar({ entries }: { entries: Entry[] }) {
  const page = usePage();
  return (
    <nav class="bar" aria-label="Parts of the page">
      {entries.map(([name, part, tab]) => {
        const shown = page.part.value === part && (!tab || page.tab.value === tab);
        return (
          <button
            key={name}
            type="button"
            aria-current={shown ? "page" : undefined}
            onClick={() => {
              page.part.value = part;
              if (tab) page.tab.value = tab;
            }}
          >
            {name}
          </button>
        );
      })}
    </nav>
  );
}
