"""Sets of the places that hold a value: each is made once for a position, at the head of a function.

They are made by comparing eight or sixteen bytes of the position at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pysolve.dsl.model import Const, Slot, Sort, Var, Walk
from pysolve.dsl.to_c.bits import words_for
from pysolve.dsl.to_c.scope import Scope
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Part, Writer, identifier

MANY = 32  # places from which on it is better to make a set than to look at each
FEW = 4  # values of a slot for each of which a set is made


@dataclass
class Masks:
    """The sets of one function: each is made at its head, when something in it first asks."""

    out: Writer
    tables: Tables
    local: bool = False  # may a set be made for one choice?
    again: bool = False  # is something done for many places, with other values each time?
    walked: set[Walk] = field(default_factory=set)  # those that were written by bits
    head: Part = field(init=False)  # what stands at the head of the function
    made: dict[tuple[object, ...], str] = field(default_factory=dict)
    inside: int = 0  # how many tests stand around the one that is looked at

    def __post_init__(self) -> None:
        self.head = self.out.place()

    def at_head(self, line: str) -> None:
        """Writes a line at the head of the function."""
        self.head.lines.append(f"    {line}")

    def holding(self, scope: Scope, slot: Slot, value: Var | Const) -> str | None:
        """The set of the places that hold a value; None where there is none, and it is not worth while to make it."""
        byte = _lasting_byte(scope, slot, value)
        return self._here(scope, slot, value) if byte is None else self.of(scope, slot, byte)

    def of(self, scope: Scope, slot: Slot, byte: str) -> str:
        """The set of the places that hold a byte which is known at the head."""
        key = slot.name, byte
        if key not in self.made:
            name, made = self._new(slot), self._making(scope, slot, byte)
            self.made[key] = name
            self.at_head(f"UNUSED const Set{words_for(slot.count)} {name} = {made};")
        return self.made[key]

    def _here(self, scope: Scope, slot: Slot, value: Var | Const) -> str | None:
        """The set of the places with a value that is known only here; None where it is not worth while to make it."""
        if not isinstance(value, Var) or value not in scope.names or slot.count < MANY:
            return None
        if (slot.name, scope.name(value)) in self.made:
            return self.made[slot.name, scope.name(value)]
        if self.again and slot.sort.size <= FEW:
            return f"{self._of_every(scope, slot)}[{scope.name(value)} - ({slot.sort.lowest})]"
        return self.made_here(scope, slot, value) if self.local else None

    def made_here(self, scope: Scope, slot: Slot, value: Var) -> str:
        """The set of the places that hold a value, made where the function is just being written."""
        name, made = self._new(slot), self._making(scope, slot, _byte(scope, slot, value))
        self.out.line(f"UNUSED const Set{words_for(slot.count)} {name} = {made};")
        return name

    def _of_every(self, scope: Scope, slot: Slot) -> str:
        """An array at the head with the places of each value of a slot."""
        key = slot.name, "every"
        if key not in self.made:
            name = self.made[key] = self._new(slot)
            sets = ", ".join(self._making(scope, slot, str(byte)) for byte in slot.stored)
            self.at_head(f"UNUSED const Set{words_for(slot.count)} {name}[{slot.sort.size}] = {{{sets}}};")
        return self.made[key]

    def _new(self, slot: Slot) -> str:
        return self.out.fresh(f"in_{identifier(slot.name)}_")

    def _making(self, scope: Scope, slot: Slot, byte: str) -> str:
        """The call that compares all places of a slot with a byte."""
        words = words_for(slot.count)
        self.tables.sets.add(words)
        return f"places{words}({scope.state} + {slot.offset}, {slot.count}, {byte})"


def _lasting_byte(scope: Scope, slot: Slot, value: Var | Const) -> str | None:
    """The byte of a value that is the same all through a function; None if it may change."""
    if isinstance(value, Const):
        byte = value.value + slot.shift
        return str(byte) if 0 <= byte < 255 else None
    return _byte(scope, slot, value) if value in scope.names and scope.names[value].lasts else None


def _byte(scope: Scope, slot: Slot, value: Var) -> str:
    return f"{scope.name(value)} + {slot.shift}" if slot.shift else scope.name(value)


def told_apart(slot: Slot, var: Var) -> bool:
    """Is it worth while to tell places apart by what a slot holds, and are they those of a variable?"""
    return slot.width == 1 and slot.count >= MANY and same_range(slot.params[0], var)


def same_range(sort: Sort, var: Var) -> bool:
    """Do a sort and a variable have the same values, besides `none`?"""
    assert isinstance(var.sort, Sort)
    return (sort.low, sort.high) == (var.sort.low, var.sort.high)
