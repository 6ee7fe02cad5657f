"""The tables of a game that are made of its board."""

from __future__ import annotations

from collections.abc import Mapping

from pysolve.dsl.errors import a_kind_of
from pysolve.dsl.language.functions import LEAPS, STEPS, Function
from pysolve.dsl.language.geometry import Grid, ray
from pysolve.dsl.language.sites import Sites
from pysolve.dsl.model import Sort, Table

Sorts = Mapping[str, Sort]


def function_table(row: Function, grid: Grid, sites: Mapping[str, Sites], sorts: Sorts) -> Table:
    """The table of a function of the board: its arguments, then its value or one member."""
    assert row.rows is not None
    rows = tuple(sorted(set(row.rows(grid, sites))))
    columns, last = [sorts[param] for param in row.params], row.value or row.members
    if last == "number":
        columns.append(Sort(row.name, 1, max((one[-1] for one in rows), default=1)))
    elif last:
        columns.append(sorts[last])
    text = f"{row.name} of {a_kind_of(row.params[0])}" if row.games == "sites" else row.name
    return Table(row.table, tuple(columns), rows, len(columns) - bool(row.value), text)


def step_table(kind: str, steps: Mapping[tuple[int, int], int], sorts: Sorts) -> Table:
    """The table of `place + direction`; it has no row where that is off the board."""
    rows = tuple(sorted((*start, there) for start, there in steps.items()))
    return Table(STEPS[kind], (sorts[kind], sorts["direction"], sorts[kind]), rows, 2, f"{kind} + direction")


def leap_table(kind: str, steps: Mapping[tuple[int, int], int], sorts: Sorts, bounds: tuple[int, int]) -> Table:
    """The table of `place + k * direction`, for each k within the bounds; it has no row where that is off the board."""
    (low, high), place, direction = bounds, sorts[kind], sorts["direction"]
    rows = []
    for c in place.values():
        for d in direction.values():
            ahead = [c, *ray(steps, c, d)]
            back = [c, *ray(steps, c, (d - 1 + direction.high // 2) % direction.high + 1)]
            for k in range(max(low, 1 - len(back)), min(high, len(ahead) - 1) + 1):
                rows.append((c, d, k, ahead[k] if k >= 0 else back[-k]))
    columns = place, direction, Sort("distance", low, high), place
    return Table(LEAPS[kind], columns, tuple(sorted(rows)), 3, f"{kind} + number * direction")
