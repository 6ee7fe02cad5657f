"""Files that players name or find beside the rules: where they are, and their text."""

from __future__ import annotations

from pathlib import Path

from pysolve.game import Game
from pysolve.runtime.paths import RULES


def as_argument(game: Game) -> str:
    """How a command names a game: a shipped one by its name, another one by the path of its rules."""
    path = Path(game.model.source)
    return game.name if path.parent == RULES else str(path)


def named_file(name: str, game: Game) -> Path:
    """The path of a file: in the current folder, or else beside the rules of the game."""
    beside = Path(game.model.source).parent / name
    return Path(name) if Path(name).exists() or not beside.exists() else beside


def short_text(path: Path, largest: int, what: str) -> str:
    """The text of a file that is read whole: at most so many bytes; raises `ValueError` with a sentence about it."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # whoever opens a pipe might wait for ever
        raise ValueError(f"this is no file of {what}")
    try:
        with path.open("rb") as file:
            raw = file.read(largest + 1)
        if len(raw) > largest:
            raise ValueError(f"a file of {what} has at most {largest:,} bytes")
        return raw.decode()
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ValueError(f"this is no file of {what}") from None
