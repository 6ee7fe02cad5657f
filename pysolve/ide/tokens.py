"""The words and signs of a rules text, and what each is: for colours.

In: a text, right or wrong.  Out: tokens; what lies between two of them is space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pysolve.ide.reading import CHANGES, NOTHING, Reading, read_line
from pysolve.ide.vocabulary import LOOKS, is_in

KINDS = (
    "heading", "keyword", "declared", "kind", "given", "look", "string", "number", "comment", "drawing", "move",
    "operator", "sign", "name",
)  # fmt: skip
REMEMBERED = 8_192  # lines
_STRING = re.compile(r'"[^"]*"?')
_DIGITS = re.compile(r"\d+(?!\w)")
_NAME = re.compile(r"[A-Za-z]\w*")
_SIGN = re.compile(r":=|!=|<=|>=|//|\.\.|[-+*%^<>=]")
_MOVE = re.compile(r"[^\s,]+(?:\s+(?!because\b)[^\s,]+)*")
_ROW = re.compile(r"\S+")
_CALL = re.compile(r"\w+\s*\(")
_DECLARING = frozenset(("option", "type", "table", "define", "effect", "move", "chance", "level", "mark", "tell"))
# Words of the language only where a phrase of theirs begins, as in the grammar.
_PHRASES = {
    "first": re.compile(r"first(?= +[A-Za-z]\w*( *[:,]| +in\b))"),
    "reach": re.compile(r"reach(?= +from\b)"),
    "steps": re.compile(r"steps(?= +from\b)"),
}
# The groups whose words can begin a line of a section.
_BEGINNINGS = {
    "game": ("header",), "board": ("board", "boards"), "example": ("example",), "move": ("move", "statements"),
    "chance": ("chance", "statements"),
    "setup": ("statements",), "effect": ("statements",), "stuck": ("stuck",), "end": ("stuck",), "show": ("show",),
}  # fmt: skip
_DESCRIBED = frozenset(("option", "move", "chance"))  # sections that may have paragraphs, too


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign: its columns in its line, from 0, and what it is."""

    start: int
    end: int
    kind: str  # one of KINDS


def tokens(lines: Sequence[str]) -> Iterator[tuple[Token, ...]]:
    """The tokens of each line of a text."""
    reading = NOTHING
    for line in lines:
        reading = read_line(reading, line)
        yield line_tokens(line, reading)


@lru_cache(maxsize=REMEMBERED)
def line_tokens(line: str, reading: Reading) -> tuple[Token, ...]:
    """The tokens of a line that is read like this; it is remembered, for most lines of a text stay as they are."""
    return tuple(_Line(line, reading).tokens())


class _Line:
    """One line, read from left to right."""

    def __init__(self, text: str, reading: Reading):
        self.text = text
        self.reading = reading
        self.place = 0  # how many words and signs are behind us
        self.head = ""  # the first word
        self.before = ""  # the word or sign before
        self.looks = False  # colours and shapes may follow
        last = reading.blocks[-1].word if reading.blocks else ""
        self.moves = reading.lists_moves and last != reading.in_example  # texts of moves follow

    def tokens(self) -> Iterator[Token]:
        """The tokens of the line."""
        if self.reading.draws(self.text):
            for found in _ROW.finditer(self.text):
                yield Token(found.start(), found.end(), "drawing")
            return
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            if self.text[at] == "#":
                yield Token(at, len(self.text), "comment")
                return
            end, kind = self._read(at)
            yield Token(at, end, kind)
            at = end
            self.place += 1

    def _read(self, at: int) -> tuple[int, str]:
        """The end and the kind of the token at a column."""
        if found := _STRING.match(self.text, at):
            return self._seen(found.end(), '"', "string", True)
        if self.moves and self.text[at] != ",":
            return self._move(at)
        if found := _DIGITS.match(self.text, at):
            return self._seen(found.end(), "0", "number", self.looks)
        if found := _NAME.match(self.text, at):
            return self._word(at, found.group())
        if found := _SIGN.match(self.text, at):
            return self._seen(found.end(), found.group(), "operator")
        return self._seen(at + 1, self.text[at], "sign")

    def _seen(self, end: int, what: str, kind: str, looks: bool = False) -> tuple[int, str]:
        self.before = what
        self.looks = looks
        return end, kind

    def _move(self, at: int) -> tuple[int, str]:
        if self.text.startswith("because", at) and not self.text[at + 7 : at + 8].isalnum():
            self.moves = False
            return at + len("because"), "keyword"
        found = _MOVE.match(self.text, at)
        return (found.end() if found else at + 1), "move"

    def _word(self, at: int, word: str) -> tuple[int, str]:
        if self.place == 0:
            self.head = word
        phrase = _PHRASES.get(word)
        if is_in("functions", word) and self.place and _CALL.match(self.text, at):
            kind = "given"
        elif phrase is None or phrase.match(self.text, at):
            kind = self._kind(word)
        else:
            kind = "name"
        if self.place == 0 and self.reading.lists_moves and kind == "keyword":
            self.moves = True
        return self._seen(at + len(word), word, kind, self.looks or word == "number")

    def _kind(self, word: str) -> str:
        """The kind of a word, which its place decides."""
        section, place, before = self.reading.section, self.place, self.before
        margin = len(self.reading.blocks) == 1
        if margin and is_in("sections", word) and (place == 0 or (place == 1 and before in CHANGES)):
            return "heading"
        if margin and place <= 2 and before in _DECLARING:
            return "declared"
        if self._begins(word) and (place == 0 or (margin and place == 1 and before == section)):
            return "keyword"
        if self.looks and section in ("show", "mark"):
            return "look" if any(is_in(group, word) for group in LOOKS) else "name"
        if section == "mark" and is_in("colours", word):
            return "look"
        if is_in("reserved", word) or self._is_of_phrase(word):
            return "keyword"
        if is_in("types", word):
            return "kind"
        if word in ("turns", "me", "you"):
            return "given" if section == ("end" if word == "turns" else "evaluate") else "name"
        is_direction = is_in("directions", word) and section != "state"
        return "given" if is_direction or is_in("names", word) else "name"

    def _begins(self, word: str) -> bool:
        """True if a word can begin a line of this section."""
        section = self.reading.section
        if word == "about" and section in _DESCRIBED:
            return True
        return any(is_in(group, word) for group in _BEGINNINGS.get(section, ()))

    def _is_of_phrase(self, word: str) -> bool:
        """True if a word belongs to the phrase in which it stands; it may be a name elsewhere."""
        section, head, before = self.reading.section, self.head, self.before
        match word:
            case "extends":
                return head == "game" and before == '"'
            case "as":
                return head == "rename" or section in ("move", "chance")
            case "by":
                return head == "board" or section not in ("move", "chance") or before != ","
            case "from":
                return before in ("reach", "steps")
            case "first" | "reach" | "steps" | "ignoring":
                return True
            case "times":
                return head == "repeat"
            case "number":
                return section == "show"
            case "wins" | "loses":
                return before[:1].isalpha()
            case "draw":
                return section in ("end", "stuck") or before in ("result", "else")
        return section == "board" and before == "hex" and is_in("hexagons", word)
