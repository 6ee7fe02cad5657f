"""Programs that speak GTP, for Go, Othello, Hex and other games in which a move puts a stone on a board.

In: a program and the game so far.  Out: its move.  The program hears all moves from the beginning, so it knows what
they have changed: captured and turned stones, ko, repetitions.  A game that begins elsewhere is set up stone by stone
if moves do nothing else than put a stone; other games must begin at the beginning.

Points are columns and rows: on boards of squares the letter I is left out, as GTP has it; in Hex it is not.  The first
player has the black stones, unless the rules call the players so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pysolve.dsl.model import Action, Assign, Compute, Var
from pysolve.dsl.model import Game as Model
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.players.functions import Resigned
from pysolve.players.outside.course import Course
from pysolve.players.outside.program import PATIENCE, Program
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
        self.only_puts = all(_only_puts(action, self._owner) for action in model.actions) and len(model.slots) == 2
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


def _only_puts(action: Action, owner: str) -> bool:
    """True if all that a move does is to put a stone of the mover on its cell."""
    puts = [one for effects in action.rounds for one in effects if not isinstance(one, Compute)]
    return len(puts) == 1 and isinstance(one := puts[0], Assign) and one.slot == owner and (
        one.args == action.params and isinstance(one.value, Var) and one.value.name == "mover")  # fmt: skip


class Engine:
    """The conversation with a program."""

    def __init__(self, program: Program, settings: Mapping[str, Any]):
        self._program = program
        self._settings = settings
        self._start: Position | None = None  # of the game on the program's board
        self._moves: list[Move] = []  # of that game
        self._ask("protocol_version")
        self._program.plays = True

    def move(self, course: Course) -> Move:
        """Its move at the end of a game so far."""
        position = course.position
        points = Points(position.game)
        self._catch_up(points, course)
        patience = self._settings["patience"] + self._settings.get("time", 0.0)
        said = self._answer(f"genmove {points.colour(position.to_move)}", patience)
        if said is None:
            raise self._program.problem("refused to make a move")
        if said.lower() == "resign":
            self._start = None
            raise Resigned(f"{position.to_move} resigns")
        known = {points.move(move): move for move in position.legal_moves}
        if said.lower() not in known:
            raise self._program.problem(f'made the move "{said.lower()}", which is not legal in  {position.line()}')
        self._moves.append(known[said.lower()])
        return known[said.lower()]

    def _catch_up(self, points: Points, course: Course) -> None:
        """The moves that the program does not know; if its game went otherwise, all of them on a new board."""
        if self._start is not course.start or self._moves != course.moves[: len(self._moves)]:
            self._set_up(points, course.start)
            self._start, self._moves = course.start, []
        for before, move in zip(course.positions[len(self._moves) :], course.moves[len(self._moves) :], strict=False):
            self._moves.append(move)
            self._play(f"play {points.colour(before.to_move)} {points.move(move)}", len(before.legal_moves) == 1)

    def _play(self, command: str, only: bool) -> None:
        """A move; a program may refuse to be told of a pass that is the only legal move, because it knows of it."""
        if self._answer(command) is None and not (only and command.endswith(WORDS["pass"])):
            raise self._program.problem(f'refused the command "{command}"')

    def _set_up(self, points: Points, start: Position) -> None:
        """The board, the time for a move, and the stones of a game that does not begin at the beginning."""
        usual = not start.game.model.draws_lots and start == start.game.start()
        if not (usual or points.only_puts):
            raise self._program.unfit(f"cannot be told this position of {start.game.title}, in which a move does more "
                                      "than put a stone: begin at the start of the game")  # fmt: skip
        self._ask(f"boardsize {points.size}")
        self._ask("clear_board")
        if points.komi is not None:
            self._ask(f"komi {points.komi}")
        if "time" in self._settings:
            self._ask(f"time_settings 0 {max(1, round(self._settings['time']))} 1")
        for colour, point in () if usual else points.stones(start):
            self._play(f"play {colour} {point}", only=False)

    def _ask(self, command: str) -> str:
        """The answer to a command that prepares the game; raises `ProgramError` if it is refused."""
        answer = self._answer(command)
        if answer is None:
            raise self._program.unfit(f'refused the command "{command}"')
        return answer

    def _answer(self, command: str, patience: float = PATIENCE) -> str | None:
        """The answer to a command; None if it is refused."""
        self._program.tell(command)
        until = time.monotonic() + patience
        while not (line := self._program.heard(until, command)).startswith(("=", "?")):
            pass
        return None if line.startswith("?") else line[1:].strip()
