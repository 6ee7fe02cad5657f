"""What a rules text may be at all, before anything reads it.

In: a source.  Out: nothing, or the first mistake in its size.  Every later stage takes time and memory in proportion to
what is let in here.
"""

from __future__ import annotations

from pysolve.dsl.errors import Problem, Source, Span

TEXT_LIMIT = 1_000_000  # bytes of a rules text in UTF-8
LINE_LIMIT = 5_000  # characters of one line
NAME_LIMIT = 100  # characters of one name


def too_large(source: Source) -> Problem | None:
    """The first mistake in the size of a text; None if it may be read."""
    if len(source.text) > TEXT_LIMIT or len(source.text.encode("utf-8", "surrogatepass")) > TEXT_LIMIT:
        return Problem(Span(source, 1, 1, 1, 2), f"a rules text has at most {TEXT_LIMIT:,} bytes; this one is longer",
                       "a variant that extends another file contains only the differences")  # fmt: skip
    for number, line in enumerate(source.text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            return Problem(Span(source, number, LINE_LIMIT + 1, number, LINE_LIMIT + 2),
                           f"a line has at most {LINE_LIMIT:,} characters; this one has {len(line):,}",
                           "continue the statement on the next line, indented")  # fmt: skip
    return None


def fits_in_text(words: str) -> bool:
    """True if words can stand between the quotes of a text in rules, which has no escapes."""
    return words.isprintable() and '"' not in words
