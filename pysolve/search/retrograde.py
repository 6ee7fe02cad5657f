"""Exhaustive solving: every position that can be reached, and what each is worth by best play.

In: an engine, a state.  Out: a `Table` with the value of each position and the number of moves to the end.

    positions   are found breadth first in the order of moves and numbered as they are found, from 0
    values      go backwards from the finished games: who can move to a position that is won for him wins, by the
                shortest way; who can only move to lost ones loses, by the longest
    draws       are what is left: drawn games, and positions from which nobody can force an end.  So a game that goes
                round in circles is a draw

The mover may be the same after a move (`again`): a value is kept for the first player, never negated.  The native
engine does the same in C (dsl/to_c/runtime/retrograde.c), with the same numbers.

Source: K. Thompson, Retrograde Analysis of Certain Endgames, ICCA Journal 9 (1986).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve import doors
from pysolve.engine import Engine, EngineError, State

STATES = 30_000_000  # positions that are kept, if nobody says how many
MOST_STATES = 2**32 - 2  # that can be numbered
GOES_ON = 2  # the result of a position in which the game is not over

Tick = Callable[[int], None]


class Stage(NamedTuple):
    """A part of solving that begins: what is done, and how many steps it has as far as one can tell, which may grow."""

    what: str
    steps: Callable[[], int] | None = None


Begun = Callable[[Stage], None]


class OutOfTime(EngineError):
    """The time was over before every position was known; `kept` were found."""

    def __init__(self, kept: int):
        super().__init__(f"the time limit was reached after {kept:,} positions")
        self.kept = kept


class TooManyStates(EngineError):
    """More positions can be reached than may be kept."""

    def __init__(self, limit: int):
        super().__init__(f"there are more than {limit:,} reachable positions")


@dataclass(frozen=True, slots=True)
class Table:
    """What every position is worth.  Number 0 is the one that was asked about.

    A move of position i leads to `children(i)`, in the order of moves.
    """

    values: Sequence[int]  # 1 or -1 if the first player wins or loses by best play, otherwise 0
    distances: Sequence[int]  # moves to the end, if the value is not 0
    first: Sequence[int]
    after: Sequence[int]

    def __len__(self) -> int:
        return len(self.values)

    def children(self, number: int) -> Sequence[int]:
        """The numbers of the positions after each move."""
        number = doors.place(number, len(self), "position")
        return self.after[self.first[number] : self.first[number + 1]]


@runtime_checkable
class SolvingEngine(Protocol):
    """An engine that solves a game by itself."""

    def retrograde(
        self,
        state: State,
        states: int,
        tick: Tick | None = None,
        until: float | None = None,
        begun: Begun | None = None,
    ) -> Table:
        """The value of every reachable position; arguments and errors as of the function `retrograde`."""


def retrograde(
    engine: Engine,
    state: State,
    states: int = STATES,
    tick: Tick | None = None,
    until: float | None = None,
    begun: Begun | None = None,
) -> Table:
    """The value of every position that can be reached.

    Raises `TooManyStates` if they are more than `states`, and `OutOfTime` when the clock (`time.monotonic`) has come to
    `until`.  `begun` hears of each stage, and `tick` how many more positions were looked at in it.  Raises `TypeError`,
    `ValueError` or `InvalidState` for arguments that are none.
    """
    doors.engine(engine)
    states, until = checked(states), doors.moment(until)
    tick, begun = doors.callback("tick", tick), doors.callback("begun", begun)
    if isinstance(engine, SolvingEngine):
        return engine.retrograde(state, states, tick, until, begun)
    tick, begun = tick or (lambda _: None), begun or (lambda _: None)
    space = _explored(engine, state, states, tick, until, begun)
    begun(stage_of_values(len(space.movers)))
    values, distances = _valued(space, tick, until)
    return Table(values, distances, space.first, space.after)


def stage_of_positions(found: Callable[[], int]) -> Stage:
    """Positions are looked at, and others found; whoever looks at all of them is at the end."""
    return Stage("reachable positions", found)


def stage_of_values(count: int) -> Stage:
    """All positions are found, and it is seen what each is worth."""
    return Stage("values of the positions", lambda: count)


def _is_over(until: float | None) -> bool:
    return until is not None and time.monotonic() >= until


def checked(states: Any) -> int:
    """How many positions may be kept."""
    return doors.whole("states", states, 1, MOST_STATES)


@dataclass(frozen=True, slots=True)
class _Space:
    """All positions by number: who is to move, the result for the first player, and where the moves lead."""

    movers: bytearray
    results: Sequence[int]
    first: array[int]  # moves of position i lead to after[first[i] : first[i + 1]]
    after: array[int]


def _explored(engine: Engine, state: State, states: int, tick: Tick, until: float | None, begun: Begun) -> _Space:
    numbers, found = {state: 0}, [state]
    results, first, after = array("b"), array("Q", [0]), array("I")
    begun(stage_of_positions(lambda: len(found)))
    for state in found:
        if _is_over(until):
            raise OutOfTime(len(found))
        node = engine.expand(state)
        results.append(GOES_ON if node.payoff is None else node.payoff[0])
        for child in node.children():
            number = numbers.setdefault(child, len(found))
            if number == len(found):
                if number == states:
                    raise TooManyStates(states)
                found.append(child)
            after.append(number)
        first.append(len(after))
        tick(1)
    return _Space(bytearray(state[0] for state in found), results, first, after)


def _valued(space: _Space, tick: Tick, until: float | None) -> tuple[array[int], array[int]]:
    """Value and distance of each position."""
    count = len(space.movers)
    before: list[list[int]] = [[] for _ in range(count)]
    for number in range(count):
        if number % 1024 == 0 and _is_over(until):
            raise OutOfTime(count)
        for child in space.after[space.first[number] : space.first[number + 1]]:
            before[child].append(number)
    left = array("I", (space.first[i + 1] - space.first[i] for i in range(count)))  # moves that are not known to lose
    values, distances = array("b", (r if r != GOES_ON else 0 for r in space.results)), array("I", [0]) * count
    known = [number for number in range(count) if values[number]]
    for place, number in enumerate(known):
        if place % 1024 == 0:
            tick(min(1024, count - place))
            if _is_over(until):
                raise OutOfTime(count)
        value = values[number]
        winner = 1 if value == 1 else 2
        for parent in before[number]:
            if values[parent]:
                continue
            if space.movers[parent] != winner:
                left[parent] -= 1
                if left[parent]:
                    continue
            values[parent], distances[parent] = value, distances[number] + 1
            known.append(parent)
    return values, distances
