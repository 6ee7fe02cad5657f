"""Values of a game that learn from search, in C (dsl/to_c/runtime/teaching.c).

In: what a `Learner` needs, and how many positions a search looks at.  Out: a `SearchLearner`, a learner whose games are
played by search with the values as they are, and which learns from all that the searches find out.

Games that are asked for at once are played by the same values, each by lots of its own, and are learned from in their
order: so the number of threads changes nothing.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from ctypes import c_double, c_longlong, c_void_p
from itertools import chain
from typing import Any, NamedTuple

from pysolve.dsl.analysis.patterns import Patterns
from pysolve.dsl.language.constants import DEEPEST, NO_ROOM, STOPPED
from pysolve.dsl.model import Game
from pysolve.dsl.to_c import print_teaching
from pysolve.engines.bindings import STEPS, Control, Question, Tick, answered, stop_all
from pysolve.engines.learned import LearnedValues
from pysolve.engines.learning import LONGEST, Learner, Played, Settings, refuse_mistakes
from pysolve.engines.memory import more_moves, padded, zeros
from pysolve.engines.protocol import State
from pysolve.engines.searches import found_type
from pysolve.engines.strong import LEAST, NUMBERS
from pysolve.search.learned import Folded, folding_of
from pysolve.search.strong import DEFAULT

OPENING = 6  # random moves at first, at most
STRAYS = 0.2  # how often a random move is played later
SHARE = 0.5  # of the positions of such games that are labelled by deeper searches, where there are any
RATE = 2.0  # by how much a first error moves all weights of a position together
MOST_LABELS = 1 << 30  # bytes for the labels of the games that are played at once; what is not used is no memory


class _Course(ctypes.Structure):
    """As in dsl/to_c/runtime/teaching.c."""

    _fields_ = [
        *((name, c_longlong) for name in ("begin", "end", "thread", "threads", "seed", "opening", "longest", "room")),
        ("quiet", c_longlong), ("explore", c_double), ("share", c_double),
    ]  # fmt: skip


class _Desk(ctypes.Structure):
    """As in dsl/to_c/runtime/teaching.c."""

    _fields_ = [
        *((name, c_void_p) for name in ("search", "table", "how", "found", "path", "hashes", "moves")),
        ("size", c_longlong),
    ]  # fmt: skip


class _Worker(NamedTuple):
    """What a thread asks, and where it answers."""

    control: Control
    asked: tuple[Any, ...]
    results: Any


class Searched(NamedTuple):
    """Games by search: the labels of each, as C has them, and what those of each thread have come to."""

    labels: Sequence[bytes | memoryview]
    results: list[list[int]]


# Plays games somewhere else: the number of the first, how many, the weights and the lines that they are played by.
Elsewhere = Callable[[int, int, bytes, bytes], Searched]


class SearchLearner(Learner):
    """Weights that learn from searches of `nodes` positions."""

    prints = staticmethod(print_teaching)
    _deep: tuple[int, ...] = ()  # positions of the searches that label positions of the games
    _quiet = False  # are those alone labelled in which nothing is captured?
    elsewhere: Elsewhere | None = None  # what plays the games, if not this process

    def __init__(
        self, game: Game, patterns: Patterns, seed: int, states: list[State], nodes: int, threads: int = 1,
        compiler: str = "auto",
    ):  # fmt: skip
        """See `Learner`; `threads` play games at the same time."""
        super().__init__(game, patterns, seed, states, Settings(rate=RATE), compiler)
        self._seed, self._nodes, self._threads = seed, nodes, threads
        self._most = LONGEST * nodes  # labels of a game
        function, at, number = self._library.function, c_void_p, c_longlong
        self._teach = function("ps_teach", at, at, at, at, at, at, at)
        self._learn_from = function("ps_learn_from", at, at, at, at, number, result=None)
        self._fold = function("ps_fold", at, number, at, at, number, at, result=None)
        self._judge_size = function("ps_judge_size", at)
        self._sizes = [function(f"ps_{name}_size")() for name in ("strong", "known", "label")]
        self._folding = folding_of(patterns)
        folded = Folded(
            self._folding.rows, array("i", bytes(4 * self._folding.entries * patterns.stage_count)),
            self._folding.entries,
        )  # fmt: skip
        self._now = folded.weights, array("i", chain.from_iterable(self._lines_now()))
        self._values = LearnedValues(patterns, folded, self._now[1])

    def play(self, games: int, tick: Tick | None = None, until: float | None = None) -> tuple[int, Played]:
        """Plays so many games by the values as they are, and learns from all of them: how many were played.

        If it is interrupted, or `until` (`time.monotonic`) comes first, that is none, and nothing has changed.  Raises
        `EngineError` for a mistake in the rules, `LimitReached` for positions that take too long or too much room.
        """
        found: Searched | None = None
        if games > 0:
            self._take_values()
            if self.elsewhere is None:
                found = self._searched(games, tick, until)
            else:
                found = self.elsewhere(self.games, games, *(one.tobytes() for one in self._now))
        if found is None:
            return 0, Played(0, 0, 0, 0, 0)
        control = Control(steps=STEPS, left=STEPS)
        for labels in found.labels:
            count = len(labels) // self._sizes[2]
            self._learn_from(ctypes.byref(control), ctypes.byref(self._pupil), self._views, bytes(labels), count)
        self.games += games
        return games, Played(*map(sum, zip(*found.results, strict=True)))

    def searched(self, first: int, games: int, weights: bytes, lines: bytes) -> Searched:
        """So many games from number `first` on by values that `elsewhere` of another learner with the same arguments
        was told; raises as `play`."""
        for numbers, told in zip(self._now, (weights, lines), strict=True):
            if told:
                memoryview(numbers).cast("B")[:] = told
        self.games = first
        found = self._searched(games, None, None)
        assert found  # nobody stops it
        return found._replace(labels=list(map(bytes, found.labels)))

    def _searched(self, games: int, tick: Tick | None, until: float | None) -> Searched | None:
        """The games that come next; None if they were stopped."""
        size, room = self._sizes[2], self.largest(games) // (self._sizes[2] * games)
        labels, counts = zeros(size * room * games), (c_longlong * games)()
        while (found := self._played(games, room, labels, counts, tick, until)) is None:
            self._room = more_moves(self._room)
        view = memoryview(labels).cast("B")
        rows = [view[at * room * size : (at * room + count) * size] for at, count in enumerate(counts)]
        return Searched(rows, found) if found else None

    def largest(self, games: int) -> int:
        """The bytes of the labels of so many games, at most."""
        size: int = self._sizes[2]
        return min(self._most, MOST_LABELS // (size * games)) * size * games

    def _take_values(self) -> None:
        """The search plays by the weights as they are now."""
        plan, (folded, lines) = self._folding, self._now
        at = (one.buffer_info()[0] for one in (plan.parts, plan.begins))
        stages = self.patterns.stage_count
        self._fold(ctypes.byref(self._pupil), stages, *at, plan.entries, folded.buffer_info()[0])
        for number, weight in enumerate(chain.from_iterable(self._lines_now())):
            lines[number] = weight

    def _played(
        self, games: int, room: int, labels: Any, counts: Any, tick: Tick | None, until: float | None
    ) -> list[list[int]] | None:
        """The results of each thread; none if they were stopped, None if a position has more moves than expected."""
        workers = [self._worker(games, number, room, labels, counts) for number in range(min(self._threads, games))]
        (control, asked, _), *others = workers
        helping = [(one.control, Question(one.control, self._teach, *one.asked)) for one in others]
        try:
            for _, one in helping:
                one.start()
            codes = [answered(control, tick, self._teach, *asked, until=until)]
            while codes[0] == 0 and not all(one.ended for _, one in helping):
                next(one for _, one in helping if not one.ended).wait(0.05)
        finally:
            stop_all(helping)
        codes += [one.found for _, one in helping]
        for worker, code in zip(workers, codes, strict=True):
            refuse_mistakes(code, worker.control)
        if NO_ROOM in codes:
            return None
        return [] if STOPPED in codes else [list(one.results) for one in workers]

    def _worker(self, games: int, number: int, room: int, labels: Any, counts: Any) -> _Worker:
        desks = [self._desk(nodes) for nodes in (self._nodes, *self._deep)]
        asked = [ctypes.byref(desk) for desk, _ in desks] + [None] * (2 - len(desks))
        course = _Course(self.games, self.games + games, number, min(self._threads, games), self._seed, OPENING,
                         LONGEST, room, self._quiet, STRAYS, SHARE)  # fmt: skip
        judge = self._values.judge(self._judge_size(self._values.address))
        control, results = Control(steps=STEPS, left=STEPS, values=ctypes.addressof(judge)), (c_longlong * 5)()
        control.judge = judge, desks
        return _Worker(control, (ctypes.byref(course), *asked, labels, counts, results), results)

    def _desk(self, nodes: int) -> tuple[_Desk, tuple[Any, ...]]:
        """What searches of so many positions need, and the memory that it lies in."""
        entries = LEAST
        while entries < 2 * nodes:
            entries *= 2
        said = {"nodes": nodes, "lines": 1, "entries": entries, "few": entries, "earlier": 1}
        numbers = [*(said.get(name, 0) for name in NUMBERS), *DEFAULT._replace(keep=0)]
        strong, known, _ = self._sizes
        memory = (
            zeros(strong), zeros(entries * known), (c_longlong * len(numbers))(*numbers),
            (found_type(self._move_type, 2) * (DEEPEST + 2))(), zeros((LONGEST + 2) * padded(self.game.size)),
            zeros((LONGEST + 2) * 8), (self._move_type * self._room)(),
        )  # fmt: skip
        return _Desk(*map(ctypes.addressof, memory), self._room), memory
