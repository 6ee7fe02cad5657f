"""The functions of a compiled library, the memory shared with it, and calls in a thread of their own."""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Mapping
from ctypes import c_char_p, c_longlong, c_void_p
from typing import Any, Protocol

from pysolve.dsl.language.constants import CUT_BY_STEPS, STOPPED
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import Codes
from pysolve.engines.build import Library
from pysolve.engines.memory import padded
from pysolve.engines.protocol import TOO_MANY, LimitReached, Move, Node, State
from pysolve.runtime.cancellation import go_on

STEPS = 200_000_000  # loop iterations that one position may take, where they are counted: about 1 s, 10 s with tcc
QUICK_STEPS = 1_000_000  # the same for calls that cannot be stopped
WAIT = 0.05  # seconds between checks of a running call

Tick = Callable[[int], None]


class Error(ctypes.Structure):
    """An error in the C code: its kind, the line of the rules, the slot and the value."""

    _fields_ = [(name, c_longlong) for name in ("kind", "line", "slot", "value")]


class Control(ctypes.Structure):
    """The control block of a call: limits and stop flag for C, progress and errors for Python."""

    judge: Any = None  # the memory at `values`, which lives as long as the block

    _fields_ = [
        *((name, c_longlong) for name in ("stop", "nodes", "ended", "low", "high")), ("error", Error),
        *((name, c_longlong) for name in ("steps", "left", "slice", "cut", "values")),
    ]  # fmt: skip


class Asked(Protocol):
    """The part of the native engine that its searches use."""

    game: Game
    codes: Codes
    move_type: Any
    functions: Functions

    @property
    def may_improve(self) -> bool:
        """True while a better build of the same functions may take the place of this one."""

    def hasten(self) -> None:
        """Lets it take the place now, if it can and that is worth it (see `NativeAnswers.hasten`)."""

    def control(self, steps: int | None = None) -> Control:
        """A fresh control block; `steps` limits the loop steps of one position."""

    def sound(self, *states: State) -> None:
        """Raises `InvalidState` for the first of the states that is not one of the game."""

    def expand(self, state: State) -> Node:
        """Everything that can be asked about a position (see `pysolve.engines.protocol.Engine`)."""

    def decode(self, code: int) -> Move:
        """The move that an integer of the C code stands for."""

    def answer(self, control: Control, tick: Tick | None, function: Any, *args: Any, until: float | None = None) -> int:
        """Calls a C function in a thread, until `until` (`time.monotonic`) at the latest; returns what it returned."""

    def checked(self, found: int, control: Control) -> int:
        """Returns `found`, or raises the error that this result of a C function stands for."""


class Functions:
    """The functions of a library, with their types."""

    def __init__(
        self,
        library: Library,
        move_size: int,
        players: int,
        repeats: bool,
        chance: bool = False,
        veils: bool = False,
        pays: bool = False,
    ):
        self.library = library
        self.move_size = move_size
        at, number = c_void_p, c_longlong
        function = library.function
        self.sound = function("ps_sound", c_char_p, number)
        self.expand = function("ps_expand", at, c_char_p, at, number, at, at)
        self.tries = bool(function("ps_tries")())
        self.bounded = bool(function("ps_bounded")())
        self.children = function("ps_children", at, c_char_p, at, number, c_char_p)
        self.expand_many = function("ps_expand_many", at, c_char_p, number, at, number, at, at, number)
        self.estimate_many = function("ps_estimate_many", at, c_char_p, number, at)
        self.start = function("ps_start", at, ctypes.c_uint64, c_char_p)
        self.estimate = function("ps_estimate", at, c_char_p)
        self.judge = function("ps_judge", at, c_char_p, number, number, at)
        self.standing = function("ps_standing", at, c_char_p, number, number, at)
        self.perft = function("ps_perft", at, c_char_p, number, at, number)
        self.perft_after = function("ps_perft_after", at, c_char_p, number, at, number, at, number, at, at, number)
        if repeats:
            self.turns_after = function(
                "ps_turns_after", at, c_char_p, number, at, number, at, number, number, at, at, number, at
            )
        self.playouts = function("ps_playouts", at, c_char_p, number, ctypes.c_uint64, number, at, at, number, at)
        if chance:
            self.weights = function("ps_weights", at, c_char_p, at, number, at)
        if veils:
            self.view = function("ps_view", at, c_char_p, number, at)
        if players == 2 and not pays:
            self.judge_size = function("ps_judge_size", at)
        if not pays:
            self._searches(function)
        if players >= 2 and not pays and not chance:
            self.strong_size = function("ps_strong_size")
            self.strong_table_size = function("ps_strong_table_size", at)
            self.strong = function("ps_strong", at, c_char_p, c_char_p, at, at, at, at)
        if players <= 2 and not pays:
            self._solvers(function)
        if players == 2 and not pays and not chance:
            self._deciders(function)
        if players != 2 or pays:
            self.estimates = function("ps_estimates", at, c_char_p, at)
        self.key_size = function("ps_key_size")
        self.frame_size = function("ps_frame_size")
        self.child_size = function("ps_child_size")
        self.sequences_size = function("ps_sequences_size")
        self.branching_size = function("ps_branching_size")
        self.follower_size = function("ps_follower_size")
        self.sequences = function(
            "ps_sequences", at, c_char_p, number, at, number, number, at, at, number, at, number, at, number
        )  # fmt: skip
        self.turn = function("ps_turn", at, c_char_p, at, at, at, at, at, at, number, at, number, at, at, number)

    def _searches(self, function: Any) -> None:
        at, number = c_void_p, c_longlong
        self.table_size = function("ps_table_size", at)
        self.search_size = function("ps_search_size", at)
        self.search = function("ps_search", at, c_char_p, at, at, at, number, number, at)
        self.drive = function("ps_drive", at, c_char_p, at, at, at, at)
        self.tree_size = function("ps_tree_size", at)
        self.grow = function(
            "ps_grow", at, c_char_p, number, number, ctypes.c_uint64, at, at, at, at, number, at, at, number
        )
        self.tree_played = function("ps_tree_played", at)
        self.way = function("ps_way", at, number, at)
        self.ranked = function("ps_ranked", at, number, at)
        self.advance = function("ps_advance", at, number, at)

    def _solvers(self, function: Any) -> None:
        """Declares the C functions that solve a game of one or two players."""
        at, number = c_void_p, c_longlong
        self.state_size = function("ps_state_size")
        self.canonical = function("ps_canonical", at, c_char_p, at)
        self.explore = function(
            "ps_explore", at, at, at, at, number, at, number, at, at, at, number, at, at, at, number
        )  # fmt: skip
        self.place = function("ps_place", at, at, at, number, c_char_p)
        self.values = function("ps_values", at, number, at, at, at, at, at, at, at, at, at, at)
        self.prove = function("ps_prove", at, at, at, at, number, at, number, at, number, at, at, number, number)
        self.known = function("ps_known", at, at, number, c_char_p, at, number)
        self.move_numbers = function("ps_move_numbers", at, number, at, number)
        self.numbers_size = function("ps_numbers_size")
        self.reply_size = function("ps_reply_size")
        self.stage_size = function("ps_stage_size")

    def _deciders(self, function: Any) -> None:
        at, number = c_void_p, c_longlong
        self.decide = function(
            "ps_decide", at, at, at, c_char_p, number, at, at, number, at, at, number, number
        )  # fmt: skip
        self.begin_deciding = function("ps_begin_deciding", at, number, at)
        self.shared_size = function("ps_shared_size")
        self.shares = function("ps_shares")
        self.course = function("ps_course", at, at, at, number, number, at)
        self.deciding_size = function("ps_deciding_size")
        self.decided_size = function("ps_decided_size", number)
        self.level_size = function("ps_level_size")
        self.choice_size = function("ps_choice_size")


