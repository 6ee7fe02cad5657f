"""Every demand of a game with a number, by which C is asked for it: those of the moves, then the claims of examples.

In: a game.  Out: its demands as trees, numbered in their order, each before the conditions that are part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model.game import Action, Demand, Game

WHEN, AFTER = "when", "after"


@frozen
class Numbered:
    """A demand, or a condition that is part of one, with its number."""

    number: int
    demand: Demand
    parts: tuple[Numbered, ...]

    def all(self) -> Iterator[Numbered]:
        """This demand or part with its number, followed by its parts, at any depth, with theirs."""
        yield self
        for part in self.parts:
            yield from part.all()


class Asked(NamedTuple):
    """The demands under `when` or `after` of a kind of moves; or, without a kind, a claim."""

    action: Action | None
    part: str
    demands: tuple[Numbered, ...]


def numbered_demands(game: Game) -> tuple[Asked, ...]:
    """For each kind of moves those under `when`, then those under `after`; then each claim."""
    numbers = count()

    def tree(demand: Demand) -> Numbered:
        number = next(numbers)
        return Numbered(number, demand, tuple(map(tree, demand.parts)))

    found = [
        Asked(action, part, tuple(map(tree, demands)))
        for action in game.actions
        for part, demands in ((WHEN, action.demands), (AFTER, action.after))
    ]
    return (*found, *(Asked(None, WHEN, (tree(claim),)) for claim in game.claims))
