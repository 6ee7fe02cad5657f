/** What can be done after a game: another one, from the other side, or the next level of a puzzle. */

import { nextLevel } from "../store/levels.ts";
import { usePage } from "../store/page.ts";

export function AfterGame() {
  const { thinking, play } = usePage();
  const game = play.game.value;
  const many = (game?.players.length ?? 0) > 1;
  return (
    <span class="after">
      <button type="button" class="link" onClick={() => void thinking.rematch()}>
        {many ? "Rematch" : "Again"}
      </button>
      {many && Object.values(thinking.seats.value).some(Boolean) && (
        <button
          type="button"
          class="link"
          title="Another game, in which everybody plays the next side"
          onClick={() => void thinking.rematch(true)}
        >
          Change sides
        </button>
      )}
      <NextLevel />
    </span>
  );
}

/** Of a puzzle that comes in levels: the next one, solved or not. */
export function NextLevel() {
  const { play, rules } = usePage();
  const game = play.game.value;
  const next = game && nextLevel(game, rules.options.value);
  if (!next) return null;
  const [name, value] = next;
  return (
    <button type="button" class="link" onClick={() => void rules.set(name, value)}>
      Next: {name.replaceAll("_", " ")} {value}
    </button>
  );
}
