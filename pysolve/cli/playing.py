"""What commands that play many games share: who plays, where games are kept, how it stands.

In: words of the command line.  Out: games in order, each as soon as it and all before it are over.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from pysolve import record as records
from pysolve.cli.console import counted, put, remark
from pysolve.cli.files import check_writable
from pysolve.cli.progress import steps
from pysolve.game import Game
from pysolve.lab.crew import Crew, Table, hire, in_order, processors
from pysolve.lab.games import LIMIT, OPENING, Adjudication, Job, Played, Rules
from pysolve.lab.match import programs, thought_by
from pysolve.lab.report import Report, check_files
from pysolve.lab.statistics import Quartiles
from pysolve.lab.store import Series, Store

WHO = "As in random, greedy:turn, minimax:depth=3, mcts:time=1."

Seeded = Annotated[int, typer.Option("--seed", metavar="NUMBER", help="Of all chance: repeats everything.")]
Opening = Annotated[int, typer.Option("--opening", metavar="MOVES", min=0, help="Random moves to begin with.")]
Limit = Annotated[int, typer.Option("--max-moves", "--limit", min=1, help="Stop a game after so many moves: a draw.")]
Adjudicate = Annotated[
    str | None,
    typer.Option(
        "--adjudicate", metavar="MARGIN,MOVES", show_default=False,
        help="Give a game to whom evaluate favours by the margin, so many moves long.",
    ),
]  # fmt: skip
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Write the games there.", show_default=False)
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="Keep the games there, and go on with them.", show_default=False),
]
ProcessCount = Annotated[
    int | None,
    typer.Option(
        "--processes", metavar="N", min=1, envvar="PYSOLVE_PROCESSES", show_default=False,
        help="How many play at once; else as many as there are processors.",
    ),
]  # fmt: skip
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Of a Dask scheduler: its workers play.", show_default=False),
]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="A report for a browser.", show_default=False)
]
PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Plots, .png or .svg.", show_default=False)
]

STANDARD_WORDS = {"opening": OPENING, "max-moves": LIMIT}


def rules_of(opening: int, limit: int, adjudicate: str | None) -> Rules:
    """How games begin and are ended, by the words of the command line."""
    if adjudicate is None:
        return Rules(opening, limit)
    margin, _, moves = adjudicate.partition(",")
    if not margin.strip().isdigit() or not moves.strip().isdigit() or not int(margin) or not int(moves):
        raise typer.BadParameter(f'--adjudicate takes a margin and a number of moves, as in 300,6, not "{adjudicate}"')
    return Rules(opening, limit, Adjudication(int(margin), int(moves)))


def series_of(command: str, name: str, game: Game, players: Sequence[str], seed: int, rules: Rules) -> Series:
    """What a store knows a series by."""
    words, who = records.option_words(game), programs(game, *players)
    return Series(command, name, words, game.model.digest, who, seed, rules, thought_by(game, who))


class Room:
    """Where games are played: a crew, a store if there is one, a folder if there is one."""

    def __init__(self, crew: Crew, store: Store | None, out: Path | None):
        self._crew = crew
        self._store = store
        self._out = out
        self._others = 0 if store is None else len(store.series())  # that were there before

    def play(
        self, place: int, series: Series, jobs: Iterable[Job], total: int, what: str, name: str = ""
    ) -> Iterator[tuple[Played, Callable[[str], None]]]:
        """The games of a series, each with what is to be told how it stands; `name` begins those of files."""
        kept, arrived = self._shelf(series)
        playing = in_order(self._crew, place, islice(jobs, total), kept, arrived)
        with closing(playing), steps(total, what) as step:
            for one in playing:
                if self._out is not None:
                    path = self._out / f"{name}{one.number:04}.txt"
                    path.write_text(records.write(one.record), encoding="utf-8")
                yield one, step

    def _shelf(self, series: Series) -> tuple[Mapping[int, Played], Callable[[Played], None]]:
        """The games that the store has of a series, and how it takes more."""
        store = self._store
        if store is None:
            return {}, lambda _: None
        number = store.begin(series)
        kept = {one.number: one for one in store.games(number)}
        _say_what_is_there(store, series, number, len(kept), self._others)
        self._others = 0  # that is said once
        return kept, lambda one: store.add(number, one)


def _say_what_is_there(store: Store, series: Series, number: int, kept: int, others: int) -> None:
    if kept:
        remark(f"{store.path} has {counted(kept, 'game')} of this series, number {number}, already")
        return
    changed = [held.number for held in store.series() if series.differs_in_rules_only(held.told)]
    if changed:
        remark(f"the rules have changed since series {changed[-1]} of {store.path} was played; "
               f"these games are kept apart, as series {number}")  # fmt: skip
    elif others:
        remark(f"{store.path} has {others} other series; these games are kept apart, from series {number} on")


@contextmanager
def room(
    tables: Sequence[Table],
    games: int,
    processes: int | None,
    cluster: str | None,
    store: Path | None,
    out: Path | None,
) -> Iterator[Room]:
    """A place to play some games, cleared up at the end."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise FileExistsError(17, "there is something in the folder; choose another one", str(out))
    shelf = None if store is None else Store(store)
    try:
        with closing(hire(tables, min(games, processes or processors()), cluster)) as crew:
            yield Room(crew, shelf, out)
    finally:
        if shelf is not None:
            shelf.close()


