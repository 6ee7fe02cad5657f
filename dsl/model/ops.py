"""The operators of the language: one row each, with its meaning in Python, its spelling in Prolog, and its ranges.

All values are whole numbers when an operator sees them.  `//` rounds towards minus infinity and `%` has the
sign of the divisor, in every back end; dividing by zero has no value, so the condition around it is false.

Every number that a game may compute lies between -LARGEST and LARGEST, which the checker proves by the ranges: so C,
which has 64 bits, and Prolog, which has as many as it takes, cannot differ.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import product

from pysolve.dsl.frozen import frozen

LARGEST = 2**61 - 1  # of what may be computed: 62 bits with the sign, so that C can add two of these
Range = tuple[int, int]  # the smallest and the largest value


@frozen
class Operator:
    """One operator on whole numbers; `prolog` is a format with {0}, {1} for the operands.

    Where an operand occurs twice in it, the checker computes that operand before.

    `range` gives the range of the result for those of the operands, never too narrow; None where there is no result.
    `operands` gives narrower ranges of the operands for a range that the result is known to lie in.
    """

    name: str
    arity: int
    evaluate: Callable[..., int | bool | None]
    prolog: str
    range: Callable[..., Range | None]
    operands: Callable[..., tuple[Range, ...]] | None = None

    @property
    def compares(self) -> bool:
        """True if the result is whether something holds."""
        return self.range is _truth


# ------------------------------------------------------------------------------------------- the meaning

MOST_BITS = 100_000  # of a power: only what is never used can be as large, since a condition forbids it


def _power(base: int, exponent: int) -> int | None:
    if exponent < 0 or base.bit_length() * exponent > MOST_BITS:
        return None
    return int(base**exponent)


# -------------------------------------------------------------------------------------------- the ranges


def _truth(*operands: Range) -> Range:
    return 0, 1


def _of_ends(evaluate: Callable[..., int | None]) -> Callable[..., Range | None]:
    """The range of what is largest and smallest where the operands are."""

    def bounds(*operands: Range) -> Range | None:
        found = [value for ends in product(*operands) if (value := evaluate(*ends)) is not None]
        return (min(found), max(found)) if found else None

    return bounds


def _quotient_range(a: Range, b: Range) -> Range | None:
    """The quotients are largest where the divisor is next to zero."""
    divisors = {n for n in (*b, -1, 1) if n and b[0] <= n <= b[1]}
    found = [dividend // divisor for dividend in a for divisor in divisors]
    return (min(found), max(found)) if found else None


def _remainder_range(a: Range, b: Range) -> Range | None:
    if b == (0, 0):
        return None
    if a[0] >= 0 and b[0] > a[1]:
        return a
    most = max(0, b[1] - 1)
    return min(0, b[0] + 1), min(most, a[1]) if a[0] >= 0 and b[0] >= 0 else most


def _power_range(base: Range, exponent: Range) -> Range | None:
    """Powers of negative numbers alternate: the largest exponents of either kind give the ends."""
    least, most = max(0, exponent[0]), exponent[1]
    exponents = {n for n in (least, least + 1, most - 1, most) if least <= n <= most}
    found = [value for one in {*base, *(n for n in (-1, 0, 1) if base[0] <= n <= base[1])} for n in exponents
             if (value := _bounded_power(one, n)) is not None]  # fmt: skip
    return (min(found), max(found)) if found else None


def _bounded_power(base: int, exponent: int) -> int:
    """The power, or a number that is as much too large."""
    found = _power(base, exponent)
    return found if found is not None else (-1 if base < 0 and exponent % 2 else 1) << MOST_BITS


def _absolute_range(a: Range) -> Range:
    ends = abs(a[0]), abs(a[1])
    return (0 if a[0] <= 0 <= a[1] else min(ends)), max(ends)


def _root_range(a: Range) -> Range | None:
    return (math.isqrt(max(0, a[0])), math.isqrt(a[1])) if a[1] >= 0 else None


# ----------------------------------------------------------------- of operands, for a range of the result


def _terms(result: Range, a: Range, b: Range) -> tuple[Range, ...]:
    return (result[0] - b[1], result[1] - b[0]), (result[0] - a[1], result[1] - a[0])


def _difference(result: Range, a: Range, b: Range) -> tuple[Range, ...]:
    return (result[0] + b[0], result[1] + b[1]), (a[0] - result[1], a[1] - result[0])


def _negated(result: Range, a: Range) -> tuple[Range, ...]:
    return ((-result[1], -result[0]),)


def _of_absolute(result: Range, a: Range) -> tuple[Range, ...]:
    return ((-result[1], result[1]),)


def _of_smaller(result: Range, a: Range, b: Range) -> tuple[Range, ...]:
    """Neither is below the smaller of the two."""
    return (result[0], a[1]), (result[0], b[1])


def _of_larger(result: Range, a: Range, b: Range) -> tuple[Range, ...]:
    return (a[0], result[1]), (b[0], result[1])


# The float is next to the root of a number up to LARGEST: it may reach the integer above it, never the one below.
_ROOT = "truncate(sqrt({0})) - max(0, sign(truncate(sqrt({0})) ** 2 - {0}))"

_ROWS = (
    Operator("+", 2, operator.add, "{0} + {1}", _of_ends(operator.add), _terms),
    Operator("-", 2, operator.sub, "{0} - {1}", lambda a, b: (a[0] - b[1], a[1] - b[0]), _difference),
    Operator("*", 2, operator.mul, "{0} * {1}", _of_ends(operator.mul)),
    Operator("//", 2, lambda a, b: a // b if b else None, "{0} div {1}", _quotient_range),
    Operator("%", 2, lambda a, b: a % b if b else None, "{0} mod {1}", _remainder_range),
    Operator("^", 2, _power, "{0} ** {1}", _power_range),
    Operator("negate", 1, operator.neg, "-({0})", lambda a: (-a[1], -a[0]), _negated),
    Operator("abs", 1, abs, "abs({0})", _absolute_range, _of_absolute),
    Operator("min", 2, min, "min({0}, {1})", _of_ends(min), _of_smaller),
    Operator("max", 2, max, "max({0}, {1})", _of_ends(max), _of_larger),
    Operator("root", 1, lambda a: math.isqrt(a) if a >= 0 else None, _ROOT, _root_range),
    Operator("=", 2, operator.eq, "{0} =:= {1}", _truth),
    Operator("!=", 2, operator.ne, "{0} =\\= {1}", _truth),
    Operator("<", 2, operator.lt, "{0} < {1}", _truth),
    Operator("<=", 2, operator.le, "{0} =< {1}", _truth),
    Operator(">", 2, operator.gt, "{0} > {1}", _truth),
    Operator(">=", 2, operator.ge, "{0} >= {1}", _truth),
)

OPERATORS = {row.name: row for row in _ROWS}
COMPARISONS = {row.name for row in _ROWS if row.compares}
FUNCTIONS = ("abs", "min", "max", "root")  # those that are written like a call
