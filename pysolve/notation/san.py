"""Moves in the notation of a game's players, beside that of its rules.

In: a position of a game whose rules name a notation, and a text.  Out: the legal move that the text means in it, and
how each legal move is written in it.

`san` is that of chess: Nf3, exd5, O-O, e8=Q.  The package `chess` reads and writes it, where it is installed.  It is
used for positions in which that package and the rules allow the same moves, so that no variant is misread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pysolve.engines.protocol import Move
from pysolve.notation.fen import fen, letter_of
from pysolve.results import Shown

if TYPE_CHECKING:
    import chess


def read(position: Shown, text: str) -> Move | None:
    """The legal move that a text means in the notation of the game; None without a notation, or without such a move."""
    board, moves = _board(position)
    try:
        return moves[board.parse_san(text).uci()] if board is not None else None
    except ValueError:
        return None


def written(position: Shown) -> dict[Move, str]:
    """The legal moves in the notation of the game; none where the rules name none, or nothing writes it here."""
    board, moves = _board(position)
    return {} if board is None else {moves[move.uci()]: board.san(move) for move in board.legal_moves}


def _board(position: Shown) -> tuple[chess.Board | None, dict[str, Move]]:
    """The position as the package `chess` has it, and the legal moves by its names for them.

    There is no board where the rules do not name its notation, without the package, and where its moves are others.
    """
    if position.game.model.about.get("notation") != "san":
        return None, {}
    try:
        import chess
    except ImportError:  # then moves are written as in the rules
        return None, {}
    try:
        board = chess.Board(fen(position.to_dict(), position.game.players[0], "abcdefgh", 8))
        moves = {_uci(board, one.kind, one.params): one.numbers for one in position.legal_moves}
    except (ValueError, KeyError):
        return None, {}
    return (board, moves) if moves.keys() == {move.uci() for move in board.legal_moves} else (None, {})


def _uci(board: chess.Board, kind: str, params: Mapping[str, Any]) -> str:
    """A move of the rules by its squares; castling is named by its rook there, and by the squares of the king here."""
    if kind == "castle":
        king = board.king(board.turn)
        if king is None:
            raise ValueError("no king to castle with")
        column, row = "abcdefgh"[king % 8], params["rook"][1]
        return f"{column}{row}{'c' if params['rook'][0] == 'a' else 'g'}{row}"
    man = letter_of(params["man"]) if "man" in params else ""
    return f"{params['from']}{params['to']}{man}"
