"""The strong search in C (dsl/to_c/runtime/strong.c): what it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
NUMBERS = ("depth", "nodes", "lines", "helper", "shared", "entries", "few", "earlier", "backs", "unwanted")


class NativeStrong:
    """The strong search, with a table and one thread or several."""

    def __init__(self, engine: Asked, entries: int, threads: int, lines: int, techniques: Techniques):
        self._engine = engine
        self._lines, self._threads, self._techniques = lines, threads, techniques
        self._said = {"shared": threads > 1, "entries": max(LEAST, entries), "few": FEW}
        self._found_type = found_type(engine.move_type, len(engine.game.players.labels))
        self._sizes = (0, 0)
        self._begin()

    def _begin(self) -> None:
        """Takes memory for the table, and for each thread.  A later build of the functions goes on with it, so that a
        player makes the same moves whenever that is ready; all builds lay it out alike, or else it begins anew."""
        functions = self._functions = self._engine.functions
        sizes = functions.strong_table_size(self._asked()), functions.strong_size()
        if sizes != self._sizes:
            table, search = self._sizes = sizes
            self._table = zeros(table, small=table >> 4)
            self._searches = [zeros(search, small=search) for _ in range(self._threads)]

    def _asked(self, back: Sequence[int] = (), unwanted: Sequence[int] = (), **said: int) -> Any:
        told = self._said | said | {"backs": len(back), "unwanted": len(unwanted)}
        asked = [*(told.get(name, 0) for name in NUMBERS), *self._techniques, *back, *unwanted]
        return (c_longlong * len(asked))(*asked)

    def lines(
        self, state: State, limits: Limits, report: Report | None, back: Sequence[int], unwanted: Sequence[int],
        earlier: Collection[State],
    ) -> Lines:  # fmt: skip
        """Searches in C, with all threads (see `pysolve.search.strong.StrongSearcher.lines`)."""
        self._engine.sound(state)
        if self._functions is not self._engine.functions:
            self._begin()
        lines = max(1, min(self._lines, len(self._engine.expand(state)) - len(unwanted), DEEPEST - 1))
        function, told, past = self._functions.strong, 0, b"".join(earlier)

        def question(helper: int, nodes: int | None) -> tuple[Control, Any, tuple[Any, ...]]:
            asked = self._asked(back, unwanted, depth=limits.depth or 0, nodes=-1 if nodes is None else nodes,
                                lines=lines, helper=helper, earlier=len(earlier))  # fmt: skip
            found = (self._found_type * ((DEEPEST + 2) * lines))()
            return self._engine.control(), found, (state, past, self._searches[helper], self._table, asked, found)

        control, found, asked = question(0, limits.nodes)

        def tell(_: int = 0) -> None:
            nonlocal told
            while report is not None and told < control.high:
                told += 1
                report(self._read(found[told * lines : (told + 1) * lines], limits))

        helping: list[tuple[Control, Question]] = []
        for helper in range(1, self._threads):
            its, _, helped = question(helper, None)
            helping.append((its, Question(its, function, *helped)))
        try:
            for _, one in helping:
                one.start()
            code = self._engine.answer(control, tell, function, *asked, until=limits.until)
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
            for place, one in enumerate(found) if one.length or not place
        ]  # fmt: skip
