"""The border to a Prolog that is WebAssembly beside this Python, in a browser's worker or in node.

In: an object of JavaScript that holds SWI-Prolog, handed over by `connect`.  Out: the same functions from string to
string as those of `pysolve.engines.bridge`.  There is one thread; a goal that may take long looks at the clock itself
(prolog/browser.pl), and whoever wants to stop everything else ends the worker.

Clauses stay until the worker ends: swipl-wasm 5.2.9, 7.0.10 and 8.0.5 fail with "memory access out of bounds" when they
unload the clauses of chess after a question about them.  A page that has loaded a few hundred games starts another
worker (web/src/playground/lane.ts).
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from pysolve.engines.border import Border, Call, translated
from pysolve.engines.protocol import EngineError
from pysolve.runtime.paths import PROLOG


class Prolog(Protocol):
    """The interface of the JavaScript object in web/src/playground/prolog.ts."""

    def consult(self, name: str, text: str) -> None:
        """Loads a file of Prolog, given its text."""

    def predicate(self, module: str, name: str) -> int:
        """A handle of the predicate name/2 of a module."""

    def ask(self, predicate: int, text: str, utf8: bool) -> str | None:
        """The string with which a predicate answers a string; None where it fails or throws.  Without `utf8` all
        characters are below 256."""

    def thrown(self) -> str | None:
        """The exception of the last query as text; None if the query failed without one."""


class Bridge(Border):
    """The connection to SWI-Prolog in WebAssembly, of which a worker has one."""

    def __init__(self, prolog: Prolog):
        super().__init__()
        self._prolog = prolog
        self._kept: set[str] = set()
        self._kept_more: set[str] = set()
        for name in ("bridge.pl", "browser.pl"):
            prolog.consult(name, (PROLOG / name).read_text(encoding="utf-8"))
        self._open()
        self._until = self.function("pysolve_browser", "until")

    def function(self, module: str, name: str, utf8: bool = False) -> Call:
        """The predicate name/2 of a module as a function from string to string; None where it fails."""
        prolog, code = self._prolog, "utf-8" if utf8 else "latin-1"
        ask, predicate = prolog.ask, prolog.predicate(module, name)

        def call(data: bytes) -> bytes | None:
            reply = ask(predicate, data.decode(code), utf8)
            if reply is None:
                term = prolog.thrown()
                if term is not None:
                    raise translated(term)
                return None
            return reply.encode(code)

        return call

    def load(self, module: str, text: str) -> None:
        """Loads a game into a module of its own, unless it is there already."""
        if module not in self._kept:
            super().load(module, text)
            self._kept.add(module)

    def add(self, module: str, text: str) -> None:
        """Loads more clauses into the module of a game, unless they are there already."""
        if module not in self._kept_more:
            super().add(module, text)
            self._kept_more.add(module)

    def unload(self, module: str) -> None:
        """Nothing: clauses stay."""

    def within(self, seconds: float | None, call: Call, data: bytes) -> bytes | None:
        """A call that is ended after some seconds, with `LimitReached`."""
        if seconds is None:
            return call(data)
        self._until(str(seconds).encode())
        try:
            return call(data)
        finally:
            self._until(b"")


_connected: list[Prolog] = []


def connect(prolog: Prolog) -> None:
    """Hands the Prolog over, before anybody asks for the bridge."""
    _connected[:] = [prolog]


@cache
def bridge() -> Bridge:
    """The Prolog of this worker."""
    if not _connected:
        raise EngineError("no Prolog has been handed over: call pysolve.engines.browser.connect first")
    return Bridge(_connected[0])
