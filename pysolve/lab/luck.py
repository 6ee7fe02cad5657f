"""Luck: how much of the results the lots explain, where the rules leave something to chance.

In: games, several of which had the same lots: the same set-up and the same random opening, and the numbers that draw
the rolls, one after the other.  Out: a `Luck`.

What a seat makes in a game is taken as the mean of its seating (who sits where), and what the lots add, and a rest: the
moves that players draw, and that different players make different things of the same lots.  The variances are those of
one-way random effects, with the games of the same lots as a group, by the method of moments ("analysis of variance");
of several seats they are added up.  The interval is that of the jackknife over the groups.

Sources:
S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), 3.
R. G. Miller, The Jackknife: a Review, Biometrika 61 (1974).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import variance
from typing import Any

from pysolve.game import Game
from pysolve.lab.games import Played, draws
from pysolve.lab.statistics import SURE, Mean, Share, grouped, mean, mean_of, wilson

LEAST = 5  # groups of games with the same lots, below which nothing is said


@dataclass(frozen=True, slots=True)
class Luck:
    """The parts of the variance of the results; they add up to 1."""

    lots: Share  # what the lots explain, with a 95% interval
    players: float  # what the seating explains: who plays, and where
    rest: float
    groups: int  # of games that had the same lots

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "lots": {key: round(part, 6) for key, part in self.lots._asdict().items()},
            "players": round(self.players, 6), "rest": round(self.rest, 6), "groups": self.groups,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Group:
    """The games with the same lots, by what their seats made more than the mean of their seating."""

    games: int
    between: float  # the square of the means, over the seats
    within: float  # the squares around the means

    @classmethod
    def of(cls, made: Sequence[Sequence[float]]) -> _Group:
        """`made` is of each game what each seat made."""
        means = [sum(seat) / len(made) for seat in zip(*made, strict=True)]
        within = sum((one - mean) ** 2 for game in made for one, mean in zip(game, means, strict=True))
        return cls(len(made), sum(mean * mean for mean in means), within)


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the variances are made of, over all groups."""

    groups: int
    games: int
    squares: int  # of the numbers of games
    between: float
    within: float

    @classmethod
    def of(cls, groups: Iterable[_Group]) -> _Sums:
        every = list(groups)
        return cls(
            len(every), sum(one.games for one in every), sum(one.games**2 for one in every),
            sum(one.games * one.between for one in every), sum(one.within for one in every),
        )  # fmt: skip

    def without(self, one: _Group) -> _Sums:
        return _Sums(
            self.groups - 1, self.games - one.games, self.squares - one.games**2,
            self.between - one.games * one.between, self.within - one.within,
        )  # fmt: skip

    def parts(self, seatings: int, seated: float) -> tuple[float, float, float]:
        """What the lots (by chance below 0), the seating and the rest explain; `seated` is the variance of the means of
        the seatings."""
        inside = self.within / max(1, self.games - self.groups - (seatings - 1))
        outside = self.between / (self.groups - 1)
        size = (self.games - self.squares / self.games) / (self.groups - 1)  # of a group, on average
        lots = (outside - inside) / size
        players = max(0.0, seated - (seatings - 1) / self.games * (max(0.0, lots) + inside))
        total = max(0.0, lots) + inside + players
        return (lots / total, players / total, inside / total) if total > 0 else (0.0, 0.0, 0.0)


def by_lots(game: Game | None, made: Iterable[tuple[int, float]], at_once: int = 1) -> Share:
    """The share of points, each with the lots of its game, and its interval, of `at_once` that hold together.

    Where the rules draw lots, the games that had the same ones are a group; elsewhere, and without rules, each game
    stands alone.
    """
    points = list(made)
    if game is None or not draws(game):
        return wilson(sum(point for _, point in points), len(points), at_once)
    return grouped(_same_lots(points), at_once)


def mean_by_lots(game: Game, made: Iterable[tuple[int, float]], most: float) -> Mean:
    """The mean of payoffs, each with the lots of its game, and its interval: that of groups with the same lots."""
    paid = list(made)
    if not draws(game):
        return mean_of([one for _, one in paid], most)
    found = mean_of([sum(group) / len(group) for group in _same_lots(paid)], most)
    middle = mean(sum(one for _, one in paid), len(paid))  # a group may lack a game
    return Mean(middle, min(found.low, middle), max(found.high, middle))


def _same_lots(made: Iterable[tuple[int, float]]) -> list[list[float]]:
    """Numbers in groups: those of games that had the same lots."""
    groups: dict[int, list[float]] = defaultdict(list)
    for lots, one in made:
        groups[lots].append(one)
    return list(groups.values())


def luck(game: Game, games: Sequence[Played]) -> Luck | None:
    """How much the lots explain; None where the rules draw none, or too few games had the same lots."""
    if not draws(game):
        return None
    seats = range(len(game.players))
    made = [[one.seat_points(seat) for seat in seats] for one in games]
    means = _means([one.seats for one in games], made)
    overall = [sum(seat) / len(made) for seat in zip(*made, strict=True)]
    groups: dict[int, list[list[float]]] = defaultdict(list)
    seated = 0.0
    for one, points in zip(games, made, strict=True):
        mean = means[one.seats]
        groups[one.lots].append([point - usual for point, usual in zip(points, mean, strict=True)])
        seated += sum((usual - whole) ** 2 for usual, whole in zip(mean, overall, strict=True)) / len(games)
    several = [_Group.of(points) for points in groups.values()]
    together = sum(one.games > 1 for one in several)
    if together < LEAST:
        return None
    sums = _Sums.of(several)
    lots, players, rest = sums.parts(len(means), seated)
    without = [sums.without(one).parts(len(means), seated)[0] for one in several]
    reach = SURE * math.sqrt(variance(without) * (len(several) - 1) ** 2 / len(several))
    low, high = (min(1.0, max(0.0, lots + by)) for by in (-reach, reach))
    return Luck(Share(max(0.0, lots), low, high), players, rest, together)


def _means(seatings: Sequence[tuple[int, ...]], made: Sequence[Sequence[float]]) -> dict[tuple[int, ...], list[float]]:
    """What each seat makes on average, for each seating."""
    found: dict[tuple[int, ...], list[Sequence[float]]] = defaultdict(list)
    for seating, points in zip(seatings, made, strict=True):
        found[seating].append(points)
    return {seating: [sum(seat) / len(every) for seat in zip(*every, strict=True)] for seating, every in found.items()}
