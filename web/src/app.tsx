/** The whole page, whoever answers. */

import { render } from "preact";
import "./styles/page.css";
import { BoardPart } from "./board/board.tsx";
import { EditorPart } from "./editor/editor.tsx";
import { Gallery } from "./games/gallery.tsx";
import { Head } from "./head.tsx";
import type { Ask } from "./protocol.ts";
import { RailPart } from "./rail/rail.tsx";
import { Page, PageContext } from "./store/page.ts";
import { messageOf } from "./store/rules.ts";

export async function show(ask: Ask): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const hello = await ask("hello", {});
    const page = new Page(ask, hello);
    render(
      <PageContext.Provider value={page}>
        <Whole page={page} />
      </PageContext.Provider>,
      root,
    );
    await page.rules.open(hello.first.name, hello.first.text, hello.first.options);
    if (hello.first.line) await page.play.show(hello.first.line);
  } catch (error) {
    root.textContent = messageOf(error);
  }
}

function Whole({ page }: { page: Page }) {
  return (
    <div class="page" data-part={page.part.value}>
      <Head />
      <main class="parts">
        {page.can("edit") && <EditorPart />}
        <BoardPart />
        <RailPart />
      </main>
      {page.gallery.value && <Gallery />}
    </div>
  );
}
