"""What an option takes, said to whoever gave it something else.

In: the error that typer raises for a value.  Out: its message in the words of this command line.  typer leaves the test
of a value to pydantic, whose messages speak of inputs and parsing.
"""

from __future__ import annotations

from typing import Any


def say_what_is_wanted(error: Any) -> None:
    """Words the complaint about a value anew, if pydantic has made it."""
    details = getattr(error.__cause__, "errors", None)
    if details is None or not hasattr(error, "message"):
        return
    (first, *_) = details()
    given, bounds = first["input"], (getattr(error.param, "min", None), getattr(error.param, "max", None))
    if first["type"] == "value_error":
        error.message = str(first["ctx"]["error"]).rstrip(".")
    elif is_whole(error.param):
        error.message = f'"{given}" is not a whole number{_within(*bounds)}'
    else:
        error.message = f'"{given}" is not a number{_within(*bounds)}'


def is_whole(param: Any) -> bool:
    """True of an option that takes whole numbers."""
    return getattr(getattr(param, "type_descriptor", None), "annotation", None) is int


def _within(least: float | None, most: float | None) -> str:
    """The bounds of a number, in words."""
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    if least is not None:
        return f" of at least {least:,}"
    return "" if most is None else f" of at most {most:,}"
