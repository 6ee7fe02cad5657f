"""Positions whose moves are numbers: what every adapter needs of a game that is played one position at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.model.move_numbers import MoveNumbers, move_numbers
from pysolve.game import Game
from pysolve.position import Position
from pysolve.runtime import validation


class NumberedGame:
    """A game whose moves have the numbers from 0 on; raises `TooManyMoves`."""

    def __init__(self, game: Game):
        self.game = game
        self.numbers: MoveNumbers = move_numbers(game.model)

    def __deepcopy__(self, memo: dict[int, object]) -> NumberedGame:
        """This object, because it never changes."""
        return self

    def legal(self, position: Position) -> list[int]:
        """The numbers of the legal moves, in ascending order."""
        return [self.numbers.encode(move) for move in position.legal_moves.numbers]

    def play(self, position: Position, move: Any) -> Position:
        """The position after the legal move of this number; raises `ValueError` if it is not legal."""
        number = validation.whole("a move", move, -validation.LARGEST)
        legal: Sequence[tuple[int, ...]] = position.possible_moves.numbers
        try:
            return position.child(legal.index(self.numbers.decode(number)))
        except (ValueError, IndexError):
            secret = self.game.model.secret  # then the message says what the mover knows
            where = position.view(position.to_move) if secret else position
            raise ValueError(f"{self.said(number)} is not legal in {where.line()}") from None

    def said(self, number: int) -> str:
        """A number of a move and the move itself, for messages."""
        return f'move {number} ("{self.text(number)}")' if 0 <= number < self.numbers.count else f"move {number}"

    def text(self, number: int) -> str:
        """The move of this number, as the rules write it."""
        return notation.move_text(self.game.model, self.numbers.decode(number))
