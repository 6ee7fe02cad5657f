/** A player's colour and form: players also differ where nobody sees colours. */

import type { Description } from "../protocol.ts";
import { paintOf } from "./paint.ts";

const FORMS = ["round", "square", "slanted", "drop"];

export function PlayerMark({ game, player }: { game: Description; player: string }) {
  const number = game.players.findIndex(({ name }) => name === player);
  const colour = game.players[number]?.colour;
  return (
    <span
      class={`player-mark ${FORMS[number % FORMS.length] ?? ""}`}
      aria-hidden="true"
      {...(colour && { style: { background: paintOf(colour) } })}
    />
  );
}
