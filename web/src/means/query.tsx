/** A query with variables; its answers mark their cells on the board. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Out } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { askable, goalOf } from "./goal.ts";

type Answers = Out<"query">;

export function Query() {
  const page = usePage();
  const game = page.rules.game.value!;
  const { draft, goal } = page.query;
  const { answers, wrong } = useAnswers(goal.value); // asked again in each position
  const field = useRef<HTMLInputElement>(null);
  const names = useMemo(() => askable(game), [game]);
  const taken = useMemo(() => new Set(game.values), [game]);
  const example = names.find(({ parameters }) => parameters.length) ?? names[0];
  return (
    <section aria-labelledby="query">
      <header>
        <h2 id="query">Query</h2>
        <select
          class="field"
          aria-label="What can be asked"
          value=""
          onChange={(event) => {
            const chosen = names.find(({ name }) => name === event.currentTarget.value);
            event.currentTarget.value = "";
            if (!chosen) return;
            draft.value = goalOf(chosen, taken);
            goal.value = draft.value;
            field.current?.focus();
          }}
        >
          <option value="">names…</option>
          {names.map(({ name, parameters }) => (
            <option key={name} value={name}>
              {parameters.length ? `${name}(${parameters.join(", ")})` : name}
            </option>
          ))}
        </select>
      </header>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          goal.value = draft.value.trim();
        }}
      >
        <input
          ref={field}
          class="field code"
          aria-labelledby="query"
          aria-describedby="query-about"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder={example ? goalOf(example, taken) : ""}
          value={draft.value}
          aria-invalid={wrong !== ""}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button main" disabled={!draft.value.trim()}>
          Ask
        </button>
      </form>
      <p id="query-about" class="about">
        Words that begin with a capital letter are variables; commas mean “and”.
      </p>
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      {answers && <AnswerList answers={answers} />}
    </section>
  );
}

function useAnswers(goal: string): { answers: Answers | null; wrong: string } {
  const page = usePage();
  const [found, setFound] = useState<{ answers: Answers | null; wrong: string }>({ answers: null, wrong: "" });
  const at = page.play.at.value;
  useEffect(() => {
    let late = false;
    const asked = goal ? page.ask("query", { ...page.play.where(), goal }) : Promise.resolve(null);
    asked.then(
      (answers) => !late && setFound({ answers, wrong: "" }),
      (error) => !late && setFound({ answers: null, wrong: messageOf(error) }),
    );
    return () => {
      late = true;
    };
  }, [goal, at]);
  return found;
}

function AnswerList({ answers: { variables, answers, more } }: { answers: Answers }) {
  const { play } = usePage();
  const count = answers.length;
  useEffect(() => () => clear(), []);
  const clear = () => {
    play.pointed.value = [];
  };
  const said =
    count === 0 ? "No answer" : variables.length === 0 ? "It holds" : count === 1 ? "1 answer" : `${count} answers`;
  return (
    <>
      <p role="status" class="said">
        {more ? `The first ${count} answers; there are more` : said}
        {count === 0 || variables.length === 0 ? " in this position." : "."}
      </p>
      {count > 0 && variables.length > 0 && (
        <section class="answers" aria-label="Answers" onKeyDown={walk} onPointerLeave={clear}>
          <div class="answer names" aria-hidden="true" style={columns(variables.length)}>
            {variables.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          {answers.map(({ values, cells }, at) => (
            <button
              key={at}
              type="button"
              class="answer"
              style={columns(variables.length)}
              tabIndex={at === 0 ? 0 : -1}
              aria-label={variables.map((name, place) => `${name} = ${values[place]}`).join(", ")}
              onPointerEnter={() => point(cells)}
              onFocus={() => point(cells)}
              onClick={() => point(cells)}
              onBlur={clear}
            >
              {values.map((value, place) => (
                <span key={variables[place]}>{value}</span>
              ))}
            </button>
          ))}
        </section>
      )}
    </>
  );

  function point(cells: string[]): void {
    play.pointed.value = cells;
  }
}

function columns(count: number): Record<string, string> {
  return { "--columns": String(count) };
}

/** The arrows walk through the answers. */
function walk(event: KeyboardEvent): void {
  const here = event.target as HTMLElement;
  const beside: Record<string, Element | null | undefined> = {
    ArrowDown: here.nextElementSibling,
    ArrowUp: here.previousElementSibling,
    Home: here.parentElement?.querySelector("button"),
    End: here.parentElement?.lastElementChild,
  };
  if (!(event.key in beside)) return;
  event.preventDefault();
  event.stopPropagation();
  const next = beside[event.key];
  if (next instanceof HTMLButtonElement) next.focus();
}
