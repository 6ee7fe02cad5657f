"""Names of the variables of a rule; how much is computed while rules are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pysolve.dsl.model import SetSort, Sort, Var

WORK_LIMIT = 2_000_000  # what takes more steps to compute now is computed when it is needed
WORK_TOTAL = 40_000_000  # steps of all that is computed now
CASE_STEPS = 30  # a row of a table costs at least so many: memory is scarcer than time


@dataclass
class Names:
    """Gives every variable of one rule a name of its own, close to the author's."""

    used: set[str] = field(default_factory=set)
    wishes: dict[object, str] = field(default_factory=dict)  # what the author calls the value of an expression
    called: dict[Any, Any] = field(default_factory=dict)  # these: equal ones that are one compare fast
    numbers: dict[str, int] = field(default_factory=dict)  # the last one that was appended to a wish

    def fresh(self, wish: str, sort: Sort | SetSort) -> Var:
        """A new variable named `wish`, with a number appended if the name is taken."""
        name, number = wish, self.numbers.get(wish, 1)
        while name in self.used:
            number += 1
            name = f"{wish}{number}"
        self.numbers[wish] = number
        self.used.add(name)
        return Var(name, sort)
