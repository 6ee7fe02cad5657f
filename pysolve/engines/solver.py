"""Solving in C: memory that grows with what is found.

In: the native engine and a state.  Out: the `Table` of `pysolve.search.retrograde`, the search of
`pysolve.search.proof_number`, and that of `pysolve.search.decide`.
"""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Sequence
from typing import Any, Literal

from pysolve.dsl.language.constants import EDGES_FULL, MOVES_FULL, NO_ROOM, REPLIES_FULL, STOPPED, TABLE_FULL, WAY_FULL
from pysolve.engines.bindings import Asked, Question, stop_all
from pysolve.engines.memory import more_moves, zeros
from pysolve.engines.protocol import LimitReached, Move, State
from pysolve.runtime import validation
from pysolve.search.canonical import Renamings, exchanges_players
from pysolve.search.decide import FIRST, Answer
from pysolve.search.proof_number import Known, TableFull, checked_goal
from pysolve.search.retrograde import (
    Begun,
    OutOfTime,
    Table,
    Tick,
    TooManyStates,
    stage_of_positions,
    stage_of_values,
)
from pysolve.search.retrograde import checked as checked_states

ROOM = 1 << 16  # positions at first
SLICE = 1.0  # seconds until a search looks whether there is a better build
ALONE = 0.1  # seconds until other threads help the first one
ANSWERED = 2  # of a question, as C counts
LONGEST_WAY = 1 << 20  # moves of one game that are searched depth first
TIME_OVER, GROWN = -1, -2


class _Explored(ctypes.Structure):
    """The progress of the exploration of all positions, as C counts it."""

    _fields_ = [(name, ctypes.c_longlong) for name in ("count", "done", "edges", "hashed")]


class _Renamings(ctypes.Structure):
    """A group of symmetries as C reads it; the arrays live as long."""

    _fields_ = [
        *((name, ctypes.c_longlong) for name in ("count", "keeping")),
        *((name, ctypes.c_void_p) for name in ("origins", "images")),
    ]

    def __init__(self, symmetries: Renamings):
        rows = dict.fromkeys(row for _, tables in symmetries.maps for row in tables)
        places = {row: place for place, row in enumerate(rows)}
        maps, origins = sorted(symmetries.maps, key=exchanges_players), array("I")
        for sources, tables in maps:
            pairs = array("I", (0,)) * (2 * len(sources))
            pairs[::2], pairs[1::2] = array("I", sources), array("I", [places[row] for row in tables])
            origins += pairs
        self._arrays = origins, array("B", b"".join(rows))
        where = (numbers.buffer_info()[0] for numbers in self._arrays)
        super().__init__(len(maps), len(symmetries.keeping_players.maps), *where)


class _Proving(ctypes.Structure):
    """The progress of a proof, as C counts it."""

    _fields_ = [(name, ctypes.c_longlong) for name in ("count", "limit", "depth", "visits")]


def solved(
    engine: Asked,
    state: State,
    states: int,
    tick: Tick | None,
    until: float | None,
    begun: Begun | None,
    symmetries: Renamings,
) -> Table:
    """The value of every position that can be reached; raises `TooManyStates` and `OutOfTime`."""
    until, begun = validation.moment(until), validation.callback("begun", begun)
    return _Space(engine, state, states, symmetries).table(
        validation.callback("tick", tick), until, begun or (lambda _: None)
    )


