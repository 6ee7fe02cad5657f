"""What may take a while, for whoever wants to tell a person about it.

In: a sentence about what is being done.  Out: nothing, unless somebody listens; the command line does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Listener = Callable[[str], AbstractContextManager[object]]

_listener: Listener = nullcontext


def doing(what: str) -> AbstractContextManager[object]:
    """A context in which something is done that may take a while: `compiling Chess`."""
    return _listener(what)


def listen(listener: Listener) -> None:
    """Has a listener called with each thing that is done; what it returns is entered and left around it."""
    global _listener
    _listener = listener
