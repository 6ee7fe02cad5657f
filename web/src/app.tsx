/** The whole page, whoever answers. */

import { render } from "preact";
import "./styles/page.css";
import { askAgain } from "./again.ts";
import { BoardPart } from "./board/board.tsx";
import { Divider } from "./divider.tsx";
import { EditorPart } from "./editor/editor.tsx";
import { Foot } from "./foot.tsx";
import { Gallery } from "./games/gallery.tsx";
import { Head } from "./head.tsx";
import { Notice } from "./notice.tsx";
import type { Ask } from "./protocol.ts";
import { RailPart } from "./rail/rail.tsx";
import { openFirst } from "./share.ts";
import { Page, PageContext, type Part, usePage } from "./store/page.ts";
import { messageOf } from "./store/rules.ts";

export async function show(ask: Ask): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const hello = await ask("hello", {});
    const page = new Page(askAgain(ask), hello);
    render(
      <PageContext.Provider value={page}>
        <Whole page={page} />
      </PageContext.Provider>,
      root,
    );
    await openFirst(page);
  } catch (error) {
    root.textContent = messageOf(error);
  }
}

function Whole({ page }: { page: Page }) {
  const edits = page.showsRules;
  return (
    <div class="page" data-part={page.part.value}>
      <Head />
      <main class={edits ? "parts" : "parts without-rules"}>
        {edits && <EditorPart />}
        {edits && <Divider />}
        <BoardPart />
        <RailPart />
      </main>
      <Foot />
      <Bar parts={edits ? ["rules", "board", "rail"] : ["board", "rail"]} />
      {page.gallery.value && <Gallery />}
      <Notice />
    </div>
  );
}

const NAMES: Record<Part, string> = { rules: "Rules", board: "Board", rail: "Moves" };

/** Where the window is narrow, one part is shown at a time: this chooses which. */
function Bar({ parts }: { parts: Part[] }) {
  const page = usePage();
  return (
    <nav class="bar" aria-label="Parts of the page">
      {parts.map((part) => (
        <button
          key={part}
          type="button"
          aria-current={page.part.value === part ? "page" : undefined}
          onClick={() => {
            page.part.value = part;
          }}
        >
          {NAMES[part]}
        </button>
      ))}
    </nav>
  );
}
