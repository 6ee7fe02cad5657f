"""What a player knows of a game with secrets as one word of JSON, for programs that play.

In: the information of a player (`pysolve.search.information`).  Out: a text without blanks, and back.

    {"player": "X",
     "view": {"mover": "X", "state": {"at": {"a1": "?", "b1": "?"}, …}},          when play began
     "noticed": [{"text": "b1", "mover": "O", "state": {"at": {"b1": "X"}}}, …],   since then
     "moves": ["a1", "a2", …]}                                                     that are legal now, as texts

`?` is a value that the player does not see.  Of each step that the player noticed there is the text of the move as the
player read it, whose turn it is afterwards, and what has changed in the view.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pysolve.dsl.errors import choices, listed
from pysolve.dsl.model import Game
from pysolve.dsl.notation import NotationError, blank, to_dict, view_from_dict
from pysolve.runtime.validation import shown
from pysolve.search.information import END, noticed

NEEDED = "player", "view", "noticed"
MOVES = "moves"
FIELDS = *NEEDED, MOVES


def written(game: Game, player: str, known: bytes, moves: Sequence[str]) -> str:
    """What a player, by name, knows, and the texts of the legal moves; raises `NotationError` if it cannot be told."""
    steps = [(text, to_dict(game, view)) for text, view, _ in noticed(game, known)]
    first = steps[0][1]
    later = [
        {"text": text, "mover": view["mover"], "state": _changed(view["state"], before["state"])}
        for (text, view), (_, before) in zip(steps[1:], steps, strict=False)
    ]
    told = {"player": player, "view": first, "noticed": later, MOVES: list(moves)}
    word = json.dumps(told, separators=(",", ":")).replace(" ", "\\u0020")
    if read(game, word) != (player, known):
        raise NotationError(f"what players of {game.title} know cannot be told to another program")
    return word


def read(game: Game, text: str) -> tuple[str, bytes]:
    """The name of a player, and the information that a text tells; raises `NotationError`."""
    told = _object(text)
    player, players = told["player"], list(game.players.labels)
    if player not in players:
        raise NotationError(f"player must be {choices(players)}, not {shown(player)}")
    view = view_from_dict(game, told["view"], blank(game))
    known = [view]
    if not isinstance(told["noticed"], list):
        raise NotationError('"noticed" must be a list of what the player has noticed')
    for step in told["noticed"]:
        if not isinstance(step, dict) or not isinstance(step.get("text"), str):
            raise NotationError('each step of "noticed" must be an object with a text')
        view = view_from_dict(game, {key: value for key, value in step.items() if key != "text"}, view)
        known += step["text"].encode(errors="replace"), END, view
    return player, b"".join(known)


def moves(text: str) -> tuple[str, ...]:
    """The legal moves that a text tells, none where it does not; raises `NotationError`."""
    told = _object(text).get(MOVES, [])
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        raise NotationError(f'"{MOVES}" must be a list of the texts of moves')
    return tuple(told)


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not {*NEEDED} <= {*told} <= {*FIELDS}:
        raise NotationError(f"what a player knows is an object of JSON with {listed(NEEDED)}, and perhaps {MOVES}")
    return told


def _changed(now: Any, before: Any) -> Any:
    """The parts of nested objects that are not as before."""
    if not isinstance(now, dict) or not isinstance(before, dict):
        return now
    return {key: _changed(value, before.get(key)) for key, value in now.items() if value != before.get(key)}
