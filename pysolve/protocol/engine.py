"""A program that plays a game for an interface: the conversation of UCI, or of UGI.

In: lines of an interface, and a game.  Out: lines of an engine.  The interface says which of the two it speaks by its
first line, `uci` or `ugi`.  A search runs in a thread of its own, so that `stop` and `isready` are answered at once.
What cannot be understood is answered by `info string`, and changes nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from itertools import pairwise
from typing import TextIO

from pysolve import __version__
from pysolve.dsl.model.notation import NotationError
from pysolve.engine import EngineError
from pysolve.game import Game
from pysolve.position import Position
from pysolve.protocol.words import words_of
from pysolve.search.minimax import WIN, Result, minimax
from pysolve.stopping import Abandoned, abandoned_when

FOREVER = 1e8  # seconds: until somebody says stop
SPARE = 0.05  # seconds of a clock that are lost on the way
SHARE = 30  # moves that a clock has to suffice for
LONGEST_LINE = 1 << 20  # characters; a longer line is not read
Say = Callable[[str], None]


class Talk:
    """The conversation with one interface about one game."""

    def __init__(self, game: Game, say: Say):
        self.game = game
        self._say = say
        self._words = words_of(game)
        self._position = game.start()
        self._stop = threading.Event()
        self._search: threading.Thread | None = None
        self._endless = False  # does the search go on until somebody says stop?
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": lambda _: self._introduce("uciok"), "ugi": lambda _: self._introduce("ugiok"),
            "isready": lambda _: say("readyok"), "position": self._read, "go": self._go, "stop": lambda _: self.stop(),
            "query": self._answer, "d": lambda _: say(self._position.diagram()),
            **dict.fromkeys(("ucinewgame", "uginewgame"), lambda _: None),
        }  # fmt: skip

    def converse(self, lines: Iterable[str]) -> None:
        """Answers all lines until `quit`; after the last one a search that has an end goes on to it."""
        for line in lines:
            if len(line) >= LONGEST_LINE:
                self._say(f"info string a line must have fewer than {LONGEST_LINE:,} characters")
                continue
            words = line.split()
            if words[:1] == ["quit"]:
                self.stop()
                return
            if words:
                self._carry_out(words)
        if self._endless:
            self.stop()
        if self._search is not None:
            self._search.join()

    def _carry_out(self, words: list[str]) -> None:
        command = self._commands.get(words[0])
        if command is None:
            self._say(f"info string {words[0]} is not a command here")
            return
        try:
            command(words[1:])
        except (NotationError, EngineError, ValueError) as error:
            self._say(f"info string {str(error).splitlines()[0]}")

    def _introduce(self, ready: str) -> None:
        self._say(f"id name pysolve {__version__}, {self.game.title}")
        self._say("id author the pysolve authors")
        self._say(ready)

    # --------------------------------------------------------------------------------------- positions

    def _read(self, words: list[str]) -> None:
        """position startpos | fen …, moves …"""
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] not in (["startpos"], ["fen"]):
            raise NotationError("a position is startpos or fen, and then moves")
        position = self.game.start() if words[0] == "startpos" else self._words.position(words[1:at])
        for word in words[at + 1 :]:
            position = self._played(position, word)
        self._position = position

    def _played(self, position: Position, word: str) -> Position:
        known = self._words.moves(position)
        if word in known:
            return position.child(known.index(word))
        raise NotationError(f'"{word}" is not a legal move in {position.line()}')

    def _answer(self, words: list[str]) -> None:
        """query gameover | p1turn | result, as UGI has it."""
        outcome = self._position.outcome
        if words == ["gameover"]:
            told = str(outcome is not None).lower()
        elif words == ["p1turn"]:
            told = str(self._position.state[0] == 1).lower()
        elif words == ["result"]:
            winners = () if outcome is None else outcome.winners
            alone = self.game.players.index(winners[0]) + 1 if len(winners) == 1 else 0
            told = "none" if outcome is None else f"p{alone}win" if alone else "draw"
        else:
            raise ValueError("a query is gameover, p1turn or result")
        self._say(f"response {told}")

    # --------------------------------------------------------------------------------------- searching

    def stop(self) -> None:
        """Ends the search; it says its best move."""
        self._stop.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _go(self, words: list[str]) -> None:
        """go depth | nodes | movetime | wtime … | infinite"""
        self.stop()
        self._stop.clear()
        limits = limits_of(words, self._position.state[0])
        self._endless = "infinite" in words or limits == (None, None, FOREVER)
        position, run = self._position, copy_context().run
        self._search = threading.Thread(
            target=run, args=(self._think, position, limits, "infinite" in words), name="pysolve-search", daemon=True
        )
        self._search.start()

    def _think(self, position: Position, limits: Limits, waits: bool) -> None:
        """Searches, and says the best move, for which somebody may have to ask first."""
        try:
            moves = position.legal_moves
        except EngineError as error:
            self._say(f"info string {str(error).splitlines()[0]}")
            self._say("bestmove (none)")
            return
        if not len(moves):
            self._say("bestmove (none)")
            return
        found: list[Result] = []

        def report(result: Result) -> None:
            found.append(result)
            self._say(self._info(position, result))

        try:
            with abandoned_when(self._stop.is_set):
                depth, nodes, seconds = limits
                result = minimax(position.game.engine, position.state, depth, nodes, seconds, report=report,
                                 interruptible=False)  # fmt: skip
                found.append(result)
        except Abandoned:
            pass
        except EngineError as error:
            self._say(f"info string {str(error).splitlines()[0]}")
        if waits:
            self._stop.wait()
        best = found[-1].best if found else None
        at = 0 if best is None else list(moves.numbers).index(best)
        self._say(f"bestmove {self._words.move(position, moves[at])}")

    def _info(self, position: Position, result: Result) -> str:
        """What a search has found so far."""
        line = []
        for numbers in result.line:
            at = list(position.legal_moves.numbers).index(numbers)
            line.append(self._words.move(position, position.legal_moves[at]))
            position = position.child(at)
        left = result.moves_to_end
        ends = None if left is None else (left + 1) // 2 if result.value >= WIN else -(left // 2)
        score = f"cp {result.value}" if ends is None else f"mate {ends}"
        return (f"info depth {max(1, result.depth)} score {score} nodes {result.nodes} "
                f"time {round(1000 * result.seconds)} pv {' '.join(line)}")  # fmt: skip


def lines_of(stream: TextIO) -> Iterator[str]:
    """The lines of a stream; of a line that is too long only the beginning."""
    while line := stream.readline(LONGEST_LINE):
        yield line
        while len(line) == LONGEST_LINE and not line.endswith("\n"):
            line = stream.readline(LONGEST_LINE)


WHOLE = re.compile("-?[0-9]{1,18}")
Limits = tuple[int | None, int | None, float | None]  # depth, nodes, seconds


def limits_of(words: list[str], mover: int) -> Limits:
    """What `go` allows; raises `ValueError` for what is no number.

    Of a clock a thirtieth of what is left and most of what is added may be used; both protocols name the players.
    """
    given: dict[str, int] = {}
    for name, value in pairwise(words):
        if name in ("depth", "nodes", "movetime", "movestogo") or name.endswith(("time", "inc")):
            if not WHOLE.fullmatch(value):
                raise ValueError(f'{name} must be followed by a whole number, not "{value}"')
            given[name] = int(value)
    left = next((given[f"{who}time"] for who in _clocks(mover) if f"{who}time" in given), None)
    added = next((given[f"{who}inc"] for who in _clocks(mover) if f"{who}inc" in given), 0)
    seconds = None
    if "movetime" in given:
        seconds = given["movetime"] / 1000 - SPARE
    elif left is not None:
        share = left / max(2, given.get("movestogo", SHARE)) + 0.8 * added
        seconds = min(share, left / 2) / 1000 - SPARE
    depth, nodes = (max(1, given[name]) if name in given else None for name in ("depth", "nodes"))
    if seconds is not None:
        seconds = min(max(seconds, 0.01), FOREVER)
    elif depth is None and nodes is None:
        seconds = FOREVER
    return depth, nodes, seconds


def _clocks(mover: int) -> tuple[str, str]:
    """What a player's clock is called: in UCI, in UGI."""
    return ("w", "b")[mover - 1] if mover < 3 else "", f"p{mover}"


__all__ = ["Talk", "lines_of"]
