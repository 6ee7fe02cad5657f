"""What a board shows beside the state, without Prolog: the answers to the names of `show`, from a small C program.

In: a game.  Out: the answers of `pysolve.engines.protocol.Shows`, as the Prolog engine gives them.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_longlong, c_void_p

from pysolve.dsl.language.constants import NO_ROOM
from pysolve.dsl.model import Game
from pysolve.dsl.to_c import print_shown
from pysolve.engines.bindings import STEPS, Control, answered
from pysolve.engines.build import NoCompiler, build, compilers
from pysolve.engines.protocol import LimitReached, State
from pysolve.runtime import validation

ROOM = 1 << 10  # numbers of one answer, at first
MOST = 1 << 22  # and at most


class NativeShown:
    """Answers the names of `show`.  Raises `NoCompiler` where none compiles in memory, `BuildError`, and
    `pysolve.dsl.model.move_codes.TooLarge` for a game whose tables do not fit."""

    def __init__(self, game: Game, steps: int = STEPS):
        """`steps` limits each question."""
        self.game = game
        self._steps = steps
        quick = next((one for one in compilers() if one.in_memory), None)
        if quick is None:  # another takes longer to compile this than Prolog to load the game
            raise NoCompiler("no compiler works in memory here")
        self._library = build(print_shown(game), quick)
        at, number = c_void_p, c_longlong
        self._shown = self._library.function("ps_shown", at, c_char_p, number, at, number)

    def rows(self, state: State, name: str, limit: int) -> list[tuple[int, ...]]:
        """The answers to a name: see `pysolve.engines.protocol.Shows`."""
        if not (width := len(self.game.shown[name].sorts)):
            return []
        found = self._numbers(state, list(self.game.shown).index(name))[: limit * width]
        return [tuple(found[at : at + width]) for at in range(0, len(found), width)]

    def outs(self, state: State) -> list[int]:
        """The players who are out: see `pysolve.engines.protocol.Shows`."""
        return [] if self.game.out is None else self._numbers(state, len(self.game.shown))

    def _numbers(self, state: State, number: int) -> list[int]:
        """What a question finds, the numbers of all rows one behind the other."""
        state, room = validation.sound(self.game, state), ROOM
        while True:
            out = (c_longlong * room)()
            control = Control(steps=self._steps, left=self._steps)
            count = answered(control, None, self._shown, state, number, ctypes.addressof(out), room)
            if count != NO_ROOM:
                return out[:count]
            if room >= MOST:
                raise LimitReached(f"what is shown has more than {MOST:,} numbers")
            room *= 4