def move_type(codes: Codes) -> type[ctypes.c_uint32] | type[ctypes.c_uint64]:
    """The C type of a move: 32 bits if its code fits, else 64."""
    return ctypes.c_uint32 if codes.bits <= 32 else ctypes.c_uint64


class Question:
    """A C function that is called in a thread of its own.

    After `stop` returns, C has finished, even if the caller is interrupted while the thread starts; so the memory and
    the library may be freed.  Arguments that are objects are kept alive until then.
    """

    def __init__(self, control: Control, function: Any, *args: Any):
        self._control = control
        self._taken = threading.Lock()  # by the thread, which then calls C, or by `stop` before that
        self._wake = threading.Lock()  # held until the call has ended
        self._wake.acquire()
        self.ended = False
        self.found: int = STOPPED

        def ask() -> None:
            if self._taken.acquire(blocking=False):
                try:
                    self.found = function(ctypes.byref(control), *args)
                finally:
                    self.ended = True
                    self._wake.release()

        self._thread = threading.Thread(target=ask, name="pysolve-question")

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Returns when the call has ended, after `seconds` at the latest."""
        self._wake.acquire(timeout=seconds)

    def stop(self) -> None:
        """Stops the call, and returns when it has ended."""
        self._control.stop = 1
        if self._taken.acquire(blocking=False):
            self.ended = True
        while not self.ended:
            self._control.stop = 1  # again: a search that begins anew may have just overwritten it
            with contextlib.suppress(KeyboardInterrupt):  # again: it ends soon
                self.wait(WAIT)


def stop_all(helping: list[tuple[Control, Question]]) -> None:
    """Stops what other threads search, all of it before one of them is waited for."""
    for control, _ in helping:
        control.stop = 1
    for _, one in helping:
        one.stop()


def answered(control: Control, tick: Tick | None, function: Any, *args: Any, until: float | None = None) -> int:
    """Calls C in a thread, so that it can be stopped by Ctrl-C, by `until`, or because nobody waits any more.

    The result, or STOPPED.  Raises `LimitReached` and `Abandoned`.
    """
    go_on()
    question = Question(control, function, *args)
    told = 0
    try:
        question.start()
        while not question.ended:
            question.wait(WAIT if until is None else max(0.0, min(WAIT, until - time.monotonic())))
            go_on()
            if until is not None and time.monotonic() >= until:
                control.stop = 1
            if tick is not None and control.nodes > told:
                tick(control.nodes - told)
                told = control.nodes
    except BaseException:
        question.stop()
        raise
    if control.cut == CUT_BY_STEPS:
        raise LimitReached(f"a position needs more than {control.steps:,} steps: {TOO_MANY}")
    return STOPPED if control.cut else question.found


def wait_for(thread: threading.Thread, seconds: float) -> None:
    """Waits until a thread has ended, but no longer than so many seconds, or until nobody waits: raises `Abandoned`."""
    until = time.monotonic() + seconds
    while thread.is_alive() and (left := until - time.monotonic()) > 0:
        go_on()
        thread.join(min(WAIT, left))


def occurrences(game: Game, state: State, seen: Mapping[State, int]) -> tuple[Any, Any]:
    """The states that occurred before this one, and the number of occurrences, as arrays for C."""
    known = game.identity(state)
    before = {one: count - (one == known) for one, count in seen.items()}
    size = padded(len(state))
    raw = b"".join(one.ljust(size, b"\0") for one in before)
    return (ctypes.c_uint64 * (len(raw) // 8)).from_buffer_copy(raw), (c_longlong * len(before))(*before.values())
