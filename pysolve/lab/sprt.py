"""The sequential probability ratio test on pairs of games: is one player stronger than another, and by so much?

In: the points of a player in pairs of games with the seats swapped.  Out: the logarithm of the likelihood ratio of two
strengths, in Elo; the test ends where it leaves the bounds.

The two games of a pair begin alike, so they are one observation of five values (pentanomial): its variance is measured,
and draws and one-sided openings make the test shorter, as they should.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16 (1945); M. Van den
Bergh, A Practical Introduction to the GSPRT, 2016 (the normal approximation, as Fishtest uses it).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ERROR = 0.05  # of both kinds
BOUND = math.log((1 - ERROR) / ERROR)
FEW = 0.5  # pairs of each kind that are assumed besides, in all: no variance is zero
LEAST = 10  # pairs before the test may end


@dataclass(frozen=True, slots=True)
class Sprt:
    """Pairs of games so far, in a test of `low` against `high` Elo."""

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # in which the player made 0, 1/2, 1, 3/2, 2 points
    low: float = 0.0
    high: float = 20.0

    def after(self, points: float) -> Sprt:
        """The test after one more pair, in which the player made so many of two points."""
        at = round(2 * points)
        return Sprt((*self.pairs[:at], self.pairs[at] + 1, *self.pairs[at + 1 :]), self.low, self.high)  # type: ignore[arg-type]

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * sum(self.pairs)

    @property
    def score(self) -> float:
        """The share of the points."""
        return sum(at * count for at, count in enumerate(self.pairs)) / max(1, 4 * sum(self.pairs))

    @property
    def interval(self) -> tuple[float, float]:
        """The share with a 95% interval, by the variance of pairs; not made smaller because the test chose its end."""
        count, mean, variance = _moments(self.pairs)
        reach = 1.96 * math.sqrt(variance / count)
        return max(0.0, mean - reach), min(1.0, mean + reach)

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood ratio: above BOUND it is `high`, below -BOUND `low`."""
        count, mean, variance = _moments(self.pairs)
        one, two = share_of_elo(self.low), share_of_elo(self.high)
        return count * (two - one) * (2 * mean - one - two) / (2 * variance)

    @property
    def verdict(self) -> bool | None:
        """True if the player is stronger, False if not, None while that is open."""
        if sum(self.pairs) < LEAST or abs(self.ratio) < BOUND:
            return None
        return self.ratio > 0

    def to_dict(self) -> dict[str, Any]:
        """For programs and files."""
        low, high = self.interval
        return {
            "pairs": list(self.pairs), "elo": [self.low, self.high], "games": self.games,
            "score": round(self.score, 4), "low": round(low, 4), "high": round(high, 4), "ratio": round(self.ratio, 3),
            "won": self.verdict,
        }  # fmt: skip

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.score:.1%} ({low:.1%} to {high:.1%}) of {self.games} games"


def share_of_elo(elo: float) -> float:
    """The share of the points that a player makes who is so much stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _moments(pairs: Sequence[int]) -> tuple[float, float, float]:
    """How many pairs, the mean share of their points, and its variance, with FEW pairs spread evenly besides."""
    counts = [count + FEW / 5 for count in pairs]
    total = sum(counts)
    mean = sum(count * at / 4 for at, count in enumerate(counts)) / total
    return total, mean, sum(count * (at / 4 - mean) ** 2 for at, count in enumerate(counts)) / total
