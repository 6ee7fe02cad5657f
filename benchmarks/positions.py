"""Positions to measure with: from random playouts, the same ones every time."""

from __future__ import annotations

import random

from pysolve.engines.protocol import Engine, State


def sample(engine: Engine, count: int, seed: int = 1, longest: int = 120) -> list[State]:
    """`count` positions of unfinished games, about one in ten of those that random playouts pass."""
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = engine.start()
        for _ in range(longest):
            node = engine.expand(state)
            if node.payoff is not None:
                break
            if rng.random() < 0.1:
                found.append(state)
            state = node.child(rng.randrange(len(node)))
    return found[:count]
