"""Moves in examples: which position the legal moves are needed of, where somebody writes one.

In: the lines of a text, and a place.  Out: the position, as the example has it, and the moves before the place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pysolve.ide.outline import Part, examples
from pysolve.ide.reading import reading_at, readings

_BEFORE = re.compile(r"(?:^\s*(?:play|legal|illegal)\b|,|^)\s*")  # what stands before one


@dataclass(frozen=True, slots=True)
class Wanted:
    """A move that is being written in an example."""

    start: int  # the column where it begins
    options: dict[str, str]
    position: str  # as the example draws it; empty for the start
    played: list[str]


def moves_wanted(lines: Sequence[str], line: int, column: int) -> Wanted | None:
    """The move at a place; None where no move is written."""
    reading = reading_at(lines, line)
    before = lines[line][:column]
    words = before.split()
    if not reading.lists_moves or not words or (len(words) == 1 and before[-1:] != " "):
        return None
    part = next((one for one in examples(lines) if one.first <= line <= one.last + 1), None)
    if part is None:
        return None
    start = max(found.end() for found in _BEFORE.finditer(before))
    return _beginning(lines, part, line, column, reading.in_example, start)


def _beginning(lines: Sequence[str], part: Part, line: int, column: int, word: str, start: int) -> Wanted:
    """The position of an example, its options, and the moves that are played before a place."""
    position: list[str] = []
    played: list[str] = []
    options: dict[str, str] = {}
    drawn = False
    for number, reading in enumerate(readings(lines[part.first : part.last + 1]), part.first):
        text = lines[number]
        bare = text.strip() if drawn else re.sub(r"#.*", "", text).strip()
        words = bare.split()
        if not words or number == part.first:
            continue
        if reading.draws(text):
            position.append(f"  {text.strip()}")
        elif words[0] == "position":
            position = [bare]
        elif reading.in_example == "play":
            ends = column if number == line else len(text)
            listed = re.sub(r"^\s*play\b", "", text[:ends]).split(",")
            if word == "play" and number == line:
                listed = listed[:-1]  # the move that is being written
            if word != "play" or number <= line:
                played += [one.strip() for one in listed if one.strip()]
        elif len(words) == 2 and not reading.in_example:
            options[words[0]] = words[1]
        drawn = reading.drawing >= 0
    return Wanted(start, options, "\n".join(position), played)
