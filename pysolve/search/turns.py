"""Whole turns: what a player does until the mover changes or the game ends.

In: an engine and a state.  Out: the ways to play a turn, the states that they lead to, their number, a random one.

A turn of many small moves can be played in very many orders, which lead to far fewer positions: ten pieces that act
once each have millions of orders.  So only `turns` enumerates the orders; everything else expands each state once.
Nothing here is recursive, so turns may be long.  A finished game has no turns; a forced pass is a move, and so a turn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

from pysolve.engines.protocol import Engine, EngineError, Move, State
from pysolve.runtime import validation

KEPT = 10_000  # positions whose expansion `turns` caches: other orders reach them again soon
LONGEST = 10_000  # moves in a random turn, after which it is taken to be endless

Tick = Callable[[], None]


class EndlessTurn(EngineError):
    """A turn that can return to a position within itself, so that there are infinitely many ways to play it."""

    def __init__(self) -> None:
        super().__init__(
            "a player can return to the same position within one turn, so there are infinitely many turns; "
            "only the positions after them can be listed"
        )


class Way(NamedTuple):
    """One way to play a turn: its moves, and the state after each of them."""

    moves: tuple[Move, ...]
    states: tuple[State, ...]


@runtime_checkable
class TurnEngine(Protocol):
    """Optional methods of an engine that answers faster than one position at a time.

    This module calls them on an engine that has both, and computes the same answers, in the same order, for any other.
    """

    def turn_positions(self, state: State) -> Iterator[State]:
        """The distinct states that a turn can lead to, in the order of the function `turn_positions`."""

    def count_turns(self, state: State) -> int:
        """The number of ways to play a turn; raises `EndlessTurn` if there are infinitely many."""


class Sequences(Protocol):
    """Counts sequences of whole turns, at least one, for one question after another."""

    def count(self, state: State, turns: int, tick: Tick) -> int:
        """The number of sequences of `turns` whole turns, at least one; raises `EndlessTurn`."""


@runtime_checkable
class SequenceEngine(Protocol):
    """An optional method of an engine that counts sequences of whole turns fast."""

    def sequences(self) -> Sequences:
        """A new counter, which remembers what it counted."""


@runtime_checkable
class RememberingTurnEngine(Protocol):
    """An optional method of an engine that counts sequences of turns where endings ask for repetitions."""

    def turns_after(
        self,
        state: State,
        turns: int,
        played: int,
        seen: Mapping[State, int],
        tick: Callable[[int], None] | None = None,
    ) -> list[int] | None:
        """The number of sequences of `turns` whole turns, by their first moves in canonical order.

        `played` turns were played before, in which each state occurred as often as `seen` says, this one included.
        None where that would take too long in this way; `tick` is called with each number newly counted.  Raises
        `EndlessTurn`.
        """


def turns(engine: Engine, state: State) -> Iterator[Way]:
    """All ways to play a turn, in canonical order of their moves; raises `EndlessTurn` if one returns to a position."""
    node = validation.engine(engine).expand(state)
    mover, expand = state[0], lru_cache(KEPT)(engine.expand)
    path: dict[State, Move] = {state: ()}  # the states on the way, with the moves that led to them
    rest = [zip(node.moves, node.children(), strict=True)]  # what is still to be tried in each of them
    while rest:
        for move, child in rest[-1]:
            if child in path:
                raise EndlessTurn
            if child[0] == mover and len(node := expand(child)):
                path[child] = move
                rest.append(zip(node.moves, node.children(), strict=True))
                break
            yield Way((*path.values(), move)[1:], (*path, child)[1:])
        else:
            rest.pop()
            path.popitem()


def turn_positions(engine: Engine, state: State) -> Iterator[State]:
    """The distinct states that a turn can lead to, depth first, each where canonical order first reaches it."""
    validation.engine(engine)
    return engine.turn_positions(state) if isinstance(engine, TurnEngine) else _turn_positions(engine, state)


def _turn_positions(engine: Engine, state: State) -> Iterator[State]:
    rest = [engine.expand(state).children()]
    mover, met = state[0], {state}
    while rest:
        for child in rest[-1]:
            if child in met:
                continue
            met.add(child)
            if child[0] == mover and len(node := engine.expand(child)):
                rest.append(node.children())
                break
            yield child
        else:
            rest.pop()


def count_turns(engine: Engine, state: State, tick: Tick = lambda: None) -> int:
    """The number of ways to play a turn; raises `EndlessTurn` if a turn can return to a position."""
    return TurnCounter([validation.engine(engine)], validation.callback("tick", tick)).count(state)


def sample_turn(engine: Engine, state: State, chance: random.Random) -> Way:
    """A random turn, each move drawn uniformly from the legal ones; raises `IndexError` if the game is over."""
    validation.engine(engine)
    validation.instance("chance", chance, random.Random, "a random.Random")
    moves, states = list[Move](), list[State]()
    node, mover = engine.expand(state), state[0]
    while len(node):
        if len(moves) == LONGEST:
            raise EndlessTurn
        index = chance.randrange(len(node))
        state = node.child(index)
        moves.append(node.moves[index])
        states.append(state)
        if state[0] != mover:
            break
        node = engine.expand(state)
    if not moves:
        raise IndexError("the game is over: there is no turn to choose")
    return Way(tuple(moves), tuple(states))


class TurnCounter:
    """Counts sequences of whole turns; each state is expanded once, the orders are never listed.

    `engines` has an engine for each turn of the sequence, usually the same one: an ending may ask how many turns were
    played.  `tick` is called at each expansion.  With `asking`, an engine that can count counts the last turn, or all
    the turns at the end of the sequence that are its own.
    """

    def __init__(self, engines: Sequence[Engine], tick: Tick = lambda: None, asking: bool = True):
        self._engines = engines
        self._tick = tick
        self._last = engines[-1] if asking and engines and isinstance(engines[-1], TurnEngine) else None
        # What counts by itself, and the number of turns after which all are of that engine.
        self._sequences: Sequences | None = None
        if asking and engines and isinstance(engines[-1], SequenceEngine):
            self._sequences = engines[-1].sequences()
        self._own = max((turn + 1 for turn, engine in enumerate(engines) if engine is not engines[-1]), default=0)
        # For each number of turns played before: in how many ways the others can be played from a state.
        self._known: list[dict[State, int]] = [{} for _ in engines]

    def count(self, state: State) -> int:
        """The number of sequences; raises `EndlessTurn` if a turn can return to a position."""
        return self._count(0, state) if self._engines else 1

    def divide(self, state: State) -> list[int]:
        """The number of sequences by first move, in canonical order; raises `EndlessTurn` as `count` does."""
        found = []
        for child in self._engines[0].expand(state).children():
            then = int(child[0] != state[0])
            if then < len(self._engines):
                self._count(then, child)
            found.append(self._after(0, state, child))
        return found

    def _count(self, played: int, state: State) -> int:
        """The number of sequences that go on from a state after `played` complete turns."""
        open_: dict[tuple[int, State], list[State]] = {}  # the way to the last of `todo`, with what follows each
        todo = [(played, state)]
        while todo:
            place = turn, before = todo[-1]
            if before in self._known[turn]:
                todo.pop()
            elif place in open_:
                self._known[turn][before] = sum(self._after(turn, before, child) for child in open_.pop(place))
            elif self._last is not None and turn + 1 == len(self._engines):
                self._tick()
                self._known[turn][before] = self._last.count_turns(before)
            elif self._sequences is not None and turn >= self._own:
                self._known[turn][before] = self._sequences.count(before, len(self._engines) - turn, self._tick)
            else:
                self._tick()
                open_[place] = children = list(self._engines[turn].expand(before).children())
                for child in children:
                    then = turn + (child[0] != before[0])
                    if (then, child) in open_:
                        raise EndlessTurn
                    if then < len(self._engines) and child not in self._known[then]:
                        todo.append((then, child))
        return self._known[played][state]

    def _after(self, played: int, before: State, child: State) -> int:
        """The number of sequences that go on with the move from `before` to `child`, which is counted already."""
        last = played + 1 == len(self._engines)
        if child[0] != before[0]:
            return 1 if last else self._known[played + 1][child]
        known = self._known[played][child]
        return max(1, known) if last else known  # a turn within which the game ends is complete
