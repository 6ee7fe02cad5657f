"""Lines that a person types, or that come from a file in their place."""

from __future__ import annotations

import sys
from contextlib import suppress

from pysolve.cli.console import put, visible


class Left(Exception):
    """Nobody types any more: Ctrl-D, the end of a file, or the wish to leave."""


def is_typed() -> bool:
    """True if a person sits there, who can be asked what no file would answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def line_of(prompt: str) -> str:
    """The next line without its end; one from a file is shown as if it had been typed.  Raises `Left` at the end."""
    if is_typed():
        with suppress(ImportError):
            import readline  # noqa: F401  (gives the prompt a history and arrow keys)
        try:
            return input(visible(prompt))
        except EOFError:
            put("")
            raise Left from None
    line = sys.stdin.readline() if sys.stdin is not None else ""  # None: whoever started the program closed it
    if not line:
        raise Left
    put(prompt + line.rstrip())
    return line.rstrip("\r\n")
