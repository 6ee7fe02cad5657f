"""Searches in C: the same as those of `pysolve.search`, with the same numbers."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from ctypes import c_longlong
from typing import Any

from pysolve import doors
from pysolve.dsl.model.player_texts import DEEPEST, EVALUATE, MAX
from pysolve.engine import LimitReached, State
from pysolve.engines.bindings import NO_ROOM, STOPPED, UNKNOWN, Asked, Functions, Question, occurrences
from pysolve.engines.memory import DEEP, padded, zeros
from pysolve.search.history import History, checked_history
from pysolve.search.maxn import Found, StoppedEach
from pysolve.search.mcts import DEEPEST as TREE_DEEPEST
from pysolve.search.mcts import LONGEST, Branch, Settings, bias_of, checked_settings, weight, weights
from pysolve.search.minimax import BEYOND, HISTORY_BITS, MARKS, Horizon, Stopped, Visit, checked_table, checked_visit

FEW = 1 << 17  # entries of the first table of a search; when half of them are taken, a greater one takes its place


class NativeSearcher:
    """The search of `pysolve.search.minimax` in C: the same values, lines and numbers of nodes.

    With more than one thread all search the same position: what one has found stands in the table that they share, and
    what one is searching the others leave for later.  The value of a depth stays the same; line and number of nodes may
    differ from run to run.
    """

    def __init__(self, engine: Asked, entries: int, threads: int, horizon: Horizon):
        entries, threads = checked_table(entries, threads)
        doors.instance("horizon", horizon, Horizon, "a Horizon")
        self._engine = engine
        self._player = horizon.player
        self._two = len(engine.game.players.labels) == 2
        self._by_turns = int(horizon.turns)
        self._kinds = sum(1 << kind for kind in horizon.quiet.kinds)
        self._captures = int(horizon.quiet.captures)
        self._back = (c_longlong * len(horizon.back))(*horizon.back)
        self._order = horizon.order
        self._tried = (c_longlong * len(horizon.order))(*horizon.order) if horizon.order else None
        self._functions = engine.functions  # the table's layout is this build's
        self._limit = entries
        self._table, self._slots = _table(self._functions, entries, threads)
        marks = MARKS if horizon.turns else 1
        self._workers = [_Worker(engine, self._functions, marks) for _ in range(threads)]
        self._busy = zeros(self._functions.busy_size())

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches in C, with all threads (see `pysolve.search.minimax.Searcher.visit`)."""
        self._engine.sound(state)
        nodes, until = checked_visit(depth, alpha, beta, nodes, until)
        if self._order and sorted(self._order) != list(range(len(self._engine.expand(state)))):
            raise ValueError("order must hold each index of the legal moves once")
        for worker in self._workers:
            worker.control = self._engine.control()
            if not self._two:
                self._functions.search_for(worker.search, self._player or state[0])
        first, *others = self._workers
        helping = [self._helping(one, state, depth, alpha, beta) for one in others]
        try:
            for one in helping:
                one.start()
            question = self._question(first, state, depth, alpha, beta, nodes)
            found = self._engine.answer(first.control, None, *question, until=until)
        finally:
            for worker in others:
                worker.control.stop = 1  # all of them, before one is waited for
            for one in helping:
                one.stop()
        visited = sum(one.control.nodes for one in self._workers)
        if found == NO_ROOM:
            raise LimitReached("out of memory: too many moves to search")
        control = first.control
        visit = Visit(control.low, tuple(map(self._engine.decode, first.line[: control.high])), visited)
        if found == STOPPED:
            raise Stopped(visited, visit if visit.line else None)
        self._engine.checked(found, control)
        return visit

    def _helping(self, worker: _Worker, state: State, depth: int, alpha: int, beta: int) -> Question:
        """The search of the same position by another worker, until it is stopped."""
        return Question(worker.control, *self._question(worker, state, depth, alpha, beta, None))

    def _question(
        self, worker: _Worker, state: State, depth: int, alpha: int, beta: int, nodes: int | None
    ) -> tuple[Any, ...]:
        """A function of the library and its arguments."""
        return (
            self._functions.search, state, depth, alpha, beta, -1 if nodes is None else nodes, worker.search,
            self._table, self._slots, self._limit, int(len(self._workers) > 1), self._busy, worker.history,
            worker.moves, worker.promises, DEEP, worker.line, self._by_turns, self._kinds,
            self._captures, worker.marks, worker.mark_slots, worker.mark_room,
            self._back, len(self._back), self._tried,
        )  # fmt: skip


