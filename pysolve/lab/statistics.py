"""Shares with their intervals, and quartiles.

Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SURE = 1.959963984540054  # standard deviations: 95 of 100 such intervals hold the true share


class Share(NamedTuple):
    """A share of points, from 0 to 1, and the interval of Wilson around it."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"


def wilson(points: float, games: int) -> Share:
    """The share of so many points in so many games; a draw is half a point, so the interval is rather too wide."""
    if not games:
        return Share(0.5, 0.0, 1.0)
    share, z = points / games, SURE * SURE / games
    middle = (share + z / 2) / (1 + z)
    reach = math.sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    return Share(share, max(0.0, middle - reach), min(1.0, middle + reach))


class Quartiles(NamedTuple):
    """The least number, the quartiles, and the greatest."""

    least: float
    lower: float
    median: float
    upper: float
    most: float


def quartiles(numbers: Sequence[int]) -> Quartiles:
    """The quartiles of some numbers, between neighbours where they fall there; zeros if there are none."""
    ordered = sorted(numbers)

    def at(part: float) -> float:
        if not ordered:
            return 0.0
        place = part * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (place - below) * (ordered[above] - ordered[below])

    return Quartiles(at(0), at(0.25), at(0.5), at(0.75), at(1))
