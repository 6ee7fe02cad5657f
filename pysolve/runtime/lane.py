"""Processes that answer, one question each at a time.

In: a question with what is asked, and who asks.  Out: its last line; the lines before it are heard as they come.
Whoever waits is cancelled like any task: then the process is told so, and killed if it does not stop soon.  A process
that takes too long, or dies, is replaced when it is needed; one that holds too much memory, or has answered often, is
replaced at once, and so is the largest that is idle when all together hold too much.  Processes are started when they
are needed, and ended when they have not been for a while.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pysolve.runtime import wire
from pysolve.runtime.fairness import Full, Turns
from pysolve.runtime.paths import environment
from pysolve.runtime.processes import APART, kill

PATIENCE = 5  # how much nicer to others (as in nice) processes are for which nobody waits
GRACE = 2.0  # seconds that a process has to stop of itself
LONGEST_LINE = 64_000_000  # bytes; a longer answer is taken for a mistake
REST = 60.0  # seconds after which a process is ended that nobody needed
MOST_HELD = 150_000_000  # bytes that a process may hold between two questions
MOST_TOGETHER = 205_000_000  # bytes that the processes of all lanes that share a `Together` may hold
FRESH = 45_000_000  # bytes that a process holds before its first question, more or less
MOST_ANSWERS = 2000  # that a process gives, whatever it holds: not every system tells
MOST_CHECKS = 12  # that are kept, for processes that have not seen a game or forgot it

BUSY = wire.failure("limit", "too many questions wait for an answer")

Heard = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what is asked."""

    question: str
    about: dict[str, Any]


class Died(Exception):
    """A process ended instead of answering."""


