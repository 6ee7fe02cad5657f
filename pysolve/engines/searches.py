"""Searches in C: the same as those of `pysolve.search`, with the same numbers."""

from __future__ import annotations

import ctypes
import functools
from ctypes import c_longlong
from typing import Any

from pysolve.dsl.language.constants import BEYOND, DEEPEST, FEW, NO_ROOM, STOPPED, UNKNOWN
from pysolve.dsl.player_texts import EVALUATE, MAX
from pysolve.engines.bindings import Asked, Control, Functions, Question, occurrences
from pysolve.engines.memory import zeros
from pysolve.engines.policy import native_policy
from pysolve.engines.protocol import LimitReached, State
from pysolve.runtime import validation
from pysolve.search.history import History, checked_history
from pysolve.search.mcts import Branch, Settings, bias_of, checked_settings, prior_of, weight, weights
from pysolve.search.minimax import Limits, Report, Result, checked_order
from pysolve.search.searcher import MARKS, Horizon, Stopped, Visit, checked_table, checked_visit

# The words that C is told of a search, and those that it writes of what it has found, in order.
SETTINGS = (
    "depth", "nodes", "by_turns", "each", "player", "kinds", "captures", "shared", "entries", "few", "marks", "backs",
    "orders",
)  # fmt: skip
FOUND = ("depth", "by_turns", "nodes", "value", "length")


