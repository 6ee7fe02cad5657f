"""The levels of the shipped games against each other: `python -m benchmarks levels [--games …] [--out FOLDER]`.

Each level plays the one below it, and the lowest random moves: some pairs of games, with the same random opening and
the seats swapped.  Openings and players have fixed seeds, and levels are limited by positions, so the results are the
same on every machine; only the CPU time of an answer is not.  A game that is not over after `LIMIT` moves is a draw.

`--docs` also writes the table into docs/lab.md.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from random import Random
from statistics import median
from typing import Any

from rich.console import Console

import pysolve
from benchmarks import report
from pysolve.dsl import rules_source
from pysolve.dsl.analysis.levels import EASY, EXPERT, HARD, MEDIUM
from pysolve.game import Game
from pysolve.lab.games import Job, Played, Rules, play_game
from pysolve.lab.match import jobs_of_all, programs
from pysolve.lab.statistics import Share, wilson
from pysolve.players.competitors import Function
from pysolve.players.functions import Player, specification
from pysolve.position import Move, Position
from pysolve.runtime.paths import RULES, shipped_games

LOWEST = "random"
LADDER = (LOWEST, EASY, MEDIUM, HARD)
GAMES = 8  # of a pair of levels
LIMIT = 400  # moves
SEED = 1
WIDEST = (*LADDER, EXPERT)  # where there are no chance, secrets or payoffs, or the rules name such a level
_EXTENDS = re.compile(r'^game ".*" extends', re.MULTILINE)


@dataclass
class Answers:
    """CPU seconds of the answers of a level."""

    seconds: list[float] = field(default_factory=list)

    def timed(self, choose: Player) -> Player:
        """A player whose answers are timed."""

        def chosen(position: Position) -> Move:
            began = time.process_time()
            move = choose(position)
            self.seconds.append(time.process_time() - began)
            return move

        return chosen

    def __str__(self) -> str:
        return f"{median(self.seconds):.2f}, {max(self.seconds):.2f}" if self.seconds else ""


@dataclass
class Row:
    """The levels of a game."""

    game: str
    scores: dict[str, Share]  # of each level against the one below it
    stopped: int  # games that were not over
    answers: dict[str, Answers]


def names(every: bool = False) -> list[str]:
    """The shipped games for two players or more; unless `every` one is wanted, without those with secrets, which take
    long, and without variants, whose levels are those of their parents."""
    games = [game for game in map(pysolve.load, shipped_games()) if len(game.players) > 1]
    return [game.name for game in games if every or not (game.model.secret or _is_variant(game))]


def _is_variant(game: Game) -> bool:
    return _EXTENDS.search(rules_source(RULES / f"{game.name}.rules").text) is not None


def measured(name: str, games: int = GAMES) -> Row:
    """Plays the levels of a game."""
    game = pysolve.load(name)
    ladder = WIDEST if EXPERT in game.levels else LADDER
    row = Row(name, {}, 0, {level: Answers() for level in ladder})
    for below, level in pairwise(ladder):
        played = [play_game(game, job) for job in _jobs(game, level, below, row.answers, games)]
        row.scores[level] = wilson(sum(map(_points, played)), len(played))
        row.stopped += sum(one.stopped for one in played)
    return row


def _jobs(game: Game, level: str, below: str, answers: dict[str, Answers], games: int) -> Iterator[Job]:
    """The games of two levels, with players whose answers are timed."""
    pair = dict(zip((level, below), programs(game, level, below), strict=True))
    for job in islice(jobs_of_all(game, (level, below), SEED, Rules(limit=LIMIT)), games):
        rng, seated = Random(job.seed), []
        for who in job.seats:
            name = (level, below)[who]
            choose = specification(str(pair[name])).player(rng.getrandbits(32))
            seated.append(Function(name, answers[name].timed(choose)))
        yield replace(job, players=tuple(seated))


def _points(played: Played) -> float:
    """The points of the first of two; where there are more seats, the mean of a seat beside that of the other's."""
    if len(played.seats) == 2:
        return played.points(0)
    own = played.points(0) / played.seats.count(0)
    others = played.points(1) / played.seats.count(1)
    return own / (own + others) if own + others else 0.5


def run(games: Sequence[str], count: int = GAMES) -> Iterator[Row]:
    """The rows of all games."""
    for name in games:
        yield measured(name, count)


HEADINGS = (
    "game",
    *(f"{level} – {below}" for below, level in pairwise(WIDEST)),
    "cut",
    *(f"s of {level}" for level in WIDEST[2:]),
)


def cells(row: Row) -> list[str]:
    """A row of the table."""
    scores = [_share(row.scores.get(level)) for level in WIDEST[1:]]
    seconds = [str(row.answers.get(level, "")) for level in WIDEST[2:]]
    return [row.game, *scores, str(row.stopped or ""), *seconds]


def _share(found: Share | None) -> str:
    return f"{found.share:.0%} ({100 * found.low:.0f}–{100 * found.high:.0f})" if found else ""


def show(console: Console, rows: Sequence[Row]) -> None:
    """The table on the terminal."""
    title = "Points of each level against the one below it; CPU seconds of an answer: median, most"
    report.show_rows(console, title, HEADINGS, map(cells, rows))


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For results.json."""
    return [
        {"game": row.game, "scores": {level: share._asdict() for level, share in row.scores.items()},
         "stopped": row.stopped, "seconds": {level: one.seconds for level, one in row.answers.items()}}
        for row in rows
    ]  # fmt: skip
