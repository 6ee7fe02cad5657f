"""The rules of a game in prose, for whoever plays it.

In: a game.  Out: its sheet, with a picture of the beginning.
"""

from __future__ import annotations

from typing import Any

from pysolve.authoring.sheet import sheet_of
from pysolve.service.games import Opened
from pysolve.service.question import Asked
from pysolve.service.thumbnail import thumbnail


def sheet(asked: Asked) -> dict[str, Any]:
    """The rule sheet of a game, with its options as they are set."""
    return told(asked.opened)


def told(opened: Opened) -> dict[str, Any]:
    """The rule sheet of an open game as an object for JSON."""
    return {**sheet_of(opened.game).to_dict(), "picture": thumbnail(opened.game.start())}
