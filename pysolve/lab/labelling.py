"""Positions that are labelled on a Dask cluster, for `pysolve.lab.refine`.

In: the address of a scheduler whose workers have pysolve, and the arguments of a `Refiner`.  Out: the labels of games,
portion by portion in the order of the games.

Which labels a game has depends on its number alone, so it does not matter who finds them.  If a worker is lost, Dask
gives its portions to another one.  Each thread of a worker keeps the last refiner that it was asked for.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any
from uuid import uuid4

from pysolve.engines.protocol import EngineError
from pysolve.engines.refining import Refiner
from pysolve.lab.cluster import connected, room_of
from pysolve.lab.workers import WorkerError

_here = threading.local()  # on a worker: the refiner of a thread, and for whom it is


def _labelled(name: str, asked: bytes, first: int, games: int) -> bytes:
    """On a worker: the labels of so many games from number `first` on."""
    if getattr(_here, "name", None) != name:
        _here.refiner = Refiner(*pickle.loads(asked))
        _here.name = name
    found: bytes = _here.refiner.labelled(first, games)
    return found


class Labelling:
    """The workers of a Dask cluster label positions."""

    def __init__(self, address: str, asked: tuple[Any, ...]):
        """`asked` are the arguments of a `Refiner`.  Raises `WorkerError` where no cluster answers."""
        self._client = connected(address)
        self._name = f"pysolve-{uuid4().hex}"
        self._asked = self._client.scatter(pickle.dumps(asked), hash=False)
        self._waiting: deque[Any] = deque()

    def portions(self, first: int, games: int) -> Iterator[bytes]:
        """The labels of so many games from number `first` on, of as many after them, and so on without end.

        Raises `EngineError` as `Refiner.label` does, and `WorkerError` for what went wrong on the cluster.
        """
        numbers = count(first, games)
        while True:
            while len(self._waiting) < room_of(self._client):
                number = next(numbers)
                key = f"{self._name}-{number}"
                self._waiting.append(self._client.submit(_labelled, self._name, self._asked, number, games, key=key))
            yield self._result(self._waiting.popleft())

    def _result(self, future: Any) -> bytes:
        try:
            found = future.result()
        except EngineError:
            raise
        except Exception as error:
            raise WorkerError(f"labelling on the cluster failed: {error}") from None
        assert isinstance(found, bytes)
        return found

    def close(self) -> None:
        """Cancels what nobody waits for any more, and disconnects; errors of the cluster are ignored."""
        with suppress(Exception):
            self._client.cancel(list(self._waiting))
        self._client.close()
