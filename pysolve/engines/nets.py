"""A net in floats, in memory where C fits it to labels (dsl/to_c/runtime/fitting.c).

In: what the net looks at, the symmetries of the rules, how many units.  Out: a `FittedNet`, which begins with numbers
drawn by lot, or as a net of a file, and says the net that it has come to, rounded.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from ctypes import c_longlong, c_void_p
from itertools import chain
from random import Random
from typing import Self

from pysolve.dsl.analysis.patterns import Patterns, Symmetry
from pysolve.dsl.language.constants import NET_UNIT, VALUE_UNIT
from pysolve.engines.learned import Lookup
from pysolve.engines.learning import rounded
from pysolve.engines.memory import Kept
from pysolve.search.learned import HIGHEST, Net, folding_of, largest_sums

MOST_IMAGES = 16  # symmetries that positions are seen by
CEILING = 512  # what a unit says at most, unless its rows are too large for that
BIAS = 0.4  # what a unit says at first, on average
SPREAD = 1.2  # of what the net says at first, at most


class Fitted(ctypes.Structure):
    """As in dsl/to_c/runtime/fitting.c."""

    _fields_ = [*((name, c_void_p) for name in ("weights", "errors", "slopes")), ("count", c_longlong)]

    @classmethod
    def of(cls, numbers: array[float], kept: Kept) -> Self:
        """These numbers, of which nothing is known yet."""
        floats = (array("f", bytes(4 * size * len(numbers))) for size in (2, 1))
        return cls(*map(kept, (numbers, *floats)), len(numbers))


class _FittedNet(ctypes.Structure):
    """As in dsl/to_c/runtime/fitting.c."""

    _fields_ = [
        ("inputs", Lookup), ("parts", c_void_p), ("begins", c_void_p), ("units", c_longlong), ("images", c_longlong),
        ("places", c_void_p), ("values", c_void_p), ("rows", Fitted), ("outputs", Fitted), ("at", c_void_p),
        ("chosen", c_void_p), ("count", c_longlong), ("sums", c_void_p), ("pulls", c_void_p),
    ]  # fmt: skip


class FittedNet:
    """A net whose numbers C changes."""

    def __init__(
        self, inputs: Patterns, units: int, symmetries: Sequence[Symmetry], rows: array[float], outputs: array[float]
    ):
        """`symmetries` are those of the rules."""
        self.inputs, self.units, self._rows, self._outputs = inputs, units, rows, outputs
        self._kept = kept = Kept()
        plan, groups = folding_of(inputs), max(map(len, inputs.groups))
        alike = [one for one in symmetries if not one.swaps][: MOST_IMAGES - 1]
        places = array("i", chain(range(inputs.size), *(one.bytes for one in alike)))
        values = array("B")
        for changes in ({}, *(one.values for one in alike)):
            for byte in range(inputs.size):
                image = changes.get(byte, ())
                values.extend((*image, *range(len(image), 256)))
        room = [
            array(kind, bytes(4 * count)) for kind, count in (("i", groups), ("i", groups), ("f", units), ("f", units))
        ]
        at = list(map(kept, (plan.parts, plan.begins, places, values, *room)))
        self._struct = _FittedNet(
            Lookup.of(plan.rows, inputs.size, kept), *at[:2], units, 1 + len(alike), *at[2:4], Fitted.of(rows, kept),
            Fitted.of(outputs, kept), *at[4:6], 0, *at[6:],
        )  # fmt: skip
        self.address: int = ctypes.addressof(self._struct)

    @classmethod
    def by_lot(cls, inputs: Patterns, units: int, symmetries: Sequence[Symmetry], seed: int) -> Self:
        """A net that knows nothing."""
        rng, groups = Random(seed), len(inputs.groups[0])
        rows = array("f", (rng.gauss(0, groups**-0.5) for _ in range(units * inputs.entries)))
        for group in chain(*inputs.groups):
            if not group.seen:
                rows[units * group.base : units * (group.base + 1)] = array("f", [BIAS] * units)
        outputs = array("f", (rng.gauss(0, SPREAD * units**-0.5) for _ in range(units)))
        return cls(inputs, units, symmetries, rows, outputs * inputs.stage_count)

    @classmethod
    def of(cls, net: Net, symmetries: Sequence[Symmetry]) -> Self:
        """The net of a file."""
        rows = array("f", (one / net.ceiling for one in net.rows))
        outputs = array("f", (one * net.ceiling / (NET_UNIT * VALUE_UNIT) for one in net.outputs))
        return cls(net.inputs, net.units, symmetries, rows, outputs)

    def net(self) -> Net:
        """The net as it is now, rounded so that all sums are numbers of 16 bits, and what is said of 32."""
        largest = max(largest_sums(self.inputs, self.units, self._rows))
        room = HIGHEST - max(map(len, self.inputs.groups))  # each row is rounded
        ceiling = max(1, min(CEILING, int(room / largest))) if largest else CEILING
        rows = array("h", (rounded(one * ceiling, HIGHEST) for one in self._rows))
        scale = NET_UNIT * VALUE_UNIT / ceiling
        most = min(HIGHEST, ((1 << 31) - 1) // (ceiling * self.units))
        return Net(self.inputs, self.units, ceiling, rows,
                   array("h", (rounded(one * scale, most) for one in self._outputs)))  # fmt: skip

    def state(self) -> tuple[bytes, bytes]:
        """The numbers as they are now."""
        return self._rows.tobytes(), self._outputs.tobytes()

    def resume(self, rows: bytes, outputs: bytes) -> None:
        """Goes back to the numbers of a `state`."""
        self._rows[:], self._outputs[:] = array("f", rows), array("f", outputs)
