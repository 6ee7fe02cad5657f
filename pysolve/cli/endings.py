"""How games ended, as a table for people: what match, tournament and balance say of it.

In: rows of `pysolve.lab.endings`.  Out: lines; a column for each of those for whom an ending decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pysolve.cli.console import put
from pysolve.cli.playing import aligned
from pysolve.lab.balance import Balance
from pysolve.lab.endings import Ended, all_endings
from pysolve.lab.report import shared

WIDEST = 60  # characters of a reason; of a longer one the beginning is shown


@dataclass(frozen=True, slots=True)
class Parents:
    """The endings of the parent's games, for the column beside those of a variant."""

    title: str
    games: int  # those that count
    endings: Sequence[Ended]


def put_endings(
    found: Sequence[Ended], heads: Sequence[str], counts: Callable[[Ended], Sequence[int]], parent: Parents | None
) -> None:
    """Prints a row for each ending: the number of games, its `counts` under the `heads`, the number in the parent."""
    rows = [["endings", "games", *heads, *([] if parent is None else [f"{parent.title} ({parent.games})"])]]
    for name, here, there in all_endings(found, parent.endings if parent else ()):
        mine = ["none"] + [""] * len(heads) if here is None else [here.games, *counts(here)]
        beside = [] if parent is None else ["none" if there is None else there.games]
        rows.append([_name(name), *map(str, [*mine, *beside])])
    for line in aligned(rows, left=0):
        put(line)


def put_endings_by_side(found: Balance) -> None:
    """Prints the endings of a balance: for each the games that the sides have won; beside it those of the parent."""
    before = found.parent
    parent = None if before is None else Parents(before.title, before.counted, before.endings)
    heads = [*found.sides, shared(len(found.sides))]
    put_endings(found.endings, heads, lambda one: [*one.won_as.values(), one.draws], parent)


def _name(ending: str) -> str:
    return f"  {ending if len(ending) <= WIDEST else ending[: WIDEST - 1] + '…'}"
