"""How much memory this process holds, and giving back what it holds in vain."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

GROWTH = 8_000_000  # bytes more than after the last collection, for which another one is worth its time


def resident() -> int:
    """The bytes that this process has in memory; where the system does not tell, the most it ever had, or 0."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


def _give_back() -> None:
    """Lets the system have what was freed; the C library of Linux keeps it otherwise."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


class Tidy:
    """Collects garbage between two questions.

    Reading rules makes some hundred thousand objects that stay for a while (`gc_paused`), so the collector by itself
    hardly ever visits the games that were read before and are not wanted any more.
    """

    def __init__(self) -> None:
        self._after = 0

    def up(self) -> int:
        """Collects if it is worth it; returns the bytes that are held."""
        held = resident()
        if held >= self._after + GROWTH or not held:
            gc.collect()
            _give_back()
            held = self._after = resident()
        return held
