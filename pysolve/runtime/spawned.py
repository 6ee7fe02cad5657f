"""Processes that are handed functions and objects of this one, those of its script, too.

They are started with spawn, because Prolog does not survive a fork.  Ctrl-C is for the process that starts them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection

_SPAWN = get_context("spawn")


class Spawned:
    """A process that carries out `work`, which is called with its end of the `line` to this one and with what is given.

    It ends when `work` returns or finds the line closed, and with this process, in the middle of its work even.
    """

    def __init__(self, work: Callable[..., None], *given: object):
        ours, theirs = _SPAWN.Pipe()
        self.line: Connection = ours
        self.process = _SPAWN.Process(target=begin, args=(work, theirs), daemon=True)
        self.process.start()
        theirs.close()
        with suppress(OSError):  # it is dead, which is found when it is asked; `args` would wait for it without end
            self.line.send(given)

    def end(self) -> None:
        """Terminates the process and closes the line."""
        self.process.terminate()
        self.process.join()
        self.line.close()


def begin(work: Callable[..., None], line: Connection) -> None:
    """In a process that was spawned: its work."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on all systems
    with suppress(EOFError, OSError):
        work(line, *line.recv())


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that are spawned here leave Ctrl-C to this one, from their first moment; this one hears of it later."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with _blocked_interrupts():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """A context that blocks Ctrl-C, also in processes started in it, where the system allows this."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would lift the block when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
