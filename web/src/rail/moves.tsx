/** The moves that were played, turn by turn; one goes to a position by its move. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { DiceOf } from "../board/dice.tsx";
import { usePage } from "../store/page.ts";
import { randomSeed, type Step } from "../store/play.ts";
import { SIGNS } from "./course.tsx";
import { PlayerMark } from "./mark.tsx";
import { endOf, Notes, type Row, rowsOf } from "./tree.ts";
import { percent } from "./words.ts";

const DEEPEST = 5; // branches further in are not indented more

export function Moves() {
  const { play, thinking, rules, part } = usePage();
  const notes = useMemo(() => new Notes(), []);
  const list = useRef<HTMLOListElement>(null);
  const root = play.root.value;
  const at = play.at.value;
  notes.learn(at);
  useLayoutEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (!here || !list.current) return;
    if (list.current.contains(document.activeElement)) here.focus({ preventScroll: true });
    scrollTo(list.current, here);
  }, [at, part.value]);
  const step = (event: KeyboardEvent) => {
    const to = at && target(event, at);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) void play.go(to);
  };
  if (!root) return null;
  const many = (play.state.value?.line.moves.length ?? 0) - (play.state.value?.turn_began ?? 0) > 1;
  return (
    <section class="played" aria-label="Moves">
      <ol ref={list} class="moves" onKeyDown={step}>
        <li class="turn">
          <MoveButton step={root} text="Start" roll={undefined} />
        </li>
        {rowsOf(root, notes).map((row) => (
          <Turn key={keyOf(row.steps[0]!)} row={row} notes={notes} />
        ))}
        <Ending />
      </ol>
      <div class="played-tools">
        {!play.hides.value && (
          <button type="button" class="button" disabled={at === root} onClick={() => void play.go(root)}>
            To the start
          </button>
        )}
        {many && !play.hides.value && (
          <button type="button" class="button" title="Undo turn (U)" onClick={() => void thinking.undo(true)}>
            Undo turn
          </button>
        )}
        <button
          type="button"
          class="button"
          disabled={root.next.length === 0}
          title="A new game from the first position; the moves are cleared"
          onClick={() => {
            thinking.paused.value = false;
            void play.restart();
          }}
        >
          New game
        </button>
        {rules.game.value?.draws_lots && !play.hides.value && <Lots />}
      </div>
    </section>
  );
}

/** The position that a key leads to: null if the key means nothing here, undefined if there is none. */
function target(event: KeyboardEvent, at: Step): Step | undefined | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowUp":
      return at.parent ?? undefined;
    case "ArrowRight":
    case "ArrowDown":
      return at.next[0];
    case "Home": {
      let first = at;
      while (first.parent) first = first.parent;
      return first;
    }
    case "End":
      return endOf(at);
    default:
      return null;
  }
}

function scrollTo(list: HTMLElement, here: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}

function Turn({ row, notes }: { row: Row; notes: Notes }) {
  const game = usePage().rules.game.value!;
  const depth = Math.min(row.depth, DEEPEST);
  return (
    <li class={depth ? "turn branch" : "turn"} style={{ "--depth": String(depth) }}>
      <span class="number" aria-hidden="true">
        {row.number}
        {row.resumes ? "…" : ""}
      </span>
      <PlayerMark game={game} player={row.player} />
      <span class="unseen">
        {depth ? "Branch, turn" : "Turn"} {row.number}, {row.player}:
      </span>
      <span class="turn-moves">
        {row.steps.map((step) => (
          <MoveButton key={keyOf(step)} step={step} text={notes.of(step).written} roll={notes.of(step).roll} />
        ))}
      </span>
    </li>
  );
}

/** A move that was played; of what was rolled, the dice. */
function MoveButton({ step, text, roll }: { step: Step; text: string; roll: number[] | undefined }) {
  const { play, review } = usePage();
  const here = play.at.value === step;
  const shares = review.standing(step)?.shares;
  const first = play.game.value?.players[0]?.name ?? "";
  const fall = review.faultOf.value.get(step)?.fall;
  return (
    <button
      type="button"
      class={roll ? "move rolled" : "move"}
      aria-current={here ? "step" : undefined}
      tabIndex={here ? 0 : -1}
      disabled={play.hides.value}
      onClick={() => void play.go(step)}
    >
      {roll && <span class="unseen">{roll.length ? "rolled" : "by chance:"} </span>}
      {roll?.length ? <DiceOf faces={roll} /> : text || "…"}
      {roll?.length ? <span class="unseen">{text}</span> : null}
      {fall && (
        <>
          <span class={`fault-sign ${fall}`} aria-hidden="true">
            {SIGNS[fall]}
          </span>
          <span class="unseen">, {fall}</span>
        </>
      )}
      {shares && play.game.value?.players.length === 2 && (
        <span class="share-of" title={`${first} ${percent(shares[first] ?? 0)}`}>
          {percent(shares[first] ?? 0)}
        </span>
      )}
    </button>
  );
}

function Ending() {
  const outcome = usePage().play.state.value?.outcome;
  return outcome ? <li class="ending">{outcome.text}</li> : null;
}

/** Another random setup, and the seed of this one. */
function Lots() {
  const { play, thinking } = usePage();
  const { seed, start } = play.line.value;
  const [draft, setDraft] = useState(String(seed));
  useEffect(() => setDraft(String(seed)), [seed]);
  const begin = (next: number) => {
    thinking.paused.value = false;
    void play.restart(next);
  };
  return (
    <div class="lots">
      <button
        type="button"
        class="button"
        title="The same rules with another random setup"
        onClick={() => begin(randomSeed())}
      >
        New setup
      </button>
      <label class="seed">
        seed
        <input
          class="field"
          inputMode="numeric"
          pattern="[0-9]*"
          value={start ? "" : draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onChange={() => {
            if (/^\d{1,9}$/.test(draft) && Number(draft) !== seed) begin(Number(draft));
            else setDraft(String(seed));
          }}
        />
      </label>
    </div>
  );
}

const KEYS = new WeakMap<Step, number>();
let given = 0;

/** A key that stays with a position. */
function keyOf(step: Step): number {
  const known = KEYS.get(step);
  if (known !== undefined) return known;
  given += 1;
  KEYS.set(step, given);
  return given;
}
