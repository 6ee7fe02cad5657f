"""The card of a rules file of which nothing is known but its text.

In: a file, what is to be said about it.  Out: a card, as `Card` in web/src/protocol.ts.
"""

from __future__ import annotations

import re
from typing import Any

from pysolve.web.folder import File

CARD = "file-card"  # the question whose answer is the card of a file; no page can ask it
_TITLE = re.compile(r'^game[ \t]+"([^"\n]*)"', re.MULTILINE)

Card = dict[str, Any]


def plain_card(file: File, about: str, lines: int | None = None) -> Card:
    """A card without a picture; the lines are those of the rules, or else all lines of the file."""
    title = _TITLE.search(file.text)
    return {
        "name": file.name, "title": title[1] if title else file.name, "author": "", "about": about, "players": [],
        "seats": [], "cells": 0, "mechanisms": [], "lines": len(file.text.split("\n")) if lines is None else lines,
        "turns": 0, "extends": None, "picture": "", "place": "folder",
    }  # fmt: skip
