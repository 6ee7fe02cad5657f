"""The operators of the language: one row each, with its meaning in Python, its spelling in Prolog and in C, and its
ranges.  Where an operator is written, and what binds more, is in the grammar.

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
class Needs:
    """What an operand must be, or there is no result: how it compares with zero, in all languages alike."""

    operand: int
    sign: str  # != or >=

    def met(self, low: int, high: int) -> bool:
        """True if all numbers of a range are so."""
        return low >= 0 if self.sign == ">=" else low > 0 or high < 0


@frozen
class Operator:
    """One operator on whole numbers; `prolog` and `c` are formats with {0}, {1} for the operands.

    `range` gives the range of the result for those of the operands, never too narrow; None where there is no result.
    `operands` gives narrower ranges of the operands for a range that the result is known to lie in.
    `needs` is None where every number has a result.
    Of a comparison `opposite` is the one that holds where it does not.
    Of those that are written like a call `manual` finds the sentence of the manual about it.
    """

    name: str
    arity: int
    evaluate: Callable[..., int | bool | None]
    prolog: str
    c: str
    range: Callable[..., Range | None]
    operands: Callable[..., tuple[Range, ...]] | None = None
    needs: Needs | None = None
    opposite: str = ""
    manual: str = ""
    note: str = ""

    @property
    def is_compound(self) -> bool:
        """True if what C writes needs brackets as an operand: it is no call."""
        return "(" not in self.c

    @property
    def divides(self) -> bool:
        """True if there is no result where an operand is zero."""
        return self.needs is not None and self.needs.sign == "!="

    def repeats(self, operand: int) -> bool:
        """True if Prolog writes an operand more than once: then it is computed before."""
        return self.prolog.count(f"{{{operand}}}") > 1


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


def _where_it_holds(narrower: Callable[[Range, Range], tuple[Range, Range]]) -> Callable[..., tuple[Range, ...]]:
    """Of a comparison, whose operands are in narrower ranges where it holds."""
    return lambda result, a, b: narrower(a, b) if result[0] > 0 else (a, b)


# The float is next to the root of a number up to LARGEST: it may reach the integer above it, never the one below.
_ROOT = "truncate(sqrt({0})) - max(0, sign(truncate(sqrt({0})) ** 2 - {0}))"
_DIVISOR = Needs(1, "!=")
_LISTED = "The functions are `abs(n)`"

_ROWS = (
    Operator("+", 2, operator.add, "{0} + {1}", "{0} + {1}", _of_ends(operator.add), _terms),
    Operator("-", 2, operator.sub, "{0} - {1}", "{0} - {1}", lambda a, b: (a[0] - b[1], a[1] - b[0]), _difference),
    Operator("*", 2, operator.mul, "{0} * {1}", "{0} * {1}", _of_ends(operator.mul)),
    Operator("//", 2, lambda a, b: a // b if b else None, "{0} div {1}", "floor_div({0}, {1})", _quotient_range,
             needs=_DIVISOR),
    Operator("%", 2, lambda a, b: a % b if b else None, "{0} mod {1}", "floor_mod({0}, {1})", _remainder_range,
             needs=_DIVISOR),
    Operator("^", 2, _power, "{0} ** {1}", "power({0}, {1})", _power_range, needs=Needs(1, ">=")),
    Operator("negate", 1, operator.neg, "-({0})", "-{0}",
             lambda a: (-a[1], -a[0]), _negated),
    Operator("abs", 1, abs, "abs({0})", "absolute({0})", _absolute_range, _of_absolute, manual=_LISTED),
    Operator("min", 2, min, "min({0}, {1})", "least({0}, {1})", _of_ends(min), _of_smaller, manual=_LISTED),
    Operator("max", 2, max, "max({0}, {1})", "most({0}, {1})", _of_ends(max), _of_larger, manual=_LISTED),
    Operator("root", 1, lambda a: math.isqrt(a) if a >= 0 else None, _ROOT, "root({0})", _root_range,
             needs=Needs(0, ">="), manual=_LISTED, note=", rounded down"),
    Operator("=", 2, operator.eq, "{0} =:= {1}", "{0} == {1}", _truth,
             _where_it_holds(lambda a, b: (b, a)), opposite="!="),
    Operator("!=", 2, operator.ne, "{0} =\\= {1}", "{0} != {1}", _truth, opposite="="),
    Operator("<", 2, operator.lt, "{0} < {1}", "{0} < {1}", _truth,
             _where_it_holds(lambda a, b: ((a[0], b[1] - 1), (a[0] + 1, b[1]))), opposite=">="),
    Operator("<=", 2, operator.le, "{0} =< {1}", "{0} <= {1}", _truth,
             _where_it_holds(lambda a, b: ((a[0], b[1]), (a[0], b[1]))), opposite=">"),
    Operator(">", 2, operator.gt, "{0} > {1}", "{0} > {1}", _truth,
             _where_it_holds(lambda a, b: ((b[0] + 1, a[1]), (b[0], a[1] - 1))), opposite="<="),
    Operator(">=", 2, operator.ge, "{0} >= {1}", "{0} >= {1}", _truth,
             _where_it_holds(lambda a, b: ((b[0], a[1]), (b[0], a[1]))), opposite="<"),
)  # fmt: skip

OPERATORS = {row.name: row for row in _ROWS}
COMPARISONS = {row.name for row in _ROWS if row.opposite}
