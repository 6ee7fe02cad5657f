"""A program that one talks to by lines.

In: its command, in words.  Out: what it says, line by line; `ProgramError` if it ends, or says nothing in time.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from pysolve.engines.protocol import EngineError
from pysolve.runtime.processes import APART, kill

KEEPER = Path(__file__).with_name("keeper.py")
LONGEST = 1 << 16  # bytes of a line; a longer one is read in pieces
MOST = 1000  # lines that wait to be read; the program waits for more
REMEMBERED = 3  # lines that a complaint repeats
SHOWN = 200  # characters of each
PATIENCE = 60.0  # seconds that an answer may take, beyond the time that the program has
ENDING = 10  # seconds, for a program to end, and what it has started


class ProgramError(EngineError):
    """A program cannot be used as a player: it does not begin to talk, or refuses the game."""


class Forfeit(ProgramError):
    """A program that plays ended, was silent, or made no legal move: it loses the game."""


class Program:
    """A running program, called by a name in complaints."""

    def __init__(self, name: str, command: Sequence[str]):
        self._name = name
        self.plays = False  # has it begun to talk?  Whatever goes wrong then costs it the game
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            **APART,
        )  # fmt: skip
        self._lines: queue.Queue[str | None] = queue.Queue(MOST)  # None is their end
        self._over = threading.Event()  # nobody reads any more
        self._last: deque[str] = deque(maxlen=REMEMBERED)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._complaining = self._listen(self._remember, self._process.stderr)
        self._listen(self._hear, self._process.stdout)

    def _listen(self, heard: Callable[[IO[bytes]], None], stream: IO[bytes]) -> threading.Thread:
        thread = threading.Thread(target=heard, args=(stream,), daemon=True)
        thread.start()
        return thread

    def _hear(self, stream: IO[bytes]) -> None:
        with stream:
            for line in iter(lambda: stream.readline(LONGEST), b""):
                text = self._noted(line)
                if not self._over.is_set():
                    self._lines.put(text)
        self._lines.put(None)

    def _remember(self, stream: IO[bytes]) -> None:
        with stream:
            for line in iter(lambda: stream.readline(LONGEST), b""):
                self._noted(line)

    def _noted(self, line: bytes) -> str:
        text = line.decode(errors="replace").strip()
        if text:
            self._last.append(text[:SHOWN])
        return text

    # ------------------------------------------------------------------------------------------- talk

    def tell(self, line: str) -> None:
        """Says a line to the program."""
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended; whoever reads its answer hears of that
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()

    def heard(self, until: float, wanted: str) -> str:
        """The next line, which must come before `time.monotonic` is `until`."""
        left = until - time.monotonic()
        try:
            if left < 0:  # also for one that talks without end
                raise queue.Empty
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise self.problem(f"did not answer {wanted} in time") from None
        if line is None:
            self._complaining.join(ENDING)
            raise self.problem(f"ended before it answered {wanted}")
        return line

    def problem(self, what: str) -> ProgramError:
        """An error about the program, with its last words: a `Forfeit` if it has begun to play."""
        return (Forfeit if self.plays else ProgramError)(self._told(what))

    def unfit(self, what: str) -> ProgramError:
        """Why the program cannot play this game at all, with its last words."""
        return ProgramError(self._told(what))

    def _told(self, what: str) -> str:
        last = " | ".join(self._last)
        return f"{self._name} {what}; " + (f"it said last: {last}" if last else "it has said nothing")

    def close(self) -> None:
        """Ends the program, if need be by force."""
        assert self._process.stdin is not None
        self.tell("quit")
        with suppress(OSError):
            self._process.stdin.close()
        self._over.set()
        with suppress(queue.Empty):  # whoever listens may wait for room
            while True:
                self._lines.get_nowait()
        try:
            self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            kill(self._process.pid)  # with whoever keeps it: they are a group of processes
            self._process.wait()
