"""What a game with chance is worth with best play: the expected payoff of every position that can be reached.

In: an engine, a state.  Out: an `Expectation`: the least and the most that the first player can expect, in parts of 1,
for one or two players.  Where the game cannot come back to a position, both are the same exact fraction.  Positions
that lead to each other are valued together, from both sides at once, until the two sides are as close as wished; so the
true value is certainly between them.  Where players could go on for ever, they may stay apart.  Of positions that are
images of each other by symmetries of the rules one stands for all; where players are exchanged, what the first of them
can expect is what the second could, with the other sign.

Sources: R. Bellman, Dynamic Programming (1957); S. Haddad and B. Monmege, Interval Iteration Algorithm for MDPs and
IMDPs, Theoretical Computer Science 735 (2018); R. Tarjan, Depth-First Search and Linear Graph Algorithms (1972).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pysolve.engines.protocol import Engine, LimitReached, Move, State, refuse_many, refuse_secrets
from pysolve.runtime import validation
from pysolve.runtime.cancellation import go_on
from pysolve.search.canonical import NONE, Renamings, exchanged

STATES = 1_000_000  # positions that are kept at most
CLOSE = Fraction(1, 10**9)  # how close the two sides have to come
OFTEN = 1_000  # positions between two looks at the clock
SWEEPS = 100_000  # through positions that lead to each other, at most
GRAIN = 10**15  # values of positions that lead to each other are rounded to this part of 1, away from the value

Number = Fraction | int


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the first player can expect, from -1, a loss, to 1, a win, or as the rules pay: between `low` and `high`."""

    low: Fraction
    high: Fraction
    best: Move | None  # None where the game is over, chance moves, or the search was stopped
    positions: int
    stopped: bool = False  # the time, or Ctrl-C, ended it before the two sides were as close as wished
    interrupted: bool = False  # that was Ctrl-C

    @property
    def exact(self) -> bool:
        """True if the value is known as a fraction."""
        return self.low == self.high


def expectation(
    engine: Engine,
    state: State,
    states: int = STATES,
    close: Fraction = CLOSE,
    seconds: float | None = None,
    tick: Callable[[int], None] = lambda _: None,
    symmetries: Renamings = NONE,
) -> Expectation:
    """The expected payoff of the first player with best play; of images by `symmetries` only one is looked at.

    `tick` is called with the number of positions found since the last call, then with 0 while they are valued.  Where
    `seconds` or Ctrl-C end that, the bounds known by then are returned.  Raises `LimitReached` where there are more
    than so many positions, or the time is over before all are found.
    """
    refuse_many(validation.engine(engine), "value iteration")
    refuse_secrets(engine.game, "value iteration")
    validation.seconds(seconds)
    until = None if seconds is None else time.monotonic() + seconds
    found = _Values(engine, validation.whole("states", states, 1), until, tick, symmetries)
    found.explore(state)
    groups, ended = found.groups(), None
    try:
        for group in groups:
            found.settle(group, close)
    except (_Late, KeyboardInterrupt) as end:
        ended = type(end)
    low, high = found.at(state)
    sign = 1 if state[0] == 1 else -1
    best = None
    if found.children[0] and found.weights[0] is None and ended is None:
        node = engine.expand(state)
        worth = [min(sign * bound for bound in found.at(child)) for child in node.children()]
        best = node.moves[worth.index(max(worth))]
    return Expectation(low, high, best, len(found.children), ended is not None, ended is KeyboardInterrupt)


class _Late(Exception):
    """The time is over."""


