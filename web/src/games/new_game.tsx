/** How new rules begin: with a template, or with the rules of another game. */

import { useRef, useState } from "preact/hooks";
import type { Card } from "../protocol.ts";
import type { Page } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { type Beginning, fileName, retitled } from "./cards.ts";

const TEMPLATES: [template: string, name: string, about: string][] = [
  ["blank", "Blank", "The sections that each game needs."],
  ["placement", "Placing", "Pieces are put on the board and stay there."],
  ["moving", "Moving", "Pieces walk, and capture what they meet."],
];

export function NewGame({ page, cards, fails }: { page: Page; cards: Card[]; fails: (message: string) => void }) {
  const open = page.rules.name.value || page.hello.first.name;
  const title = cards.find(({ name }) => name === open)?.title ?? page.rules.game.value?.title ?? open;
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
        const wish = { title: field.current!.value.trim(), [kind]: name };
        begin(page, wish, cards).catch((error: unknown) => fails(messageOf(error)));
      }}
    >
      <h1>Write a game</h1>
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
      <div class="buttons">
        <button type="submit" class="button main">
          Begin
        </button>
        <a class="button" href="#/">
          Cancel
        </a>
      </div>
    </form>
  );
}

/** Begins new rules, which become a file when they are saved. */
async function begin(page: Page, how: Beginning, cards: Card[]): Promise<void> {
  const text = how.like ? retitled(await textOf(page, how.like), how.title) : (await page.ask("begin", how)).text;
  const taken = [...cards, ...(page.way?.shelf.all() ?? [])].map((card) => card.name);
  await page.way?.openNew(fileName(how.title, taken), text);
}

/** The text of a game as it stands here, if it is open, or else of its file. */
async function textOf({ ask, rules }: Page, name: string): Promise<string> {
  return rules.name.value === name ? rules.text.value : (await ask("open", { name })).text;
}
