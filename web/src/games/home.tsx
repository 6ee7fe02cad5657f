/** Where a visit begins: what this is, what can be done here, and all games. */

import { useEffect, useRef, useState } from "preact/hooks";
import "../styles/home.css";
import { fragmentOf } from "../address.ts";
import type { Card } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import type { Kept } from "../store/shelf.ts";
import type { Against } from "../way.ts";
import { EVERYTHING, isPuzzle, PUZZLE, type Search } from "./cards.ts";
import { Gallery, Thumb } from "./gallery.tsx";
import { NewGame } from "./new_game.tsx";

export function Home() {
  const page = usePage();
  const [trouble, setTrouble] = useState("");
  const { cards } = page;
  useEffect(() => {
    page
      .ask("games", {})
      .then(({ games }) => {
        cards.value = games;
      })
      .catch((error: unknown) => setTrouble(messageOf(error)));
  }, [page, cards]);
  const isNew = page.at.value === "new";
  return (
    <main class="home">
      <div class="content">
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {isNew ? <NewGame page={page} cards={cards.value ?? []} fails={setTrouble} /> : <Games />}
      </div>
    </main>
  );
}

function Games() {
  const page = usePage();
  const [search, setSearch] = useState<Search>(EVERYTHING);
  const list = useRef<HTMLDivElement>(null);
  const show = (some: Partial<Search>) => {
    setSearch({ ...EVERYTHING, ...some });
    list.current?.scrollIntoView({ block: "start" });
    list.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Welcome puzzles={() => show({ kind: PUZZLE })} />
      <GoOn />
      <div ref={list} tabIndex={-1} class="list">
        <Gallery cards={page.cards.value} search={search} change={setSearch} />
      </div>
    </>
  );
}

const LEVELS: [level: string, name: string][] = [
  ["easy", "Easy"],
  ["medium", "Medium"],
  ["hard", "Hard"],
];

/** One sentence that says what this is, and a button for each thing that one may want. */
function Welcome({ puzzles }: { puzzles: () => void }) {
  const page = usePage();
  const cards = page.cards.value;
  const { first } = page.hello;
  const card = cards?.find(({ name }) => name === first.name) ?? null;
  const open = (against: Against) => void page.way?.open(first.name, against);
  const title = card?.title ?? "";
  return (
    <section class="welcome" aria-labelledby="welcome">
      <div class="pitch">
        <h1 id="welcome">Play board games. Change their rules. Write your own.</h1>
        <p class="lead">
          Play against the computer or with others, and ask why a move is not legal. Each game is a short text of rules:
          read it, change it, or write one of your own.
        </p>
        <div class="ways">
          <fieldset class="way">
            <legend>Play {title && <b>{title}</b>} against the computer</legend>
            <span class="levels">
              {LEVELS.map(([level, name]) => (
                <button
                  key={level}
                  type="button"
                  class={level === "easy" ? "button main" : "button edged"}
                  onClick={() => open(level)}
                >
                  {name}
                </button>
              ))}
            </span>
          </fieldset>
          <div class="others">
            <button type="button" class="button edged" onClick={() => open("")}>
              Two or more people
            </button>
            {(!cards || cards.some(isPuzzle)) && (
              <button type="button" class="button edged" onClick={puzzles}>
                Solve a puzzle
              </button>
            )}
            {page.can("edit") && (
              <a class="button edged" href={`#${fragmentOf({ at: "new" })}`}>
                Write a game
              </a>
            )}
          </div>
        </div>
      </div>
      <Featured card={card} />
    </section>
  );
}

function Featured({ card }: { card: Card | null }) {
  if (!card) return <div class="featured" />;
  return (
    <a class="featured" href={`#${addressOf(card.name)}`}>
      <Thumb card={card} />
      <span class="caption">
        <b>{card.title}</b> {card.about}
      </span>
    </a>
  );
}

function addressOf(name: string): string {
  return fragmentOf({ at: "game", name, view: "play", options: {}, line: null });
}

const SHOWN = 4; // games that were left

/** The games that were begun in this browser, and the texts that are not saved. */
function GoOn() {
  const page = usePage();
  const [, again] = useState(0);
  const left = (page.way?.shelf.all() ?? []).filter(({ line, draft }) => line.moves.length || draft);
  if (!left.length) return null;
  const forget = (kept: Kept) => {
    page.way?.shelf.forget(kept.name);
    if (page.rules.name.value === kept.name) page.rules.name.value = "";
    again((count) => count + 1);
  };
  return (
    <section class="go-on" aria-labelledby="go-on">
      <h2 id="go-on">Go on with</h2>
      <ul>
        {left.slice(0, SHOWN).map((kept) => (
          <li key={kept.name}>
            <a class="button" href={`#${leftAt(kept)}`}>
              <b>{kept.title}</b> <span class="soft">{stateOf(kept)}</span>
            </a>
            <button
              type="button"
              class="button sign"
              aria-label={`Forget ${kept.title}`}
              title="Forget it"
              onClick={() => forget(kept)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function leftAt({ name, draft }: Kept): string {
  return fragmentOf({ at: "game", name, view: draft ? "write" : "play", options: {}, line: null });
}

function stateOf({ line, draft }: Kept): string {
  const moves = line.moves.length ? `move ${line.moves.length}` : "";
  return [moves, draft ? "text not saved" : ""].filter(Boolean).join(", ");
}
