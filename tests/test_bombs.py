"""Rules texts that once took hours or gigabytes: each ends with a game, or with what is too much about it.

In: a text.  It is read and printed in a process of its own, under limits of memory and processor time that are far
above what it takes.  Out: the answer.
"""

import subprocess
import sys
from collections.abc import Callable

import pytest

from pysolve import dsl
from pysolve.dsl.text.pieces import forget
from tests.games import slow_but
from tests.work import work

SMALL = """\
game "Bomb"
players White, Black
board square 3 by 3
state
  at(cell): player or none
  n: 0..9
move place(to: cell) as "{to}"
  when
    at(to) = none
  do
    at(to) := mover
stuck
  draw
"""

READER = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (240, 240))
from pysolve import dsl
import pysolve.dsl.to_prolog.partial_evaluation
dsl.to_prolog.partial_evaluation.MOST_STEPS = 100_000  # which is enough to get there
from pysolve.dsl.analysis.costs import effects_take_long
from pysolve.dsl.to_c import TooLarge, print_c
from pysolve.dsl.to_prolog import print_prolog
from pysolve.dsl.to_prolog.unfolded import print_unfolded
try:
    game = dsl.read_rules(sys.stdin.read())
    print_prolog(game), print_unfolded(game), effects_take_long(game)
    print_c(game), print_c(game, sets=False)
    print("a game")
except (dsl.RulesError, TooLarge) as error:
    print(error)
