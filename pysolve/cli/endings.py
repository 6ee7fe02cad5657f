"""How games ended, as a table for people: what match, tournament and balance say of it.

In: rows of `pysolve.lab.endings`.  Out: lines; a column for each of those for whom an ending decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.cli.console import put
from pysolve.cli.playing import aligned
from pysolve.lab.balance import Balance
from pysolve.lab.endings import Ended, all_endings
from pysolve.lab.report import shared

WIDEST = 60  # characters of a reason; of a longer one the beginning is shown


def put_endings(found: Sequence[Ended], heads: Sequence[str], counts: Sequence[Sequence[int]]) -> None:
    """Prints a row for each ending: the number of games, then its `counts` under the `heads`."""
    rows = [[_name(one.ending), str(one.games), *map(str, more)] for one, more in zip(found, counts, strict=True)]
    _put([["endings", "games", *heads], *rows])


def put_endings_beside(found: Balance) -> None:
    """Prints a row for each ending, by sides; beside it the number of the parent's games that ended so."""
    parent = found.parent
    rows = [
        ["endings", "games", *found.sides, shared(len(found.sides)), *([] if parent is None else [_games_of(parent)])]
    ]
    for name, here, there in all_endings(found.endings, parent.endings if parent else ()):
        counts = [here.games, *here.won_as.values(), here.draws] if here else ["none"] + [""] * (len(found.sides) + 1)
        beside = [] if parent is None else [_beside(there)]
        rows.append([_name(name), *map(str, counts), *beside])
    _put(rows)


def _games_of(parent: Balance) -> str:
    return f"{parent.title} ({parent.counted})"


def _beside(there: Ended | None) -> str:
    return "none" if there is None else str(there.games)


def _put(rows: list[list[str]]) -> None:
    for line in aligned(rows, left=0):
        put(line)


def _name(ending: str) -> str:
    return f"  {ending if len(ending) <= WIDEST else ending[: WIDEST - 1] + '…'}"
