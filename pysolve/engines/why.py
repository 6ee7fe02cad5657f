"""Why a move is legal or not, without Prolog: each demand by itself, from C.

In: a game.  Out: the answers of `pysolve.engine.Explainer`, as the Prolog engine gives them, but for the values.
"""

from __future__ import annotations

import time
from ctypes import c_char_p, c_longlong, c_void_p
from typing import Any

from dsl.model import Game
from dsl.model.move_codes import move_codes
from pysolve import doors
from pysolve.engine import Finding, LimitReached, Move, State
from pysolve.engines.bindings import STEPS, STOPPED, Control, answered, move_type
from pysolve.engines.build import BuildError, build, compilers, quick_ones


class NativeReasons:
    """Says of a move which demands hold.  Raises `BuildError` or `NoCompiler` where nothing compiles C, and
    `dsl.model.move_codes.TooLarge` for a game whose tables do not fit."""

    def __init__(self, game: Game, steps: int = STEPS):
        """`steps` limits each demand."""
        from dsl.to_c import print_reasons

        self.game = game
        self._steps = steps
        self._codes = move_codes(game)
        text, failed = print_reasons(game), BuildError("")
        for compiler in quick_ones(compilers()):
            try:
                self._library = build(text, compiler)
                break
            except BuildError as error:
                failed = error
        else:
            raise failed
        number, code = c_longlong, move_type(self._codes)
        self._demand = self._library.function("ps_demand", c_void_p, c_char_p, code, number, number)
        self._claim = self._library.function("ps_claim", c_void_p, c_char_p, number)

    def explain(self, state: State, move: Move, seconds: float | None = 10) -> list[Finding]:
        """Each demand of the move's kind; those on the resulting position only if all others hold."""
        move, seconds = doors.move(self.game, move), doors.seconds(seconds)
        state = doors.sound(self.game, state)
        action, code = self.game.actions[move[0]], self._codes.encode(move)
        until = None if seconds is None else time.monotonic() + seconds
        found: list[Finding] = []
        for part, demands in (("when", action.demands), ("after", action.after)):
            if not all(one.holds for one in found):
                break
            for number, _ in enumerate(demands):
                holds = self._asked(until, self._demand, state, code, int(part == "after"), number)
                found.append(Finding(part, number + 1, holds, ()))
        return found

    def explain_claim(self, state: State, number: int, seconds: float | None = 10) -> Finding:
        """Whether what an example says, by its number in the model, holds in a position."""
        state, seconds = doors.sound(self.game, state), doors.seconds(seconds)
        number = doors.place(number, len(self.game.claims), "claim")
        until = None if seconds is None else time.monotonic() + seconds
        return Finding("when", 1, self._asked(until, self._claim, state, number), ())

    def _asked(self, until: float | None, function: Any, *args: Any) -> bool:
        found = answered(Control(steps=self._steps, left=self._steps), None, function, *args, until=until)
        if found == STOPPED:
            raise LimitReached("the time limit of this query was reached")
        return bool(found)
