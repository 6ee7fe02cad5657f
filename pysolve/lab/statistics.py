"""Shares with confidence intervals, and quartiles.

Sources:
E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
R. G. Newcombe, Interval Estimation for the Difference Between Independent Proportions, Statistics in Medicine 17
(1998), method 10.
W. G. Cochran, Sampling Techniques (1977), 9A and 11; L. Kish, Survey Sampling (1965), 8.2; E. L. Korn, B. I. Graubard,
Confidence Intervals for Proportions with Small Expected Number of Positive Counts, Survey Methodology 24 (1998).
H. Robbins, Statistical Methods Related to the Law of the Iterated Logarithm, Annals of Math. Statistics 41 (1970);
S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, Time-Uniform, Nonparametric, Nonasymptotic Confidence Sequences,
Annals of Statistics 49 (2021).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

SURE = 1.959963984540054  # standard deviations of a 95% interval
MISSED = 0.05  # the probability that an always valid interval ever misses the true share
POWER = 0.8  # the probability with which an advantage is found, where a number of games is recommended


class Share(NamedTuple):
    """A share of points, from 0 to 1, and an interval around it."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"


class Mean(NamedTuple):
    """A mean payoff, and an interval around it."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3g} ({self.low:+.3g} to {self.high:+.3g})"


def mean_of(values: Sequence[float], most: float) -> Mean:
    """The mean of payoffs, from -most to most, with a 95% interval: by the normal distribution, for few games wide.

    Fewer than two games say nothing.
    """
    if len(values) < 2:
        return Mean(mean(sum(values), len(values)), -most, most)
    middle = sum(values) / len(values)
    spread = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    reach = SURE * math.sqrt(spread / len(values)) * (1 + 2 / len(values))  # Student's quantiles are larger, too
    return Mean(middle, max(-most, middle - reach), min(most, middle + reach))


def share_of(gain: Mean, most: float, players: int) -> Share:
    """A mean payoff as a share of the points, with its interval (see `scoring.points_of`)."""
    return Share(*((1 + one / max(1, most)) / max(2, players) for one in gain))


def wilson(points: float, games: float, at_once: int = 1) -> Share:
    """The share of points with a 95% interval (Wilson); a draw is half a point, so the interval is rather too wide.

    Of several shares looked at `at_once`, all intervals hold together with that probability (Bonferroni).
    """
    if not games:
        return Share(0.5, 0.0, 1.0)
    sure = SURE if at_once == 1 else NormalDist().inv_cdf(1 - MISSED / 2 / at_once)
    share, z = points / games, sure * sure / games
    middle = (share + z / 2) / (1 + z)
    reach = math.sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    low, high = min(middle - reach, share), max(middle + reach, share)  # rounding may have put the share outside
    return Share(share, max(0.0, low), min(1.0, high))


def grouped(groups: Iterable[Sequence[float]], at_once: int = 1) -> Share:
    """The share of points with a 95% interval, where the games of a group, as a pair with the same lots, go alike or
    against each other.

    The interval is that of Wilson for as many independent games as say as much (Korn and Graubard).  Their number is
    that of the games by the design effect (Kish): the squares of the groups' deviations by those of the games, which is
    what the variance of a ratio over groups (Cochran) is greater by.  Both have those of a group more, as if its games
    had all gone one way, so that a few groups which happen to agree do not say too much.
    """
    every = [group for group in groups if group]
    games = sum(map(len, every))
    if not games:
        return wilson(0, 0)
    points = sum(map(sum, every))
    share, likely = points / games, (points + 1) / (games + 2)
    more = likely * (1 - likely) * (games / len(every)) ** 2
    together = sum((sum(group) - share * len(group)) ** 2 for group in every) + more
    alone = sum((point - share) ** 2 for group in every for point in group) + more
    many = games * alone / together
    return wilson(share * many, many, at_once)


def difference(one: Share, other: Share) -> Share:
    """The difference of two shares with an interval, from their Wilson intervals (Newcombe)."""
    found = one.share - other.share
    low = found - math.hypot(one.share - one.low, other.high - other.share)
    high = found + math.hypot(one.high - one.share, other.share - other.low)
    return Share(found, low, high)


def always_valid(points: float, games: int, at_once: int = 1) -> Share:
    """The share, with an interval that stays valid if one looks at it after each game and stops at any time.

    For a true share p, bet on each share q that is drawn evenly from 0 to 1: after a game of x points (1, a half, or 0)
    the stake is multiplied by (q/p)^x ((1-q)/(1-p))^(1-x), which is convex in x and so at most 1 on average.  The mean
    over q is B(1+points, 1+games-points) / (p^points (1-p)^(games-points)).  By the inequality of Ville it reaches
    1/MISSED at any time with probability MISSED at most; so shares p for which it has are left out (Robbins).  Of
    several shares looked at `at_once`, all intervals hold together (Bonferroni).
    """
    if not games:
        return Share(0.5, 0.0, 1.0)
    lost = games - points
    won_all = math.lgamma(1 + points) + math.lgamma(1 + lost) - math.lgamma(2 + games)

    def possible(p: float) -> bool:
        return won_all - _times_log(points, p) - _times_log(lost, 1 - p) < -math.log(MISSED / at_once)

    share = points / games
    return Share(share, _border(possible, share, 0.0), _border(possible, share, 1.0))


def _times_log(times: float, p: float) -> float:
    """times * log(p)"""
    if not times:
        return 0.0
    return times * math.log(p) if p > 0 else -math.inf


def _border(possible: Callable[[float], bool], inside: float, outside: float) -> float:
    """The share at which `possible` changes from true (at `inside`) to false (at `outside`), by bisection."""
    if possible(outside):
        return outside
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if possible(middle) else (inside, middle)
    return outside


def games_needed(fair: float, share: float, at_once: int = 1, power: float = POWER) -> int:
    """The number of games after which the Wilson interval of a side leaves out `fair` with the probability `power`.

    The true share is `share`, of a game that somebody wins; with draws fewer games do.  The interval leaves out `fair`
    exactly if the score test refuses it; for the size of that test see Fleiss, Levin and Paik, Statistical Methods for
    Rates and Proportions (2003), 2.5.
    """
    refuse, find = NormalDist().inv_cdf(1 - MISSED / 2 / at_once), NormalDist().inv_cdf(power)
    spread = refuse * math.sqrt(fair * (1 - fair)) + find * math.sqrt(share * (1 - share))
    return math.ceil((spread / (share - fair)) ** 2)


class Quartiles(NamedTuple):
    """Minimum, quartiles and maximum."""

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


def mean(total: float, count: int) -> float:
    """The mean; 0 of nothing."""
    return total / count if count else 0.0
