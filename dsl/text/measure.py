"""How long rules are.

In: a rules text.  Out: its lines and tokens.  Not counted are comments and empty lines, what only shows
the game (`show`, `mark`, `tell`, and definitions that nothing else names), paragraphs for people (`about`, but for the
first line), and the examples.
"""

from __future__ import annotations

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
    sections = _sections(text)
    shown = _only_shown(sections)
    lines = tokens = 0
    told = False
    for section in sections:
        if section.head in _ASIDE or section.defines in shown:
            continue
        for words in section.lines:
            if words[0] == "about" and words[1:2] and words[1].startswith('"'):
                told, is_paragraph = True, told
                if is_paragraph:
                    continue
            lines, tokens = lines + 1, tokens + len(words)
    return Length(lines, tokens)


class _Section(NamedTuple):
    """A line that is not indented, and those below it that are: their words."""

    head: str
    defines: str | None  # the name, where it is a definition
    lines: list[list[str]]


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    for written, laid_out in zip(text.split("\n"), lay_out(text).split("\n"), strict=True):
        words = WORD.findall(laid_out)
        if not words:
            continue
        if found and written.startswith(" "):
            found[-1].lines.append(words)
            continue
        head, *rest = words[1:] if words[0] in ("replace", "extend") and len(words) > 1 else words
        found.append(_Section(head, rest[0] if head == "define" and rest else None, [words]))
    return found


def _only_shown(sections: list[_Section]) -> set[str]:
    """Definitions that what shows the game names, or another such definition, and nothing else."""
    mentions = [{word for words in section.lines for word in words} for section in sections]
    shown = {section.defines for section in sections if section.defines is not None}
    before = None
    while shown != before:  # a definition leaves that something else names, then those that it names itself
        before = set(shown)
        for section, words in zip(sections, mentions, strict=True):
            if section.head not in _ASIDE and section.defines not in before:
                shown -= words
    showing = [words for section, words in zip(sections, mentions, strict=True) if section.head in _ASIDE - {"example"}]
    return _reached(shown, showing, dict(zip((section.defines for section in sections), mentions, strict=True)))


def _reached(names: set[str], showing: list[set[str]], mentions: dict[str | None, set[str]]) -> set[str]:
    """Those of the names that something shows, at once or by another of them."""
    reached: set[str] = set()
    new = names.intersection(set().union(*showing))
    while new:
        reached |= new
        new = names.intersection(set().union(*(mentions[name] for name in new))) - reached
    return reached
