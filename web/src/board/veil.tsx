/** Between two people at one screen: nothing of the game is shown until the next one is there. */

import "../styles/veil.css";
import { PlayerMark } from "../rail/mark.tsx";
import { usePage } from "../store/page.ts";

const END = "This shows all of the position, and ends the secrets of this game. Show everything?";

/** In place of the board and of all beside it. */
export function Veil() {
  const { play, thinking } = usePage();
  const game = play.game.value;
  const next = play.next.value;
  if (!game) return null;
  if (!next)
    return (
      <section class="veil" aria-label="Nobody looks">
        <p role="status">{play.state.value?.mover} thinks …</p>
        {thinking.waiting.value && (
          <button type="button" class="button main" onClick={() => void thinking.proceed()}>
            Continue
          </button>
        )}
      </section>
    );
  return (
    <section class="veil" aria-label={`Pass the device to ${next}`}>
      <h2>
        <PlayerMark game={game} player={next} />
        Pass the device to {next}
      </h2>
      <p class="soft">Nobody else looks at the screen now.</p>
      <button type="button" class="button main" autofocus onClick={() => void play.uncover()}>
        I am {next}: show the board
      </button>
    </section>
  );
}

/** Whose view the board shows, or that it shows everything, and how to change that. */
export function Seeing() {
  const page = usePage();
  const { play, thinking } = page;
  const state = play.state.value;
  if (!play.game.value?.secret || !state) return null;
  if (state.veil?.viewer)
    return (
      <p class="seeing">
        <span class="soft">You see what {state.veil.viewer} sees.</span>
        <button
          type="button"
          class="link"
          title="Shows all of the position, to whoever looks, until another game is begun"
          onClick={() => confirm(END) && void play.reveal()}
        >
          Show everything
        </button>
      </p>
    );
  if (page.writes.value)
    return (
      <p class="seeing">
        <span class="soft">Who writes the rules sees everything.</span>
      </p>
    );
  const people = Object.values(thinking.seats.value).filter(Boolean).length < play.game.value.players.length;
  return (
    <p class="seeing">
      <span class="soft">Everything is shown.</span>
      {people && !state.outcome && (
        <button type="button" class="link" onClick={() => void thinking.rematch()}>
          New game with secrets
        </button>
      )}
    </p>
  );
}

/** After a move of one person: another one is to look. */
export function PassOn() {
  const { play } = usePage();
  const next = play.next.value;
  if (!next || !play.state.value?.veil?.viewer) return null;
  return (
    <button type="button" class="button main" onClick={() => void play.cover()}>
      Hide, and pass the device to {next}
    </button>
  );
}
