"""A round-robin tournament: every two players meet, sides swapped in pairs.

In: a game, players as texts, a seed.  Out: jobs for the games, and the table of points after some of them.

The games come in rounds: in each round every two players play a pair of games with their seats swapped, all of them
with the same random opening.  A game that repeats an earlier one, because nothing is random in it, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from random import Random
from typing import Any

from dsl.model.player_texts import UnknownPlayer
from pysolve.competitors import Function, Who, named
from pysolve.game import Game
from pysolve.lab.games import STANDARD, Job, Played, Rules, distinct
from pysolve.lab.match import SWAPPED, programs
from pysolve.lab.statistics import Quartiles, quartiles


def tournament_jobs(game: Game, players: Sequence[Who], seed: int = 1, rules: Rules = STANDARD) -> Iterator[Job]:
    """The games of a tournament, without end; players are texts or functions.

    Raises `UnknownPlayer`, also for fewer than two players.
    """
    who = programs(game, *players)
    if len(who) < 2:
        raise UnknownPlayer("a tournament needs two players or more")
    return _tournament_jobs(who, seed, rules)


def games_in_all(players: int, games: int) -> int:
    """The number of games if every two players play `games` games, rounded up to pairs."""
    return (games + games % 2) * players * (players - 1) // 2


def _tournament_jobs(who: tuple[str | Function, ...], seed: int, rules: Rules) -> Iterator[Job]:
    rng, number = Random(seed), count(1)
    while True:
        lots = rng.getrandbits(31)
        for pair in combinations(range(len(who)), 2):
            for swapped in SWAPPED:
                seats = (pair[swapped[0]], pair[swapped[1]])
                yield Job(next(number), (who[seats[0]], who[seats[1]]), seats, lots, rng.getrandbits(32), rules)


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one player against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins plus half of the draws."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The fraction of the possible points; 0 if there are no games."""
        return self.points / self.games if self.games else 0.0

    def __add__(self, other: Cell) -> Cell:
        return Cell(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"{self.points:g}/{self.games}" if self.games else "-"


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The standing of a tournament."""

    players: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]  # of each player against each other
    by_seat: dict[str, Cell]  # of each player of the rules, whoever sat there
    played: int
    duplicates: int  # of games before them; they count for nothing else here
    stopped: int
    adjudicated: int
    redrawn: int  # games whose first opening would have ended them, and another one was drawn
    shortened: int  # games that begin with fewer random moves, for more would end them
    lengths: Quartiles
    lengths_of: tuple[Quartiles, ...]  # of the games of each player

    def total(self, who: int) -> Cell:
        """All results of the player with index `who`, added up."""
        return sum(self.cells[who], Cell())

    @property
    def order(self) -> list[int]:
        """The players by the share of their points, the best first; of equal ones whoever was named first."""
        return sorted(range(len(self.players)), key=lambda who: -self.total(who).share)

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "players": list(self.players), "played": self.played, "duplicates": self.duplicates,
            "stopped": self.stopped, "adjudicated": self.adjudicated, "redrawn": self.redrawn,
            "shortened": self.shortened, "lengths": self.lengths._asdict(),
            "table": [[_cell_dict(cell) for cell in row] for row in self.cells],
            "points": [self.total(who).points for who in range(len(self.players))],
            "counted": [self.total(who).games for who in range(len(self.players))],
            "lengths_of": [one._asdict() for one in self.lengths_of],
            "by_seat": {name: _cell_dict(cell) for name, cell in self.by_seat.items()},
        }  # fmt: skip


def _cell_dict(cell: Cell) -> dict[str, int]:
    return {"wins": cell.wins, "draws": cell.draws, "losses": cell.losses}


def crosstable(players: Sequence[Who], seats: Sequence[str], games: Sequence[Played]) -> Crosstable:
    """How a tournament stands after some games; `seats` are the players of the rules."""
    counted = distinct(games)
    ended = [one for one in counted if not one.stopped]
    cells = [[Cell() for _ in players] for _ in players]
    sides = {name: Cell() for name in seats}
    for one in counted:
        for seat, who in enumerate(one.seats):
            made = _made(one, seat)
            other = one.seats[1 - seat]
            cells[who][other] += made
            sides[seats[seat]] += made
    return Crosstable(
        players=tuple(map(str, named(players))),
        cells=tuple(map(tuple, cells)),
        by_seat=sides,
        played=len(games),
        duplicates=len(games) - len(counted),
        stopped=sum(one.stopped for one in counted),
        adjudicated=sum(one.adjudicated for one in counted),
        redrawn=sum(one.redrawn for one in counted),
        shortened=sum(one.shortened for one in counted),
        lengths=quartiles([one.length for one in ended]),
        lengths_of=tuple(quartiles([one.length for one in ended if who in one.seats]) for who in range(len(players))),
    )


def _made(one: Played, seat: int) -> Cell:
    """What a game was for whoever sat there."""
    if one.winner is None:
        return Cell(draws=1)
    return Cell(wins=1) if one.winner == seat else Cell(losses=1)
