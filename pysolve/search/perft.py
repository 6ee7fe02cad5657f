"""Perft: counting sequences of moves, the usual test of a move generator.

In: an engine, a state, a depth.  Out: the number of sequences of `depth` legal moves.  A finished game has none; a
forced pass is a move.  Sequences of whole turns are counted by `pysolve.search.turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from pysolve.engines.protocol import Engine, State
from pysolve.runtime import validation

DEEPEST = 200  # moves, or turns, of a sequence that is counted

Tick = Callable[[int], None]


@runtime_checkable
class PerftEngine(Protocol):
    """An optional method of an engine that counts faster than one position at a time."""

    def perft(self, state: State, depth: int, tick: Tick | None = None) -> int:
        """The number of sequences of `depth` legal moves; `tick` is called with each number newly counted."""


@runtime_checkable
class RememberingPerftEngine(Protocol):
    """An optional method of an engine that counts fast in a game whose endings ask about earlier moves."""

    def perft_after(
        self, state: State, depth: int, turns: int, seen: Mapping[State, int], tick: Tick | None = None
    ) -> int:
        """The number of sequences of `depth` legal moves after `turns` turns.

        In these turns each state occurred as often as `seen` says, this one included; `tick` is called with each number
        newly counted.
        """


def perft(engine: Engine, state: State, depth: int, tick: Tick | None = None) -> int:
    """The number of sequences of `depth` legal moves, from 0 to `DEEPEST`.

    `tick` is called with each number newly counted.  Raises `TypeError`, `ValueError` or `InvalidState` for invalid
    arguments.
    """
    validation.engine(engine)
    depth, tick = validation.whole("depth", depth, 0, DEEPEST), validation.callback("tick", tick)
    if isinstance(engine, PerftEngine):
        return engine.perft(state, depth, tick)
    return _perft(engine, state, depth, tick)


def _perft(engine: Engine, state: State, depth: int, tick: Tick | None) -> int:
    node = engine.expand(state)
    if depth == 0:
        return 1
    if depth == 1:
        if tick is not None:
            tick(len(node))
        return len(node)
    return sum(_perft(engine, child, depth - 1, tick) for child in node.children())