class NativeSearcher:
    """The searches of `pysolve.search.minimax` and `maxn` in C: the same values, lines and numbers of nodes.

    With more than one thread all search the same position: what one has found stands in the table that they share, and
    what one is searching the others leave for later.  The value of a depth stays the same; line and number of nodes may
    differ from run to run.
    """

    def __init__(self, engine: Asked, entries: int, threads: int, horizon: Horizon):
        entries, threads = checked_table(entries, threads)
        self._horizon: Horizon = validation.instance("horizon", horizon, Horizon, "a Horizon")
        self._engine = engine
        self._functions = engine.functions  # the table's layout is this build's
        self._found_type = found_type(engine.move_type, len(engine.game.players.labels))
        how = _settings(horizon, entries, threads)
        self._table = zeros(self._functions.table_size(how), small=table_bytes(self._functions, max(1, FEW // 2)))
        self._workers = [_Worker(engine, how) for _ in range(threads)]

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches in C, with all threads (see `pysolve.search.searcher.Searcher.visit`)."""
        nodes, until = checked_visit(depth, alpha, beta, nodes, until)
        found = self._found_type()
        first, *others = self._workers
        asked = self._asked(first, state, depth, nodes)
        helping = [
            Question(*self._searching(one, self._asked(one, state, depth, None), alpha, beta, self._found_type()))
            for one in others
        ]
        try:
            for one in helping:
                one.start()
            control, *question = self._searching(first, asked, alpha, beta, found)
            code = self._engine.answer(control, None, *question, until=until)
        finally:
            for worker in others:
                worker.control.stop = 1  # all of them, before one is waited for
            for one in helping:
                one.stop()
        self._finished(code, first.control)
        visit = self._read(found, sum(one.control.nodes for one in self._workers))
        if code == STOPPED:
            raise Stopped(visit.nodes, visit if visit.line else None)
        return visit

    def _searching(self, worker: _Worker, asked: tuple[Any, ...], alpha: int, beta: int, found: Any) -> tuple[Any, ...]:
        return worker.control, self._functions.search, *asked, alpha, beta, ctypes.byref(found)

    def _asked(self, worker: _Worker, state: State, depth: int, nodes: int | None) -> tuple[Any, ...]:
        """The arguments of every search, for a worker with a fresh control block."""
        self._engine.sound(state)
        if self._horizon.order:
            checked_order(self._engine.expand(state), self._horizon.order)
        worker.control = self._engine.control()
        worker.how[0], worker.how[1] = depth, -1 if nodes is None else nodes
        return state, worker.memory, self._table, worker.how

    def _finished(self, code: int, control: Control) -> None:
        """Raises what has ended a search, if that is not a limit."""
        if code == NO_ROOM:
            raise LimitReached("out of memory: too many moves to search")
        if code != STOPPED:
            self._engine.checked(code, control)

    def _read(self, found: Any, nodes: int) -> Visit:
        line = tuple(map(self._engine.decode, found.line[: found.length]))
        return Visit(found.value, line, nodes, tuple(found.values) if self._horizon.each else ())


class NativeDriver(NativeSearcher):
    """A searcher with one thread, which goes deeper and deeper in C."""

    def drive(self, state: State, limits: Limits, report: Report | None) -> Result:
        """Searches in C (see `pysolve.search.minimax.DrivingSearcher.drive`)."""
        (worker,) = self._workers
        asked = self._asked(worker, state, limits.depth or 0, limits.nodes)
        control, found, told = worker.control, (self._found_type * (DEEPEST + 1))(), 0

        def tell(_: int = 0) -> None:
            nonlocal told
            while report is not None and told < control.high:
                told += 1
                report(self._result(found[told], limits))

        try:
            code = self._engine.answer(control, tell, self._functions.drive, *asked, found, until=limits.until)
            self._finished(code, control)
        except KeyboardInterrupt:
            if not (found[0].depth and limits.interruptible):
                raise
        tell()
        return self._result(found[0], limits)

    def _result(self, found: Any, limits: Limits) -> Result:
        value, line, nodes, values = self._read(found, found.nodes)
        return Result(value, line, found.depth, nodes, limits.passed, bool(found.by_turns), values)


class _Worker:
    """What one thread of a search needs for itself."""

    def __init__(self, engine: Asked, how: Any):
        self.control = engine.control()
        self.how = type(how)(*how)
        size = engine.functions.search_size(how)
        self.memory = zeros(size, small=size)


def _settings(horizon: Horizon, entries: int, threads: int = 1) -> Any:
    """What a search is asked, as C reads it; depth and nodes, which come first, are those of each question."""
    turns, quiet, back, order, player, each = horizon
    said = {
        "by_turns": turns, "each": each, "player": player, "kinds": sum(1 << kind for kind in quiet.kinds),
        "captures": quiet.captures, "shared": threads > 1, "entries": entries, "few": FEW,
        "marks": MARKS if turns else 1, "backs": len(back), "orders": len(order),
    }  # fmt: skip
    numbers = [*(said.get(name, 0) for name in SETTINGS), *back, *order]
    return (c_longlong * len(numbers))(*numbers)


@functools.cache
def found_type(move_type: Any, players: int) -> Any:
    """What C writes of a search: numbers, the values of all players where there are not two, and the line."""
    values = [("values", c_longlong * players)] * (players != 2)
    line = ("line", move_type * (DEEPEST + BEYOND + 1))
    return type("Found", (ctypes.Structure,), {"_fields_": [*((name, c_longlong) for name in FOUND), *values, line]})


def table_bytes(functions: Functions, entries: int) -> int:
    """The memory for a table of so many positions, as far as it grows."""
    entries, _ = checked_table(entries, 1)
    size: int = functions.table_size(_settings(Horizon(), entries))
    return size


class NativeTree:
    """The tree of `pysolve.search.mcts` in C: the same visits, values and moves.  A place in it is a number."""

    def __init__(self, engine: Asked, state: State, settings: Settings, history: History):
        engine.sound(state)
        settings, history = checked_settings(settings, engine.game), checked_history(engine.game, history)
        self._engine = engine
        self._room = settings.room
        self._policy = None if settings.policy is None else native_policy(settings.policy)
        numbers = (settings.room, weight(settings.explore or 0), bias_of(engine, settings),
                   settings.leaf == EVALUATE, settings.backup == MAX,
                   settings.grave or 0, settings.even, prior_of(engine, settings),
                   engine.game.others_differ, self._policy.address if self._policy else 0,
                   weight(settings.puct))  # fmt: skip
        self._how = (c_longlong * len(numbers))(*numbers)
        self._tree = zeros(self._functions.tree_size(self._how))
        self._players = len(engine.game.players.labels)
        self._about = (c_longlong * (7 + self._players))()
        self._begin(state, history)

    def _begin(self, state: State, history: History) -> None:
        self._state = state
        self._turns = history.turns
        self._before, self._times = occurrences(self._engine.game, state, history.seen)
        self.grow(0, None, 0)  # if it has no root, it gets one, of which nothing is known

    @property
    def _functions(self) -> Functions:
        """Those of the current build: what an earlier one has left in the tree, it reads as well."""
        return self._engine.functions

    @property
    def played(self) -> int:
        """Moves of random games played so far."""
        found: int = self._functions.tree_played(self._tree)
        return found

    def grow(self, visits: int | None, until: float | None, seed: int, nodes: int | None = None) -> None:
        """Grows the tree in C (see `pysolve.search.mcts.Tree.grow`); raises `LimitReached` if memory is short."""
        visits, nodes = validation.whole_or_none("visits", visits, 0), validation.whole_or_none("nodes", nodes, 0)
        until, seed = validation.moment(until), validation.seed(seed)
        control = self._engine.control()
        found = self._engine.answer(
            control, None, self._functions.grow, self._state, -1 if visits is None else visits,
            -1 if nodes is None else nodes, seed, self._tree, self._how, *_weights(), self._turns, self._before,
            self._times, len(self._times), until=until,
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

    def ranked(self, at: int) -> list[Branch]:
        """The same, the best first."""
        places = (c_longlong * self._branch(at)[2])()
        self._functions.ranked(self._tree, at, places)
        return [self._branch(place)[0] for place in places]

    def mover(self, at: int) -> int:
        """The number of the player to move at a node."""
        return self._branch(at)[0].mover

    def _branch(self, at: int) -> tuple[Branch, int, int]:
        """The statistics of a node of the tree, and the range of its children."""
        at = validation.place(at, self._room, "position")
        count = self._functions.way(self._tree, at, self._about)
        move, index, side, visits, value, proven, first, *values = self._about
        known, decoded = None if proven == UNKNOWN else proven, self._engine.decode(move)
        if self._players < 3:  # the side is a sign
            return Branch(decoded, index, side, visits, value, known, 1 if side == 1 else 2, (value,), at), first, count
        return Branch(decoded, index, 1, visits, value, known, side, tuple(values), at), first, count

    def advance(self, at: int, state: State, history: History) -> None:
        """Makes the node at index `at` the root and drops everything that is not below it."""
        self._engine.sound(state)
        at, history = validation.place(at, self._room, "position"), checked_history(self._engine.game, history)
        tree = zeros(self._functions.tree_size(self._how))
        self._functions.advance(self._tree, at, tree)
        self._tree = tree
        self._begin(state, history)


@functools.cache
def _weights() -> tuple[Any, ...]:
    """The tables of `pysolve.search.mcts` for C."""
    return tuple((c_longlong * len(table))(*table) for table in weights())
