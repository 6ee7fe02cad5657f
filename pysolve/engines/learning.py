"""Values of a game that learn from games against themselves, in C (dsl/to_c/runtime/learning.c).

In: a checked game of two players, its patterns, a seed.  Out: a `Learner`, which plays as many games as it is asked
for and then says its weights, rounded.  With one seed the weights are the same after as many games, however often one
has stopped between them.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from ctypes import c_double, c_float, c_longlong, c_uint64, c_void_p
from dataclasses import replace
from itertools import accumulate, chain
from math import isfinite
from typing import Any, NamedTuple

from pysolve.dsl.analysis.patterns import Group, Patterns
from pysolve.dsl.language.constants import LINE_UNIT, MISTAKE, MOST_PLACES, NO_ROOM, STOPPED, VALUE_UNIT, WIDEST
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.to_c import print_learning
from pysolve.engines.bindings import STEPS, Control, Tick, answered, move_type
from pysolve.engines.build import BuildError, Library, build, compilers
from pysolve.engines.memory import more_moves, padded, zeros
from pysolve.engines.protocol import EngineError, LimitReached, State
from pysolve.search.learned import HIGHEST, LARGEST_LINE, Values

PLAIN = "-ffp-contract=off"  # a product and a sum are rounded one after the other, on every processor
LONGEST = 500  # moves of a game
ROOM = 1 << 12  # moves of a position, at first
WEIGHT = 12  # bytes: the weight; behind all weights the sum of its errors, and that of their sizes
AUTHOR = 0.5  # what the `evaluate` block says at first, on average, where no more than 1 is to be said


class Settings(NamedTuple):
    """How a learner plays and learns."""

    explore: float = 0.4  # how often any move is played in the place of the best: a search looks at bad moves, too
    trace: float = (
        0.5  # lambda: how much of what came of later positions counts, of what the best move promised the rest
    )
    rate: float = 1.0


class _Pupil(ctypes.Structure):
    """As in dsl/to_c/runtime/learning.c."""

    _fields_ = [
        ("places", c_void_p * 2), ("counts", c_longlong * 2), ("entries", c_longlong),
        *((name, c_void_p) for name in ("codes", "stages", "filled")), ("parts", c_longlong),
        ("near", c_void_p * 2), ("begins", c_void_p * 2),
        *((name, c_void_p) for name in ("weights", "lines", "errors", "line_errors", "units")),
        *((name, c_double) for name in ("explore", "lambda", "rate")), ("longest", c_longlong),
    ]  # fmt: skip


class Played(NamedTuple):
    """What games have come to."""

    draws: int
    first: int  # wins of the first player
    second: int
    unfinished: int
    moves: int


class Learner:
    """Weights that learn from games; `units` is what each line of the `evaluate` block usually says."""

    prints = staticmethod(print_learning)  # the program

    def __init__(
        self, game: Game, patterns: Patterns, seed: int, states: list[State], settings: Settings = Settings(),  # noqa: B008
        compiler: str = "auto",
    ):  # fmt: skip
        """`states` are some positions, by which what the lines say is measured.  Raises `EngineError` without C."""
        if max(map(len, patterns.groups)) > MOST_PLACES:
            raise EngineError(f"{game.title} is too large to learn: its positions have too many patterns")
        self.game, self.patterns = game, patterns
        self._library = _library(game, compiler, self.prints)
        function = self._library.function
        at, number = c_void_p, c_longlong
        self._learn = function("ps_learn", at, at, number, at, at, at, at, at, at, number, at)
        self._lines = function("ps_lines", at, ctypes.c_char_p, number, at, result=None)
        self._move_type = move_type(move_codes(game))
        self.games = 0
        self._lots = c_uint64(seed & (1 << 64) - 1)
        self._room = ROOM
        said = self._said(states)
        self.units = [max(sum(map(abs, one)) / max(1, len(one)), 0.01) for one in zip(*said, strict=True)] or []
        self._arrays(settings)
        self._views = zeros(function("ps_views_size")())
        self._steps = zeros((LONGEST + 2) * function("ps_step_size")())
        self._path = zeros((LONGEST + 2) * padded(game.size))
        self._hashes = zeros((LONGEST + 2) * 8)
        self._begin_as_author(said)

    def _said(self, states: list[State]) -> list[list[int]]:
        """What each line says for the first player in each state."""
        count = len(self.game.terms)
        if not count or not states:
            return [[0] * count]
        out = (c_longlong * (count * len(states)))()
        control = Control(steps=STEPS, left=STEPS)
        self._lines(ctypes.byref(control), b"".join(states), len(states), out)
        return [list(out[at : at + count]) for at in range(0, len(out), count)]

    def _arrays(self, settings: Settings) -> None:
        """Lays out what C reads, and keeps it alive."""
        p, stages = self.patterns, self.patterns.stage_count
        codes = array("i")
        known: dict[tuple[int, int], int] = {}

        def row(group: Group) -> list[int]:
            begins, stride = list[int](), 1
            for _, code in reversed(group.seen):
                if (code, stride) not in known:
                    known[code, stride] = len(codes)
                    codes.extend(stride * one for one in p.codes[code])
                    codes.extend([0] * (256 - len(p.codes[code])))
                begins.insert(0, known[code, stride])
                stride *= p.width(code)
            rest = [0] * (WIDEST - len(group.seen))
            return [group.base, *(one.byte for one in group.seen), *rest, *begins, *(nothing for _ in rest)]

        codes.extend([0] * 256)
        nothing = 0
        rows = [list(map(row, groups)) for groups in p.groups]
        places = [array("i", chain.from_iterable(one)) for one in rows]
        near, begins = zip(*(_near(one, p.size) for one in rows), strict=True)
        self._kept = (*near, *begins, *places, codes, array("i", p.stages), array("i", chain.from_iterable(p.filled)))
        self._counts = p.entries * stages, len(self.game.terms) * stages
        self._weights, self._line_weights = (zeros(max(1, WEIGHT * count)) for count in self._counts)
        self._units = (c_float * max(1, len(self.units)))(*self.units)
        at = [one.buffer_info()[0] if one else None for one in self._kept]
        memory = [ctypes.addressof(one) for one in (self._weights, self._line_weights)]
        self._pupil = _Pupil(
            tuple(at[4:6]), tuple(map(len, p.groups)), p.entries, *at[6:], len(p.filled), tuple(at[:2]), tuple(at[2:4]),
            *memory, *(one + WEIGHT // 3 * count for one, count in zip(memory, self._counts, strict=True)),
            ctypes.addressof(self._units), *settings, LONGEST,
        )  # fmt: skip

    def _begin_as_author(self, said: list[list[int]]) -> None:
        """At first positions are judged as the `evaluate` block does."""
        terms = self.game.terms
        totals = [abs(sum(term.weight * one for term, one in zip(terms, row, strict=True))) for row in said]
        usual = sum(totals) / max(1, len(totals))
        lines = self._floats(self._line_weights)
        for stage in range(self.patterns.stage_count):
            for at, (term, unit) in enumerate(zip(terms, self.units, strict=True)):
                lines[stage * len(terms) + at] = AUTHOR * term.weight * unit / usual if usual else 0.0

    def play(self, games: int, tick: Tick | None = None, until: float | None = None) -> tuple[int, Played]:
        """Plays so many games and learns from each; how many were played, until `until` (`time.monotonic`) at most.

        A game that is interrupted leaves nothing.  Raises `KeyboardInterrupt` after the weights are sound again.
        """
        played = [0] * 5
        done = 0
        while done < games:
            control, results = Control(steps=STEPS, left=STEPS), (c_longlong * 5)()
            moves = (self._move_type * self._room)()
            at = map(ctypes.addressof, (self._views, self._steps, self._path, self._hashes))
            try:
                found = answered(
                    control, tick, self._learn, ctypes.byref(self._pupil), games - done, ctypes.byref(self._lots), *at,
                    moves, self._room, results, until=until,
                )  # fmt: skip
            finally:
                done += control.nodes
                self.games += control.nodes
                played = [one + more for one, more in zip(played, results, strict=True)]
            if found == NO_ROOM:
                self._room = more_moves(self._room)
                continue
            refuse_mistakes(found, control)
            if found == STOPPED:
                break
        return done, Played(*played)

    def values(self) -> Values:
        """The weights as they are now, rounded."""
        weights = self._floats(self._weights)
        whole = array("h", (rounded(one * VALUE_UNIT, HIGHEST) for one in weights[: self._counts[0]]))
        return Values(self.patterns, whole, self._lines_now())

    def _lines_now(self) -> tuple[tuple[int, ...], ...]:
        """The weights of lines as they are now, stage by stage."""
        terms, lines = len(self.game.terms), self._floats(self._line_weights)
        return tuple(
            tuple(
                rounded(lines[stage * terms + at] * VALUE_UNIT * LINE_UNIT / unit, LARGEST_LINE)
                for at, unit in enumerate(self.units)
            )
            for stage in range(self.patterns.stage_count if terms else 0)
        )

    def state(self) -> tuple[int, int, bytes, bytes]:
        """All that is needed to go on from here: games, lots, weights, those of lines."""
        return self.games, self._lots.value, bytes(self._weights), bytes(self._line_weights)

    def resume(self, games: int, lots: int, weights: bytes, lines: bytes) -> None:
        """Goes on from a `state`; raises `ValueError` for one of another size, or with weights that are no numbers."""
        if len(weights) != len(self._weights) or len(lines) != len(self._line_weights):
            raise ValueError("the state belongs to other patterns")
        if not all(map(isfinite, (*self._floats(weights), *self._floats(lines)))):
            raise ValueError("a weight is no number")
        self.games, self._lots.value = games, lots & (1 << 64) - 1
        ctypes.memmove(self._weights, weights, len(weights))
        ctypes.memmove(self._line_weights, lines, len(lines))

    def _floats(self, memory: Any) -> Any:
        return memoryview(memory).cast("B")[: len(memory) // 4 * 4].cast("f")


def refuse_mistakes(found: int, control: Control) -> None:
    """Raises `EngineError` or `LimitReached` for what may go wrong in a game."""
    if found == MISTAKE:
        raise EngineError(f"line {control.error.line} of the rules goes wrong in a game; check the rules")
    if found == STOPPED and control.cut:
        raise LimitReached("a position takes too many steps to learn this game")


def _near(rows: Sequence[Sequence[int]], size: int) -> tuple[array[int], array[int]]:
    """For each byte the groups that look at it, with their codes; and where those of a byte begin."""
    by_byte: list[list[int]] = [[] for _ in range(size)]
    for number, row in enumerate(rows):
        for byte, code in zip(row[1 : 1 + WIDEST], row[1 + WIDEST :], strict=True):
            if code:
                by_byte[byte] += (number, code)
    begins = accumulate((len(one) // 2 for one in by_byte), initial=0)
    return array("i", chain.from_iterable(by_byte)), array("i", begins)


def rounded(value: float, most: int) -> int:
    """The nearest whole number, of this size at most."""
    return max(-most, min(most, round(value)))


def _library(game: Game, wish: str, prints: Callable[[Game], str]) -> Library:
    """The compiled learner of a game, by the best compiler that builds it; raises `EngineError` if none does."""
    failed: Exception | None = None
    try:
        for one in compilers(wish):
            try:
                compiler = one if one.in_memory else replace(one, command=(*one.command, PLAIN))
                return build(prints(game), compiler)
            except (BuildError, OSError) as error:
                failed = failed or error
    except RuntimeError as error:
        failed = error
    raise EngineError(f"values are learned in C, which cannot be built here: {failed}") from None
