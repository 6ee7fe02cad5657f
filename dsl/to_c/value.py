"""What stands for a variable in C: not its text alone, but also what is known of it while the C is printed."""

from __future__ import annotations

from pysolve.dsl.frozen import frozen


@frozen
class Value:
    """The text of a value; the number, if that is known; and for how long it is the same.

    What `lasts` is the same all through the function: it is known at its head, too, so that sets may be made of it
    there.  `is_role`: it is who moves, or the opponent.
    """

    text: str
    number: int | None = None
    lasts: bool = False
    is_role: bool = False

    def __str__(self) -> str:
        return self.text


MOVER = Value("m", lasts=True, is_role=True)


def of_number(number: int) -> Value:
    """A number that is known while the C is printed."""
    return Value(str(number), number, lasts=True)


def parameter(number: int) -> Value:
    """A parameter of the function, by its place."""
    return Value(f"p{number}", lasts=True)


def opponent(of: Value) -> Value:
    """The C text of the other of two players."""
    return Value(f"(3 - {of})", lasts=of.lasts, is_role=of.is_role)
