/** The clauses of a kind of move: what the engine asks. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { kindOf } from "./kind.ts";
import { pieces } from "./prolog.ts";

const BOARD = ""; // the kind that the board speaks of

export function Clauses() {
  const page = usePage();
  const game = page.rules.game.value!;
  const [chosen, setChosen] = useState(BOARD);
  const kinds = game.kinds.map(({ name }) => name);
  const kind = kinds.includes(chosen) ? chosen : kindOf(page.play, kinds);
  const { text, wrong } = useClauses(game.id, kind);
  const line = game.kinds.find(({ name }) => name === kind)?.line;
  return (
    <section aria-labelledby="clauses">
      <header>
        <h2 id="clauses">Clauses</h2>
        {line !== undefined && page.can("edit") && (
          <button type="button" class="link" onClick={() => page.lookAt(line)}>
            line {line}
          </button>
        )}
      </header>
      <select
        class="field"
        aria-label="Kind of move"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <option value={BOARD}>as on the board: {kindOf(page.play, kinds)}</option>
        {kinds.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {wrong ? <p class="wrong">{wrong}</p> : <Coloured text={text} kind={kind} />}
    </section>
  );
}

function Coloured({ text, kind }: { text: string; kind: string }) {
  const found = useMemo(() => pieces(text), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="clauses" tabIndex={0} aria-label={`Clauses of ${kind}`}>
      <pre>
        <code>
          {found.map((piece, at) =>
            piece.sort === "space" || piece.sort === "name" ? (
              piece.text
            ) : (
              <span key={at} class={piece.sort}>
                {piece.text}
              </span>
            ),
          )}
        </code>
      </pre>
    </section>
  );
}

/** Clauses are kept as long as the game is shown: the pointer walks to and fro. */
function useClauses(game: string, kind: string): { text: string; wrong: string } {
  const page = usePage();
  const [found, setFound] = useState({ text: "", wrong: "" });
  const known = useMemo(() => new Map<string, string>(), [game]);
  useEffect(() => {
    let late = false;
    const before = kind ? known.get(kind) : "";
    const asked = before === undefined ? page.ask("clauses", { game, kind }) : Promise.resolve({ text: before });
    asked.then(
      ({ text }) => {
        known.set(kind, text);
        if (!late) setFound({ text, wrong: "" });
      },
      (error) => !late && setFound({ text: "", wrong: messageOf(error) }),
    );
    return () => {
      late = true;
    };
  }, [game, kind]);
  return found;
}
