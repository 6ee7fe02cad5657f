"""Starts a program and ends it: as a program of its own, so that none is left, however pysolve itself ends.

    python keeper.py COMMAND...

What comes on stdin goes to the program, whose answers go out directly.  At the end of stdin, which is also the end of
whoever started this, the program may end by itself; soon after it is killed, with all that it has started.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

GRACE = 1  # seconds
BLOCK = 1 << 16


def keep(command: list[str]) -> None:
    """Runs a command until it ends, or stdin does."""
    program = subprocess.Popen(command, stdin=subprocess.PIPE)
    threading.Thread(target=lambda: os._exit(_status(program.wait())), daemon=True).start()
    assert program.stdin is not None
    with contextlib.suppress(OSError):
        while block := os.read(0, BLOCK):
            program.stdin.write(block)
            program.stdin.flush()
    with contextlib.suppress(OSError):
        program.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(GRACE)
    program.kill()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _status(code: int) -> int:
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    keep(sys.argv[1:])
