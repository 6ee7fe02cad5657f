"""What the printers write with: parts of a text that grow later or are dropped, values with what is known of them."""

from __future__ import annotations

import re

import pysolve
from pysolve.dsl.model import Const, Sort, Var
from pysolve.dsl.to_c.scope import Scope
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Writer
from pysolve.dsl.to_c.value import MOVER, Value, of_number, opponent, parameter
from pysolve.dsl.to_prolog import print_prolog
from pysolve.dsl.to_prolog.terms import (
    TRUE,
    Noted,
    Operation,
    bracketed,
    call,
    choice,
    clause,
    either,
    equal,
    findall,
    infix,
    items,
    joined,
    let,
    negation,
    once,
    one_line,
    variables,
)
from pysolve.dsl.to_prolog.text import quoted
from tests.games import load

NUMBER = Sort("number", -3, 3)


def test_what_is_found_out_later_stands_at_its_place() -> None:
    out = Writer()
    with out.block("int f(void)"):
        head = out.place()
        out.line("return a;")
        head.lines.append("    int a = 1;")
    assert out.text() == "int f(void) {\n    int a = 1;\n    return a;\n}\n"


def test_what_is_written_apart_stands_where_it_is_added_or_nowhere() -> None:
    out = Writer()
    with out.block(""):
        with out.apart() as kept, out.block("if (a)"):
            out.line("b();")
        with out.apart():
            out.line("dropped();")
        out.line("c();")
        out.add(kept)
    assert out.text() == "{\n    c();\n    if (a) {\n        b();\n    }\n}\n"


def test_a_place_within_what_is_dropped_is_dropped_with_it() -> None:
    out = Writer()
    with out.apart() as part:
        head = out.place()
        head.lines.append("a();")
    assert list(part) == ["a();"]
    assert out.text() == "\n"


def test_what_may_fail_is_known_without_reading_what_was_written() -> None:
    out = Writer()
    out.line("/* fail(e */")
    assert not out.may_fail
    out.fail("a < 0", code=1, line=7, slot=2, value="a")
    assert out.may_fail
    assert out.text().endswith("if (a < 0) return fail(e, 1, 7, 2, a);\n")


def test_a_value_lasts_if_it_is_known_at_the_head_of_the_function() -> None:
    assert [value.lasts for value in (MOVER, opponent(MOVER), parameter(0), of_number(3))] == [True] * 4
    assert not Value("picked1").lasts  # however its name begins
    assert not opponent(Value("v_p_1")).lasts
    assert [value.is_role for value in (MOVER, opponent(MOVER), parameter(0))] == [True, True, False]


def test_a_number_is_known_by_what_it_is_and_not_by_its_text() -> None:
    one, other = Var("one", NUMBER), Var("other", NUMBER)
    scope = Scope(load("zola").model, Tables(), Writer(), names={one: of_number(-2), other: Value("7")})
    assert scope.atom(one).number == -2
    assert scope.atom(other).number is None
    assert scope.atom(Const(3, NUMBER)).number == 3


def test_a_sum_with_known_numbers_has_one_number() -> None:
    there = Value("v", when=(Value("v >= 1"),))
    assert [str(there - 1), (there - 1 + 65).text, str(there - 1 + 1)] == ["(v - 1)", "v + 64", "v"]
    assert ((there - 1) * 8 + (Value("w") - 1)).text == "(v - 1) * 8 + (w - 1)"
    assert (of_number(2) * 8 + (there - 1)).text == "v + 15"
    assert (of_number(2) + there).when == there.when
    assert [str(of_number(-2)), of_number(-2).text, str(of_number(-2) + 5)] == ["(-2)", "-2", "3"]


def test_words_in_atoms_and_comments_are_no_variables() -> None:
    goals = [
        call("arg", ["From", "At", call(quoted("No Way"))]),
        Noted(let("X1", infix("From", "+", "Y")), "  % 3: The Author's words"),
        negation([call("name", [call("aB"), "X1", "_"])]),
    ]
    assert variables(goals) == {"From": 2, "At": 1, "X1": 2, "Y": 1}


def test_clauses_are_laid_out_a_goal_a_line_and_mark_what_stands_in_one_place() -> None:
    inner = [choice([infix("A", "==", 1)], [equal("B", "A")], [once([call("b"), call("c", ["D"])])])]
    text = clause(
        call("p", ["A", items([], None), "E"]), [TRUE, Noted(findall("B", inner * 2, "L"), " % 1"), call("q", ["L"])]
    )
    assert (
        text
        == """\
p(A, [], _E) :-
    findall(B, (   (   A == 1
                  ->  B = A
                  ;   (   b,
                          c(D)
                      ->  true
                      )
                  ),
                  (   A == 1
                  ->  B = A
                  ;   (   b,
                          c(D)
                      ->  true
                      )
                  )
              ), L), % 1
    q(L)."""
    )


def test_brackets_stand_where_prolog_needs_them() -> None:
    total = Operation("*", (Operation("+", ("A", 1)), infix("B", "-", "C")))
    same = Operation("<=", (total, infix(infix("A", "-", infix("B", "+", 1)), "*", bracketed(2))))
    assert one_line([same]) == "(A + 1) * (B - C) =< (A - (B + 1)) * (2)"
    assert one_line([let("X", joined(["A", infix("B", "*", "C"), total], " + "))]) == (
        "X is A + B * C + ((A + 1) * (B - C))"
    )
    assert one_line([either([[call("a"), call("b")], [negation([call("c"), call("d")])]])]) == (
        "( a, b -> true ; \\+ ( c, d ) -> true )"
    )


NESTED = """game "Nested"
players White, Black
board square 3 by 3
state
  at(cell): player or none

define kin(a, b: cell) = b in neighbours(a) and at(b) = at(a)
define far(a, b: cell) = b in neighbours(a) and some d in (reach from a by kin) has d in neighbours(b) and at(d) != none

move place(to: cell) as "{to}"
  when
    at(to) = none
    (count c in (reach from to by far)) < 9
  do
    at(to) := mover

end
  draw when turns >= 30 because "long"
stuck
  mover loses
"""


def test_a_closure_within_a_closure_has_a_predicate_of_its_own() -> None:
    game = pysolve.load(NESTED, engine="prolog")
    heads = re.findall(r"^(move_place_reach\d*)\(", print_prolog(game.model), re.MULTILINE)
    assert len(heads) == len(set(heads)) == 2
    position = game.start().play("a1").play("b2").play("c3")
    assert [str(move) for move in position.legal_moves] == ["b1", "c1", "a2", "c2", "a3", "b3"]
