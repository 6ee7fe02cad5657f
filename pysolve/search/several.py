"""The best lines of play, one for each of the best moves: minimax that ranks the moves of a position.

In: an engine, a state, how many lines, limits.  Out: for each line its value, its moves and its depth, the best first.

Each depth searches the moves one after the other.  As soon as as many have exact values as lines are wanted, a move
that cannot be worth more than the last of these fails low at once (alpha-beta at the root, with the value of the last
line for alpha).  The moves of a depth are tried in the order that the depth before has found.  Values are those of
`pysolve.search.minimax`: the first line has the value that minimax finds.  Where each player plays for themselves
(`pysolve.search.maxn`) no bound holds, and every move has its exact value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pysolve.dsl.language.constants import DEEPEST
from pysolve.engines.protocol import Engine, Move, State
from pysolve.runtime import validation
from pysolve.search.maxn import each_searcher_of
from pysolve.search.minimax import Result, searcher_of
from pysolve.search.searcher import WHOLE, Horizon, Searcher, Stopped, decides

Lines = list[Result]  # the best first


class _Found(NamedTuple):
    """The value of a move for the player who makes it, and the expected line of play."""

    value: int
    place: int  # among the legal moves
    line: tuple[Move, ...]


def several(
    engine: Engine,
    state: State,
    lines: int,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Callable[[Lines], None] | None = None,
    entries: int | None = None,
    threads: int = 1,
    moves: Sequence[int] | None = None,
    each: bool = False,
) -> Lines:
    """The best lines of play, each from another first move, deeper and deeper until a limit is reached.

    There are as many as wanted, or as there are moves; none if the game is over.  At least one of the limits must be
    given.  `moves` are the indices of the legal moves that are considered, by default all; `each` says that every
    player plays for themselves, and not all others against the one who moves.  `report` is called with the lines of
    each finished depth; those of a depth that a limit ends do not count, unless it is the first.
    Raises `TypeError`, `ValueError` or `InvalidState` for invalid arguments.
    """
    node = validation.engine(engine).expand(state)
    lines = validation.whole("lines", lines, 1)
    depth, nodes = validation.whole_or_none("depth", depth, 1), validation.whole_or_none("nodes", nodes, 1)
    seconds, report = validation.seconds(seconds), validation.callback("report", report)
    if depth is None and nodes is None and seconds is None:
        raise ValueError("a search needs a limit: depth, nodes or seconds")
    tried = list(range(len(node))) if moves is None else [validation.place(one, len(node)) for one in moves]
    if not tried or node.payoff is not None:
        return []
    if each:
        searcher = each_searcher_of(engine, entries)
    else:
        searcher = searcher_of(engine, entries, threads, Horizon(player=state[0]))
    ranking = _Ranking(engine, state, searcher, lines, nodes, seconds, each)
    found = Lines()
    for now in range(1, min(depth or DEEPEST, DEEPEST) + 1):
        try:
            tried = ranking.rank(tried, now)
        except Stopped:
            return found or ranking.results(now)
        found = ranking.results(now)
        if report is not None:
            report(found)
        if all(decides(one.value, engine.game) for one in found):
            break
    return found


class _Ranking:
    """The moves of a position, in the order of what they are worth, depth by depth."""

    def __init__(
        self,
        engine: Engine,
        state: State,
        searcher: Searcher,
        lines: int,
        nodes: int | None,
        seconds: float | None,
        each: bool = False,
    ):
        self._each = each
        self._state, self._searcher, self._lines, self._limit = state, searcher, lines, nodes
        node = engine.expand(state)
        self._moves, self._children = node.moves, list(node.children())
        self._began = time.monotonic()
        self._until = None if seconds is None else self._began + seconds
        self._nodes = 0
        self._best: list[_Found] = []

    def rank(self, tried: Sequence[int], depth: int) -> list[int]:
        """The moves in the order of this depth, those of the lines first; raises `Stopped` at a limit."""
        self._best, rest = [], list[int]()
        for index in tried:
            worst = self._best[-1].value if len(self._best) == self._lines else WHOLE[0]
            one = self._visit(index, depth, worst)
            if one.value <= worst:
                rest.append(index)
                continue
            self._best = sorted([*self._best, one], key=lambda found: -found.value)
            rest += [last.place for last in self._best[self._lines :]]
            del self._best[self._lines :]
        return [one.place for one in self._best] + rest

    def _visit(self, index: int, depth: int, worst: int) -> _Found:
        """The value of a move; exact if it is greater than `worst`, otherwise an upper bound."""
        child = self._children[index]
        mine = child[0] == self._state[0]
        if self._each:
            alpha, beta = WHOLE
        else:
            alpha, beta = (worst, WHOLE[1]) if mine else (WHOLE[0], -worst)
        left = None if self._limit is None else self._limit - self._nodes
        try:
            visit = self._searcher.visit(child, depth - 1, alpha, beta, left, self._until)
        except Stopped as stop:
            self._nodes += stop.nodes
            raise
        self._nodes += visit.nodes
        if self._each:
            return _Found(visit.values[self._state[0] - 1], index, (self._moves[index], *visit.line))
        return _Found(visit.value if mine else -visit.value, index, (self._moves[index], *visit.line))

    def results(self, depth: int) -> Lines:
        """The lines of the deepest search so far."""
        seconds = time.monotonic() - self._began
        return [Result(one.value, one.line, depth, self._nodes, seconds) for one in self._best]
