"""The aggregates of the language: one row each.

An aggregate makes one value of the values that all ways to choose some variables give, in the order of these ways.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Literal

from pysolve.dsl.frozen import frozen

Kind = Literal["count", "sum", "most", "least", "first"]


@frozen
class Aggregate:
    """One aggregate; `prolog` is a predicate of the list of all values and the result.

    Those that add have a value for any number of ways: their sum, where each way counts 1 for `count`.  Of the others,
    the result is one of the values, and there is none of no values.  Those with a `rank` take the value that has the
    least, and the earliest of several.
    """

    name: Kind
    form: str  # an example, for people
    of: Literal["never", "may", "must"]  # does the value stand behind `of`?  Else it is what is chosen
    manual: str  # with which the row of the manual about it begins
    evaluate: Callable[[Iterator[int]], int | None]
    prolog: str = ""
    adds: bool = False
    rank: Callable[[int], int] | None = None
    compares: bool = False  # has it a meaning only for numbers, which have an order?
    rounds: Callable[[int], int] = lambda values: 1  # how often C looks at each way, for so many values it may have
    reserved: bool = True  # else it is a word of the language only where variables follow


_ROWS = (
    Aggregate("count", "count c: cell where at(c) = mover", "never", "| `count x in set",
              lambda values: sum(1 for _ in values), "length", adds=True),
    Aggregate("sum", "sum c: cell of stones(c)", "must", "| `sum x in set", sum, "sum_list", adds=True),
    Aggregate("most", "most c: cell of column(c)", "may", "| `most x in set",
              lambda values: max(values, default=None), "max_list", rank=operator.neg, compares=True),
    Aggregate("least", "least c: cell of column(c)", "may", "| `most x in set",
              lambda values: min(values, default=None), "min_list", rank=operator.pos, compares=True),
    Aggregate("first", "first c: cell where at(c) = none", "never", "| `first x in set",
              lambda values: next(values, None), rank=lambda _: 0, reserved=False),
)  # fmt: skip

AGGREGATES = {row.name: row for row in _ROWS}
