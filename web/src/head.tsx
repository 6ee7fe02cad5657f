/** The line above all: which game this is, its options, and what can be done with it. */

import { fragmentOf, type View } from "./address.ts";
import type { Description } from "./protocol.ts";
import { share } from "./share.ts";
import { type Page, usePage } from "./store/page.ts";
import { scheme, toggleScheme } from "./store/scheme.ts";
import { narrow } from "./store/window.ts";

export function Head() {
  const page = usePage();
  if (page.at.value !== "game") return <HomeHead />;
  const { rules, play, cards } = page;
  const game = rules.game.value ?? play.game.value;
  const card = cards.value?.find(({ name }) => name === rules.name.value); // while the game opens
  return (
    <header class="head">
      {page.hasHome && (
        <a class="button home-link" href="#/" title="Other games">
          <span aria-hidden="true">‹</span> Games
        </a>
      )}
      <h1 class="title">{game?.title || card?.title || rules.name.value || "pysolve"}</h1>
      {page.showsRules && <Views />}
      <Options options={game?.options ?? []} />
      <div class="actions">
        {page.hello.product !== "export" && (
          <button
            type="button"
            class="button"
            title="Copy an address that opens this position"
            onClick={() => void share(page)}
          >
            Share
          </button>
        )}
        <SchemeButton />
      </div>
    </header>
  );
}

function HomeHead() {
  const page = usePage();
  return (
    <header class="head">
      <a class="title brand" href="#/" aria-current={page.at.value === "home" ? "page" : undefined}>
        pysolve
      </a>
      <div class="actions">
        {page.can("edit") && page.at.value === "home" && (
          <a class="button" href={`#${fragmentOf({ at: "new" })}`}>
            Write a game
          </a>
        )}
        <SchemeButton />
      </div>
    </header>
  );
}

/** The two views of a game.  They are addresses, so that Back leads from one to the other. */
function Views() {
  const page = usePage();
  const views: [View, string][] = [
    ["play", "Play"],
    ["write", page.can("edit") ? "Write" : "Rules"],
  ];
  return (
    <nav class="views" aria-label="Views of the game">
      {views.map(([view, name]) => (
        <a
          key={view}
          href={`#${addressOf(page, view)}`}
          aria-current={page.view.value === view ? "page" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            page.view.value = view;
            page.part.value = view === "write" ? "rules" : "board";
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function addressOf({ rules, play }: Page, view: View): string {
  return fragmentOf({
    at: "game",
    name: rules.name.value,
    view,
    options: rules.chosen.value,
    line: play.line.value,
  });
}

const INLINE = 3; // options that stand in the line itself; more of them open below it

function Options({ options }: { options: Description["options"] }) {
  const { rules } = usePage();
  const list = options.map((option) => <Option key={option.name} option={option} />);
  if (!options.length) return <div class="options none" />;
  if (options.length <= INLINE && !narrow.value) return <div class="options">{list}</div>;
  const values = options.map(({ name, value }) => `${nameOf(name)} ${rules.options.value[name] ?? value}`);
  return (
    <div class="options">
      <button type="button" class="button edged" popovertarget="options" title={values.join(", ")}>
        <span class="values">{values.join(", ")}</span>
        <span class="arrow" aria-hidden="true">
          ▾
        </span>
      </button>
      <div id="options" class="above" popover="auto">
        {list}
      </div>
    </div>
  );
}

function nameOf(option: string): string {
  return option.replaceAll("_", " ");
}

function Option({ option }: { option: Description["options"][number] }) {
  const { rules } = usePage();
  const value = rules.options.value[option.name] ?? option.value;
  const set = (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    void rules.set(option.name, event.currentTarget.value);
  const id = `option-${option.name}`;
  return (
    <div class="option" title={option.about}>
      <label for={id}>{nameOf(option.name)}</label>
      {option.values.length ? (
        <select id={id} class="field" value={value} onChange={set}>
          {option.values.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : (
        <input id={id} class="field" type="number" value={value} onChange={set} />
      )}
    </div>
  );
}

function SchemeButton() {
  const other = scheme.value === "dark" ? "Light" : "Dark";
  return (
    <button
      type="button"
      class="button sign"
      aria-label={`${other} colours`}
      title={`${other} colours`}
      onClick={toggleScheme}
    >
      <span aria-hidden="true">◐</span>
    </button>
  );
}
