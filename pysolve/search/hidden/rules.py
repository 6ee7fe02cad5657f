"""The tree of a game by its rules.

In: an engine, the state in which the game begins.  Out: a `GameTree`, whose information sets name what players know by
the numbers of a `Knowledge`; `DoesNotApply` for a game whose end depends on more than positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pysolve.engines.protocol import DoesNotApply, Engine, Node, State
from pysolve.search.hidden.knowledge import Knowledge, Known
from pysolve.search.hidden.tree import CHANCE, NODES, GameTree, Situation, Tick, grow

Place = tuple[State, Known]


def tree_of(engine: Engine, state: State, nodes: int = NODES, tick: Tick | None = None) -> tuple[GameTree, Knowledge]:
    """The tree of all that may follow a state in which a game begins; `LimitReached` beyond so many nodes."""
    refuse_remembering(engine)
    knowledge = Knowledge(engine)
    players = len(engine.game.players.labels)
    look = looking(engine, knowledge)
    return grow((state, knowledge.first(state)), look, players, nodes, tick), knowledge


def looking(engine: Engine, knowledge: Knowledge) -> Callable[[Place], Situation[Place]]:
    """The function that says of a state, and of what all know there, what a tree has to know of it."""
    unit = engine.game.payoff_unit

    def look(place: Place) -> Situation[Place]:
        state, known = place
        node = engine.expand(state)
        if node.payoff is not None:
            return Situation(CHANCE, None, (), (), payoffs=[one / unit for one in node.payoff])
        after = _After(knowledge, place, node)
        if node.weights is not None:
            return Situation(CHANCE, None, (), after, node.weights)
        return Situation(state[0], known[state[0] - 1], node.moves, after)

    return look


class _After(Sequence[Place]):
    """Where the moves of a place lead, and what all know there: found out when it is read."""

    def __init__(self, knowledge: Knowledge, place: Place, node: Node):
        self._knowledge, self._place, self._node = knowledge, place, node

    def __len__(self) -> int:
        return len(self._node)

    def __getitem__(self, number: Any) -> Any:
        (state, known), child = self._place, self._node.child(range(len(self))[number])
        return child, self._knowledge.after(known, state, self._node.moves[number], child)


def refuse_remembering(engine: Engine) -> None:
    """Raises `DoesNotApply` for a game whose end depends on more than positions."""
    if engine.game.remembers:
        raise DoesNotApply(f"no equilibrium is computed of {engine.game.title}: its end depends on the game so far")
