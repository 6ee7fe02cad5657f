"""A round-robin tournament: every two players meet, sides swapped in pairs; of more seats every group that fills them.

In: a game, players as texts, a seed.  Out: jobs for the games, and the table of points after some of them.

The games come in rounds: in each round every group of players plays in all orders of the seats (`pysolve.lab.orders`),
all of them with the same random opening.  A game that repeats an earlier one, because nothing is random in it, does not
count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab import orders
from pysolve.lab.endings import Ended, endings
from pysolve.lab.games import STANDARD, Job, Played, Rules, distinct, forfeits
from pysolve.lab.luck import Luck, by_lots, luck
from pysolve.lab.match import programs
from pysolve.lab.statistics import Quartiles, Share, mean, quartiles
from pysolve.players.competitors import Who, named


def tournament_jobs(game: Game, players: Sequence[Who], seed: int = 1, rules: Rules = STANDARD) -> Iterator[Job]:
    """The games of a tournament, without end; players are texts or functions.

    Raises `UnknownPlayer`, also for fewer than two players.
    """
    who = programs(game, *players)
    if len(who) < 2:
        raise UnknownPlayer("a tournament needs two players or more")
    return orders.jobs(who, len(game.players), seed, rules)


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
    forfeits: dict[str, int]  # games that programs lost by failing
    lengths: Quartiles
    lengths_of: tuple[Quartiles, ...]  # of the games of each player
    # Where there are not two seats: cells say who was ahead of whom, and of the point that each game divides,
    shares: tuple[Share, ...] = ()  # what a player makes on a seat, on average,
    sat: tuple[int, ...] = ()  # on how many seats each player sat,
    of_seats: dict[str, Share] = field(default_factory=dict)  # what a seat makes, whoever sits there,
    on_seats: tuple[dict[str, Share], ...] = ()  # what each player makes on each seat
    seconds: tuple[float, ...] = ()  # of each player, a move
    endings: tuple[Ended, ...] = ()  # how often each decided, and for whom
    luck: Luck | None = None  # where the rules draw lots, and several games had the same ones

    def total(self, who: int) -> Cell:
        """All results of the player with index `who`, added up."""
        return sum(self.cells[who], Cell())

    @property
    def order(self) -> list[int]:
        """The players by the share of their points, the best first; of equal ones whoever was named first."""
        made = [share.share for share in self.shares] or [self.total(who).share for who in range(len(self.players))]
        return sorted(range(len(self.players)), key=lambda who: -made[who])

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        told = {
            "players": list(self.players), "played": self.played, "duplicates": self.duplicates,
            "stopped": self.stopped, "adjudicated": self.adjudicated, "redrawn": self.redrawn,
            "shortened": self.shortened, "forfeits": self.forfeits, "lengths": self.lengths._asdict(),
            "table": [[_cell_dict(cell) for cell in row] for row in self.cells],
            "points": [self.total(who).points for who in range(len(self.players))],
            "counted": [self.total(who).games for who in range(len(self.players))],
            "lengths_of": [one._asdict() for one in self.lengths_of],
            "by_seat": {name: _cell_dict(cell) for name, cell in self.by_seat.items()},
            "endings": [one.to_dict() for one in self.endings],
            **({} if self.luck is None else {"luck": self.luck.to_dict()}),
        }  # fmt: skip
        return {**told, **self._seats_dict()} if self.shares else told

    def _seats_dict(self) -> dict[str, Any]:
        """Results that only games of other than two seats have: of each player on each seat, and of each seat."""
        return {
            "points": [round(one.share * sat, 6) for one, sat in zip(self.shares, self.sat, strict=True)],
            "counted": list(self.sat), "shares": [share._asdict() for share in self.shares],
            "by_seat": {name: {**_cell_dict(self.by_seat[name]), **share._asdict()}
                        for name, share in self.of_seats.items()},
            "on_seats": [{name: share._asdict() for name, share in one.items()} for one in self.on_seats],
            "seconds_a_move": [round(one, 6) for one in self.seconds],
        }  # fmt: skip


def _cell_dict(cell: Cell) -> dict[str, int]:
    return {"wins": cell.wins, "draws": cell.draws, "losses": cell.losses}


def crosstable(
    players: Sequence[Who], seats: Sequence[str], games: Sequence[Played], game: Game | None = None
) -> Crosstable:
    """The table of a tournament after some games.

    `seats` are the players of the rules. Endings are counted only if `game` is given.
    """
    counted = distinct(games)
    ended = [one for one in counted if not one.stopped]
    cells = [[Cell() for _ in players] for _ in players]
    sides = {name: Cell() for name in seats}
    for one in counted:
        for seat, who in enumerate(one.seats):
            sides[seats[seat]] += _made(one, seat)
            for other, rival in enumerate(one.seats):
                if other != seat and (rival != who or len(seats) == 2):
                    cells[who][rival] += _against(one, seat, other)
    found = Crosstable(
        players=tuple(map(str, named(players))),
        cells=tuple(map(tuple, cells)),
        by_seat=sides,
        played=len(games),
        duplicates=len(games) - len(counted),
        stopped=sum(one.stopped for one in counted),
        adjudicated=sum(one.adjudicated for one in counted),
        redrawn=sum(one.redrawn for one in counted),
        shortened=sum(one.shortened for one in counted),
        forfeits=forfeits(counted),
        lengths=quartiles([one.length for one in ended]),
        lengths_of=tuple(quartiles([one.length for one in ended if who in one.seats]) for who in range(len(players))),
        endings=() if game is None else endings(game, counted, competitors=len(players)),
        luck=None if game is None else luck(game, counted),
    )
    return found if len(seats) == 2 else _with_seats(found, seats, counted, games, game)


def _with_seats(
    found: Crosstable, seats: Sequence[str], counted: Sequence[Played], all_: Sequence[Played], game: Game | None
) -> Crosstable:
    """A table with the shares of players and seats, which divide the point of each game."""
    everybody = range(len(found.players))
    made = [(who, seat, (one.lots, one.seat_points(seat))) for one in counted for seat, who in enumerate(one.seats)]
    return replace(
        found,
        shares=tuple(by_lots(game, (points for who, _, points in made if who == player)) for player in everybody),
        sat=tuple(sum(who == player for who, _, _ in made) for player in everybody),
        of_seats={
            name: by_lots(game, (points for _, at, points in made if at == seat)) for seat, name in enumerate(seats)
        },
        on_seats=tuple(
            {name: by_lots(game, (points for who, at, points in made if (who, at) == (player, seat)))
             for seat, name in enumerate(seats)}
            for player in everybody
        ),
        seconds=tuple(
            mean(
                sum(one.seconds[seat] for one in all_ for seat, who in enumerate(one.seats) if who == player),
                sum(one.chosen[seat] for one in all_ for seat, who in enumerate(one.seats) if who == player),
            )
            for player in everybody
        ),
    )  # fmt: skip


def _made(one: Played, seat: int) -> Cell:
    """The result of a game for the player on a seat: a sole win, a shared first place (a draw), or a loss."""
    if one.winner is not None:
        return Cell(wins=1) if one.winner == seat else Cell(losses=1)
    first = not one.shares or one.shares[seat] == max(one.shares)
    return Cell(draws=1) if first else Cell(losses=1)


def _against(one: Played, seat: int, other: int) -> Cell:
    """The result of a game for the player on a seat against another seat: ahead, equal or behind."""
    mine, theirs = one.seat_points(seat), one.seat_points(other)
    return Cell(wins=1) if mine > theirs else Cell(losses=1) if mine < theirs else Cell(draws=1)
