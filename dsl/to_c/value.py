"""Values in C: the text of an expression, when there is one, and what is known of it while the C is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pysolve.dsl.frozen import frozen


@frozen
class Value:
    """The text of a value; the conditions `when` there is one; the number, if that is known; and for how long it is
    the same.

    What is `compound` stands in brackets where it is an operand: there a value is printed as it is, elsewhere its text.
    What `lasts` is the same all through the function: it is known at its head, too, so that sets may be made of it
    there.  `is_role`: it is who moves, or the opponent.  A sum with a number has the `base` to which `plus` is added.
    A condition is a value, too: it holds where there is one that is not 0.
    """

    text: str
    when: tuple[Value, ...] = ()
    number: int | None = None
    lasts: bool = False
    is_role: bool = False
    compound: bool = False
    base: Value | None = None
    plus: int = 0

    def __str__(self) -> str:
        return f"({self.text})" if self.compound else self.text

    def __add__(self, other: Value | int) -> Value:
        """The sum with another value, or with a known number."""
        if isinstance(other, Value):
            known, unknown = (self, other) if other.number is None else (other, self)
            if known.number is None:
                return Value(f"{self} + {other}", (*self.when, *other.when), compound=True)
            total = unknown + known.number
            return replace(total, when=(*self.when, *other.when)) if known.when else total
        if self.number is not None:
            return of_number(self.number + other, self.when)
        base, plus = self.base or self, self.plus + other
        if plus == 0:
            return base
        text = f"{base} {'+' if plus > 0 else '-'} {abs(plus)}"
        return Value(text, self.when, compound=True, base=base, plus=plus)

    def __sub__(self, number: int) -> Value:
        """The difference from a known number."""
        return self + -number

    def __mul__(self, number: int) -> Value:
        """The product with a known number, as part of a sum."""
        if self.number is not None:
            return of_number(self.number * number, self.when)
        return self if number == 1 else Value(f"{self} * {number}", self.when)


MOVER = Value("m", lasts=True, is_role=True)
NEVER = Value("0")


def of_number(number: int, when: tuple[Value, ...] = ()) -> Value:
    """A number that is known while the C is printed."""
    return Value(str(number), when, number, lasts=True, compound=number < 0)


def parameter(number: int) -> Value:
    """A parameter of the function, by its place."""
    return Value(f"p{number}", lasts=True)


def opponent(of: Value) -> Value:
    """The other of two players."""
    return Value(f"3 - {of}", lasts=of.lasts, is_role=of.is_role, compound=True)


def listed(values: Iterable[Value]) -> str:
    """Values as a list in C."""
    return ", ".join([value.text for value in values])


def conjunction(conditions: Iterable[Value]) -> str:
    """Conditions that hold together, and what they need to have a value."""
    return " && ".join([str(part) for one in conditions for part in (*one.when, one)])


def every(conditions: Iterable[Value]) -> Value:
    """Conditions as one."""
    parts = list(conditions)
    if len(parts) == 1 and parts[0].compound and not parts[0].when:
        return parts[0]
    return Value(conjunction(parts) or "1", compound=True)


def either(conditions: Iterable[Value]) -> Value:
    """One of some conditions."""
    parts = list(conditions)
    if len(parts) == 1 and parts[0].compound:
        return parts[0]
    return Value(" || ".join(map(str, parts)) or "0", compound=True)
