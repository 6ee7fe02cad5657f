"""Processes that share nothing with this one but what both say: how they are started, and ended.

Such a Python takes no module from the folder where pysolve was started, since texts of strangers are read in it.  One
that is handed functions and objects is a `pysolve.runtime.spawned.Spawned`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

# How a process is started that Ctrl-C does not reach: it is for the one that starts it.  It is the head of a group.
APART: dict[str, Any] = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module in another Python."""
    return sys.executable, "-P", "-m", module, *arguments


def kill(process: int) -> None:
    """Ends a process that was started `APART` at once, and where there are groups those that it has started."""
    with suppress(OSError):  # it has ended
        if sys.platform == "win32":
            os.kill(process, signal.SIGTERM)
        else:
            os.killpg(process, signal.SIGKILL)
