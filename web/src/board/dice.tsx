/** Dice beside the board: what was rolled last, and where chance moves, what it may do. */

import "../styles/dice.css";
import { useEffect, useState } from "preact/hooks";
import type { Chance, State } from "../protocol.ts";
import { PlayerMark } from "../rail/mark.tsx";
import { usePage } from "../store/page.ts";
import { befell } from "./words.ts";

const TUMBLE = 90; // ms for which a die that rolls shows a face
const MOST_BUTTONS = 36; // of what real dice may show; more of it is a list
const [L, M, H] = [7, 12, 17];
const PIPS: [x: number, y: number][][] = [
  [[M, M]],
  [[L, H], [H, L]],
  [[L, H], [M, M], [H, L]],
  [[L, L], [L, H], [H, L], [H, H]],
  [[L, L], [L, H], [M, M], [H, L], [H, H]],
  [[L, L], [L, M], [L, H], [H, L], [H, M], [H, H]],
]; // biome-ignore format: faces

/** Dice that show these numbers. */
export function DiceOf({ faces }: { faces: number[] }) {
  return (
    <span class="dice-faces" aria-hidden="true">
      {faces.map((face, at) => (
        <svg key={at} class="die" viewBox="0 0 24 24" aria-hidden="true">
          <rect x="1.5" y="1.5" width="21" height="21" rx="5" />
          {(PIPS[face - 1] ?? []).map(([x, y]) => (
            <circle class="pip" key={`${x} ${y}`} cx={x} cy={y} r="2.1" />
          ))}
        </svg>
      ))}
    </span>
  );
}

/** What was rolled last; or what is being rolled. */
export function DicePart({ state }: { state: State }) {
  const { chance } = state;
  const { play } = usePage();
  if (!play.game.value?.rolls) return null;
  return <div class="dice">{chance ? <Rolling chance={chance} mover={state.mover} /> : <Rolled state={state} />}</div>;
}

function Rolled({ state }: { state: State }) {
  const game = usePage().play.game.value!;
  const last = state.played.findLast(({ roll }) => roll);
  if (!last || last.cells.length) return null; // it is seen on the board
  if (!last.roll!.length && last !== state.played.at(-1)) return null; // dice lie there for the turn, a deal is over
  return (
    <>
      {last.roll!.length ? <DiceOf faces={last.roll!} /> : <span class="lot">{last.written}</span>}
      <span class="said">
        {last.roll!.length > 0 && <PlayerMark game={game} player={last.player} />}
        {befell(last.roll!, last.player)} {last.written}
      </span>
    </>
  );
}

function Rolling({ chance, mover }: { chance: Chance; mover: string }) {
  const { dice } = usePage();
  const [waits, real] = [dice.waits.value, dice.way.value === "real"];
  return (
    <>
      {!real && <Tumbling count={chance.rolls[0]!.dice.length} still={waits} />}
      {waits && !real && (
        <button type="button" class="button main" onClick={() => void dice.roll()}>
          Roll
        </button>
      )}
      {waits && real && <Outcomes chance={chance} mover={mover} />}
    </>
  );
}

/** Dice while they roll: other faces again and again; where less motion is wanted, or nobody has thrown them, still. */
function Tumbling({ count, still }: { count: number; still: boolean }) {
  const [faces, setFaces] = useState(() => Array.from({ length: count }, anyFace));
  const calm = still || matchMedia("(prefers-reduced-motion: reduce)").matches;
  useEffect(() => {
    if (calm) return;
    const timer = setInterval(() => setFaces(Array.from({ length: count }, anyFace)), TUMBLE);
    return () => clearInterval(timer);
  }, [calm, count]);
  if (!count) return null;
  return (
    <span class={calm ? "tumbling still" : "tumbling"}>
      <DiceOf faces={calm ? Array.from({ length: count }, () => 0) : faces} />
    </span>
  );
}

function anyFace(): number {
  return 1 + Math.floor(Math.random() * PIPS.length);
}

/** What real dice may show, to be said. */
function Outcomes({ chance, mover }: { chance: Chance; mover: string }) {
  const { play } = usePage();
  const { rolls } = chance;
  if (rolls.length > MOST_BUTTONS)
    return (
      <select
        class="field"
        aria-label={`What came up for ${mover}?`}
        value=""
        onChange={(event) => void play.play(event.currentTarget.value)}
      >
        <option value="">What came up?</option>
        {rolls.map(({ text, written }) => (
          <option key={text} value={text}>
            {written}
          </option>
        ))}
      </select>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a line of buttons
    <div class="outcomes" role="group" aria-label={`What came up for ${mover}?`}>
      <span class="said">What came up?</span>
      {rolls.map(({ text, written, dice }) => (
        <button key={text} type="button" class="outcome-button" onClick={() => void play.play(text)}>
          {dice.length ? <DiceOf faces={dice} /> : written}
          {dice.length > 0 && <span class="unseen">{written}</span>}
        </button>
      ))}
    </div>
  );
}
