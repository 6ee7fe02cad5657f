/** Who wins among equals: quick games of a player against itself, with the share of each side and its interval. */

import { useEffect, useState } from "preact/hooks";
import type { Standing } from "../protocol.ts";
import { PlayerMark } from "../rail/mark.tsx";
import { percent } from "../rail/words.ts";
import { usePage } from "../store/page.ts";
import { StartOrCancel } from "./count.tsx";
import { verdict } from "./verdict.ts";

const GAMES = [100, 1000];
const USUAL = ""; // the player that the service takes

export function Balance() {
  const page = usePage();
  const { thinking, hello } = page;
  const game = page.rules.game.value!;
  const [games, setGames] = useState(GAMES[0]!);
  const [player, setPlayer] = useState(USUAL);
  const [standing, setStanding] = useState<Standing | null>(null);
  const [wrong, setWrong] = useState("");
  const playing = thinking.purpose.value === "match";
  useEffect(
    () => () => {
      if (thinking.purpose.value === "match") thinking.cancel();
    },
    [],
  );
  const start = async () => {
    setStanding(null);
    setWrong("");
    const asked = { game: game.id, games, ...(player && { player }) };
    const found = await thinking.errand(
      "match",
      (signal) => {
        const heard = (part: Standing) => !signal.aborted && setStanding(part);
        return page.ask("balance", asked, { heard, signal });
      },
      setWrong,
    );
    if (found) setStanding(found);
  };
  const others = [...Object.keys(game.levels), ...hello.players.map(({ text }) => text)];
  return (
    <section aria-labelledby="balance">
      <header>
        <h2 id="balance">Who wins among equals?</h2>
        <StartOrCancel running={playing} start={() => void start()} name="Play" />
      </header>
      <div class="asks halves">
        <select
          class="field"
          aria-label="How many games"
          value={String(games)}
          onChange={(event) => setGames(Number(event.currentTarget.value))}
        >
          {GAMES.map((one) => (
            <option key={one} value={String(one)}>
              {one} games
            </option>
          ))}
        </select>
        <select
          class="field"
          aria-label="Who plays all sides"
          value={player}
          onChange={(event) => setPlayer(event.currentTarget.value)}
        >
          <option value={USUAL}>quick player</option>
          {others
            .filter((text) => text !== "human")
            .map((text) => (
              <option key={text}>{text}</option>
            ))}
        </select>
      </div>
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      {standing && <Result standing={standing} playing={playing} />}
    </section>
  );
}

function Result({ standing, playing }: { standing: Standing; playing: boolean }) {
  const game = usePage().rules.game.value!;
  const { played, asked, draws, moves } = standing;
  const even = 100 / standing.players.length; // the part of each, if nobody is favoured
  const shared = even === 50 ? (draws === 1 ? "draw" : "draws") : "without a sole winner";
  return (
    <div class="shares">
      {standing.players.map((one) => (
        <div
          key={one.name}
          class="share"
          role="img"
          aria-label={`${one.name} ${percent(one.share)}, between ${percent(one.low)} and ${percent(one.high)}`}
        >
          <span class="who">
            <PlayerMark game={game} player={one.name} /> {one.name}
          </span>
          <span class="interval" style={even === 50 ? {} : { backgroundPositionX: `${even}%` }}>
            <span class="likely" style={{ left: `${100 * one.low}%`, width: `${100 * (one.high - one.low)}%` }} />
            <span class="found" style={{ left: `${100 * one.share}%` }} />
          </span>
          <span class="figures">
            <b>{percent(one.share)}</b> {Math.round(100 * one.low)}–{Math.round(100 * one.high)}
          </span>
        </div>
      ))}
      <p class="about" aria-live={playing ? "off" : "polite"}>
        {playing ? `${played} of ${asked} games` : `${played} games`}, {draws} {shared}, {Math.round(moves)} moves on
        average. {verdict(standing)}
      </p>
      <Endings standing={standing} />
    </div>
  );
}

/** How the games ended, and who won alone by it. */
function Endings({ standing: { endings, players, played } }: { standing: Standing }) {
  const found = endings.filter(({ games }) => games > 0);
  if (!found.length) return null;
  return (
    <table class="endings">
      <caption>How the games ended</caption>
      <thead>
        <tr>
          <th scope="col">ending</th>
          <th scope="col">games</th>
          {players.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">drawn</th>
        </tr>
      </thead>
      <tbody>
        {found.map(({ ending, games, won_as, draws }) => (
          <tr key={ending}>
            <th scope="row">{ending}</th>
            <td>{percent(games / played)}</td>
            {players.map(({ name }) => (
              <td key={name}>{won_as[name] ?? 0}</td>
            ))}
            <td>{draws}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
