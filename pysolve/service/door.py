"""What each question asks of its input before anything uses it.

In: an object that came as JSON, from anybody.  Out: the values that the question names, each of the type and size that
it must have; or `Refused`, which names the value, what was expected and what was given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pysolve.runtime.validation import shown
from pysolve.service.refused import Refused

Check = Callable[[str, object], Any]  # the name of a value, and what was given for it

_HALF = re.compile("[\ud800-\udfff]")
LARGEST_TEXT = 1_000_000  # characters of rules, and of records
LONGEST_WORD = 10_000  # characters of a name, of a goal
LONGEST_MOVE = 500
LONGEST_TABLE = 100  # characters of the name of a table
MOST_MOVES = 100_000  # of a line
MOST_WORDS = 1_000  # options, players, cells
LARGEST_SEED = 2**53 - 1  # the largest number that JavaScript has exactly


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value that may be left out."""

    check: Check


Fields = Mapping[str, Check | Maybe]


def text(most: int = LONGEST_WORD) -> Check:
    """A text of at most so many characters."""

    def check(name: str, value: object) -> str:
        if not isinstance(value, str):
            raise _wrong(name, "a text", value)
        if len(value) > most:
            raise Refused("asked", f"{name} has {len(value):,} characters; at most {most:,} are read")
        if not value.isascii() and _HALF.search(value):
            raise Refused("asked", f"{name} has half a character: a surrogate without the other")
        return value

    return check


def whole(low: int, high: int) -> Check:
    """A whole number in a range."""

    def check(name: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _wrong(name, f"a whole number from {low:,} to {high:,}", value)
        return value

    return check


def number(low: float, high: float) -> Check:
    """A number in a range."""

    def check(name: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise _wrong(name, f"a number from {low:,g} to {high:,g}", value)
        return float(value)

    return check


def truth(name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise _wrong(name, "true or false", value)
    return value


def texts(most: int = MOST_WORDS, longest: int = LONGEST_WORD) -> Check:
    """A list of at most so many texts, each of at most so many characters."""
    each = text(longest)

    def check(name: str, value: object) -> list[str]:
        if not isinstance(value, list):
            raise _wrong(name, "a list of texts", value)
        if len(value) > most:
            raise Refused("asked", f"{name} has {len(value):,} texts; at most {most:,} are read")
        return [each(f"{name}[{place}]", one) for place, one in enumerate(value)]

    return check


def words(name: str, value: object) -> dict[str, str]:
    """An object whose values are texts."""
    if not isinstance(value, dict):
        raise _wrong(name, "an object of texts", value)
    if len(value) > MOST_WORDS:
        raise Refused("asked", f"{name} has {len(value):,} texts; at most {MOST_WORDS:,} are read")
    each = text()
    return {each(f"a name in {name}", key): each(f"{name}.{shown(key)}", one) for key, one in value.items()}


def line(name: str, value: object) -> dict[str, Any]:
    """A line from a request, checked: seed, first position and moves; raises `Refused`."""
    return fields(name, _LINE, value)


_LINE: Fields = {
    "seed": whole(0, LARGEST_SEED),
    "start": text(LARGEST_TEXT),
    "moves": texts(MOST_MOVES, LONGEST_MOVE),
    "before": Maybe(whole(0, LARGEST_SEED)),
    "table": Maybe(text(LONGEST_TABLE)),
}


def fields(name: str, wanted: Fields, value: object) -> dict[str, Any]:
    """The values of an object that has just these names."""
    if not isinstance(value, dict):
        raise _wrong(name, "an object", value)
    for key in value:
        if key not in wanted:
            known = ", ".join(wanted) or "nothing"
            raise Refused("asked", f"{name} has no {shown(key)}: it takes {known}")
    found = {}
    for key, check in wanted.items():
        if key in value:
            found[key] = (check.check if isinstance(check, Maybe) else check)(key, value[key])
        elif not isinstance(check, Maybe):
            raise Refused("asked", f"{name} needs {key}")
    return found


def _wrong(name: str, expected: str, value: object) -> Refused:
    return Refused("asked", f"{name} must be {expected}, not {shown(value)}")
