"""The command calibrate: which techniques of a search gain in a game."""

from __future__ import annotations

import json
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import put
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import ProcessCount, Seeded
from pysolve.cli.progress import steps
from pysolve.lab.calibrate import (
    EXAMPLES,
    GAMES,
    MCTS,
    NODES,
    NODES_OF_TREES,
    STRONG,
    Trial,
    begin_with,
    candidate,
    file_of,
    player_text,
)
from pysolve.lab.calibrate import calibrate as trials_of
from pysolve.lab.workers import processors
from pysolve.players.functions import specification
from pysolve.runtime.files import write_whole

LIMIT = "time=1"  # of the player that is recommended


class Searched(StrEnum):
    """Whose techniques are tried."""

    strong = STRONG
    mcts = MCTS


def calibrate(
    game: GameName,
    options: Options = None,
    search: Annotated[
        Searched, typer.Option("--search", help="The strong search, or mcts: trees of random games.")
    ] = Searched.strong,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            min=1,
            max=MOST,
            help=f"Positions a move of both players. Default {NODES:,}, with mcts {NODES_OF_TREES:,}.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", min=2, max=MOST, help="Games of a candidate, at most.")
    ] = GAMES,
    by_time: Annotated[
        bool,
        typer.Option(
            "--by-time",
            help="Each candidate has as many positions as take the time of the default: measured, so not repeatable.",
        ),
    ] = False,
    tried: Annotated[
        list[str] | None,
        typer.Option(
            "--try",
            metavar="TECHNIQUES",
            show_default=False,
            help=f"Try these alone, as in {EXAMPLES[STRONG]}, or with mcts {EXAMPLES[MCTS]}. "
            "May be given several times.",
        ),
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="FILE",
            show_default=False,
            help="Both players judge positions by these learned values.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            show_default=False,
            help="Write a file of what gained. search=strong plays by GAME.techniques beside the rules, or by "
            "GAME.values.techniques beside values.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    seed: Seeded = 1,
    processes: ProcessCount = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Find techniques of a search that gain in a game, by short matches.

    Each candidate plays pairs of games from random openings, with sides swapped,
    against the best techniques so far, until a sequential test (0 against 20 Elo)
    says whether it is stronger; then it takes their place. At the end stands the
    player with the best techniques, for match, for play, and for a level of the
    rules; with -o they are also written to a file. Ctrl-C stops; what was found
    by then is printed, and written.

    \b
    Examples:
      pysolve calibrate zola
      pysolve calibrate gomoku size=9 --by-time -o gomoku.techniques
      pysolve calibrate breakthrough --nodes 20000 --games 200 --json
      pysolve calibrate santorini --values rules/santorini.values --nodes 20000
      pysolve calibrate othello --nodes 20000 --try null2+late4 --try reduce90
      pysolve calibrate hex --search mcts
    """
    there = opened(game, options, engine)
    if out is not None:
        if search is not Searched.strong:
            raise typer.BadParameter("-o writes techniques of the strong search; mcts has settings")
        check_writable(out, force)
    begin, candidates, usual = begin_with(search, there, values)
    if tried:
        candidates = [candidate(search, one) for one in tried]
    nodes = nodes or usual
    specification(player_text(begin, f"nodes={nodes}", values)).check(there)
    done: list[Trial] = []
    last: Trial | None = None
    stopped = False
    try:
        with steps(len(candidates) * games // 2, "pairs of games") as step:
            for trial in trials_of(
                there, nodes, games, candidates, begin, seed, processes or processors(), by_time, values
            ):
                if last is not None and trial.candidate != last.candidate:
                    done.append(last)
                    _told(last, as_json)
                last = trial
                step(f"{trial.changed} {trial.test.score:.1%}")
    except KeyboardInterrupt:
        stopped = True
    if last is not None:
        done.append(last)
        _told(last, as_json)
    best = done[-1].kept if done else begin
    player = player_text(best, LIMIT, values)
    if out is not None:
        write_whole(out, file_of(best, there, done, shlex.join(["pysolve", *sys.argv[1:]]), seed))
    if as_json:
        told = {"game": game, "nodes": nodes, "trials": [one.to_dict() for one in done]}
        put(json.dumps({**told, "player": player, "file": out and str(out)}))
    else:
        put(f"best: {player}")
        if out is not None:
            put(f"{out} is written")
    if stopped:
        raise Stopped(f"calibrate stopped after {len(done)} of {len(candidates)} candidates")


def _told(trial: Trial, as_json: bool) -> None:
    verdict = {True: "kept", False: "refused", None: "undecided"}[trial.test.verdict]
    mine, others = trial.nodes
    unlike = f", {mine:,} against {others:,} positions" * (mine != others)
    if not as_json:
        put(f"{trial.changed:20s} {verdict:10s} {trial.test}{unlike}")
