"""The strong search in C (dsl/to_c/runtime/strong.c): what it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from ctypes import c_longlong
from typing import Any

from pysolve.dsl.language.constants import DEEPEST, FEW, NO_ROOM, STOPPED
from pysolve.engines.bindings import Asked, Control, Question, stop_all
from pysolve.engines.memory import zeros
from pysolve.engines.protocol import LimitReached, State
from pysolve.engines.searches import found_type
from pysolve.search.minimax import Limits, Result
from pysolve.search.strong import Lines, Report, Techniques

LEAST = 4  # positions in the smallest table: those of one place
# As C reads them, in order.
NUMBERS = ("depth", "nodes", "lines", "helper", "shared", "entries", "few", "earlier", "backs")


class NativeStrong:
    """The strong search, with a table and one thread or several."""

    def __init__(
        self, engine: Asked, entries: int, threads: int, lines: int, techniques: Techniques, back: tuple[int, ...],
        earlier: Collection[State],
    ):  # fmt: skip
        self._engine, self._functions = engine, engine.functions
        self._lines, self._earlier = lines, b"".join(earlier)
        self._found_type = found_type(engine.move_type, len(engine.game.players.labels))
        said = {"lines": lines, "shared": threads > 1, "entries": max(LEAST, entries), "few": FEW,
                "earlier": len(earlier), "backs": len(back)}  # fmt: skip
        self._said = [said.get(name, 0) for name in NUMBERS], [*techniques, *back]
        size = self._functions.strong_table_size(self._asked(0, None, None))
        self._table = zeros(size, small=size >> 4)
        self._helpers = range(1, threads)

    def _asked(self, helper: int, depth: int | None, nodes: int | None) -> Any:
        numbers, rest = self._said
        now = {"depth": depth or 0, "nodes": -1 if nodes is None else nodes, "helper": helper}
        asked = [*(now.get(name, number) for name, number in zip(NUMBERS, numbers, strict=True)), *rest]
        return (c_longlong * len(asked))(*asked)

    def _question(self, state: State, asked: Any, lines: int) -> tuple[Control, Any, tuple[Any, ...]]:
        size = self._functions.strong_size()
        found = (self._found_type * ((DEEPEST + 2) * lines))()
        search = zeros(size, small=size)
        return self._engine.control(), found, (state, self._earlier, search, self._table, asked, found)

    def lines(self, state: State, limits: Limits, report: Report | None) -> Lines:
        """Searches in C, with all threads (see `pysolve.search.strong.StrongSearcher.lines`)."""
        self._engine.sound(state)
        lines = max(1, min(self._lines, len(self._engine.expand(state)), DEEPEST - 1))
        function, told = self._functions.strong, 0
        control, found, question = self._question(state, self._asked(0, limits.depth, limits.nodes), lines)

        def tell(_: int = 0) -> None:
            nonlocal told
            while report is not None and told < control.high:
                told += 1
                report(self._read(found[told * lines : (told + 1) * lines], limits))

        helping: list[tuple[Control, Question]] = []
        for helper in self._helpers:
            its, _, asked = self._question(state, self._asked(helper, limits.depth, None), lines)
            helping.append((its, Question(its, function, *asked)))
        try:
            for _, one in helping:
                one.start()
            code = self._engine.answer(control, tell, function, *question, until=limits.until)
            if code == NO_ROOM:
                raise LimitReached("out of memory: too many moves to search")
            if code != STOPPED:
                self._engine.checked(code, control)
        except KeyboardInterrupt:
            if not (found[0].depth and limits.interruptible):
                raise
        finally:
            stop_all(helping)
        tell()
        nodes = found[0].nodes + sum(its.nodes for its, _ in helping)
        return self._read(found[:lines], limits, nodes)

    def _read(self, found: Any, limits: Limits, nodes: int | None = None) -> Lines:
        decode: Callable[[int], Any] = self._engine.decode
        return [
            Result(one.value, tuple(map(decode, one.line[: one.length])), one.depth,
                   one.nodes if nodes is None else nodes, limits.passed)
            for one in found
        ]  # fmt: skip
