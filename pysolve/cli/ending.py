"""An end at once, after Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pysolve.cli.exit_status import INTERRUPTED


@contextmanager
def ending_at_once() -> Iterator[None]:
    """While modules are imported Ctrl-C ends the process: an exception could be shown or swallowed by any of them."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # somebody else listens, or nobody shall
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
