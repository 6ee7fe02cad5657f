/** What the program thinks: who is ahead, the best line, and what can be done about it. */

import { MOST_LINES } from "../generated/constants.ts";
import type { Description, Thought } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import type { Purpose } from "../store/thinking.ts";
import { paintOf } from "./paint.ts";
import { grouped, percent, shareOfFirst, speedOf, standing } from "./words.ts";

const SECONDS = [0.5, 1, 2, 5, 10, 30];
const DOES: Record<Purpose, string> = {
  move: "thinks",
  hint: "Looking for a good move",
  analysis: "Analysing",
  count: "Counting positions",
  match: "Playing games",
  review: "Analysing the game",
  solve: "Solving",
};

export function Thoughts() {
  const { thinking } = usePage();
  const active = thinking.analysing.value || Object.values(thinking.seats.value).some(Boolean);
  return (
    <section class={active ? "thoughts active" : "thoughts"} aria-label="What the program thinks">
      <div class="thinking-tools">
        <button
          type="button"
          class="button edged"
          aria-pressed={thinking.analysing.value}
          title="Think about each position while people play"
          onClick={() => {
            if (thinking.purpose.value === "analysis") thinking.cancel();
            else thinking.analyses(!thinking.analysing.value);
          }}
        >
          Analyse
        </button>
        <Pause />
        <Solve />
        <Seconds />
      </div>
      {thinking.analysing.value && <Lines />}
      <Ahead />
      <Status />
      <BestLines />
    </section>
  );
}

