"""The command policy: which moves are likely to be good, learned from games of a program against itself."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import counted, is_watched, overwrite, put
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import ProcessCount, Seeded
from pysolve.dsl.player_texts import MOST_COUNT, UnknownPlayer, refuse_values
from pysolve.lab.policies import GATE_GAMES, VISITS, PolicyTraining, Round
from pysolve.lab.sprt import Sprt
from pysolve.lab.workers import processors
from pysolve.players.policies import PolicyError, policy_in

MINUTES = 5.0


def policy(
    game: GameName,
    options: Options = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", show_default="GAME.policy", help="File of the policy."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", show_default=False, help="A policy to begin with.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            min=0.01,
            max=100_000,
            show_default=f"{MINUTES:g}, with --games no limit",
            help="How long to play.",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", min=1, max=MOST, show_default=False, help="Play exactly so many games.")
    ] = None,
    playouts: Annotated[
        int, typer.Option("--playouts", metavar="N", min=2, max=MOST_COUNT, help="Visits of each search for a move.")
    ] = VISITS,
    match: Annotated[
        int,
        typer.Option(
            "--match",
            min=0,
            max=MOST,
            help="Games of the test against mcts without the policy, at most. Below 2: no test.",
        ),
    ] = GATE_GAMES,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    seed: Seeded = 1,
    processes: ProcessCount = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Learn which moves are likely to be good, for mcts.

    mcts plays games against itself, guided by what it has learned so far. The
    policy learns to foresee which moves the search visits most: from the move
    itself, and from what lies around its cells. Then mcts looks at likely moves
    first. At the end a test (SPRT) says whether it plays better so. Ctrl-C writes
    what was learned so far; --from goes on from a file.

    \b
    Examples:
      pysolve policy go -o go.policy
      pysolve policy hex size=7 --minutes 1 -o hex7.policy
      pysolve policy zola --games 200 --seed 3 -o zola.policy
      pysolve policy go --from go.policy --minutes 10 -o better.policy
      pysolve play go --seat White=mcts:policy=go.policy,time=1
      pysolve match go mcts:policy=better.policy,time=0.3 mcts:policy=go.policy,time=0.3
    """
    there = opened(game, options, engine)
    refuse_values("policies", there.model)
    path = out or Path(f"{there.name}.policy")
    if "," in str(path):
        raise UnknownPlayer(f"a comma ends a setting of a player, so no player can use {path}; choose another --out")
    check_writable(path, force)
    try:
        start = None if source is None else policy_in(str(source), there)
    except PolicyError as error:
        raise UnknownPlayer(str(error)) from None
    parallel = processes or processors()
    command = shlex.join(["pysolve", *sys.argv[1:]])
    seconds = None if games and minutes is None else 60 * (minutes or MINUTES)
    training = PolicyTraining(there, seed, playouts, parallel, command, start)
    rounds, found, stopped = list[Round](), None, False
    try:
        if not as_json:
            put(f"{'games':>7}  {'positions':>9}  {'seconds':>7}  {'guessed':>7}  {'at random':>9}  {'surprise':>8}")
        line = _Line(games, seconds)
        try:
            for row in training.go_on(games, seconds, line.tick):
                rounds.append(row)
                line.clear()
                training.write(path)
                if not as_json:
                    put(_row(row))
        finally:
            line.clear()
        if match >= 2:
            found = _tested(training, path, match, parallel)
    except KeyboardInterrupt:
        stopped = True
    learned = rounds[-1].games if rounds else 0  # Ctrl-C may come while more is being learned from
    if as_json:
        put(json.dumps({
            "game": game, "file": str(path), "seed": seed, "playouts": playouts, "games": training.games,
            "positions": len(training.lessons), "seconds": round(training.seconds, 1),
            "rounds": [row._asdict() for row in rounds], "gate": training.gate or None, "stopped": stopped,
        }))  # fmt: skip
    elif learned:
        put(f"\n{path} is written: {counted(learned, 'game')}, {path.stat().st_size:,} bytes")
        if found is not None:
            words = {True: "stronger", False: "not stronger", None: "undecided"}
            put(f"mcts with it against mcts without, at {playouts:,} playouts a move: {found}: {words[found.verdict]}")
    if stopped:
        raise Stopped(
            f"policy stopped after {counted(training.games, 'game')}; " + (
                f"--from {path} goes on, into another file" if learned else "nothing is written"
            )
        )  # fmt: skip


class _Line:
    """How far it is, in one line of a terminal."""

    def __init__(self, games: int | None, seconds: float | None):
        self._games, self._seconds, self._shown = games, seconds, 0.0

    def tick(self, games: int, seconds: float) -> None:
        """Says it, not more than twice a second."""
        now = time.monotonic()
        if not is_watched() or now - self._shown < 0.5:
            return
        self._shown = now
        of = f" of {self._games:,}" if self._games else ""
        left = "" if self._seconds is None else f", {max(0.0, self._seconds - seconds):,.0f} s left"
        overwrite(f"{counted(games, 'game')}{of}{left}")

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            overwrite("")


def _row(row: Round) -> str:
    guessed, chance = ("" if share is None else f"{share:.0%}" for share in (row.guessed, row.chance))
    surprise = "" if row.surprise is None else f"{row.surprise:.2f}"
    return f"{row.games:>7,}  {row.positions:>9,}  {row.seconds:>7,.0f}  {guessed:>7}  {chance:>9}  {surprise:>8}"


def _tested(training: PolicyTraining, path: Path, games: int, processes: int) -> Sprt:
    found = Sprt()
    try:
        for found in training.test(path, games, processes):
            overwrite(f"with the policy against without: {found}")
    finally:
        overwrite("")
    return found
