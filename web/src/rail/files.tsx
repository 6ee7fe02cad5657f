/** The position and the game as texts: copied, pasted, saved, loaded. */

import { useState } from "preact/hooks";
import { addExample } from "../editor/add_example.ts";
import type { Page } from "../store/page.ts";
import { usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { CopyButton, download } from "./copying.tsx";

export function Files() {
  const page = usePage();
  if (page.play.hides.value)
    return <p class="about">Position and record are told when the game is over: they hold what players do not see.</p>;
  return (
    <details class="files">
      <summary>Position and record</summary>
      <Position />
      <GameRecord />
      {page.can("edit") && <Example />}
    </details>
  );
}

/** The position in one line; another one that is pasted here is set up. */
function Position() {
  const page = usePage();
  const { play } = page;
  const here = play.state.value?.position ?? "";
  const [draft, setDraft] = useState<string | null>(null); // null while it shows the position on the board
  const [wrong, setWrong] = useState("");
  const place = async () => {
    if (draft === null) return;
    const said = await setUp(page, draft);
    setWrong(said);
    if (!said) setDraft(null);
  };
  const giveUp = () => {
    setDraft(null);
    setWrong("");
  };
  return (
    <form
      class="text-form"
      onSubmit={(event) => {
        event.preventDefault();
        void place();
      }}
    >
      <label class="name" for="position">
        Position
      </label>
      <textarea
        id="position"
        class="field code"
        rows={2}
        spellcheck={false}
        value={draft ?? here}
        aria-invalid={wrong !== ""}
        aria-describedby={wrong ? "position-wrong" : undefined}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <div class="text-tools">
        {draft === null ? (
          <CopyButton text={() => here} what="position" />
        ) : (
          <>
            <button type="submit" class="button main">
              Set up
            </button>
            <button type="button" class="button" onClick={giveUp}>
              Discard
            </button>
          </>
        )}
      </div>
      {wrong && (
        <p id="position-wrong" class="wrong" role="alert">
          {wrong}
        </p>
      )}
    </form>
  );
}

/** Begins at a position that is written as text; what is wrong with it, if anything is. */
async function setUp(page: Page, text: string): Promise<string> {
  try {
    const { line } = await page.ask("place", { game: page.play.where().game, text });
    await shownPaused(page, () => page.play.show(line));
    return page.play.trouble.value;
  } catch (error) {
    return messageOf(error);
  }
}

/** Shows what was loaded; a program that is to move there waits until it is told to. */
async function shownPaused(page: Page, show: () => Promise<void>): Promise<void> {
  const { thinking } = page;
  const before = thinking.paused.value;
  thinking.paused.value = true;
  await show();
  thinking.paused.value = before || thinking.toMove.value !== "";
}

function GameRecord() {
  const page = usePage();
  const [draft, setDraft] = useState("");
  const [wrong, setWrong] = useState("");
  const written = async () => {
    const { players } = page.rules.game.value!;
    const seats = players.map(({ name }) => [name, page.thinking.seats.value[name] || "human"]);
    const asked = { ...page.play.where(), players: Object.fromEntries(seats) };
    return (await page.ask("record", asked)).text;
  };
  const load = async (text: string) => {
    setDraft(text);
    const said = await replay(page, text);
    setWrong(said);
    if (!said) setDraft("");
  };
  const save = async () => {
    try {
      download(`${page.rules.game.value!.name.replace(/[^\w-]+/g, "-")}.txt`, await written());
      setWrong("");
    } catch (error) {
      setWrong(messageOf(error));
    }
  };
  return (
    <form
      class="text-form"
      onSubmit={(event) => {
        event.preventDefault();
        void load(draft);
      }}
    >
      <label class="name" for="record">
        Record of the game
      </label>
      <div class="text-tools">
        <CopyButton text={written} what="record" fails={setWrong} />
        <button type="button" class="button edged" onClick={() => void save()}>
          Download
        </button>
        <label class="button edged pick">
          Open…
          <input
            type="file"
            class="unseen"
            accept=".txt,.record,text/plain"
            onChange={async (event) => {
              const field = event.currentTarget;
              const file = field.files?.[0];
              if (file) await load(await file.text());
              field.value = "";
            }}
          />
        </label>
      </div>
      <textarea
        id="record"
        class="field code"
        rows={2}
        spellcheck={false}
        placeholder="Paste a record here to load it"
        value={draft}
        aria-invalid={wrong !== ""}
        aria-describedby={wrong ? "record-wrong" : undefined}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      {draft && (
        <div class="text-tools">
          <button type="submit" class="button main">
            Load
          </button>
        </div>
      )}
      {wrong && (
        <p id="record-wrong" class="wrong" role="alert">
          {wrong}
        </p>
      )}
    </form>
  );
}

/** Opens the game of a record with its options, and goes to its last position; what is wrong, if anything is. */
async function replay(page: Page, text: string): Promise<string> {
  try {
    const { name, options, line } = await page.ask("replay", { text });
    const { rules } = page;
    if (rules.name.value !== name && page.way?.mayLeave() === false) return "The record was not loaded.";
    await shownPaused(page, async () => {
      if (rules.name.value !== name) {
        await page.way?.openAt(name, options, line);
        return;
      }
      if (!same(options, rules.options.value)) await rules.choose(options);
      await page.play.show(line);
    });
    return page.play.trouble.value || rules.trouble.value;
  } catch (error) {
    return messageOf(error);
  }
}

function same(some: Record<string, string>, others: Record<string, string>): boolean {
  return Object.entries(some).every(([name, value]) => others[name] === value);
}

/** Writes into the rules that a move is legal here, or not: the one that was explained last, or any other. */
function Example() {
  const page = usePage();
  const { play } = page;
  const [draft, setDraft] = useState("");
  const explained = play.bubble.value?.explanation.move ?? "";
  const move = draft || explained;
  const add = (legal: boolean) => {
    setDraft("");
    void addExample(page, move.trim(), legal);
  };
  const sides: [string, boolean][] = [
    ["is legal", true],
    ["is illegal", false],
  ];
  return (
    <div class="text-form">
      <label class="name" for="example">
        Add an example to the rules: in this position
      </label>
      <div class="text-tools">
        <input
          id="example"
          class="field code"
          list="example-moves"
          spellcheck={false}
          placeholder="a move"
          value={move}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        {sides.map(([name, legal]) => (
          <button
            key={name}
            type="button"
            class="button edged"
            disabled={!move.trim() || page.rules.stale.value}
            onClick={() => add(legal)}
          >
            {name}
          </button>
        ))}
      </div>
      <datalist id="example-moves">
        {play.state.value?.moves.slice(0, 200).map(({ text }) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </div>
  );
}
