"""The table at which a game is played: prompts, commands, announcements.

In: a session and its record.  Out: the game on the screen, the record in a file.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from dsl.errors import nearest
from dsl.notation import InvalidMove, NotationError, readings
from pysolve import record as records
from pysolve.cli import INTERRUPTED
from pysolve.cli.console import console, counted, explanation_text, put, put_board
from pysolve.game import Game
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


def heading(record: Record, game: Game) -> str:
    """What is played, and by whom."""
    options = "".join(f", {name}={value}" for name, value in record.options.items())
    players = [f"{name}: {who}" for name, who in record.players.items()]
    seed = [f"seed {record.seed}"] if record.seed else []
    return "\n".join([f"{game.title}{options}", ", ".join(players + seed)]).rstrip()


class Table:
    """A game that is played on a terminal, or with moves from a file."""

    def __init__(self, session: Session, record: Record, save: Path | None, delay: float, limit: int, quiet: bool):
        self._session = session
        self._record = record
        self._save = save
        self._delay = delay
        self._limit = limit  # of moves
        self._quiet = quiet
        self._out = console()
        self._saved: set[Path] = set() if save is None else {save}
        self._seen: Position | None = None  # whose board stands on the screen
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves, "hint": self._hint, "why": self._why, "undo": self._undo, "log": self._log,
            "board": self._board, "save": self._save_as, "resign": self._resign, "help": self._help,
            "quit": self._quit,
        }  # fmt: skip

    @property
    def _position(self) -> Position:
        return self._session.position

    def play(self) -> int:
        """Plays the game to its end, or until somebody leaves; the exit status."""
        put(heading(self._record, self._session.game))
        status = 0
        try:
            self._play_on()
        except _Left:
            pass
        except KeyboardInterrupt:
            status = INTERRUPTED
            put("")
        self._keep()
        self._close()
        return status

    def _play_on(self) -> None:
        session = self._session
        if None not in session.seats.values():
            self._show()
        while session.outcome is None and len(session.moves) < self._limit:
            player, move = session.player(), forced_pass(self._position)
            if move is not None:
                put(f"{self._position.to_move} has no move and must pass.")
            elif player is not None:
                time.sleep(self._delay)
                move = player(self._position)
            else:
                move = self._asked()
            if move is not None:
                self._made(move)

    def _made(self, move: Move) -> None:
        """Plays a move, logs it, keeps it."""
        self._session.play(move)
        put(self._session.entry(len(self._session.moves)))
        self._keep()
        if None not in self._session.seats.values():
            self._show()

    def _close(self) -> None:
        """Says how the game stands at the end."""
        session = self._session
        played = counted(len(session.moves), "move")
        if session.outcome is not None:
            self._show()
            self._out.print(f"{session.outcome}", style="bold")
            put(f"{played} played.")
        elif len(session.moves) >= self._limit:
            put(f"Stopped after {played}; --max-moves allows more.")
        else:
            put(f"Left after {played}, {self._position.to_move} to move.")
        if self._save is not None:
            later = "" if session.outcome is not None else f"; go on with  pysolve play --resume {self._save}"
            put(f"The record is in {self._save}{later}")

    # ---------------------------------------------------------------------------------- what is shown

    def _show(self, targets: list[str] | None = None) -> None:
        """Shows the board, unless it stands there already or nobody wants to see it."""
        if self._quiet or (self._seen is self._position and targets is None):
            return
        model, moves = self._session.game.model, self._session.moves
        put("")
        put_board(self._out, self._position, cells_of(model, moves[-1]) if moves else (), targets or ())
        put("")
        self._seen = self._position

    # ----------------------------------------------------------------------------------- what is asked

    def _asked(self) -> Move | None:
        """The move that a person chooses; None after anything else."""
        if self._seen is not self._position:
            self._show()
            first = "" if self._session.moves else "; help shows what can be typed"
            put(f"{self._position.to_move} to move, {counted(len(self._position.legal_moves), 'legal move')}{first}")
        self._seen = self._position
        text = self._read(f"{self._position.to_move}> ").strip()
        try:
            return self._meant(text)
        except IllegalMove as error:
            self._refuse(error)
        except NotationError as error:
            self._out.print(f"{error}", style="red")
        except OSError as error:
            self._out.print(f"{error.filename}: {error.strerror}", style="red")
        return None

    def _read(self, prompt: str) -> str:
        """A line from the keyboard, or from a file; then it is shown as if it had been typed."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  (gives the prompt a history and arrow keys)
            try:
                return input(prompt)
            except EOFError:
                put("")
                raise _Left from None
        line = sys.stdin.readline()
        if not line:
            raise _Left
        put(prompt + line.rstrip())
        return line

    def _meant(self, text: str) -> Move | None:
        """The move that a text means, or None if it is a command, which is carried out."""
        legal = self._position.legal_moves
        word, _, rest = text.partition(" ")
        exact = set(readings(self._session.game.model, text))
        for move in legal:
            if move.numbers in exact:
                return move
        if word.lower() in self._commands:
            self._commands[word.lower()](rest.strip())
            return None
        if re.fullmatch(r"#?\d+", text):
            return self._numbered(int(text.lstrip("#")))
        try:
            return self._position.parse(text) if text else None
        except InvalidMove as error:
            hint = nearest(word.lower(), self._commands)
            raise InvalidMove(f"{error}; {hint}" if hint else str(error)) from None

    def _numbered(self, number: int) -> Move:
        legal = self._position.legal_moves
        if not 1 <= number <= len(legal):
            raise InvalidMove(f"there is no move {number}: they are numbered from 1 to {len(legal)}")
        found: Move = legal[number - 1]
        return found

    def _refuse(self, error: IllegalMove) -> None:
        """Says which demands of the rules a move does not meet."""
        explanation = error.explanation
        self._out.print(f"{explanation.move} is not legal{f': {explanation.note}' if explanation.note else ''}")
        for reason in error.reasons:
            self._out.print(f"  {reason}", style="red")

    # ------------------------------------------------------------------------------------- commands

    def _moves(self, _: str) -> None:
        self._list(self._position.legal_moves)

    def _list(self, some: Iterable[Move]) -> None:
        """Prints moves with their numbers among all legal moves."""
        numbers = {move: number for number, move in enumerate(self._position.legal_moves, 1)}
        for line in in_columns([f"{numbers[move]:>4}  {move}" for move in some], self._out.width):
            put(line)

    def _hint(self, cell: str) -> None:
        cells = self._session.game.cells
        if cell not in cells:
            raise NotationError(f"hint takes a cell, as in  hint {cells[0]}. {nearest(cell, cells)}".strip())
        found = moves_of(self._position, cell)
        if not found:
            put(f"No legal move names {cell}.")
            return
        self._show(targets_of(self._position, cell))
        self._list(found)

    def _why(self, text: str) -> None:
        if not text:
            raise NotationError("why takes a move, as in  why " + str(self._position.legal_moves[0]))
        self._out.print(explanation_text(self._position.why(text)))

    def _undo(self, _: str) -> None:
        count = self._session.undo()
        put(f"{counted(count, 'move')} taken back." if count else "There is no move of yours to take back.")
        self._keep()

    def _log(self, _: str) -> None:
        for line in self._session.log() or ["No move was played yet."]:
            put(line)

    def _board(self, _: str) -> None:
        self._seen = None

    def _save_as(self, name: str) -> None:
        if not name:
            raise NotationError("save takes a file, as in  save game.txt")
        path = Path(name)
        if path.exists() and path not in self._saved:
            raise FileExistsError(17, "the file exists; choose another name", name)
        self._write(path)
        put(f"The record is in {path}")

    def _resign(self, _: str) -> None:
        self._session.resign()

    def _help(self, _: str) -> None:
        forms = " or ".join(action.text for action in self._session.game.model.actions)
        put(HELP.format(forms=forms))

    def _quit(self, _: str) -> None:
        raise _Left

    # -------------------------------------------------------------------------------------- the record

    def _keep(self) -> None:
        if self._save is not None:
            self._write(self._save)

    def _write(self, path: Path) -> None:
        """Writes the record in one go, so that what was there stays until the new one is complete."""
        self._saved.add(path)
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(records.write(self._session.record(self._record)), encoding="utf-8")
        beside.replace(path)


def in_columns(entries: list[str], width: int) -> list[str]:
    """The entries in as many columns as fit, read downwards."""
    column = max(map(len, entries), default=0) + 2
    count = max(1, width // column)
    rows = -(-len(entries) // count)
    return ["".join(entry.ljust(column) for entry in entries[row::rows]).rstrip() for row in range(rows)]
