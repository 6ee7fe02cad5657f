"""Ratings: one number for each player, whose differences predict the expected points.

In: the points of each player against each other player, or games of more seats.  Out: ratings in points of Elo around
0, with intervals.

The model is that of Bradley and Terry, a draw being half a win for both; `choix` finds the strengths that are most
likely.  One drawn game between every two players is added, so that somebody who has won all games has a rating, too.
The intervals of 95% come from the curvature of the likelihood at its top (the inverse of the Hessian), for the distance
to the mean of all players; draws are taken for as uncertain as wins, so the intervals are rather too wide.

Games of three seats or more follow the model of Plackett and Luce, which is the same one with two: the first place is a
choice among all seats, each as likely as its player is strong.  Where an ending gives every player a place, the next
places are choices among those who are left; otherwise nothing is said of the others.  Players who share a place share
the choice, each having a part of it.  The drawn games are added here, too.

Sources: R. A. Bradley, M. E. Terry, Rank Analysis of Incomplete Block Designs, Biometrika 39 (1952); R. D. Luce,
Individual Choice Behavior, 1959; R. L. Plackett, The Analysis of Permutations, Applied Statistics 24 (1975);
L. Maystre, M. Grossglauser, Fast and Accurate Inference of Plackett-Luce Models, NIPS 2015; for the drawn game, D. R.
Hunter, MM Algorithms for Generalized Bradley-Terry Models, Annals of Statistics 32 (2004), on players who win or lose
everything.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from pysolve.lab.games import Played
from pysolve.lab.statistics import SURE
from pysolve.runtime.optional import needed

ELO = 400 / math.log(10)  # points of Elo to which odds of e : 1 amount
ADDED = 0.5  # points for each of two players, from the drawn game


class Rating(NamedTuple):
    """A player's rating; the mean of all is 0."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{round(self.elo):+} ± {(self.high - self.low) / 2:.0f}"


def ratings(points: Sequence[Sequence[float]]) -> list[Rating]:
    """The ratings, from the points of each player against each other; raises `MissingLibrary` without choix."""
    choix = needed("choix", "lab", "the rating of players")
    import numpy as np

    made = np.array(points, dtype=float) + ADDED
    np.fill_diagonal(made, 0)
    strengths = choix.ilsr_pairwise_dense(made)
    strengths = strengths - strengths.mean()
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    curvature = (made + made.T) * expected * (1 - expected)
    return _around_zero(strengths, np.diag(curvature.sum(axis=1)) - curvature)


def ranked_ratings(players: int, games: Iterable[Played], ranks: bool) -> list[Rating]:
    """The ratings of so many players, from games of several seats; `ranks`: does each place count, not only the first?

    Raises `MissingLibrary` without choix.
    """
    choix = needed("choix", "lab", "the rating of players")
    import numpy as np

    made = defaultdict[Choice, Fraction](Fraction)
    for one, other in combinations(range(players), 2):
        made[Choice(one, (other,))] += Fraction(1, 2)
        made[Choice(other, (one,))] += Fraction(1, 2)
    for game in games:
        for choice, part in choices(game, ranks):
            made[choice] += part
    times = math.lcm(*(part.denominator for part in made.values()))
    data = [choice for choice, part in made.items() for _ in range(int(part * times))]
    strengths = choix.ilsr_top1(players, data)
    strengths = strengths - strengths.mean()
    hessian = np.zeros((players, players))
    for choice, part in made.items():
        weights = np.zeros(players)
        np.add.at(weights, [choice.first, *choice.others], 1.0)
        weights *= np.exp(strengths)
        chances = weights / weights.sum()
        hessian += float(part) * (np.diag(chances) - np.outer(chances, chances))
    return _around_zero(strengths, hessian)


class Choice(NamedTuple):
    """Who came before which others: the index of a player, and those of all who were left, one for each seat."""

    first: int
    others: tuple[int, ...]


def choices(game: Played, ranks: bool) -> Iterator[tuple[Choice, Fraction]]:
    """The choices that a game stands for, each with the part of it that its first player has."""
    left = [(game.seat_points(seat), who) for seat, who in enumerate(game.seats)]
    while len(left) > 1:
        most = max(points for points, _ in left)
        first = [who for points, who in left if points == most]
        everybody = [who for _, who in left]
        for who in first:
            others = sorted(everybody)
            others.remove(who)
            if set(others) != {who}:
                yield Choice(who, tuple(others)), Fraction(1, len(first))
        left = [(points, who) for points, who in left if points != most] if ranks else []


def _around_zero(strengths: Any, hessian: Any) -> list[Rating]:
    """The ratings of strengths whose mean is 0, with the intervals that the curvature of their likelihood gives."""
    import numpy as np

    reach = SURE * np.sqrt(np.diag(np.linalg.pinv(hessian)))
    return [
        Rating(ELO * one, ELO * (one - far), ELO * (one + far))
        for one, far in zip(map(float, strengths), map(float, reach), strict=True)
    ]
