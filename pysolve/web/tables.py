"""The games with secrets that pages play: how each stands is kept here, and no page is told.

In: a question that names a table.  Out: its answer, from a process that is told the truth of this table and forgets it.
So it survives the processes, and ends with the server.  What was not used for longest is forgotten.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from pysolve.runtime import wire
from pysolve.runtime.lane import Asked

TRUTHS = "truths"  # the name under which they go to a process and come back; no page may use it
SIT = "sit"  # the question that lays a table

Truth = dict[str, Any]  # as `pysolve.service.tables.Truth` tells it


def concerns(asked: Asked) -> bool:
    """True for a question about a table."""
    line = asked.about.get("line")
    return asked.question == SIT or (isinstance(line, dict) and "table" in line)


class Tables:
    """The tables of all pages."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Truth] = OrderedDict()

    async def answered(self, asked: Asked, ask: Callable[[Asked], Awaitable[bytes]]) -> bytes:
        """The last line for a question about a table, without the truth; of two that change it the later one fails."""
        name = asked.about["line"]["table"] if asked.question != SIT else None
        before = self._kept.get(name) if isinstance(name, str) else None
        known = {} if before is None else {name: before}
        line = await ask(Asked(asked.question, {**asked.about, TRUTHS: known}))
        if wire.failure_kind(line) is not None:
            return line
        found = json.loads(line)["answer"]
        if before is not None and self._kept.get(str(name)) is not before:
            return wire.failure("asked", "somebody else has moved at this table: open the page anew")
        self._keep(str(name), before, found[TRUTHS])
        return wire.answer(found["answer"])

    def _keep(self, name: str, before: Truth | None, after: dict[str, Truth]) -> None:
        """Keeps how tables stand now; one that is not told any more is gone."""
        if before is not None and name not in after:
            del self._kept[name]
        for one, truth in after.items():
            if truth != before:
                self._kept[one] = truth
            self._kept.move_to_end(one)
        while len(self._kept) > wire.MOST_TABLES:
            self._kept.popitem(last=False)
