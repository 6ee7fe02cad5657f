"""Where reading stopped: the place, the words around it, and what could have stood there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from pysolve.dsl.errors import Problem, Source, Span, choices, nearest
from pysolve.dsl.frozen import frozen
from pysolve.dsl.text.hints.words import (
    BLOCKS,
    BOARDS,
    FORMS,
    HEADINGS,
    KINDS,
    OPERATORS,
    RARE,
    SECTIONS,
    SECTIONS_ELSEWHERE,
    SECTIONS_LACKING,
    SIGNS,
    STATEMENTS,
    VALUE,
)  # fmt: skip
from pysolve.dsl.text.lines import CONTINUED

_TOKEN = re.compile(
    r'"[^"\n]*"|[A-Za-z_]\w*|\d+|===?|=/=|=!|<>|=<|=>|/=|~=|&&|\|\||\*\*|[-+*/]=|\+\+|--|:=|!=|<=|>=|//|\.\.+|[^\s\x01]'
)  # fmt: skip


@frozen
class Word:
    """A word or symbol of the text, and where it begins."""

    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        """The column after the last character."""
        return self.column + len(self.text)


class Rewritten(str):
    """A hint that gives the whole line as it should be; `line` is that line."""

    __slots__ = ("line",)
    line: str

    def __new__(cls, line: str) -> Rewritten:
        hint = super().__new__(cls, f"write  {line}")
        hint.line = line
        return hint


@frozen
class Stop:
    """The place where the parser stopped, with the text and the words around it."""

    source: Source
    found: Word  # its text is empty at the end of a sentence
    before: tuple[Word, ...]  # the sentence so far
    after: tuple[Word, ...]  # the rest of its line
    block: str  # the word that heads the block; empty at the margin
    above: Word | None  # the first word of the sentence before
    wanted: frozenset[str]  # words and symbols as they are written; NAME, INT, STRING, _NL, … for the others
    indented: bool = False  # the line stands further in than it may

    @property
    def head(self) -> str:
        """The first word of the sentence."""
        return (self.before[0] if self.before else self.found).text

    @property
    def last(self) -> str:
        """The word before the place."""
        return self.before[-1].text if self.before else ""

    @property
    def rest(self) -> str:
        """The line from the place on, without a comment."""
        return self.source.line(self.found.line)[self.found.column - 1 :].split("#")[0].strip()

    def says(self, word: str) -> bool:
        """True if the sentence so far has a word or symbol."""
        return any(one.text == word for one in self.before)

    def problem(self, message: str, hint: str = "", at: Word | None = None) -> Problem:
        """A problem at a word, by default the one where the parser stopped."""
        word = at or self.found
        span = Span(self.source, word.line, word.column, word.line, max(word.end, word.column + 1))
        return Problem(span, message, hint)

    def like(self, word: str) -> str:
        """An example of the phrase that a word heads."""
        return f"for example:  {FORMS[word]}" if word in FORMS else ""

    def rewritten(self, right: str, at: Word | None = None, also: Mapping[Word, str] | None = None) -> Rewritten:
        """The line as it should be: one word, others (`also`) and the symbols of other languages are replaced."""
        wrong = at or self.found
        changed = {wrong: right, **(also or {})}
        line, text = [w for w in (*self.before, self.found, *self.after) if w.line == wrong.line], ""
        for word, following in zip(line, [*line[1:], None], strict=True):
            new = changed.get(word, SIGNS[word.text][0] if word.text in SIGNS else word.text)
            text += f" {new} " if new.isalpha() and new != word.text else new
            text += " " * (following.column - word.end if following else 0)
        return Rewritten(re.sub(" +", " ", text).strip())


def stop_at(source: Source, text: str, line: int, column: int, wanted: frozenset[str], indented: bool = False) -> Stop:
    """The surroundings of a place in a text that lines.py has prepared."""
    lines = text.split("\n")
    line = min(max(line, 1), len(lines))
    while line > 1 and not lines[line - 1].strip(f" {CONTINUED}"):
        line, column = line - 1, len(lines[line - 2]) + 1
    first = line
    while first > 1 and lines[first - 1].startswith(CONTINUED):
        first -= 1
    words = [word for number in range(first, line + 1) for word in words_of(lines[number - 1], number)]
    here = next((word for word in words if word.line == line and word.end > column), None)
    if here is None:
        here = Word("", line, len(lines[line - 1].rstrip()) + 1)
    before = tuple(word for word in words if (word.line, word.column) < (here.line, here.column))
    after = tuple(word for word in words if (word.line, word.column) > (here.line, here.column))
    block = _heading(lines, first, indent(lines[first - 1]))
    above = _heading(lines, first, len(text))
    return Stop(source, here, before, after, block.text if block else "", above, wanted, indented)


def _heading(lines: list[str], number: int, margin: int) -> Word | None:
    """The first word of the nearest sentence above line `number` that is indented by less than `margin`."""
    for above in range(number - 1, 0, -1):
        line = lines[above - 1]
        if line.strip() and not line.startswith(CONTINUED) and indent(line) < margin:
            return next(iter(words_of(line, above)), None)
    return None


def words_of(line: str, number: int) -> list[Word]:
    """The words and symbols of a line of a text that lines.py has prepared."""
    return [Word(found.group(), number, found.start() + 1) for found in _TOKEN.finditer(line)]


def indent(line: str) -> int:
    """The number of spaces at the beginning of a line."""
    return len(line) - len(line.lstrip(" "))


def outside(line: str, margin: int) -> bool:
    """True if a line stands in the column of the heading above it, though it begins no section and no block."""
    words = line.split()
    return bool(words) and indent(line) == margin and not line.startswith(CONTINUED) and (
        re.split(r"\W", words[0])[0] not in (*SECTIONS, *BLOCKS) and not words[0].startswith("#"))  # fmt: skip


def form(stop: Stop) -> str:
    """An example of the phrase in which reading stopped."""
    if stop.head == "board":
        words = {word.text for word in stop.before}
        form = next((form for form in BOARDS if form in words), "rhombus" if "hex" in words else "square")
        return f"for example:  {BOARDS[form]}"
    if stop.head in HEADINGS and not stop.block:
        return f"for example:  {HEADINGS[stop.head]}"
    if stop.head not in FORMS or stop.block in ("state", "stuck", "end", "evaluate", "show"):
        return stop.like(stop.block)
    return stop.like(stop.head)


def expected(wanted: frozenset[str]) -> str:
    """The tokens that the grammar allows at a place, as a short phrase."""
    rest, words = set(wanted) - {"_DEDENT", "$END", *RARE}, []
    if "game" in rest and "move" in rest:
        return "a section such as state, move or end"
    if "let" in rest and "again" in rest:
        words.append("an effect")
        rest -= {"NAME", *STATEMENTS}
    if {"NAME", "INT", "("} <= rest:
        words.append("a condition or a value" if "not" in rest else "a value")
        rest -= VALUE
    if {"+", "*"} <= rest:
        words.append("an operator")
        rest -= OPERATORS
    plain = sorted(rest - KINDS.keys(), key=lambda word: (word[0].isalpha(), word))
    words += [f'"{word}"' for word in plain] + [KINDS[kind] for kind in KINDS if kind in rest]
    return choices(words, 6) if words else "nothing more"


def no_section(word: str) -> tuple[str, str]:
    """The message and the hint for a word at the margin that begins no section."""
    meant = SECTIONS_ELSEWHERE.get(word.lower())
    hint = f"this is written with {meant}:  {FORMS[meant]}" if meant else SECTIONS_LACKING.get(word.lower())
    return f'"{word}" does not begin a section', hint or nearest(
        word, SECTIONS
    ) or f"sections are {choices(SECTIONS, 99)}"


def depth(words: Sequence[Word]) -> int:
    """The number of brackets that are open behind the last of some words."""
    return next(reversed(depths(words)), 0)


def depths(words: Sequence[Word]) -> list[int]:
    """The number of open brackets behind each of some words."""
    steps = ((word.text in ("(", "{")) - (word.text in (")", "}")) for word in words)
    return list(accumulate(steps))


def spaces(count: int) -> str:
    """`1 space`, `3 spaces`."""
    return f"{count} space{'s' * (count != 1)}"