def _table(functions: Functions, entries: int, threads: int) -> tuple[Any, int]:
    """Room for a table and the larger ones that take its place, and the number of slots of the first."""
    tables, size = _slots(entries, threads), functions.entry_size()
    return zeros(sum(tables) * size, small=min(tables[0], FEW) * size), tables[0]


def _slots(entries: int, threads: int) -> list[int]:
    """The slots of the first table, and of the larger ones that take its place."""
    most = 1 << (2 * entries - 1).bit_length()
    tables = [min(most, FEW) if threads == 1 else most]  # a small table is quicker, until it is full
    while tables[-1] < most:
        tables.append(min(8 * tables[-1], most))
    return tables


def table_bytes(functions: Functions, entries: int) -> int:
    """The memory for a table of so many positions, as far as it grows."""
    entries, threads = checked_table(entries, 1)
    size: int = functions.entry_size()
    return sum(_slots(entries, threads)) * size


class NativeEachSearcher:
    """The search of `pysolve.search.maxn` in C: the same values, lines and numbers of nodes."""

    def __init__(self, engine: Asked, entries: int, turns: bool, order: Sequence[int]):
        entries, _ = checked_table(entries, 1)
        self._engine = engine
        self._functions = engine.functions  # the table's layout is this build's
        self._by_turns, self._order, self._limit = turns, tuple(order), entries
        self._tried = (c_longlong * len(order))(*order) if order else None
        self._table, self._slots = _table(self._functions, entries, threads=1)
        self._worker = _Worker(engine, self._functions, MARKS if turns else 1)
        self._values = (c_longlong * len(engine.game.players.labels))()

    def values(self, state: State, depth: int, nodes: int | None, until: float | None) -> Found:
        """Searches in C (see `pysolve.search.maxn.EachSearcher.values`)."""
        self._engine.sound(state)
        doors.whole("depth", depth, 0, DEEPEST)
        nodes, until = doors.whole_or_none("nodes", nodes, 0), doors.moment(until)
        if self._order and sorted(self._order) != list(range(len(self._engine.expand(state)))):
            raise ValueError("order must hold each index of the legal moves once")
        worker = self._worker
        control = worker.control = self._engine.control()
        found = self._engine.answer(
            control, None, self._functions.search_each, state, depth, -1 if nodes is None else nodes, worker.search,
            self._table, self._slots, self._limit, worker.moves, DEEP, worker.line, int(self._by_turns), worker.marks,
            worker.mark_slots, worker.mark_room, self._tried, self._values, until=until,
        )  # fmt: skip
        if found == NO_ROOM:
            raise LimitReached("out of memory: too many moves to search")
        line = tuple(map(self._engine.decode, worker.line[: control.high]))
        made = Found(tuple(self._values), line, control.nodes)
        if found == STOPPED:
            raise StoppedEach(control.nodes, made if line else None)
        self._engine.checked(found, control)
        return made


class _Worker:
    """The memory that one thread of a search needs for itself."""

    def __init__(self, engine: Asked, functions: Functions, marks: int):
        self.control = engine.control()
        self.mark_room = marks
        bits = engine.codes.bits
        sizes = (marks * functions.mark_size(), 2 * marks * 4, functions.search_size(),
                 8 << bits if bits <= HISTORY_BITS else 8)  # fmt: skip
        self.marks, self.mark_slots, self.search, self.history = (zeros(size, small=size) for size in sizes)
        self.moves = zeros(DEEP * ctypes.sizeof(engine.move_type))
        self.promises = zeros(DEEP * 8)
        self.line = (engine.move_type * (DEEPEST + BEYOND + 1))()


