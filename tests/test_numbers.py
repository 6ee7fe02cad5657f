"""Large numbers: no value leaves 62 bits, the same is computed everywhere, and what clearly stays small is accepted.

In: operators and small ranges; conditions on a game whose numbers are large.  Out: ranges that hold every result; rules
that are accepted or refused; legal moves that are the same in C, in Prolog and as the manual says.
"""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from pysolve import dsl
from pysolve.dsl import RulesError
from pysolve.dsl.check.ranges import MOST_LOOKS
from pysolve.dsl.language.aggregates import AGGREGATES, Kind
from pysolve.dsl.language.operators import COMPARISONS, LARGEST, OPERATORS
from pysolve.dsl.model import Const, Each, Sort, Var
from pysolve.dsl.model.properties import constants
from pysolve.engines import open_engine
from tests.test_naive import read

GAME = """\
game "Large"
players White, Black
board square 2 by 2
state
  n: 1..60000
  m: 0..9
  low: -300..300
  far: 100000..100009
  s(cell): 0..1000
setup
  n := 60000
  m := 7
  low := -300
  for c: cell: s(c) := 1000 - column(c)
define cube(k: int) = k * k * k
define few = n < 10
define tabled(k: 0..9) = k ^ 15
stuck draw
"""
POWER = "define power = n ^ 6\n"


def text(*conditions: str) -> str:
    """A kind of moves for each condition."""
    power = POWER * any("power" in condition for condition in conditions)
    return (
        GAME
        + power
        + "".join(
            f"move kind{i}\n  when\n    {condition}\n  do far := far + 1\n" for i, condition in enumerate(conditions)
        )
    )


SMALL = [*range(-4, 5)]

# Accepted, with what they say in the initial position.
HOLDS = [
    "root((n * 2000) ^ 2 - 1) = n * 2000 - 1",
    "root((n * 2000) ^ 2) = n * 2000 and root((n * 2000) ^ 2 + 1) = n * 2000",
    "root(2147483648 * 1073741823) = 1518500249",
    "n ^ 3 > 0",
    "2147483648 * 1073741823 > 0",
    "-2147483648 * 1073741823 < 0",
    "(n ^ 3 * 10000) // n ^ 2 = 10000 * n",
    "(low * n ^ 3) // n ^ 3 = low",
    "(low * n ^ 3 - 1) // n ^ 3 = low - 1",
    "(low * n ^ 3 - 1) % n ^ 3 = n ^ 3 - 1",
    "abs(low ^ 7) > n ^ 3",
    "(sum c: cell of n ^ 3 * s(c)) = 3994 * n ^ 3",
    "(most c: cell of s(c) ^ 6) = 999 ^ 6",
    "m ^ 19 // m ^ 18 = m",
    "far = 100000 and far + 1 = 100001",
    "cube(m) = 343 and cube(cube(m)) = 343 ^ 3",
    "tabled(m) // tabled(7) = 1",
    "min(n, 1000) ^ 6 = 10 ^ 18",
    "max(-9, min(low, 9)) ^ 19 < 0",
    "(if n < 100 then n ^ 9 else 1) = 1",
    "(if n >= 100 then 1 else n ^ 9) = 1",
    "(if few then power else 1) = 1",
    "not (n < 10 and n ^ 18 > 0)",
    "n >= 100 or n ^ 9 > 0",
    "not (few and power > 0)",
    "(count k in 0..30 where k < 9 and m ^ k > 5) = 8",
    "(sum c: cell where s(c) < 10 of s(c) ^ 18) = 0",
    "not (n in 1..9 and n ^ 19 > 3)",
    "not (n in {3, 5} and n ^ 20 > 3)",
    "not (n + 1 < 10 and n ^ 19 > 0)",
    "not (abs(low) < 20 and low ^ 13 > 0)",
    "not (n < 10 and cube(cube(n)) ^ 2 > 0)",
]
# Refused; with what may be too large.
BEYOND = [
    ("n ^ 6 > 0", "n ^ 6"),
    ("n ^ 4 * 2 // n = 2 * n ^ 3", "n ^ 4"),
    ("low ^ 8 > 0", "low ^ 8"),
    ("m ^ 20 > 3", "m ^ 20"),
    ("n ^ 3 * n > 3", "n ^ 3 * n"),
    ("far ^ 3 * 10000 > 3", "far ^ 3 * 10000"),
    ("cube(cube(n)) > 0", "k * k"),
    ("(sum c, d, e, f: cell of n ^ 3 * 1000) > 0", "sum c, d, e, f: cell of n ^ 3 * 1000"),
    ("power > 0", "n ^ 6"),
    ("not (n > 9 or power > 0) and n ^ 20 > 0", "n ^ 20"),
    ("n ^ 6 > 0 and n < 10", "n ^ 6"),
    ("n < 10 or n ^ 6 > 0", "n ^ 6"),
    ("tabled(m) * tabled(m) > 0", "tabled(m) * tabled(m)"),
    ("2147483648 * 2147483648 > n", "2147483648 * 2147483648"),
    ("n < 1 // m or n ^ 6 > 0", "n ^ 6"),  # it does not hold where m is 0, and n is anything
    ("n < 10 and (n ^ 12 - 1) // (m - 7) > 0", "(n ^ 12 - 1) // (m - 7)"),  # which C would compute first
    ("-(2147483648 * 1073741823) * 2 < low", "-(2147483648 * 1073741823) * 2"),
]


def held(op: str) -> list[tuple[int, ...]]:
    return list(product(SMALL, repeat=OPERATORS[op].arity))


