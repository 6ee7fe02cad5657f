"""Advice in a game with secrets: what a search finds that knows what the player knows, and nothing else.

In: a position whose history is known, of which nothing is read but what the player to move knows, and the legal moves.
Out: thoughts as `thinking` has them, deeper and deeper.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from pysolve.dsl.notation import move_text
from pysolve.lab.scoring import points_of
from pysolve.position import Position
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.search.hidden.belief import Belief
from pysolve.search.hidden.ismcts import Found, Tried, ismcts
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

FIRST = 0.25  # seconds of the first search; each next one takes twice as long


def advice(asked: Asked, position: Position, seconds: float) -> dict[str, Any]:
    """The moves that a search finds until it is cancelled or the time is over, the best first."""
    if position.outcome is not None or position.chance:
        raise Refused("asked", "nobody chooses a move here")
    last: dict[str, Any] | None = None
    try:
        with abandoned_when(asked.cancelled):
            for found, taken in _searches(position, seconds):
                last = _thought(position, found, taken, asked.get("lines", 1))
                asked.heard(last)
    except Abandoned:
        pass
    if last is None:
        raise Refused("cancelled", "the question was cancelled before anything was found")
    return last


def _searches(position: Position, seconds: float) -> Iterator[tuple[Found, float]]:
    """Searches that take longer and longer, each with the seconds since the first of them began."""
    player = position.to_move
    number = position.game.players.index(player) + 1
    belief, known = Belief(position.game.engine, number), position.known_by(player)
    began, each = time.monotonic(), FIRST
    while True:
        left = seconds - (time.monotonic() - began)
        found = ismcts(belief, known, seconds=max(0.0, min(each, left)))
        if found.best is None:
            raise Refused("limit", "no position was found that agrees with what is known here")
        yield found, time.monotonic() - began
        each *= 2
        if time.monotonic() - began >= seconds:
            return


def _thought(position: Position, found: Found, seconds: float, lines: int) -> dict[str, Any]:
    """The result of a search as JSON for a page."""
    thoughts = [_line(position, found, seconds, one) for one in found.moves[:lines]]
    return {**thoughts[0], **({"lines": thoughts} if lines > 1 else {})}


def _line(position: Position, found: Found, seconds: float, tried: Tried) -> dict[str, Any]:
    model, text = position.game.model, move_text(position.game.model, tried.move)
    count, mover = len(position.game.players), position.game.players.index(position.to_move)
    others = -tried.mean / max(1, count - 1)  # what they get is known of all together
    shares = points_of(model, [tried.mean if one == mover else others for one in range(count)])
    told = {
        "move": text, "written": text, "depth": 0, "value": None, "share": min(1.0, max(0.0, shares[mover])),
        "sure": False, "line": [text], "moves": [text], "positions": found.positions,
        "seconds": seconds,
    }  # fmt: skip
    return told if count < 3 else {**told, "shares": dict(zip(position.game.players, shares, strict=True))}
