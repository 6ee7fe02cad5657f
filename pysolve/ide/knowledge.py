"""What is known of a rules text: the answer to the question `understand`, also for a text that was changed since.

In: the answer, and the text as it is now.  Out: what the name at a place means, where it is declared and used, and
which names can stand there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pysolve.ide.reading import section_of
from pysolve.ide.vocabulary import group

WORD = re.compile(r"[A-Za-z]\w*")
_CHOOSING = "|".join((*group("choosing"), "for", "pick"))
_NAMES = r"([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*){0,19})"
# In a phrase, a set, or a heading; and what follows where it is complete: its condition or body, its end.
_BOUND = (
    (re.compile(rf"\b(?:{_CHOOSING})\s+{_NAMES}\s*(?::(?!=)\s*(\w+)|in\b)"),
     re.compile(r"\b(?:has|where|of)\b|:")),
    (re.compile(rf"\{{\s*{_NAMES}\s*(?::\s*(\w+)|in\b)"), re.compile(r"\bwhere\b")),
    (re.compile(rf"[(,]\s*{_NAMES}\s*(?::\s*(\w+)|in\b)"), re.compile(r"\)")),
)  # fmt: skip
_EXTENDED = re.compile(r"extend\s+(move|effect)\s+(\w+)")
_LET = re.compile(r"\blet\s+([A-Za-z]\w*)\s*=")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A name in a text: its source, its line and column from 0, and its length."""

    source: str
    line: int
    column: int
    length: int


