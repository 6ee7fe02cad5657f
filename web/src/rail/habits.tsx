/** How a game is played: the pace of programs, a click for each move, a clock. */

import { usePage } from "../store/page.ts";
import { PACES } from "../store/thinking.ts";

const MINUTES = [0, 1, 3, 5, 10, 15, 30, 60];
const INCREMENTS = [0, 1, 2, 5, 10, 30];

export function Habits() {
  const { thinking, sound, rules } = usePage();
  const { clock } = thinking;
  const many = (rules.game.value?.players.length ?? 0) > 1;
  return (
    <details class="habits">
      <summary>{many ? "Pace, sound, clock" : "Pace, sound"}</summary>
      <div class="habits-list">
        <Choice
          name="pace of programs"
          values={PACES}
          value={thinking.pace.value}
          text={(ms) => (ms ? `${ms / 1000} s` : "at once")}
          choose={(ms) => thinking.setPace(ms)}
        />
        {many && (
          <>
            <Choice
              name="clock"
              values={MINUTES}
              value={clock.minutes.value}
              text={(minutes) => (minutes ? `${minutes} min` : "none")}
              choose={(minutes) => clock.set(minutes, clock.increment.value)}
            />
            {clock.shown.value && (
              <Choice
                name="gained each turn"
                values={INCREMENTS}
                value={clock.increment.value}
                text={(seconds) => `${seconds} s`}
                choose={(seconds) => clock.set(clock.minutes.value, seconds)}
              />
            )}
          </>
        )}
        <label class="habit">
          <span>sound</span>
          <input
            type="checkbox"
            checked={sound.on.value}
            onChange={(event) => sound.turn(event.currentTarget.checked)}
          />
        </label>
      </div>
    </details>
  );
}

interface Offer {
  name: string;
  values: readonly number[];
  value: number;
  text: (value: number) => string;
  choose: (value: number) => void;
}

function Choice({ name, values, value, text, choose }: Offer) {
  return (
    <label class="habit">
      <span>{name}</span>
      <select class="field" value={String(value)} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {values.map((one) => (
          <option key={one} value={String(one)}>
            {text(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
