"""Counting sequences of moves: the test that compares move generators.

In: an engine, a state, a depth.  Out: how many sequences of so many legal moves there are.  A finished game has
none; a forced pass is a move.
"""

from __future__ import annotations

from collections.abc import Callable

from pysolve.engine import Engine, State


def perft(engine: Engine, state: State, depth: int, tick: Callable[[int], None] | None = None) -> int:
    """The number of sequences of `depth` legal moves; `tick` hears of each bundle counted."""
    if depth == 0:
        return 1
    node = engine.expand(state)
    if depth == 1:
        if tick is not None:
            tick(len(node))
        return len(node)
    return sum(perft(engine, child, depth - 1, tick) for child in node.children())
