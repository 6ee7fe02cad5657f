"""How long rules are.

In: a rules text.  Out: lines and tokens of what says the game.  Not counted are comments and empty lines, and what no
rule needs: `author`, `about`, `evaluate`, `level`, `show` and the examples.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dsl.layout import lay_out

_ASIDE = {"evaluate", "show", "example", "level"}  # sections
_TITLE = {"author", "about", "language"}  # lines under `game`
_TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')


class Length(NamedTuple):
    """Lines, and tokens: words, numbers, texts and single signs."""

    lines: int
    tokens: int


def length(text: str) -> Length:
    """The length of a rules text."""
    lines = tokens = 0
    aside = titled = False
    for written, line in zip(text.split("\n"), lay_out(text).split("\n"), strict=True):
        words = _TOKEN.findall(line.replace("\x01", " ").replace("\x02", " "))
        if not words:
            continue
        head = words[1] if words[0] == "replace" and len(words) > 1 else words[0]
        if not written.startswith(" "):
            aside = head in _ASIDE
            titled = head == "game"
        if not aside and not (titled and head in _TITLE):
            lines, tokens = lines + 1, tokens + len(words)
    return Length(lines, tokens)
