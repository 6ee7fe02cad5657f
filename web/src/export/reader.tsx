/** The rules of an exported game, to be read. */

import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../store/page.ts";
import "../styles/reader.css";

export function EditorPlace() {
  const page = usePage();
  const asked = page.line.value;
  const marked = useRef<HTMLLIElement>(null);
  const game = page.rules.game.value;
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
        {page.rules.text.value.split("\n").map((line, place) => {
          const number = place + 1;
          const isAsked = asked?.number === number;
          return (
            <li key={number} ref={isAsked ? marked : null} class={isAsked ? "asked" : ""}>
              {line}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
