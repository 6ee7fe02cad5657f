"""Moves that a text means, where it is only a part of how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable

from pysolve.results import Move


def fitting(text: str, moves: list[Move]) -> list[Move]:
    """The moves of which a text is a part; those with the words themselves come before those whose words it begins.

    `a4 e` is a4 east, but not a4 southeast; a cell is one word, so `d-3` is not d3.
    """
    words = re.findall(r"\w+", text.lower())
    parts = [(move, _parts(move)) for move in moves]
    same = [move for move, found in parts if _in_order(words, found, _is_part)]
    return same or [move for move, found in parts if _in_order(words, found, _begins_part)]


Part = tuple[str, str]  # a word of a move, and the same with what is written behind it without a space: a1, a1xb1


def _parts(move: Move) -> list[Part]:
    """The words of a move from left to right: its parameters, and what stands between them."""
    text = move.text.lower()
    values = [re.escape(str(value).lower()) for value in move.params.values()]
    values.sort(key=len, reverse=True)
    between = r"\w+?(?=" + "|".join([*values, r"\W|$"]) + ")"
    found = re.finditer("|".join([*values, between]), text)
    return [(one.group(), re.split(r"\W", text[one.start() :])[0]) for one in found]


def _is_part(part: Part, word: str) -> bool:
    return part[0] == word


def _begins_part(part: Part, word: str) -> bool:
    return part[1].startswith(word)


def _in_order(words: list[str], parts: list[Part], fits: Callable[[Part, str], bool]) -> bool:
    """True if each word fits a part, in order."""
    rest = iter(parts)
    return bool(words) and all(any(fits(part, word) for part in rest) for word in words)
