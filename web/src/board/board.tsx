/** The board, whose turn it is, and what can be done besides clicking cells. */

import { useLayoutEffect, useMemo } from "preact/hooks";
import "../styles/board.css";
import { drawn } from "../picture.ts";
import type { Aside, Look } from "../protocol.ts";
import { PlayerMark } from "../rail/mark.tsx";
import { usePage } from "../store/page.ts";
import { Bubble } from "./bubble.tsx";
import { Desk, DeskContext, useDesk } from "./desk.ts";
import { Keys, useKeys } from "./keys.tsx";
import { Menu, nameOf } from "./menu.tsx";
import { Picture } from "./picture.tsx";
import { holdingOf, newsOf, refusalOf } from "./words.ts";

export function BoardPart() {
  const { play } = usePage();
  const desk = useMemo(() => new Desk(play), [play]);
  return (
    <DeskContext.Provider value={desk}>
      <Whole />
    </DeskContext.Provider>
  );
}

function Whole() {
  const { play, rules } = usePage();
  const desk = useDesk();
  const [game, state, step] = [play.game.value, play.state.value, play.at.value];
  useKeys();
  useLayoutEffect(() => desk.follow(step), [step]);
  return (
    <section class={rules.stale.value ? "board stale" : "board"} aria-label="Board">
      <Standing />
      <div class="stage">
        {game && state ? game.board.cells.length > 0 && <Picture game={game} state={state} /> : <Nothing />}
        <Bubble />
        <Menu />
      </div>
      {state && <Asides asides={state.asides} />}
      {state && <Besides lines={state.beside} />}
      <Choices />
      <Tools />
      <News />
      <Keys />
    </section>
  );
}

/** Where there is no board: why not. */
function Nothing() {
  const { rules } = usePage();
  const wrong = rules.problems.value.find((problem) => problem.severity === "error");
  return <p class="nothing">{wrong ? "The board appears as soon as the rules are right." : rules.trouble.value}</p>;
}

// ------------------------------------------------------------------------------------------------ above the board

/** Whose turn it is, or who has won and why. */
function Standing() {
  const page = usePage();
  const { play, rules, thinking } = page;
  const [game, state] = [play.game.value, play.state.value];
  if (!state) return <div class="standing" />;
  const { outcome } = state;
  return (
    <div class="standing">
      {outcome ? (
        <p class="outcome">
          {game && outcome.winner && <PlayerMark game={game} player={outcome.winner} />}
          <strong>{outcome.text}</strong>
          {outcome.line && page.showsRules && (
            <button type="button" class="link" onClick={() => page.lookAt(outcome.line!)}>
              line {outcome.line}
            </button>
          )}
        </p>
      ) : (
        <p>
          {game && <PlayerMark game={game} player={state.mover} />}
          <strong>{state.mover} to move</strong>
          <span class="soft">
            {thinking.purpose.value === "move"
              ? "thinks …"
              : `${state.moves.length} ${state.moves.length === 1 ? "move" : "moves"}`}
          </span>
          <ProgramButton />
        </p>
      )}
      {rules.stale.value && <p class="old">This is the board of the last rules that were right.</p>}
    </div>
  );
}

/** Where a program is to move: lets it, or stops it; also where the window has no room for the rail. */
function ProgramButton() {
  const { thinking } = usePage();
  const thinks = thinking.purpose.value === "move";
  if (!thinks && !thinking.waiting.value) return null;
  return (
    <button type="button" class="link" onClick={() => (thinks ? thinking.cancel() : void thinking.proceed())}>
      {thinks ? "stop" : thinking.strange.value ? "start" : "let the program move"}
    </button>
  );
}

// ------------------------------------------------------------------------------------------------ below the board

const MOST_DRAWN = 12; // of one thing; of more there is one, with their number

