"""Engines that speak UCI, or UGI: `pysolve.protocol` is the other end.

In: a program and the limits of a search.  Out: its moves.  It hears a position once, and then the moves of the game.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pysolve.dsl.notation import NotationError
from pysolve.notation.known import written
from pysolve.notation.uci import Words, words_of
from pysolve.players.outside.course import Course
from pysolve.players.outside.program import PATIENCE, Program
from pysolve.position import Move, Position

SECONDS = 1.0  # for a move, without a limit
LIMITS = {"depth": "depth", "nodes": "nodes", "time": "movetime"}  # the words of `go`


class Engine:
    """The conversation with an engine."""

    def __init__(self, protocol: str, program: Program, settings: Mapping[str, Any], options: Mapping[str, str]):
        self._protocol = protocol  # uci or ugi
        self._program = program
        self._settings = settings
        self._start: Position | None = None  # of the game that the engine was told
        self._moves: list[Move] = []  # of that game
        self._told: list[str] = []  # the position, and the moves from there
        self._begin(options)

    def _begin(self, options: Mapping[str, str]) -> None:
        """The first words, and the options of the engine that are set."""
        self._program.tell(self._protocol)
        until, known = self._ready(), list[str]()
        while (line := self._program.heard(until, self._protocol)) != f"{self._protocol}ok":
            if line.startswith("option name "):
                known.append(line.removeprefix("option name ").partition(" type ")[0].strip())
        for name, value in options.items():
            same = next((one for one in known if one.lower() == name.lower()), None)
            if same is None:
                has = f"its options are {', '.join(known)}" if known else "it has no options"
                raise self._program.problem(f'has no option "{name}": {has}')
            self._program.tell(f"setoption name {same} value {value}")
        self._program.tell(f"{self._protocol}newgame")
        self._program.plays = True

    def _until(self, thinking: float = 0.0) -> float:
        """Until when the answer to `go` is waited for."""
        return time.monotonic() + float(self._settings["patience"]) + thinking

    def _ready(self) -> float:
        """Until when any other answer is waited for: whoever has little patience for moves lets a program begin."""
        return max(self._until(), time.monotonic() + PATIENCE)

    def move(self, course: Course) -> Move:
        """Its move at the end of a game so far."""
        position = course.position
        words = words_of(position.game)
        if position.game.model.secret:
            self._tell_what_is_known(position)
        else:
            self._tell_position(words, course)
        self._program.tell("isready")
        self._wait("readyok", "isready", self._ready())
        limits = {key: self._settings[key] for key in LIMITS if key in self._settings} or {"time": SECONDS}
        told = {key: round(1000 * value) if key == "time" else value for key, value in limits.items()}
        self._program.tell(" ".join(["go", *(f"{LIMITS[key]} {max(1, value)}" for key, value in told.items())]))
        said = self._wait("bestmove", "go", self._until(limits.get("time", 0.0)))
        word = said[1] if len(said) > 1 else ""
        known = words.moves(position)
        if word not in known:
            raise self._program.problem(f'made the move "{word}", which is not legal in  {words.text(position)}')
        move: Move = position.legal_moves[known.index(word)]
        return move

    def _tell_what_is_known(self, position: Position) -> None:
        """What the player to move knows, and no move that the player has not noticed."""
        who, texts = position.to_move, [move.text for move in position.legal_moves]
        told = written(position.game.model, who, position.known_by(who), texts)
        self._program.tell(f"position known {told}")

    def _wait(self, word: str, asked: str, until: float) -> list[str]:
        """The words of the line that begins with one."""
        while (said := self._program.heard(until, asked).split())[:1] != [word]:
            pass
        return said

    def _tell_position(self, words: Words, course: Course) -> None:
        """The first position, and all moves; words that were told before are not looked for again."""
        if self._start is not course.start or self._moves != course.moves[: len(self._moves)]:
            text = words.text(course.start)
            check_told(words, course.start, text)
            self._start, self._moves, self._told = course.start, [], [text]
        for before, move in zip(course.positions[len(self._moves) :], course.moves[len(self._moves) :], strict=False):
            self._moves.append(move)
            self._told.append(words.moves(before)[list(before.possible_moves).index(move)])
        place, *moves = self._told
        self._program.tell(f"position fen {place}" + (f" moves {' '.join(moves)}" if moves else ""))


def check_told(words: Words, position: Position, text: str) -> None:
    """Raises `NotationError` for a position that cannot be told."""
    try:
        same = words.position(text.split()).state == position.state
    except NotationError:
        same = False
    if not same:
        raise NotationError(
            f"this position of {position.game.title} cannot be told to another program on one line: {text}"
        )
