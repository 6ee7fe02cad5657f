"""Texts of moves in the form that the author gives them, such as  {from}-{to}  or, side by side, {from}{to}.

A text is read as a regular expression reads it: each word is as long as it can be, and shorter where the rest fails.
What has failed at a place is not tried there again, as in the backtracking of RE2 (Russ Cox, "Regular Expression
Matching in the Wild"): the work grows with the length of the text times the parts of the form.  A parameter that
stands twice in a form must be the same word there; for such forms, too, the work is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MOST_STEPS = 200_000  # in one reading; a text that needs more fits no form
_BLANKS = re.compile(r"\s*")
_PIECES = re.compile(r"([^{]*)(?:\{(\w+)\})?")
_NOWHERE = -1

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Run:
    """Words of any length: how the shortest begin, and the signs that may follow."""

    shortest: re.Pattern[str]
    more: re.Pattern[str]


def _run(shortest: str, more: str) -> Run:
    return Run(re.compile(shortest, re.IGNORECASE), re.compile(more))


NUMBER = _run(r"-?\d", r"\d")
CELL = _run("[a-z]+[0-9]", "[0-9]")
ANY = _run(r"-?\w", r"\w")


class Choice:
    """The words of a list, in small or capital letters."""

    def __init__(self, words: Sequence[str]):
        self.words = frozenset(word.lower() for word in words)
        self.lengths = sorted({len(word) for word in words}, reverse=True)

    def ends(self, text: str, at: int) -> Iterator[int]:
        """Where a word that begins here may end, the longest first."""
        return (at + length for length in self.lengths if text[at : at + length].lower() in self.words)


Word = Run | Choice


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a form: a text, or the word of a parameter."""

    text: re.Pattern[str] | None = None
    name: str = ""
    word: Word | None = None  # None of a parameter that the form has named before
    again: bool = False  # the form names the parameter once more


class Form:
    """The form of a kind of moves; blanks and case do not matter."""

    def __init__(self, text: str, words: Mapping[str, Word]):
        pieces = _PIECES.findall(text)
        names = [name for _, name in pieces]
        self.parts: list[_Part] = []
        for place, (literal, name) in enumerate(pieces):
            if signs := "".join(literal.split()):
                self.parts.append(_Part(re.compile(r"\s*".join(map(re.escape, signs)), re.IGNORECASE)))
            if name:
                word = None if name in names[:place] else words[name]
                self.parts.append(_Part(None, name, word, name in names[place + 1 :]))

    def read(self, text: str) -> dict[str, str] | None:
        """The word of each parameter in a text without blanks around it; None if it does not have this form."""
        return Reading(self.parts, text).words()


@dataclass(frozen=True, slots=True)
class _State:
    part: int  # that is read next
    at: int  # the place in the text
    begin: int  # of the word that is being read, of which a part is behind us
    said: tuple[tuple[str, Span], ...]  # words that must stand again
    before: tuple[str, Span, object] | None  # the last word, and those before it


@dataclass
class Reading:
    """A text that is read in a form."""

    parts: Sequence[_Part]
    text: str
    tried: set[object] = field(default_factory=set)

    def words(self) -> dict[str, str] | None:
        """The word of each parameter; None if the text does not have the form."""
        waiting = [_State(0, 0, _NOWHERE, (), None)]
        while waiting and len(self.tried) < MOST_STEPS:
            state = waiting.pop()
            if state.part == len(self.parts):
                if state.at == len(self.text):
                    return self._named(state)
            elif self._is_new(state):
                waiting += reversed(list(self._next(state)))
        return None

    def _named(self, state: _State) -> dict[str, str]:
        found, chain = {}, state.before
        while chain is not None:
            name, (begin, end), chain = chain  # type: ignore[assignment]
            found[name] = self.text[begin:end]
        return found

    def _is_new(self, state: _State) -> bool:
        """False if nothing came of the same part at this place: where a word began matters only if it stands again."""
        begin = state.begin if self.parts[state.part].again else min(state.begin, 0)
        key = (state.part, state.at, begin, state.said)
        is_new = key not in self.tried
        self.tried.add(key)
        return is_new

    def _next(self, state: _State) -> Iterator[_State]:
        """What can follow, the best first."""
        part, at = self.parts[state.part], state.at
        if part.text:
            found = part.text.match(self.text, at)
            if found:
                yield self._behind(state, found.end())
        elif part.word is None:
            end = self._again(dict(state.said)[part.name], at)
            if end is not None:
                yield self._behind(state, end)
        elif isinstance(part.word, Choice):
            for end in part.word.ends(self.text, at):
                yield self._behind_word(state, part, (at, end))
        else:
            yield from self._in_run(state, part, part.word)

    def _in_run(self, state: _State, part: _Part, run: Run) -> Iterator[_State]:
        inside = state.begin != _NOWHERE
        found = (run.more if inside else run.shortest).match(self.text, state.at)
        if found:
            begin = state.begin if inside else state.at
            yield _State(state.part, found.end(), begin, state.said, state.before)
        if inside:
            yield self._behind_word(state, part, (state.begin, state.at))

    def _again(self, span: Span, at: int) -> int | None:
        """The end of the same word at a place."""
        word = self.text[slice(*span)].lower()
        end = at + span[1] - span[0]
        return end if self.text[at:end].lower() == word else None

    def _behind_word(self, state: _State, part: _Part, span: Span) -> _State:
        said = (*state.said, (part.name, span)) if part.again else state.said
        return self._behind(_State(state.part, state.at, _NOWHERE, said, (part.name, span, state.before)), span[1])

    def _behind(self, state: _State, end: int) -> _State:
        """The state before the next part, which blanks may precede."""
        last = state.part + 1 == len(self.parts)
        blanks = None if last else _BLANKS.match(self.text, end)
        return _State(state.part + 1, blanks.end() if blanks else end, _NOWHERE, state.said, state.before)
