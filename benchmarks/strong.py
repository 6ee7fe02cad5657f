"""The strong search against plain minimax: `python -m benchmarks strong [--values] [--games …] [--count N]`.

Both sides judge positions by the file's `evaluate`, or with `--values` by the shipped values, and have about the same
time of the processor (`--milliseconds`), each by a number of positions that is measured before its match, so a busy
machine changes little.  The strong search has the techniques that are shipped for that, if there are some.  Pairs of
games begin with the same random moves and have the seats swapped.  The numbers of positions stand in the table: a match
of these players, `pysolve match GAME minimax:search=strong,nodes=N minimax:nodes=M --seed 8 --opening 6 --max-moves
400`, has the same games again; by values both have `values=GAME.values`.  `--docs` also writes the table into
docs/lab.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any, NamedTuple

from rich.console import Console

import pysolve
from benchmarks import report
from pysolve.lab.match import Standing, play_match, standing
from pysolve.lab.pairs import LONGEST, MEASURED, OPENING, nodes_in_time
from pysolve.players.values import file_at
from pysolve.runtime.paths import RULES

GAMES: dict[str, dict[str, int]] = {  # some smaller than usual, so that the table is soon ready
    "abalone": {}, "amazons": {"size": 6}, "breakthrough": {}, "chess": {}, "clobber": {}, "connect_four": {},
    "draughts": {}, "gomoku": {"size": 9}, "hex": {"size": 7}, "kalah": {}, "lasca": {}, "lines_of_action": {},
    "nine_mens_morris": {}, "onitama": {}, "othello": {}, "pentago": {}, "surakarta": {}, "tak": {}, "yoxii": {},
    "zola": {},
}  # fmt: skip
COUNT = 60  # games of each match
MILLISECONDS = 5  # of the processor, a move
SEED = 8
FIRST_GUESS = 3_000  # positions a move, by which it is measured how long they take
WARM_UP = 2  # games, in which a library that an optimizing compiler makes takes the place of the first one


class Row(NamedTuple):
    """The match of a game."""

    game: str
    options: dict[str, int]
    nodes: tuple[int, int]  # a move of the strong search, and of the plain one
    match: Standing


def learned() -> list[str]:
    """The shipped games with values but for a net, by which a plain search plays badly."""
    files = [file for file in map(file_at, sorted(RULES.glob("*.values"))) if not file.values.net]
    return [file.game for file in files]


def measured(name: str, milliseconds: int, count: int, values: bool) -> Row:
    """Finds numbers of positions that take as long as they should, then plays the match."""
    options = {} if values else GAMES[name]
    game = pysolve.load(name, **options)
    judging = f",values={name}.values" if values else ""

    def strong(nodes: int) -> str:
        return f"minimax:search=strong,nodes={nodes}{judging}"

    def plain(nodes: int) -> str:
        return f"minimax:nodes={nodes}{judging}"

    _played(game, (plain(FIRST_GUESS), plain(FIRST_GUESS)), WARM_UP)
    while getattr(game.engine, "is_improving", False):
        time.sleep(0.1)
    spent = _played(game, (plain(FIRST_GUESS), plain(FIRST_GUESS)), MEASURED).processor
    usual = round(FIRST_GUESS * milliseconds / 1000 / mean(spent)) if spent else FIRST_GUESS
    nodes = nodes_in_time(game, strong, plain, usual, SEED), usual
    return Row(name, options, nodes, _played(game, (strong(nodes[0]), plain(nodes[1])), count))


def _played(game: pysolve.Game, players: tuple[str, str], count: int) -> Standing:
    return standing(game, list(play_match(game, *players, count, SEED, OPENING, LONGEST)))


def run(games: Sequence[str], milliseconds: int, count: int, values: bool) -> Iterator[Row]:
    """The rows of all games."""
    for name in games:
        yield measured(name, milliseconds, count, values)


HEADINGS = ("game", "strong against plain", "games", "positions a move, strong / plain", "ms of the processor")


def cells(row: Row) -> list[str]:
    """A row of the table."""
    share, spent = row.match.score, row.match.processor or (0.0, 0.0)
    points = f"{share.share:.0%}" if share.low <= 0.5 <= share.high else f"**{share.share:.0%}**"
    nodes, times = (f"{nodes:,}" for nodes in row.nodes), (f"{1000 * each:.1f}" for each in spent)
    interval = f"({100 * share.low:.0f}–{100 * share.high:.0f})"
    return [row.game, f"{points} {interval}", str(row.match.played), " / ".join(nodes), " / ".join(times)]


def show(console: Console, rows: Sequence[Row]) -> None:
    """The table on the terminal, and the mean of all games."""
    report.show_rows(console, "Points of the strong search against plain minimax", HEADINGS, map(cells, rows))
    console.print(f"mean {mean(row.match.score.share for row in rows):.0%}", highlight=False)


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For results.json."""
    return [{"game": row.game, "options": row.options, "nodes": list(row.nodes), **row.match.to_dict()}
            for row in rows]  # fmt: skip
