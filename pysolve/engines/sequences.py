"""Sequences of whole turns in C: the same numbers as those of `pysolve.search.turns`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_longlong
from typing import Protocol

from pysolve.dsl.language.constants import ENDLESS, NO_ROOM, POSITIONS_ARE_FULL
from pysolve.engines.bindings import Asked, Control
from pysolve.engines.buffers import LARGEST_TURN, SMALL_TURN
from pysolve.engines.memory import zeros
from pysolve.engines.protocol import Engine, LimitReached, State
from pysolve.search.turns import EndlessTurn, TurnCounter

MOST_COUNTED = 1 << 29  # bytes for what was counted


class Counting(Asked, Engine, Protocol):
    """The native engine, as it is known here."""


class NativeSequences:
    """Counts sequences of whole turns in C.  What was counted is kept for the next question, as far as memory goes.

    Raises `LimitReached` where a turn has too many moves.
    """

    def __init__(self, engine: Counting):
        self._engine = engine
        self._functions = engine.functions
        most = MOST_COUNTED // 2 // self._functions.sequences_size()
        self._most = 1 << (most.bit_length() - 1)
        self._keep(SMALL_TURN)
        self._go(SMALL_TURN)

    def _keep(self, entries: int) -> None:
        """Begins a table of so many positions, and as many within last turns."""
        self._entries = entries
        self._table = zeros(2 * entries * self._functions.sequences_size())
        self._kept = (c_longlong * 1)()

    def _go(self, way: int) -> None:
        """Takes memory for so many positions on the way to one of them."""
        functions, self._room = self._functions, way
        moves = 16 * way
        self._way = zeros(way * functions.branching_size())
        self._number = ctypes.c_uint64.from_buffer(self._way)
        self._arguments = (
            self._way, way, zeros(moves * functions.move_size), moves, zeros(moves * functions.follower_size()), moves
        )  # fmt: skip

    def count(self, state: State, turns: int, tick: Callable[[], None]) -> int:
        """The number of sequences of `turns` turns; raises `EndlessTurn` where one can come back to a position."""
        self._engine.sound(state)
        while True:
            control = self._engine.control()
            found = self._engine.answer(
                control, lambda _: tick(), self._functions.sequences, state, turns, self._table, self._entries,
                self._entries >= self._most, self._kept, *self._arguments,
            )  # fmt: skip
            if found == ENDLESS:
                raise EndlessTurn
            if found == NO_ROOM:
                self._enlarge(control)
            elif self._engine.checked(found, control):
                return self._number.value
            else:
                return TurnCounter([self._engine] * turns, asking=False).count(state)

    def _enlarge(self, control: Control) -> None:
        if control.low == POSITIONS_ARE_FULL:
            self._keep(min(8 * self._entries, self._most))
            return
        if 8 * self._room > LARGEST_TURN:
            raise LimitReached(f"a turn has more than {self._room:,} consecutive moves")
        self._go(8 * self._room)
