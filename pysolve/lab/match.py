"""A match: two players, many games, sides swapped in pairs.

In: a game, two players as texts, a seed.  Out: jobs for the games, and how the match stands after some of them.

Both games of a pair begin with the same random moves, and the players have changed seats.  Two games that go the same
way on the same seats say no more than one: only the first of them counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random
from typing import Any

from pysolve.game import Game, load
from pysolve.lab.crew import Alone, Table
from pysolve.lab.games import LIMIT, OPENING, STANDARD, Job, Played, Rules, distinct
from pysolve.lab.statistics import Quartiles, Share, quartiles, wilson
from pysolve.players import other_rules, specification

SWAPPED = ((0, 1), (1, 0))


def match_jobs(game: Game, first: str, second: str, seed: int = 1, rules: Rules = STANDARD) -> Iterator[Job]:
    """The games of a match, without end.

    Raises `dsl.players.UnknownPlayer` for a text that names no player, or a person.
    """
    return _match_jobs(programs(game, first, second), seed, rules)


def programs(game: Game, *texts: str) -> tuple[str, ...]:
    """Players as they are named in records, levels of the game by what they mean now.

    A person, or nobody, is refused before anything is played, and so is what settings name and the game does not have.
    """
    found = [specification(game.levels.get(text.strip(), text), game.levels) for text in texts]
    for one in found:
        one.player()
        one.check(game)
    return tuple(map(str, found))


def thought_by(game: Game, players: Sequence[str]) -> dict[str, str]:
    """The other rules that players of a game think by, and the digests of these rules as they are now."""
    settings = [specification(text).settings for text in players]
    return {one["by"]: load(other_rules(game, one["by"])).model.digest for one in settings if "by" in one}


def _match_jobs(players: tuple[str, ...], seed: int, rules: Rules) -> Iterator[Job]:
    rng = Random(seed)
    for pair in count():
        lots = rng.getrandbits(31)
        for seats in SWAPPED:
            sitting = (players[seats[0]], players[seats[1]])
            yield Job(2 * pair + seats[0] + 1, sitting, seats, lots, rng.getrandbits(32), rules)


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
    """The games of a match, each as soon as it is over; `name` is that of the game in the records."""
    jobs = match_jobs(game, first, second, seed, Rules(opening, limit))
    return Alone([Table(game, name)]).play(0, islice(jobs, games))


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands for its two players, the first of them first."""

    played: int
    duplicates: int  # of games that had been played before; they count for nothing else here
    wins: tuple[int, int]
    draws: int
    stopped: int  # draws, because they took too long
    adjudicated: int
    by_seat: dict[str, tuple[float, int]]  # the first player's points at each seat, and in how many games
    score: Share  # of the first player
    lengths: Quartiles  # of games that were not stopped
    seconds: tuple[float, float]  # a move

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "played": self.played, "duplicates": self.duplicates, "wins": list(self.wins), "draws": self.draws,
            "stopped": self.stopped, "adjudicated": self.adjudicated, "score": self.score._asdict(),
            "by_seat": {seat: {"points": points, "counted": games} for seat, (points, games) in self.by_seat.items()},
            "lengths": self.lengths._asdict(), "seconds_a_move": [round(one, 6) for one in self.seconds],
        }  # fmt: skip


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
        adjudicated=sum(one.adjudicated for one in counted),
        by_seat=by_seat,
        score=wilson(sum(one.points(0) for one in counted), len(counted)),
        lengths=quartiles([one.length for one in counted if not one.stopped]),
        seconds=(seconds[0] / max(1, chosen[0]), seconds[1] / max(1, chosen[1])),
    )
