"""Other programs as players: from the text to the player.

    uci:COMMAND      an engine of chess, or of the variant that is played
    ugi:COMMAND      an engine that `pysolve engine` could be: moves and positions are those of pysolve
    gtp:COMMAND      a program for Go, Hex and the like

Behind the command stand settings, as in  uci:stockfish,depth=5 .  The command is split into words as a shell does it,
but no shell runs it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pysolve.dsl.player_texts import PROGRAMS, SECONDS, UnknownPlayer, count_to
from pysolve.game import Game
from pysolve.notation.uci import is_chess
from pysolve.players.functions import Player
from pysolve.players.outside import gtp, uci
from pysolve.players.outside.course import Course
from pysolve.players.outside.program import PATIENCE, Program
from pysolve.position import Move, Position

_SETTING = re.compile(r"""[^,='"]+=[^,'"]*""")


MOST = 2**31 - 1  # that a program can be told
_KNOWN = {"depth": count_to(MOST), "nodes": count_to(MOST), "time": SECONDS, "patience": SECONDS}
_OF_GTP = ("time", "patience")


class _Engine(Protocol):
    def move(self, course: Course) -> Move:
        """Its move at the end of a game so far."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A program that plays, by its command.  What it does depends on no seed of pysolve."""

    text: str
    name: str  # what it speaks
    command: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    options: Mapping[str, str] = field(default_factory=dict, hash=False)  # of the engine itself

    @property
    def deterministic(self) -> bool:
        """False: nobody knows what it draws lots for."""
        return False

    def check(self, game: Game) -> None:
        """Raises `UnknownPlayer` if the program does not exist, or its words do not fit the game."""
        if game.model.secret and self.name != "ugi":
            raise UnknownPlayer(f"{self.text} would be told all moves, and in {game.title} no player sees all")
        if shutil.which(self.command[0]) is None:
            raise UnknownPlayer(f'{self.text}: there is no program "{self.command[0]}" here')
        if self.name == "gtp":
            gtp.Points(game)
        elif self.name == "uci" and not is_chess(game):
            raise UnknownPlayer(f"uci is for chess and its variants, which have FEN: {game.title} is none; "
                                "ugi:COMMAND is for engines with the moves of pysolve")  # fmt: skip

    def player(self, seed: int | None = None) -> Visitor:
        """The player; the seed does not reach the program."""
        return Visitor(self)

    def start(self, program: Program) -> _Engine:
        """The conversation with the running program."""
        if self.name == "gtp":
            return gtp.Engine(program, self.settings)
        return uci.Engine(self.name, program, self.settings, self.options)

    def __str__(self) -> str:
        return self.text


class Visitor:
    """A player whose moves another program chooses; it runs from the first move to `close`.

    It tells the program the game so far: as `after` gives it, or as it follows from the positions that it was asked in.
    """

    def __init__(self, outside: Outside):
        self._outside = outside
        self._engine: _Engine | None = None
        self._course = Course()
        self._end: Callable[[], object] = lambda: None

    def __call__(self, position: Position) -> Move:
        """The move of the program in a position; ends it if it makes none.

        Raises `ProgramError` if it cannot be used, and `Forfeit` if it could be used, but has failed.
        """
        self._course.reach(position)
        move = self._move()
        self._course.goes_on(move)
        return move

    def after(self, positions: Sequence[Position], moves: Sequence[Move]) -> Move:
        """The move of the program in the last position of a game; raises as a call does."""
        self._course.follow(positions, moves)
        return self._move()

    def _move(self) -> Move:
        position = self._course.position
        try:
            if self._engine is None:
                self._outside.check(position.game)
                program = Program(self._outside.text, self._outside.command)
                self._end = weakref.finalize(self, program.close)
                self._engine = self._outside.start(program)
            return self._engine.move(self._course)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the program; asked for another move, it begins anew."""
        self._engine = None
        self._end()


def chosen(player: Player, positions: Sequence[Position], moves: Sequence[Move]) -> Move:
    """A player's move in the last position of a game; a program hears the whole game."""
    return player.after(positions, moves) if isinstance(player, Visitor) else player(positions[-1])


@contextmanager
def visiting(players: Iterable[object]) -> Iterator[None]:
    """A time in which players play; the programs among them are ended at its end."""
    try:
        yield
    finally:
        for one in players:
            if isinstance(one, Visitor):
                one.close()


def outside(text: str) -> Outside:
    """The program that a text names; raises `UnknownPlayer` where the text is wrong."""
    name, _, rest = text.strip().partition(":")
    name = name.strip()
    assert name in PROGRAMS
    words = rest.split(",")
    ends = len(words)  # of the command; what follows are settings
    while ends > 1 and _SETTING.fullmatch(words[ends - 1]):
        ends -= 1
    given = ",".join(words[:ends])
    try:
        command = shlex.split(given.replace("\\", "\\\\") if os.name == "nt" else given)
    except ValueError as error:
        raise UnknownPlayer(f"{text.strip()} cannot be split into words: {error}") from None
    if not command:
        raise UnknownPlayer(f"{name} needs the command of a program, as in  {_EXAMPLES[name]}")
    settings, options = dict[str, Any](), dict[str, str]()
    for word in words[ends:]:
        key, _, value = (part.strip() for part in word.partition("="))
        if key in settings or key in options:
            raise UnknownPlayer(f"{key} of {name} is set twice")
        if key in (_OF_GTP if name == "gtp" else _KNOWN):
            settings[key] = _read(name, key, value)
        elif name == "gtp":
            raise UnknownPlayer(f'gtp has no setting "{key}": it has {"=…, ".join(_OF_GTP)}=…; others belong into the '
                                "command")  # fmt: skip
        else:
            options[key] = value
    return Outside(text.strip(), name, tuple(command), {"patience": PATIENCE, **settings}, options)


_EXAMPLES = {"uci": "uci:stockfish,depth=5", "ugi": "ugi:pysolve engine zola", "gtp": "gtp:gnugo --mode gtp"}


def _read(name: str, key: str, value: str) -> Any:
    setting = _KNOWN[key]
    try:
        return setting.read(value)
    except ValueError:
        raise UnknownPlayer(f'{key} of {name} cannot be "{value}": it must be {setting.takes}') from None