@dataclass(frozen=True, slots=True)
class Named:
    """The meaning of a name."""

    name: str
    kind: str
    type: str
    head: str
    params: tuple[str, ...]
    value: str
    place: Place | None
    scope: tuple[int, int, int, int] | None  # of a variable, where it is known; None if that is its whole section


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a name occurs."""

    place: Place
    meaning: int
    is_declaration: bool


@dataclass(frozen=True)
class Knowledge:
    """The names of a text, their meanings, and the places where they occur."""

    source: str = ""
    lines: Sequence[str] = ("",)
    names: Sequence[Named] = ()
    mentions: Sequence[Mention] = ()  # in all texts of the game
    untyped: Sequence[tuple[int, int, int]] = ()  # line, column, meaning: types that are not written
    types: Mapping[str, Sequence[str]] = field(default_factory=dict)  # and their values
    parent: str = ""  # the file that the text extends

    @classmethod
    def read(cls, source: str, text: str, answer: Mapping[str, Any]) -> Knowledge:
        """The knowledge in an answer about a text."""
        names = [_named(one) for one in answer["names"]]
        mentions = [
            Mention(Place(where, line - 1, column - 1, len(names[number].name)), number, bool(declares))
            for where, line, column, number, declares in answer["mentions"]
        ]
        untyped = [(line - 1, column - 1, number) for line, column, number in answer["untyped"]]
        return cls(source, text.split("\n"), names, mentions, untyped, answer["types"], answer.get("parent", ""))

    @cached_property
    def own(self) -> dict[int, list[Mention]]:
        """The mentions in the text itself, by line."""
        found: dict[int, list[Mention]] = {}
        for one in self.mentions:
            if one.place.source == self.source:
                found.setdefault(one.place.line, []).append(one)
        return found

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """The meanings of each name, those of the whole game first."""
        found: dict[str, list[int]] = {}
        for number in sorted(range(len(self.names)), key=lambda number: self.names[number].kind == "variable"):
            found.setdefault(self.names[number].name, []).append(number)
        return found

    def of(self, number: int) -> list[Place]:
        """All places of a meaning, the declaration among them."""
        return [one.place for one in self.mentions if one.meaning == number]


def _named(one: Mapping[str, Any]) -> Named:
    place = one["place"]
    where = None if place is None else Place(place[0], place[1] - 1, place[2] - 1, len(one["name"]))
    said = one["scope"]
    scope = said and (said["line"] - 1, said["column"] - 1, said["end_line"] - 1, said["end_column"] - 1)
    return Named(one["name"], one["kind"], one["type"], one["head"], tuple(one["params"]), one["value"], where, scope)


class View:
    """Knowledge of a text, seen from the text as it is now."""

    def __init__(self, known: Knowledge, lines: Sequence[str]):
        self.known = known
        self.lines = lines
        self._first, self._last = _changed(known.lines, lines)  # the lines that were changed
        self._shift = len(lines) - len(known.lines)
        self._now = _moved(known.lines, lines, self._first, self._last)
        self._then = {now: then for then, now in self._now.items()}

    def then(self, line: int) -> int | None:
        """The number that a line had in the text that is known; None if it was changed."""
        if line < self._first:
            return line
        return line - self._shift if line >= self._last else self._then.get(line)

    def now(self, line: int) -> int | None:
        """The number that a line of the known text has now; None if it was changed."""
        if line < self._first:
            return line
        found = line + self._shift
        return found if found >= self._last else self._now.get(line)

    def here(self, place: Place) -> Place | None:
        """The present place of a place in the analysed text; None if its line was changed. Other texts stay as they
        are."""
        if place.source != self.known.source:
            return place
        line = self.now(place.line)
        return None if line is None else Place(place.source, line, place.column, place.length)

    def at(self, line: int, column: int) -> tuple[Place, Named, int] | None:
        """The name at a place, what it means, and the number of that."""
        then = self.then(line)
        if then is not None:
            for one in self.known.own.get(then, ()):
                if one.place.column <= column <= one.place.column + one.place.length:
                    place = Place(self.known.source, line, one.place.column, one.place.length)
                    return place, self.known.names[one.meaning], one.meaning
            return None
        for found in WORD.finditer(self.lines[line]):
            if found.start() <= column <= found.end():
                number = self.named(found.group(), line)
                place = Place(self.known.source, line, found.start(), len(found.group()))
                return None if number is None else (place, self.known.names[number], number)
        return None

    def named(self, name: str, line: int) -> int | None:
        """The number of the meaning of a name in a line: a variable of its section, otherwise a name of the game."""
        numbers = self.known.by_name.get(name, ())
        section = section_of(self.lines, line)
        for number in numbers:
            one = self.known.names[number]
            place = one.place and self.here(one.place)
            if one.kind == "variable" and place is not None and place.line in section:
                return number
        return next((number for number in numbers if self.known.names[number].kind != "variable"), None)

    def variables(self, line: int, column: int) -> Iterator[Named]:
        """The variables that are known at a place."""
        section = section_of(self.lines, line)
        for one in self.known.names:
            if one.kind != "variable" or one.place is None or one.place.source != self.known.source:
                continue
            place = self.here(one.place)
            known = one.scope is None or self._reaches(one.scope, line, column)
            if place is not None and place.line in section and known:
                yield one
        yield from self._inherited(section.start)
        for number in section:
            if number <= line and not self.mentions(number):  # it is being written: nobody has read it, or could
                yield from _written(self.lines[number] if number < line else self.lines[line][:column])

    def _inherited(self, head: int) -> Iterator[Named]:
        """The parameters of the move, or the effect, that a section extends."""
        found = _EXTENDED.match(self.lines[head])
        for one in self.known.names if found else ():
            if found and (one.kind, one.name) == found.groups():
                for param in one.params:
                    name, _, type = param.partition(": ")
                    yield Named(name.split(" ")[0], "variable", type, param, (), "", None, None)

    def _reaches(self, scope: tuple[int, int, int, int], line: int, column: int) -> bool:
        """True if a place lies in a stretch of the known text, or in what was changed within it."""
        first, last = self.now(scope[0]), self.now(scope[2])
        return (
            first is not None
            and (first, scope[1]) <= (line, column)
            and ((line, column) <= (last, scope[3]) if last is not None else self._first <= line < self._last)
        )

    def mentions(self, line: int) -> Sequence[Mention]:
        """The names of a line that was not changed."""
        then = self.then(line)
        return () if then is None else self.known.own.get(then, ())


def _moved(old: Sequence[str], new: Sequence[str], first: int, last: int) -> dict[int, int]:
    """The new numbers of the lines of a stretch that occur exactly once in it, unchanged, both before and after an
    edit."""
    before, after = (Counter(lines[first : last - shift]) for lines, shift in ((old, len(new) - len(old)), (new, 0)))
    places = {line: number for number, line in enumerate(new[first:last], first)}
    return {
        number: places[line]
        for number, line in enumerate(old[first : last - len(new) + len(old)], first)
        if before[line] == after[line] == 1
    }


def _written(line: str) -> Iterator[Named]:
    """The variables that a line, or what is written of it, declares."""
    for names, *type in (*_bound(line), *((name,) for name in _LET.findall(line))):
        for name in names.split(","):
            yield Named(name.strip(), "variable", "".join(type), name.strip(), (), "", None, None)


def _bound(line: str) -> Iterator[tuple[str, ...]]:
    """The names, and their type, of each phrase of a line that binds variables."""
    found: list[re.Match[str]] = []
    for phrase, follows in _BOUND:
        last = max((one.start() for one in follows.finditer(line)), default=-1)
        found += (one for one in phrase.finditer(line) if one.end() <= last)
    end = 0
    for one in sorted(found, key=re.Match.start):
        if one.start() >= end:
            end = one.end()
            yield one.groups("")


def _changed(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The first line of a new text that is not as in the old one, and the first of those that are at its end."""
    first, shorter = 0, min(len(old), len(new))
    while first < shorter and old[first] == new[first]:
        first += 1
    same = 0
    while same < shorter - first and old[-1 - same] == new[-1 - same]:
        same += 1
    return first, len(new) - same
