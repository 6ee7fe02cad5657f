"""Workers on a Dask cluster.

In: the address of a Dask scheduler, whose workers have pysolve.  Out: workers, as in `pysolve.lab.workers`.

The tables are sent to each worker once, also to those that join later.  If a worker is lost, Dask gives its games to
another one.  A game is one task with a name of its own, so it arrives once.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count, islice
from typing import Any
from uuid import uuid4

from pysolve.lab.games import Job, Played
from pysolve.lab.workers import AHEAD, NamedGame, Playing, ThisProcess, WorkerError
from pysolve.runtime.optional import needed

SECONDS = 10  # for the scheduler to answer
_PLAYING: dict[str, ThisProcess] = {}  # on a worker: who plays for whom


def _play(workers: str, place: int, job: Job) -> Played:
    """On a worker: one game."""
    (found,) = _PLAYING[workers].play(place, [job])
    return found


def connected(address: str) -> Any:
    """A client of the Dask scheduler at an address; raises `WorkerError` where none answers, or it has no workers."""
    distributed = needed("distributed", "cluster", "--cluster")
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what fails is raised, and said once
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise WorkerError(f"no Dask scheduler answers at {address}: {error}") from None
    if not client.nthreads():
        client.close()
        raise WorkerError(f"the Dask scheduler at {address} has no workers; start one with  dask worker {address}")
    return client


def room_of(client: Any) -> int:
    """The number of tasks that may be in progress; it changes as workers join and leave."""
    threads: dict[str, int] = client.nthreads()
    return AHEAD * max(1, sum(threads.values()))


class Cluster:
    """The workers of a Dask cluster play."""

    def __init__(self, tables: Sequence[NamedGame], address: str):
        self._client = connected(address)
        distributed = needed("distributed", "cluster", "--cluster")
        self._name = f"pysolve-{uuid4().hex}"
        self._plays = count()
        self._running: set[Any] = set()
        self._as_completed = distributed.as_completed
        self._client.register_plugin(_plugin(distributed)(self._name, pickle.dumps(tuple(tables))), name=self._name)

    def play(self, place: int, jobs: Iterable[Job]) -> Playing:
        """Yields the games of the jobs at table number `place`, in the order in which they end."""
        waiting, name = iter(jobs), f"{self._name}-{next(self._plays)}"
        done = self._as_completed(self._begin(name, place, islice(waiting, self._room())), loop=self._client.loop)
        try:
            for future in done:
                self._running.discard(future)
                found = self._result(future)
                for another in self._begin(name, place, islice(waiting, max(0, self._room() - len(self._running)))):
                    done.add(another)
                yield found
        finally:
            self._leave()

    def _room(self) -> int:
        return room_of(self._client)

    def _begin(self, name: str, place: int, jobs: Iterable[Job]) -> list[Any]:
        futures = [self._client.submit(_play, self._name, place, job, key=f"{name}-{job.number}") for job in jobs]
        self._running.update(futures)
        return futures

    def _result(self, future: Any) -> Played:
        try:
            found = future.result()
        except ValueError:
            raise
        except Exception as error:
            raise WorkerError(f"a game on the cluster failed: {error}") from None
        assert isinstance(found, Played)
        return found

    def _leave(self) -> None:
        """Games that nobody waits for any more are not begun."""
        if self._running:
            self._client.cancel(list(self._running))
            self._running.clear()

    def close(self) -> None:
        """Cancels the running games and disconnects from the cluster; errors of the cluster are ignored."""
        with suppress(Exception):  # whatever is wrong with the cluster, we are done with it
            self._leave()
            self._client.unregister_worker_plugin(self._name)
        self._client.close()


def _plugin(distributed: Any) -> Any:
    class Seated(distributed.WorkerPlugin):  # type: ignore[misc]
        """Brings the tables to a worker, and takes them away at the end."""

        def __init__(self, workers: str, tables: bytes):
            self.workers = workers
            self.tables = tables

        def setup(self, worker: Any) -> None:
            """Unpacks the tables when the worker starts."""
            seat(self.workers, self.tables)

        def teardown(self, worker: Any) -> None:
            """Drops the tables when the worker stops."""
            clear(self.workers)

    return Seated


def seat(workers: str, tables: bytes) -> None:
    """On a worker: the games that these workers play are here.  The class above is sent by value, this by name."""
    _PLAYING[workers] = ThisProcess(pickle.loads(tables))


def clear(workers: str) -> None:
    """On a worker: these workers play no more."""
    _PLAYING.pop(workers, None)