class Worker:
    """A process that answers questions; see `pysolve.runtime.worker`."""

    def __init__(self, process: asyncio.subprocess.Process):
        self.process = process
        self.answers = 0
        self.holds = FRESH  # bytes of memory, as it said last
        self.asker = ""  # who was answered last: a page that goes on finds its games here
        self._asked = False  # is there a question without its last line?
        self._owes = False  # is there an answer after which it has not said yet what it holds?

    @classmethod
    async def start(cls, command: Sequence[str]) -> Worker:
        """Starts a process that finds the same pysolve as this one."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=LONGEST_LINE, env=environment(), **APART
        )
        return cls(process)

    async def answer(self, asked: Asked, heard: Heard) -> bytes:
        """The last line for a question; raises `Died`."""
        await self.ready()
        self.answers += 1
        self._asked = self._owes = True
        self._tell({"number": self.answers, "question": asked.question, "asked": asked.about})
        return await self._last(heard)

    async def stopped(self) -> None:
        """Returns when the question that is being answered has been cancelled; raises `Died`."""
        if self._asked:
            self._tell({"cancel": self.answers})
            await self._last(unheard)

    async def ready(self) -> None:
        """Returns when it is ready for another question, and has said what it holds; raises `Died`."""
        if self._owes:
            line = await self._line()
            self._owes = False
            self.holds = wire.held_in(line)

    def _tell(self, told: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told).encode("ascii") + b"\n")

    async def _last(self, heard: Heard) -> bytes:
        while not wire.is_last(line := await self._line()):
            await heard(line)
        self._asked = False
        return line

    async def _line(self) -> bytes:
        assert self.process.stdout is not None
        try:
            line = await self.process.stdout.readline()
        except ValueError:
            raise Died(f"an answer has more than {LONGEST_LINE:,} bytes") from None
        if not line.endswith(b"\n"):
            status = await self.process.wait()
            how = f"by signal {-status}" if status < 0 else f"with status {status}"
            raise Died(f"the process that answers ended {how}")
        return line

    def kill(self) -> None:
        """Ends the process, and those that it has started, at once."""
        if self.process.returncode is None:  # else its number may be that of another one by now
            kill(self.process.pid)


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


class Together:
    """A limit on the memory that the processes of several lanes hold, while they do nothing."""

    def __init__(self) -> None:
        self._lanes: list[Lane] = []

    def join(self, lane: Lane) -> None:
        """Counts the processes of a lane, too."""
        self._lanes.append(lane)

    async def shrink(self) -> None:
        """Replaces idle processes, the largest first, as long as all hold too much and that would free something."""
        while sum(lane.holds() for lane in self._lanes) > MOST_TOGETHER:
            idle = [(worker.holds, lane, worker) for lane in self._lanes for worker in lane.spare()]
            if not idle:
                return
            _, lane, worker = max(idle, key=lambda one: one[0])
            await lane.dismiss(worker)


class Lane:
    """Some processes for questions that may take as long as `seconds`; patient ones leave the processor to others.

    Each asker has at most `share` of them at a time, and half of the `waiting` places.  `kept` processes are not ended
    when nobody needs them.  The processes of all lanes that are `together` share their memory.
    """

    def __init__(
        self, command: Sequence[str], checks: Checks, processes: int, waiting: int, seconds: float,
        patient: bool = False, share: int | None = None, kept: int = 1, together: Together | None = None,
    ):  # fmt: skip
        self._command = command
        self._checks = checks
        shared = share is not None
        self._turns = Turns(processes, share or processes, waiting, -(-waiting // 2) if shared else waiting)
        self._seconds = seconds
        self._patient = patient
        self._kept = kept
        self._together = together or Together()
        self._together.join(self)
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def ready(self) -> None:
        """Starts a process if there is none, so that the first question need not wait for it."""
        if not self._alive:
            self._idle.append(await self._started())

    async def ask(self, asked: Asked, heard: Heard = unheard, asker: str = "") -> bytes:
        """The last line for a question; it is a failure if the process takes too long or dies, or too many wait."""
        try:
            await self._turns.take(asker)
        except Full:
            return BUSY
        try:
            worker = await self._hired(asker)
        except BaseException:
            self._turns.give_back(asker)
            raise
        return await self._answered(worker, asked, heard)

    async def _answered(self, worker: Worker, asked: Asked, heard: Heard) -> bytes:
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
        self._in_background(self._settle(worker))
        return line

    async def _answer(self, worker: Worker, asked: Asked, heard: Heard) -> bytes:
        line = await worker.answer(asked, heard)
        if wire.failure_kind(line) == "gone" and (check := self._checks.of(asked)) is not None:
            await worker.answer(check, unheard)
            line = await worker.answer(asked, heard)
        self._checks.learn(asked, line)
        return line

    async def _hired(self, asker: str) -> Worker:
        """A process that has nothing to do: if possible the one that knows the games of this asker."""
        self._idle.sort(key=lambda worker: worker.asker == asker)
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                worker.asker = asker
                return worker
            self._alive.discard(worker)
        worker = await self._started()
        worker.asker = asker
        return worker

    async def _started(self) -> Worker:
        worker = await Worker.start(self._command)
        self._alive.add(worker)
        if self._patient and sys.platform != "win32":
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, worker.process.pid, os.getpriority(os.PRIO_PROCESS, 0) + PATIENCE)
        if self._closed:
            worker.kill()
        return worker

    async def _calm(self, worker: Worker) -> None:
        """Lets a process stop whose answer nobody wants any more."""
        try:
            async with asyncio.timeout(GRACE):
                await worker.stopped()
        except (TimeoutError, Died):
            self._bury(worker)
        else:
            await self._settle(worker)

    async def _settle(self, worker: Worker) -> None:
        """The process is free for the next question as soon as it is ready; one that is used up is replaced."""
        try:
            async with asyncio.timeout(GRACE):
                await worker.ready()
        except (TimeoutError, Died):
            self._bury(worker)
            return
        if worker.holds > MOST_HELD or worker.answers >= MOST_ANSWERS:
            await self._replace(worker)
        else:
            self._idle.append(worker)
            asyncio.get_running_loop().call_later(REST, self._retire, worker, worker.answers)
        self._turns.give_back(worker.asker)
        await self._together.shrink()

    def holds(self) -> int:
        """The bytes that all its processes hold."""
        return sum(worker.holds for worker in self._alive)

    def spare(self) -> list[Worker]:
        """Idle processes without which less memory is held: fresh ones only if there are more than are kept."""
        least = FRESH if len(self._alive) <= self._kept else 0
        return [worker for worker in self._idle if worker.holds > least]

    async def dismiss(self, worker: Worker) -> None:
        """Ends an idle process, and starts one in its place unless there are enough without it."""
        self._idle.remove(worker)
        await self._replace(worker)

    async def _replace(self, worker: Worker) -> None:
        """Ends a process, and starts one in its place unless there are enough without it."""
        self._end(worker)
        if len(self._alive) <= self._kept and not self._closed:
            with suppress(OSError):  # whoever needs one next hears why
                self._idle.append(await self._started())

    def _retire(self, worker: Worker, answers: int) -> None:
        """Ends a process that has not been needed since it gave so many answers."""
        if worker in self._idle and worker.answers == answers and len(self._idle) > self._kept:
            self._idle.remove(worker)
            self._end(worker)

    def _bury(self, worker: Worker) -> None:
        """Ends a process that was answering; another one is started when it is needed."""
        self._end(worker)
        self._turns.give_back(worker.asker)

    def _end(self, worker: Worker) -> None:
        worker.kill()
        worker.holds = 0
        self._in_background(self._reaped(worker))

    async def _reaped(self, worker: Worker) -> None:
        await worker.process.wait()
        self._alive.discard(worker)

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
