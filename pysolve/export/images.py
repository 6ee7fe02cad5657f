"""What was learned as an exported game carries it: memory that its programs read wherever they put it.

In: learned values or a policy as C reads them here: a block, and the arrays that it names.  Out: the same for
WebAssembly, where an address has 32 bits: one piece that begins with the block.  An address in it is the distance from
its beginning, 0 where there is none; the page adds where the piece lies.
"""

from __future__ import annotations

import ctypes
from array import array
from ctypes import Array, Structure, c_uint32, c_void_p
from functools import cache
from typing import Any, Protocol

from pysolve.engines.memory import Kept

ALIGNED = 16  # bytes; rows of a net are read by so many


class Held(Protocol):
    """What C reads here."""

    kept: Kept

    @property
    def struct(self) -> Structure: ...


class Image:
    """The piece of memory, and where addresses stand in it."""

    def __init__(self, held: Held):
        self._kept = held.kept
        self._placed: dict[int, int] = {}  # distances by addresses here
        self.data = bytearray()
        self.addresses: list[int] = []
        self._add(held.struct)

    def _add(self, what: array[Any] | Structure | Array[Any]) -> int:
        """Puts something behind what is there: its distance."""
        self.data += bytes(-len(self.data) % ALIGNED)
        at = len(self.data)
        if isinstance(what, array):
            self.data += what.tobytes()
        else:
            there = _there(type(what))
            self.data += bytes(ctypes.sizeof(there))
            self._write(what, there, at)
        return at

    def _write(self, what: Any, there: Any, at: int) -> None:
        """Writes a value of a field, which has the type `there` in the piece, at a distance."""
        if isinstance(what, Structure):
            for name, kind in there._fields_:
                self._write(getattr(what, name), kind, at + getattr(there, name).offset)
        elif isinstance(what, Array):
            for place, one in enumerate(what):
                self._write(one, there._type_, at + place * ctypes.sizeof(there._type_))
        elif what is not None:
            if there is c_uint32:
                self.addresses.append(at)
                what = self._distance(what)
            size = ctypes.sizeof(there)
            self.data[at : at + size] = what.to_bytes(size, "little", signed=there is not c_uint32)

    def _distance(self, address: int) -> int:
        """How far from the beginning lies what has this address here."""
        if address not in self._placed:
            self._placed[address] = self._add(self._kept.at(address))
        return self._placed[address]


@cache
def _there(kind: Any) -> Any:
    """The type of a field in WebAssembly."""
    if kind is c_void_p:
        return c_uint32
    if issubclass(kind, Array):
        return _there(kind._type_) * kind._length_
    if issubclass(kind, Structure):
        return type(kind.__name__, (Structure,), {"_fields_": [(name, _there(one)) for name, one in kind._fields_]})
    return kind
