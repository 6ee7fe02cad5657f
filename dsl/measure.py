"""How long rules are.

In: a rules text.  Out: its lines and tokens.  Not counted are comments and empty lines, `show` and the examples.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dsl.layout import lay_out

_ASIDE = {"show", "example"}  # sections
_TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')


class Length(NamedTuple):
    """Lines, and tokens: words, numbers, texts and single signs."""

    lines: int
    tokens: int


def length(text: str) -> Length:
    """The length of a rules text."""
    lines = tokens = 0
    aside = False
    for written, line in zip(text.split("\n"), lay_out(text).split("\n"), strict=True):
        words = _TOKEN.findall(line.replace("\x01", " ").replace("\x02", " "))
        if not words:
            continue
        head = words[1] if words[0] == "replace" and len(words) > 1 else words[0]
        if not written.startswith(" "):
            aside = head in _ASIDE
        if not aside:
            lines, tokens = lines + 1, tokens + len(words)
    return Length(lines, tokens)
