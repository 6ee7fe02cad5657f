"""Names of the variables of a rule; how much is computed while rules are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from pysolve.dsl.model import SetSort, Sort, Var

WORK_LIMIT = 2_000_000  # what takes more steps to compute now is computed when it is needed


@dataclass
class Names:
    """Gives every variable of one rule a name of its own, close to the author's."""

    used: set[str] = field(default_factory=set)
    wishes: dict[object, str] = field(default_factory=dict)  # what the author calls the value of an expression

    def fresh(self, wish: str, sort: Sort | SetSort) -> Var:
        """A new variable named `wish`, with a number appended if the name is taken."""
        name, number = wish, 1
        while name in self.used:
            number += 1
            name = f"{wish}{number}"
        self.used.add(name)
        return Var(name, sort)
