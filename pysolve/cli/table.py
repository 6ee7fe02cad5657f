"""The table at which a game is played: prompts, commands, announcements.

In: a session and its record.  Out: the game on the screen, the record in a file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from dsl.errors import nearest
from dsl.notation import AmbiguousMove, InvalidMove, NotationError, readings
from pysolve import record as records
from pysolve.cli.console import complain, console, explanation_text, put, put_board
from pysolve.look import cells_of, moves_of, targets_of
from pysolve.position import IllegalMove, Move, Position
from pysolve.record import Record
from pysolve.session import Session, forced_pass

HELP = """\
A move is typed as the rules write it ({forms}),
or any part of it that fits one legal move, or its number in the list of moves.

  moves         all legal moves, numbered        log         the moves so far
  hint CELL     the legal moves of a cell        board       the board again
  why MOVE      is it legal, and why             save FILE   keep a record of the game
  undo          take your last move back         resign      give up
  help          this text                        quit        leave the game"""


class _Left(Exception):
    """Somebody has left the table."""


class Table:
    """A game that is played on a terminal, or with moves from a file."""

    def __init__(
        self, session: Session, record: Record, save: Path | None, delay: float, max_moves: int, quiet: bool
    ):
        self._session = session
        self._record = record
        self._save = save
        self._delay = delay
        self._max_moves = max_moves
        self._quiet = quiet
        self._out = console()
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves, "hint": self._hint, "why": self._why, "undo": self._undo, "log": self._log,
            "board": self._board, "save": self._save_as, "resign": self._resign, "help": self._help,
            "quit": self._quit,
        }  # fmt: skip

    def play(self) -> int:
        """Plays the game to its end, or until somebody leaves; the exit status."""
        status = 0
        put(records.heading(self._record, self._session.game))
        ...
        return status
