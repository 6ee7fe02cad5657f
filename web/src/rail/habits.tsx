/** How a game is played: who rolls the dice, the pace of programs, a click for each move, a clock. */

import { WAYS, type Way } from "../store/dice.ts";
import { usePage } from "../store/page.ts";
import { PACES } from "../store/thinking.ts";

const WORDS: Record<Way, string> = { itself: "roll by themselves", click: "when I click", real: "are real ones" };
const MINUTES = [0, 1, 3, 5, 10, 15, 30, 60];
const INCREMENTS = [0, 1, 2, 5, 10, 30];

export function Habits() {
  const { thinking, sound, dice, rules } = usePage();
  const { clock } = thinking;
  const rolls = rules.game.value?.rolls ?? false;
  const many = (rules.game.value?.players.length ?? 0) > 1;
  return (
    <details class="habits">
      <summary>
        {[rolls && "Dice, pace", !rolls && "Pace", "sound", many && "clock"].filter(Boolean).join(", ")}
      </summary>
      <div class="habits-list">
        {rolls && (
          <Choice
            name="dice"
            values={WAYS}
            value={dice.way.value}
            text={(way) => WORDS[way]}
            choose={(way) => dice.choose(way)}
          />
        )}
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

interface Offer<T> {
  name: string;
  values: readonly T[];
  value: T;
  text: (value: T) => string;
  choose: (value: T) => void;
}

function Choice<T extends string | number>({ name, values, value, text, choose }: Offer<T>) {
  return (
    <label class="habit">
      <span>{name}</span>
      <select
        class="field"
        value={String(value)}
        onChange={(event) => choose(values[event.currentTarget.selectedIndex]!)}
      >
        {values.map((one) => (
          <option key={one} value={String(one)}>
            {text(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
