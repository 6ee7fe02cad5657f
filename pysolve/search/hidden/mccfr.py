"""External-sampling MCCFR: a strategy for a game with hidden information whose tree does not fit.

In: an engine, the state in which the game begins, a seed.  Out: a strategy for the information sets that were met.

In each iteration each player in turn tries all of his moves wherever he is to move, while chance and the others draw
theirs: chance by weight, the others by their regrets.  So a visit costs as many positions as the moves of one player
need.  The average strategy comes to an equilibrium as that of `cfr` does, more slowly, and how far it is from one is
not known.  It is kept by what players know: memory grows with the information sets that are met.

Source: M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive
Games, NIPS 2009.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from pysolve.dsl.analysis.sampling import by_weight
from pysolve.engines.protocol import Engine, LimitReached, State
from pysolve.runtime import validation
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.knowledge import Knowledge
from pysolve.search.hidden.rules import Place, looking, refuse_remembering
from pysolve.search.hidden.tree import CHANCE, NODES, InformationSet, Situation
from pysolve.search.playouts import game_lots


class Full(LimitReached):
    """There are as many information sets as may be kept."""


class Sampling:
    """Regrets and average strategies of the information sets met so far."""

    def __init__(self, engine: Engine, state: State, seed: int = 0, sets: int = NODES):
        """`sets` is how many information sets are kept at most: beyond them iterations end with `Full`."""
        refuse_remembering(engine)
        self.knowledge = Knowledge(engine)
        self.iterations = 0
        self.positions = 0  # looked at
        self._look = looking(engine, self.knowledge)
        self._most = sets
        self._players = len(engine.game.players.labels)
        self._root: Place = (state, self.knowledge.first(state))
        self._lots = game_lots(validation.seed(seed))
        self._met: dict[tuple[int, int], _Met] = {}

    def go_on(self, iterations: int, tick: Callable[[int], None] | None = None, until: float | None = None) -> None:
        """Makes so many more iterations, or those that are made until `time.monotonic()` is `until`.

        `tick` hears of each.
        """
        for _ in range(iterations):
            go_on()
            if until is not None and time.monotonic() >= until:
                break
            for player in range(1, self._players + 1):
                try:
                    self._visit(self._root, player)
                except RecursionError:
                    raise LimitReached("games are too long to be sampled: each move is a step of a recursion") from None
            self.iterations += 1
            if tick is not None:
                tick(1)

    def strategy(self) -> Iterator[tuple[InformationSet, list[float]]]:
        """The information sets that were met, in that order, with the probability of each of their moves."""
        for (player, known), met in self._met.items():
            yield InformationSet(player, known, met.moves), _shares(met.total)

    def _visit(self, place: Place, player: int) -> float:
        """The payoff of a player in a game from here on, in which all of his moves are tried."""
        here = self._look(place)
        self.positions += 1
        if here.payoffs is not None:
            return here.payoffs[player - 1]
        if here.player == CHANCE:
            weights = [int(weight) for weight in here.weights or ()]
            return self._visit(here.after[by_weight(next(self._lots), weights)], player)
        met = self._of(here)
        now = _shares([max(one, 0.0) for one in met.regret])
        if here.player != player:
            if here.player == player % self._players + 1:
                met.total = [whole + part for whole, part in zip(met.total, now, strict=True)]
            return self._visit(here.after[self._drawn(now)], player)
        values = [self._visit(child, player) for child in here.after]
        mean = sum(part * value for part, value in zip(now, values, strict=True))
        met.regret = [one + value - mean for one, value in zip(met.regret, values, strict=True)]
        return mean

    def _of(self, here: Situation[Place]) -> _Met:
        known = here.information
        assert isinstance(known, int)
        found = self._met.get((here.player, known))
        if found is None:
            if len(self._met) == self._most:
                raise Full(f"more than {self._most:,} information sets were met")
            found = self._met[here.player, known] = _Met(tuple(here.moves))
        return found

    def _drawn(self, parts: Sequence[float]) -> int:
        left = (next(self._lots) >> 11) / (1 << 53)
        for number, part in enumerate(parts):
            left -= part
            if left < 0:
                return number
        return max(range(len(parts)), key=parts.__getitem__)  # the parts add up to a little less than 1


class _Met:
    """What is kept of an information set."""

    __slots__ = ("moves", "regret", "total")

    def __init__(self, moves: tuple[object, ...]):
        self.moves = moves
        self.regret = [0.0] * len(moves)
        self.total = [0.0] * len(moves)  # the sum of the strategies


def _shares(sums: Sequence[float]) -> list[float]:
    """Each number as its part of the sum; equal parts where that is 0."""
    whole = sum(sums)
    return [one / whole for one in sums] if whole > 0 else [1 / len(sums)] * len(sums)
