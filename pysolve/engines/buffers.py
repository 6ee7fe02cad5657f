"""Memory for the answers to one thread: about a position, and about a whole turn."""

from __future__ import annotations

import ctypes
from ctypes import c_longlong
from typing import Any, NamedTuple

from pysolve.dsl.language.constants import POSITIONS_ARE_FULL
from pysolve.engines.bindings import Control, Functions
from pysolve.engines.memory import WORD, more_moves, zeros
from pysolve.engines.protocol import LimitReached, State

ROOM = 1 << 15  # moves of one position
SMALL_TURN = 1 << 8  # positions
LARGEST_TURN = 1 << 23  # positions; they take some gigabytes


class Turn(NamedTuple):
    """The result of walking a turn: the number of distinct `positions` after it, and of ordered turns."""

    state: State
    positions: int  # which lie in the memory
    ways: int | None  # None if they are too many for a number of C
    endless: bool  # it can come back to a position: there is no number
    memory: TurnMemory


class TurnMemory:
    """Memory for a walk over a turn: so many positions within it and after it, and so many on the way to one of them.

    Raises `OSError` where there is not as much.
    """

    def __init__(self, positions: int, way: int, size: int, functions: Functions):
        self.positions, self.way = positions, way
        key, moves = functions.key_size(), 16 * way
        sizes = (positions * key, 8 * positions, 8 * positions, positions * key, 8 * positions, positions * size,
                 way * functions.frame_size(), moves * functions.move_size, moves * functions.child_size())  # fmt: skip
        memory = [zeros(one) for one in sizes]
        self.ways = ctypes.c_uint64.from_buffer(memory[2])
        self.ends = memory[5]
        self.arguments = [*memory[:6], positions, memory[6], way, *memory[7:], moves]


class Buffers:
    """Memory for the answers of one thread."""

    def __init__(self, move_type: Any):
        self._move_type = move_type
        self.room = ROOM
        self.result = (c_longlong * 2)()
        self.result_at = ctypes.addressof(self.result)
        self.control = Control()
        self.control_at = ctypes.addressof(self.control)
        self._children: Any = None
        self._allocate()
        self._small_turn: TurnMemory | None = None
        self._large_turn: TurnMemory | None = None
        self.turn: Turn | None = None  # the last one walked

    def children_at(self, size: int) -> int:
        """Memory for a position after each of the moves that there is room for, and a word more."""
        if self._children is None:
            try:
                self._children = zeros(self.room * size + WORD)
            except OSError:
                raise LimitReached(f"there is no memory for the positions after {self.room:,} moves") from None
        return ctypes.addressof(self._children)

    def _allocate(self) -> None:
        self.moves = (self._move_type * self.room)()
        self.moves_at = ctypes.addressof(self.moves)

    def grow(self) -> None:
        """Replaces the buffers by larger ones; their contents are lost."""
        self.room = more_moves(self.room)
        self._children = None
        self._allocate()

    def small_turn(self, size: int, functions: Functions) -> TurnMemory:
        """Memory that suffices for most turns."""
        if self._small_turn is None:
            self._small_turn = TurnMemory(SMALL_TURN, SMALL_TURN, size, functions)
        return self._small_turn

    def larger_turn(self, memory: TurnMemory, control: Control, size: int, functions: Functions) -> TurnMemory:
        """Eight times as much of what did not suffice; raises `LimitReached` where there is no more of it."""
        if memory is self._small_turn and self._large_turn is not None:
            return self._large_turn
        full = control.low == POSITIONS_ARE_FULL
        positions, way = memory.positions * (8 if full else 1), memory.way * (1 if full else 8)
        self._large_turn = None  # and gives its memory back
        try:
            if max(positions, way) > LARGEST_TURN:
                raise OSError
            self._large_turn = TurnMemory(positions, way, size, functions)
        except OSError:
            what = "positions" if full else "consecutive positions"
            raise LimitReached(f"a turn from here has more than {memory.positions if full else memory.way:,} {what}, "
                               f"and there is no memory for more; {control.ended:,} positions after it were found "
                               "so far: count from a position further on in the turn") from None  # fmt: skip
        return self._large_turn

    def forget_turn(self) -> None:
        """Somebody else keeps the memory of the last turn."""
        self.turn = self._large_turn = None
