"""The end of a command after Ctrl-C: what is said, and an end at once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from pysolve.cli.exit_status import INTERRUPTED


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with a sentence about what is known by then."""


@contextmanager
def saying_when_stopped(known: Callable[[], str]) -> Iterator[None]:
    """A context in which Ctrl-C becomes `Stopped`: `known` says what was stopped, and what is known."""
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt:
        raise Stopped(known()) from None


@contextmanager
def ending_at_once() -> Iterator[None]:
    """While modules are imported Ctrl-C ends the process: an exception could be shown or swallowed by any of them."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        # somebody else listens, or nobody shall; and only the main thread may say who does
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: leave())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def leave() -> None:
    """Ends the process at once: Prolog was interrupted in the middle of something, and would be long in closing."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
