"""The words of a text with what they are and what they mean: what an editor gives colours to.

In: a view of a text.  Out: its tokens in their order.  Each editor has its own table of looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pysolve.ide.knowledge import Named, View
from pysolve.ide.tokens import Token, tokens

MOST = 20_000  # tokens of a text


class Colour(NamedTuple):
    """A token: its line and columns, from 0, and what it is; of a name also what it means, if that is known."""

    line: int
    start: int
    end: int
    token: str  # one of `tokens.KINDS`
    meaning: Named | None
    declares: bool


def colours(view: View, first: int = 0, last: int | None = None) -> Iterator[Colour]:
    """The tokens of some lines; a row of a drawing is one."""
    count = 0
    for line, found in enumerate(tokens(view.lines)):
        if line < first or not found:
            continue
        count += len(found)
        if (last is not None and line > last) or count > MOST:
            return
        if found[0].kind == "drawing":
            yield Colour(line, found[0].start, found[-1].end, "drawing", None, False)
            continue
        mentions = {one.place.column: one for one in view.mentions(line)}
        is_new = view.then(line) is None
        for token in found:
            mention = mentions.get(token.start)
            if mention is not None:
                meaning, declares = view.known.names[mention.meaning], mention.is_declaration
                yield Colour(line, token.start, token.end, token.kind, meaning, declares)
            else:
                guessed = _guessed(view, line, token) if is_new and token.kind == "name" else None
                yield Colour(line, token.start, token.end, token.kind, guessed, token.kind == "declared")


def _guessed(view: View, line: int, token: Token) -> Named | None:
    """What a name most likely means in a line that nobody has read yet."""
    numbers = view.known.by_name.get(view.lines[line][token.start : token.end])
    return view.known.names[numbers[0]] if numbers else None
