"""Best play where the rest of a game is small enough to be solved.

In: an engine and the states of a game as it goes on.  Out: the index of a best move, or None while too many positions
can be reached: a win in as few moves as possible; otherwise a draw; otherwise a loss in as many as possible.

In a game of one player a solution is then sought by proof-number search, which need not be a shortest one.
"""

from __future__ import annotations

from collections.abc import Iterable

from pysolve.engines.protocol import Engine, State
from pysolve.search.proof_number import TableFull, prove
from pysolve.search.retrograde import Table, TooManyStates, retrograde

VISITS = 10  # of proof-number search, for each position that may be kept


def best_move(table: Table, mover: int, children: Iterable[State]) -> int:
    """The index of the first best move: one that wins soonest, or draws, or loses latest; `children` are all moves'."""
    sign = 1 if mover == 1 else -1  # values are for the first player

    def worth(child: State) -> tuple[int, int]:
        found = table.worth(child)
        assert found is not None
        return sign * found.value, -sign * found.value * found.distance

    worths = [worth(child) for child in children]
    return worths.index(max(worths))


class Perfect:
    """Solves the game as soon as few enough positions can be reached, and then follows it in the solved table."""

    def __init__(self, engine: Engine, states: int):
        self.engine = engine
        self._states = states
        self._table: Table | None = None
        self._plan: dict[State, int] = {}  # of a puzzle: what proof-number search has found

    def best(self, state: State) -> int | None:
        """The index of the first best move; None if more positions can be reached than may be kept."""
        if state in self._plan:
            return self._plan[state]
        if self._table is None or self._table.place(state) is None:
            try:
                self._table = retrograde(self.engine, state, self._states)
            except TooManyStates:
                return self._in_a_solution(state) if len(self.engine.game.players.labels) == 1 else None
        return best_move(self._table, state[0], self.engine.expand(state).children())

    def _in_a_solution(self, state: State) -> int | None:
        """The index of a move of a solution; None if none was found."""
        try:
            found = prove(self.engine, state, 1, self._states, VISITS * self._states)
        except TableFull:
            return None
        self._plan = found.plan if found.wins else {}
        return self._plan.get(state)
