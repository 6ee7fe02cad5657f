"""The operators of the language: one row each, with its meaning in Python and its spelling in Prolog.

All values are whole numbers when an operator sees them.  `//` rounds towards minus infinity and `%` has the
sign of the divisor, in every back end; dividing by zero has no value, so the condition around it is false.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from pysolve.dsl.frozen import frozen


@frozen
class Operator:
    """One operator on whole numbers; `prolog` is a format with {0}, {1} for the operands."""

    name: str
    arity: int
    evaluate: Callable[..., int | bool | None]
    prolog: str
    compares: bool = False


def _power(base: int, exponent: int) -> int | None:
    return int(base**exponent) if exponent >= 0 else None


_ROWS = (
    Operator("+", 2, operator.add, "{0} + {1}"),
    Operator("-", 2, operator.sub, "{0} - {1}"),
    Operator("*", 2, operator.mul, "{0} * {1}"),
    Operator("//", 2, lambda a, b: a // b if b else None, "{0} div {1}"),
    Operator("%", 2, lambda a, b: a % b if b else None, "{0} mod {1}"),
    Operator("^", 2, _power, "{0} ** {1}"),
    Operator("negate", 1, operator.neg, "-({0})"),
    Operator("abs", 1, abs, "abs({0})"),
    Operator("min", 2, min, "min({0}, {1})"),
    Operator("max", 2, max, "max({0}, {1})"),
    Operator("root", 1, lambda a: math.isqrt(a) if a >= 0 else None, "truncate(sqrt({0}))"),
    Operator("=", 2, operator.eq, "{0} =:= {1}", compares=True),
    Operator("!=", 2, operator.ne, "{0} =\\= {1}", compares=True),
    Operator("<", 2, operator.lt, "{0} < {1}", compares=True),
    Operator("<=", 2, operator.le, "{0} =< {1}", compares=True),
    Operator(">", 2, operator.gt, "{0} > {1}", compares=True),
    Operator(">=", 2, operator.ge, "{0} >= {1}", compares=True),
)  # fmt: skip

OPERATORS = {row.name: row for row in _ROWS}
COMPARISONS = {row.name for row in _ROWS if row.compares}
FUNCTIONS = ("abs", "min", "max", "root")  # those that are written like a call
