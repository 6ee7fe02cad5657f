"""Tables that give a place which is always as far away: a set of places is moved by as many bits.

In: a table, and the column of the place that it starts from.  Out: how far away the other place is, for each
combination of the other columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Find, Sort, Step, Table, Var

MOST_WORDS = 1 << 14  # words of an array of sets
WIDEST = 4  # words of a set; larger boards are better walked through


def flat_index(known: Sequence[tuple[int, int, int]], values: list[int]) -> int:
    """The index of a combination of values in a flat array; `known` has (column, least, greatest) for each value."""
    flat = 0
    for value, (_, low, high) in zip(values, known, strict=True):
        flat = flat * (high - low + 1) + value - low
    return flat


@frozen
class Shifts:
    """For each combination of the columns in `known`, each with its least and greatest value: by how many bits the
    values of a function are to be moved to lie where its arguments are, and the set of these arguments."""

    known: tuple[tuple[int, int, int], ...]
    pairs: tuple[tuple[int, int], ...]


def find_shifts(table: Table, column: int, sort: Sort) -> Shifts | None:
    """The distances, in bits, from the places of a column to the place that the table gives.

    None if equal values of the other columns do not always mean the same distance, or if the arrays would be too large.
    """
    low = sort.low
    if sort.high - low >= 64 * WIDEST or table.keys != len(table.sorts) - 1 or column >= table.keys:
        return None
    known = [(i, table.sorts[i].lowest, table.sorts[i].high) for i in range(table.keys) if i != column]
    size = 1
    for _, first, last in known:
        size *= last - first + 1
    if size * ((sort.high - low) // 64 + 1) > MOST_WORDS:
        return None
    found: list[tuple[int, int] | None] = [None] * size
    for row in table.rows:
        flat = flat_index(known, [row[i] for i, _, _ in known])
        by, domain = found[flat] or (row[column] - row[-1], 0)
        if by != row[column] - row[-1] or not low <= row[column] <= sort.high or not low <= row[-1] <= sort.high:
            return None
        found[flat] = by, domain | 1 << (row[column] - low)
    return Shifts(tuple(known), tuple(pair or (0, 0) for pair in found))


def is_shifted(step: Step, tables: Mapping[str, Table], place: Var | None = None) -> bool:
    """Does a table give a place that is always as far away, from this one if it is given?"""
    if not isinstance(step, Find):
        return False
    table, there = tables[step.table], step.args[-1]
    if not isinstance(there, Var) or not isinstance(there.sort, Sort):
        return False
    places = [i for i, arg in enumerate(step.args[:-1])
              if isinstance(arg, Var) and place in (None, arg) and arg.sort == there.sort]  # fmt: skip
    return any(find_shifts(table, i, there.sort) is not None for i in places)
