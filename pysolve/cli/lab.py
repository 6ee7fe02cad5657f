"""Commands that play many games: match, balance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pysolve import record as records
from pysolve.cli import INTERRUPTED
from pysolve.cli.arguments import AUTO, AsJson, EngineChoice, GameName, Options, opened, options_of
from pysolve.cli.console import counted, put
from pysolve.cli.progress import steps
from pysolve.game import Game
from pysolve.lab.balance import Balance, play_variant, swept
from pysolve.lab.balance import balance as weigh
from pysolve.lab.match import LIMIT, OPENING, Played, Standing, play_match, standing
from pysolve.lab.statistics import Quartiles
from pysolve.players import specification

Seeded = Annotated[int, typer.Option("--seed", metavar="NUMBER", help="Of all chance: repeats everything.")]
Opening = Annotated[int, typer.Option("--opening", metavar="MOVES", min=0, help="Random moves to begin with.")]
Limit = Annotated[int, typer.Option("--max-moves", min=1, help="Stop a game after so many moves: a draw.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Keep the games there.", show_default=False)
]
WHO = "As in random, greedy:turn, minimax:depth=3, mcts:time=1."


def match(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help=f"A player. {WHO}", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.", show_default=False)],
    options: Options = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many.")] = 20,
    seed: Seeded = 1,
    opening: Opening = OPENING,
    max_moves: Limit = LIMIT,
    out: Out = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Let two programs play a match: who is stronger?

    Games come in pairs that begin with the same random moves, and the players
    change seats between them. A game that does not end counts as a draw; one
    that went exactly as another did is counted once. The score has its interval
    of 95% (Wilson). The same seed gives the same games, except for players with
    a time limit. Ctrl-C ends the match; what was played counts and is kept.

    \b
    Examples:
      pysolve match conga minimax:depth=4 random
      pysolve match zola minimax:depth=2 greedy size=4 --games 50 --seed 3
      pysolve match yoxii minimax:time=0.1 mcts:time=0.1 --out games
      pysolve match zola greedy random --json
    """
    there = opened(game, options, engine)
    opponents = specification(first, there.levels), specification(second, there.levels)
    played: list[Played] = []
    _begin(out)
    try:
        with steps(games, "games") as step:
            for one in play_match(there, first, second, games, seed, opening, max_moves, game):
                played.append(one)
                _keep(out, one)
                stands = standing(there, played)
                step(f"{stands.wins[0]} won, {stands.draws} drawn, {stands.wins[1]} lost")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    finally:
        found = standing(there, played)
        if as_json:
            told = {"game": game, "options": records.option_words(there), "rules": there.model.digest,
                    "players": [first, second], "seed": seed, "opening": opening, "max_moves": max_moves}  # fmt: skip
            put(json.dumps({**told, **found.to_dict(), "games": [_game_dict(one, there) for one in played]}))
        elif played:
            _put_standing(there, (opponents[0].text, opponents[1].text), found)
            _put_where(out)


def _begin(out: Path | None) -> None:
    """Makes the folder for the games; other games are not overwritten."""
    if out is None:
        return
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(17, "there is something in the folder; choose another one", str(out))


def _keep(out: Path | None, one: Played, name: str = "") -> None:
    if out is not None:
        (out / f"{name}{one.number:04}.txt").write_text(records.write(one.record), encoding="utf-8")


def _put_where(out: Path | None) -> None:
    if out is not None:
        put(f"The games are in {out}; pysolve replay shows one")


def _game_dict(one: Played, game: Game) -> dict[str, object]:
    winner = None if one.winner is None else game.players[one.winner]
    return {"number": one.number, "players": one.record.players, "winner": winner, "stopped": one.stopped,
            "moves": list(one.record.moves), "opening": one.opening, "seed": one.record.seed}  # fmt: skip


