"""Processes that answer, one question each at a time.

In: a question with what is asked.  Out: its last line; the lines before it are heard as they come.  Whoever waits is
cancelled like any task: then the process is told so, and killed if it does not stop soon.  A process that takes too
long, or dies, is replaced when it is needed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pysolve.paths import environment
from pysolve.web import wire

PATIENCE = 5  # how much nicer to others (as in nice) processes are for which nobody waits
GRACE = 2.0  # seconds that a process has to stop of itself
LONGEST_LINE = 64_000_000  # bytes; a longer answer is taken for a mistake
MOST_CHECKS = 12  # that are kept, for processes that have not seen a game or forgot it

Heard = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what is asked."""

    question: str
    about: dict[str, Any]


class Died(Exception):
    """A process ended instead of answering."""


class Worker:
    """A process that answers questions; see `pysolve.web.worker`."""

    def __init__(self, process: asyncio.subprocess.Process):
        self.process = process
        self._number = 0

    @classmethod
    async def start(cls, command: Sequence[str]) -> Worker:
        """Starts a process that Ctrl-C does not reach, and that finds the same pysolve as this one."""
        options: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=LONGEST_LINE, env=environment(), **options
        )
        return cls(process)

    async def answer(self, asked: Asked, heard: Heard) -> bytes:
        """The last line for a question; raises `Died`."""
        self._number += 1
        self._tell({"number": self._number, "question": asked.question, "asked": asked.about})
        return await self._rest(heard)

    async def stopped(self) -> None:
        """Returns when the question that is being answered has been cancelled; raises `Died`."""
        self._tell({"cancel": self._number})
        await self._rest(unheard)

    def _tell(self, told: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told).encode("ascii") + b"\n")

    async def _rest(self, heard: Heard) -> bytes:
        assert self.process.stdout is not None
        while True:
            try:
                line = await self.process.stdout.readline()
            except ValueError:
                raise Died(f"an answer has more than {LONGEST_LINE:,} bytes") from None
            if not line.endswith(b"\n"):
                status = await self.process.wait()
                how = f"by signal {-status}" if status < 0 else f"with status {status}"
                raise Died(f"the process that answers ended {how}")
            if wire.is_last(line):
                return line
            await heard(line)

    def kill(self) -> None:
        """Ends the process, and those that it has started, at once."""
        if self.process.returncode is not None:
            return  # its number may be that of another one by now
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)


async def unheard(_: bytes) -> None:
    """Ignores a line."""


class Checks:
    """The last games that were checked, so that a process that does not know one can be told of it."""

    def __init__(self) -> None:
        self._by_game = OrderedDict[str, Asked]()

    def learn(self, asked: Asked, answer: bytes) -> None:
        """Keeps a `check` under the name of its game."""
        if asked.question != "check" or wire.failure_kind(answer) is not None:
            return
        game = json.loads(answer)["answer"].get("game")
        if game is not None:
            self._by_game[game["id"]] = asked
            self._by_game.move_to_end(game["id"])
            if len(self._by_game) > MOST_CHECKS:
                self._by_game.popitem(last=False)

    def of(self, asked: Asked) -> Asked | None:
        """The `check` of the game that a question is about."""
        game = asked.about.get("game")
        return self._by_game.get(game) if isinstance(game, str) else None


class Lane:
    """Some processes for questions that may take as long as `seconds`; patient ones leave the processor to others."""

    def __init__(
        self, command: Sequence[str], checks: Checks, processes: int, waiting: int, seconds: float,
        patient: bool = False,
    ):  # fmt: skip
        self._command = command
        self._checks = checks
        self._free = asyncio.Semaphore(processes)
        self._most_waiting = waiting
        self._waiting = 0
        self._seconds = seconds
        self._patient = patient
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def ready(self) -> None:
        """Starts a process if there is none, so that the first question need not wait for it."""
        if not self._alive:
            self._idle.append(await self._started())

    async def ask(self, asked: Asked, heard: Heard = unheard) -> bytes:
        """The last line for a question; it is a failure if the process takes too long or dies."""
        worker = await self._hired()
        if worker is None:
            return wire.failure("limit", "too many questions wait for an answer")
        try:
            async with asyncio.timeout(self._seconds):
                line = await self._answer(worker, asked, heard)
        except TimeoutError:
            self._bury(worker)
            return wire.failure("limit", f"this took longer than {self._seconds:g} seconds, and was stopped")
        except Died as died:
            self._bury(worker)
            return wire.failure("internal", str(died))
        except asyncio.CancelledError:
            self._in_background(self._calm(worker))
            raise
        except BaseException:
            self._bury(worker)
            raise
        self._dismiss(worker)
        return line

    async def _answer(self, worker: Worker, asked: Asked, heard: Heard) -> bytes:
        line = await worker.answer(asked, heard)
        if wire.failure_kind(line) == "gone" and (check := self._checks.of(asked)) is not None:
            await worker.answer(check, unheard)
            line = await worker.answer(asked, heard)
        self._checks.learn(asked, line)
        return line

    async def _hired(self) -> Worker | None:
        """A process that has nothing to do; None if too many wait for one."""
        if self._free.locked() and self._waiting >= self._most_waiting:
            return None
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            while self._idle:
                worker = self._idle.pop()
                if worker.process.returncode is None:
                    return worker
                self._alive.discard(worker)
            return await self._started()
        except BaseException:
            self._free.release()
            raise

    async def _started(self) -> Worker:
        worker = await Worker.start(self._command)
        self._alive.add(worker)
        if self._patient and sys.platform != "win32":
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, worker.process.pid, os.getpriority(os.PRIO_PROCESS, 0) + PATIENCE)
        if self._closed:
            worker.kill()
        return worker

    def _dismiss(self, worker: Worker) -> None:
        """The process is free for the next question."""
        self._idle.append(worker)
        self._free.release()

    def _bury(self, worker: Worker) -> None:
        """Ends a process; another one is started when it is needed."""
        worker.kill()
        self._in_background(self._reaped(worker))
        self._free.release()

    async def _reaped(self, worker: Worker) -> None:
        await worker.process.wait()
        self._alive.discard(worker)

    async def _calm(self, worker: Worker) -> None:
        """Lets a process stop whose answer nobody wants any more."""
        try:
            async with asyncio.timeout(GRACE):
                await worker.stopped()
        except (TimeoutError, Died):
            self._bury(worker)
        else:
            self._dismiss(worker)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Kills all processes, and returns when they have ended."""
        self._closed = True
        for worker in self._alive:
            worker.kill()
        for worker in list(self._alive):
            await worker.process.wait()
        self._alive.clear()
