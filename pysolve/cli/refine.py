"""The command refine: learned values, fitted to deeper searches."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import AUTO, MOST, AsJson, EngineChoice, GameName, Options, opened
from pysolve.cli.console import counted, overwrite, put, remark
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable
from pysolve.cli.playing import ProcessCount, Seeded
from pysolve.cli.progress import steps
from pysolve.dsl.language.constants import NET_LANES, NET_WIDEST
from pysolve.dsl.player_texts import UnknownPlayer, refuse_values
from pysolve.game import Game
from pysolve.lab.database import remove
from pysolve.lab.labels import Labels
from pysolve.lab.refine import (
    GATE_GAMES,
    GATE_NODES,
    NET_PASSES,
    NODES,
    PASSES,
    POSITIONS,
    SEARCH_NODES,
    Plan,
    Refining,
)
from pysolve.lab.scaling import SCALED_GAMES, from_evaluate
from pysolve.lab.sprt import Sprt
from pysolve.lab.workers import processors
from pysolve.players.files import named_file
from pysolve.players.values import ValuesError, ValuesFile, values_file_in

FEWEST, MOST_POSITIONS = 100, 4_000_000
EVALUATE = "evaluate"  # in the place of a file
GOES_ON = "the same command goes on"


def refine(
    game: GameName,
    options: Options = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            show_default="GAME.values",
            help="The values to begin with, which learn makes; or the word evaluate: begin with that block.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", show_default="GAME.refined.values", help="File of the new values."),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            min=0,
            max=MOST_POSITIONS,
            help=f"Positions that are labelled by searches, {FEWEST} at least; 0: keep the values, test the searches.",
        ),
    ] = POSITIONS,
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", min=10, max=1_000_000, help="Positions of each of these searches.")
    ] = NODES,
    net: Annotated[
        int | None,
        typer.Option(
            "--net",
            metavar="UNITS",
            min=NET_LANES,
            max=NET_WIDEST,
            help=f"Fit a new net of so many units, a multiple of {NET_LANES}, in the place of the tables.",
        ),
    ] = None,
    without: Annotated[
        bool, typer.Option("--no-evaluate", help="Go on without the lines of evaluate, where the old values use them.")
    ] = False,
    passes: Annotated[
        int | None,
        typer.Option(
            "--passes",
            min=1,
            max=1000,
            show_default=f"{PASSES}, with a net {NET_PASSES}",
            help="How often the weights are fitted to all labels.",
        ),
    ] = None,
    match: Annotated[
        int,
        typer.Option(
            "--match",
            min=0,
            max=MOST,
            help="Games of each of three tests, at most: against the old values, against evaluate, and of the strong "
            "search against the plain one. Below 2: no test.",
        ),
    ] = GATE_GAMES,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    seed: Seeded = 1,
    processes: ProcessCount = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Dask scheduler whose workers label positions.", show_default=False
        ),
    ] = None,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
) -> None:
    """Refine learned values: fit them to what deeper searches say.

    The values play games against themselves by search, with some random moves.
    Half of the positions are labelled by a search of their own, some of them
    after a random move or two, and the weights are fitted to all labels at once;
    a tenth of the labels is left out, and says which pass was the best. At the
    end tests (SPRT) say whether the new values are stronger than the old ones
    and than evaluate, and whether the strong search plays better by them than
    the plain one: then the level expert plays by it. Refined values may be
    refined again. After Ctrl-C or a crash the same command goes on.

    With --net a small network takes the place of the tables. It often knows
    more; it is tested, and best played, by the strong search.

    \b
    Examples:
      pysolve learn zola --search 300 -o zola.values
      pysolve refine zola --from zola.values -o better.values
      pysolve refine zola --from better.values --positions 600000 -o best.values
      pysolve refine breakthrough --net 64 -o net.values
      pysolve refine zola --from evaluate --net 64 -o zola.values
      pysolve refine zola --from zola.values --positions 0 -o tested.values
      pysolve refine zola --positions 3000000 --cluster tcp://that-machine:8786
      pysolve match zola minimax:values=better.values,time=0.1 minimax:values=zola.values,time=0.1
    """
    there = opened(game, options, engine)
    refuse_values("values", there.model)
    name = str(source or f"{there.name}.values")
    path = out or Path(f"{there.name}.refined.values")
    for one in (name, str(path)):
        if "," in one:
            raise UnknownPlayer(f"a comma ends a setting of a player, so no player can use {one}; choose another file")
    if net and net % NET_LANES:
        less = net // NET_LANES * NET_LANES
        raise typer.BadParameter(f"not a multiple of {NET_LANES}: {less} or {less + NET_LANES}", param_hint="--net")
    if 0 < positions < FEWEST:
        raise typer.BadParameter(f"{FEWEST} at least; or 0, which tests the searches alone", param_hint="--positions")
    if cluster and not positions:
        raise typer.BadParameter("there are no positions to label", param_hint="--cluster")
    if net and not positions:
        raise typer.BadParameter("a net needs positions that it is fitted to", param_hint="--positions")
    old = None if name == EVALUATE else named_file(name, there)
    if old and not old.exists():
        raise UnknownPlayer(f"there is no file {name} of learned values to begin with; learn makes one:  "
                            f"{shlex.join(['pysolve', 'learn', game, *(options or ()), '-o', name])}")  # fmt: skip
    if old and path.exists() and path.samefile(old):
        raise typer.BadParameter("the new values are tested against the old ones: choose another file", param_hint="-o")
    kept = path.with_name(f"{path.name}.labels")
    check_writable(path, force or (positions > 0 and kept.exists()))
    parallel = processes or processors()
    try:
        file = values_file_in(name, there) if old else _scaled(there, seed, parallel)
    except ValuesError as error:
        raise UnknownPlayer(str(error)) from None
    if file.values.net and not positions:
        raise typer.BadParameter("a net is for the strong search: there is nothing to test", param_hint="--positions")
    plan, command = Plan(positions, nodes, passes, net, not without), shlex.join(["pysolve", *sys.argv[1:]])
    refining = Refining(there, file, plan, seed, command, parallel)
    if positions:
        _label(refining, cluster, kept)
        _fit(refining)
    refining.write(path)
    if positions and not as_json:
        for line in _fitted(refining):
            put(line)
    words = {
        "old": f"against the values of {old} at {GATE_NODES:,} positions a move",
        "evaluate": f"against evaluate at {GATE_NODES:,} positions a move",
        "plain": f"the strong search against the plain one at {SEARCH_NODES:,} positions a move",
    }
    against: dict[str, Sprt] = {}
    stopped = False
    try:
        if match >= 2:
            if old and positions:
                against["old"] = _test(refining.test(path, old, GATE_NODES, match, parallel), "against the old values")
            if positions:
                against["evaluate"] = _test(refining.test(path, None, GATE_NODES, match, parallel), "against evaluate")
            if not refining.refiner.net_units:
                against["plain"] = _test(refining.choose(path, SEARCH_NODES, match, parallel), "strong against plain")
    except KeyboardInterrupt:
        stopped = True
    if as_json:
        put(json.dumps({
            "game": game, "file": str(path), "from": name if old is None else str(old), "seed": seed,
            "games": refining.refiner.games, "positions": refining.refiner.count, "units": refining.refiner.net_units,
            "passes": [one._asdict() for one in refining.passed],
            "against": {name: test.to_dict() for name, test in against.items()}, "stopped": stopped,
        }))  # fmt: skip
    else:
        verdicts = {True: "stronger", False: "not stronger", None: "undecided"}
        for one, test in against.items():
            put(f"{words[one]}: {test}: {verdicts[test.verdict]}")
        put(f"{path} is written: {path.stat().st_size:,} bytes")
    if stopped:
        raise Stopped(f"refine stopped in its tests; {path} is written{'; ' + GOES_ON if positions else ''}")
    if positions:
        remove(kept)


def _scaled(game: Game, seed: int, processes: int) -> ValuesFile:
    """The evaluate block as values, under a bar in a terminal."""
    with steps(SCALED_GAMES, "games") as step:
        try:
            return from_evaluate(game, seed, processes, lambda _: step(""))
        except KeyboardInterrupt:
            raise Stopped("refine stopped before there was a position; nothing is written") from None


def _label(refining: Refining, cluster: str | None, kept: Path) -> None:
    """Labels as many positions as are planned, but for those whose labels are kept, under a bar in a terminal."""
    wanted = refining.plan.positions
    with closing(Labels(kept, refining.key())) as labels, steps(wanted, "positions") as step:
        if refining.resume(labels):
            remark(f"{kept} has the labels of {counted(refining.refiner.count, 'position')}")
        shown = 0

        def tick(now: int) -> None:
            nonlocal shown
            for _ in range(shown, min(now, wanted)):
                step("")
            shown = min(now, wanted)

        tick(refining.refiner.count)
        try:
            refining.label(tick, cluster, labels)
        except KeyboardInterrupt:
            raise Stopped(f"refine stopped after {counted(refining.refiner.count, 'position')}; {GOES_ON}") from None


def _fit(refining: Refining) -> None:
    """Fits the weights, under a bar in a terminal."""
    with steps(refining.passes, "passes") as step:
        try:
            refining.fit(lambda one: step(f"error {one.apart:.4f}"))
        except KeyboardInterrupt:
            raise Stopped(f"refine stopped before the weights were fitted; {GOES_ON}") from None


def _fitted(refining: Refining) -> list[str]:
    """How well the weights are fitted."""
    first, best = refining.passed[0], min(refining.passed, key=lambda one: one.apart)
    positions, games = counted(refining.refiner.count, "position"), counted(refining.refiner.games, "game")
    return [
        f"labelled: {positions} of {games}",
        f"mean squared error, of labels that are left out: {first.apart:.4f} before, {best.apart:.4f} after pass "
        f"{best.number} of {refining.passes}",
    ]


def _test(tests: Iterable[Sprt], words: str) -> Sprt:
    """The end of a test, which is told to somebody who watches, in words that leave it on one line of a terminal."""
    test = Sprt()
    try:
        for test in tests:
            overwrite(f"{words}: {test}")
    finally:
        overwrite("")
    return test
