"""Learned values for C: the tables of `pysolve.search.learned.Values` in memory that a library reads."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import c_longlong, c_void_p
from itertools import accumulate, chain
from typing import Any, Self

from pysolve.dsl.analysis.patterns import Patterns
from pysolve.dsl.language.constants import WIDEST
from pysolve.engines.memory import padded
from pysolve.search.learned import Folded, Values

ROW = 1 + 2 * WIDEST  # numbers of a group


class _Learned(ctypes.Structure):
    """As in dsl/to_c/runtime/learned.c."""

    _fields_ = [
        ("groups", c_void_p * 2), ("counts", c_longlong * 2), ("looking", c_void_p * 2), ("begins", c_void_p * 2),
        ("weights", c_void_p), ("entries", c_longlong),
        *((name, c_void_p) for name in ("stages", "counted", "lines")),
    ]  # fmt: skip


class LearnedValues:
    """Values at an address, which is good as long as this object lives."""

    def __init__(self, patterns: Patterns, folded: Folded, lines: array[int]):
        """`lines` are the weights of the lines of `evaluate`, stage by stage, or none; they and the folded weights may
        change as long as nothing is judged."""
        counted = array("B", bytes(padded(patterns.size)))
        for start, stop in patterns.filled:
            counted[start:stop] = array("B", b"\1" * (stop - start))
        looking, begins = zip(*(_looking(rows, padded(patterns.size)) for rows in folded.rows), strict=True)
        stages = array("i", patterns.stages)
        self._kept = (*folded.rows, *looking, *begins, folded.weights, stages, counted, lines)
        at = list(map(_address, self._kept))
        self._struct = _Learned(
            tuple(at[:2]), tuple(len(rows) // ROW for rows in folded.rows), tuple(at[2:4]), tuple(at[4:6]), at[6],
            folded.entries, *at[7:],
        )  # fmt: skip
        self.address: int = ctypes.addressof(self._struct)

    @classmethod
    def of(cls, values: Values) -> Self:
        """These values."""
        lines = array("i", chain.from_iterable(values.lines) if values.uses_lines else ())
        return cls(values.patterns, values.folded(), lines)

    def judge(self, size: int) -> Any:
        """Memory of so many bytes for one thread that judges by these values."""
        memory = (ctypes.c_char * size)()
        ctypes.c_void_p.from_buffer(memory).value = self.address
        return memory


def _looking(rows: array[int], size: int) -> tuple[array[int], array[int]]:
    """For each byte the groups that look at it, with their strides; and where those of a byte begin."""
    by_byte: list[list[int]] = [[] for _ in range(size)]
    for number, at in enumerate(range(0, len(rows), ROW)):
        bytes_, strides = rows[at + 1 : at + 1 + WIDEST], rows[at + 1 + WIDEST : at + ROW]
        for byte, stride in zip(bytes_, strides, strict=True):
            if stride:
                by_byte[byte] += (number, stride)
    begins = accumulate((len(one) // 2 for one in by_byte), initial=0)
    return array("i", chain.from_iterable(by_byte)), array("i", begins)


def _address(numbers: array[int]) -> int | None:
    return numbers.buffer_info()[0] if numbers else None
