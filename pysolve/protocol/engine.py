"""A program that plays a game for an interface: the conversation of UCI, or of UGI.

In: lines of an interface, and a game.  Out: lines of an engine.  The interface says which of the two it speaks by its
first line, `uci` or `ugi`.  A search runs in a thread of its own, so that `stop` and `isready` are answered at once.
What cannot be understood is answered by `info string`.  After a position that is refused there is none, until another
one is accepted: nothing is answered for a position that nobody has asked about.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from typing import TextIO

from pysolve.dsl.language.constants import WIN
from pysolve.dsl.notation import NotationError
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.notation.uci import words_of
from pysolve.players.best_lines import Limits as Limited
from pysolve.players.best_lines import best_lines
from pysolve.players.functions import Player
from pysolve.position import Position
from pysolve.protocol.informed import Informed, choices
from pysolve.protocol.limits import FOREVER, Limits, limits_of
from pysolve.protocol.options import Options, Settings
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.runtime.version import __version__
from pysolve.search.minimax import Result

LONGEST_LINE = 1 << 20  # characters; a longer line is not read
NOTHING = "bestmove (none)"
KNOWN = "known"  # the word of `position` in a game with secrets
UNTOLD = "in a game with secrets an interface tells what a player knows:  position known {…}"
Say = Callable[[str], None]


class Talk:
    """The conversation with one interface about one game."""

    def __init__(self, game: Game, say: Say):
        self.game = game
        self._say = say
        self._words = words_of(game)
        self._position: Position | Informed | None = None if game.model.secret else game.start()
        self._refused = UNTOLD if game.model.secret else ""  # why there is no position
        self._options = Options(game, say)
        self._search: _Search | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": lambda _: self._introduce("uciok"), "ugi": lambda _: self._introduce("ugiok"),
            "isready": lambda _: say("readyok"), "position": self._read, "go": self._go, "stop": lambda _: self.stop(),
            "ponderhit": lambda _: self._hit(), "setoption": self._options.set, "query": self._answer,
            "d": lambda _: say(self._diagram()),
            **dict.fromkeys(("ucinewgame", "uginewgame"), lambda _: None),
        }  # fmt: skip

    def converse(self, lines: Iterable[str]) -> None:
        """Answers all lines until `quit`; after the last one a search that has an end goes on to it."""
        for line in lines:
            words = line.split()
            if len(line) >= LONGEST_LINE:
                self._refuse_line(words[:1])
            elif words[:1] == ["quit"]:
                self.stop()
                return
            elif words:
                self._carry_out(words)
        if self._search is not None:
            self._search.finish()

    def _refuse_line(self, command: list[str]) -> None:
        """Says that a line is too long; a position on it is not the one before."""
        message = f"a line must have fewer than {LONGEST_LINE:,} characters"
        if command == ["position"]:
            self._position, self._refused = None, message
        self._say(f"info string {message}")

    def _carry_out(self, words: list[str]) -> None:
        command = self._commands.get(words[0])
        if command is None:
            self._say(f"info string {words[0]} is not a command here")
            return
        try:
            command(words[1:])
        except (NotationError, EngineError, ValueError) as error:
            self._say(_remark(error))
            if words[0] == "go":  # whoever asks for a move waits for one
                self._say(NOTHING)

    def _introduce(self, ready: str) -> None:
        self._say(f"id name pysolve {__version__}, {self.game.title}")
        self._say("id author the pysolve authors")
        for line in self._options.introduced():
            self._say(line)
        self._say(ready)

    # --------------------------------------------------------------------------------------- positions

    def _asked_about(self) -> Position:
        """The position; raises `NotationError` if the last one was refused, or what a player knows was told instead."""
        about = self._told_last()
        if isinstance(about, Informed):
            raise NotationError(f"this looks at all of the position, and {about.to_move} does not see it")
        return about

    def _told_last(self) -> Position | Informed:
        """What the last line `position` told; raises `NotationError` if it was refused."""
        if self._position is None:
            because = ":" if self._refused == UNTOLD else ", because the last one was refused:"
            raise NotationError(f"there is no position{because} {self._refused}")
        return self._position

    def _diagram(self) -> str:
        about = self._told_last()
        return (about.view if isinstance(about, Informed) else about).diagram()

    def _read(self, words: list[str]) -> None:
        """position startpos | fen …, moves …; in a game with secrets  position known …"""
        try:
            self._position = self._told(words)
        except (NotationError, EngineError, ValueError) as error:
            self._position, self._refused = None, _first_line(error)
            raise

    def _told(self, words: list[str]) -> Position | Informed:
        if self.game.model.secret:
            if words[:1] != [KNOWN]:
                raise NotationError(UNTOLD)
            return Informed.told(self.game, " ".join(words[1:]))
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] not in (["startpos"], ["fen"]):
            raise NotationError("a position is startpos or fen, and then moves")
        position = self.game.start() if words[0] == "startpos" else self._words.position(words[1:at])
        for word in words[at + 1 :]:
            position = position.child(self._place(position, word))
        return position

    def _place(self, position: Position, word: str) -> int:
        """The index of a legal move, given by its word; raises `NotationError` if it is not legal."""
        known = self._words.moves(position)
        if word in known:
            return known.index(word)
        raise NotationError(f'"{word}" is not a legal move in {self._words.text(position)}')

    def _answer(self, words: list[str]) -> None:
        """query gameover | p1turn | result, as UGI has it; query chance: what may happen where nobody chooses."""
        if words == ["p1turn"] and isinstance(self._position, Informed):
            self._say(f"response {str(self._position.view.state[0] == 1).lower()}")
            return
        position = self._asked_about()
        outcome = position.outcome
        if words == ["gameover"]:
            told = str(outcome is not None).lower()
        elif words == ["p1turn"]:
            told = str(position.state[0] == 1).lower()
        elif words == ["result"]:
            winners = () if outcome is None else outcome.winners
            alone = self.game.players.index(winners[0]) + 1 if len(winners) == 1 else 0
            told = "none" if outcome is None else f"p{alone}win" if alone else "draw"
        elif words == ["chance"]:
            told = " ".join(self._likely(position)) or "none"
        else:
            raise ValueError("a query is gameover, p1turn, result or chance")
        self._say(f"response {told}")

    def _likely(self, position: Position) -> list[str]:
        """What may happen where chance moves, each with its weight."""
        weights = (position.node.weights if position.chance else None) or ()
        return [f"{word} {weight}" for word, weight in zip(self._words.moves(position), weights, strict=False)]

    # --------------------------------------------------------------------------------------- searching

    def stop(self) -> None:
        """Ends the search; it says its best move."""
        if self._search is not None:
            self._search.stop()
            self._search = None

    def _hit(self) -> None:
        """The opponent has made the move that was expected: the own time runs."""
        if self._search is not None:
            self._search.hit()

    def _go(self, words: list[str]) -> None:
        """go depth | nodes | movetime | wtime … | infinite | ponder | perft"""
        self.stop()
        about = self._told_last()
        if isinstance(about, Informed):
            self._go_by_what_is_known(about, limits_of(words, about.number))
            return
        position = about
        limits = limits_of(words, position.state[0])
        moves = [self._place(position, word) for word in limits.moves]
        if limits.unknown:
            self._say(f"info string go does not know {' '.join(limits.unknown)}")
        if limits.perft is not None:
            self._search = _Search(limits, lambda search: self._count(search, position, limits.perft or 1))
            return
        told = self._options.now
        self._search = _Search(limits, lambda search: self._think(search, position, limits, moves, told))

    def _go_by_what_is_known(self, about: Informed, limits: Limits) -> None:
        """Searches by what a player knows: one move is found, and depth means nothing."""
        if limits.perft is not None or limits.moves:
            raise NotationError(
                f"perft and searchmoves look at all of the position, which {about.to_move} does not see"
            )
        level = self._options.now.level
        self._search = _Search(limits, lambda search: self._guess(search, about, limits, level))

    def _guess(self, search: _Search, about: Informed, limits: Limits, level: Player | None) -> None:
        """Says the move of a search that knows what a player knows.

        What is stopped before a first move is found says one that the interface has told; one that has told none waits.
        """
        told, move, seconds = about.told_move, None, FOREVER if search.seconds is None else search.seconds
        best = f"bestmove {self._words.told(about.view, told)}" if told else NOTHING
        try:
            with self._until_stopped(search, seconds):
                for better in choices(about, level, limits.nodes, seconds):
                    move = better
            if move is None and not told:
                move = about.legal_moves[0]
            if move is not None:
                best = f"bestmove {self._words.move(about.possible, move)}"
        except (NotationError, EngineError) as error:
            self._say(_remark(error))
        search.due.wait()
        self._say(best)

    def _count(self, search: _Search, position: Position, depth: int) -> None:
        """The number of sequences of moves by the first of them, and of all."""
        total = 0
        with self._until_stopped(search):
            for index, word in enumerate(self._words.moves(position)):
                number = position.child(index).perft(depth - 1)
                total += number
                self._say(f"{word}: {number}")
            self._say(f"Nodes searched: {total}")

    def _think(self, search: _Search, position: Position, limits: Limits, moves: Sequence[int], told: Settings) -> None:
        """Searches, and says the best move, for which somebody may have to ask first."""
        found = list[Result]()  # the best first
        if position.chance:
            self._say("info string chance moves here: draw what query chance lists, and tell it among the moves")
        with self._until_stopped(search):
            if len(position.legal_moves):
                found = [Result(0, tuple(position.node.moves[at : at + 1]), 0, 0) for at in moves[:1] or (0,)]
                self._improve(search, position, limits, moves, told, found)
        search.due.wait()
        self._say(self._best(position, found, told.ponder))

    def _improve(
        self, search: _Search, position: Position, limits: Limits, moves: Sequence[int], told: Settings,
        found: list[Result],
    ) -> None:  # fmt: skip
        """Searches deeper and deeper; what was found so far stands in `found`."""
        within = Limited(limits.depth, search.seconds, limits.nodes, threads=told.threads, search=told.search)

        def report(lines: list[Result]) -> None:
            found[:] = lines
            for number, one in enumerate(lines, 1):
                self._say(self._info(position, one, number if told.lines > 1 else None))

        if told.level is not None and not moves:
            last = [Result(0, (told.level(position).numbers,), 0, 0)]
        else:
            last = best_lines(position, told.lines, within, report, told.entries, moves or None)
        found[:] = last or found

    @contextmanager
    def _until_stopped(self, search: _Search, seconds: float = FOREVER) -> Iterator[None]:
        """Lets something run until somebody says stop, or the time is over; says what goes wrong."""
        until = time.monotonic() + seconds
        try:
            with abandoned_when(lambda: search.stopped.is_set() or time.monotonic() >= until):
                yield
        except Abandoned:
            pass
        except (EngineError, UnknownPlayer) as error:  # UnknownPlayer: a file beside the rules is damaged
            self._say(_remark(error))

    def _best(self, position: Position, found: Sequence[Result], ponder: bool) -> str:
        """The best move, and the answer to it that is expected, where somebody wants to know."""
        words = [] if not found else self._line(position, found[0])
        if not words:
            return NOTHING
        return f"bestmove {words[0]}" + (f" ponder {words[1]}" if ponder and len(words) > 1 else "")

    def _line(self, position: Position, result: Result) -> list[str]:
        """A line of play in words."""
        line = []
        for numbers in result.line:
            at = list(position.possible_moves.numbers).index(numbers)
            line.append(self._words.move(position, position.possible_moves[at]))
            position = position.child(at)
        return line

    def _info(self, position: Position, result: Result, number: int | None) -> str:
        """The line `info …` about a result of a search; `number` is that of the line with MultiPV."""
        left = result.moves_to_end
        ends = None if left is None else (left + 1) // 2 if result.value >= WIN else -(left // 2)
        score = f"cp {result.value}" if ends is None else f"mate {ends}"
        line = "" if number is None else f" multipv {number}"
        return (f"info depth {max(1, result.depth)}{line} score {score} nodes {result.nodes} "
                f"time {round(1000 * result.seconds)} pv {' '.join(self._line(position, result))}")  # fmt: skip


class _Search:
    """A running search, which ends by itself or when it is told to stop."""

    def __init__(self, limits: Limits, work: Callable[[_Search], None]):
        self._limits = limits
        self._clock: threading.Timer | None = None  # of a search that has begun in the opponent's time
        self.seconds = FOREVER if limits.ponder else limits.seconds
        self.stopped, self.due = threading.Event(), threading.Event()  # due: the answer is waited for
        if not (limits.infinite or limits.ponder):
            self.due.set()
        self._thread = threading.Thread(
            target=copy_context().run, args=(work, self), name="pysolve-search", daemon=True
        )
        self._thread.start()

    def hit(self) -> None:
        """Handles `ponderhit`: from now on the search uses its own time."""
        if self._limits.ponder and not self.due.is_set():
            if self._limits.seconds is not None:
                self._clock = threading.Timer(self._limits.seconds, self.stopped.set)
                self._clock.daemon = True
                self._clock.start()
            self.due.set()

    def stop(self) -> None:
        """Ends the search, and waits until it has answered."""
        if self._clock is not None:
            self._clock.cancel()
        self.stopped.set()
        self.due.set()
        self._thread.join()

    def finish(self) -> None:
        """Waits until the search has answered; one without an end is stopped."""
        if self._limits.endless and self._clock is None:
            self.stop()
        self._thread.join()


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def _remark(error: Exception) -> str:
    """The line `info string …` about an error."""
    return f"info string {_first_line(error)}"


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines of a stream; a line that is too long is cut."""
    while line := stream.readline(LONGEST_LINE):
        yield line
        while len(line) == LONGEST_LINE and not line.endswith("\n"):
            line = stream.readline(LONGEST_LINE)


__all__ = ["Talk", "lines_of"]
