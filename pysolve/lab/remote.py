"""An object on each thread of a Dask cluster, whose methods are called there: to label positions, to play by search.

In: the address of a scheduler whose workers have pysolve; how the object is made.  Out: what its methods return, in the
order of the calls.

What a method returns depends on its arguments alone, so it does not matter which object is asked.  If a worker is lost,
Dask gives its calls to another one.  Each thread of a worker keeps the last object that it was asked for.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import count, islice
from typing import Any
from uuid import uuid4

from pysolve.engines.protocol import EngineError
from pysolve.lab.cluster import connected, room_of
from pysolve.lab.workers import WorkerError

_here = threading.local()  # on a worker: the object of a thread, and for whom it is


def _call(name: str, made_by: bytes, method: str, *arguments: Any) -> Any:
    """On a worker: calls a method of its object."""
    if getattr(_here, "name", None) != name:
        make, asked = pickle.loads(made_by)
        _here.made = make(*asked)
        _here.name = name
    return getattr(_here.made, method)(*arguments)


class Remote:
    """An object on each thread of a cluster."""

    def __init__(self, address: str, make: Callable[..., Any], asked: tuple[Any, ...]):
        """The object is what `make` returns for these arguments.  Raises `WorkerError` where no cluster answers."""
        self._client = connected(address)
        self._name = f"pysolve-{uuid4().hex}"
        self._made_by = self.sent(pickle.dumps((make, asked)))
        self._numbers = count()

    @property
    def threads(self) -> int:
        """How many there are now."""
        found: dict[str, int] = self._client.nthreads()
        return max(1, sum(found.values()))

    def sent(self, value: Any) -> Any:
        """A value that goes to each worker once, to be an argument of calls."""
        return self._client.scatter(value, hash=False)

    def results(self, method: str, calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """What a method returns for the arguments of each call, in their order; some calls are made ahead.

        Raises `EngineError` as the method does, and `WorkerError` for what went wrong on the cluster.
        """
        waiting, left = deque[Any](), iter(calls)
        try:
            while True:
                for call in islice(left, max(0, room_of(self._client) - len(waiting))):
                    key = f"{self._name}-{next(self._numbers)}"
                    waiting.append(self._client.submit(_call, self._name, self._made_by, method, *call, key=key))
                if not waiting:
                    return
                yield self._result(waiting.popleft())
        finally:
            with suppress(Exception):  # whatever is wrong with the cluster, nobody waits for these any more
                self._client.cancel(list(waiting))

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except EngineError:
            raise
        except Exception as error:
            why = " ".join(str(error).split()).rstrip(".")
            raise WorkerError(
                f"the cluster failed: {why}; what it has found is kept: the same command goes on"
            ) from None

    def close(self) -> None:
        """Disconnects from the cluster."""
        self._client.close()
