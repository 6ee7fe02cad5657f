"""The table at which a game is played: prompts, commands, announcements.

In: a session and its record.  Out: the game on the screen, the record in a file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill

from pysolve.authoring.sheet import sheet_of
from pysolve.authoring.tags import has_long_turns
from pysolve.cli.console import console, counted, explanation_text, in_columns, put, put_board, put_words, remark
from pysolve.cli.exit_status import FAILED, INTERRUPTED
from pysolve.cli.files import save_record
from pysolve.cli.keyboard import Left, is_typed, line_of
from pysolve.cli.recorded import heading, pace, watch
from pysolve.cli.sheet import put_sheet
from pysolve.cli.typed import exact_move, moves_of_line, moves_of_part
from pysolve.display.changes import last_changed
from pysolve.display.scene import moves_of, targets_of
from pysolve.dsl.errors import nearest
from pysolve.dsl.notation import InvalidMove, NotationError
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab.analysis import opinion
from pysolve.lab.solving import Guide, Limits, Solution, is_puzzle
from pysolve.notation.record import Record, RecordError, beside
from pysolve.players.functions import SOLVED, Player, Report, Resigned, Thought, player, specification
from pysolve.players.outside.player import chosen, visiting
from pysolve.players.outside.program import ProgramError
from pysolve.players.session import Session, forced_pass
from pysolve.position import IllegalMove, Move, Position

WRITTEN = (
    "A move is typed as the rules write it ({forms}; for example {example}), or as any unambiguous part of it, or as "
    "its number in the list of moves; a cell also as line and column, as 4-3 for c4. Several moves can be typed on one "
    "line, separated by commas."
)
ALL_LEFT = " {kind} all plays every move of that kind that is left in the turn, if there is no choice between them."
COMMANDS = """\
  moves          all legal moves, numbered  log        the moves so far
  hint CELL      the legal moves of a cell  board      show the board again
  hint [WHO]     what a program would play  flip       flip the board
  computer [WHO] a program plays; key: c    rules      the rules of the game
  why MOVE       why it is legal or not     save FILE  save a record
  undo           take back your last move   restart    start again
  redo           play it again              resign     give up the game
  help, ?        show this text             quit       leave the game"""
ALONE = """
In this puzzle hint shows the next move of a solution, solve all of them; computer plays them."""
WATCHING = """
With this game comes a recorded one: demo shows it."""
COMPUTER = "c"  # lets a program play, by one key
WIDTH = 80  # of texts, at most

SECONDS = 1  # that a program thinks when it is asked for advice
SOLVING = 20  # seconds that a puzzle is tried to be solved in


class Unsolved(Exception):
    """There is no solution of a puzzle, or none was found."""


class Opinion:
    """A program's evaluation of its move, shown after the move."""

    def __init__(self, game: Game | None = None) -> None:
        self._last = ""
        self.game = game  # None until it is chosen

    def hear(self, thought: Thought) -> None:
        """Keeps the text of a player's latest thought."""
        assert self.game is not None
        self._last = opinion(thought, self.game)

    def take(self) -> str:
        """The opinion on the last move, once; empty where nothing was searched for it."""
        last, self._last = self._last, ""
        return last


