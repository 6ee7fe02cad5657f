"""What a gallery shows of each game: a card with a small picture.

In: the rules of a game.  Out: its card.  The cards of the shipped games lie in cards.json, so that a gallery opens no
game; `pysolve.service.make_cards` writes it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pysolve.dsl.text.measure import length
from pysolve.game import Game
from pysolve.mechanisms import mechanisms
from pysolve.position import Position
from pysolve.scene import things
from pysolve.service.thumbnail import thumbnail

FILE = Path(__file__).with_name("cards.json")
_HEAD = re.compile(r'^game[ \t]+"[^"\n]*"[ \t]+extends[ \t]+"([^"\n]*)"', re.MULTILINE)


def card(game: Game, name: str, text: str, place: str = "shipped") -> dict[str, Any]:
    """The card of a game."""
    model = game.model
    return {
        "name": name,
        "title": model.title,
        "author": model.about.get("author", ""),
        "about": model.about.get("about", ""),
        "players": list(game.players),
        "cells": len(model.board.cells),
        "mechanisms": list(mechanisms(model)),
        "lines": length(text).lines,
        "extends": extends(text),
        "picture": thumbnail(_shown(game)),
        "place": place,
    }


def _shown(game: Game) -> Position:
    """The position that the picture shows: the first, or where almost nothing lies there one after some moves."""
    position, dice = game.start(), Random(1)
    if sum(map(bool, things(position))) > 1:
        return position
    for _ in range(max(4, len(game.cells) // 6)):
        after = position.play(position.legal_moves.sample(dice)) if len(position.legal_moves) else position
        if after.is_over:
            break
        position = after
    return position


def extends(text: str) -> str | None:
    """The name of the rules that a text extends."""
    found = _HEAD.search(text)
    return found[1] if found else None


@cache
def shipped_cards() -> list[dict[str, Any]]:
    """The cards of the shipped games."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
