"""The command tune: better weights for the evaluate block."""

from __future__ import annotations

import json
import os
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import counted, put
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import (
    MOST_OPENING,
    WHO,
    Limit,
    ProcessCount,
    Seeded,
    TableFile,
    check_rows,
    find_functions,
    put_rows,
)
from pysolve.cli.progress import steps
from pysolve.dsl import fits_in_text, stays_inside
from pysolve.dsl.player_texts import SETTINGS, UnknownPlayer
from pysolve.game import Game, UnknownGame, find_rules
from pysolve.lab.games import LIMIT, Played, Rules
from pysolve.lab.match import Standing, match_jobs, programs, standing
from pysolve.lab.start import start_workers
from pysolve.lab.tables import game_rows
from pysolve.lab.tune import ROUNDS, Fit, variant, weights_of
from pysolve.lab.tune import tune as learn
from pysolve.lab.workers import NamedGame, in_order, processors
from pysolve.players.competitors import Function, competitor
from pysolve.runtime.files import write_whole
from pysolve.runtime.paths import shipped_games

PLAYER = "minimax:depth=2"
OPENING = 6  # random moves, so that games differ
MOST_ROUNDS = 1000


def tune(
    game: GameName,
    options: Options = None,
    player: Annotated[str, typer.Option("--player", metavar="WHO", help=f"The player on both sides, {WHO}")] = PLAYER,
    games: Annotated[int, typer.Option("--games", "-g", min=1, max=MOST, help="Games of each round.")] = 200,
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds", min=1, max=MOST_ROUNDS, help="Number of rounds; each plays with the weights found so far."
        ),
    ] = ROUNDS,
    proof: Annotated[
        int, typer.Option("--match", min=0, max=MOST, help="Games of the match against the old weights.")
    ] = 200,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="File of the variant.", show_default="GAME-tuned.rules"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    table: TableFile = None,
    seed: Seeded = 1,
    opening: Annotated[
        int, typer.Option("--opening", metavar="MOVES", min=0, max=MOST_OPENING, help="Number of random opening moves.")
    ] = OPENING,
    max_moves: Limit = LIMIT,
    processes: ProcessCount = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Learn the weights of the evaluate block from games of a program against itself.

    Each round plays games with the weights found so far, and then finds the
    weights under which all results are least surprising, measured in bits per
    game (1 means no knowledge). The weights are written as a variant, and a match
    against the old weights shows whether they are better. --player plays in both.
    Ctrl-C stops the learning or the match; the result of the rounds so far is
    written. --table writes a row for each game of the match.

    \b
    Examples:
      pysolve tune othello
      pysolve tune blockade --player minimax:depth=3 --games 400 -o better.rules
      pysolve match blockade minimax:depth=5,by=better.rules minimax:depth=5
    """
    there = opened(game, options, engine)
    find_functions([player])
    who = str(programs(there, player)[0])
    path = out or Path(f"{there.name}-tuned.rules")
    check_writable(path, force)
    check_rows(table)
    parent = _parent(game, path)
    tuned = _by(who, path) if proof else who
    rules, workers = Rules(opening, max_moves), processes or processors()
    found: list[Fit] = []
    stopped = False
    try:
        with steps(games * rounds, "games") as step:
            for fit in learn(there, who, games, rounds, seed, rules, workers, lambda _: step("")):
                found.append(fit)
                if not as_json:
                    put(f"round {len(found)}   {_weights(fit)}")
    except KeyboardInterrupt:
        if not found:
            raise Stopped("tune stopped before a round was complete") from None
        stopped = True
    write_whole(path, variant(there, found[-1].weights, parent, _about(who, games, found)))
    played: list[Played] = []
    unchanged = found[-1].weights == weights_of(there)  # a match would tell nothing
    try:
        if proof and not stopped and not unchanged:
            _match(there, tuned, who, proof, seed, rules, workers, played)
    except KeyboardInterrupt:
        stopped = True
    result = standing(there, played) if played else None
    if as_json:
        put(json.dumps({
            "game": game, "player": who, "before": weights_of(there), "after": found[-1].weights, "file": str(path),
            "rounds": [{"weights": one.weights, "bits_before": one.before, "bits": one.after, "positions": one.rows}
                       for one in found],
            "match": result and result.to_dict(),
        }))  # fmt: skip
    else:
        _put(there, found[-1], path, result)
    put_rows(table, game_rows(played), as_json)
    if stopped:
        done = f"{len(found)} of {counted(rounds, 'round')} and {counted(len(played), 'game')} of the match"
        raise Stopped(f"tune stopped after {done}")


def _by(who: str, path: Path) -> str:
    """A player as he thinks by the rules of a file that is still to be written."""
    one = competitor(who)
    if isinstance(one, Function) or "by" not in SETTINGS[one.name]:
        raise UnknownPlayer(f"{who} does not use weights, so a match cannot test them: "
                            "choose another --player, or --match 0")  # fmt: skip
    if "by" in one.settings:
        raise UnknownPlayer(f"{who} already uses other rules; tune the weights of {one.settings['by']} instead")
    if "," in str(path):
        raise UnknownPlayer(f"a comma ends a setting of a player, so no player can use {path}; choose another --out")
    return f"{who}{',' if ':' in who else ':'}by={path}"


def _match(
    game: Game, tuned: str, who: str, games: int, seed: int, rules: Rules, processes: int, played: list[Played]
) -> None:
    """A match of the new weights against the old ones; its games are in `played` as far as they are over."""
    jobs = islice(match_jobs(game, tuned, who, seed, rules), games)
    with closing(start_workers([NamedGame(game, game.name)], processes)) as workers, steps(games, "match") as step:
        for one in in_order(workers, 0, jobs):
            played.append(one)
            step(str(standing(game, played).score))


def _parent(game: str, path: Path) -> str:
    """What the variant extends: a shipped game by its name, a file by the way from the variant to it.

    Raises `UnknownGame` if the name of the file cannot stand in rules, or the file lies outside the variant's folder.
    """
    if game in shipped_games():
        return game
    parent = Path(os.path.relpath(find_rules(game), path.parent)).as_posix()
    if not stays_inside(parent):
        raise UnknownGame(
            f"a variant can extend only rules in its own folder or below it: write {path.name} beside {game}"
        )
    if not fits_in_text(parent):
        raise UnknownGame(f"{parent!r} cannot be written in quotes in rules; rename the file")
    return parent


def _about(who: str, games: int, found: list[Fit]) -> str:
    return f"Weights learned from {counted(games * len(found), 'game')} of {who} against itself."


def _weights(fit: Fit) -> str:
    words = "  ".join(f"{name} {weight}" for name, weight in fit.weights.items())
    return f"{words}   ({fit.after:.3f} bits a game, before {fit.before:.3f}; {counted(fit.rows, 'position')})"


def _put(game: Game, fit: Fit, path: Path, result: Standing | None) -> None:
    old = weights_of(game)
    width = max(map(len, old))
    put(f"\n{'':{width}}  {'before':>10}  {'after':>10}")
    for name, weight in fit.weights.items():
        put(f"{name:{width}}  {old[name]:>10}  {weight:>10}")
    put(f"\n{path} is written")
    if fit.weights == old:
        put("The weights are unchanged: no significant improvement. More games may show one.")
    elif result is not None:
        put(f"a match of {counted(result.played - result.duplicates, 'game')} against the old weights: {result.score}")
        put(_verdict(result))


def _verdict(result: Standing) -> str:
    if result.score.low > 0.5:
        return "The new weights are better."
    if result.score.high < 0.5:
        return "The new weights are worse: keep the old ones."
    return "No significant difference: more games, or another player, may show one."
