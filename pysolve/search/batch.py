"""Batches: many positions in one call.

In: an engine and states.  Out: for each of them, in order, what `Engine.expand` or `Engine.estimate` answers.  An
engine that has the methods is called once for all states; any other engine is called once for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pysolve.engines.protocol import Engine, Node, State
from pysolve.runtime import validation


@runtime_checkable
class ManyEngine(Protocol):
    """An engine that answers for many positions at once."""

    def expand_many(self, states: Sequence[State], children: bool = False) -> list[Node]:
        """The node of each state, as `expand` returns it; with `children`, the states after all moves are computed at
        once."""

    def estimate_many(self, states: Sequence[State]) -> list[tuple[int, ...]]:
        """The estimate of each state, as `estimate` returns it."""


def expand_many(engine: Engine, states: Sequence[State], children: bool = False) -> list[Node]:
    """The node of each state, as `Engine.expand` returns it.

    With `children`, the states after all moves are computed at once.
    """
    validation.engine(engine)
    states = validation.listed("states", states, "a list of states")
    if isinstance(engine, ManyEngine):
        return engine.expand_many(states, children)
    return [engine.expand(state) for state in states]


def estimate_many(engine: Engine, states: Sequence[State]) -> list[tuple[int, ...]]:
    """For each state the value of the `evaluate` block for each player."""
    validation.engine(engine)
    states = validation.listed("states", states, "a list of states")
    if isinstance(engine, ManyEngine):
        return engine.estimate_many(states)
    return [engine.estimate(state) for state in states]
