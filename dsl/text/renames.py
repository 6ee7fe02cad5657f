"""Other words for the names and texts of a rules text.

In: a text, new words for its names, new texts for its texts.  Out: the same text in the new words, line by line, so
that whatever quotes it speaks them; and which words and texts it has.  Comments and drawings stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dsl.text.lines import TEXT, drawing_lines, without_comment

_WORD = re.compile(rf"{TEXT}|[A-Za-z][A-Za-z0-9_]*|[0-9]\w*")
_PLACE = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")  # a parameter in the form of a move


def renamed(text: str, names: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """The text with other words; all of them change at once."""

    def word(found: re.Match[str]) -> str:
        said = found.group()
        if not said.startswith('"'):
            return names.get(said, said)
        inside = texts.get(said[1:-1], said[1:-1])
        return f'"{_PLACE.sub(lambda one: "{" + names.get(one[1], one[1]) + "}", inside)}"'

    lines = text.split("\n")
    drawn = drawing_lines(lines)
    for i, line in enumerate(lines):
        if i not in drawn:
            code = without_comment(line)
            lines[i] = _WORD.sub(word, code) + line[len(code) :]
    return "\n".join(lines)


def words(text: str) -> Iterator[str]:
    """The names of a text, and its texts in their quotes."""
    lines = text.split("\n")
    drawn = drawing_lines(lines)
    for i, line in enumerate(lines):
        if i not in drawn:
            yield from _WORD.findall(without_comment(line))
