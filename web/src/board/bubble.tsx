/** Why a move is not legal, at the cell: the author's words, then each demand of the rules with its values. */

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
  return (
    <Beside
      cell={cell}
      of="bubble"
      role="dialog"
      label={explanation.legal ? "Why this is legal" : "Why this is not legal"}
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
      {why && <p class="why">{why}</p>}
      {explanation.note && explanation.note !== why && <p class="note">{explanation.note}</p>}
      {nearest && <Kind kind={nearest} />}
      {others.map((kind) => (
        <details key={kind.kind}>
          <summary>{kind.kind.replaceAll("_", " ")}</summary>
          <Demands demands={kind.demands} />
        </details>
      ))}
    </Beside>
  );
}

function closeBubble(play: ReturnType<typeof usePage>["play"]): void {
  play.bubble.value = null;
}

function Kind({ kind }: { kind: Explanation["kinds"][number] }) {
  return (
    <section>
      <h3>{kind.kind.replaceAll("_", " ")}</h3>
      <Demands demands={kind.demands} />
    </section>
  );
}

function Demands({ demands }: { demands: Reason[] }) {
  return (
    <ul class="demands">
      {demands.map((demand, number) => (
        <Demand key={number} demand={demand} />
      ))}
    </ul>
  );
}

function Demand({ demand }: { demand: Reason }) {
  const page = usePage();
  return (
    <li class={demand.holds ? "holds" : "fails"}>
      <span class="sign" role="img" aria-label={demand.holds ? "holds" : "fails"}>
        {demand.holds ? "✓" : "✗"}
      </span>
      <div class="demand">
        {!demand.holds && demand.reason && <p class="words">{demand.reason}</p>}
        <code>{demand.text}</code>
        {demand.values.length > 0 && (
          <ul class="values">
            {demand.values.map((value) => (
              <li key={value}>
                <code>{value}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
      {demand.line > 0 && (
        <button type="button" class="link line" onClick={() => page.lookAt(demand.line)}>
          line {demand.line}
        </button>
      )}
      {demand.parts.length > 0 && <Demands demands={demand.parts} />}
    </li>
  );
}