class NativeTree:
    """The tree of `pysolve.search.mcts` in C: the same visits, values and moves.  A place in it is a number."""

    def __init__(self, engine: Asked, state: State, settings: Settings, history: History):
        engine.sound(state)
        settings, history = checked_settings(settings), checked_history(engine.game, history)
        self._engine = engine
        self._functions = engine.functions  # the tree's layout is this build's
        self._room = settings.room
        self._tree = zeros(self._functions.tree_size())
        self._ways = zeros(self._room * self._functions.way_size())
        numbers = (settings.room, weight(settings.explore), bias_of(engine.game, settings),
                   settings.leaf == EVALUATE, settings.backup == MAX)  # fmt: skip
        self._how = (c_longlong * len(numbers))(*numbers)
        self._moves = zeros(DEEP * ctypes.sizeof(engine.move_type))
        self._path = zeros((TREE_DEEPEST + LONGEST + 2) * (padded(engine.game.size) + 8))
        self._players = len(engine.game.players.labels)
        self._about = (c_longlong * (7 + self._players))()
        self._begin(state, history)

    def _begin(self, state: State, history: History) -> None:
        self._state = state
        self._turns = history.turns
        self._before, self._times = occurrences(self._engine.game, state, history.seen)

    @property
    def played(self) -> int:
        """Moves of random games played so far."""
        found: int = self._functions.tree_played(self._tree)
        return found

    def grow(self, visits: int | None, until: float | None, seed: int) -> None:
        """Grows the tree in C (see `pysolve.search.mcts.Tree.grow`); raises `LimitReached` if memory is short."""
        visits, until, seed = doors.whole_or_none("visits", visits, 0), doors.moment(until), doors.seed(seed)
        control = self._engine.control()
        found = self._engine.answer(
            control, None, self._functions.grow, self._state, -1 if visits is None else visits,
            seed, self._tree, self._ways, self._how, *_weights(), self._path, self._turns,
            self._before, self._times, len(self._times), self._moves, DEEP, until=until,
        )  # fmt: skip
        if found == NO_ROOM:
            raise LimitReached("a position has more moves than there is memory for")
        if found != STOPPED:
            self._engine.checked(found, control)

    def root(self) -> Branch:
        """The root, as a branch."""
        return self._branch(0)[0]

    def branches(self, at: int) -> list[Branch]:
        """The visited children of a node, given by its index in the tree."""
        _, first, count = self._branch(at)
        return [self._branch(place)[0] for place in range(first, first + count)]

    def _branch(self, at: int) -> tuple[Branch, int, int]:
        """The statistics of a node of the tree, and the range of its children."""
        at = doors.place(at, self._room, "position")
        count = self._functions.way(self._ways, at, self._about)
        move, index, side, visits, value, proven, first, *values = self._about
        known, decoded = None if proven == UNKNOWN else proven, self._engine.decode(move)
        if self._players < 3:  # the side is a sign
            return Branch(decoded, index, side, visits, value, known, 1 if side == 1 else 2, (value,), at), first, count
        return Branch(decoded, index, 1, visits, value, known, side, tuple(values), at), first, count

    def advance(self, at: int, state: State, history: History) -> None:
        """Makes the node at index `at` the root and drops everything that is not below it."""
        self._engine.sound(state)
        at, history = doors.place(at, self._room, "position"), checked_history(self._engine.game, history)
        ways = zeros(self._room * self._functions.way_size())
        self._functions.advance(self._tree, self._ways, at, ways)
        self._ways = ways
        self._begin(state, history)


@functools.cache
def _weights() -> tuple[Any, ...]:
    """The tables of `pysolve.search.mcts` for C."""
    return tuple((c_longlong * len(table))(*table) for table in weights())
