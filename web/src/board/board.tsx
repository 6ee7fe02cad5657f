/** The board, whose turn it is, and what can be done besides clicking cells. */

import { useLayoutEffect, useMemo } from "preact/hooks";
import "../styles/board.css";
import type { Description, State } from "../protocol.ts";
import { AfterGame, NextLevel } from "../rail/after.tsx";
import { PlayerMark } from "../rail/mark.tsx";
import { timeOf } from "../store/clock.ts";
import { usePage } from "../store/page.ts";
import { narrow } from "../store/window.ts";
import { Bubble } from "./bubble.tsx";
import { Desk, DeskContext, useDesk } from "./desk.ts";
import { DicePart } from "./dice.tsx";
import { Keys, useKeys } from "./keys.tsx";
import { Asides, Besides } from "./lying.tsx";
import { Menu, nameOf } from "./menu.tsx";
import { Picture } from "./picture.tsx";
import { PassOn, Seeing } from "./veil.tsx";
import { holdingOf, newsOf, refusalOf, turnOf, wordOf } from "./words.ts";

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
  const bare = game?.board.cells.length === 0; // a game without a board is what lies beside others
  useKeys();
  useLayoutEffect(() => desk.follow(step), [step]);
  return (
    <section
      class={["board", rules.stale.value && "stale", bare && "bare"].filter(Boolean).join(" ")}
      aria-label="Board"
    >
      <Standing />
      <div class="stage">
        {!game || !state ? <Nothing /> : bare ? <Around state={state} /> : <Picture game={game} state={state} />}
        <Bubble />
        <Menu />
      </div>
      {state && !bare && <Around state={state} />}
      <Choices />
      <Tools />
      <News />
      <Keys />
    </section>
  );
}

/** What is seen of a position besides the board. */
function Around({ state }: { state: State }) {
  return (
    <div class="around">
      <DicePart state={state} />
      <Asides asides={state.asides} />
      <Besides lines={state.beside} facts={state.facts} />
    </div>
  );
}

/** Where there is no board: why not. */
function Nothing() {
  const { rules } = usePage();
  const wrong = rules.problems.value.find((problem) => problem.severity === "error");
  const said = wrong ? "The board appears as soon as the rules are right." : rules.trouble.value;
  return <p class="nothing">{said || "Opening the game …"}</p>;
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
          <strong>
            {game && outcome.winner && <PlayerMark game={game} player={outcome.winner} />}
            {outcome.text}
          </strong>
          {outcome.line && page.showsRules && (
            <button type="button" class="link" onClick={() => page.lookAt(outcome.line!)}>
              line {outcome.line} of the rules
            </button>
          )}
          <AfterGame />
        </p>
      ) : thinking.clock.over.value ? (
        <p class="outcome">
          <strong>{outOfTime(thinking.clock.over.value, game)}</strong>
          <span class="soft">by the clock of the page, not by the rules</span>
          <AfterGame />
        </p>
      ) : (
        <p>
          {game && <PlayerMark game={game} player={state.mover} />}
          <strong>{state.chance ? turnOf(state) : `${state.mover} to move`}</strong>
          {!state.chance && (
            <span class="soft">
              {thinking.purpose.value === "move"
                ? "thinks …"
                : play.hides.value && !page.waits
                  ? ""
                  : `${state.moves.length} ${state.moves.length === 1 ? "move" : "moves"} possible`}
            </span>
          )}
          <ProgramButton />
          <PassOn />
          <NextLevel />
        </p>
      )}
      {game && state.out.length > 0 && <Out game={game} players={state.out} />}
      <Seeing />
      {narrow.value && thinking.clock.shown.value && game && <Clocks game={game} />}
      {rules.stale.value && <p class="old">This is the board of the last rules that were right.</p>}
    </div>
  );
}

/** The players who are out: the turn passes over them. */
function Out({ game, players }: { game: Description; players: string[] }) {
  return (
    <p class="out soft">
      Out:
      {players.map((player) => (
        <span key={player}>
          <PlayerMark game={game} player={player} /> {player}
        </span>
      ))}
    </p>
  );
}

/** The clock of each player, where the window has no room for the rail, which has it. */
function Clocks({ game }: { game: Description }) {
  const { thinking, play } = usePage();
  return (
    <ul class="clocks" aria-label="Clocks">
      {game.players.map(({ name }) => (
        <li key={name} class={name === play.state.value?.mover ? "clock to-move" : "clock"}>
          <PlayerMark game={game} player={name} />
          <span class="unseen">{name}: </span>
          {timeOf(thinking.clock.leftOf(name))}
        </li>
      ))}
    </ul>
  );
}

/** Whose time is over, and who has won by it if that is one player. */
function outOfTime(player: string, game: Description | null): string {
  const others = game?.players.filter(({ name }) => name !== player) ?? [];
  const said = `The time of ${player} is over`;
  return others.length === 1 ? `${said}: ${others[0]!.name} wins` : said;
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

/** Moves that no further click on a cell means, and the end of the turn. */
function Choices() {
  const page = usePage();
  const { play } = page;
  const state = play.state.value;
  if (!state || !page.waits) return <div class="choices" />;
  const moves = [...play.ended.value, ...play.buttons.value];
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
      {(play.hides.value ? [] : tools).map(([sign, name, act, may]) => (
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
      {!play.hides.value && (
        <button
          type="button"
          class="button"
          title="Take the last move back (u)"
          disabled={!at?.parent}
          onClick={() => void page.thinking.undo()}
        >
          Undo
        </button>
      )}
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
      {play.state.value?.window && (
        <button
          type="button"
          class="button"
          title="See also the part of the board that is not in use"
          aria-pressed={play.whole.value}
          onClick={() => {
            play.whole.value = !play.whole.value;
          }}
        >
          Whole board
        </button>
      )}
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
  if (bubble) news = refusalOf(bubble.cells.map(wordOf), bubble.explanation);
  else if (held.length) news = holdingOf(held.map(wordOf), [...play.targets.value].map(wordOf));
  return (
    <p class="unseen" aria-live="polite">
      {news}
    </p>
  );
}
