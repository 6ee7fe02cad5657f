"""Where files are that players name: strategies, learned values."""

from __future__ import annotations

from pathlib import Path

from pysolve.game import Game


def named_file(name: str, game: Game) -> Path:
    """The path of a file: in the current folder, or else beside the rules of the game."""
    beside = Path(game.model.source).parent / name
    return Path(name) if Path(name).exists() or not beside.exists() else beside
