"""What a rules author reads when something is wrong.

In: a source text, places in it, sentences.  Out: `RulesError`, which holds every problem found, each
with file, line, the line itself, a caret, one sentence, and the nearest right name where there is one.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from pysolve.dsl.frozen import frozen
from pysolve.dsl.text.lines import without_comment

SHOWN = 20  # mistakes of one text that are shown
MOST = 200  # mistakes after which no more are looked for
HINTED = 2 * SHOWN  # mistakes for which a nearest name is looked for: comparing names takes long
MOST_CHOICES = 8  # that a sentence lists
COMPARED = 5_000  # characters of the names among which the nearest is looked for; of more, those that begin alike
WIDTH = 160  # characters of a long line that are shown


@frozen
class Source:
    """A rules text and the name under which it is known to its author."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """Line `number`, counted from 1, without its end; empty beyond the text."""
        lines = _lines(self.text)
        return lines[number - 1] if 0 < number <= len(lines) else ""


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


@frozen
class Span:
    """A stretch of one source: line and column of its first character (from 1), and where it ends."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def text(self) -> str:
        """The words of the span as they stand in the source, on one line, without comments between them."""
        if self.end_line == self.line:
            return self.source.line(self.line)[self.column - 1 : self.end_column - 1]
        lines = [self.source.line(self.line)[self.column - 1 :]]
        lines += [self.source.line(n) for n in range(self.line + 1, self.end_line)]
        lines.append(self.source.line(self.end_line)[: self.end_column - 1])
        return " ".join(without_comment(line).strip() for line in lines)

    @property
    def words(self) -> str:
        """The text with single spaces, as a message or a picture quotes it."""
        return " ".join(self.text.split())

    def first(self, width: int) -> Span:
        """The first `width` characters of the span."""
        return Span(self.source, self.line, self.column, self.line, self.column + width)

    @property
    def place(self) -> str:
        """File and line, as `zola.rules:12`."""
        return f"{on_one_line(self.source.name)}:{self.line}"


def on_one_line(name: str) -> str:
    """The name of a file as a message shows it: what does not print, such as a line break, by its number."""
    return name if name.isprintable() else "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)


@frozen
class Problem:
    """One mistake: where, what is wrong in one sentence, and what may help."""

    span: Span
    message: str
    hint: str = ""

    def __str__(self) -> str:
        span, line = self.span, self.span.source.line(self.span.line)
        end = span.end_column if span.end_line == span.line else len(without_comment(line)) + 1
        skip = max(0, span.column - WIDTH // 2) if len(line) > WIDTH else 0
        caret = "^" * max(1, min(end - span.column, WIDTH - span.column + skip))
        picture = [
            f"{on_one_line(span.source.name)}:{span.line}:{span.column}: {self.message}",
            f"{span.line:>5} | {line[skip : skip + WIDTH]}".rstrip(),
            "      | " + " " * (span.column - skip - 1) + caret,
        ]
        return "\n".join(picture + ([f"      = {self.hint}"] if self.hint else []))

    @property
    def cure(self) -> tuple[Span, str] | None:
        """The span to replace and the name to put there, if the hint suggests the nearest known name; else None."""
        if not isinstance(self.hint, Nearest):
            return None
        span, word = self.span, re.escape(self.hint.word)
        end = span.end_column if span.end_line == span.line else None
        within = span.source.line(span.line)[: end and end - 1]
        found = re.compile(rf"(?<!\w){word}(?!\w)").search(within, span.column - 1)
        if found is None:
            return None
        return Span(span.source, span.line, found.start() + 1, span.line, found.end() + 1), self.hint.meant


def more_mistakes(count: int) -> list[str]:
    """A line about those of `count` mistakes that are not shown; no line if all are."""
    left = count - SHOWN
    least = "at least " if count >= MOST else ""
    return [f"… and {least}{left:,} more {'mistake' if left == 1 else 'mistakes'}"] if left > 0 else []


class RulesError(ValueError):
    """A rules file that cannot be used; `problems` says why, in the order of the text."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = tuple(problems)
        super().__init__("\n".join([*map(str, self.problems[:SHOWN]), *more_mistakes(len(self.problems))]))


class UnknownOption(ValueError):
    """An option that the game does not have, or a value that it does not take."""


@dataclass
class Report:
    """Collects the problems of one reading, so that an author sees them all at once.

    When there are `MOST` of them, `add` raises what `stop_if_any` raises.
    """

    problems: list[Problem] = field(default_factory=list)
    _known: set[tuple[object, ...]] = field(default_factory=set)

    def add(self, span: Span, message: str, hint: str = "") -> None:
        """Adds a problem, unless it is already reported; raises `RulesError` as soon as there are MOST of them."""
        said = (span.source.name, span.line, span.column, span.end_line, span.end_column, message, hint)
        if said not in self._known:
            self._known.add(said)
            self.problems.append(Problem(span, message, hint))
            if len(self.problems) >= MOST:
                self.stop_if_any()

    def nearest(self, word: str, known: Iterable[str]) -> str:
        """The hint with the nearest known name, as the function `nearest` gives it.

        Empty once so many mistakes have been found that no further one is shown.
        """
        return "" if self.crowded else nearest(word, known)

    @property
    def crowded(self) -> bool:
        """True if there are so many mistakes that no nearest names are looked for."""
        return len(self.problems) >= HINTED

    def stop_if_any(self) -> None:
        """Raises `RulesError` with everything found so far, if there is anything."""
        if self.problems:
            raise RulesError(self.in_order())

    def in_order(self) -> tuple[Problem, ...]:
        """Everything found so far, in the order of the text."""
        return tuple(sorted(self.problems, key=lambda p: (p.span.source.name, p.span.line, p.span.column)))


class Nearest(str):
    """The hint `did you mean "…"?`: it knows the word that was written, and the name that was probably meant."""

    word: str
    meant: str

    def __new__(cls, word: str, meant: str) -> Nearest:
        """The hint for a word."""
        hint = super().__new__(cls, f'did you mean "{meant}"?')
        hint.word, hint.meant = word, meant
        return hint

    def __reduce__(self) -> tuple[type[Nearest], tuple[str, str]]:
        """A hint is pickled as what it is made of."""
        return Nearest, (self.word, self.meant)


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean "…"?` for the known name closest to `word`; empty if none is close."""
    names = sorted(set(known))
    if sum(map(len, names)) > COMPARED:
        alike = [name for name in names if name[:1].lower() == word[:1].lower()]
        names = alike[: bisect(list(accumulate(map(len, alike))), COMPARED)]
    lowered = {name.lower(): name for name in names}
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if not found and word.lower() in lowered:
        found = [lowered[word.lower()]]
    return Nearest(word, found[0]) if found else ""


def choices(words: Iterable[str], limit: int = MOST_CHOICES, joint: str = "or") -> str:
    """The words as "a, b or c"; a long list is cut."""
    listed = list(words)
    if len(listed) > limit:
        listed = [*listed[: limit - 1], f"{len(listed) - limit + 1} others"]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {joint} {listed[-1]}"


def a_kind_of(name: str) -> str:
    """`a cell`, `an edge`."""
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def listed(words: Iterable[str]) -> str:
    """The words as "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