@pytest.mark.parametrize("op", sorted(OPERATORS.keys() - COMPARISONS))
def test_a_range_holds_every_result(op: str) -> None:
    """And for one operand it is just what is found."""
    operator, parts = OPERATORS[op], [(a, b) for a in SMALL for b in SMALL if a <= b]
    ranges = product(parts, repeat=operator.arity) if operator.arity == 1 else product(parts[::3], parts[1::2])
    for operands in ranges:
        values = product(*(range(low, high + 1) for low, high in operands))
        found = [one for one in (operator.evaluate(*each) for each in values) if one is not None]
        told = operator.range(*operands)
        if found:
            assert told is not None, operands
            assert told[0] <= min(found) and max(found) <= told[1], (operands, told)  # noqa: PT018
        if op not in ("%", "//", "^"):
            assert told == ((min(found), max(found)) if found else None), operands


@pytest.mark.parametrize("op", sorted(op for op, row in OPERATORS.items() if row.operands is not None))
def test_operands_stay_possible(op: str) -> None:
    operator = OPERATORS[op]
    assert operator.operands is not None
    whole = ((-4, 4),) * operator.arity
    for values in held(op):
        result = operator.evaluate(*values)
        for result_range in ((result, result), (-20, result), (result, 20)):
            for (low, high), value in zip(operator.operands(result_range, *whole), values, strict=True):
                assert low <= value <= high, (values, result_range)


@pytest.mark.parametrize("op", sorted(OPERATORS))
def test_there_is_a_result_where_its_operand_is_as_an_operator_needs_it(op: str) -> None:
    row = OPERATORS[op]
    for values in held(op):
        operand = None if row.needs is None else values[row.needs.operand]
        met = row.needs is None or row.needs.met(operand, operand)
        assert (row.evaluate(*values) is not None) == met, values


@pytest.mark.parametrize("op", sorted(COMPARISONS))
def test_of_two_opposite_comparisons_one_holds(op: str) -> None:
    for values in held(op):
        assert OPERATORS[op].evaluate(*values) != OPERATORS[OPERATORS[op].opposite].evaluate(*values)


def test_every_aggregate_has_its_row() -> None:
    assert tuple(AGGREGATES) == get_args(Kind)


def test_the_largest_number_has_62_bits() -> None:
    assert LARGEST.bit_length() + 1 == 62


def test_large_numbers_are_the_same_everywhere() -> None:
    both = read(text(*HOLDS))
    assert both.play(1, games=1, length=2)
    assert [kind for kind, _, _ in both.naive.moves(both.naive.start())] == [f"kind{i}" for i in range(len(HOLDS))]


@pytest.mark.parametrize(("condition", "place"), BEYOND)
def test_what_may_be_too_large_is_refused(condition: str, place: str) -> None:
    with pytest.raises(RulesError) as raised:
        dsl.read_rules(text(condition))
    assert [problem.span.text for problem in raised.value.problems] == [place]
    assert "numbers end at" in raised.value.problems[0].message


def test_roots_are_exact_in_prolog() -> None:
    """Next to squares that a float cannot tell from their neighbours."""
    sides = [3, 2**26, 2**26 + 1, 94906266, 10**9, 1518500248]
    rows = [f"root({side} ^ 2 + m - {8 - more}) = {side - 1 + more}" for side in sides for more in (0, 1)]
    engine = open_engine(dsl.read_rules(text(*rows)), "prolog")
    assert [move[0] for move in engine.expand(engine.start()).moves] == list(range(len(rows)))


def test_a_line_that_needs_the_line_above_is_asked_with_it() -> None:
    """`why` asks each line: where the line above fails this one does not hold, whatever C makes of the number."""
    first, second, third = dsl.read_rules(text("n < 10\n    n ^ 18 > 0\n    few and n ^ 18 > 0")).actions[0].demands
    assert len(second.body) > len(first.body)
    assert not second.probes
    assert not third.parts


@pytest.mark.parametrize("more", [
    "evaluate\n  large 10 : if me = mover then n ^ 2 else 0\n",
    "evaluate\n  one 20000 : if me = mover then n else 0\n  two 20000 : if me = mover then n else 0\n",
])  # fmt: skip
def test_what_evaluate_says_fits_into_searches(more: str) -> None:
    with pytest.raises(RulesError, match="evaluate may come to"):
        dsl.read_rules(text("few") + more)


def test_a_definition_that_nothing_uses_is_looked_at() -> None:
    with pytest.raises(RulesError, match="46656000000000000000000000000"):
        dsl.read_rules(text("few") + POWER)
    assert dsl.read_rules(text("few") + "define square(k: int) = k * k\n")


@pytest.mark.slow
def test_the_work_of_looking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions of conditions, each used with three arguments, would be looked at 3 ^ 12 times."""
    looks: list[int] = []
    monkeypatch.setattr("pysolve.dsl.check.check_unasked", lambda symbols: looks.append(symbols.looks))
    rows = [f"define g{i}(k: int) = g{i - 1}(k + 1) and g{i - 1}(k * 2) or g{i - 1}(k - 1)\n" for i in range(1, 12)]
    dsl.read_rules(text("g11(m)") + "define g0(k: int) = k > m\n" + "".join(rows))
    assert looks[0] < MOST_LOOKS * 1.2


def test_a_loop_over_many_numbers_is_no_list_of_them() -> None:
    number = Sort("int", 0, 10**17)
    var = Var("n", number)
    assert constants(Each(var, Const(2, number), Const(4, number))) == (var, range(2, 5))
    assert constants(Each(var, Const(0, number), Const(10**17, number))) == (var, range(10**17 + 1))
