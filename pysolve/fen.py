"""Positions of chess and its variants in FEN.

In: a position in the exchange form, from the states owner, kind, castles, passed and clock.  Out: its FEN; the number
of the move is always 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def letter_of(kind: object) -> str:
    """A man's letter, in the lower case."""
    return "n" if kind == "Knight" else str(kind)[:1].lower()


def fen(data: Mapping[str, Any], white: str, columns: Sequence[str], rows: int) -> str:
    """The FEN of a position on a board with such columns; `white` is the player with the capital letters."""
    state, first, last = data["state"], columns[0], columns[-1]
    lines = ("".join(_man(state, f"{column}{row}", white) for column in columns) for row in range(rows, 0, -1))
    placed = re.sub(r"\.+", lambda run: str(len(run.group())), "/".join(lines))
    rooks = (("K", f"{last}1"), ("Q", f"{first}1"), ("k", f"{last}{rows}"), ("q", f"{first}{rows}"))
    castles = "".join(letter for letter, rook in rooks if state.get("castles", {}).get(rook))
    words = [placed, "w" if data["mover"] == white else "b", castles or "-", state.get("passed") or "-"]
    return " ".join([*words, str(min(state.get("clock", 0), 99)), "1"])


def _man(state: Mapping[str, Any], cell: str, white: str) -> str:
    """A man: capital where he is white; a point is an empty square."""
    owner, kind = state["owner"][cell], state["kind"][cell]
    if owner is None or kind is None:
        return "."
    return letter_of(kind).upper() if owner == white else letter_of(kind)
