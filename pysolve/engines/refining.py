"""Learned values that are refined, in C (dsl/to_c/runtime/teaching.c).

In: a checked game of two players, values of it, a seed.  Out: a `Refiner`, which plays games by search with these
values, labels positions of the games by deeper searches, and fits the weights to all labels at once.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from ctypes import c_double, c_float, c_longlong, c_uint64, c_void_p
from dataclasses import replace
from random import Random
from typing import NamedTuple

from pysolve.dsl.analysis.patterns import byte_by_byte, inputs, tempo
from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.language.constants import LINE_UNIT, VALUE_UNIT
from pysolve.dsl.model import Game
from pysolve.engines.bindings import STEPS, Control, Tick, answered
from pysolve.engines.learned import LearnedValues
from pysolve.engines.memory import zeros
from pysolve.engines.nets import Fitted, FittedNet
from pysolve.engines.protocol import State
from pysolve.engines.teaching import MOST_LABELS, SearchLearner
from pysolve.runtime.validation import sound_all
from pysolve.search.learned import Values

PLAYED = 300  # positions a move, of the games
ROOM = 250  # labels of a game, at most
BATCH = 512  # labels of a step
RATE = 2e-4  # of a step of the first pass; it falls to nothing towards the last one
NET_RATE = 3e-3  # the same of a net
APART = 10  # one label in so many is not fitted to, but says how good the fit is
STRETCHES = 20  # in which they lie, since those of a game are side by side


class Passed(NamedTuple):
    """How well the weights say what searches have found, after a pass over all labels; before the first it is number 0.

    Errors are mean squares of those of the expected result, which is from -1 to 1.
    """

    number: int
    fitted: float  # of some of the labels that the weights are fitted to
    apart: float  # of those that are left out


def divided(count: int) -> tuple[list[int], list[int]]:
    """The numbers of the labels that are left out, and of those that are fitted to.

    The positions of a game are much alike: whoever knows some of them knows the others too well.  So whole games are
    left out, but for those at the ends of a stretch.
    """
    stretch = max(1, count // (APART * STRETCHES))
    apart, fitted = list[int](), list[int]()
    for number in range(count):
        (fitted if number // stretch % APART else apart).append(number)
    return apart, fitted


class _Fit(ctypes.Structure):
    """As in dsl/to_c/runtime/fitting.c."""

    _fields_ = [
        ("labels", c_void_p), ("order", c_void_p), ("count", c_longlong), ("batch", c_longlong), ("weights", Fitted),
        ("lines", Fitted), ("net", c_void_p), ("rate", c_double), ("net_rate", c_double), ("first", c_float),
        ("second", c_float), ("lots", c_uint64),
    ]  # fmt: skip


class Refiner(SearchLearner):
    """Weights, or a net, that are fitted to searches of `nodes` positions."""

    def __init__(
        self, game: Game, values: Values, seed: int, states: list[State], nodes: int, threads: int = 1,
        compiler: str = "auto", units: int | None = None, evaluate: bool = True,
    ):  # fmt: skip
        """`states` are some positions, by which what the lines say is measured; `units`: a new net of so many takes the
        place of the tables, or of the net that there is; `evaluate`: do its lines count on?"""
        looked_at = game if values.uses_lines and evaluate else replace(game, terms=())
        patterns = values.patterns if units is None else tempo(values.patterns)
        super().__init__(looked_at, patterns, seed, states, PLAYED, threads, compiler)
        self._values = LearnedValues.of(values)  # by which games are played and labelled
        self._deep, self._most = (nodes,), ROOM
        self.labels = bytearray()
        function, at = self._library.function, c_void_p
        self._fit = function("ps_fit", at, at, at, at)
        self._misfit = function("ps_misfit", at, at, at, at, result=c_double)
        found = byte_by_byte(symmetries(game, setup=False, evaluation=False))
        self._net: FittedNet | None = None
        if units is not None:
            self._net = FittedNet.by_lot(inputs(game, found), units, found, seed)
        elif values.net:
            self._net = FittedNet.of(values.net, found)
        self._quiet = self._net is not None  # a net is for the strong search, which looks at captures itself
        self._take(values)

    def _take(self, values: Values) -> None:
        """Begins with the weights of a file."""
        weights, lines = self._floats(self._weights), self._floats(self._line_weights)
        for number, weight in enumerate(values.weights if self.patterns == values.patterns else ()):
            weights[number] = weight / VALUE_UNIT
        for stage, row in enumerate(values.lines if self.game.terms else ()):
            for at, (weight, unit) in enumerate(zip(row, self.units, strict=True)):
                lines[stage * len(row) + at] = weight * unit / (VALUE_UNIT * LINE_UNIT)

    @property
    def most(self) -> int:
        """How many labels there may be."""
        size: int = self._sizes[2]
        return MOST_LABELS // size

    @property
    def count(self) -> int:
        """How many labels there are."""
        size: int = self._sizes[2]
        return len(self.labels) // size

    @property
    def net_units(self) -> int:
        """Units of the net; 0 where there is none."""
        return self._net.units if self._net else 0

    def label(self, games: int, tick: Tick | None = None) -> int:
        """Plays so many games and labels positions of them: how many labels there are then.

        Raises `KeyboardInterrupt` after the labels of these games are left out, `EngineError` for a mistake in the
        rules, `LimitReached` for positions that take too long or too much room.
        """
        found = self._searched(games, tick, None)
        if found:
            for labels in found.labels:
                self.labels += labels
            self.games += games
        return self.count

    def labelled(self, first: int, games: int) -> bytes:
        """The labels of so many games from number `first` on, whatever was labelled before; raises as `label`."""
        self.games, self.labels = first, bytearray()
        self.label(games)
        return bytes(self.labels)

    def take(self, labels: bytes, games: int) -> int:
        """Takes over what another refiner with the same arguments has labelled of so many games, those that come next
        here: how many labels there are then.

        Raises `ValueError` for what are no labels of this game.  C reads any number as a value; a state it trusts.
        """
        size, state = self._sizes[2], self.game.size
        if len(labels) % size:
            raise ValueError(f"{len(labels):,} bytes are no whole labels, which have {size} bytes each")
        sound_all(self.game, [labels[at : at + state] for at in range(0, len(labels), size)])
        self.labels += labels
        self.games += games
        return self.count

    def fit(self, passes: int, tick: Callable[[Passed], None] = lambda _: None) -> list[Passed]:
        """Fits the weights to all labels, in so many passes, and tells after each; those of the pass that says the
        labels best that are left out are kept."""
        rng = Random(self._seed)
        apart, fitted = divided(self.count)
        kept = (ctypes.c_char * len(self.labels)).from_buffer(self.labels)
        batch = max(1, min(BATCH, len(fitted) // 8))
        slopes = [zeros(4 * max(1, count)) for count in self._counts]
        memory = zip((self._weights, self._line_weights), self._counts, slopes, strict=True)
        fitted_to = [
            Fitted(at := ctypes.addressof(weights), at + 4 * count, ctypes.addressof(slope), count)
            for weights, count, slope in memory
        ]
        fit = _Fit(
            ctypes.addressof(kept), None, 0, batch,
            *fitted_to, self._net.address if self._net else None, 0, 0, 1, 1, self._seed,
        )  # fmt: skip
        control = Control(steps=STEPS, left=STEPS)
        asked = ctypes.byref(control), ctypes.byref(self._pupil), self._views, ctypes.byref(fit)

        def over(order: list[int]) -> array[int]:  # what C reads, as long as somebody keeps it
            found = array("i", order)
            fit.order, fit.count = found.buffer_info()[0], len(found)
            return found

        def measured(number: int) -> Passed:
            shares = []
            for some in (fitted[: 4 * len(apart)], apart):
                found = over(some)
                shares.append(float(self._misfit(*asked)))
                del found
            return Passed(number, *shares)

        rows = [measured(0)]
        best, weights = rows[0].apart, self._numbers()
        for number in range(1, passes + 1):
            rng.shuffle(fitted)
            left = 1 - (number - 1) / passes
            fit.rate, fit.net_rate = RATE * left, NET_RATE * left
            found = over(fitted)
            answered(control, None, self._fit, *asked[1:])
            del found
            rows.append(measured(number))
            if rows[-1].apart < best:
                best, weights = rows[-1].apart, self._numbers()
            tick(rows[-1])
        self._go_back(weights)
        return rows

    def _numbers(self) -> tuple[tuple[bytes, bytes], tuple[bytes, bytes] | None]:
        """All that is fitted, as it is now."""
        return self.state()[2:], self._net.state() if self._net else None

    def _go_back(self, numbers: tuple[tuple[bytes, bytes], tuple[bytes, bytes] | None]) -> None:
        weights, net = numbers
        self.resume(self.games, self._lots.value, *weights)
        if self._net and net:
            self._net.resume(*net)

    def values(self) -> Values:
        """What the weights are now, rounded."""
        return replace(super().values(), net=self._net.net() if self._net else None)
