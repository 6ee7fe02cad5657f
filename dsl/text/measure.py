"""How long rules are.

In: a rules text.  Out: its lines and tokens.  Not counted are comments and empty lines, what only shows
the game (`show`, `mark`, `tell`, and definitions that nothing else names), and the examples.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pysolve.dsl.text.limits import WORD
from pysolve.dsl.text.lines import lay_out

_ASIDE = {"show", "mark", "tell", "example"}  # sections


class Length(NamedTuple):
    """Lines, and tokens: words, numbers, strings and single symbols."""

    lines: int
    tokens: int


def length(text: str) -> Length:
    """The length of a rules text."""
    found = list(zip(text.split("\n"), map(WORD.findall, lay_out(text).split("\n")), strict=True))
    shown = _only_shown([words for _, words in found])
    lines = tokens = 0
    aside = False
    for written, words in found:
        if not words:
            continue
        head = words[1] if words[0] == "replace" and len(words) > 1 else words[0]
        if not written.startswith(" "):
            aside = head in _ASIDE or (words[0] == "define" and len(words) > 1 and words[1] in shown)
        if not aside:
            lines, tokens = lines + 1, tokens + len(words)
    return Length(lines, tokens)


def _only_shown(lines: list[list[str]]) -> set[str]:
    """Names that one line shows, one line defines, and nothing else mentions."""
    mentioned = Counter(word for words in lines for word in words)
    shown = {words[1] for words in lines if len(words) > 1 and words[0] in ("mark", "tell", "beside")}
    shown |= {words[0] for words in lines if words[1:2] == [":"]}  # a line of `show`
    return {name for name in shown if mentioned[name] == 2}
