"""A match: two players, many games, sides swapped in pairs.

In: a game, two players as texts, a seed.  Out: the games one by one, each with its record, and how the match stands.

Both games of a pair begin with the same random moves, and the players have changed seats.  A game that is not over
after a number of moves is stopped; it counts as a draw, and is counted as stopped.  Two games that go the same way on
the same seats say no more than one: only the first of them counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from pysolve import record as records
from pysolve.engine import State
from pysolve.game import Game
from pysolve.lab.statistics import Quartiles, Share, quartiles, wilson
from pysolve.players import Specification, specification
from pysolve.position import Move, Position
from pysolve.record import Record
from pysolve.session import Session

OPENING = 2  # random moves
LIMIT = 1000  # moves, after which a game is stopped
_TRIES = 1000  # openings, of which one should not end the game


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    number: int  # from 1
    seats: tuple[int, ...]  # which of the players sat there, for each player of the rules
    first: str  # who had the first move, by the rules
    start: State
    record: Record
    opening: int  # how many of its moves were random
    winner: int | None  # the place of the winner in the rules; None for a draw, or a game that was stopped
    stopped: bool
    seconds: tuple[float, ...]  # each player's, by seat
    chosen: tuple[int, ...]  # how many moves each player chose, by seat

    @property
    def length(self) -> int:
        """How many moves it had."""
        return len(self.record.moves)

    @property
    def key(self) -> tuple[object, ...]:
        """The same for two games that went the same way."""
        return self.seats, self.start, self.record.moves

    def points(self, who: int) -> float:
        """1, a half or 0 for one of the players of a match."""
        return 0.5 if self.winner is None else float(self.seats[self.winner] == who)


class NoOpening(ValueError):
    """Every sequence of so many random moves ends the game."""


def opened(game: Game, seed: int, opening: int) -> tuple[Position, list[Move]]:
    """The initial position by a seed, and so many random moves after which the game goes on."""
    for more in range(_TRIES):
        rng = Random(f"{seed} {more}")
        start = position = game.start(seed)
        moves = list[Move]()
        while len(moves) < opening and not position.is_over:
            moves.append(position.legal_moves.sample(rng))
            position = position.play(moves[-1])
        if not position.is_over:
            return start, moves
    raise NoOpening(f"{game.title} does not go on after {opening} random moves")


def play_game(
    game: Game,
    players: Sequence[Specification],
    seats: tuple[int, ...],
    number: int,
    seed: int,
    lots: int,
    opening: int = OPENING,
    limit: int = LIMIT,
    name: str = "",
) -> Played:
    """One game: `lots` are the seed of the setup and of the opening, `seed` that of the players."""
    start, moves = opened(game, lots, opening)
    session = Session(start, {})
    for move in moves:
        session.play(move)
    rng = Random(seed)
    sitting = [players[who].player(rng.getrandbits(32)) for who in seats]
    seconds, chosen = [0.0] * len(seats), [0] * len(seats)
    while session.outcome is None and len(session.moves) < limit:
        seat = game.players.index(session.position.to_move)
        began = time.perf_counter()
        move = sitting[seat](session.position)
        seconds[seat] += time.perf_counter() - began
        chosen[seat] += 1
        session.play(move)
    record = session.record(
        Record(
            game=name or game.name,
            options=records.option_words(game),
            rules=game.model.digest,
            players={player: str(players[who]) for player, who in zip(game.players, seats, strict=True)},
            seed=lots if game.model.draws_lots else 0,
        )
    )
    winner = session.outcome.winner if session.outcome is not None else None
    return Played(
        number=number,
        seats=seats,
        first=start.to_move,
        start=start.state,
        record=record,
        opening=len(moves),
        winner=None if winner is None else game.players.index(winner),
        stopped=session.outcome is None,
        seconds=tuple(seconds),
        chosen=tuple(chosen),
    )


def play_match(
    game: Game,
    first: str,
    second: str,
    games: int,
    seed: int = 1,
    opening: int = OPENING,
    limit: int = LIMIT,
    name: str = "",
) -> Iterator[Played]:
    """The games of a match, each as soon as it is over; `name` is that of the game in the records.

    Raises `pysolve.players.UnknownPlayer` for a text that names no player, or a person.
    """
    players = specification(first, game.levels), specification(second, game.levels)
    for one in players:
        one.player()  # a person, or nobody, is refused before anything is played
    rng = Random(seed)
    for pair in count():
        lots = rng.getrandbits(31)
        for seats in ((0, 1), (1, 0)):
            number = 2 * pair + seats[0] + 1
            if number > games:
                return
            yield play_game(game, players, seats, number, rng.getrandbits(32), lots, opening, limit, name)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands for its two players, the first of them first."""

    played: int
    duplicates: int  # of games that had been played before; they count for nothing else here
    wins: tuple[int, int]
    draws: int
    stopped: int  # draws, because they took too long
    by_seat: dict[str, tuple[float, int]]  # the first player's points at each seat, and in how many games
    score: Share  # of the first player
    lengths: Quartiles  # of games that were not stopped
    seconds: tuple[float, float]  # a move

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "played": self.played, "duplicates": self.duplicates, "wins": list(self.wins), "draws": self.draws,
            "stopped": self.stopped, "score": self.score._asdict(),
            "by_seat": {seat: {"points": points, "games": games} for seat, (points, games) in self.by_seat.items()},
            "moves": self.lengths._asdict(), "seconds_a_move": [round(one, 6) for one in self.seconds],
        }  # fmt: skip


def distinct(games: Sequence[Played]) -> list[Played]:
    """The games without those that went as one before them did."""
    return list({game.key: game for game in reversed(games)}.values())[::-1]


def standing(game: Game, games: Sequence[Played]) -> Standing:
    """How a match stands after some games."""
    counted = distinct(games)
    wins = [sum(one.winner is not None and one.seats[one.winner] == who for one in counted) for who in (0, 1)]
    by_seat = {}
    for seat, player in enumerate(game.players):
        there = [one for one in counted if one.seats[seat] == 0]
        by_seat[player] = (sum(one.points(0) for one in there), len(there))
    seconds, chosen = [0.0, 0.0], [0, 0]
    for one in games:
        for seat, who in enumerate(one.seats):
            seconds[who] += one.seconds[seat]
            chosen[who] += one.chosen[seat]
    return Standing(
        played=len(games),
        duplicates=len(games) - len(counted),
        wins=(wins[0], wins[1]),
        draws=len(counted) - sum(wins),
        stopped=sum(one.stopped for one in counted),
        by_seat=by_seat,
        score=wilson(sum(one.points(0) for one in counted), len(counted)),
        lengths=quartiles([one.length for one in counted if not one.stopped]),
        seconds=(seconds[0] / max(1, chosen[0]), seconds[1] / max(1, chosen[1])),
    )
