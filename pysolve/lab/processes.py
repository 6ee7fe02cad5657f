"""Workers that are several processes of this machine.

One that dies is replaced, and its game is played again.
"""

from __future__ import annotations

import pickle
import warnings
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import NamedTuple

from pysolve.lab.games import Job, Played
from pysolve.lab.workers import AHEAD, NamedGame, Playing, ThisProcess, WorkerError
from pysolve.runtime.spawned import Spawned, deaf_to_interrupts

DEATHS = 3  # of processes in a row with the same game, after which the game is held responsible


class _Worker(Spawned):
    """A process that plays; `jobs` are those that it was given and has not played yet."""

    def __init__(self, tables: bytes):
        super().__init__(_work, tables)
        self.ready = False
        self.jobs = deque[tuple[int, Job]]()

    def give(self, place: int, job: Job) -> None:
        """Gives it a job; raises `WorkerError` for a player that cannot be sent to another process."""
        try:
            told = pickle.dumps((place, job))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise WorkerError(f"a player cannot be sent to other processes ({error}): {_AT_HOME}") from None
        self.jobs.append((place, job))
        with suppress(OSError):  # it is dead; that will be found when it is asked
            self.line.send_bytes(told)

    def take(self) -> Played | _Failure | None:
        """A game that it has played, or why it could not; None if it has just become ready.

        Raises `EOFError` or `OSError` if it is dead.
        """
        found = self.line.recv()
        self.ready = True
        if found is not None:
            self.jobs.popleft()
        assert found is None or isinstance(found, Played | _Failure)
        return found


_AT_HOME = "define it in a module that can be imported, or use one process (processes=1, --processes 1)"


class _Failure(NamedTuple):
    """An exception of a game, as a process sends it back."""

    error: Exception


def _work(line: Connection, tables: bytes) -> None:
    """The loop of a worker process: plays jobs until the other end of `line` is closed."""
    warnings.simplefilter("ignore", RuntimeWarning)  # it was said there
    workers = ThisProcess(pickle.loads(tables))
    line.send(None)
    while True:
        told = line.recv_bytes()
        try:
            (found,) = workers.play(*_jobs(told))
        except Exception as error:
            line.send(_Failure(_portable(error)))
        else:
            line.send(found)


def _jobs(told: bytes) -> tuple[int, list[Job]]:
    """The table and the job that a process is given; a player may be unknown to it."""
    try:
        place, job = pickle.loads(told)
    except (AttributeError, ImportError) as error:
        raise WorkerError(f"another process cannot find a player ({error}): {_AT_HOME}") from None
    return place, [job]


def _portable(error: Exception) -> Exception:
    """An error that can be sent: itself, or its words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(str(error))
    return error


class Processes:
    """Several processes of this machine; as many are started as there are jobs for."""

    def __init__(self, tables: Sequence[NamedGame], count: int):
        self._tables = tables
        self._pickled = pickle.dumps(tuple(tables))
        self._count = count
        self._workers: list[_Worker] = []

    def play(self, place: int, jobs: Iterable[Job]) -> Playing:
        """Yields the games of the jobs at table number `place`, in the order in which they end."""
        _ = self._tables[place].game.engine  # opened here first: what it says is said once, what it compiles is kept
        first = list(islice(jobs := iter(jobs), self._count))
        waiting = chain(first, jobs)
        self._start(len(first) - len(self._workers))
        deaths = Counter[int]()
        for worker in self._workers:
            self._fill(worker, place, waiting)
        try:
            while busy := {worker.line: worker for worker in self._workers if worker.jobs or not worker.ready}:
                for line in connection.wait(list(busy)):
                    worker = busy[line]  # type: ignore[index]
                    try:
                        found = worker.take()
                    except (EOFError, OSError):
                        waiting = chain(self._buried(worker, deaths), waiting)
                        continue
                    if isinstance(found, _Failure):
                        raise found.error
                    self._fill(worker, place, waiting)
                    if found is not None:
                        yield found
        finally:
            self._dismiss()

    def _start(self, count: int) -> None:
        with deaf_to_interrupts():
            self._workers += [_Worker(self._pickled) for _ in range(count)]

    def _fill(self, worker: _Worker, place: int, waiting: Iterator[Job]) -> None:
        """Gives a process jobs, once it is ready for them."""
        while worker.ready and len(worker.jobs) < AHEAD and (job := next(waiting, None)) is not None:
            worker.give(place, job)

    def _buried(self, dead: _Worker, deaths: Counter[int]) -> list[Job]:
        """The jobs of a dead process, for another one that begins in its place."""
        dead.end()
        self._workers.remove(dead)
        jobs = [job for _, job in dead.jobs]
        number = jobs[0].number if jobs else 0
        deaths[number] += 1
        if deaths[number] == DEATHS:
            when = f"while they played game {number}" if number else "before they played"
            script = "" if number else '; a script must start games under  if __name__ == "__main__":'
            raise WorkerError(f"{DEATHS} processes died {when}; --processes 1 may show why{script}")
        self._start(1)
        return jobs

    def _dismiss(self) -> None:
        """Ends the processes that play what nobody waits for any more."""
        for worker in [worker for worker in self._workers if worker.jobs or not worker.ready]:
            worker.end()
            self._workers.remove(worker)

    def close(self) -> None:
        """Terminates all processes."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()
