"""Exhaustive solving: every position that can be reached, and what each is worth by best play.

In: an engine, a state.  Out: a `Table` with the value of each position and the number of moves to the end.

    positions   are found breadth first in the order of moves and numbered as they are found, from 0
    values      go backwards from the finished games: who can move to a position that is won for him wins, by the
                shortest way; who can only move to lost ones loses, by the longest
    draws       are what is left: drawn games, and positions from which nobody can force an end.  So a game that goes
                round in circles is a draw

The mover may be the same after a move (`again`): a value is kept for the first player, never negated.  The native
engine does the same in C (dsl/to_c/solve.c), with the same numbers.

Source: K. Thompson, Retrograde Analysis of Certain Endgames, ICCA Journal 9 (1986).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pysolve.engine import Engine, EngineError, State

STATES = 30_000_000  # positions that are kept, if nobody says how many
GOES_ON = 2  # the result of a position in which the game is not over

Tick = Callable[[int], None]


class TooManyStates(EngineError):
    """More positions can be reached than may be kept."""

    def __init__(self, limit: int):
        super().__init__(f"more than {limit:,} positions can be reached")


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
        return self.after[self.first[number] : self.first[number + 1]]


@runtime_checkable
class SolvingEngine(Protocol):
    """An engine that solves a game by itself."""

    def retrograde(self, state: State, states: int, tick: Tick | None = None) -> Table: ...


def retrograde(engine: Engine, state: State, states: int = STATES, tick: Tick | None = None) -> Table:
    """The value of every position that can be reached; raises `TooManyStates` if they are more than `states`.

    `tick` hears how many more positions were looked at.
    """
    if isinstance(engine, SolvingEngine):
        return engine.retrograde(state, states, tick)
    space = _explored(engine, state, states, tick or (lambda _: None))
    values, distances = _valued(space)
    return Table(values, distances, space.first, space.after)


@dataclass(frozen=True, slots=True)
class _Space:
    """All positions by number: who is to move, the result for the first player, and where the moves lead."""

    movers: bytearray
    results: Sequence[int]
    first: array[int]  # moves of position i lead to after[first[i] : first[i + 1]]
    after: array[int]


def _explored(engine: Engine, state: State, states: int, tick: Tick) -> _Space:
    numbers, found = {state: 0}, [state]
    results, first, after = array("b"), array("Q", [0]), array("I")
    for state in found:
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


def _valued(space: _Space) -> tuple[array[int], array[int]]:
    """Value and distance of each position."""
    count = len(space.movers)
    before: list[list[int]] = [[] for _ in range(count)]
    for number in range(count):
        for child in space.after[space.first[number] : space.first[number + 1]]:
            before[child].append(number)
    left = array("I", (space.first[i + 1] - space.first[i] for i in range(count)))  # moves that are not known to lose
    values, distances = array("b", (r if r != GOES_ON else 0 for r in space.results)), array("I", [0]) * count
    known = [number for number in range(count) if values[number]]
    for number in known:
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