class _Values:
    """All positions, by number, with what follows each, and between what bounds its value lies."""

    def __init__(
        self, engine: Engine, states: int, until: float | None, tick: Callable[[int], None], symmetries: Renamings
    ):
        self._engine, self._states, self._until, self._tick = engine, states, until, tick
        self._symmetries = symmetries
        self._numbers: dict[State, int] = {}
        self._turned: list[list[bool]] = []  # for each child: is its image under which players are exchanged meant?
        self._steps = 0
        self._unit, self._most = engine.game.payoff_unit, Fraction(engine.game.most_paid, engine.game.payoff_unit)
        self.children: list[list[int]] = []
        self.weights: list[tuple[int, ...] | None] = []
        self.bounds: list[tuple[Fraction, Fraction]] = []
        self._first: list[bool] = []  # does the first player choose there?

    def _step(self, found: int) -> None:
        """Asks whether to go on, and now and then says how many were found; raises `_Late` when the time is over."""
        go_on()
        if self._steps % OFTEN == 0:
            if self._until is not None and time.monotonic() >= self._until:
                raise _Late
            self._tick(found * min(self._steps, OFTEN))
        self._steps += 1

    def explore(self, state: State) -> None:
        """Numbers all positions that can be reached."""
        try:
            self._explore(state)
        except _Late:
            raise LimitReached(
                f"the time is over, and more than {len(self.children):,} positions can be reached"
            ) from None

    def _explore(self, state: State) -> None:
        first = self._symmetries.least(state)
        self._numbers[first], todo = 0, [first]
        for here in todo:  # grows while it is walked
            self._step(1)
            node = self._engine.expand(here)
            self._first.append(here[0] == 1)
            self.weights.append(node.weights)
            whole = -self._most, self._most
            if node.payoff is not None:
                worth = Fraction(node.payoff[0], self._unit)
                whole = worth, worth
            self.bounds.append(whole)
            self.children.append([])
            self._turned.append([])
            for child in node.children() if node.payoff is None else ():
                least = self._symmetries.least(child)
                if least not in self._numbers:
                    if len(self._numbers) == self._states:
                        raise LimitReached(f"more than {self._states:,} positions can be reached")
                    self._numbers[least] = len(self._numbers)
                    todo.append(least)
                self.children[-1].append(self._numbers[least])
                self._turned[-1].append(exchanged(child, least))

    def at(self, state: State) -> tuple[Fraction, Fraction]:
        """The bounds of a position itself, not of what stands for it."""
        least = self._symmetries.least(state)
        return self._seen(self._numbers[least], exchanged(state, least))

    def _seen(self, number: int, turned: bool) -> tuple[Fraction, Fraction]:
        low, high = self.bounds[number]
        return (-high, -low) if turned else (low, high)

    def groups(self) -> list[list[int]]:
        """Positions that lead to each other, group by group, each behind those that it leads to."""
        found: list[list[int]] = []
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        open_ = [0]
        place = {0: 0}  # of those in `open_`
        ways = [(0, iter(self.children[0]))]
        index[0] = low[0] = 0
        while ways:
            here, rest = ways[-1]
            child = next((one for one in rest if one not in index or one in place), None)
            if child is None:
                ways.pop()
                if ways:
                    low[ways[-1][0]] = min(low[ways[-1][0]], low[here])
                if low[here] == index[here]:
                    group = open_[place[here] :]
                    del open_[place[here] :]
                    for one in group:
                        del place[one]
                    found.append(group)
            elif child in index:
                low[here] = min(low[here], index[child])
            else:
                index[child] = low[child] = len(index)
                place[child] = len(open_)
                open_.append(child)
                ways.append((child, iter(self.children[child])))
        return found

    def settle(self, group: list[int], close: Fraction) -> None:
        """Finds the values of positions that lead to each other; exactly if there is one that does not to itself."""
        (first, *others) = group
        if not others and first not in self.children[first]:
            self._step(0)
            if self.children[first]:
                self.bounds[first] = self._side(first, 0), self._side(first, 1)
            return
        for _ in range(SWEEPS):
            apart = moved = Fraction(0)
            for one in group:
                self._step(0)
                before = self.bounds[one]
                low = Fraction(self._side(one, 0) * GRAIN // 1, GRAIN)
                high = Fraction(-(-self._side(one, 1) * GRAIN // 1), GRAIN)
                self.bounds[one] = low, high = max(low, before[0]), min(high, before[1])
                apart = max(apart, high - low)
                moved = max(moved, low - before[0], before[1] - high)
            if apart <= close or not moved:
                return

    def _side(self, one: int, side: int) -> Fraction:
        """The lower or the upper bound of a position, by those of its children."""
        values = [self._seen(*child)[side] for child in zip(self.children[one], self._turned[one], strict=True)]
        weights = self.weights[one]
        if weights is not None:
            return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)
        return max(values) if self._first[one] else min(values)
