/** The games that can be opened, as small boards; and how new rules begin. */

import { useEffect, useRef, useState } from "preact/hooks";
import "../styles/gallery.css";
import type { Card } from "../protocol.ts";
import { type Page, usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { type Beginning, fileName, matches } from "./cards.ts";
import { leave, openNamed, openNew } from "./opening.ts";

export function Gallery() {
  const page = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [cards, setCards] = useState<Card[] | null>(null);
  const [trouble, setTrouble] = useState("");
  const [starts, setStarts] = useState(false);

  useEffect(() => dialog.current!.showModal(), []);
  useEffect(() => {
    page
      .ask("games", {})
      .then(({ games }) => setCards(games))
      .catch((error: unknown) => setTrouble(messageOf(error)));
  }, [page]);

  const close = () => dialog.current!.close();
  /** Does what replaces the text that is open, unless its author wants to keep it. */
  const replace = (what: () => Promise<void>) => {
    if (!leave(page)) return;
    what().then(close, (error: unknown) => setTrouble(messageOf(error)));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it, and so does Escape
    <dialog
      class="gallery"
      ref={dialog}
      aria-labelledby="gallery-title"
      onClose={() => {
        page.gallery.value = false;
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="content">
        <header>
          <h2 id="gallery-title">{starts ? "New rules" : "Games"}</h2>
          {page.can("edit") && (
            <button type="button" class="button edged" onClick={() => setStarts(!starts)}>
              {starts ? "All games" : "New rules"}
            </button>
          )}
          <button type="button" class="button sign" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {starts ? (
          <NewGame page={page} begin={(how) => replace(() => openNew(page, how, cards ?? []))} />
        ) : (
          <Games cards={cards} present={page.rules.name.value} open={(name) => replace(() => openNamed(page, name))} />
        )}
      </div>
    </dialog>
  );
}

function Games(props: { cards: Card[] | null; present: string; open: (name: string) => void }) {
  const { cards, present, open } = props;
  const [words, setWords] = useState("");
  const found = (cards ?? []).filter((card) => matches(card, words));
  const own = found.filter((card) => card.place === "folder");
  const shipped = found.filter((card) => card.place === "shipped");
  const list = (title: string, some: Card[]) =>
    some.length > 0 && (
      <section aria-label={title}>
        {own.length > 0 && <h3>{title}</h3>}
        <ul class="cards">
          {some.map((card) => (
            <li key={card.place + card.name}>
              <CardButton card={card} present={card.name === present} open={() => open(card.name)} />
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <>
      <div class="search">
        <input
          class="field"
          type="search"
          autofocus
          placeholder="Name, author, or what a game is about"
          aria-label="Search the games"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && words && found[0]) open(found[0].name);
          }}
        />
        <span class="count" role="status">
          {cards ? (found.length === 1 ? "1 game" : `${found.length} games`) : "Reading the games …"}
        </span>
      </div>
      {list("This folder", own)}
      {list("Shipped with pysolve", shipped)}
    </>
  );
}

function CardButton({ card, present, open }: { card: Card; present: boolean; open: () => void }) {
  const facts = [card.players.join(" and "), card.lines === 1 ? "1 line" : `${card.lines} lines`];
  return (
    <button type="button" class="card" aria-current={present ? "true" : undefined} title={card.about} onClick={open}>
      <span class="thumb">
        {card.picture && <img src={`data:image/svg+xml,${encodeURIComponent(card.picture)}`} alt="" loading="lazy" />}
      </span>
      <span class="title">{card.title || card.name}</span>
      {card.place === "folder" && <span class="about">{card.name}</span>}
      <span class="about">{card.about}</span>
      <span class="facts">
        <span>{facts.filter(Boolean).join(" · ")}</span>
        <span>{card.mechanisms.join(", ")}</span>
      </span>
    </button>
  );
}

const TEMPLATES: [template: string, name: string, about: string][] = [
  ["blank", "Blank", "The sections that each game needs."],
  ["placement", "Placing", "Pieces are put on the board and stay there."],
  ["moving", "Moving", "Pieces walk, and capture what they meet."],
];

function NewGame({ page, begin }: { page: Page; begin: (how: Beginning) => void }) {
  const open = page.rules.name.value;
  const title = page.rules.game.value?.title ?? open;
  const [how, setHow] = useState("template:blank");
  const field = useRef<HTMLInputElement>(null);
  const copies: [value: string, name: string, about: string][] = [
    [`like:${open}`, `A copy of ${title}`, "Its whole text, to be changed at will."],
    [`extends:${open}`, `A variant of ${title}`, "Only what is different; the rest is read from it."],
  ];
  const templates = TEMPLATES.map(([name, ...rest]): [string, string, string] => [`template:${name}`, ...rest]);
  return (
    <form
      class="beginning"
      onSubmit={(event) => {
        event.preventDefault();
        const [kind, name] = how.split(/:(.*)/) as ["template" | "like" | "extends", string];
        begin({ title: field.current!.value.trim(), [kind]: name });
      }}
    >
      <label class="name">
        Name
        <input class="field" ref={field} required autofocus maxLength={80} pattern={'[^"]*'} placeholder="My game" />
      </label>
      <fieldset>
        <legend>Begin with</legend>
        {[...templates, ...(open ? copies : [])].map(([value, name, about]) => (
          <label class="choice" key={value}>
            <input type="radio" name="how" value={value} checked={how === value} onChange={() => setHow(value)} />
            <span>
              <strong>{name}</strong>
              <span class="about">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="aside">
        {page.can("save")
          ? `It becomes the file ${fileName("My game", [])} or the like when you save it.`
          : "Download keeps it as a file, and Share gives you its address."}
      </p>
      <button type="submit" class="button main">
        Begin
      </button>
    </form>
  );
}