"""


def demanding(condition: str, definitions: str = "") -> str:
    return SMALL.replace("at(to) = none", condition) + definitions


def nested(first: str, again: str, depth: int) -> str:
    """Definitions of which each uses the one before it more than once."""
    rows = [again.format(here=f"d{n}", before=f"d{n - 1}") for n in range(1, depth + 1)]
    return "\n".join(["", f"define d0{first}", *rows, ""])


def chained(again: str) -> Callable[[], str]:
    return lambda: demanding("d40(to)", nested("(c: cell) = at(c) = none", again, 40))


def on_lines(*lengths: int) -> str:
    names = iter(range(10**6))
    lines = [" ".join(f"c{next(names)}" for _ in range(length)) for length in lengths]
    return SMALL.replace("square 3 by 3", "graph" + "".join(f"\n  line {line}" for line in lines))


MANY = range(5000)

BOMBS: dict[str, tuple[Callable[[], str], str]] = {
    "a definition uses another twice": (chained("define {here}(c: cell) = {before}(c) and {before}(c)"), "a game"),
    "and its opposite": (chained("define {here}(c: cell) = {before}(c) or not {before}(c)"), "a game"),
    "in other places": (
        lambda: demanding("d40(to, to)", nested(
            "(a, b: cell) = at(a) = none and at(b) = none",
            "define {here}(a, b: cell) = {before}(a + north, b + east) and {before}(b + south, a + west)", 40)),
        "too many steps inside each other",  # for C; Prolog plays it
    ),
    "within choices": (
        chained("define {here}(c: cell) = (some e in neighbours(c) has {before}(e)) and "
                "(every e in neighbours(c) has {before}(e))"),
        "a game",
    ),
    "as numbers": (
        lambda: demanding("d40(to) > 0", nested(
            "(c: cell) = if at(c) = none then 1 else 0",
            "define {here}(c: cell) = min({before}(c) + {before}(c), 3)", 40)),
        "a game",
    ),
    "with longer and longer arguments": (
        lambda: demanding("d40(1, 2)", nested(
            "(a, b: 0..9) = a < b + n", "define {here}(a, b: 0..9) = {before}(min(a + b, 9), max(a - b, 0))", 40)),
        "a game",
    ),
    "as sets": (
        lambda: demanding("to in d40", nested(
            " = {c: cell where at(c) = none}", "define {here} = {before} union {before}", 40)),
        "a game",
    ),
    "a long line": (lambda: on_lines(100), "a game"),
    "a line of 400 cells": (lambda: on_lines(400), "the longest has 400 cells"),
    "a line of 800 cells": (lambda: on_lines(800), "the longest has 800 cells"),
    "lines of many cells": (lambda: on_lines(*[100] * 8), "the longest has 100 cells"),
    "a cell far away": (lambda: SMALL.replace("square 3 by 3", "graph\n  line a1 b1 a999999999"), "a game"),
    "10 MB": (lambda: SMALL * 40_000, "at most 1,000,000 bytes"),
    "a long row": (lambda: demanding("at(to) = none" + " " * 20_000 + "and n = n"), "at most 5,000 characters"),
    "a long name": (lambda: SMALL + f"define {'f' * 1000} = 1\n", "a name has at most 100"),
    "names that are not there": (lambda: SMALL + "".join(f"define f{n} = x{n}\n" for n in MANY), "at least 180 more"),
    "brackets": (lambda: SMALL + "".join(f"define f{n} = (\n" for n in MANY), "at least 180 more"),
    "sentences": (lambda: SMALL + "".join(f"define f{n} = := {n}\n" for n in MANY[:4000]), "at least 180 more"),
    "sentences of a section": (
        lambda: SMALL.replace("  do\n", "  do\n" + "".join(f"    n := = {n}\n" for n in MANY)), "1 more mistake",
    ),
    "commas": (lambda: SMALL + "define f = " + ",\n  ".join(["a, " * 1500] * 8) + "a\n", "is not expected here"),
    "many words": (lambda: SMALL + "".join(f"define f{n} = {n} + 1\n" for n in range(9000)), "at most 30,000 words"),
    "many lines": (lambda: SMALL + "\n" * 60_000, "at most 50,000 lines"),
    "brackets inside each other": (lambda: demanding("(" * 2000 + "n = n" + ")" * 2000), "a game"),
    "an exponent": (lambda: demanding("n < 2 ^ 2147483647"), "an exponent is at most"),
    "choices": (lambda: demanding("some a, b, c, d, e, f, g: cell has a = b and c = d and e = f and g != g"), "a game"),
    "choices within choices": (
        lambda: demanding(" ".join(
            f"some c{n} in neighbours({f'c{n - 1}' if n else 'to'}) has" for n in range(60)) + " at(c59) = none"),
        "a game",
    ),
    "a set that is long to compute": (
        lambda: demanding("to in {c: cell where (count a, b, d: cell where column(a) + column(b) > column(d) + row(c))"
                          " > 3}").replace("3 by 3", "20 by 20"),
        "a game",
    ),
    "many parameters": (
        lambda: SMALL.replace("place(to: cell)", "place(to, a, b, c, d, e, f, g, h, i, j: cell)").replace(
            '"{to}"', '"{to} {a} {b} {c} {d} {e} {f} {g} {h} {i} {j}"'),
        "a game",
    ),
    "places": (lambda: SMALL.replace("n: 0..9", "n(cell, cell, cell, cell, cell, cell): 0..9"), "more than"),
}  # fmt: skip


def chain(numbers: range) -> str:
    """Definitions of which each uses the one of the number before its own."""
    uses = {0: "at(c) = none"} | {n: f"d{n - 1}(c)" for n in numbers}
    return demanding(f"d{max(numbers)}(to)", "".join(f"define d{n}(c: cell) = {uses[n]}\n" for n in numbers))


# Texts of n parts, and an n.
GROWING: dict[str, tuple[Callable[[int], str], int]] = {
    "lines that say nothing": (lambda n: "x\n" * n, 150),
    "words that only begin like a section": (lambda n: "movex\n" * n, 100),
    "names that are not there": (lambda n: SMALL + "".join(f"define f{i} = x{i}\n" for i in range(n)), 45),
    "definitions in a chain": (lambda n: chain(range(n)), 20),
    "variables in a loop": (lambda n: SMALL.replace("  do\n", "  do\n" + n * "    for c: cell: at(c) := none\n"), 25),
    "rows of a table": (
        lambda n: SMALL + "type t = " + ",\n  ".join(f"A{i}" for i in range(n)) + "\ntable t worth\n"
        + "".join(f"  A{i} {i}\n" for i in range(n)), 100),
    "lines of an example that hold": (lambda n: f'{SMALL}example "e"\n' + n * "  holds n = n\n", 20),
    "definitions": (lambda n: SMALL + "".join(f"define f{i} = {i}\n" for i in range(n)), 50),
}  # fmt: skip


def read(text: str) -> None:
    """Reads a text as if it were the first, and writes what is wrong with it."""
    forget()
    try:
        dsl.read_rules(text)
    except dsl.RulesError as error:
        str(error)


MOST_STEPS = 450  # for each further character of a text


@pytest.mark.parametrize("name", slow_but(("definitions",), GROWING))
def test_twice_the_text_is_twice_the_work(name: str) -> None:
    text, n = GROWING[name]
    read(text(2))  # what is imported and built once
    once, twice, four_times = (work(lambda k=k: read(text(k * n))) for k in (1, 2, 4))
    assert four_times - twice <= 2.4 * (twice - once), f"{once:,}, {twice:,}, {four_times:,} steps"
    assert four_times - twice <= MOST_STEPS * (len(text(4 * n)) - len(text(2 * n)))


# Phrases that stand inside of themselves: each more level costs as much as the one before it.
NESTED = {
    "a sum on its left": "({}) + 1",
    "a minus": "-({})",
    "a condition on its left": "(if ({}) + 1 > 0 then 1 else 2)",
    "a count on its left": "(count c: cell where {} > 0) + 1",
}


@pytest.mark.parametrize("name", NESTED)
def test_each_level_is_as_much_work_as_the_one_before(name: str) -> None:
    def text(depth: int) -> str:
        value = "n"
        for level in range(depth):
            value = NESTED[name].replace("c:", f"c{level}x:").format(value)
        return demanding(f"{value} > 0")

    read(SMALL)
    first, second, third = (work(lambda depth=depth: read(text(depth))) for depth in (3, 6, 9))
    assert third - second <= 2 * (second - first), f"{first:,}, {second:,}, {third:,} steps"


DOUBLED = {
    "a value with a name": (
        "let v0 = n\n" + "".join(f"    let v{i} = v{i - 1} + v{i - 1}\n" for i in range(1, 60)) + "    v59 > 0",
        '"v9" is too large, with all that the names in it stand for'),
    "the condition of an if": (
        60 * "(if " + "n = 1" + 60 * " then n = 1 else n = 2)", "this condition of an if is too large"),
}  # fmt: skip


@pytest.mark.parametrize("name", DOUBLED)
def test_what_doubles_with_each_level_is_refused(name: str) -> None:
    condition, said = DOUBLED[name]
    with pytest.raises(dsl.RulesError, match=said):
        dsl.read_rules(demanding(condition))


@pytest.mark.slow
def test_what_can_be_computed_beforehand_is_bounded_in_all() -> None:
    """Each of these definitions may become a table of 38,416 rows, and 300 of them would take a gigabyte."""
    board = SMALL.replace("3 by 3", "14 by 14")
    numbers = "".join(f"define f{n}x(a, b: cell) = row(a) + row(b) + {n}\n" for n in range(40))
    game = dsl.read_rules(
        board + numbers + 'example "all"\n  holds ' + " + ".join(f"f{n}x(a1, a1)" for n in range(40)) + " > 0\n"
    )
    assert 0 < sum(len(table.rows) for name, table in game.tables.items() if name.startswith("def_")) < 1_500_000
    assert any(name.startswith("def_") for name in game.rules), "the others are computed when they are needed"


QUICK = ("names that are not there",)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(QUICK, BOMBS, late=[*BOMBS][1::2]))
def test_a_bomb_ends_with_an_answer(name: str) -> None:
    pytest.importorskip("resource")
    text, said = BOMBS[name]
    run = subprocess.run([sys.executable, "-c", READER], input=text(), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert said in run.stdout
