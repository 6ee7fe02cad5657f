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
from statistics import median
from typing import Any

from pysolve.authoring.tags import mechanisms
from pysolve.display.scene import things
from pysolve.dsl.text.measure import length
from pysolve.game import Game
from pysolve.position import Position
from pysolve.service.thumbnail import thumbnail

FILE = Path(__file__).with_name("cards.json")
_HEAD = re.compile(r'^game[ \t]+"[^"\n]*"[ \t]+extends[ \t]+"([^"\n]*)"', re.MULTILINE)


GAMES, LONGEST = 5, 400  # that are played to see how long they are, and turns of one


def card(game: Game, name: str, text: str, place: str = "shipped", turns: int = 0) -> dict[str, Any]:
    """The card of a game; `turns` are those of a usual game, 0 where nobody knows."""
    model, absent = game.model, len(game.start().players_out())  # who is out from the beginning is nobody
    return {
        "name": name,
        "title": model.title,
        "author": model.about.get("author", ""),
        "about": model.about.get("about", ""),
        "players": list(game.players),
        "seats": [count - absent for count in model.seats],
        "cells": len(model.board.cells),
        "mechanisms": list(mechanisms(model)),
        "lines": length(text).lines,
        "turns": turns,
        "extends": extends(text),
        "picture": thumbnail(_shown(game)),
        "place": place,
    }


def usual_turns(game: Game) -> int:
    """The turns of a game that is played at random, the middle one of some; 0 for a puzzle."""
    return 0 if len(game.players) < 2 else round(median(_turns(game, Random(seed)) for seed in range(GAMES)))


def _turns(game: Game, dice: Random) -> int:
    position = game.start(seed=dice.randrange(1_000_000))
    while not position.is_over and position.turns_played < LONGEST:
        position = position.play(position.random_move(dice))
    return position.turns_played


def _shown(game: Game) -> Position:
    """The position that the picture shows: the first, or where almost nothing lies there one after some moves."""
    position, dice = game.start(), Random(1)
    if sum(map(bool, things(position))) > 1:
        return position
    for _ in range(max(4, len(game.cells) // 6)):
        after = position.play(position.random_move(dice)) if len(position.possible_moves) else position
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
