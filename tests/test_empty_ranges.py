"""Ranges without a number: conditions on them are false or true, counts are 0, on every engine and by every compiler.

In: a game with a kind of moves for each condition.  Out: the kinds that are legal.
"""

import warnings

import pytest

from pysolve import dsl
from pysolve.engines import open_engine
from pysolve.engines.build import NoCompiler, Refused, compilers
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError
from tests.games import slow_but

HOLDS = [
    "every k in 3..2 has n = k",
    "no k in 3..2 has n = k",
    "every k in 3..2 has at(to) = mover",
    "every k in 3..2 has at(to + k * north) = mover",
    "every k in 9..2 has column(to) = k",
    "every k in 3..2, j in 1..2 has n = k + j",
    "every j in 1..2, k in 3..2 has n = k + j",
    "every k in n + 1..n has n != k",
    "every k in low..high has n != k",
    "every k in {k in 3..2 where k > n} has n != k",
    "every c in {c: cell where column(c) > 5} has at(c) = mover",
    "(count k in 3..2 where n = k) = 0",
    "(count k in 9..2 where n = k) = 0",
    "(sum k in 3..2 of n + 1) = 0",
    "(count c: cell where every k in 3..2 has at(c + k * east) = mover) = 9",
    "some e: cell has every k in 3..2 has at(e + k * north) = mover",
    "n not in 3..2",
    "n not in (3..2 union 5..4)",
    "n in (3..2 union 0..0)",
    "every k in upto(0) has n != k",
    "no k in 1..n - 67 has k = n",
    "(count k in n..n - 66000 where k > 3) = 0",
    "(sum k in 1..n - 67 of k) = 0",
    "(count k in (1..n - 67 union {n})) = 1",
    "(count k in beyond(n)) = 0",
]
FAILS = [
    "some k in 3..2 has n != k",
    "not (every k in 3..2 has n = k)",
    "some k in 3..2 has at(to + k * north) = none",
    "n in 3..2",
    "n in (3..2 union 5..4)",
    "n = (most k in 3..2 of n)",
    "(first k in n + 1..n where k >= 0) >= 0",
    "(least c: cell where column(c) > 4 of n) >= 0",
    "some k in low..high has n != k",
    "some k in n..n - 66000 has k < 5",
    "(most k in 1..n - 67 where k > n) >= 1",
    "some k in 1..n - 67, c: cell has column(c) = k",
    "n in 1..n - 67",
]
GAME = """\
game "Nothing"
option low = 3 in 0..9
option high = 2 in 0..9
players White, Black
board square 3 by 3
state
  at(cell): player or none
  n: 0..9
define beyond(m: 0..9) = {k in m..m - 66000 where k > n}
define upto(m: 0..9) = {k in 1..m where k > 0}
stuck
  draw
"""


def text() -> str:
    kinds = [
        f'move k{number}(to: cell) as "k{number}{{to}}"\n  when\n    at(to) = none\n    {condition}\n'
        f"  do\n    at(to) := mover\n"
        for number, condition in enumerate([*HOLDS, *FAILS])
    ]
    return GAME + "".join(kinds)


def legal_kinds(engine: Engine) -> list[int]:
    return sorted({move[0] for move in engine.expand(engine.start(0)).moves})


def test_prolog() -> None:
    assert legal_kinds(PrologEngine(dsl.read_rules(text()), warm=None)) == list(range(len(HOLDS)))
    assert legal_kinds(PrologEngine(dsl.read_rules(text()), warm=0)) == list(range(len(HOLDS)))


@pytest.mark.parametrize("compiler", slow_but(["tcc"], ["cc", "zig", "tcc"]))
def test_c(compiler: str) -> None:
    try:
        compilers(compiler)
    except NoCompiler:
        pytest.skip(f"there is no {compiler} here")
    assert legal_kinds(NativeEngine(dsl.read_rules(text()), compiler, proof=False)) == list(range(len(HOLDS)))


def test_c_that_no_compiler_takes_is_said_to_be_a_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dsl.read_rules(text(), low=4)
    monkeypatch.setattr("pysolve.dsl.to_c.print_c", lambda game, sets=True: "int x = ;")
    with pytest.raises(EngineError, match="a mistake in pysolve"):
        open_engine(game, "native")
    with pytest.warns(RuntimeWarning, match="a mistake in pysolve"):
        engine = open_engine(game)
    assert isinstance(engine, PrologEngine), "it is played all the same"


def test_a_better_build_that_is_refused_is_not_hidden() -> None:
    class Hopeless:
        def wait(self) -> None:
            raise Refused("cc", "game.c:1: error")

    engine = NativeEngine(dsl.read_rules(text()), "tcc" if _has("tcc") else "auto")
    with pytest.warns(RuntimeWarning, match="Nothing is played by what .* made of it, .*: cc does not take the C that"):
        engine._improve(compilers()[0], Hopeless())  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert legal_kinds(engine) == list(range(len(HOLDS)))


def _has(compiler: str) -> bool:
    try:
        return bool(compilers(compiler))
    except NoCompiler:
        return False


@pytest.mark.parametrize("body", [
    "pick a: cell where a != nrth\n  for c in neighbours(a): at(c) := White",
    "pick a: cell where a != nrth\n  pick b: cell where b != a\n  at(b) := White",
    "pick a: cel\n  pick b: cell where b != a\n  at(a) := White",
    "pick a: cell where at(a) = nrth\n  for c: cell where c != a and c != sout: at(c) := White",
])  # fmt: skip
def test_a_lot_with_a_wrong_condition_is_one_mistake_for_each_wrong_name(body: str) -> None:
    with pytest.raises(dsl.RulesError) as raised:
        dsl.read_rules(f"{text()}setup\n  {body}\n")
    assert {problem.message for problem in raised.value.problems} <= {
        'there is no "nrth"', 'there is no "sout"', 'there is no type "cel"', 'there is no "a"'}  # fmt: skip
