"""Renaming: every place where a name stands gets another one.

In: a view of a text, a place in it, the new name.  Out: the places, or why it cannot be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pysolve.dsl.check.meanings import Understanding
from pysolve.ide.knowledge import Named, Place, View
from pysolve.ide.reading import readings
from pysolve.ide.vocabulary import is_in

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_IN_MOVES = ("move", "value")  # kinds whose names are words of moves as they are written


class Unchangeable(ValueError):
    """A name that cannot be replaced, or not by this one."""


def renamed_here(view: View, line: int, column: int) -> tuple[Place, Named, int]:
    """The name at a place; raises `Unchangeable` if it is not one that this text gives."""
    found = view.at(line, column)
    if found is None:
        raise Unchangeable("there is no name here")
    place, one, _ = found
    if one.kind == "given" or one.place is None:
        raise Unchangeable(f'"{one.name}" is given by the language or by the board')
    if one.place.source != view.known.source:
        file = re.split(r"[/\\]", one.place.source)[-1]
        raise Unchangeable(f'"{one.name}" is declared in {file}: rename it there, or write  rename {one.name} as …')
    return place, one, found[2]


def places_to_change(view: View, line: int, column: int, new: str) -> list[Place]:
    """All places of the name at a place in this text, with words of moves in examples."""
    _, one, number = renamed_here(view, line, column)
    if not NAME.fullmatch(new):
        raise Unchangeable(f'"{new}" is not a name: a name is a letter, then letters, digits and _')
    if is_in("reserved", new):
        raise Unchangeable(f'"{new}" is a word of the language')
    here = [place for place in view.known.of(number) if place.source == view.known.source]
    moved = [place for place in map(view.here, here) if place is not None]
    return [*moved, *(_in_moves(view, one) if one.kind in _IN_MOVES else ())]


def refuse_mistakes(before: Understanding | None, now: Understanding | None, new: str) -> None:
    """Raises `Unchangeable` if a text that was right has a mistake with the new name."""
    if before is not None and not before.problems and now is not None and now.problems:
        wrong = now.problems[0]
        file = re.split(r"[/\\]", wrong.span.source.name)[-1]
        raise Unchangeable(f'with "{new}": {wrong.message} ({file}:{wrong.span.line})')


def edited(text: str, places: Iterable[tuple[int, int, int]], new: str) -> str:
    """A text with another name at some places: line and column from 1, and the number of characters."""
    lines = text.split("\n")
    for line, column, length in sorted(places, reverse=True):
        old = lines[line - 1]
        lines[line - 1] = f"{old[: column - 1]}{new}{old[column - 1 + length :]}"
    return "\n".join(lines)


def _in_moves(view: View, one: Named) -> Iterator[Place]:
    """The places in moves of examples where a name is a word of the move."""
    word = re.compile(rf"(?<!\w){re.escape(one.name)}(?!\w)")
    for number, (line, reading) in enumerate(zip(view.lines, readings(view.lines), strict=True)):
        if reading.lists_moves:
            bare = re.sub(r'"[^"]*"|#.*', lambda found: " " * len(found.group()), line)
            bare = re.sub(r"^\s*(?:play|legal|illegal)\b", lambda found: " " * len(found.group()), bare)
            for found in word.finditer(bare):
                yield Place(view.known.source, number, found.start(), len(one.name))
