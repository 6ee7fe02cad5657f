"""The parts of a rules text: sections and what they declare, blocks that can be folded, examples.

In: the lines of a text, right or wrong.  Out: places.  All numbers begin with 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysolve.ide.reading import CHANGES, indent_of
from pysolve.ide.vocabulary import is_in

_HEAD = re.compile(r'([A-Za-z]\w*)(?:\s+([A-Za-z]\w*))?(?:\s+([A-Za-z]\w*))?[^"\n]*(?:"([^"\n]*)")?')
_ENTRY = re.compile(r"\s+([A-Za-z]\w*)\b\s*(?:\([^)]*\)\s*)?(?::|-?\d+\s*:)")
_NAMED = ("option", "type", "table", "define", "effect", "move", "chance", "level", "mark", "tell")
_LISTING = ("state", "evaluate")  # sections whose lines declare names


@dataclass(frozen=True, slots=True)
class Part:
    """A section, or a line that declares a name in one."""

    word: str  # of its section
    name: str
    first: int
    last: int  # its last line
    start: int = 0  # the columns of what names it
    end: int = 0
    parts: tuple[Part, ...] = ()
    change: str = ""  # replace, remove or extend, before the word


def outline(lines: Sequence[str]) -> list[Part]:
    """The sections of a text."""
    starts = [number for number, line in enumerate(lines) if line[:1].isalpha()]
    found = []
    for number, start in enumerate(starts):
        following = starts[number + 1] if number + 1 < len(starts) else len(lines)
        part = _section(lines, start, _last(lines, start, following))
        if part is not None:
            found.append(part)
    return found


def _section(lines: Sequence[str], first: int, last: int) -> Part | None:
    head = _HEAD.match(lines[first])
    if head is None or not is_in("sections", head[1]):
        return None
    word, name, change, number = head[1], "", "", 2
    start, end = head.span(1)
    if word in CHANGES:
        change, word, number = word, head[2] or word, 3
    if word in _NAMED and head[number]:
        name = head[number]
        start, end = head.span(number)
    elif word in ("game", "example") and head[4] is not None:
        name = head[4]
        start, end = head.span(4)
    inner = tuple(_entries(lines, word, first, last)) if word in _LISTING else ()
    return Part(word, name, first, last, start, end, inner, change)


def _entries(lines: Sequence[str], word: str, first: int, last: int) -> Iterator[Part]:
    """The lines of a section that declare a name each."""
    for number in range(first, last + 1):
        found = _ENTRY.match(lines[number] if number > first else lines[number].replace(word, " " * len(word), 1))
        if found is not None:
            yield Part(word, found[1], number, number, *found.span(1))


def _last(lines: Sequence[str], first: int, end: int) -> int:
    """The last line of a section that says something: comments before the next section belong to that one."""
    last = end - 1
    while last > first and (not lines[last].strip() or lines[last].startswith("#")):
        last -= 1
    return last


def examples(lines: Sequence[str]) -> list[Part]:
    """The examples of a text."""
    return [part for part in outline(lines) if part.word == "example"]


def folds(lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """The first and the last line of each block that can be folded, and whether it is a comment."""
    yield from ((first, last, True) for first, last in _comments(lines))
    open_: list[tuple[int, int]] = []  # indentation and number of the lines above that may be heads
    last = -1
    for number, line in enumerate([*lines, "end"]):
        if not line.strip() or (line.lstrip().startswith("#") and number < len(lines)):
            continue
        indent = indent_of(line)
        while open_ and open_[-1][0] >= indent:
            first = open_.pop()[1]
            if last > first:
                yield first, last, False
        open_.append((indent, number))
        last = number


def _comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Comments of several lines."""
    first = None
    for number, line in enumerate([*lines, ""]):
        if line.startswith("#"):
            first = number if first is None else first
        elif first is not None:
            if number - 1 > first:
                yield first, number - 1
            first = None
