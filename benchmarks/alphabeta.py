"""Alpha-beta search, in its plain form.

In: an engine, a state, a depth in moves, and how a leaf is valued.  Out: the value for the player to move, the best
move's number, and how many positions were visited.  The mover may be the same after a move (`again`), so the sign of
a value changes only where the mover does.

Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pysolve.engines.protocol import Node, State

WIN = 1_000_000  # a win now; each move later is worth one less

Value = Callable[[State], int]


class Expands(Protocol):
    """The one thing that is asked of an engine here."""

    def expand(self, state: State) -> Node: ...


@dataclass(frozen=True, slots=True)
class Result:
    """What a search has found: the value for the player to move, and the place of the best move."""

    value: int
    best: int | None  # in node.moves; None if the game is over
    nodes: int


def search(engine: Expands, state: State, depth: int, value: Value) -> Result:
    """The best move by alpha-beta to a fixed depth; of equal moves the first.

    `value(state)` is an estimate for the player to move, smaller than WIN; a finished game counts as WIN less the
    moves it took, or its negative, or 0.
    """
    expand = engine.expand
    nodes = 0

    def best_value(state: State, depth: int, alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if depth == 0:
            return value(state)
        node = expand(state)
        if node.payoff is not None:
            return node.payoff[state[0] - 1] * (WIN + depth)
        mover = state[0]
        for child in node.children():
            if child[0] != mover:
                score = -best_value(child, depth - 1, -beta, -alpha)
            else:
                score = best_value(child, depth - 1, alpha, beta)
            if score > alpha:
                if score >= beta:
                    return score
                alpha = score
        return alpha

    root = expand(state)
    if root.payoff is not None:
        return Result(root.payoff[state[0] - 1] * (WIN + depth), None, 1)
    best, alpha, beta = None, -2 * WIN, 2 * WIN
    for index, child in enumerate(root.children()):
        same = child[0] == state[0]
        score = best_value(child, depth - 1, alpha, beta) if same else -best_value(child, depth - 1, -beta, -alpha)
        if best is None or score > alpha:
            best, alpha = index, score
    return Result(alpha, best, nodes + 1)
