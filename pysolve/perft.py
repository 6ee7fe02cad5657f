"""Counting sequences of moves: the test that compares move generators.

In: an engine, a state, a depth.  Out: how many sequences of so many legal moves there are.  A finished game has
none; a forced pass is a move.  Sequences of whole turns are counted by `pysolve.turns`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from pysolve.engine import Engine, State

Tick = Callable[[int], None]


@runtime_checkable
class PerftEngine(Protocol):
    """What an engine may answer by itself, if it can do so faster than one position at a time."""

    def perft(self, state: State, depth: int, tick: Tick | None = None) -> int: ...


def perft(engine: Engine, state: State, depth: int, tick: Tick | None = None) -> int:
    """The number of sequences of `depth` legal moves; `tick` hears of each bundle counted."""
    if isinstance(engine, PerftEngine):
        return engine.perft(state, depth, tick)
    return _perft(engine, state, depth, tick)


def _perft(engine: Engine, state: State, depth: int, tick: Tick | None) -> int:
    if depth == 0:
        return 1
    node = engine.expand(state)
    if depth == 1:
        if tick is not None:
            tick(len(node))
        return len(node)
    return sum(_perft(engine, child, depth - 1, tick) for child in node.children())
