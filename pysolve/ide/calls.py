"""The call around a place: which function is called, and which of its arguments stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pysolve.ide.reading import section_of

_TOKEN = re.compile(r'"[^"\n]*"?|#.*|[A-Za-z]\w*|[(){},\n]')


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is not closed before a place."""

    name: str
    argument: int  # the number of the argument at the place, from 0


def call_around(lines: Sequence[str], line: int, column: int) -> Call | None:
    """The innermost call around a place; None if there is none."""
    first = section_of(lines, line).start
    text = "\n".join([*lines[first:line], lines[line][:column]])
    open_: list[tuple[str, int]] = []  # the word before each bracket that is open, and the commas since
    word = ""
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token in "({":
            open_.append((word if token == "(" and text[found.start() - 1 : found.start()].isalnum() else "", 0))
        elif token in ")}":
            open_ = open_[:-1]
        elif token == "," and open_:
            open_[-1] = open_[-1][0], open_[-1][1] + 1
        word = token if token[0].isalpha() else ""
    return Call(*open_[-1]) if open_ and open_[-1][0] else None
