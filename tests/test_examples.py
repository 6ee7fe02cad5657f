"""The examples of rules files: those of every shipped game hold, and one that does not is reported."""

import re
from pathlib import Path

import pytest

import pysolve
from pysolve.authoring import examples
from pysolve.dsl import RulesError, read_rules
from pysolve.dsl.errors import MOST
from pysolve.runtime.paths import RULES, TEMPLATES
from tests.games import each

SHIPPED = [*sorted(RULES.glob("*.rules")), *sorted(TEMPLATES.glob("*.rules"))]

LINE = """\
game "Line"
option length = 4 in 4..6
players White, Black
board square length by 1
state
  at(cell): player or none
  last: cell
setup
  last := a1
move place(to: cell) as "{to}"
  when
    at(to) = none else "taken"
    to != d1 or at(a1) != none else "the far end waits for the near one"
  do
    at(to) := mover
    last := to
stuck
  mover loses
end
  draw when at(b1) = Black and at(c1) = Black because "blocked"
"""


def found(example: str) -> list[str]:
    """What fails in an example of `LINE`: expected and found."""
    indented = "\n".join(f"  {line}" for line in example.strip().split("\n"))
    game = pysolve.load(f'{LINE}\nexample "it"\n{indented}\n')
    return [f"{failure.expected} / {failure.found}" for failure in examples.run(game)]


@pytest.mark.parametrize("path", each(SHIPPED, late=()))
def test_the_examples_of_every_shipped_file_hold(path: Path) -> None:
    game = pysolve.load(path)
    assert examples.count(game) > 0
    assert (examples.notices(game), examples.run(game)) == ([], [])


def test_a_line_that_holds_is_not_reported() -> None:
    assert found("legal a1, b1, c1\nmoves 3\nperft 1 = 3, 2 = 7\nillegal d1") == []


def test_an_expectation_above_a_play_line_is_noticed_also_where_it_holds() -> None:
    early = 'example "early"\n  legal b1\n  perft 1 = 2, 2 = 2\n  play a1\n  legal b1\n  play b1\n  moves 2\n'
    game = pysolve.load(f'{LINE}\nexample "late"\n  play a1\n  legal b1\n\n{early}')
    first = LINE.count("\n") + 6
    assert [(notice.example, notice.line) for notice in examples.notices(game)] == [
        ("early", first + 1), ("early", first + 2), ("early", first + 4)]  # fmt: skip
    assert str(examples.notices(game)[0]) == (
        f'line {first + 1}, example "early": this expectation is above a play line, but all moves are played first; '
        "it refers to the position after them"
    )


def test_options_of_an_example_hold_for_it_alone() -> None:
    assert found("length 6\nmoves 5") == []
    assert found("length 6\nmoves 3") == ["3 legal moves / 5"]


def test_legal() -> None:
    assert found("legal d1") == ['d1 to be legal / "the far end waits for the near one"']
    assert found("play a1\nlegal a1, d1") == ['a1 to be legal / "taken"']


def test_illegal() -> None:
    assert found("illegal a1") == ["a1 to be illegal / that it is legal"]
    assert found("length 5\nillegal e5") == ["e5 to be illegal / that it is not a move of this game"]


def test_the_reason_is_one_of_the_author_for_a_demand_that_fails() -> None:
    assert found('play a1\nillegal a1 because "taken"') == []
    assert found('play a1\nillegal a1 because "the far end waits for the near one"') == [
        'a1 to be illegal because "the far end waits for the near one" / "taken"'
    ]
    assert found('position White\n  . . . B\nillegal d1 because "the far end waits for the near one"') == []


@pytest.mark.parametrize("beginning", ["play a1, b1, d1, c1", "position White\n  . B B ."], ids=["played", "drawn"])
def test_of_a_game_that_is_over_no_move_is_expected_to_be_legal_or_not(beginning: str) -> None:
    over = 'that the game is over: a draw because "blocked"'
    assert found(f"{beginning}\nillegal d1, b1") == [f"d1, b1 to be illegal / {over}"]
    assert found(f'{beginning}\nillegal b1 because "taken"') == [f'b1 to be illegal because "taken" / {over}']
    assert found(f"{beginning}\nlegal d1") == [f"d1 to be legal / {over}"]
    assert found(f"{beginning}\nmoves 0\nresult draw") == []


def test_result() -> None:
    over = "play a1, b1, d1, c1\nresult "
    assert found(f"{over}draw") == []
    assert found(f'{over}draw because "blocked"') == []
    assert found(f'{over}draw because "tired"') == ['a draw because "tired" / a draw because "blocked"']
    assert found(f"{over}White wins") == ['White wins / a draw because "blocked"']
    assert found("result Black wins") == ["Black wins / that the game continues: White to move"]


@pytest.mark.slow
def test_what_holds_and_the_values_that_decide_it() -> None:
    assert found("play a1\nholds at(a1) = White and last = a1 and mover = Black") == []
    assert found("play b1\nholds last = a1 or at(b1) = Black") == [
        "last = a1 or at(b1) = Black to hold / that it is false: last = b1, at(b1) = White"
    ]
    assert found("play b1\nholds every c: cell has at(c) = none") == [
        "every c: cell has at(c) = none to hold / that it is false: at(b1) = White"
    ]


@pytest.mark.slow
def test_what_holds_is_read_with_the_options_of_the_example() -> None:
    assert found("length 6\nplay f1\nholds at(f1) = White") == []
    assert found("length 6\nplay f1\nholds at(f1) = Black") == [
        "at(f1) = Black to hold / that it is false: at(f1) = White"
    ]
    (failure,) = found("length 5\nplay e1\nholds at(f1) = White")
    assert 'there is no "f1"' in failure


