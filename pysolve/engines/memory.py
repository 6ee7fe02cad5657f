"""Memory that C writes: for the answers of a thread, for a walk over a turn, for tables."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import sys
from array import array
from typing import Any

from pysolve.engines.protocol import LimitReached

MOST_MOVES = 1 << 23  # of one position
WORD = 8  # bytes that C may write behind the last position


def zeros(size: int, small: int = 0) -> Any:
    """Memory of so many bytes; the system fills it with zeros when it is first touched.

    It lies in large pages if the system has such, which are better for what is read all over; but each takes long to
    fill, so the first bytes, which a short search touches, may be in `small` ones.
    """
    try:
        if sys.platform == "win32":
            memory = mmap.mmap(-1, size)
        else:  # not shared: such is not given in large pages, and processes forked from this one would write to it
            memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError, ValueError):
        raise LimitReached(f"there is no room for {size:,} bytes more: fewer positions can be kept here") from None
    begin = -(-small // mmap.PAGESIZE) * mmap.PAGESIZE
    if begin < size and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE, begin)
    return (ctypes.c_char * size).from_buffer(memory)


class Kept:
    """Arrays that C reads or writes, which live as long as this object."""

    def __init__(self) -> None:
        self._all: dict[int, array[Any] | ctypes.Array[Any]] = {}

    def __call__(self, numbers: array[Any] | ctypes.Array[Any]) -> int | None:
        """Where an array lies, which may not change its length any more; None for an empty one."""
        if not len(numbers):
            return None
        at = numbers.buffer_info()[0] if isinstance(numbers, array) else ctypes.addressof(numbers)
        self._all[at] = numbers
        return at

    def at(self, address: int) -> array[Any] | ctypes.Array[Any]:
        """The array that lies there."""
        return self._all[address]


def more_moves(room: int, most: int = MOST_MOVES) -> int:
    """Room for more moves of a position, or on a way; raises `LimitReached` where there may be no more."""
    if 4 * room > most:
        raise LimitReached(f"there are more than {room:,} legal moves here: let a kind of moves choose less at once, "
                           "and continue with `again`")  # fmt: skip
    return 4 * room


def padded(size: int) -> int:
    """The bytes of a position in C: a whole number of words."""
    return (size + 7) // 8 * 8