/** What lies beside the board, as things. */
function Asides({ asides }: { asides: Aside[] }) {
  if (!asides.length) return null;
  return (
    <ul class="asides">
      {asides.map(({ title, text, groups }) => (
        <li key={title} title={title} aria-label={text}>
          {groups.map(({ label, things }) => (
            <span key={label} class="group" aria-hidden="true">
              <span class="label">{label || title}</span>
              {things.map(({ look, count }, place) => (
                <Pieces key={`${place} ${look.label}`} look={look} count={count} />
              ))}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** A thing beside the board, as often as there is of it; or a word. */
function Pieces({ look, count }: { look: Look; count: number }) {
  if (!look.parts.length) return <b>{look.label ? `${look.label}${count > 1 ? ` × ${count}` : ""}` : count}</b>;
  const drawings = Array.from({ length: count > MOST_DRAWN ? 1 : count }, (_, place) => place);
  return (
    <>
      {drawings.map((place) => (
        <svg key={place} class="glyph" viewBox="-30 -30 60 60" aria-hidden="true">
          {drawn(look.parts)}
        </svg>
      ))}
      {count > MOST_DRAWN && <b>× {count}</b>}
    </>
  );
}

/** What the rules show and the board does not: `stock: Red 3`. */
function Besides({ lines }: { lines: string[] }) {
  if (!lines.length) return null;
  return (
    <ul class="besides">
      {lines.map((line) => {
        const [name, ...rest] = line.split(": ");
        return (
          <li key={name}>
            {name}
            {rest.length > 0 && ": "}
            <b>{rest.join(": ")}</b>
          </li>
        );
      })}
    </ul>
  );
}

/** Moves that no further click on a cell means, and the end of the turn. */
function Choices() {
  const page = usePage();
  const { play } = page;
  const state = play.state.value;
  if (!state || !page.waits) return <div class="choices" />;
  const ended = play.targets.value.size ? play.complete.value : []; // one may stop here or go on to another cell
  const moves = [...ended, ...play.buttons.value];
  const onward = state.turn_began < state.played.length; // part of this turn is done
  const named = state.rest.length === 1 && moves.some((move) => move.text === state.rest[0]);
  return (
    <div class="choices">
      {moves.map((move) => {
        const main = move.pass || (onward && named && move.text === state.rest[0]);
        return (
          <button
            key={move.text}
            type="button"
            class={main ? "button main" : "button edged"}
            onClick={() => void play.play(move.text)}
          >
            {move.pass
              ? `No legal move: ${move.written}`
              : move.cells.length
                ? nameOf(move, moves)
                : capital(nameOf(move, moves))}
          </button>
        );
      })}
      {state.rest.length > 0 && !named && (
        <button
          type="button"
          class={onward ? "button main" : "button edged"}
          title={state.rest.join(", ")}
          onClick={() => void play.playAll(state.rest)}
        >
          End turn
        </button>
      )}
    </div>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function Tools() {
  const page = usePage();
  const desk = useDesk();
  const { play } = page;
  const at = play.at.value;
  const tools: [sign: string, name: string, act: () => void, may: boolean][] = [
    ["◀", "Back", () => void play.back(), at?.parent != null],
    ["▶", "Forward", () => void play.forward(), (at?.next.length ?? 0) > 0],
  ];
  return (
    <div class="tools" role="toolbar" aria-label="Position">
      {tools.map(([sign, name, act, may]) => (
        <button
          key={name}
          type="button"
          class="button sign"
          aria-label={name}
          title={name}
          disabled={!may}
          onClick={act}
        >
          <span aria-hidden="true">{sign}</span>
        </button>
      ))}
      <button
        type="button"
        class="button"
        title="Take the last move back (u)"
        disabled={!at?.parent}
        onClick={() => void page.thinking.undo()}
      >
        Undo
      </button>
      <button
        type="button"
        class="button"
        title="What a good player would do (h)"
        disabled={!page.waits}
        onClick={() => void page.thinking.hint()}
      >
        Hint
      </button>
      <button
        type="button"
        class="button"
        title="See the board from the other side (f)"
        aria-pressed={play.flipped.value}
        onClick={() => {
          play.flipped.value = !play.flipped.value;
        }}
      >
        Flip
      </button>
      <button
        type="button"
        class="button sign"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => {
          desk.keys.value = true;
        }}
      >
        <span aria-hidden="true">?</span>
      </button>
    </div>
  );
}

/** For screen readers: the last move, whose turn it is, what is held, and why a move is not legal. */
function News() {
  const { play } = usePage();
  const [state, bubble, held] = [play.state.value, play.bubble.value, play.held.value];
  let news = state ? newsOf(state) : "";
  if (bubble) news = refusalOf(bubble.cells, bubble.explanation);
  else if (held.length) news = holdingOf(held, [...play.targets.value]);
  return (
    <p class="unseen" aria-live="polite">
      {news}
    </p>
  );
}
