"""The games that tests play: the shipped ones and those of tests/rules, each loaded once."""

from functools import cache
from pathlib import Path

import pysolve
from pysolve.game import Game

FOLDERS = (Path(__file__).parent.parent / "rules", Path(__file__).parent / "rules")
RULES = sorted(path for folder in FOLDERS for path in folder.glob("*.rules"))


def load(name: str | Path, **options: object) -> Game:
    """A game by name, with options set."""
    return _load(name, tuple(options.items()))


@cache
def _load(name: str | Path, options: tuple[tuple[str, object], ...]) -> Game:
    path = name if isinstance(name, Path) else next(path for path in RULES if path.stem == name)
    return pysolve.load(path, **dict(options))
