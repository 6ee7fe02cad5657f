"""Which way of learning makes the stronger values of a game: both are tried, and a match decides.

In: two trainings of a game, by games one move deep and by searches, and limits that they share.  Out: the part of each,
and a `Choice`: the values of searches if they make more than half of the points, otherwise those of games one move
deep.

Both search alike by their values.  Where a clock ends the learning, both have the same time of the processor for a
move, as far as that can be measured; otherwise the same number of positions, so the same seed makes the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pysolve.game import Game
from pysolve.lab.learn import Limits, Training
from pysolve.lab.pairs import nodes_in_time, paired
from pysolve.lab.sprt import Sprt
from pysolve.search.strong import has_strong

SEARCHED = 300  # positions a move, of the searches that are learned from
GAMES = 200  # of the match, at most
ELO = 20.0  # the match ends where one is clearly so much stronger than the other


def can_search(game: Game) -> bool:
    """Does the strong search, whose games the second way learns from, apply to a game and its engine?"""
    return has_strong(game.engine)


def shared(limits: Limits) -> Limits:
    """The part of the first training: half of everything, and of an odd number of games the larger half."""
    games, seconds = limits.games, limits.seconds
    return Limits(games and games - games // 2, seconds and seconds / 2, limits.gains)


def left(limits: Limits, first: Training) -> Limits:
    """The part of the second training: half, and the time that the first one has not used."""
    games, seconds = limits.games, limits.seconds
    unused = None if seconds is None else max(seconds / 2, seconds - first.seconds)
    return Limits(games and games // 2, unused, limits.gains)


@dataclass(frozen=True, slots=True)
class Choice:
    """The match of values of searches against those of games one move deep, so far."""

    nodes: tuple[int, int]  # a move of both, in this order
    by_time: bool  # are these numbers of equal time?
    test: Sprt

    @property
    def searched(self) -> bool:
        """Are the values of searches kept?"""
        return self.test.games > 0 and self.test.score > 0.5

    @property
    def is_clear(self) -> bool:
        """Is half of the points outside the interval of the share?"""
        low, high = self.test.interval
        return self.test.games > 0 and not low <= 0.5 <= high

    def to_dict(self) -> dict[str, Any]:
        """For programs: the match, seen from the values of searches."""
        return {"nodes": list(self.nodes), "by_time": self.by_time, **self.test.to_dict()}


def choices(
    searched: Training, plain: Training, nodes: int, by_time: bool, processes: int, games: int = GAMES
) -> Iterator[Choice]:
    """The match of the values of two trainings of a game, as their files have them, after each pair of games.

    `nodes` are those a move of `plain`.
    """
    game, seed = plain.game, plain.seed
    mine, others = _by_values(searched), _by_values(plain)
    in_time = (nodes_in_time(game, mine, others, nodes, seed) if by_time else nodes), nodes
    for test in paired(game, mine(in_time[0]), others(nodes), games, seed, processes, Sprt(low=-ELO, high=ELO)):
        yield Choice(in_time, by_time, test)
        if test.verdict is not None:
            break


def _by_values(training: Training) -> Callable[[int], str]:
    """The text of a player by the values of a training, for any number of nodes a move."""
    return lambda nodes: f"minimax:nodes={nodes},values={training.out}"
