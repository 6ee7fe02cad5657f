"""Files of techniques, which `pysolve calibrate -o` writes, and by which `search=strong` plays.

    {"techniques": "wins1", "rules": "8ecd5d626fc07d56", "game": "gomoku", "options": {"size": 9}, "made": {…},
     "trials": [{…}, …]}

One JSON object.  `techniques` says what differs from the default ones, and `rules` is the digest of rules and options
(`play_digest`) for which that gained; the rest tells how it was found.  What gains on a small board may lose on a large
one, so a file beside what positions are judged by, GAME.techniques beside GAME.rules or GAME.values.techniques beside
GAME.values, counts for these options alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Any

from pysolve.dsl.analysis.patterns import play_digest
from pysolve.game import VALUES, Game
from pysolve.players.files import named_file, short_text
from pysolve.search.strong import DEFAULT, Techniques, techniques_of, text_of

TECHNIQUES = ".techniques"  # how a file of them is called
LARGEST = 1 << 16  # bytes of a file


class TechniquesError(ValueError):
    """A file holds no techniques."""


def write(techniques: Techniques, game: Game, made: dict[str, Any], trials: Sequence[dict[str, Any]]) -> str:
    """The text of a file of techniques, which were found in a game by these trials."""
    told = {
        "techniques": text_of(techniques), "rules": play_digest(game.model), "game": game.name, "options": game.options,
        "made": made, "trials": trials,
    }  # fmt: skip
    return json.dumps(told, indent=1) + "\n"


def read(text: str) -> tuple[Techniques, str]:
    """The techniques in a text, and the digest of the rules that they are for; raises `TechniquesError`."""
    try:
        told = json.loads(text)
        words, rules = told["techniques"], told["rules"]
        return techniques_of(words.split("+") if words else ()), str(rules)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        told = f": {error}" if type(error) is ValueError else ""
        raise TechniquesError(f"this is no file of techniques{told}") from None


def techniques_beside(game: Game, values: str | None = None) -> Techniques:
    """The techniques in the file beside the rules of a game, or beside a file of learned values; the default ones if
    there is none for these options.

    Raises `TechniquesError` for a file that holds none.
    """
    try:
        rules = Path(game.model.source)
        path = rules.with_suffix(TECHNIQUES) if values is None else Path(f"{named_file(values, game)}{TECHNIQUES}")
        told = path.stat()
    except (OSError, ValueError):
        return DEFAULT
    if not S_ISREG(told.st_mode):  # whoever opens a pipe might wait for ever
        return DEFAULT
    return _for_game(path, told.st_mtime_ns, told.st_size, game)


@lru_cache(maxsize=64)
def _for_game(path: Path, _time: int, _size: int, game: Game) -> Techniques:
    """What a file that was last written at this time holds for a game."""
    try:
        techniques, rules = read(short_text(path, LARGEST, "techniques"))
    except ValueError as error:
        judged = path.with_suffix("")
        by = f" --values {judged}" if judged.suffix == VALUES else ""
        again = f"pysolve calibrate {game.model.source}{by} -o {path} --force"
        raise TechniquesError(f"{path}: {error}; remove it, or make it again:  {again}") from None
    return techniques if rules == play_digest(game.model) else DEFAULT
