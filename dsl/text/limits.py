"""What a rules text may be at all, before anything reads it.

In: a source.  Out: nothing, or the first mistake in its size.  Every later stage takes time and memory in proportion to
what is let in here.
"""

from __future__ import annotations

import re

from pysolve.dsl.errors import Problem, Source, Span
from pysolve.dsl.text.lines import CONTINUED, SLANTED, TEXT

TEXT_LIMIT = 1_000_000  # bytes of a rules text in UTF-8
LINES_LIMIT = 50_000  # lines of a text
LINE_LIMIT = 5_000  # characters of one line
WORDS_LIMIT = 30_000  # words, numbers, strings and symbols of a text, without its comments
NAME_LIMIT = 100  # characters of one name
WORD = re.compile(rf"{TEXT}|\w+|[^\w\s{CONTINUED}{SLANTED}]")  # of a text that `lines` has laid out

SHORTER = "a variant that extends another file contains only the differences"


def too_large(source: Source) -> Problem | None:
    """The first mistake in the size of a text; None if it may be read."""
    if len(source.text) > TEXT_LIMIT or len(source.text.encode("utf-8", "surrogatepass")) > TEXT_LIMIT:
        message = f"a rules text has at most {TEXT_LIMIT:,} bytes; this one is longer"
        return Problem(Span(source, 1, 1, 1, 2), message, SHORTER)
    if source.text.count("\n") > LINES_LIMIT:
        return Problem(Span(source, LINES_LIMIT + 1, 1, LINES_LIMIT + 1, 2),
                       f"a rules text has at most {LINES_LIMIT:,} lines", SHORTER)  # fmt: skip
    for number, line in enumerate(source.text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            return Problem(Span(source, number, LINE_LIMIT + 1, number, LINE_LIMIT + 2),
                           f"a line has at most {LINE_LIMIT:,} characters; this one has {len(line):,}",
                           "continue the statement on the next line, indented")  # fmt: skip
    return None


def too_wordy(source: Source, laid_out: str) -> Problem | None:
    """The place where a text, `laid_out` by `lines`, has too many words; None if it may be read."""
    for number, found in enumerate(WORD.finditer(laid_out)):
        if number == WORDS_LIMIT:
            line = laid_out.count("\n", 0, found.start()) + 1
            column = found.start() - laid_out.rfind("\n", 0, found.start())
            return Problem(Span(source, line, column, line, column + len(found.group())),
                           f"a rules text has at most {WORDS_LIMIT:,} words and symbols", SHORTER)  # fmt: skip
    return None


def fits_in_text(words: str) -> bool:
    """True if words can stand between the quotes of a text in rules, which has no escapes."""
    return words.isprintable() and '"' not in words