class _Space:
    """All positions that were found, in memory that C writes."""

    def __init__(self, engine: Asked, state: State, states: int, symmetries: Renamings):
        engine.sound(state)
        states = checked_states(states)
        self._renamings = _Renamings(symmetries)
        self._engine = engine
        self._limit = states
        self._size = engine.functions.state_size()
        self._explored = _Explored(count=1)
        self._moves = 1 << 12  # of one position
        self._room = self._edge_room = 0
        self._states = self._first = self._results = self._edges = _Memory(0)
        self._grow_positions(min(states, ROOM))
        self._grow_edges(8 * ROOM)
        self._states.write(_canonical(engine, self._renamings, state))

    def table(self, tick: Tick | None, until: float | None, begun: Begun) -> Table:
        """Finds all positions, then what they are worth."""
        begun(stage_of_positions(lambda: int(self._explored.count)))
        self._explore(tick, until)
        begun(stage_of_values(int(self._explored.count)))
        count, edges, functions = self._explored.count, self._explored.edges, self._engine.functions
        back, before, left, queue = (_Memory(size) for size in (8 * (count + 1), 4 * edges, 4 * count, 4 * count))
        values, distances = _Memory(count), _Memory(4 * count)
        full = _ask(
            self._engine, tick, until, functions.values, count, self._states.at, self._first.at, self._edges.at,
            self._results.at, back.at, before.at, left.at, queue.at, values.at, distances.at,
        )  # fmt: skip
        if full == TIME_OVER:
            raise OutOfTime(count)
        return Table(
            values.numbers("b", count), distances.numbers("I", count),
            self._first.numbers("Q", count + 1), self._edges.numbers("I", edges), self._place,
        )  # fmt: skip

    def _place(self, state: State) -> int | None:
        self._engine.sound(state)
        place = self._engine.functions.place(
            ctypes.byref(self._renamings), self._states.at, self._slots.at, self._mask, state
        )
        return None if place < 0 else int(place)

    def _explore(self, tick: Tick | None, until: float | None) -> None:
        while True:
            after, hashes = _Memory(self._moves * self._size), _Memory(8 * self._moves)
            moves = _Memory(self._moves * ctypes.sizeof(self._engine.move_type))
            full = _ask_on(
                self._engine, tick, until, "explore", ctypes.byref(self._explored),
                ctypes.byref(self._renamings), self._states.at, self._room, self._slots.at, self._mask, self._first.at,
                self._results.at, self._edges.at, self._edge_room, moves.at, after.at, hashes.at, self._moves,
            )  # fmt: skip
            if not full:
                return
            if full == TIME_OVER:
                raise OutOfTime(int(self._explored.count))
            if full == EDGES_FULL:
                self._grow_edges(2 * self._edge_room)
            elif full == MOVES_FULL:
                self._moves = more_moves(self._moves)
            elif self._room == self._limit:
                raise TooManyStates(self._limit)
            else:
                self._grow_positions(min(self._limit, 2 * self._room))

    def _grow_positions(self, room: int) -> None:
        self._room = room
        self._states = self._states.grown(room * self._size)
        self._first = self._first.grown(8 * (room + 1))
        self._results = self._results.grown(room)
        slots = 1 << (2 * room - 1).bit_length()
        self._mask, self._explored.hashed = slots - 1, 0
        self._slots = _Memory(4 * slots)

    def _grow_edges(self, room: int) -> None:
        self._edge_room = room
        self._edges = self._edges.grown(4 * room)


class NativeProver:
    """The search of `pysolve.search.proof_number` in C: the same results with the same number of visits."""

    def __init__(self, engine: Asked, state: State, player: int, states: int, symmetries: Renamings):
        engine.sound(state)
        player, states = checked_goal(player, states)
        self._engine = engine
        self._state = state
        self._renamings = _Renamings(symmetries)
        self._player = player
        self._limit = states
        self._proving = _Proving(limit=states)
        self._slots = self._way_room = self._replies_room = 0
        self._table = self._way = self._moves = self._replies = _Memory(0)
        self._grow(TABLE_FULL)
        self._grow(WAY_FULL)
        self._grow(REPLIES_FULL)

    @property
    def visits(self) -> int:
        """Positions visited so far, repeated visits included."""
        return int(self._proving.visits)

    @property
    def kept(self) -> int:
        """Positions in the table."""
        return int(self._proving.count)

    def search(self, visits: int | None, until: float | None, tick: Tick | None) -> None:
        """Goes on until the first position is decided, or a limit is reached."""
        visits, until = validation.whole_or_none("visits", visits, 0), validation.moment(until)
        most = -1 if visits is None else visits
        while True:
            full = _ask_on(
                self._engine, tick, until, "prove", ctypes.byref(self._proving),
                ctypes.byref(self._renamings), self._state, self._player, self._table.at, self._slots - 1, self._way.at,
                self._way_room, self._moves.at, self._replies.at, self._replies_room, most,
            )  # fmt: skip
            if full in (0, TIME_OVER):
                return
            self._grow(full)

    def known(self, state: State) -> Known:
        """The proof and disproof numbers of a position."""
        return self._asked(state, forget=False)

    def forget(self, state: State) -> None:
        """Makes a position unknown."""
        self._asked(state, forget=True)

    def least(self, state: State) -> State:
        """What stands for a position and its images."""
        self._engine.sound(state)
        return _canonical(self._engine, self._renamings, state)

    def _asked(self, state: State, forget: bool) -> Known:
        self._engine.sound(state)
        out = (ctypes.c_longlong * 3)()
        self._engine.functions.known(ctypes.byref(self._renamings), self._table.at, self._slots - 1, state, out, forget)
        return Known(*out)

    def _grow(self, full: int) -> None:
        functions = self._engine.functions
        if full == TABLE_FULL:
            if self.kept >= self._limit:
                raise TableFull(self._limit)
            slots = 4 * self._slots or 1 << 16
            table = _Memory(slots * functions.numbers_size())
            functions.move_numbers(self._table.at, self._slots - 1, table.at, slots - 1)
            self._table, self._slots = table, slots
        elif full == WAY_FULL:
            self._way_room = 4 * self._way_room or 1 << 8
            self._way = self._way.grown(self._way_room * functions.stage_size())
        else:
            self._replies_room = 4 * self._replies_room or 1 << 14
            self._moves = self._moves.grown(self._replies_room * ctypes.sizeof(self._engine.move_type))
            self._replies = self._replies.grown(self._replies_room * functions.reply_size())


