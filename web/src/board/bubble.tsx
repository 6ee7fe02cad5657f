/** Why a move is not legal, at the cell: the author's words; behind a fold each demand of the rules with its values. */

import type { Explanation, Reason } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { Beside } from "./beside.tsx";
import { reasonOf, wayOf } from "./words.ts";

export function Bubble() {
  const { play } = usePage();
  const bubble = play.bubble.value;
  const cell = bubble?.cells.at(-1);
  if (!bubble || !cell) return null;
  const { explanation } = bubble;
  const why = reasonOf(explanation);
  const [nearest, ...others] = explanation.kinds;
  const said = why || explanation.note;
  return (
    <Beside
      cell={cell}
      of="bubble"
      role="dialog"
      label={explanation.legal ? "Why this is legal" : "Why this is not legal"}
      keep={bubble.cells.flatMap((one, place) => [one, ...play.after(bubble.cells.slice(0, place + 1))])}
      about={bubble}
    >
      <header>
        <p class="way">
          {wayOf(bubble.cells)} {explanation.legal ? "is legal" : "is not legal"}
        </p>
        <button type="button" class="button sign" aria-label="Close" onClick={() => closeBubble(play)}>
          ×
        </button>
      </header>
      {said && <p class="why">{said}</p>}
      {nearest && (
        <details class="rules" open={!said}>
          <summary>why</summary>
          <Kind kind={nearest} said={why} />
          {others.map((kind) => (
            <details key={kind.kind} class="other">
              <summary>{kind.kind}</summary>
              <Demands demands={kind.demands} said={why} />
            </details>
          ))}
          {explanation.note && explanation.note !== said && <p class="note">{explanation.note}</p>}
        </details>
      )}
    </Beside>
  );
}

function closeBubble(play: ReturnType<typeof usePage>["play"]): void {
  play.bubble.value = null;
}

function Kind({ kind, said }: { kind: Explanation["kinds"][number]; said: string }) {
  return (
    <section>
      <p class="kind">{kind.kind}</p>
      <Demands demands={kind.demands} said={said} />
    </section>
  );
}

/** Demands; `said` are the words that stand above all, `within` the line of the demand whose parts they are. */
function Demands({ demands, said, within = 0 }: { demands: Reason[]; said: string; within?: number }) {
  return (
    <ul class="demands">
      {demands.map((demand, number) => (
        <Demand key={number} demand={demand} said={said} within={within} />
      ))}
    </ul>
  );
}

function Demand({ demand, said, within }: { demand: Reason; said: string; within: number }) {
  const page = usePage();
  const { holds, reason, text, line, values, parts } = demand;
  return (
    <li class={holds ? "holds" : "fails"}>
      <span class="sign" role="img" aria-label={holds ? "holds" : "fails"}>
        {holds ? "✓" : "✗"}
      </span>
      <div class="demand">
        {!holds && reason && reason !== said && <p class="words">{reason}</p>}
        <code>{text}</code>
        {parts.length === 0 && <Values values={values} />}
      </div>
      {line > 0 && line !== within && page.showsRules && (
        <button type="button" class="link line" onClick={() => page.lookAt(line)}>
          line {line}
        </button>
      )}
      {parts.length > 0 && <Parts of={demand} said={said} deep={within > 0} />}
    </li>
  );
}

/** What a demand consists of; where that goes deeper than one step, it opens upon a click. */
function Parts({ of, said, deep }: { of: Reason; said: string; deep: boolean }) {
  const parts = <Demands demands={of.parts} said={said} within={of.line || 1} />;
  if (!deep) return parts;
  return (
    <details class="more">
      <summary>in detail</summary>
      {parts}
    </details>
  );
}

function Values({ values }: { values: string[] }) {
  if (!values.length) return null;
  return (
    <ul class="values">
      {values.map((value) => (
        <li key={value}>
          <code>{value}</code>
        </li>
      ))}
    </ul>
  );
}
