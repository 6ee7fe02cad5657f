"""What each line of rules is: in which section and block it stands, and whether it is the row of a drawing.

In: the lines of a text, right or wrong.  Out: a `Reading` of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pysolve.dsl.text.limits import LINE_LIMIT, TEXT_LIMIT
from pysolve.ide.vocabulary import is_in

REMEMBERED = 8_192  # lines
_WORDS = re.compile(r"\s*([A-Za-z]\w*)?(?:\s+([A-Za-z]\w*))?")
_DRAWINGS = {"example": ("position",), "setup": ("position",), "board": ("shape",)}
CHANGES = ("replace", "remove", "extend")  # stand before the word of a section
_LISTS = ("play", "legal", "illegal")  # lines of an example that list moves


@dataclass(frozen=True, slots=True)
class Block:
    """A line that others are indented under."""

    indent: int
    word: str  # with which it begins


@dataclass(frozen=True, slots=True)
class Reading:
    """The state of the line parser behind a line."""

    section: str = ""  # the word of its section, "example"
    blocks: tuple[Block, ...] = ()  # the lines that this one stands under, the line itself last
    drawing: int = -1  # the indentation of the line that began the drawing; -1 outside of drawings

    @property
    def in_example(self) -> str:
        """The word of the line of an example to which this one belongs; empty if it belongs to none."""
        return next((block.word for block in reversed(self.blocks) if is_in("example", block.word)), "")

    @property
    def lists_moves(self) -> bool:
        """True if a line, or the line that it continues, is a list of moves."""
        return self.section == "example" and self.in_example in _LISTS

    def draws(self, line: str) -> bool:
        """True if a line, of which this is the reading, is the row of a drawing."""
        return self.drawing >= 0 and indent_of(line) > self.drawing and bool(line.strip())


NOTHING = Reading()


def lines_of(text: str) -> list[str]:
    """The lines of a text, without line ends."""
    return text.replace("\r\n", "\n").split("\n")


def seen(text: str) -> list[str]:
    """The lines of a text, limited in number and length, so that every answer takes little time."""
    return [line[: LINE_LIMIT + 1] for line in lines_of(text[: TEXT_LIMIT + 1])]


def indent_of(line: str) -> int:
    """The number of spaces before a line."""
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=REMEMBERED)
def read_line(above: Reading, line: str) -> Reading:
    """The state behind a line, given the state behind the line above. Empty lines and comments change nothing."""
    if not line.strip():
        return above
    indent = indent_of(line)
    if above.drawing >= 0 and indent > above.drawing:
        return above
    if line.lstrip().startswith("#"):
        return Reading(above.section, above.blocks)
    first, second = _WORDS.match(line).groups()  # type: ignore[union-attr]
    word = first or ""
    changed = (second or "") if word in CHANGES else word
    section = above.section if indent else (changed or word) if is_in("sections", word) else ""
    blocks = (*(block for block in above.blocks if block.indent < indent), Block(indent, word))
    draws = any(one == word or (not indent and one == second) for one in _DRAWINGS.get(section, ()))
    return Reading(section, blocks, indent if draws else -1)


def readings(lines: Sequence[str]) -> Iterator[Reading]:
    """The state behind each line of a text."""
    reading = NOTHING
    for line in lines:
        reading = read_line(reading, line)
        yield reading


def section_of(lines: Sequence[str], number: int) -> range:
    """The numbers, from 0, of the lines of the section around a line."""
    first = min(number, len(lines) - 1)
    while first > 0 and not _at_margin(lines[first]):
        first -= 1
    last = first + 1
    while last < len(lines) and not _at_margin(lines[last]):
        last += 1
    return range(first, last)


def _at_margin(line: str) -> bool:
    return line[:1].isalpha()


def reading_at(lines: Sequence[str], number: int) -> Reading:
    """The state behind one line; the lines from the beginning of its section decide it."""
    reading = NOTHING
    for line in lines[section_of(lines, number).start : number + 1]:
        reading = read_line(reading, line)
    return reading