def _put_standing(game: Game, players: tuple[str, str], found: Standing) -> None:
    """How a match stands, for people."""
    one, other = players
    if one == other:
        one, other = f"{one} (A)", f"{other} (B)"
    distinct = found.played - found.duplicates
    put(f"{counted(distinct, 'game')} of {game.title}: {one} won {found.wins[0]}, drew {found.draws}, "
        f"lost {found.wins[1]} against {other}")  # fmt: skip
    put(f"score     {found.score}")
    for seat, (points, there) in found.by_seat.items():
        put(f"  as {seat:<8} {points:g} of {there}")
    _put_rest(found.duplicates, found.stopped, found.lengths)
    put(f"a move    {1000 * found.seconds[0]:,.3g} ms, {1000 * found.seconds[1]:,.3g} ms")


def _put_rest(duplicates: int, stopped: int, lengths: Quartiles) -> None:
    if duplicates:
        put(f"repeated  {counted(duplicates, 'game')} went as another one did, and {'is' * (duplicates == 1)}"
            f"{'are' * (duplicates > 1)} not counted")  # fmt: skip
    if stopped:
        put(f"stopped   {counted(stopped, 'game')} came to no end")
    put(f"length    {lengths.median:g} moves (half of them {lengths.lower:g} to {lengths.upper:g}, "
        f"all {lengths.least:g} to {lengths.most:g})")  # fmt: skip


# ---------------------------------------------------------------------------------------------- balance


def balance(
    game: GameName,
    options: Options = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="OPTION=VALUES", help="As size=4..8 or size=4,8.", show_default=False),
    ] = None,
    player: Annotated[str, typer.Option("--player", metavar="WHO", help=f"On both sides. {WHO}")] = "minimax:depth=2",
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="Of each variant.")] = 100,
    seed: Seeded = 1,
    opening: Opening = OPENING,
    max_moves: Limit = LIMIT,
    out: Out = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Ask whether a game is fair: the same player on both sides, many games.

    With --sweep, which may be given several times, for each variant. Points are
    wins and half of the draws, with their interval of 95% (Wilson). A game that
    does not end counts as a draw. How fair a game is depends on who plays it:
    ask with several players. Ctrl-C ends it; what was played counts.

    \b
    Examples:
      pysolve balance zola size=4
      pysolve balance zola --sweep size=4..8 --player minimax:depth=3
      pysolve balance conga --player mcts:playouts=500 --games 40 --json
    """
    specification(player, opened(game, options, engine).levels).player()
    given = options_of(options or ())
    variants = [{**given, **one} for one in swept(opened(game, options, engine), sweep or ())]
    found: list[Balance] = []
    _begin(out)
    try:
        for place, chosen in enumerate(variants, 1):
            there = opened(game, [f"{name}={value}" for name, value in chosen.items()], engine)
            played: list[Played] = []
            try:
                for one in _watched(play_variant(there, player, games, seed, opening, max_moves, game), games, chosen):
                    played.append(one)
                    _keep(out, one, f"{place}-" if len(variants) > 1 else "")
            finally:
                found.append(weigh(there, played, chosen))
                if not as_json and played:
                    _put_balance(there, found[-1])
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    finally:
        if as_json:
            told = {"game": game, "player": player, "seed": seed, "opening": opening, "max_moves": max_moves}
            put(json.dumps({**told, "variants": [one.to_dict() for one in found]}))
        else:
            _put_where(out)


def _watched(games: Iterator[Played], total: int, options: dict[str, str]) -> Iterator[Played]:
    """The games, with a bar that shows how many there are."""
    with steps(total, _named(options) or "games") as step:
        for one in games:
            yield one
            step("")


def _named(options: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items())


def _put_balance(game: Game, found: Balance) -> None:
    """What was found about a variant, for people."""
    options = "".join(f", {name}={value}" for name, value in found.options.items())
    put(f"{game.title}{options}: {counted(found.games - found.duplicates, 'game')}, {found.draws} drawn")
    width = max(map(len, (*found.sides, "begins")))
    for name, share in found.sides.items():
        put(f"  {name.ljust(width)}  {share}")
    put(f"  {'begins'.ljust(width)}  {found.first}")
    _put_rest(found.duplicates, found.stopped, found.lengths)
    put(f"{found.verdict}")
