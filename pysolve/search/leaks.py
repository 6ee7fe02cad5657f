"""Secrets that legal moves tell: two histories that a player cannot tell apart, with different legal moves.

In: an engine, and histories to look along.  Out: `Leak`s.  Along a history the states are kept, for each player, in
which the game may be by all that the player knows.  Where the player chooses, the same moves must be legal in all of
them, or whoever is asked for a move learns what nobody has shown.  Of more than `MOST` such states some are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pysolve.dsl.notation import move_text
from pysolve.engines.protocol import Engine, Move, Node, State
from pysolve.search.information import first, observe

MOST = 60  # states that a player holds possible, of those that are looked at
LOOKS = 30_000  # at moves, in all histories together

Path = tuple["Path | None", State, Move]  # the moves before, a state, and the move that is made in it
Ways = dict[State, "Path | None"]  # states, each with one of the histories that lead there


@dataclass(frozen=True, slots=True)
class Leak:
    """A player who cannot tell two histories apart, and a move that is legal after the first of them alone.

    `alike` is None; or another legal move after the first history, which the player could not tell from this one,
    though they have different effects: then there is no second history.
    """

    player: int
    first: tuple[tuple[State, Move], ...]
    second: tuple[tuple[State, Move], ...]
    move: Move
    alike: Move | None = None


def leaks(engine: Engine, starts: Sequence[State], histories: Sequence[Sequence[Move]]) -> Iterator[Leak]:
    """The leaks along histories, each the moves from the state in `starts` that stands at its place.

    A history may begin in any of the starts, for all that a player knows who sees the same of them.  A player is told
    of once.
    """
    search = _Search(engine, tuple(dict.fromkeys(starts)))
    for start, moves in zip(starts, histories, strict=True):
        yield from search.along(start, moves)


class _Search:
    def __init__(self, engine: Engine, starts: Sequence[State]):
        self._engine, self._starts = engine, starts
        self._left = LOOKS
        self._rng = Random(1)
        self._told: set[int] = set()  # players whose leak is known
        self._nodes: dict[State, Node] = {}

    def along(self, start: State, moves: Sequence[Move]) -> Iterator[Leak]:
        """The leaks along one history."""
        engine, players = self._engine, self._engine.game.players.values()
        held: dict[int, Ways] = {}
        for player in players:
            seen = first(engine, start, player)
            held[player] = {state: None for state in self._starts if first(engine, state, player) == seen}
        state = start
        path: Path | None = None
        for number in range(len(moves) + 1):
            mover, node = state[0], self._node(state)
            if node.payoff is None and node.weights is None and mover not in self._told:
                leak = self._leak(mover, state, path, held[mover])
                if leak is not None:
                    self._told.add(mover)
                    yield leak
            if number == len(moves) or moves[number] not in node.moves or self._left <= 0:
                return
            after = node.child(list(node.moves).index(moves[number]))
            for player in players:
                noticed = observe(engine, state, moves[number], after, player)
                if noticed and player not in self._told:
                    held[player] = self._after(held[player], noticed, player)
            state, path = after, (path, state, moves[number])

    def _node(self, state: State) -> Node:
        if state not in self._nodes:
            if len(self._nodes) > LOOKS:
                self._nodes.clear()
            self._nodes[state] = self._engine.expand(state)
        return self._nodes[state]

    def _steps(self, state: State, path: Path | None, player: int) -> Iterator[tuple[bytes, State, Path]]:
        """What a player notices of each move that is possible, and where it leads."""
        node = self._node(state)
        for move, child in zip(node.moves, node.children(), strict=True):
            self._left -= 1
            yield observe(self._engine, state, move, child, player), child, (path, state, move)

    def _closed(self, ways: Ways, player: int) -> Ways:
        """The states, and those that moves lead to which the player does not notice."""
        found, todo = dict(ways), list(ways)
        for state in todo:
            if len(found) >= 4 * MOST or self._left <= 0:
                break
            for noticed, child, path in self._steps(state, found[state], player):
                if not noticed and child not in found:
                    found[child] = path
                    todo.append(child)
        return found

    def _after(self, ways: Ways, noticed: bytes, player: int) -> Ways:
        """The states in which the game may be after the player has noticed something."""
        found: Ways = {}
        for state, before in self._closed(ways, player).items():
            if self._left <= 0:
                break
            for told, child, path in self._steps(state, before, player):
                if told == noticed:
                    found.setdefault(child, path)
        if len(found) > MOST:
            found = {state: found[state] for state in self._rng.sample(sorted(found), MOST)}
        return found

    def _leak(self, player: int, state: State, path: Path | None, ways: Ways) -> Leak | None:
        """What the legal moves of a state tell the player, who holds others possible."""
        engine, node = self._engine, self._node(state)
        legal, history = set(node.moves), _history(path)
        for other, its in self._closed(ways, player).items():
            there = self._node(other)
            if other == state or other[0] != player or there.payoff is not None or there.weights is not None:
                continue
            if only := sorted(legal - set(there.moves)):
                return Leak(player, history, _history(its), only[0])
            if only := sorted(set(there.moves) - legal):
                return Leak(player, _history(its), history, only[0])
        noticed: dict[bytes, tuple[Move, State]] = {}
        for move, child in zip(node.moves, node.children(), strict=True):
            seen = observe(engine, state, move, child, player)
            alike, after = noticed.setdefault(seen, (move, child))
            if after != child:
                return Leak(player, history, (), move, alike)
        return None


def _history(path: Path | None) -> tuple[tuple[State, Move], ...]:
    found = []
    while path is not None:
        path, state, move = path
        found.append((state, move))
    return tuple(found[::-1])


def history_text(engine: Engine, history: Sequence[tuple[State, Move]]) -> str:
    """The moves of a history, as `X b2, O b2`."""
    game = engine.game
    told = (f"{game.players.label(state[0])} {move_text(game, move)}" for state, move in history)
    return ", ".join(told) or "the beginning"