/** How many lines an analysis tells, and whether the board shows them. */
function Lines() {
  const { thinking } = usePage();
  return (
    <div class="analysis-tools">
      <label>
        <select
          class="field"
          aria-label="Lines of the analysis"
          value={String(thinking.lines.value)}
          onChange={(event) => thinking.tellLines(Number(event.currentTarget.value))}
        >
          {Array.from({ length: MOST_LINES }, (_, at) => at + 1).map((one) => (
            <option key={one} value={String(one)}>
              {one === 1 ? "1 line" : `${one} lines`}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={thinking.arrows.value}
          onChange={(event) => thinking.showArrows(event.currentTarget.checked)}
        />
        arrows
      </label>
    </div>
  );
}

/** Of a puzzle: its solution, move by move. */
function Solve() {
  const { thinking, play } = usePage();
  const state = play.state.value;
  if (play.game.value?.players.length !== 1 || !state || state.outcome) return null;
  return (
    <button
      type="button"
      class="button edged"
      title="Show a solution from here, move by move"
      disabled={thinking.purpose.value === "solve"}
      onClick={() => void thinking.solve()}
    >
      Solve
    </button>
  );
}

/** Only where a program plays there is something to pause. */
function Pause() {
  const { thinking } = usePage();
  if (!Object.values(thinking.seats.value).some(Boolean)) return null;
  if (thinking.waiting.value || thinking.paused.value)
    return (
      <button type="button" class="button main" onClick={() => void thinking.proceed()}>
        {thinking.strange.value ? "Start" : "Continue"}
      </button>
    );
  return (
    <button type="button" class="button edged" title="The program makes no more moves" onClick={() => thinking.pause()}>
      Pause
    </button>
  );
}

function Seconds() {
  const { thinking } = usePage();
  return (
    <label class="seconds" title="Time for each move and hint">
      <select
        class="field"
        aria-label="Seconds for each move and hint"
        value={String(thinking.seconds.value)}
        onChange={(event) => {
          thinking.seconds.value = Number(event.currentTarget.value);
        }}
      >
        {SECONDS.map((one) => (
          <option key={one} value={String(one)}>
            {one} s
          </option>
        ))}
      </select>
    </label>
  );
}

/** A bar of who is ahead: of two from the first player's side, of more the part of each. */
function Ahead() {
  const { thinking, rules, play } = usePage();
  const game = rules.game.value;
  const { thought, of } = thinking;
  const mover = of.value?.state?.mover;
  const shares = thought.value?.shares;
  if (game && shares) return <Parts game={game} shares={shares} old={of.value !== play.at.value} />;
  if (!game || game.players.length < 2) return null;
  if (game.players.length !== 2 || !thought.value || !mover) return <div class="ahead" />;
  const [first, second] = game.players as [Description["players"][0], Description["players"][0]];
  const share = shareOfFirst(thought.value, mover, first.name);
  const old = of.value !== play.at.value;
  const said = `${first.name} ${percent(share)}, ${second.name} ${percent(1 - share)}`;
  return (
    <div class={old ? "ahead old" : "ahead"} role="img" aria-label={`Who is ahead: ${said}`} title={said}>
      <span class="side">{percent(share)}</span>
      <span class="track">
        <span
          class="first"
          style={{ width: `${100 * share}%`, ...(first.colour && { background: paintOf(first.colour) }) }}
        />
        <span class="second" style={second.colour ? { background: paintOf(second.colour) } : {}} />
      </span>
      <span class="side">{percent(1 - share)}</span>
    </div>
  );
}

/** A bar with a part for each player, as wide as is expected of him. */
function Parts({ game, shares, old }: { game: Description; shares: Record<string, number>; old: boolean }) {
  const said = game.players.map(({ name }) => `${name} ${percent(shares[name] ?? 0)}`).join(", ");
  return (
    <div
      class={old ? "ahead parts old" : "ahead parts"}
      role="img"
      aria-label={`What is expected: ${said}`}
      title={said}
    >
      <span class="track">
        {game.players.map(({ name, colour }, at) => (
          <span
            key={name}
            class={`part part-${at % 4}`}
            style={{ width: `${100 * (shares[name] ?? 0)}%`, ...(colour && { background: paintOf(colour) }) }}
          />
        ))}
      </span>
      <span class="said">{said}</span>
    </div>
  );
}

/** What is being done, with a button that ends it; or what waits to be done. */
function Status() {
  const { thinking, play } = usePage();
  const purpose = thinking.purpose.value;
  const mover = play.state.value?.mover ?? "";
  const hinted = thinking.hinted.value;
  let said = "";
  if (purpose) said = purpose === "move" ? `${mover} thinks` : DOES[purpose];
  else if (thinking.waiting.value)
    said = thinking.strange.value ? "Programs play when you start them" : `Paused, ${mover} to move`;
  else if (hinted) said = `Hint: ${hinted.written}`;
  return (
    <div class="status">
      <span class={purpose ? "does" : ""} role="status">
        {said}
      </span>
      {(purpose === "move" || purpose === "hint" || purpose === "solve") && (
        <button type="button" class="button" title="Cancel (Esc)" onClick={() => thinking.cancel()}>
          Cancel
        </button>
      )}
      {!purpose && hinted && (
        <button type="button" class="button edged" onClick={() => void play.play(hinted.move)}>
          Play it
        </button>
      )}
      {thinking.trouble.value && (
        <p class="wrong" role="alert">
          {thinking.trouble.value}
        </p>
      )}
    </div>
  );
}

/** What a search has found: the facts of it, and its lines, whose moves can be played. */
function BestLines() {
  const { thinking, play } = usePage();
  const thought = thinking.thought.value;
  const mover = thinking.of.value?.state?.mover;
  if (!thought || !mover || thinking.of.value !== play.at.value) return <div class="best" />;
  const lines = thought.lines ?? [thought];
  const many = lines.length > 1;
  const facts = [
    !many && standing(thought, mover),
    thought.depth > 0 && `depth ${thought.depth}`,
    speedOf(thought) || `${grouped(thought.positions)} positions`,
  ];
  return (
    <div class="best">
      <p class="facts">{facts.filter(Boolean).join(" · ")}</p>
      {many ? (
        <ol class="lines" aria-label="Best lines">
          {lines.map((line) => (
            <li key={line.move}>
              <span class="value">{standing(line, mover)}</span>
              <LineOf thought={line} />
            </li>
          ))}
        </ol>
      ) : (
        <LineOf thought={thought} />
      )}
    </div>
  );
}

/** A line of play; a click on one of its moves plays the line up to it. */
function LineOf({ thought }: { thought: Thought }) {
  const { play } = usePage();
  const written = thought.line.length ? thought.line : [thought.written];
  const moves = thought.moves.length ? thought.moves : [thought.move];
  return (
    <p class="line">
      <span class="unseen">Best line: </span>
      {written.map((move, at) => (
        <button
          key={at}
          type="button"
          class="line-move"
          title="Play the line up to here"
          onClick={() => void play.playAll(moves.slice(0, at + 1))}
        >
          {move}
        </button>
      ))}
    </p>
  );
}
