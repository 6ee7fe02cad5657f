"""Learned values for C: the tables of `pysolve.search.learned.Values` in memory that a library reads."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import c_longlong, c_void_p
from itertools import chain

from pysolve.dsl.language.constants import WIDEST
from pysolve.search.learned import Values

ROW = 1 + 2 * WIDEST  # numbers of a group


class _Learned(ctypes.Structure):
    """As in dsl/to_c/runtime/learned.c."""

    _fields_ = [
        ("groups", c_void_p * 2), ("counts", c_longlong * 2), ("weights", c_void_p), ("entries", c_longlong),
        ("stages", c_void_p), ("filled", c_void_p), ("parts", c_longlong), ("lines", c_void_p),
    ]  # fmt: skip


class LearnedValues:
    """Values at an address, which is good as long as this object lives."""

    def __init__(self, values: Values):
        folded, patterns = values.folded(), values.patterns
        stages, filled = array("i", patterns.stages), array("i", chain.from_iterable(patterns.filled))
        lines = array("i", chain.from_iterable(values.lines) if values.uses_lines else ())
        self._kept = (*folded.rows, folded.weights, stages, filled, lines)
        first, second, weights, *rest = map(_address, self._kept)
        self._struct = _Learned(
            (first, second), tuple(len(rows) // ROW for rows in folded.rows), weights, folded.entries, rest[0], rest[1],
            len(patterns.filled), rest[2],
        )  # fmt: skip
        self.address: int = ctypes.addressof(self._struct)


def _address(numbers: array[int]) -> int | None:
    return numbers.buffer_info()[0] if numbers else None
