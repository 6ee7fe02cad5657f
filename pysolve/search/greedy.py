"""Greedy: the move, or the whole turn, after which the `evaluate` block says most.

In: an engine, a state, what was played before.  Out: the value of each move for the player to move; or the best states
after the turn, and the moves that lead to one of them.  A game that is won counts more than any estimate, one that is
lost less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pysolve.engine import Engine, Move, State
from pysolve.many import estimate_many, expand_many
from pysolve.search.minimax import WIN
from pysolve.search.past import Past, payoff
from pysolve.turns import turn_positions

_NO_PAST = Past()


def worths(engine: Engine, before: State, states: Sequence[State], past: Past = _NO_PAST) -> list[int]:
    """The value of states that the player to move can reach, for that player, without looking further."""
    mover, found = before[0], list[int | None]()
    for state, node in zip(states, expand_many(engine, states), strict=True):
        turns = past.turns + (state[0] != mover)
        result = payoff(engine, state, node, turns, past.seen.get(engine.game.identity(state), 0) + 1)
        found.append(None if result is None else result[mover - 1] * WIN)
    open_ = [state for state, value in zip(states, found, strict=True) if value is None]
    estimates = iter(estimate_many(engine, open_))
    return [next(estimates)[mover - 1] if value is None else value for value in found]


def values(engine: Engine, state: State, past: Past = _NO_PAST) -> list[int]:
    """The value of each legal move, in canonical order."""
    return worths(engine, state, list(engine.expand(state).children()), past)


def best_turn_positions(engine: Engine, state: State, past: Past = _NO_PAST) -> list[State]:
    """The states of the highest value that the turn can lead to, as they are first met."""
    ends = list(turn_positions(engine, state))
    found = worths(engine, state, ends, past)
    highest = max(found)
    return [after for value, after in zip(found, ends, strict=True) if value == highest]


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
