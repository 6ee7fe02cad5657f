"""Files of techniques, which `pysolve calibrate -o` writes, and by which `search=strong` plays.

    {"techniques": "wins1", "game": "gomoku", "options": {"size": 9}, "made": {…}, "trials": [{…}, …]}

One JSON object.  Only `techniques` is read again, which differ from the default ones by what the text says; the rest
tells how they were found.  A file with the name of the rules, GAME.techniques beside GAME.rules, is that of the game,
with all options: techniques change how well a search plays, and no result that it claims.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pysolve.game import Game
from pysolve.search.strong import DEFAULT, Techniques, techniques_of, text_of

TECHNIQUES = ".techniques"  # how a file of them is called
LARGEST = 1 << 16  # bytes of a file


class TechniquesError(ValueError):
    """A file holds no techniques."""


def write(techniques: Techniques, game: Game, made: dict[str, Any], trials: Sequence[dict[str, Any]]) -> str:
    """The text of a file of techniques, which were found in a game by these trials."""
    told = {"techniques": text_of(techniques), "game": game.name, "options": game.options, "made": made}
    return json.dumps({**told, "trials": trials}, indent=1) + "\n"


def read(text: str) -> Techniques:
    """The techniques in a text; raises `TechniquesError` for one that is none."""
    try:
        words = json.loads(text)["techniques"]
        return techniques_of(words.split("+") if words else ())
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        told = f": {error}" if type(error) is ValueError else ""
        raise TechniquesError(f"this is no file of techniques{told}") from None


def techniques_beside(game: Game) -> Techniques:
    """The techniques in the file beside the rules of a game, the default ones if there is none.

    Raises `TechniquesError` for a file that holds none.
    """
    try:
        path = Path(game.model.source).with_suffix(TECHNIQUES)
        told = path.stat()
    except (OSError, ValueError):
        return DEFAULT
    return _read_once(path, told.st_mtime_ns, told.st_size)


@lru_cache(maxsize=64)
def _read_once(path: Path, _time: int, _size: int) -> Techniques:
    """What a file holds that was last written at this time."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise TechniquesError(f"a file of techniques has at most {LARGEST:,} bytes")
        return read(raw.decode())
    except OSError as error:
        raise TechniquesError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise TechniquesError(f"{path}: this is no file of techniques") from None
    except TechniquesError as error:
        raise TechniquesError(f"{path}: {error}; remove it, or make it again:  pysolve calibrate -o") from None