class _Deciding(ctypes.Structure):
    """The beginning of what C keeps of a search that decides."""

    _fields_ = [
        (name, ctypes.c_longlong)
        for name in ("asked", "closed", "value", "relies", "best", "depth", "nodes", "filled", "lost", "drawn")
    ]  # fmt: skip


class _Thread:
    """What one thread of a search that decides keeps for itself."""

    def __init__(self, engine: Asked):
        self._engine, self._functions = engine, engine.functions
        self.memory = _Memory(self._functions.deciding_size())
        self.deciding = _Deciding.from_buffer(self.memory.at)
        self._way_room = self._choices_room = 0
        self._way = self._moves = self._choices = _Memory(0)
        self.grow(WAY_FULL)
        self.grow(REPLIES_FULL)

    @property
    def has_answer(self) -> bool:
        """True if it has found what it was asked."""
        return bool(self.deciding.asked == ANSWERED)

    def asked(self, renamings: Any, state: State, player: int, table: _Memory, most: int) -> tuple[Any, ...]:
        """The question as C reads it."""
        return (self.memory.at, renamings, state, player, table.at, self._way.at, self._way_room, self._moves.at,
                self._choices.at, self._choices_room, most)  # fmt: skip

    def course(self) -> list[tuple[Move, int, int]]:
        """The first moves on the way, each with its number and how many there are."""
        found = (ctypes.c_longlong * (3 * FIRST))()
        count = self._functions.course(
            self.memory.at, self._way.at, self._choices.at, self._choices_room, FIRST, found
        )  # fmt: skip
        rows = (found[3 * at : 3 * at + 3] for at in range(count))
        return [(self._engine.decode(code), number, most) for code, number, most in rows]

    def grow(self, full: int) -> None:
        """More memory for what is full."""
        if full == REPLIES_FULL:
            self._choices_room = 4 * self._choices_room or 1 << 14
            self._moves = _Memory(self._choices_room * ctypes.sizeof(self._engine.move_type))
            self._choices = self._choices.grown(self._choices_room * self._functions.choice_size())
            return
        if self._way_room >= LONGEST_WAY:
            raise LimitReached(f"a game can last more than {self._way_room:,} moves here, which is too deep for "
                               "alpha-beta: try proof-number search")  # fmt: skip
        self._way_room = 4 * self._way_room or 1 << 8
        self._way = self._way.grown(self._way_room * self._functions.level_size())


