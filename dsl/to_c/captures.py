"""Captures as C: does a move take men of the others off their places?

In: the effects of a kind of move that decide it (`pysolve.dsl.analysis.captures`).  Out: a function that counts, from
the position before the move, how many places the others lose and gain.  It is asked instead of carrying the move out
and counting men, which takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pysolve.dsl.model import Assign
from pysolve.dsl.to_c.effects import EffectPrinter
from pysolve.dsl.to_c.value import conjunction


@dataclass
class CapturePrinter(EffectPrinter):
    """Writes how many places the others have lost into `lost`, instead of the position after a move."""

    def _assign(self, effect: Assign) -> None:
        slot = self.game.slots[effect.slot]
        value, at = self.expr(effect.value), self.index(slot, effect.args)
        lost = f"lost += {self._of_others(f'{self.state}[{at.text}]')} - {self._of_others(value + slot.shift)};"
        needed = (*value.when, *at.when)
        with self.out.block(f"if ({conjunction(needed)})" if needed else ""):
            self.out.line(lost)

    def _of_others(self, man: object) -> str:
        if len(self.game.players.labels) == 2:
            return f"({man} == (3 - {self.mover}))"
        return f"is_of_others({man}, {self.mover})"

    def _compute(self, body: tuple[Any, ...], line: int) -> None:
        self.out.line(f"if (!{self._found(body)}) return lost > 0;")
