"""Captures as C: does a move take men of the others off their places?

In: a kind of move of a game for two players or more.  Out: a function that counts, from the position before the move,
how many places the others lose and gain.  It is asked instead of carrying the move out and counting men, which takes
longer.  What it says decides what a search looks at first, and no legal move or value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pysolve.dsl.model import Action, Assign, Compute, Effects, EffectStep, ForAll, Game, When
from pysolve.dsl.model.properties import bound
from pysolve.dsl.model.steps import mentions
from pysolve.dsl.to_c.effects import EffectPrinter
from pysolve.dsl.to_c.value import conjunction


def that_move_men(game: Game, action: Action) -> Effects | None:
    """The effects that write who owns a man, with what they need; None if they read what others have written."""
    men = {name for name, slot in game.slots.items() if any(slot.offset in part for part in game.men)}
    first, *later = [_among(effects, men) for effects in action.rounds] or [()]
    return None if any(later) else first


def _among(effects: Effects, men: set[str]) -> Effects:
    kept: list[EffectStep] = []
    for effect in reversed(effects):
        match effect:
            case Assign(slot=slot) if slot in men:
                kept.append(effect)
            case Compute(body) if any(mentions(kept, var) for step in body for var in bound(step)):
                kept.append(effect)
            case When(test, then, otherwise, span):
                then, otherwise = _among(then, men), _among(otherwise, men)
                if then or otherwise:
                    kept.append(When(test, then, otherwise, span))
            case ForAll(body, inner, span) if writing := _among(inner, men):
                kept.append(ForAll(body, writing, span))
    return tuple(reversed(kept))


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