class NativeDecider:
    """The search of `pysolve.search.decide` in C: the same answers.

    Several threads ask the same question, each with its own histories, and share the table; the first answer counts.
    """

    def __init__(self, engine: Asked, states: int, symmetries: Renamings, threads: int = 1):
        _, states = checked_goal(1, states)
        self._engine = engine
        functions = engine.functions
        self._renamings = _Renamings(symmetries)
        self._states = states
        self._table = _Memory(functions.decided_size(states))
        self._threads = [_Thread(engine) for _ in range(threads)]
        self._shared = _Memory(functions.shared_size()) if threads > 1 else None

    @property
    def visits(self) -> int:
        """Positions visited so far, repeated visits included."""
        return sum(one.deciding.nodes for one in self._threads)

    @property
    def kept(self) -> int:
        """Positions in the table."""
        return sum(one.deciding.filled for one in self._threads)

    @property
    def lost(self) -> int:
        """Answers that could not be kept, since they relied on the way to a position."""
        return sum(one.deciding.lost for one in self._threads)

    @property
    def drawn(self) -> int:
        """Draws, and positions on the way, that were met."""
        return sum(one.deciding.drawn for one in self._threads)

    def course(self) -> list[tuple[Move, int, int]]:
        """The first moves on the way of the first thread, each with its number and how many there are."""
        return self._threads[0].course()

    def ask(
        self, state: State, player: int, visits: int | None = None, until: float | None = None, tick: Tick | None = None
    ) -> Answer | None:
        """Does a player win from a state?"""
        self._engine.sound(state)
        player, _ = checked_goal(player, 1)
        visits, until = validation.whole_or_none("visits", visits, 0), validation.moment(until)
        shared = None if self._shared is None else self._shared.at
        for one in self._threads:
            self._engine.functions.begin_deciding(one.memory.at, self._states, shared)
        share = None if visits is None else -(-visits // len(self._threads))
        limits = {one: -1 if share is None else one.deciding.nodes + share for one in self._threads}
        together = False  # most questions are answered before others would have begun to help
        while True:
            # a better build goes on where this one has stopped: all of them read the same memory
            alone = len(self._threads) > 1 and not together
            self._engine.hasten()
            slice_ = SLICE if self._engine.may_improve else ALONE if alone else None
            soon = None if slice_ is None else time.monotonic() + slice_
            ends = _sooner(soon, until)
            threads = self._threads if together and self._engine.functions.shares() else self._threads[:1]
            full = self._search({one: limits[one] for one in threads}, state, player, ends, tick)
            found = next((one for one in self._threads if one.has_answer), None)
            if found is not None:
                return Answer(bool(found.deciding.value), self._index(state, int(found.deciding.best)))
            if full == TIME_OVER and ends == soon:
                together = True
            elif full != GROWN:
                return None

    def _search(
        self, limits: dict[_Thread, int], state: State, player: int, until: float | None, tick: Tick | None
    ) -> int:
        """Has threads search until one has an answer, or until its limit of visits: 0, `TIME_OVER`, or `GROWN` if it
        may go on.
        """
        engine, renamings, told = self._engine, ctypes.byref(self._renamings), 0
        asked = [
            (engine.control(), engine.functions.decide, *one.asked(renamings, state, player, self._table, most))
            for one, most in limits.items()
        ]
        controls = [control for control, *_ in asked]
        helping = [(control, Question(control, *more)) for control, *more in asked[1:]]

        def hear(_: int) -> None:
            nonlocal told
            seen = sum(control.nodes for control in controls)
            if tick is not None:
                tick(seen - told)
            told = seen
            if any(one.has_answer for one in limits) or any(one.ended and one.found == NO_ROOM for _, one in helping):
                controls[0].stop = 1

        try:
            for _, one in helping:
                one.start()
            first = engine.answer(controls[0], hear, *asked[0][1:], until=until)
        finally:
            stop_all(helping)
        found = TIME_OVER if first == STOPPED else 0
        codes = [first, *(one.found for _, one in helping)]
        for thread, control, code in zip(limits, controls, codes, strict=True):
            if code == NO_ROOM:
                thread.grow(int(control.low))
                found = GROWN
            elif code != STOPPED:
                engine.checked(code, control)
        return found

    def _index(self, state: State, code: int) -> int | None:
        return None if code < 0 else list(self._engine.expand(state).moves).index(self._engine.decode(code))


def _canonical(engine: Asked, renamings: _Renamings, state: State) -> State:
    out = ctypes.create_string_buffer(len(state))
    engine.functions.canonical(ctypes.byref(renamings), state, out)
    return out.raw


def _ask(engine: Asked, tick: Tick | None, until: float | None, function: Any, *args: Any) -> int:
    """Calls a function of the solver: returns 0 after an answer, `TIME_OVER`, or the number of the table that is
    full."""
    control = engine.control()
    found = engine.answer(control, tick, function, *args, until=until)
    if found == NO_ROOM:
        return int(control.low)
    if found == STOPPED and until is not None:
        return TIME_OVER
    engine.checked(found, control)
    return 0


def _ask_on(engine: Asked, tick: Tick | None, until: float | None, name: str, *args: Any) -> int:
    """The same for a function, by its name, that goes on where it has stopped: a better build takes the place of a
    quick one, and reads the same memory."""
    while True:
        engine.hasten()
        soon = time.monotonic() + SLICE if engine.may_improve else None
        ends = _sooner(soon, until)
        full = _ask(engine, tick, ends, getattr(engine.functions, name), *args)
        if full != TIME_OVER or ends != soon:
            return full


def _sooner(one: float | None, other: float | None) -> float | None:
    """The earlier of two moments, of which each may be none."""
    return min((moment for moment in (one, other) if moment is not None), default=None)


class _Memory:
    """Bytes that C may write, zeros at first; the system gives them when they are first touched."""

    def __init__(self, size: int):
        self._bytes = zeros(max(1, size))
        self._size = size

    @property
    def at(self) -> Any:
        """The memory as an argument, which stays alive as long as C needs it."""
        return self._bytes

    def write(self, what: bytes) -> None:
        """Copies the bytes to the beginning of the memory."""
        ctypes.memmove(self._bytes, what, len(what))

    def grown(self, size: int) -> _Memory:
        """A larger one with the same beginning."""
        other = _Memory(size)
        ctypes.memmove(other._bytes, self._bytes, self._size)
        return other

    def numbers(self, code: Literal["b", "I", "Q"], count: int) -> Sequence[int]:
        """The memory as so many numbers."""
        numbers: Sequence[int] = memoryview(self._bytes).cast("B").cast(code)[:count]
        return numbers
