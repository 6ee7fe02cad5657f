"""What a person types at a move prompt, as moves.

In: a position and a line: one move, or several with commas or semicolons between them.  Out: the moves that it means,
in order; nothing is played here.  A move is typed as the rules write it, as any part that fits one legal move, or by
its number in the list of legal moves; a cell also as line and column, as 4-3 for c4.  The name of a kind of move, alone
or with `all`, stands for every move of that kind that is left in the turn, where it leaves no choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pysolve.display.scene import named_by_place
from pysolve.dsl.errors import choices
from pysolve.dsl.notation import AmbiguousMove, InvalidMove, readings
from pysolve.players.completion import rest_of_turn
from pysolve.position import Move, Position

ALL = "all"

GoesOn = Callable[[Position], bool]  # may the person who types choose here?


class UnfinishedLine(InvalidMove):
    """A line of several moves that cannot be played to its end, so that nothing of it is played."""


def exact_move(position: Position, text: str) -> Move | None:
    """The legal move that is written so, or None."""
    exact = readings(position.game.model, text)
    return next((move for move in position.possible_moves if move.numbers in exact), None) if exact else None


def moves_of_line(position: Position, line: str, goes_on: GoesOn) -> list[Move]:
    """The moves of a line.

    `goes_on` says of a position within the line whether the same person chooses there.  Raises `InvalidMove`,
    `AmbiguousMove` and `IllegalMove` as `Position.parse` does, and `UnfinishedLine` if the line has a move too many.
    """
    if exact_move(position, line) is not None:
        return moves_of_part(position, line)
    found: list[Move] = []
    for part in map(str.strip, re.split("[,;]", line.strip(" ,;"))):
        if found and position.outcome is not None:
            raise UnfinishedLine(f'the game is over after {found[-1]}: "{part}" cannot be played')
        if found and not goes_on(position):
            raise UnfinishedLine(f'after {found[-1]} it is the turn of {position.to_move}: "{part}" cannot be played')
        moves = moves_of_part(position, part)
        for move in moves:
            position = position.play(move)
        found += moves
    return found


def moves_of_part(position: Position, text: str) -> list[Move]:
    """The moves of a text between two commas: one as a rule."""
    exact = exact_move(position, text)
    if exact is not None:
        return [exact]
    if re.fullmatch(r"#?\d+", text):
        return [_numbered(position, int(text.lstrip("#")))]
    kind, _, rest = text.partition(" ")
    kinds = {name.lower(): name for name in position.game.model.kinds}
    if kind.lower() in kinds and rest.strip().lower() in ("", ALL):
        moves = rest_of_turn(position, kinds[kind.lower()])
        if moves:
            return moves
        if rest:
            raise _choice(position, kinds[kind.lower()])
    return [position.parse(_with_cells(position, text))]


def _with_cells(position: Position, text: str) -> str:
    """The text with each cell that is typed as line and column, both as numbers, by its name."""
    board = position.game.model.board

    def name(found: re.Match[str]) -> str:
        row, column = map(int, found.groups())
        cells = [cell for cell, place in zip(board.cells, board.place, strict=True) if place == (column, row)]
        return cells[0] if cells and named_by_place(board) else found[0]

    return re.sub(r"(?<![\w-])(\d{1,3})-(\d{1,3})(?![\w-])", name, text)


def _numbered(position: Position, number: int) -> Move:
    legal = position.legal_moves
    if not 1 <= number <= len(legal):
        raise InvalidMove(f"there is no move {number}: they are numbered from 1 to {len(legal)}")
    found: Move = legal[number - 1]
    return found


def _choice(position: Position, kind: str) -> AmbiguousMove:
    moves = [move.text for move in position.legal_moves if move.kind == kind]
    if not moves:
        return AmbiguousMove(f'no move of the kind "{kind}" is legal here')
    return AmbiguousMove(f'"{kind} {ALL}" is ambiguous: play {choices([*moves[:4]])}')
