"""Ties: which of several moves with equal values is played.

In: the moves of a position, a rule.  Out: their indices, the preferred move first.

    first, last    in the order of the legal moves
    top, bottom    the same, but cells count in the order in which a board is read: row by row from the top, each from
                   the left; top prefers the first, bottom the last
    random         drawn uniformly
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from pysolve.dsl.model import Board, Game
from pysolve.dsl.player_texts import BOTTOM, LAST, LOT, TOP
from pysolve.engines.protocol import Move


def preferred(game: Game, moves: Sequence[Move], ties: str, rng: Random) -> list[int]:
    """The indices of all moves, the most preferred first."""
    found = list(range(len(moves)))
    if ties in (TOP, BOTTOM):
        found.sort(key=lambda index: _as_read(game, moves[index]))
    if ties in (LAST, BOTTOM):
        found.reverse()
    if ties == LOT:
        rng.shuffle(found)
    return found


def _as_read(game: Game, move: Move) -> Move:
    """A move whose cells are replaced by their places on the board as it is read."""
    kind, *values = move
    params = game.actions[kind].params if kind < len(game.actions) else ()
    places = _places(game.board)
    return kind, *(
        places.get(value, value) if getattr(param.sort, "name", "") == "cell" else value
        for param, value in zip(params, values, strict=True)
    )


@lru_cache(maxsize=8)
def _places(board: Board) -> dict[int, int]:
    """The rank of each cell, row by row from the top, each row from the left."""
    cells = [cell for row in board.rows for cell in row if cell is not None]
    return {cell: place for place, cell in enumerate(cells)}
