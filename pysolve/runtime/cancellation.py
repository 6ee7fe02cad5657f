"""Whether somebody still waits for what takes long.

In: a function that says so.  Out: `Abandoned` from whatever is being computed, soon after nobody waits any more.
Searches and counts, in C or in Python, ask now and then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Abandoned(Exception):
    """Nobody waits any more."""


_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("stopped", default=None)


@contextmanager
def abandoned_when(stopped: Callable[[], bool]) -> Iterator[None]:
    """A context in which whatever takes long ends with `Abandoned` when the function says so."""
    token = _stopped.set(stopped)
    try:
        yield
    finally:
        _stopped.reset(token)


def go_on() -> None:
    """Raises `Abandoned` if nobody waits any more."""
    stopped = _stopped.get()
    if stopped is not None and stopped():
        raise Abandoned("nobody waits for this any more")
