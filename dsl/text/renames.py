"""Other words for the names and texts of a rules text.

In: a text, new words for its names, new texts for its texts.  Out: the same text in the new words, line by line, so
that whatever quotes it speaks them; and which words and texts it has.  Comments and drawings stay as they are; so do
the words that begin sections, colours and shapes, also those of the rules: they are no names, though names may be
written like them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pysolve.dsl.text.lines import TEXT, drawing_lines, without_comment

_NAME = "[A-Za-z][A-Za-z0-9_]*"
_WORD = re.compile(rf"{TEXT}|{_NAME}|[0-9]\w*")
_LOOK = rf"(?P<look>(?: +{_NAME})*)"  # colours and shapes
_WORDS = {  # of sections in which looks stand behind a text or a name
    "show": re.compile(rf"(?:{TEXT}|\bnumber\b){_LOOK}|(?P<shape>\b(?:icon|ground) +{_NAME}\b)|{_WORD.pattern}"),
    "mark": re.compile(rf"(?<= ){_NAME}{_LOOK}|{_WORD.pattern}"),
}
_HEAD = re.compile("(?:(?:replace|extend) +)?([a-z]+)")
_PLACE = re.compile(rf"\{{({_NAME})\}}")  # a parameter in the form of a move


def renamed(text: str, names: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """The text with other words; all of them change at once."""

    def word(found: re.Match[str]) -> str:
        said = found.group()
        if not said.startswith('"'):
            return names.get(said, said)
        inside = texts.get(said[1:-1], said[1:-1])
        return f'"{_PLACE.sub(lambda one: "{" + names.get(one[1], one[1]) + "}", inside)}"'

    def words_but_look(found: re.Match[str]) -> str:
        if found.groupdict().get("shape"):
            return found.group()
        look = found.groupdict().get("look") or ""
        return _WORD.sub(word, found.group().removesuffix(look)) + look

    lines = text.split("\n")
    drawn = drawing_lines(lines)
    pattern = _WORD
    for i, line in enumerate(lines):
        if i not in drawn:
            code, head = without_comment(line), ""
            if begins := _HEAD.match(code):  # a section
                head, pattern = begins.group(), _WORDS.get(begins[1], _WORD)
            lines[i] = head + pattern.sub(words_but_look, code[len(head) :]) + line[len(code) :]
    return "\n".join(lines)


def words(text: str) -> Iterator[str]:
    """The names of a text, and its texts in their quotes."""
    lines = text.split("\n")
    drawn = drawing_lines(lines)
    for i, line in enumerate(lines):
        if i not in drawn:
            yield from _WORD.findall(without_comment(line))
