"""Learned values for C: the tables of `pysolve.search.learned.Values` in memory that a library reads."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import c_longlong, c_void_p
from itertools import accumulate, chain
from typing import Any, Self

from pysolve.dsl.analysis.patterns import Patterns
from pysolve.dsl.language.constants import WIDEST
from pysolve.engines.memory import Kept, padded
from pysolve.search.learned import Folded, Net, Values

ROW = 1 + 2 * WIDEST  # numbers of a group


class Lookup(ctypes.Structure):
    """As in dsl/to_c/runtime/learned.c."""

    _fields_ = [
        ("groups", c_void_p * 2), ("counts", c_longlong * 2), ("looking", c_void_p * 2), ("begins", c_void_p * 2),
    ]  # fmt: skip

    @classmethod
    def of(cls, rows: tuple[array[int], array[int]], size: int, kept: Kept) -> Self:
        """Groups, as they are folded, of positions of so many bytes."""
        looking, begins = zip(*(_looking(one, padded(size)) for one in rows), strict=True)
        at = [tuple(map(kept, both)) for both in (rows, looking, begins)]
        return cls(at[0], tuple(len(one) // ROW for one in rows), *at[1:])


class _Learned(ctypes.Structure):
    """As in dsl/to_c/runtime/learned.c."""

    _fields_ = [
        ("tables", Lookup), ("weights", c_void_p), ("entries", c_longlong),
        *((name, c_void_p) for name in ("stages", "counted", "lines")),
        ("inputs", Lookup), ("rows", c_void_p), ("outputs", c_void_p), ("units", c_longlong), ("ceiling", c_longlong),
    ]  # fmt: skip


class LearnedValues:
    """Values at an address, which is good as long as this object lives: a block, and the arrays that it names."""

    def __init__(self, patterns: Patterns, folded: Folded, lines: array[int], net: Net | None = None):
        """`lines` are the weights of the lines of `evaluate`, stage by stage, or none; they and the folded weights may
        change as long as nothing is judged."""
        counted = array("B", bytes(padded(patterns.size)))
        for start, stop in patterns.filled:
            counted[start:stop] = array("B", b"\1" * (stop - start))
        self.kept = kept = Kept()
        inputs, rows = net.folded() if net else ((array("i"), array("i")), array("h"))
        self.struct = _Learned(
            Lookup.of(folded.rows, patterns.size, kept), kept(folded.weights), folded.entries,
            *map(kept, (array("i", patterns.stages), counted, lines)),
            Lookup.of(inputs, patterns.size, kept), kept(rows),
            *((kept(net.outputs), net.units, net.ceiling) if net else ()),
        )  # fmt: skip
        self.address: int = ctypes.addressof(self.struct)

    @classmethod
    def of(cls, values: Values) -> Self:
        """These values."""
        lines = array("i", chain.from_iterable(values.lines) if values.uses_lines else ())
        return cls(values.patterns, values.folded(), lines, values.net)

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
