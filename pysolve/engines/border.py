"""What crosses between Python and Prolog, whoever carries it: strings in, strings out.

`pysolve.engines.bridge` carries them where SWI-Prolog is a library of this process, `pysolve.engines.browser` where it
is WebAssembly beside this Python.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from pysolve.engines.protocol import TOO_MANY, EngineError, LimitReached

Call = Callable[[bytes], bytes | None]


class PrologError(EngineError):
    """An exception of Prolog that is none of the limits; `term` is its text."""

    def __init__(self, term: str):
        super().__init__(term)
        self.term = term


class Border(ABC):
    """One Prolog, and the games that are loaded there: each into a module of its own."""

    def __init__(self) -> None:
        self._loaded: dict[str, int] = {}
        self._load_lock = threading.RLock()

    def _open(self) -> None:
        """Finds the predicates of prolog/bridge.pl, which has been loaded."""
        self._load = self.function("pysolve_bridge", "load_game", utf8=True)
        self._unload = self.function("pysolve_bridge", "unload_game")

    @abstractmethod
    def function(self, module: str, name: str, utf8: bool = False) -> Call:
        """The predicate name/2 of a module as a function from string to string; None where it fails.

        With `utf8` the strings are text in UTF-8; otherwise each byte is a character, which is faster.
        """

    @abstractmethod
    def within(self, seconds: float | None, call: Call, data: bytes) -> bytes | None:
        """A call that is ended after some seconds, with `LimitReached`."""

    def load(self, module: str, text: str) -> None:
        """Loads a game into a module of its own, unless it is there already."""
        with self._load_lock:
            if module not in self._loaded:
                self._load_part(module, "game", text)
            self._loaded[module] = self._loaded.get(module, 0) + 1

    def add(self, module: str, text: str) -> None:
        """Loads more clauses into the module of a game; those of an earlier call are replaced."""
        with self._load_lock:
            self._load_part(module, "more", text)

    def _load_part(self, module: str, part: str, text: str) -> None:
        # A file name need not be UTF-8; it only stands in comments and messages.
        messages = self._load(f"{module}\n{part}\n{text}".encode(errors="replace")) or b""
        if messages:
            raise EngineError(f"Prolog does not accept what pysolve wrote for {module}; this is a mistake "
                              f"in pysolve:\n{messages.decode()}")  # fmt: skip

    def unload(self, module: str) -> None:
        """Gives a game back; its clauses go when nobody holds it any more."""
        with self._load_lock:
            count = self._loaded.get(module, 0) - 1
            if count > 0:
                self._loaded[module] = count
            elif count == 0:
                del self._loaded[module]
                self._unload(module.encode())


def translated(term: str) -> BaseException:
    """The exception for what Prolog threw."""
    if "interrupted(key)" in term:
        return KeyboardInterrupt()
    if "interrupted(time)" in term:
        return LimitReached("the time limit of this query was reached")
    if "inference_limit" in term:
        return LimitReached(f"this query needs more inferences than it is allowed: {TOO_MANY}")
    if "resource_error" in term:
        return LimitReached("Prolog needs more memory than it is allowed for this question")
    return PrologError(term)
