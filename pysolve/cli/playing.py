"""What commands that play many games share: who plays, where games are kept, how it stands.

In: words of the command line.  Out: games in order, each as soon as it and all before it are over.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated, Protocol

import typer

from pysolve.cli.arguments import LAST_SEED, MOST
from pysolve.cli.console import counted, put, remark
from pysolve.cli.ending import Stopped
from pysolve.cli.files import check_writable, save_record
from pysolve.cli.progress import steps
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.lab.games import Adjudication, Job, Played, Rules
from pysolve.lab.luck import Luck
from pysolve.lab.report import Report, check_files
from pysolve.lab.start import start_workers
from pysolve.lab.statistics import Quartiles
from pysolve.lab.store import Series, Store
from pysolve.lab.tables import Row, check_table, write_table
from pysolve.lab.workers import NamedGame, Workers, in_order, processors
from pysolve.players.competitors import names_function

WHO = "such as random, greedy:turn, minimax:depth=3, mcts:time=1, mymodule:function, uci:stockfish."

MOST_OPENING = 10_000  # random moves
MOST_PROCESSES = 1024

Seeded = Annotated[
    int,
    typer.Option(
        "--seed", metavar="NUMBER", min=0, max=LAST_SEED, help="Seed of all random choices; repeats everything."
    ),
]
Opening = Annotated[
    int,
    typer.Option("--opening", metavar="MOVES", min=0, max=MOST_OPENING, help="Number of random opening moves."),
]
Limit = Annotated[
    int,
    typer.Option("--max-moves", "--limit", min=1, max=MOST, help="A game is a draw after this many moves."),
]
Adjudicate = Annotated[
    str | None,
    typer.Option(
        "--adjudicate", metavar="MARGIN,MOVES", show_default=False,
        help="A player wins who leads by this margin of evaluate for this many moves.",
    ),
]  # fmt: skip
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Write the games to this folder.", show_default=False),
]
StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="Keep the games in this file, and resume from it.", show_default=False
    ),
]
ProcessCount = Annotated[
    int | None,
    typer.Option(
        "--processes", metavar="N", min=1, max=MOST_PROCESSES, envvar="PYSOLVE_PROCESSES", show_default=False,
        help="Number of parallel games; by default the number of processors.",
    ),
]  # fmt: skip
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Dask scheduler whose workers play.", show_default=False),
]
ParentToo = Annotated[bool, typer.Option("--parent", help="Beside a variant play the same games of its parent.")]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="HTML report.", show_default=False)]
TableFile = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Games as a table: .csv or .parquet.", show_default=False),
]
PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Plots as .png or .svg.", show_default=False)
]


def rules_of(opening: int, limit: int, adjudicate: str | None) -> Rules:
    """The `Rules` for games, from the options of the command line."""
    if adjudicate is None:
        return Rules(opening, limit)
    numbers = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", adjudicate)
    margin, moves = map(int, numbers.groups()) if numbers else (0, 0)
    if not margin or not moves:
        form = f"a margin and a number of moves, from 1 to {MOST - 1}, as in 300,6"
        raise typer.BadParameter(f'--adjudicate takes {form}, not "{adjudicate}"')
    return Rules(opening, limit, Adjudication(margin, moves))


def find_functions(players: Sequence[str]) -> None:
    """Functions that players are named by, as module:function, are looked for in the folder of whoever calls, too."""
    here = os.getcwd()
    if any(map(names_function, players)) and here not in sys.path:
        sys.path.insert(0, here)


class Room:
    """The workers that play games, with a store and a folder for records if there are any."""

    def __init__(self, workers: Workers, store: Store | None, out: Path | None):
        self._workers = workers
        self._store = store
        self._out = out
        played = [] if store is None else [held for held in store.series() if held.games]
        self._others = len(played)  # that were there before; one without games may be this one, killed before the first

    def play(
        self, place: int, series: Series, jobs: Iterable[Job], total: int, what: str, name: str = "",
        step: Callable[[str], None] | None = None,
    ) -> Iterator[tuple[Played, Callable[[str], None]]]:  # fmt: skip
        """The games of a series, each with what is to be told how it stands; `name` begins those of files.

        That is a bar of their own, or `step` of one that these games share.
        """
        kept, arrived = self._shelf(series)
        playing = in_order(self._workers, place, islice(jobs, total), kept, arrived)
        with closing(playing), steps(total, what) if step is None else nullcontext(step) as told:
            for one in playing:
                if self._out is not None:
                    save_record(self._out / f"{name}{one.number:04}.txt", one.record)
                yield one, told

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
        remark(f"{store.path} has {counted(kept, 'game')} of this series, number {number}")
        return
    played = [held for held in store.series() if held.games]
    changed = [(held.number, what) for held in played if (what := series.changed_since(held.told))]
    if changed:
        before, what = changed[-1]
        remark(f"{what} changed since series {before} of {store.path} was played; "
               f"these games are kept separately, as series {number}")  # fmt: skip
    elif others:
        remark(f"{store.path} has {others} other series; these games are kept separately, from series {number}")


@contextmanager
def room(
    tables: Sequence[NamedGame],
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
            raise FileExistsError(17, "the folder is not empty; choose another one", str(out))
    shelf = None if store is None else Store(store)
    try:
        with closing(start_workers(tables, min(games, processes or processors()), cluster)) as workers:
            yield Room(workers, shelf, out)
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
    told = {"number": one.number, "players": one.record.players, "winner": winner,
            "termination": one.record.termination, "ending": one.ending, "stopped": one.stopped,
            "adjudicated": one.adjudicated,
            "forfeited": None if one.forfeited is None else list(one.record.players)[one.forfeited],
            "moves": list(one.record.moves), "opening": one.opening, "lots": one.lots,
            "seed": one.seed, "played_by": one.played_by}  # fmt: skip
    if one.payoffs:  # where there are not two players
        unit = payoff_unit(len(one.payoffs))
        told["payoffs"] = {
            name: round(paid / unit, 6) for name, paid in zip(one.record.players, one.payoffs, strict=True)
        }
        told["points"] = dict(zip(one.record.players, (round(share, 6) for share in one.shares), strict=True))
    return told


def aligned(rows: list[list[str]], left: int = 1) -> list[str]:
    """A table as lines: the column of names, number `left`, to the left, all else to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(word.ljust(width) if at == left else word.rjust(width)
                  for at, (word, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]  # fmt: skip


def check_report(html: Path | None, plot: Path | None) -> None:
    """Raises before anything is played what would go wrong when a report is written."""
    check_files(html, plot)
    for path in (html, plot):
        if path is not None:
            check_writable(path, force=True)


def check_rows(table: Path | None) -> None:
    """Raises before anything is played what would go wrong when a table is written."""
    check_table(table)
    if table is not None:
        check_writable(table, force=True)


def put_rows(table: Path | None, found: Sequence[Row], as_json: bool) -> None:
    """Writes a table, if one is wished, and says where it is."""
    if table is not None:
        write_table(table, found)
        if not as_json:
            put(f"The table is in {table}")


def put_report(report: Report, html: Path | None, plot: Path | None, as_json: bool) -> None:
    """Writes what is wished, and says where it is; the result was printed before."""
    sys.stdout.flush()
    for path in report.write(html, plot):
        if not as_json:
            put(f"The {'report' if path == html else 'plot'} is in {path}")


def ended(command: str, played: int, total: int, of: str = "") -> Stopped:
    """The exception for games that Ctrl-C has ended; `of` is the title of the game, if there are several games."""
    return Stopped(f"{command} stopped after {played:,} of {counted(total, 'game')}{f' of {of}' if of else ''}")


def put_where(out: Path | None) -> None:
    """Prints where the games are stored; nothing if they are not."""
    if out is not None:
        put(f"The games are in {out}; pysolve replay shows them")


class Counted(Protocol):
    """The numbers that a match, a tournament and a balance all have: duplicates, stopped games, and the like."""

    @property
    def duplicates(self) -> int:
        """Games that were identical to an earlier one."""

    @property
    def redrawn(self) -> int:
        """Games whose first random opening would have ended them, so that another one was drawn."""

    @property
    def shortened(self) -> int:
        """Games with fewer random opening moves than asked for, because more would have ended them."""

    @property
    def forfeits(self) -> Mapping[str, int]:
        """Games that programs lost by failing."""

    @property
    def lengths(self) -> Quartiles:
        """Quartiles of the lengths of the games, in moves."""


def put_luck(found: Luck | None) -> None:
    """Prints the parts of the variance of the results, if they are known."""
    if found is not None:
        put(f"luck      {found.lots} of the variance of results; {counted(found.groups, 'group')} had the same lots")
        put(f"  players {found.players:.1%}")
        put(f"  rest    {found.rest:.1%}")


def put_rest(found: Counted) -> None:
    """Prints the numbers of `Counted` that are not zero."""
    if found.duplicates:
        put(f"repeated  {counted(found.duplicates, 'game')} {'was' if found.duplicates == 1 else 'were'} "
            f"identical to an earlier one, and {'is' if found.duplicates == 1 else 'are'} not counted")  # fmt: skip
    if found.redrawn:
        put(f"opening   redrawn for {counted(found.redrawn, 'game')}: the first one ended the game")
    if found.shortened:
        put(f"opening   shortened in {counted(found.shortened, 'game')}: no opening drawn lasts that long")
    if found.forfeits:
        by = ", ".join(f"{number:,} by {who}" for who, number in found.forfeits.items())
        put(f"forfeit   {counted(sum(found.forfeits.values()), 'game')} because a program failed: {by}")
    lengths = found.lengths
    if not lengths.most:  # none came to an end
        return
    put(f"length    {lengths.median:g} moves (quartiles {lengths.lower:g} to {lengths.upper:g}, "
        f"range {lengths.least:g} to {lengths.most:g})")  # fmt: skip
