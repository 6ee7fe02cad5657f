"""Greedy: the move, or the whole turn, after which the `evaluate` block says most.

In: an engine, a state, what was played before.  Out: the value of each move for the player to move; or the best states
after the turn, and the moves that lead to one of them.  A game that is won counts more than any estimate, one that is
lost less.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysolve.engine import Engine, Move, State
from pysolve.search.minimax import WIN
from pysolve.search.past import Past, payoff
from pysolve.turns import turn_positions

_NO_PAST = Past()


def worth(engine: Engine, state: State, mover: int, turns: int, past: Past = _NO_PAST) -> int:
    """The value of a state for a player, after so many turns, without looking further."""
    result = payoff(engine, state, engine.expand(state), turns, past.seen.get(engine.game.identity(state), 0) + 1)
    return engine.estimate(state)[mover - 1] if result is None else result[mover - 1] * WIN


def values(engine: Engine, state: State, past: Past = _NO_PAST) -> list[int]:
    """The value of each legal move, in canonical order."""
    children = engine.expand(state).children()
    return [worth(engine, child, state[0], past.turns + (child[0] != state[0]), past) for child in children]


def best_turn_positions(engine: Engine, state: State, past: Past = _NO_PAST) -> list[State]:
    """The states of the highest value that the turn can lead to, as they are first met."""
    found = [
        (worth(engine, after, state[0], past.turns + (after[0] != state[0]), past), after)
        for after in turn_positions(engine, state)
    ]
    highest = max(value for value, _ in found)
    return [after for value, after in found if value == highest]


def way(engine: Engine, state: State, goal: State) -> Iterator[tuple[State, Move]]:
    """The moves of a turn that lead from a state to one of `turn_positions`, each with the state it is played in.

    They are the first in canonical order, where no position within the turn comes back.
    """
    mover, met = state[0], {state}
    rest: list[tuple[State, Iterator[tuple[Move, State]]]] = [(state, _after(engine, state))]
    path: list[Move] = []
    while rest:
        for move, child in rest[-1][1]:
            if child == goal:
                path.append(move)
                yield from zip((before for before, _ in rest), path, strict=True)
                return
            if child in met or child[0] != mover:
                continue
            met.add(child)
            if goal in turn_positions(engine, child):
                path.append(move)
                rest.append((child, _after(engine, child)))
                break
        else:
            rest.pop()
            path.pop()


def _after(engine: Engine, state: State) -> Iterator[tuple[Move, State]]:
    node = engine.expand(state)
    return zip(node.moves, node.children(), strict=True)
