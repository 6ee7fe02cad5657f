"""Retrograde analysis: the value by best play of every reachable position.

In: an engine, a state.  Out: a `Table` with the value of each position and the number of moves to the end.

    positions   are found breadth first in the order of moves and numbered in that order, from 0
    values      are propagated backwards from finished games: a player who can move to a won position wins, by the
                shortest line; one who can only move to lost positions loses, by the longest
    draws       are all other positions: drawn games, and positions from which nobody can force an end.  So a cycle is
                a draw
    symmetries  of positions that are images of each other only one is kept: the least (`pysolve.search.canonical`).
                Where players are exchanged, a value changes its sign

The mover may be the same after a move (`again`): a value is kept for the first player, never negated.  The native
engine does the same in C (dsl/to_c/runtime/retrograde.c), with the same numbers.

Source: K. Thompson, Retrograde Analysis of Certain Endgames, ICCA Journal 9 (1986).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.language.constants import EXCHANGED, GOES_ON
from pysolve.dsl.player_texts import MOST_STATES
from pysolve.engines.protocol import (
    Engine,
    EngineError,
    State,
    refuse_chance,
    refuse_many,
    refuse_payoffs,
    refuse_secrets,
)
from pysolve.runtime import validation
from pysolve.search.canonical import NONE, Renamings, exchanged

STATES = 30_000_000  # positions that are kept by default

Tick = Callable[[int], None]


class Stage(NamedTuple):
    """A stage of solving: its name, and functions for its number of steps as known so far, which may grow, and for a
    phrase on where it is.
    """

    what: str
    steps: Callable[[], int] | None = None
    where: Callable[[], str] | None = None


Begun = Callable[[Stage], None]


class OutOfTime(EngineError):
    """The time limit was reached before every position was solved; `kept` positions were found."""

    def __init__(self, kept: int):
        super().__init__(f"the time limit was reached after {kept:,} positions")
        self.kept = kept


class TooManyStates(EngineError):
    """More positions are reachable than may be kept."""

    def __init__(self, limit: int):
        super().__init__(f"there are more than {limit:,} reachable positions")


class Worth(NamedTuple):
    """What a position is worth: 1 or -1 if the first player wins or loses by best play, after so many moves; else 0."""

    value: int
    distance: int


@dataclass(frozen=True, slots=True)
class Table:
    """The value of every position; number 0 is the state that was solved, or the least of its images.

    The moves of position i lead to `children(i)`, in canonical order; `EXCHANGED` is added to a number in `after` where
    its image is meant under which the players change sides.
    """

    values: Sequence[int]  # 1 or -1 if the first player wins or loses by best play, otherwise 0
    distances: Sequence[int]  # moves to the end, if the value is not 0
    first: Sequence[int]
    after: Sequence[int]
    place: Callable[[State], int | None]  # the number of a state, with EXCHANGED as in `after`; None if it was not met

    def __len__(self) -> int:
        return len(self.values)

    def children(self, number: int) -> Sequence[int]:
        """The numbers of the positions after each move."""
        number = validation.place(number, len(self), "position")
        return [child & ~EXCHANGED for child in self.after[self.first[number] : self.first[number + 1]]]

    def worth(self, state: State) -> Worth | None:
        """What a state is worth, itself and not an image; None if it cannot be reached."""
        place = self.place(state)
        if place is None:
            return None
        number = place & ~EXCHANGED
        return Worth(-self.values[number] if place & EXCHANGED else self.values[number], self.distances[number])


@runtime_checkable
class SolvingEngine(Protocol):
    """An engine with a retrograde analysis of its own."""

    def retrograde(
        self,
        state: State,
        states: int,
        tick: Tick | None = None,
        until: float | None = None,
        begun: Begun | None = None,
        symmetries: Renamings = NONE,
    ) -> Table:
        """The value of every reachable position; arguments and errors as of the function `retrograde`."""


def retrograde(
    engine: Engine,
    state: State,
    states: int = STATES,
    tick: Tick | None = None,
    until: float | None = None,
    begun: Begun | None = None,
    symmetries: Renamings = NONE,
) -> Table:
    """The value of every reachable position; with `symmetries` only one of those that are images of each other counts.

    Raises `TooManyStates` if there are more than `states`, and `OutOfTime` when the clock (`time.monotonic`) reaches
    `until`.  `begun` is called with each stage, and `tick` with the number of positions newly processed in it.  Raises
    `TypeError`, `ValueError` or `InvalidState` for invalid arguments.
    """
    refuse_many(validation.engine(engine), "retrograde analysis")
    refuse_chance(engine, "retrograde analysis", "nobody can force what is rolled")
    refuse_payoffs(engine, "retrograde analysis")
    refuse_secrets(engine.game, "retrograde analysis")
    states, until = checked(states), validation.moment(until)
    tick, begun = validation.callback("tick", tick), validation.callback("begun", begun)
    if isinstance(engine, SolvingEngine):
        return engine.retrograde(state, states, tick, until, begun, symmetries)
    tick, begun = tick or (lambda _: None), begun or (lambda _: None)
    space = _explored(engine, state, symmetries, states, tick, until, begun)
    begun(stage_of_values(len(space.movers)))
    values, distances = _valued(space, tick, until)
    return Table(values, distances, space.first, space.after, partial(_place, space.numbers, symmetries))


def stage_of_positions(found: Callable[[], int]) -> Stage:
    """The stage that expands positions; it ends when all found ones are expanded."""
    return Stage("reachable positions", found)


def stage_of_values(count: int) -> Stage:
    """The stage that computes the values of all positions."""
    return Stage("values of the positions", lambda: count)


def _is_over(until: float | None) -> bool:
    return until is not None and time.monotonic() >= until


def checked(states: Any) -> int:
    """The number of positions that may be kept, checked; raises `TypeError` or `ValueError`."""
    return validation.whole("states", states, 1, MOST_STATES)


@dataclass(frozen=True, slots=True)
class _Space:
    """All positions by number: the mover, the result for the first player, and the positions after the moves."""

    numbers: dict[State, int]
    movers: bytearray
    results: Sequence[int]
    first: array[int]  # moves of position i lead to after[first[i] : first[i + 1]]
    after: array[int]


def _place(numbers: dict[State, int], symmetries: Renamings, state: State) -> int | None:
    least = symmetries.least(state)
    number = numbers.get(least)
    return None if number is None else number | EXCHANGED * exchanged(state, least)


def _explored(
    engine: Engine, state: State, symmetries: Renamings, states: int, tick: Tick, until: float | None, begun: Begun
) -> _Space:
    found = [symmetries.least(state)]
    numbers = {found[0]: 0}
    results, first, after = array("b"), array("Q", [0]), array("I")
    begun(stage_of_positions(lambda: len(found)))
    for state in found:
        if _is_over(until):
            raise OutOfTime(len(found))
        node = engine.expand(state)
        results.append(GOES_ON if node.payoff is None else node.payoff[0])
        for child in node.children():
            least = symmetries.least(child)
            number = numbers.setdefault(least, len(found))
            if number == len(found):
                if number == states:
                    raise TooManyStates(states)
                found.append(least)
            after.append(number | EXCHANGED * exchanged(child, least))
        first.append(len(after))
        tick(1)
    return _Space(numbers, bytearray(state[0] for state in found), results, first, after)


def _valued(space: _Space, tick: Tick, until: float | None) -> tuple[array[int], array[int]]:
    """Value and distance of each position."""
    count = len(space.movers)
    before: list[list[int]] = [[] for _ in range(count)]  # with EXCHANGED where players are, on the way to a position
    for number in range(count):
        if number % 1024 == 0 and _is_over(until):
            raise OutOfTime(count)
        for child in space.after[space.first[number] : space.first[number + 1]]:
            before[child & ~EXCHANGED].append(number | child & EXCHANGED)
    left = array("I", (space.first[i + 1] - space.first[i] for i in range(count)))  # moves that are not known to lose
    values, distances = array("b", (r if r != GOES_ON else 0 for r in space.results)), array("I", [0]) * count
    known = [number for number in range(count) if values[number]]
    for place, number in enumerate(known):
        if place % 1024 == 0:
            tick(min(1024, count - place))
            if _is_over(until):
                raise OutOfTime(count)
        for way in before[number]:
            parent, value = way & ~EXCHANGED, -values[number] if way & EXCHANGED else values[number]
            if values[parent]:
                continue
            if space.movers[parent] != (1 if value == 1 else 2):
                left[parent] -= 1
                if left[parent]:
                    continue
            values[parent], distances[parent] = value, distances[number] + 1
            known.append(parent)
    return values, distances