def command_line(command: str, game: str, words: Sequence[str], settings: Mapping[str, object]) -> str:
    """The command that does the same again; settings that are not there are left out."""
    flags = [
        word for name, value in settings.items() if value is not None
        for one in (value if isinstance(value, list) else [value]) for word in (f"--{name}", str(one))
    ]  # fmt: skip
    return shlex.join(["pysolve", command, game, *words, *flags])


# ------------------------------------------------------------------------------------------ in words


def game_dict(one: Played) -> dict[str, object]:
    """A game, for programs."""
    winner = None if one.winner is None else list(one.record.players)[one.winner]
    return {"number": one.number, "players": one.record.players, "winner": winner,
            "termination": one.record.termination, "stopped": one.stopped, "adjudicated": one.adjudicated,
            "moves": list(one.record.moves), "opening": one.opening, "lots": one.lots, "seed": one.seed,
            "played_by": one.played_by}  # fmt: skip


def check_report(html: Path | None, plot: Path | None) -> None:
    """Raises before anything is played what would go wrong when a report is written."""
    check_files(html, plot)
    for path in (html, plot):
        if path is not None:
            check_writable(path, force=True)


def put_report(report: Report, html: Path | None, plot: Path | None, as_json: bool) -> None:
    """Writes what is wished, and says where it is."""
    for path in report.write(html, plot):
        if not as_json:
            put(f"The {'report' if path == html else 'plot'} is in {path}")


def say_ended(played: int, total: int) -> None:
    """What Ctrl-C has ended."""
    remark(f"ended after {played:,} of {counted(total, 'game')}")


def put_where(out: Path | None) -> None:
    if out is not None:
        put(f"The games are in {out}; pysolve replay shows one")


def put_rest(duplicates: int, stopped: int, adjudicated: int, lengths: Quartiles) -> None:
    """What is said of games, whoever has won them."""
    if duplicates:
        put(f"repeated  {counted(duplicates, 'game')} went as another one did, and {'is' * (duplicates == 1)}"
            f"{'are' * (duplicates > 1)} not counted")  # fmt: skip
    if stopped:
        put(f"stopped   {counted(stopped, 'game')} came to no end")
    if adjudicated:
        put(f"given     {counted(adjudicated, 'game')} by adjudication")
    if not lengths.most:  # none came to an end
        return
    put(f"length    {lengths.median:g} moves (half of them {lengths.lower:g} to {lengths.upper:g}, "
        f"all {lengths.least:g} to {lengths.most:g})")  # fmt: skip
