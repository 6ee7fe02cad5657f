"""Greedy: the move, or the whole turn, after which the value of the `evaluate` block is highest.

In: an engine, a state, the history.  Out: the value of each move for the player to move; or the best turn; or for each
move the turn that begins with it, and its value after some replies, where every turn is the best one of its player.  A
won game counts more than any estimate, a lost one less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random

from pysolve.dsl.language.constants import WIN
from pysolve.dsl.player_texts import LOT
from pysolve.engines.protocol import Engine, Move, Node, State, refuse_secrets
from pysolve.search.batch import estimate_many, expand_many
from pysolve.search.history import History, payoff
from pysolve.search.ties import preferred
from pysolve.search.turns import Way, turn_positions

_NO_HISTORY = History()

Order = Callable[[Sequence[Move]], Sequence[int]]  # moves -> their indices, in the order in which they are tried


def worths(engine: Engine, before: State, states: Sequence[State], history: History = _NO_HISTORY) -> list[int]:
    """The value of states that the player to move can reach, for that player, without looking further."""
    return _worths(engine, before[0], [(state, history.turns + (state[0] != before[0])) for state in states], history)


def _worths(engine: Engine, player: int, reached: Sequence[tuple[State, int]], history: History) -> list[int]:
    """The value of (state, turns) pairs for a player; `turns` counts from the beginning of the game."""
    refuse_secrets(engine.game, "greedy")
    states, found = [state for state, _ in reached], list[int | None]()
    for (state, turns), node in zip(reached, expand_many(engine, states), strict=True):
        result = _result(engine, state, node, turns, history)
        found.append(None if result is None else result[player - 1] * WIN)
    open_ = [state for state, value in zip(states, found, strict=True) if value is None]
    estimates = iter(estimate_many(engine, open_))
    return [next(estimates)[player - 1] if value is None else value for value in found]


def _result(engine: Engine, state: State, node: Node, turns: int, history: History) -> tuple[int, ...] | None:
    """The payoff of a state after `turns` turns of the whole game; None while the game goes on."""
    return payoff(engine, state, node, turns, history.seen.get(engine.game.identity(state), 0) + 1)


def values(engine: Engine, state: State, history: History = _NO_HISTORY) -> list[int]:
    """The value of each legal move, in canonical order."""
    return worths(engine, state, list(engine.expand(state).children()), history)


def best_turn_positions(engine: Engine, state: State, history: History = _NO_HISTORY) -> list[State]:
    """The states of the highest value that the turn can lead to, in the order of `turn_positions`."""
    ends = list(turn_positions(engine, state))
    found = worths(engine, state, ends, history)
    highest = max(found)
    return [after for value, after in zip(found, ends, strict=True) if value == highest]


def best_turn(engine: Engine, state: State, history: History, ties: str, rng: Random) -> Way:
    """A turn that leads to one of the states of the highest value.

    With ties=random one of these states is drawn; else each move is the one that `ties` prefers.
    """
    ends = best_turn_positions(engine, state, history)
    if ties == LOT:
        return way(engine, state, [rng.choice(ends)])
    return way(engine, state, ends, lambda moves: preferred(engine.game, moves, ties, rng))


def turns_with_replies(
    engines: Mapping[int, Engine], judge: Engine, state: State, replies: int, history: History, ties: str, rng: Random
) -> list[tuple[int, Way]]:
    """For each legal move the turn that begins with it, and the value of this turn after `replies` more turns.

    The rest of the turn and the replies, fewer if the game ends, are the best ones of their players, each by the engine
    of that player.  Then `judge` estimates the position for the player to move.
    """
    own, reached = list[Way](), list[tuple[State, int]]()
    node = judge.expand(state)
    for move, at in zip(node.moves, node.children(), strict=True):
        turn, turns = Way((move,), (at,)), history.turns + (at[0] != state[0])
        while turns <= history.turns + replies and _result(judge, at, judge.expand(at), turns, history) is None:
            rest = best_turn(engines[at[0]], at, History(turns, history.seen), ties, rng)
            if turns == history.turns:
                turn = Way(turn.moves + rest.moves, turn.states + rest.states)
            at = rest.states[-1]
            turns += 1
        own.append(turn)
        reached.append((at, turns))
    return list(zip(_worths(judge, state[0], reached, history), own, strict=True))


def way(engine: Engine, state: State, goals: Collection[State], order: Order | None = None) -> Way:
    """The moves of a turn that lead from a state to one of `goals`, which are some of its `turn_positions`.

    They are the first ones in an order of the moves, by default the canonical one, that visit no position twice.
    """
    mover, met, wanted = state[0], {state}, set(goals)
    rest = [_after(engine, state, order)]
    moves, states = list[Move](), list[State]()
    while True:
        for move, child in rest[-1]:
            if child in wanted:
                return Way((*moves, move), (*states, child))
            if child in met or child[0] != mover:
                continue
            met.add(child)
            if not wanted.isdisjoint(turn_positions(engine, child)):
                moves.append(move)
                states.append(child)
                rest.append(_after(engine, child, order))
                break
        else:
            rest.pop()
            moves.pop()
            states.pop()


def _after(engine: Engine, state: State, order: Order | None) -> Iterator[tuple[Move, State]]:
    """The legal moves and the positions after them, in the given order."""
    node = engine.expand(state)
    if order is None:
        return zip(node.moves, node.children(), strict=True)
    return ((node.moves[index], node.child(index)) for index in order(node.moves))