class Table:
    """A game that is played on a terminal, or with moves from a file."""

    def __init__(
        self, session: Session, record: Record, save: Path | None, delay: float, limit: int, quiet: bool,
        opinion: Opinion, dice: bool = False, viewer: str | None = None,
    ):  # fmt: skip
        """With `dice` somebody types what is left to chance; else the seed of the game draws it.

        In a game with secrets the screen shows what `viewer` sees; by default the person who plays, or of several
        people the one whose turn it is, and all of it where only programs play.
        """
        self._session = session
        self._record = record
        self._save = save
        self._delay = delay
        self._limit = limit  # of moves
        self._quiet = quiet
        self._dice = dice
        self._opinion = opinion
        opinion.game = session.game
        self._out = console()
        self._flipped = False
        self._saved: set[Path] = set() if save is None else {save}
        self._kept = 0  # moves that are in a file
        self._secret = session.game.model.secret
        people = [name for name, who in session.seats.items() if who is None]
        self._hands_over = self._secret and viewer is None and len(people) > 1
        self._viewer = viewer or (people[0] if len(people) == 1 else None)
        self._told: dict[str, int] = {}  # lines of the log that each player has read, in a game with secrets
        self._seen: Position | None = None  # whose board stands on the screen
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves, "hint": self._hint, "why": self._why, "undo": self._undo, "redo": self._redo,
            "log": self._log, "board": self._board, "flip": self._flip, "rules": self._rules, "save": self._save_as,
            "computer": self._computer, "restart": self._restart, "resign": self._resign, "help": self._help,
            "?": self._help, "quit": self._quit,
        }  # fmt: skip
        self._guide = Guide() if is_puzzle(session.game) else None
        if self._guide is not None:
            self._commands["solve"] = self._solve
        self._recorded = beside(session.game)
        if self._recorded is not None:
            self._commands["demo"] = self._demo

    @property
    def _position(self) -> Position:
        return self._session.position

    @property
    def _eyes(self) -> str | None:
        """Whose view the screen shows; None if it is all of the position."""
        return self._viewer if self._secret and self._session.outcome is None else None

    @property
    def _watched(self) -> bool:
        """True if nobody is asked here: programs play, and people look on."""
        return None not in self._session.seats.values()

    def play(self) -> int:
        """Plays the game to its end, or until somebody leaves; the exit status."""
        told = replace(self._record, seed=0) if self._secret else self._record  # a seed would tell what is drawn
        put_words(self._out, heading(told, self._session.game))
        status = 0
        try:
            with visiting(self._session.seats.values()):
                self._play_on()
        except Left:
            self._offer_to_save()
        except KeyboardInterrupt:
            status = INTERRUPTED
            put("")
            self._offer_to_save()
        except ProgramError as error:
            status = FAILED
            remark(f"the game stops, because the program of {self._position.to_move} failed: {error}")
            self._offer_to_save()
        self._keep()
        self._close()
        return status

    def _play_on(self) -> None:
        session = self._session
        if self._watched:
            self._show()
        while session.outcome is None and len(session.moves) < self._limit:
            who, move = session.player(), forced_pass(self._position)
            if self._position.chance:
                self._roll()
            elif move is not None:
                put(f"{self._position.to_move} has no move and must pass.")
                self._made(move)
            elif who is not None:
                time.sleep(self._delay)
                self._asked(who)
            else:
                self._ask()

    def _roll(self) -> None:
        """Lets chance move: by the seed of the game, or as somebody types what real dice show."""
        if not self._dice:
            self._made(self._session.rolled())
            return
        kinds = " or ".join(dict.fromkeys(move.kind for move in self._position.possible_moves))
        text = line_of(f"{kinds} for {self._position.to_move}> ").strip()
        if text in ("quit", "q"):
            raise Left
        try:
            self._made(self._position.parse(text))
        except (NotationError, IllegalMove):
            shown = [str(move) for move in self._position.possible_moves]
            few = f"{', '.join(shown[:12])}{', …' if len(shown) > 12 else ''}"
            put_words(self._out, f'"{text}" cannot be rolled here; type one of  {few}', "red")

    def _asked(self, who: Player) -> None:
        """Lets a program play, or resign."""
        try:
            move = chosen(who, self._session.positions, self._session.moves)
        except Resigned:
            self._session.resign()
        else:
            self._made(move)

    def _made(self, move: Move) -> None:
        """Plays a move, logs it with what a program thinks of it, keeps it."""
        self._session.play(move)
        value = self._opinion.take()
        if self._secret and self._viewer is not None:
            self._tell(self._viewer)
        elif not self._hands_over:
            put(self._session.entry(len(self._session.moves)) + (f"   ({value})" if value else ""))
        self._keep()
        if self._watched:
            self._show()

    def _tell(self, player: str) -> None:
        """Prints the moves that a player has noticed since the last time."""
        lines = self._session.told(player)
        for line in lines[self._told.get(player, 0) :]:
            put(line)
        self._told[player] = len(lines)

    def _hand_over(self, player: str) -> None:
        """Lets another person look at the screen, and nobody else."""
        if is_typed():
            if self._viewer is not None:
                line_of(f"{self._viewer}: Enter hides what you see. ")
            self._out.clear()
            line_of(f"{player}: Enter when nobody else looks. ")
            self._out.clear()
        else:
            put(f"Only {player} looks.")
        self._viewer, self._seen = player, None
        self._tell(player)

    def _close(self) -> None:
        """Says how the game stands at the end."""
        session = self._session
        played = counted(len(session.moves), "move")
        if session.outcome is not None:
            self._show()
            self._out.print(session.outcome.sentence, style="bold")
            put(f"{played} played.")
        elif len(session.moves) >= self._limit:
            put(f"Stopped after {played}; a larger --max-moves allows more.")
        else:
            after = "" if self._secret else f" after {played}"
            put(f"Left{after}, {self._position.to_move} to move.")
        if self._save is not None and self._writes:
            later = "" if session.outcome is not None else f"; resume with  pysolve play --resume {self._save}"
            put(f"The record is in {self._save}{later}")

    # ---------------------------------------------------------------------------------- what is shown

    def _show(self, targets: list[str] | None = None, always: bool = False) -> None:
        """Shows the board, unless it stands there already or nobody wants to see it."""
        if not always and (self._quiet or (self._seen is self._position and targets is None)):
            return
        moves = self._session.moves
        put("")
        if self._eyes is not None:
            put_board(self._out, self._position.view(self._eyes), (), targets or (), self._flipped)
        else:
            last = last_changed(self._position, moves[-1] if moves else None).places
            put_board(self._out, self._position, last, targets or (), self._flipped)
        put("")
        self._seen = self._position

    # ----------------------------------------------------------------------------------- what is asked

    def _ask(self) -> None:
        """Asks a person for a move or a command, and carries it out."""
        if self._hands_over and self._viewer != self._position.to_move:
            self._hand_over(self._position.to_move)
        if self._seen is not self._position:
            self._show()
            first = "" if self._session.moves else f"; help lists the commands{self._of_the_demo}"
            put(f"{self._position.to_move} to move, {counted(len(self._position.legal_moves), 'legal move')}{first}")
        self._seen = self._position
        text = line_of(f"{self._position.to_move}> ").strip()
        try:
            self._carry_out(text)
        except IllegalMove as error:
            self._refuse(error)
        except (NotationError, UnknownPlayer, Unsolved) as error:
            put_words(self._out, str(error), "red")
        except OSError as error:
            self._out.print(f"{error.filename}: {error.strerror}", style="red")

    @property
    def _of_the_demo(self) -> str:
        return "" if self._recorded is None else "; demo shows a game"

    def _carry_out(self, text: str) -> None:
        """Does what a line says; a move that is written like a command is a move."""
        word, _, rest = text.partition(" ")
        if word.lower() in self._commands and exact_move(self._position, text) is None:
            self._commands[word.lower()](rest.strip())
        elif text == COMPUTER and not self._is_part_of_a_move(text):
            self._computer("")
        elif text:
            self._play_line(text)

    def _is_part_of_a_move(self, text: str) -> bool:
        """True if a legal move can be typed so."""
        if self._secret:
            return False
        try:
            return bool(moves_of_line(self._position, text, lambda _: False))
        except (NotationError, IllegalMove):
            return False

    def _play_line(self, text: str) -> None:
        """Plays the moves of a line, all or none of them."""
        try:
            if self._secret:  # what follows a move would tell something before it is made
                moves = moves_of_part(self._position, text)
            else:
                moves = moves_of_line(self._position, text, lambda after: self._session.player(after) is None)
        except InvalidMove as error:
            hint = nearest(text.partition(" ")[0].lower(), self._commands)
            raise InvalidMove(f"{error}; {hint}" if hint else str(error)) from None
        for move in moves:
            if len(self._session.moves) < self._limit:
                self._made(move)

    def _refuse(self, error: IllegalMove) -> None:
        """Says which demands of the rules a move does not meet."""
        explanation = error.explanation
        put_words(self._out, f"{explanation.move} is not legal{f': {explanation.note}' if explanation.note else ''}")
        for reason in () if self._secret else error.reasons:
            put_words(self._out, f"  {reason}", "red")

    # ------------------------------------------------------------------------------------- commands

    def _moves(self, _: str) -> None:
        self._list(self._position.legal_moves)

    def _list(self, some: Iterable[Move]) -> None:
        """Prints moves with their numbers among all legal moves."""
        numbers = {move: number for number, move in enumerate(self._position.legal_moves, 1)}
        for line in in_columns(
            [f"{numbers[move]:>4}  {self._position.written(move)}" for move in some], self._out.width
        ):
            put(line)

    def _hint(self, word: str) -> None:
        cells = self._session.game.cells
        if word in cells:
            self._show_moves_of(word)
            return
        if self._guide is not None and not word:
            self._hint_to_solve()
            return
        heard = Opinion(self._session.game)
        try:
            adviser = self._adviser(word, heard.hear)
        except UnknownPlayer as error:
            one = f"a cell, as in  hint {cells[0]}, or " if cells else ""
            named = f"hint needs {one}a player. {nearest(word, cells)}".strip()
            raise NotationError(f"{named} {error}") from None
        move = adviser(self._position)
        value = heard.take()
        put(f"{self._position.written(move)}{f'   ({value} for {self._position.to_move})' if value else ''}")

    def _solution(self, position: Position) -> Solution:
        """A solution of a puzzle, if it is found."""
        assert self._guide is not None
        return self._guide.at(position, Limits(SOLVED, seconds=SOLVING))

    def _hint_to_solve(self) -> None:
        """Shows the next move of a solution, or says that there is none."""
        solution = self._solution(self._position)
        if not solution.line:
            put(str(solution))
            return
        left = counted(len(solution.line), "move")
        put(f"{self._position.written(solution.line[0])}   ({left} to the solution{', the fewest' * solution.fewest})")

    def _solve(self, _: str) -> None:
        """Shows all moves of a solution of a puzzle."""
        solution = self._solution(self._position)
        put(str(solution))
        if solution.line:
            moves = ", ".join(map(str, solution.line))
            put(fill(moves, max(20, min(WIDTH, get_terminal_size((WIDTH, 24)).columns))))

    def _show_moves_of(self, cell: str) -> None:
        found = moves_of(self._position, cell)
        if not found:
            put(f"No legal move contains {cell}.")
            return
        self._show(targets_of(self._position, cell))
        self._list(found)

    def _adviser(self, who: str, report: Report) -> Player:
        """The program that somebody asks for; without a name a search of a second, in a puzzle a solver."""
        game = self._session.game
        if self._secret:
            return self._honest(who)
        if self._guide is not None and not who:
            return self._along
        search = f"minimax:time={SECONDS}" if game.model.terms else f"mcts:time={SECONDS}"
        return player(who or search, None, game.levels, report)

    def _honest(self, who: str) -> Player:
        """A program that knows no more than the player whom it advises, in a game with secrets."""
        asked = specification(who or f"ismcts:time={SECONDS}", self._session.game.levels)
        if "cheat" in asked.settings:
            raise UnknownPlayer(f"{who} looks at what you do not see")
        asked.check(self._session.game)
        return asked.player()

    def _refuse_secrets(self, what: str) -> None:
        if self._secret:
            raise NotationError(f"{what} while a game with secrets is played")

    def _along(self, position: Position) -> Move:
        """The next move of a solution; raises `Unsolved`."""
        solution = self._solution(position)
        if not solution.line:
            raise Unsolved(str(solution))
        return solution.line[0]

    def _computer(self, who: str) -> None:
        """Lets a program play until it is somebody else's turn."""
        played = False
        mover, program = self._position.to_move, self._adviser(who, self._opinion.hear)
        while self._session.outcome is None and self._position.to_move == mover:
            if len(self._session.moves) >= self._limit:
                break
            time.sleep(self._delay if played else 0)
            played = True
            self._made(forced_pass(self._position) or program(self._position))

    def _why(self, text: str) -> None:
        if not text:
            raise NotationError("why needs a move, as in  why " + str(self._position.legal_moves[0]))
        self._refuse_secrets("why looks at all of the position, so it is not answered")
        put_words(self._out, explanation_text(self._position.why(text)))

    def _undo(self, _: str) -> None:
        self._refuse_secrets("who has seen something knows it, so moves are not taken back")
        count = self._session.undo()
        put(f"{counted(count, 'move')} taken back." if count else "You have no move to take back.")
        self._keep()

    def _redo(self, _: str) -> None:
        count = self._session.redo()
        put(f"{counted(count, 'move')} played again." if count else "There is no move to redo.")
        self._keep()

    def _restart(self, _: str) -> None:
        self._session.restart()
        put("The game starts again.")
        self._keep()

    def _log(self, _: str) -> None:
        log = self._session.log() if self._eyes is None else self._session.told(self._eyes)
        for line in log or ["No move has been played."]:
            put(line)

    def _board(self, _: str) -> None:
        self._show(always=True)

    def _demo(self, _: str) -> None:
        """Shows the game that comes with the rules, and then the board of this one again."""
        assert self._recorded is not None
        try:
            watch(self._recorded, self._delay or pace(), self._session.game.engine_name)
        except RecordError as error:
            put_words(self._out, f"{self._recorded.name}: {error}", "red")
        put("\nYour own game goes on:")
        self._show(always=True)

    def _flip(self, _: str) -> None:
        self._flipped = not self._flipped
        self._show(always=True)

    def _rules(self, _: str) -> None:
        put_sheet(self._out, sheet_of(self._session.game))

    def _save_as(self, name: str) -> None:
        if not name:
            raise NotationError("save needs a file, as in  save game.txt")
        if not self._writes:
            raise NotationError(
                "a record has all moves, so it is written when the game is over; log tells what you saw"
            )
        path = Path(name)
        if path.exists() and path not in self._saved:
            raise FileExistsError(17, "the file exists; choose another name", name)
        self._write(path)
        put(f"The record is in {path}")

    def _resign(self, _: str) -> None:
        self._session.resign()

    def _help(self, _: str) -> None:
        actions = self._session.game.model.actions
        forms = " or ".join(action.text for action in actions)
        written = WRITTEN.format(forms=forms, example=self._position.legal_moves[0])
        if has_long_turns(self._session.game.model):
            written += ALL_LEFT.format(kind=actions[0].name)
        put(fill(written, max(20, min(WIDTH, get_terminal_size((WIDTH, 24)).columns))))
        put("")
        put(COMMANDS + ALONE * (self._guide is not None) + WATCHING * (self._recorded is not None))

    def _quit(self, _: str) -> None:
        raise Left

    # -------------------------------------------------------------------------------------- the record

    def _offer_to_save(self) -> None:
        """Asks a person who leaves for the name of a file, if moves would be lost."""
        while is_typed() and self._writes and self._save is None and len(self._session.moves) != self._kept:
            try:
                name = line_of("Save the game as (file; Enter: do not save): ").strip()
                if not name:
                    return
                self._save_as(name)
            except OSError as error:
                self._out.print(f"{error.filename}: {error.strerror}", style="red")
            except (Left, KeyboardInterrupt):
                put("")
                return

    @property
    def _writes(self) -> bool:
        """True if a record may be written: of a game with secrets when it is over."""
        return not self._secret or self._session.outcome is not None

    def _keep(self) -> None:
        if self._save is not None and self._writes:
            self._write(self._save)

    def _write(self, path: Path) -> None:
        self._saved.add(path)
        save_record(path, self._session.record(self._record))
        self._kept = len(self._session.moves)
