/** The rules of an exported game, to be read. */

import { useEffect, useRef, useState } from "preact/hooks";
import { hang, lookOf, wordsOf } from "../editor/looks.ts";
import type { Out } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import "../styles/reader.css";
import "../styles/words.css";

export function EditorPlace() {
  const page = usePage();
  const asked = page.line.value;
  const marked = useRef<HTMLLIElement>(null);
  const game = page.rules.game.value;
  const [name, text] = [page.rules.name.value, page.rules.text.value];
  const [view, setView] = useState<Out<"view"> | null>(null);
  useEffect(() => {
    page.ask("view", { name, text, read: false }).then(setView);
  }, [page, name, text]);
  useEffect(() => marked.current?.scrollIntoView({ block: "center" }), [asked]);
  return (
    <section class="rules reader" aria-label="Rules">
      {game && (game.author || game.about) && (
        <div class="about">
          {game.about && <p>{game.about}</p>}
          {game.author && <p class="author">{game.author}</p>}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <ol class="lines" tabIndex={0}>
        {text.split("\n").map((line, place) => {
          const number = place + 1;
          const isAsked = asked?.number === number;
          return (
            <li key={number} ref={isAsked ? marked : null} class={`${hang(line)}${isAsked ? " asked" : ""}`}>
              {view ? coloured(line, view.colours[place] ?? [], view.kinds) : line}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A line whose words have the looks of their kinds. */
function coloured(line: string, numbers: number[], kinds: string[]) {
  const parts = [];
  let end = 0;
  for (const { from, to, kind } of wordsOf(line, numbers)) {
    parts.push(
      line.slice(end, from),
      <span key={from} class={lookOf(kinds[kind]!)}>
        {line.slice(from, to)}
      </span>,
    );
    end = to;
  }
  return [...parts, line.slice(end)];
}
