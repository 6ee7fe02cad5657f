"""Positions of chess and its variants in FEN.

In: a position in the exchange form, from the states owner, kind, castles, passed and clock, and how many turns were
played before it.  Out: its FEN.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def letter_of(kind: object) -> str:
    """A man's letter, in the lower case."""
    return "n" if kind == "Knight" else str(kind)[:1].lower()


def turns_before(number: int, blacks: bool) -> int:
    """The turns before the move of this number, White's, or that of Black which follows."""
    return 2 * (number - 1) + blacks


def number_of(turns: int, blacks: bool) -> int:
    """The number of the next move after so many turns; where Black began, he began with the move 1."""
    return (turns + (turns % 2 != blacks)) // 2 + 1


def fen(data: Mapping[str, Any], white: str, columns: Sequence[str], rows: int, turns: int = 0) -> str:
    """The FEN of a position on a board with such columns, after so many turns.

    `white` is the player with the capital letters.
    """
    state, first, last = data["state"], columns[0], columns[-1]
    lines = ("".join(_man(state, f"{column}{row}", white) for column in columns) for row in range(rows, 0, -1))
    placed = re.sub(r"\.+", lambda run: str(len(run.group())), "/".join(lines))
    rooks = (("K", f"{last}1"), ("Q", f"{first}1"), ("k", f"{last}{rows}"), ("q", f"{first}{rows}"))
    castles = "".join(letter for letter, rook in rooks if state.get("castles", {}).get(rook))
    blacks = data["mover"] != white
    words = [placed, "b" if blacks else "w", castles or "-", state.get("passed") or "-", str(state.get("clock", 0))]
    return " ".join([*words, str(number_of(turns, blacks))])


def _man(state: Mapping[str, Any], cell: str, white: str) -> str:
    """A man: capital where he is white; a point is an empty square."""
    owner, kind = state["owner"][cell], state["kind"][cell]
    if owner is None or kind is None:
        return "."
    return letter_of(kind).upper() if owner == white else letter_of(kind)
