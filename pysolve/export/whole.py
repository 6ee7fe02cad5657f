"""All that an exported game carries, as one object.

In: an open game, who plays, where it begins.  Out: an object for JSON, as web/src/export/exported.ts has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pysolve.dsl.player_texts import PLAIN
from pysolve.export.description import core, refuse_unknown
from pysolve.export.programs import Programs, playable, programs, settings_of_players
from pysolve.game import NO_OTHER_GAME, Game
from pysolve.players.best_lines import NO_LIMITS, analysing_techniques, as_expert, tree_player
from pysolve.runtime.version import __version__
from pysolve.service.describing import description
from pysolve.service.editing import told as colours
from pysolve.service.games import Games, Opened
from pysolve.service.service import PLAYERS
from pysolve.service.sheet import told as sheet


def levels_of(game: Game) -> tuple[dict[str, str], dict[str, str]]:
    """The levels that an export can be; and of the others why not."""
    found: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name, text in game.levels.items():
        try:
            playable(name, game)
            found[name] = text
        except NO_OTHER_GAME as error:
            refused[name] = str(error)
    return found, refused


def _is_playable(text: str, game: Game) -> bool:
    """True if an export of the game can be this player."""
    try:
        playable(text, game)
    except NO_OTHER_GAME:
        return False
    return True


def _analysing(game: Game, made: Programs) -> dict[str, Any]:
    """What an analysis goes by: that of the level `expert`, as far as it is here."""
    limits = as_expert(game, NO_LIMITS)
    if limits.values not in (None, *made.learned):
        limits = NO_LIMITS
    tree = tree_player(game)
    return {
        "strong": limits.search != PLAIN,
        "values": limits.values,
        "techniques": [] if limits.search == PLAIN else list(analysing_techniques(game, limits)),
        "tree": tree if _is_playable(tree, game) else "mcts",
    }


def whole(opened: Opened, seats: Mapping[str, str], players: Iterable[str] = ()) -> dict[str, Any]:
    """The game with its levels, the players of the seats, and `players` besides."""
    refuse_unknown(opened.game.model)
    levels, _ = levels_of(opened.game)
    made = programs(opened.game, [*levels, *seats.values(), *players])
    told = description(opened)
    told.update(levels=levels, values=[], queries=[], examples=[], engine="WebAssembly")
    told["options"] = [{**option, "values": [option["value"]]} for option in told["options"]]
    return {
        "hello": {
            "product": "export",
            "version": __version__,
            "can": ["read", "why"],
            "home": False,
            "place": "",
            "players": [{"text": text, "about": about} for text, about in PLAYERS if _is_playable(text, opened.game)],
            "first": {
                "name": opened.name,
                "text": opened.source.text,
                "options": opened.options,
                "seats": dict(seats),
            },
        },
        "game": told,
        "sheet": sheet(opened),
        "view": colours(Games(Path(opened.source.name).parent).view(opened.name, opened.source.text, read=True)),
        **core(opened),
        "players": settings_of_players(opened.game),
        "learned": made.learned,
        "techniques": made.techniques,
        "analysing": _analysing(opened.game, made),
        "views": made.views,
        "programs": made.packed,
    }