def test_what_holds_is_no_part_of_the_rules() -> None:
    with_it = pysolve.load(f'{LINE}\nexample "it"\n  holds some c: cell has at(c) = none\n').model
    without = pysolve.load(f'{LINE}\nexample "it"\n  moves 3\n').model
    assert len(with_it.claims) == 1
    assert with_it.kinds == without.kinds
    assert with_it.rules == without.rules


def test_counts() -> None:
    assert found("perft 2 = 8") == ["8 sequences of 2 moves / 7"]


def test_a_beginning_that_cannot_be_is_reported_once() -> None:
    assert found("play d1, a1\nmoves 3\nlegal a1") == [
        "a position to begin with / d1 is not legal: the far end waits for the near one (White is to move)"
    ]
    assert found("length 5\nposition White\n  . . .\nmoves 2") == [
        "a position to begin with / row 1 has 5 cells; 3 are drawn; the row is  . . ."
    ]


def test_a_failure_says_where() -> None:
    game = pysolve.load(f'{LINE}\nexample "first"\n  legal a1\n  moves 4\n')
    (failure,) = examples.run(game)
    assert str(failure) == 'line 24, example "first": expected 4 legal moves, found 3'


def test_rules_that_break_their_own_ranges_are_reported() -> None:
    broken = LINE.replace("last: cell", "last: cell\n  used: 0..1").replace("last := to", "used := used + 1")
    game = pysolve.load(f'{broken}\nexample "it"\n  perft 3 = 1\n')
    (failure,) = examples.run(game)
    assert '"used" becomes 2, but it holds 0..1' in failure.found


# --------------------------------------------------------------------------- what `show` says that it never is

DOTS = (Path(__file__).parent / "rules" / "dots.rules").read_text(encoding="utf-8")


def test_what_never_is_is_looked_for_in_random_games() -> None:
    broken = DOTS.replace("    owner(c) := mover", "    owner(c) := none")
    assert broken != DOTS
    assert examples.run(pysolve.load(DOTS)) == []
    (failure,) = examples.run(pysolve.load(broken))
    assert failure.expected == "never kind = Cross and owner = none"
    assert re.match(r"kind\(\w\d\) = Cross, owner\(\w\d\) = none after ", failure.found)


def test_what_never_is_is_looked_for_in_the_initial_position() -> None:
    broken = DOTS.replace("kind(c) := Dot\n", "owner(c) := Red\n", 1)
    (failure,) = (one for one in examples.run(pysolve.load(broken)) if one.example == "random game 0")
    assert failure.expected == "never kind = Nix and owner != none"
    assert failure.found == "kind(a1) = Nix, owner(a1) = Red in the initial position"


def test_an_example_that_becomes_what_never_is_fails() -> None:
    broken = DOTS.replace("    owner(c) := mover", "    owner(c) := if c = b2 then none else mover")
    broken += '\nexample "over"\n  play dot b2, dot b1, b2\n  legal a1\n'
    (failure,) = (one for one in examples.run(pysolve.load(broken)) if one.example == "over")
    assert (
        failure.found
        == "kind(b2) = Cross, owner(b2) = none: excluded by the rules:  never kind = Cross and owner = none"
    )


# ------------------------------------------------------------------------------------------- mistakes in examples

FLAWED = {
    "a cell that is not there": ("legal e1", 'the board has no cell "e1"'),
    "a line that cannot be read": ("legal", "expected"),
    "a line that there is not": ("legall a1", 'there is no option "legall"'),
    "a claim about nothing": ("holds at(z9) = none", 'there is no "z9"'),
    "nothing expected": ("play a1", "no expectation"),
}


@pytest.mark.parametrize(("lines", "said"), FLAWED.values(), ids=FLAWED)
def test_a_mistake_in_an_example_is_for_check_alone(lines: str, said: str) -> None:
    text = f'{LINE}\nexample "right"\n  moves 3\n\nexample "flawed"\n  {lines}\n'
    with pytest.warns(UserWarning, match=r"^mistake in an example at rules:2[56]: .*; pysolve check shows it$"):
        game = pysolve.load(text)
    assert game.start().perft(2) == 7
    with pytest.raises(RulesError, match=re.escape(said)):
        examples.run(game)
    with pytest.raises(RulesError, match=re.escape(said)):
        read_rules(text)


def test_many_mistakes_in_examples_are_for_check_alone() -> None:
    names = ", ".join(f"b{number}" for number in range(2, MOST + 10))
    with pytest.warns(UserWarning, match=f"check shows it and {MOST - 1} more$"):
        assert pysolve.load(f'{LINE}\nexample "flawed"\n  legal {names}\n').start().perft(1) == 3


def test_mistakes_in_examples_are_told_with_those_of_the_rules() -> None:
    text = f'{LINE.replace("last: cell", "last: sell")}\nexample "flawed"\n  legal\n'
    with pytest.raises(RulesError, match="sell"):
        pysolve.load(text)
    text = f'{LINE.replace("at(to) != none", "at(two) != none")}\nexample "flawed"\n  holds at(z9) = none\n'
    with pytest.raises(RulesError, match=r'(?s)"two".*"z9"'):
        pysolve.load(text.replace("at(to) = none else", "at(two) = none else"))


def test_mistakes_in_the_examples_of_a_parent_are_not_those_of_its_variants(tmp_path: Path) -> None:
    (tmp_path / "line.rules").write_text(f'{LINE}\nexample "flawed"\n  legal\n', encoding="utf-8")
    child = tmp_path / "short.rules"
    child.write_text('game "Short" extends "line"\nexample "it"\n  moves 3\n', encoding="utf-8")
    assert examples.run(pysolve.load(child)) == []
