"""The first position of a game whose setup draws no lots, by the model alone.

In: a checked game.  Out: its first state, as an engine has it; None where the setup draws lots, or asks for more than
tables and places can answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pysolve.dsl.model import (
    Again,
    Assign,
    Atom,
    Body,
    Compute,
    Const,
    Effects,
    EffectStep,
    Expr,
    Find,
    ForAll,
    Game,
    Get,
    Pick,
    Push,
    Repeat,
    Step,
    Table,
    Take,
    TurnTo,
    Var,
    When,
    digits,
)
from pysolve.dsl.model.properties import bound
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.evaluation import TooMuch, Ways, is_constant, rows_of

Known = Mapping[Var, Atom]


class _Unknown(Exception):
    """Raised inside this module where the setup asks for what only an engine answers."""


def first_position(game: Game) -> bytes | None:
    """The first state; None if the model alone does not say it."""
    setup = _Setup(game)
    try:
        setup.effects(game.setup, {})
    except (_Unknown, TooMuch):
        return None
    return setup.state()


class _Setup:
    """The places of a position while the setup writes them."""

    def __init__(self, game: Game):
        self.game = game
        self.bytes = bytearray(game.size)
        for slot in game.slots.values():
            for index in range(slot.count):
                self._write(slot.name, index, slot.default)

    def state(self) -> bytes:
        return bytes(self.bytes)

    def _write(self, name: str, index: int, value: int) -> None:
        slot = self.game.slots[name]
        if value not in range(slot.sort.lowest, slot.sort.high + 1):
            raise _Unknown
        at = slot.offset + index * slot.width
        self.bytes[at : at + slot.width] = bytes(digits(value + slot.shift, slot.width))

    def _read(self, name: str) -> Table:
        """All places of a slot as a table: parameters, then the value."""
        slot = self.game.slots[name]
        rows: list[tuple[int, ...]] = [()]
        for sort in slot.params:
            rows = [(*row, value) for row in rows for value in sort.values()]
        found = []
        for index, row in enumerate(rows):
            at = slot.offset + index * slot.width
            one = self.bytes[at : at + slot.width]
            found.append((*row, (one[0] if slot.width == 1 else one[0] * 255 + one[1]) - slot.shift))
        return Table(f"the places of {name}", (*slot.params, slot.sort), tuple(found), len(slot.params))

    def effects(self, effects: Effects, known: Known) -> None:
        for effect in effects:
            known = self._effect(effect, known)

    def _effect(self, effect: EffectStep, known: Known) -> Known:
        """Carries an effect out; what is known behind it."""
        match effect:
            case Compute(body):
                ways = self._ways(body, known)
                if not ways:
                    raise _Unknown
                return {**known, **ways[0]}
            case Assign(slot, args, value):
                self._write(slot, self._index(slot, args, known), self._value(value, known))
            case Push(slot, args, value):
                self._push(slot, self._index(slot, args, known), self._value(value, known))
            case ForAll(body, inner):
                for way in self._ways(body, known):
                    self.effects(inner, {**known, **way})
            case When(test, then, otherwise):
                ways = self._ways(test, known)
                self.effects(then if ways else otherwise, {**known, **ways[0]} if ways else known)
            case Repeat(times, inner):
                for _ in range(self._value(times, known)):
                    self.effects(inner, known)
            case TurnTo(player):
                self._write("mover", 0, self._value(player, known))
            case Take() | Again() | Pick():
                raise _Unknown
            case other:
                assert_never(other)
        return known

    def _push(self, name: str, index: int, value: int) -> None:
        parts = self.game.slots[name].stack
        assert parts is not None
        height = dict(enumerate(row[-1] for row in self._read(parts.height).rows))[index]
        if height == parts.most:
            raise _Unknown
        self._write(parts.items, index * parts.most + height, value)
        self._write(parts.height, index, height + 1)
        self._write(name, index, value)

    def _index(self, name: str, args: tuple[Atom, ...], known: Known) -> int:
        values = [self._value(arg, known) for arg in args]
        slot = self.game.slots[name]
        if any(value not in sort.values() for sort, value in zip(slot.params, values, strict=True)):
            raise _Unknown
        return slot.index(values)

    def _value(self, expr: Expr, known: Known) -> int:
        (value,) = Ways({}, [()]).value(renamed(expr, known))
        if value is None:
            raise _Unknown
        return value

    def _ways(self, body: Body, known: Known) -> list[dict[Var, Atom]]:
        """The ways to carry a body out, in order: the values of what it binds."""
        tables = dict(self.game.tables)

        def asked(steps: Body) -> Body:
            return tuple(map(ask, steps))

        def ask(step: Step) -> Step:
            """A place is looked up among all places as they are now."""
            if isinstance(step, Get):
                table = self._read(step.slot)
                tables[table.name] = table
                return Find(table.name, (*step.args, step.value), step.binds)
            return with_bodies(step, asked)

        steps = asked(renamed(body, known))
        if not all(map(is_constant, steps)):
            raise _Unknown
        own = list(dict.fromkeys(var for step in steps for var in bound(step)))
        return [{var: Const(value, var.sort) for var, value in zip(own, row, strict=True)}  # type: ignore[arg-type]
                for row in rows_of(tables, steps, own)]  # fmt: skip
