/** All games as cards, variants under the game that they change, and what one may look for. */

import { useState } from "preact/hooks";
import { fragmentOf } from "../address.ts";
import type { Card } from "../protocol.ts";
import { narrow } from "../store/window.ts";
import {
  countsOf,
  EVERYTHING,
  type Family,
  families,
  finds,
  isPuzzle,
  kindsOf,
  LENGTHS,
  lengthOf,
  type Search,
  seatsOf,
} from "./cards.ts";

interface Looked {
  cards: Card[] | null; // null until they are known
  search: Search;
  change: (search: Search) => void;
}

export function Gallery({ cards, search, change }: Looked) {
  const all = cards ?? [];
  const found = (card: Card) => finds(search, card);
  const count = all.filter(found).length;
  const own = families(
    all.filter((card) => card.place === "folder"),
    found,
  );
  const shipped = families(
    all.filter((card) => card.place === "shipped"),
    found,
  );
  return (
    <>
      <Filters cards={all} search={search} change={change}>
        <span class="count" role="status">
          {cards ? (count === 1 ? "1 game" : `${count} games`) : "Reading the games …"}
        </span>
      </Filters>
      {cards && !count && (
        <p class="none">
          No game is like this.{" "}
          <button type="button" class="link" onClick={() => change(EVERYTHING)}>
            Show all games
          </button>
        </p>
      )}
      <List title="This folder" families={own} shown={own.length > 0} />
      <List title="Shipped with pysolve" families={shipped} shown={own.length > 0} />
    </>
  );
}

function Filters(props: { cards: Card[]; search: Search; change: (search: Search) => void; children: unknown }) {
  const { cards, search, change, children } = props;
  const choice = (part: keyof Search, label: string, all: string, values: [value: string, name: string][]) => (
    <select
      class={search[part] ? "field chosen" : "field"}
      aria-label={label}
      value={search[part]}
      onChange={(event) => change({ ...search, [part]: event.currentTarget.value })}
    >
      <option value="">{all}</option>
      {values.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <search class="filters">
      <input
        class="field"
        type="search"
        placeholder="Name, author, or what a game is about"
        aria-label="Search the games"
        value={search.words}
        onInput={(event) => {
          change({ ...search, words: event.currentTarget.value });
          if (narrow.value) event.currentTarget.scrollIntoView({ block: "start" }); // the games are below it
        }}
      />
      {choice(
        "players",
        "Players",
        "Any players",
        countsOf(cards).map((count) => [String(count), count === 1 ? "1 player" : `${count} players`]),
      )}
      {choice(
        "length",
        "Length",
        "Any length",
        LENGTHS.map(([name]) => [name, capital(name)]),
      )}
      {choice(
        "kind",
        "Kind",
        "Any kind",
        kindsOf(cards).map((kind) => [kind, capital(kind)]),
      )}
      {children as never}
    </search>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function List({ title, families, shown }: { title: string; families: Family[]; shown: boolean }) {
  if (!families.length) return null;
  return (
    <section aria-label={title}>
      {shown && <h2>{title}</h2>}
      <ul class="cards">
        {families.map((family) => (
          <Relatives key={family.card.place + family.card.name} family={family} />
        ))}
      </ul>
    </section>
  );
}

/** A game, and its variants once somebody wants to see them. */
function Relatives({ family: { card, variants } }: { family: Family }) {
  const [open, setOpen] = useState(false);
  const more = variants.length > 0 && (
    <button type="button" class="variants" aria-expanded={open} onClick={() => setOpen(!open)}>
      {variants.length === 1 ? "1 variant" : `${variants.length} variants`}
      <span aria-hidden="true">{open ? " ▴" : " ▾"}</span>
    </button>
  );
  return (
    <>
      <li class={open ? "card parent" : "card"}>
        <Face card={card} />
        {more}
      </li>
      {open &&
        variants.map((variant) => (
          <li key={variant.name} class="card variant">
            <Face card={variant} />
          </li>
        ))}
    </>
  );
}

function Face({ card }: { card: Card }) {
  const address = fragmentOf({ at: "game", name: card.name, view: "play", options: {}, line: null });
  return (
    <a class="face" href={`#${address}`}>
      <Thumb card={card} />
      <span class="title">{card.title || card.name}</span>
      <span class="about">{card.about || (card.place === "folder" ? card.name : "")}</span>
      <span class="facts">{factsOf(card).join(" · ")}</span>
    </a>
  );
}

/** What a player wants to know before: how many play, and how long. */
function factsOf(card: Card): string[] {
  return [isPuzzle(card) ? "puzzle" : seatsOf(card), lengthOf(card), card.place === "folder" ? card.name : ""].filter(
    Boolean,
  );
}

export function Thumb({ card }: { card: Card }) {
  return (
    <span class="thumb">
      {card.picture ? (
        <img src={`data:image/svg+xml,${encodeURIComponent(card.picture)}`} alt="" loading="lazy" />
      ) : (
        <span class="initial" aria-hidden="true">
          {[...card.title][0]}
        </span>
      )}
    </span>
  );
}
