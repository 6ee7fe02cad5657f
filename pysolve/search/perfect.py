"""Best play where the rest of a game is small enough to be solved.

In: an engine and the states of a game as it goes on.  Out: the index of a best move, or None while too many positions
can be reached: a win in as few moves as possible; otherwise a draw; otherwise a loss in as many as possible.

In a game of one player a solution is then sought by proof-number search, which need not be a shortest one.
"""

from __future__ import annotations

from collections import deque

from pysolve.engines.protocol import Engine, State
from pysolve.search.proof_number import TableFull, prove
from pysolve.search.retrograde import Table, TooManyStates, retrograde

NEAR = 10_000  # positions that are searched for the current one, after a move of the player
VISITS = 10  # of proof-number search, for each position that may be kept


def best_move(table: Table, number: int, mover: int) -> int:
    """The index of the first best move of a position: one that wins soonest, or draws, or loses latest."""
    sign = 1 if mover == 1 else -1  # values are for the first player

    def worth(child: int) -> tuple[int, int]:
        value = sign * table.values[child]
        return value, -value * table.distances[child]

    children = table.children(number)
    return max(range(len(children)), key=lambda index: worth(children[index]))


class Perfect:
    """Solves the game as soon as few enough positions can be reached, and then follows it in the solved table."""

    def __init__(self, engine: Engine, states: int):
        self.engine = engine
        self._states = states
        self._table: Table | None = None
        self._last: tuple[State, int] | None = None  # a position of the game, and its number in the table
        self._plan: dict[State, int] = {}  # of a puzzle: what proof-number search has found

    def best(self, state: State) -> int | None:
        """The index of the first best move; None if more positions can be reached than may be kept."""
        if state in self._plan:
            return self._plan[state]
        number = self._found(state)
        if number is None:
            try:
                self._table = retrograde(self.engine, state, self._states)
            except TooManyStates:
                return self._in_a_solution(state) if len(self.engine.game.players.labels) == 1 else None
            number = 0
        table = self._table
        assert table is not None
        node = self.engine.expand(state)
        index = best_move(table, number, state[0])
        self._last = node.child(index), table.children(number)[index]
        return index

    def _in_a_solution(self, state: State) -> int | None:
        """The index of a move of a solution; None if none was found."""
        try:
            found = prove(self.engine, state, 1, self._states, VISITS * self._states)
        except TableFull:
            return None
        self._plan = found.plan if found.wins else {}
        return self._plan.get(state)

    def _found(self, state: State) -> int | None:
        """The number of a position that follows the last one in the table; None in another game."""
        if self._table is None or self._last is None:
            return None
        waiting, seen = deque([self._last]), {self._last[0]}
        while waiting and len(seen) < NEAR:
            here, number = waiting.popleft()
            if here == state:
                return number
            for child, its in zip(self.engine.expand(here).children(), self._table.children(number), strict=True):
                if child not in seen:
                    seen.add(child)
                    waiting.append((child, its))
        return None
