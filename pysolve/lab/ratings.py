"""Ratings: one number for each player, whose differences predict the expected points.

In: the points of each player against each other player.  Out: ratings in points of Elo around 0, with intervals.

The model is that of Bradley and Terry, a draw being half a win for both; `choix` finds the strengths that are most
likely.  One drawn game between every two players is added, so that somebody who has won all games has a rating, too.
The intervals of 95% come from the curvature of the likelihood at its top (the inverse of the Hessian), for the distance
to the mean of all players; draws are taken for as uncertain as wins, so the intervals are rather too wide.

Sources: R. A. Bradley, M. E. Terry, Rank Analysis of Incomplete Block Designs, Biometrika 39 (1952); L. Maystre,
M. Grossglauser, Fast and Accurate Inference of Plackett-Luce Models, NIPS 2015; for the drawn game, D. R. Hunter, MM
Algorithms for Generalized Bradley-Terry Models, Annals of Statistics 32 (2004), on players who win or lose everything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pysolve.extras import needed
from pysolve.lab.statistics import SURE

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
    hessian = np.diag(curvature.sum(axis=1)) - curvature
    reach = SURE * np.sqrt(np.diag(np.linalg.pinv(hessian)))
    return [
        Rating(ELO * one, ELO * (one - far), ELO * (one + far))
        for one, far in zip(map(float, strengths), map(float, reach), strict=True)
    ]
