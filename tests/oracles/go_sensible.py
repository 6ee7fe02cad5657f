"""Reference of the moves of Go that make sense: no eye is filled, no group put where it can be taken at once."""

from tests.oracles.boards import CROSS, SLANTED, Board, Move, Position, around, other, rectangle
from tests.oracles.go import PLAYERS, group, initial, outcome
from tests.oracles.go import moves as all_moves

__all__ = ["initial", "moves", "outcome"]


def moves(position: Position, size: int = 5) -> list[Move]:
    return [move for move in all_moves(position, size) if move[0] == "pass" or is_sensible(position, move, size)]


def is_sensible(position: Position, move: Move, size: int) -> bool:
    board, before, after = rectangle(size, size), position["state"]["at"], move[2]["state"]["at"]
    cell = move[1]["to"]
    if is_eye(board, before, cell, position["mover"]):
        return False
    joined = group(after, board, cell)
    took = any(before[c] and not after[c] for c in board)
    free = {n for c in joined for n in around(board, c, CROSS) if after[n] is None}
    return len(joined) == 1 or took or len(free) > 1


def is_eye(board: Board, at: dict[str, str | None], cell: str, mover: str) -> bool:
    corners = around(board, cell, SLANTED)
    enemies = sum(at[c] == other(PLAYERS, mover) for c in corners)
    return all(at[n] == mover for n in around(board, cell, CROSS)) and enemies <= (1 if len(corners) == 4 else 0)
