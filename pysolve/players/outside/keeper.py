"""Starts a program and ends it, with all that it has started: as a program of its own, so that none is left, however
pysolve itself ends.

    python keeper.py COMMAND...

What comes on stdin goes to the program, whose answers go out directly.  At the end of stdin, which is also the end of
whoever started this, the program may end by itself; soon after it is killed.  When it ends, now or before, what it has
started is killed.

That is its process group, and on Linux also what has left the group: there this process adopts what the program leaves
behind (`prctl(2)`, PR_SET_CHILD_SUBREAPER), so that all are found by their parents.  On Windows the program itself is
ended with what it is the parent of at that moment (taskkill).
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

GRACE = 1  # seconds
BLOCK = 1 << 16
ADOPTS = 36  # PR_SET_CHILD_SUBREAPER
GENERATIONS = 100  # rounds of looking for what was started meanwhile


def keep(command: list[str]) -> None:
    """Runs a command until it ends, or stdin does."""
    _adopt()
    program = subprocess.Popen(command, stdin=subprocess.PIPE)
    threading.Thread(target=_wait, args=(program,), daemon=True).start()
    assert program.stdin is not None
    with contextlib.suppress(OSError):
        while block := os.read(0, BLOCK):
            program.stdin.write(block)
            program.stdin.flush()
    with contextlib.suppress(OSError):
        program.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(GRACE)
    _end(program)


def _wait(program: "subprocess.Popen[bytes]") -> None:
    program.wait()
    _end(program)


def _end(program: "subprocess.Popen[bytes]") -> None:
    """Kills the program, all that it has started, and this process."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(program.pid)], capture_output=True, check=False)
    program.kill()
    for _ in range(GENERATIONS):
        found = _descendants(os.getpid())
        for number in found:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        if not found:
            break
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _adopt() -> None:
    """Makes this process the parent of what the program, or what it has started, leaves behind."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(ADOPTS, 1, 0, 0, 0)


def _descendants(ancestor: int) -> list[int]:
    """The processes that go back to one and still run; none where /proc does not say."""
    parents = dict[int, int]()
    for name in os.listdir("/proc") if sys.platform == "linux" and os.path.isdir("/proc") else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{int(name)}/stat", encoding="utf-8", errors="replace") as file:
                state, parent, *_ = file.read().rpartition(")")[2].split()
            if state not in "ZX":
                parents[int(name)] = int(parent)
    found, known = list[int](), {ancestor}
    while more := [one for one, parent in parents.items() if parent in known and one not in known]:
        known.update(more)
        found += more
    return found


if __name__ == "__main__":
    keep(sys.argv[1:])
