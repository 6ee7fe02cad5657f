"""Players: a player is a function that chooses.

In: a position whose game goes on.  Out: one of its legal moves.  A person is a player as well; that one asks
and prints, so it lives in `pysolve.cli`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pysolve.position import Move, Position

Player = Callable[[Position], Move]


def random(seed: int | None = None) -> Player:
    """A player to whom all legal moves are equal; the same seed makes the same choices."""
    rng = Random(seed)
    return lambda position: position.legal_moves.sample(rng)


PLAYERS: dict[str, Callable[[int | None], Player]] = {"random": random}  # by name, each made from a seed
