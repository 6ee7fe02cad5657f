"""Minimax: alpha-beta with iterative deepening, for any game.

In: an engine, a state, limits.  Out: the value for the player to move, the best line, how deep and how many positions.

    depth       moves to the horizon, where the `evaluate` block speaks; a finished game counts by its result
    table       what is known of positions searched at depth 2 and more, which are few and worth it; when it is full it
                is emptied, so that results never depend on its shape
    killers     for each ply the two moves that last cut off a search there
    history     how well each move has cut off, anywhere
    aspiration  the window around the last depth's value in which the next is looked for first

The mover may be the same after a move (`again`), so the sign of a value changes only where the mover does.  The native
engine runs the same search in C (dsl/to_c/runtime.c: visit), with the same value, line and number of nodes.

Sources: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975); S. G. Akl and
M. M. Newborn, The Principal Continuation and the Killer Heuristic, ACM 1977; J. Schaeffer, The History Heuristic and
Alpha-Beta Search Enhancements in Practice, IEEE PAMI 11 (1989).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from dsl.codes import move_codes
from dsl.players import DEEPEST
from pysolve.engine import Engine, Move, Node, State

WIN = 1_000_000  # a win now; each move later is worth one less
ENTRIES = 1 << 19  # positions that a table holds
HISTORY_BITS = 20  # moves whose numbers are longer have no history
WINDOW = 25  # the least width of an aspiration window, on each side
WHOLE = (-4 * WIN, 4 * WIN)  # a window that holds every value
EXACT, LOWER, UPPER = 0, 1, 2  # what is known of a value: itself, or a bound

Value = Callable[[State], int]  # an estimate for the player to move, smaller than WIN


@dataclass(frozen=True, slots=True)
class Result:
    """What a search has found.

    `value` is for the player to move; `WIN` and more is a win for sure, -WIN and less a loss.  `line` is the best play
    for both, from the state searched; it may end before the horizon where the table knew the rest.
    """

    value: int
    line: tuple[Move, ...]
    depth: int  # of the last search that was finished
    nodes: int  # in all of them
    seconds: float = 0.0

    @property
    def best(self) -> Move | None:
        """The best move; None if the game is over."""
        return self.line[0] if self.line else None

    @property
    def moves_to_end(self) -> int | None:
        """In how many moves the game ends by force; None if that is not known."""
        return self.depth - (abs(self.value) - WIN) if abs(self.value) >= WIN else None


class Visit(NamedTuple):
    """The value of a state at one depth, the line to it, and how many positions it took."""

    value: int
    line: tuple[Move, ...]
    nodes: int


class Stopped(Exception):
    """A limit was reached before a depth was finished, after so many nodes."""

    def __init__(self, nodes: int):
        super().__init__()
        self.nodes = nodes


class Searcher(Protocol):
    """Searches to one depth after another; what it learns from one helps with the next."""

    def visit(
        self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None
    ) -> Visit:
        """Searches within a window of values; raises `Stopped` after so many nodes, or at that time.monotonic()."""


@runtime_checkable
class SearchingEngine(Protocol):
    """An engine that brings a searcher of its own."""

    def searcher(self, entries: int, threads: int = 1) -> Searcher: ...


def minimax(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    value: Value | None = None,
    report: Callable[[Result], None] | None = None,
    entries: int = ENTRIES,
    interruptible: bool = True,
    threads: int = 1,
) -> Result:
    """The best line of play from a state, deeper and deeper until a limit is reached.

    At least one of the limits `depth`, `nodes` and `seconds` must be given.  With `depth` or `nodes` the result is the
    same on every engine and machine.  `value` is an estimate for the player to move, by default the `evaluate` block.
    `report` hears of each depth that is finished.  With several `threads`, on an engine that has its own search, the
    value of a depth is the same, but line and number of nodes may differ from run to run.  Ctrl-C ends the search with
    what it has found so far, if it has finished depth 1 and is `interruptible`.
    """
    if depth is None and nodes is None and seconds is None:
        raise ValueError("a search needs a limit: depth, nodes or seconds")
    if isinstance(engine, SearchingEngine) and value is None:
        searcher = engine.searcher(entries, threads)
    else:
        searcher = PythonSearcher(engine, value or _estimate_of(engine), entries)
    began = time.monotonic()
    until = None if seconds is None else began + seconds
    node = engine.expand(state)
    if node.payoff is not None:
        return Result(node.payoff[state[0] - 1] * WIN, (), 0, 1)
    found, total = Result(0, tuple(node.moves[:1]), 0, 0), 0
    for now in range(1, min(depth or DEEPEST, DEEPEST) + 1):
        try:
            visit, total = _deepen(searcher, state, now, found, total, nodes, until)
        except (Stopped, KeyboardInterrupt) as stop:
            if isinstance(stop, Stopped):
                total = stop.nodes
            elif not (found.depth and interruptible):
                raise
            break
        found = Result(visit.value, visit.line, now, total, time.monotonic() - began)
        if report is not None:
            report(found)
        if abs(found.value) >= WIN or (len(node) == 1 and depth is None):
            break  # what is certain, or forced, needs no deeper look
    return Result(found.value, found.line, found.depth, total, time.monotonic() - began)


def _deepen(
    searcher: Searcher, state: State, depth: int, before: Result, total: int, nodes: int | None, until: float | None
) -> tuple[Visit, int]:
    """One depth: first in a window around the last value, then, if the value lies outside, in the whole range."""
    margin = WINDOW + abs(before.value) // 8
    windows = [(before.value - margin, before.value + margin), WHOLE] if depth > 1 else [WHOLE]
    for alpha, beta in windows:
        try:
            visit = searcher.visit(state, depth, alpha, beta, None if nodes is None else nodes - total, until)
        except Stopped as stop:
            raise Stopped(stop.nodes + total) from None
        total += visit.nodes
        if alpha < visit.value < beta:
            break
    return visit, total


def _estimate_of(engine: Engine) -> Value:
    return lambda state: engine.estimate(state)[state[0] - 1]


class _Entry(NamedTuple):
    depth: int
    bound: int
    value: int
    best: int  # the place of the best move


class PythonSearcher:
    """The search in its readable form, over any engine."""

    def __init__(self, engine: Engine, value: Value, entries: int):
        self._engine = engine
        self._value = value
        self._entries = entries
        self._table: dict[State, _Entry] = {}
        self._killers: list[list[Move | None]] = [[None, None] for _ in range(DEEPEST + 1)]
        self._history: dict[Move, int] = {}
        self._ordered = move_codes(engine.game).bits <= HISTORY_BITS
        self._line: list[tuple[Move, ...]] = [()] * (DEEPEST + 2)
        self._nodes = 0
        self._limit: int | None = None
        self._until: float | None = None

    def visit(
        self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None
    ) -> Visit:
        self._nodes, self._limit, self._until = 0, nodes, until
        value = self._visit(state, depth, alpha, beta, 0)
        return Visit(value, self._line[0], self._nodes)

    def _visit(self, state: State, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a state for the player to move, as far as it lies between alpha and beta."""
        self._line[ply] = ()
        self._count()
        best = -1
        known = self._table.get(state) if depth > 1 else None
        if known is not None:
            best = known.best
            if known.depth == depth and ply and (
                known.bound == EXACT
                or (known.bound == LOWER and known.value >= beta)
                or (known.bound == UPPER and known.value <= alpha)
            ):  # fmt: skip
                return known.value
        node = self._engine.expand(state)
        if node.payoff is not None:
            return node.payoff[state[0] - 1] * (WIN + depth)
        if depth == 0:
            return self._value(state)
        value, floor, moves = -4 * WIN, alpha, node.moves
        for index in self._order(node, best, ply):
            child = node.child(index)
            if child[0] == state[0]:
                score = self._visit(child, depth - 1, floor, beta, ply + 1)
            else:
                score = -self._visit(child, depth - 1, -beta, -floor, ply + 1)
            if score <= value:
                continue
            value, best = score, index
            if score > floor:
                floor = score
                self._line[ply] = (moves[index], *self._line[ply + 1])
                if score >= beta:
                    self._cuts_off(moves[index], depth, ply)
                    break
        bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        if depth > 1:
            self._keep(state, _Entry(depth, bound, value, best))
        return value

    def _count(self) -> None:
        if self._nodes == self._limit:
            raise Stopped(self._nodes)
        self._nodes += 1
        if self._until is not None and self._nodes % 64 == 0 and time.monotonic() > self._until:
            raise Stopped(self._nodes)

    def _order(self, node: Node, best: int, ply: int) -> list[int]:
        """The places of the moves: what the table says, killers, by history, and the rest as they come."""
        first, second = self._killers[ply]
        promise = []
        for index, move in enumerate(node.moves):
            if index == best:
                promise.append(3 << 61)
            elif move == first:
                promise.append(2 << 61)
            elif move == second:
                promise.append(1 << 61)
            else:
                promise.append(self._history.get(move, 0) if self._ordered else 0)
        return sorted(range(len(promise)), key=lambda index: -promise[index])

    def _cuts_off(self, move: Move, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != move:
            killers[:] = [move, killers[0]]
        self._history[move] = self._history.get(move, 0) + depth * depth

    def _keep(self, state: State, entry: _Entry) -> None:
        if len(self._table) >= self._entries and state not in self._table:
            self._table.clear()
        self._table[state] = entry
