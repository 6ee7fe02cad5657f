"""Programs that speak GTP, for Go, Hex and other games of stones that are placed on a board and stay where they are.

In: a program and a position.  Out: its move.  Points are columns and rows: on boards of squares the letter I is left
out, as GTP has it; in Hex it is not.  The first player has the black stones, unless the rules call the players so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pysolve.dsl.model import Game as Model
from pysolve.dsl.model.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.outside.course import Course
from pysolve.outside.program import Program
from pysolve.players import Resigned
from pysolve.position import Move, Position

COLOURS = ("black", "white")
WORDS = {"pass": "pass", "swap": "swap-pieces"}  # moves without a point
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HALF = 0.5  # what White has beyond the komi of the rules, where a tie is his


class Points:
    """Moves and stones of a game in the words of GTP; raises `UnknownPlayer` for a game that has no such words."""

    def __init__(self, game: Game):
        model = game.model
        columns, rows = (max(place[axis] for place in model.board.place or ((0, 0),)) for axis in (0, 1))
        owners = [slot.name for slot in model.slots.values() if slot.sort.name == "player" and not slot.part_of
                  and [param.name for param in slot.params] == ["cell"]]  # fmt: skip
        full = columns == rows and len(model.board.cells) == columns * rows < len(LETTERS) ** 2
        if len(game.players) != 2 or not full or len(owners) != 1 or not _places_stones(model):
            raise UnknownPlayer(f"gtp is for games of two players who place stones on a square or rhombus, as in Go or "
                                f"Hex: {game.title} is none")  # fmt: skip
        self.size = columns
        self._owner = owners[0]
        letters = LETTERS if any(model.board.slant) else LETTERS.replace("i", "")
        self._vertices = {
            cell: f"{letters[column - 1]}{row}"
            for cell, (column, row) in zip(model.board.cells, model.board.place, strict=True)
        }
        named = {name.lower(): name for name in game.players}
        by_name = set(named) == set(COLOURS)
        self._colours = {name: name.lower() if by_name else COLOURS[at] for at, name in enumerate(game.players)}
        self.komi = game.options["komi"] + HALF if "komi" in game.options else None

    def colour(self, player: str) -> str:
        """The colour of a player's stones."""
        return self._colours[player]

    def move(self, move: Move) -> str:
        """A move: its point, or a word."""
        return self._vertices[str(next(iter(move.params.values())))] if move.params else WORDS[move.kind]

    def stones(self, position: Position) -> list[tuple[str, str]]:
        """The colour and the point of each stone."""
        owners = position.to_dict()["state"][self._owner]
        return [(self.colour(owner), self._vertices[cell]) for cell, owner in owners.items() if owner is not None]


def _places_stones(model: Model) -> bool:
    """True if a move is a cell, or one of the known words."""
    cell = model.sorts["cell"]
    placing = [action for action in model.actions if [param.sort for param in action.params] == [cell]]
    words = [action for action in model.actions if not action.params and action.name in WORDS]
    return len(placing) == 1 and len(placing) + len(words) == len(model.actions)


class Engine:
    """The conversation with a program."""

    def __init__(self, program: Program, settings: Mapping[str, Any]):
        self._program = program
        self._settings = settings
        self._course = Course()

    def move(self, position: Position) -> Move:
        """Its move in a position."""
        points = Points(position.game)
        step = self._course.leads_to(position)
        if step is not None:
            before, played = step
            self._ask(f"play {points.colour(before.to_move)} {points.move(played)}")
        else:
            self._set_up(points, position)
        said = self._ask(f"genmove {points.colour(position.to_move)}", self._settings.get("time", 0.0)).lower()
        if said == "resign":
            self._course.forget()
            raise Resigned(f"{position.to_move} resigns")
        known = {points.move(move): move for move in position.legal_moves}
        if said not in known:
            raise self._program.problem(f'made the move "{said}", which is not legal in  {position.line()}')
        self._course.goes_on(known[said])
        return known[said]

    def _set_up(self, points: Points, position: Position) -> None:
        """The board, the stones on it, and the time for a move."""
        self._ask(f"boardsize {points.size}")
        self._ask("clear_board")
        if points.komi is not None:
            self._ask(f"komi {points.komi}")
        if "time" in self._settings:
            self._ask(f"time_settings 0 {max(1, round(self._settings['time']))} 1")
        for colour, point in points.stones(position):
            self._ask(f"play {colour} {point}")

    def _ask(self, command: str, more: float = 0.0) -> str:
        """The answer to a command; raises `ProgramError` if it is none."""
        self._program.tell(command)
        until = time.monotonic() + self._settings["patience"] + more
        while not (line := self._program.heard(until, command)).startswith(("=", "?")):
            pass
        if line.startswith("?"):
            raise self._program.problem(f'refused the command "{command}"')
        return line[1:].strip()
