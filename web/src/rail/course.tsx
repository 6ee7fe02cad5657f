/** The course of a game: a graph of how the players stood, and the moves that lost much. */

import type { Description } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import type { Course, Fall, Fault } from "../store/review.ts";
import { paintOf } from "./paint.ts";
import { percent } from "./words.ts";

export const SIGNS: Record<Fall, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const WIDTH = 300;
const HEIGHT = 72;

export function CoursePart() {
  const { play, review, thinking, rules } = usePage();
  const game = rules.game.value;
  const begun = play.at.value?.parent || play.root.value?.next.length; // the first move changes no root, but the place
  if (!game || game.players.length < 2 || !begun || game.secret) return null; // nobody knows how players really stood
  const { progress, course, trouble } = review;
  const doing = thinking.purpose.value === "review";
  return (
    <section class="course" aria-label="Course of the game">
      <div class="course-tools">
        {doing ? (
          <>
            <progress
              aria-label="Positions that were looked at"
              value={progress.value?.done ?? 0}
              max={progress.value?.of ?? 1}
            />
            <button type="button" class="button" onClick={() => thinking.cancel()}>
              Cancel
            </button>
          </>
        ) : (
          <button
            type="button"
            class="button edged"
            title="Look at each position of this game, and find the moves that lost much"
            onClick={() => void review.run()}
          >
            Analyse game
          </button>
        )}
      </div>
      {trouble.value && (
        <p class="wrong" role="alert">
          {trouble.value}
        </p>
      )}
      {course.value && <Graph game={game} course={course.value} />}
      {course.value && <Faults course={course.value} />}
    </section>
  );
}

/** A line for the first of two players, or one for each of more; a click goes to the nearest move. */
function Graph({ game, course }: { game: Description; course: Course }) {
  const { play } = usePage();
  const { steps, known, players, faults } = course;
  const across = (at: number) => (at / Math.max(1, steps.length - 1)) * 100;
  const shown = players.length === 2 ? players.slice(0, 1) : players;
  const points = (name: string) =>
    known.flatMap((one, at) => {
      if (!one) return [];
      const [x, y] = [(across(at) / 100) * WIDTH, HEIGHT * (1 - (one.shares[name] ?? 0))];
      return [`${x.toFixed(1)},${y.toFixed(1)}`];
    });
  const colour = (name: string) => game.players.find((one) => one.name === name)?.colour;
  const here = steps.indexOf(play.at.value!);
  const nearest = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.round(((event.clientX - box.left) / box.width) * (steps.length - 1));
    const step = steps[Math.max(0, Math.min(steps.length - 1, at))];
    if (step) void play.go(step);
  };
  const first = shown[0]!;
  const area = points(first);
  const said = `${shown.join(", ")} from 0 to 100 %, over ${steps.length - 1} moves`;
  return (
    <div class="graph">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of moves has keys */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Course of the game: ${said}`}
        onClick={nearest}
      >
        {shown.length === 1 && area.length > 1 && (
          <polygon
            class="area"
            points={[`${area[0]!.split(",")[0]},${HEIGHT}`, ...area, `${area.at(-1)!.split(",")[0]},${HEIGHT}`].join(
              " ",
            )}
          />
        )}
        <line class="half" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {shown.map((name, at) => (
          <g key={name}>
            <polyline class="under" points={points(name).join(" ")} />
            <polyline
              class={`share share-${at % 4}`}
              points={points(name).join(" ")}
              {...(colour(name) && shown.length > 1 && { style: { stroke: paintOf(colour(name)!) } })}
            />
          </g>
        ))}
        {here >= 0 && (
          <line class="here" x1={(across(here) / 100) * WIDTH} x2={(across(here) / 100) * WIDTH} y1={0} y2={HEIGHT} />
        )}
      </svg>
      {faults.map((fault) => (
        <button
          key={fault.number}
          type="button"
          class={`fault ${fault.fall}`}
          tabIndex={-1}
          aria-hidden="true"
          title={sentence(fault)}
          style={{ left: `${across(fault.number)}%`, top: `${100 * (1 - heightOf(fault, first, shown.length))}%` }}
          onClick={() => void play.go(fault.step)}
        />
      ))}
    </div>
  );
}

/** Where the point of a fault lies: on the line of the graph. */
function heightOf({ played, after }: Fault, first: string, lines: number): number {
  return lines > 1 || played.player === first ? after : 1 - after;
}

/** The same as text: each move that lost much, by what, and which would have been better. */
function Faults({ course: { faults, known } }: { course: Course }) {
  const { play } = usePage();
  if (!faults.length) return known.every(Boolean) ? <p class="about">No move lost much.</p> : null;
  return (
    <ol class="faults" aria-label="Moves that lost much">
      {faults.map((fault) => (
        <li key={fault.number}>
          <button type="button" class="fault-row" onClick={() => void play.go(fault.step)}>
            <span class={`fault-sign ${fault.fall}`} aria-hidden="true">
              {SIGNS[fault.fall]}
            </span>
            <span>{sentence(fault)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function sentence({ played, fall, before, after, better }: Fault): string {
  const cost = `${percent(before)} → ${percent(after)}`;
  return `${played.turn}. ${played.player} ${played.written}: ${fall}, ${cost}${better && `; better ${better}`}`;
}
