"""A library is built and proves itself before it is trusted, in a process of its own.

In: a game, the name of a compiler.  Out: whether its library and Prolog give the same answers in some positions.  This
is not what shows that the printers agree, which the tests do; it catches a compiler that is broken.  The process may
crash, and it goes on when whoever began it has ended: the next one finds the library in the cache.  Builds that
nobody waits for take turns, one at a time on a machine, at a low priority; where many wait already, no other begins.
`pysolve.engines.trial` is what it runs.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from pysolve.dsl.model import Game
from pysolve.dsl.sealed import write_sealed
from pysolve.engines.build import BuildError, Refused
from pysolve.runtime.cache import cache_folder
from pysolve.runtime.paths import environment
from pysolve.runtime.processes import APART, python

AGREE, DIFFER, UNREADABLE, REFUSED, UNBUILT = 0, 3, 4, 5, 6  # 1 is what Python says of a program that failed
IN_TURN = "--in-turn"
SECONDS = 120
MOST_WAITING = 6  # games that wait for their turn, each in a process of its own
FORGOTTEN = 3600  # seconds, after which nobody is taken to wait for the file of a game: its process was killed
PREPARED = ".game"


class Disproved(RuntimeError):
    """A library answers wrongly."""


def _prepared(game: Game, kept: str | None) -> Path:
    """A file with the game, for the process."""
    file = cache_folder() / f"{os.urandom(8).hex()}{PREPARED}"
    write_sealed(file, pickle.dumps((game, kept)))
    return file


def _waiting() -> int:
    """How many games wait to be built."""
    found, since = 0, time.time() - FORGOTTEN
    for file in cache_folder().glob(f"*{PREPARED}"):
        with contextlib.suppress(FileNotFoundError):  # its turn has come
            found += file.stat().st_mtime > since
    return found


@dataclass(frozen=True, slots=True)
class Proof:
    """A process in which the library of a compiler is built and proves itself; it goes on if nobody waits for it."""

    compiler: str
    process: subprocess.Popen[bytes]
    game: Path  # a file, which the process removes
    in_turn: bool

    def __enter__(self) -> None:
        """Something else is done first: the library may be built meanwhile, which then is not built twice."""

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is None:
            self.wait()
        else:
            self.process.kill()
            self.process.communicate()
            self.game.unlink(missing_ok=True)

    def wait(self) -> None:
        """Returns when the library has proved itself.

        Raises `Disproved`, or `BuildError` if that fails: `Refused` where the C is at fault.
        """
        try:
            out, complaint = self.process.communicate(timeout=None if self.in_turn else SECONDS)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            raise BuildError(f"what {self.compiler} makes could not be tried: {error}") from None
        said = (out or complaint.strip().rpartition(b"\n")[2]).decode(errors="replace").strip()  # no traceback
        if self.process.returncode == DIFFER or self.process.returncode < 0:
            raise Disproved(f"what {self.compiler} made of the game gives wrong answers {said}")
        if self.process.returncode == REFUSED:
            raise Refused(self.compiler, said)
        if self.process.returncode != AGREE:
            raise BuildError(f"what {self.compiler} makes could not be tried: {said}")


def begun(game: Game, compiler: str, kept: str | None = None, in_turn: bool = False) -> Proof:
    """Lets the library of a compiler be built and prove itself; the cache has the game as `kept`.

    With `in_turn` it waits until no other is built so: many games at once would leave no processor for playing them.
    Raises `BuildError` if it cannot begin, or if too many wait already: the next process that plays the game may.
    """
    if in_turn and _waiting() >= MOST_WAITING:
        raise BuildError("other games wait to be built")
    file = _prepared(game, kept)
    command = python("pysolve.engines.trial", compiler, str(file), *([IN_TURN] if in_turn else []))
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(), **APART)  # fmt: skip
    except OSError as error:
        raise BuildError(f"what {compiler} makes could not be tried: {error}") from None
    return Proof(compiler, process, file, in_turn)
