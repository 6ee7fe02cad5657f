"""Counts how much work a call does: what does not depend on the machine, nor on what else runs there.

In: a call.  Out: a number.  It counts the lines of Python that run (each round of a loop, each call), the characters
and members that methods of texts and lists go through, and the characters that regular expressions read.  Of the
latter it assumes that they read each character once: `tests/test_regexes.py` sees to that.
"""

import re
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

# Methods whose work does not grow with what they belong to.
AT_ONCE = {"append", "add", "get", "pop", "startswith", "endswith", "join", "format", "update", "setdefault", "extend",
           "appendleft", "popleft", "popitem", "move_to_end", "discard", "clear", "items", "keys",
           "values", "isidentifier"}  # fmt: skip
LONG = (str, bytes, list, tuple, set, frozenset, dict)


class CountingPattern:
    """A compiled regular expression that says how much it reads."""

    def __init__(self, pattern: re.Pattern[str], count: Callable[[int], None]):
        self._pattern, self._count = pattern, count

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pattern, name)
        if name not in ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn"):
            return found

        def counted(*args: Any, **kwargs: Any) -> Any:
            result = found(*args, **kwargs)
            self._count(self._read(name, args, result))
            return result

        return counted

    @staticmethod
    def _read(name: str, args: tuple[Any, ...], result: Any) -> int:
        """How many characters a call has read."""
        if name in ("sub", "subn"):
            return len(args[1])
        if name in ("match", "fullmatch", "search"):
            start = args[1] if len(args) > 1 else 0
            whole = len(args[0]) - start if name == "search" else 1
            return whole if result is None else int(result.end()) - start
        return len(args[0])


class Counter:
    """Counts from `with` on to its end."""

    def __init__(self) -> None:
        self.steps = 0
        self._kept: list[tuple[ModuleType, str, object]] = []

    def add(self, steps: int) -> None:
        """Counts some steps."""
        self.steps += steps + 1

    def _line(self, frame: FrameType, event: str, arg: object) -> Any:
        self.steps += 1
        return self._line

    def _call(self, frame: FrameType, event: str, arg: Any) -> None:
        if event != "c_call":
            return
        self.steps += 1
        owner = getattr(arg, "__self__", None)
        if isinstance(owner, LONG) and arg.__name__ not in AT_ONCE:
            self.steps += len(owner)
        elif isinstance(owner, re.Pattern) and frame.f_globals.get("__name__") == "re":
            self.steps += len(frame.f_locals["string"])

    def __enter__(self) -> "Counter":
        for module in [one for name, one in sys.modules.items() if name.startswith("pysolve")]:
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    self._kept.append((module, name, value))
                    setattr(module, name, CountingPattern(value, self.add))
        sys.setprofile(self._call)
        sys.settrace(self._line)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)
        sys.setprofile(None)
        for module, name, value in self._kept:
            setattr(module, name, value)


def work(call: Callable[[], object]) -> int:
    """How much work a call does."""
    with Counter() as counter:
        call()
    return counter.steps
