/** The line above all: which game this is, its options, and what can be done with it. */

import type { Description } from "./protocol.ts";
import { share } from "./share.ts";
import { usePage } from "./store/page.ts";
import { scheme, toggleScheme } from "./store/scheme.ts";
import { narrow } from "./store/window.ts";

export function Head() {
  const page = usePage();
  const game = page.rules.game.value ?? page.play.game.value; // the former one, while another one opens
  return (
    <header class="head">
      <h1>
        <Title title={game?.title || page.rules.name.value || "pysolve"} />
      </h1>
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

/** The name of the game; where there are others, it opens the list of them. */
function Title({ title }: { title: string }) {
  const page = usePage();
  if (page.hello.product === "export") return <span class="title">{title}</span>;
  return (
    <button
      type="button"
      class="button title"
      aria-haspopup="dialog"
      title="Other games"
      onClick={() => {
        page.gallery.value = true;
      }}
    >
      <span class="name">{title}</span>
      <span class="arrow" aria-hidden="true">
        ▾
      </span>
    </button>
  );
}

const INLINE = 3; // options that stand in the line itself; more of them open below it

function Options({ options }: { options: Description["options"] }) {
  const { rules } = usePage();
  const list = options.map((option) => <Option key={option.name} option={option} />);
  if (!options.length || (options.length <= INLINE && !narrow.value)) return <div class="options">{list}</div>;
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
