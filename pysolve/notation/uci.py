"""Moves and positions in the words of a protocol.

In: a game.  Out: `Words`: a move as one word, and positions from what a protocol calls FEN.  In chess and its variants
both are those of UCI: e2e4, e7e8q, e1g1, and FEN.  In other games a move is its own text
with _ for blanks, and a position is written on one line as `Position.line` has it, with _ for blanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from pysolve.dsl.notation import NotationError, move_dict, readings, to_dict
from pysolve.game import Game
from pysolve.notation.fen import fen, letter_of, turns_before
from pysolve.position import Position
from pysolve.results import Move, Shown, told_apart

BLANK = "_"  # in a word
AN_ENDING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


class Words(Protocol):
    """Translates moves and positions of a game to and from a protocol."""

    def move(self, position: Position, move: Move) -> str:
        """A legal move as one word."""

    def told(self, view: Shown, text: str) -> str:
        """A move of the player who has this view as one word, by the text that an interface tells."""

    def moves(self, position: Position) -> list[str]:
        """All legal moves as words, in order; where chance moves, all that it may do."""

    def position(self, words: list[str]) -> Position:
        """The position that words describe; raises `NotationError`."""

    def text(self, position: Position) -> str:
        """A position as words, which `position` reads."""


def words_of(game: Game) -> Words:
    """The words for a game."""
    return ChessWords(game) if is_chess(game) else OwnWords(game)


def is_chess(game: Game) -> bool:
    """True if men and moves are written as in the shipped chess: that is, for it and its variants."""
    model = game.model
    named = {param.name for action in model.actions for param in action.params}
    men = "piece" in model.sorts and "King" in model.sorts["piece"].labels
    return men and {"owner", "kind"} <= model.slots.keys() and {"from", "to"} <= named <= {"from", "to", "man", "rook"}


class OwnWords:
    """Moves and positions as pysolve writes them, without blanks."""

    def __init__(self, game: Game):
        self._game = game

    def move(self, position: Position, move: Move) -> str:
        """The text of a move, with its kind where another move has the same text."""
        alike = [move, *(other for other in position.possible_moves if other.text == move.text and other != move)]
        return told_apart(alike)[0].replace(" ", BLANK)

    def told(self, view: Shown, text: str) -> str:
        """The text."""
        return text.replace(" ", BLANK)

    def moves(self, position: Position) -> list[str]:
        """The texts of all moves."""
        return [text.replace(" ", BLANK) for text in told_apart(position.possible_moves)]

    def position(self, words: list[str]) -> Position:
        """A position on one line."""
        return self._game.position(" ".join(words).replace(BLANK, " "))

    def text(self, position: Position) -> str:
        """The position on one line."""
        return position.line().replace(" ", BLANK)


class ChessWords:
    """Moves by their squares, and FEN."""

    def __init__(self, game: Game):
        self._game = game
        columns = [name[0] for name in game.cells]
        self._columns = sorted(set(columns))
        self._rows = len(columns) // len(self._columns)
        kinds = game.model.sorts["piece"].labels
        self._men = {letter_of(kind): kind for kind in kinds}

    def move(self, position: Position | Shown, move: Move) -> str:
        """The squares of the man that moves, of the king in castling, and what a pawn becomes."""
        if move.kind != "castle":
            man = letter_of(move.params["man"]) if "man" in move.params else ""
            return f"{move.params['from']}{move.params['to']}{man}"
        rook, state = str(move.params["rook"]), to_dict(self._game.model, position.state)["state"]
        king = next(c for c, kind in state["kind"].items() if kind == "King" and state["owner"][c] == position.to_move)
        far = rook < king  # on the side of the queen
        return f"{king}{self._columns[2] if far else self._columns[-2]}{king[1:]}"

    def told(self, view: Shown, text: str) -> str:
        """The squares of the man that moves; the text itself where it has no form of a move."""
        for numbers in readings(self._game.model, text):
            found = move_dict(self._game.model, numbers)
            return self.move(view, Move(found["move"], found["kind"], found["params"], numbers))
        return text.replace(" ", BLANK)

    def moves(self, position: Position) -> list[str]:
        """The squares of all moves."""
        return [self.move(position, move) for move in position.legal_moves]

    def text(self, position: Position) -> str:
        """The FEN."""
        turns = position.turns_before + position.turns_played
        return fen(position.to_dict(), self._game.players[0], self._columns, self._rows, turns)

    def position(self, words: list[str]) -> Position:
        """The position of a FEN, which knows the number of its move."""
        if not words:
            raise NotationError(f"a position of chess is written in FEN, as in  {AN_ENDING}")
        placed, mover, castles, passed, clock, number = [*words, *("w", "-", "-", "0", "1")[len(words) - 1 :]][:6]
        white, black = self._game.players
        state: dict[str, Any] = {"owner": {}, "kind": {}}
        for row, run in zip(range(self._rows, 0, -1), self._placed(placed), strict=True):
            for column, man in zip(self._columns, run, strict=True):
                kind = self._men.get(man.lower()) if man != "." else None
                if man != "." and kind is None:
                    raise NotationError(f'there is no man "{man}" in {self._game.title}')
                state["kind"][f"{column}{row}"] = kind
                state["owner"][f"{column}{row}"] = None if man == "." else white if man.isupper() else black
        more = {"castles": self._castles(castles), "passed": None if passed == "-" else passed,
                "clock": _number(clock, 0)}  # fmt: skip
        slots = self._game.model.slots
        state |= {name: value for name, value in more.items() if name in slots}
        found = self._game.from_dict({"mover": black if mover == "b" else white, "state": state})
        before = turns_before(max(1, _number(number, 1)), mover == "b")
        return Position(self._game, found.state, turns_before=before)

    def _placed(self, text: str) -> list[str]:
        """The rows from the top, with a point for each empty square."""
        rows = [re.sub(r"\d+", self._empty, row) for row in text.split("/")]
        if len(rows) != self._rows or any(len(row) != len(self._columns) for row in rows):
            raise NotationError(f'"{text}" is not a board of {len(self._columns)} by {self._rows} squares in FEN')
        return rows

    def _empty(self, run: re.Match[str]) -> str:
        """The points for a number of empty squares, which is not greater than a row and one square more."""
        return "." * min(int(run.group()), len(self._columns) + 1)

    def _castles(self, letters: str) -> Mapping[str, bool]:
        """The castling rights from the letters of a FEN."""
        first, last = self._columns[0], self._columns[-1]
        rooks = {"K": f"{last}1", "Q": f"{first}1", "k": f"{last}{self._rows}", "q": f"{first}{self._rows}"}
        able = {rooks[letter] for letter in letters if letter in rooks}
        return {cell: cell in able for cell in self._game.cells}


def _number(text: str, default: int) -> int:
    """A number of FEN, for which others write - where they do not know it; raises `NotationError` for other words."""
    if text == "-":
        return default
    if re.fullmatch("[0-9]{1,6}", text) is None:
        raise NotationError(f'"{text}" is not a number of moves: a FEN ends with two of them, as in  {AN_ENDING}')
    return int(text)
