/** Who plays each side: a person, a level that the rules name, or any player text. */

import { useState } from "preact/hooks";
import type { Description } from "../protocol.ts";
import { timeOf } from "../store/clock.ts";
import { usePage } from "../store/page.ts";
import { PlayerMark } from "./mark.tsx";

const OTHER = "\n"; // no player text has it

export function Seats() {
  const page = usePage();
  const game = page.rules.game.value!;
  const players = page.hello.players.filter(({ text }) => text !== "human");
  return (
    <section class="seats" aria-label="Players">
      {game.players.map((player) => (
        <Seat key={player.name} player={player.name} game={game} />
      ))}
      <datalist id="player-texts">
        {players.map(({ text, about }) => (
          <option key={text} value={text}>
            {about}
          </option>
        ))}
      </datalist>
    </section>
  );
}

function Seat({ player, game }: { player: string; game: Description }) {
  const { thinking, hello, play } = usePage();
  const { clock } = thinking;
  const text = thinking.seats.value[player] ?? "";
  const [open, setOpen] = useState(false); // the field for any text is shown, whatever is in it
  const wrong = thinking.wrong.value[player] ?? "";
  const levels = Object.entries(game.levels);
  const named = text === "" || text in game.levels;
  const writes = open || !named;
  const state = play.state.value;
  const moves = state && !state.outcome && state.mover === player;
  const out = state?.out.includes(player);
  const choose = (value: string) => {
    setOpen(value === OTHER);
    if (value !== OTHER) void thinking.seat(player, value);
  };
  return (
    <div class={moves ? "seat to-move" : out ? "seat out" : "seat"}>
      <PlayerMark game={game} player={player} />
      <label for={`seat-${player}`}>
        {player}
        {moves && <span class="unseen">, to move</span>}
        {out && <span class="soft"> out</span>}
        {clock.shown.value && <span class="clock">{timeOf(clock.leftOf(player))}</span>}
      </label>
      <select
        id={`seat-${player}`}
        class="field"
        title={play.hides.value ? "Whoever sits down here begins another game" : undefined}
        value={writes ? OTHER : text}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">person</option>
        {levels.map(([name, about]) => (
          <option key={name} value={name} title={about}>
            {name}
          </option>
        ))}
        {hello.players.length > 0 && <option value={OTHER}>other…</option>}
      </select>
      {writes && <AnyPlayer player={player} text={text} />}
      {wrong && (
        <p id={`wrong-${player}`} class="wrong" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

/** A field for any player text; a wrong one stays in it, with what is wrong with it. */
function AnyPlayer({ player, text }: { player: string; text: string }) {
  const { thinking } = usePage();
  const [draft, setDraft] = useState(text);
  const wrong = thinking.wrong.value[player] ?? "";
  const sit = () => {
    if (draft.trim() && draft.trim() !== thinking.seats.value[player]) void thinking.seat(player, draft.trim());
  };
  return (
    <input
      class="field code any-player"
      aria-label={`Player text of ${player}`}
      aria-invalid={wrong !== ""}
      aria-describedby={wrong ? `wrong-${player}` : undefined}
      list="player-texts"
      placeholder="minimax:depth=3"
      value={draft}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onChange={sit}
    />
  );
}
