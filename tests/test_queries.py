"""Questions to a position in the names of its rules: `query` and `why`."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl.to_prolog import print_prolog
from pysolve.engines.protocol import QueryError
from pysolve.position import Position, Reason
from pysolve.runtime.paths import runtime
from tests.games import load

HERE = Path(__file__).parent
ZOLA = pysolve.load("zola", size=4).start()
CONGA = pysolve.load("conga").start()


def small(name: str, **options: object) -> Position:
    return load(name, **options).start()


ZOO, SHIFT, PROVINCES, ROOK = small("zoo"), small("shift"), small("provinces", size=3), small("rook")
BEAMS = small("beams")


# --------------------------------------------------------------------------------------------- queries


@pytest.mark.parametrize(("position", "goal", "answers"), [
    # what stands where
    (ZOLA, "at(a1) = Who", [{"Who": "Red"}]),
    (ZOLA, "at(a1, Who)", [{"Who": "Red"}]),
    (CONGA, "at(a1, Who)", QueryError),
    (CONGA, "owner(a1, Who)", [{"Who": None}]),
    (CONGA, "owner(C, Black)", [{"C": "a4"}]),
    (CONGA, "stones(C, N), N > 0", [{"C": "d1", "N": 10}, {"C": "a4", "N": 10}]),
    (CONGA, "mover(M)", [{"M": "Black"}]),
    (CONGA, "mover = M", [{"M": "Black"}]),
    # names of the game are themselves, with a capital letter too
    (ZOLA, "at(C) = Blue, distance(C) > 10", [{"C": "d1"}, {"C": "a4"}]),
    (ZOLA, "at(b1) = Red", []),
    (ZOLA, "at(b1) = Blue", [{}]),
    (CONGA, "owner(b2) = none", [{}]),
    # values and conditions
    (ZOLA, "distance(C) = 2", [{"C": "b2"}, {"C": "c2"}, {"C": "b3"}, {"C": "c3"}]),
    (ZOLA, "distance(a1, D)", [{"D": 18}]),
    (ZOLA, "distance(a1) >= distance(b2)", [{}]),
    (ZOLA, "distance(a1) < distance(b2)", []),
    (ZOLA, "distance(a1) \\= distance(b2)", [{}]),
    (ZOLA, "column(C) = row(C), at(C) = Red", [{"C": "a1"}, {"C": "b2"}, {"C": "c3"}, {"C": "d4"}]),
    (CONGA, "run(a4, south, N)", [{"N": 3}]),
    (CONGA, "run(a4, D, N), N > 0", [{"D": "east", "N": 3}, {"D": "southeast", "N": 2}, {"D": "south", "N": 3}]),
    (CONGA, "open(d1)", []),
    (CONGA, "open(c1)", [{}]),
    # the board
    (ZOLA, "neighbours(a1, N)", [{"N": "b1"}, {"N": "a2"}, {"N": "b2"}]),
    (ZOLA, "aligned(a1, c2)", []),
    (ZOLA, "between(a1, d4, C)", [{"C": "b2"}, {"C": "c3"}]),
    (ZOLA, "edge(west, C), row(C) > 2", [{"C": "a3"}, {"C": "a4"}]),
    (BEAMS, "ray(a1, north, X)", [{"X": "a2"}, {"X": "a3"}, {"X": "a4"}]),
    (BEAMS, "ray(X, east, b2), X \\= e2", [{"X": "a2"}, {"X": "c2"}, {"X": "d2"}]),
    (ZOLA, "opposite(north, D)", [{"D": "south"}]),
    (ZOLA, "clockwise(D) = east", [{"D": "northeast"}]),
    # moves
    (ZOLA, "capture(a1, To)", [{"To": "b1"}, {"To": "a2"}]),
    (ZOLA, "capture(From, a2)", [{"From": "a1"}, {"From": "a3"}]),
    (ZOLA, "retreat(From, To)", []),
    (CONGA, "sow(From, Dir), run(From, Dir) = 3", [
        {"From": "a4", "Dir": "east"}, {"From": "a4", "Dir": "south"}]),
    # joined, denied, either
    (ZOLA, "at(C) = Red, \\+ capture(C, X)", []),
    (ZOLA, "at(C) = Red, \\+ distance(C) = 18, neighbours(C, a1)", [{"C": "b2"}]),
    (ZOLA, "C = a1 ; C = b2", [{"C": "a1"}, {"C": "b2"}]),
    (ZOLA, "(at(a1) = Blue ; at(b1) = Blue), true", [{}]),
    # sorts of every kind
    (ZOO, "heat(red, I) = 5", [{"I": -2}]),
    (ZOO, "heat(T, -2, 5)", [{"T": "red"}, {"T": "blue"}]),
    (ZOO, "worst(P, W)", [{"P": "Ann", "W": -3}, {"P": "Bob", "W": None}]),
    (ZOO, "worst(P) = none", [{"P": "Bob"}]),
    (ZOO, "flag(Bob, C, true)", [{"C": "a2"}]),
    (ZOO, "flag(a1)", [{}]),
    (ZOO, "turn(I)", [{"I": -1}, {"I": 1}, {"I": 3}]),
    (ZOO, "partner(T) = none", [{"T": "blue"}]),
    (ZOO, "order(T, N), N < 0", [{"T": "green", "N": -7}]),
    (ZOO, "touched(C)", [{"C": "a1"}]),
    (ZOO, "n(N), mode(M)", [{"N": -2, "M": "calm"}]),
    (ZOO, "warm(T)", []),
    (ZOO, "far_from(a1, c2, N)", [{"N": 3}]),
    (SHIFT, "token(C), stock(Red, V, N), V >= 3", [
        {"C": "c3", "V": 3, "N": 2}, {"C": "c3", "V": 4, "N": 2}]),
    (SHIFT, "stock(Red, 9, N)", []),
    (ROOK, "royal(M) = 1, at(C) = M", [{"M": "WhiteKing", "C": "a1"}, {"M": "BlackKing", "C": "e4"}]),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_a_query_is_answered(position: Position, goal: str, answers: object) -> None:
    if answers is QueryError:
        with pytest.raises(QueryError):
            position.query(goal)
    else:
        assert position.query(goal) == answers


def test_a_query_stops_at_its_limit() -> None:
    assert len(ZOLA.query("at(C, Who)")) == 16
    assert len(ZOLA.query("at(C, Who)", limit=5)) == 5


@pytest.mark.parametrize(("goal", "said"), [
    ("colour(a1)", 'the rules have no "colour"'),
    ("distnce(a1, D)", 'the rules have no "distnce": did you mean "distance"?'),
    ("ray(a1, north, X)", 'the rules have no "ray"'),
    ("size", '"size" is an option, whose value here is 4: write the value'),
    ("distance(a1)", '"distance" cannot be queried with 1 argument'),
    ("distance(a1, D, E)", '"distance" cannot be queried with 3 arguments'),
    ("at(z9, W)", '"z9" is not of type cell'),
    ("at(a1) = green", '"green" is not of type player'),
    ("at(a1", '"at(a1" cannot be read as a Prolog goal'),
    ("X", "is not a query"),
    ("", "is not a query"),
    ("X > 3", "compares a variable without a value"),
    ("at(a1) > 3", "only numbers can be compared with > and <"),
    ("shell(ls)", 'the rules have no "shell"'),
    ("halt", 'the rules have no "halt"'),
    ("at(A, B) :- true", 'the rules have no ":-"'),
    ("3", "is not a query"),
])  # fmt: skip
def test_a_query_that_cannot_be_answered_says_why(goal: str, said: str) -> None:
    with pytest.raises(QueryError) as found:
        ZOLA.query(goal)
    assert said in str(found.value)


def test_a_bad_query_leaves_a_good_position() -> None:
    for goal in ("colour(a1)", "at(", "X > 3"):
        with pytest.raises(QueryError):
            ZOLA.query(goal)
    assert ZOLA.query("at(a1, Who)") == [{"Who": "Red"}]


# ------------------------------------------------------------------------------------------------- why


def said(position: Position, move: str) -> list[tuple[bool, str, str | None, tuple[str, ...]]]:
    """The demands of the nearest kind, as they hold or fail."""
    return [(r.holds, r.text, r.reason, r.values) for r in position.why(move).reasons]


def test_why_shows_each_demand_with_its_values() -> None:
    assert said(ZOLA, "a1-a2") == [
        (True, "at(from) = mover", "move a checker of your own", ("at(a1) = Red", "mover = Red")),
        (True, "to in neighbours(from)", "a retreat goes one square, in any direction", ()),
        (False, "at(to) = none", "a retreat ends on an empty square", ("at(a2) = Blue",)),
        (False, "distance(to) > distance(from)", "a retreat must lead away from the centre",
         ("distance(a2) = 10", "distance(a1) = 18")),
    ]  # fmt: skip


def test_why_of_a_legal_move_has_no_failure() -> None:
    explanation = ZOLA.why("a1xa2")
    assert explanation.legal
    assert explanation.failing == ()
    assert str(explanation).startswith("a1xa2 is legal")


def test_why_names_what_speaks_against_every() -> None:
    position = pysolve.load("zola", size=6).position("....../B...../....../R...../....../R..... Red")
    demand = next(r for r in position.why("a1xa5").reasons if r.text.startswith("every"))
    assert not demand.holds
    assert demand.values == ("at(a3) = Red",)


def test_why_looks_into_definitions() -> None:
    position = CONGA.game.position("b9,w1,.,./.,.,.,./.,.,.,./.,.,.,w9 Black")
    assert said(position, "a4 east")[1] == (
        False, "open(from + dir)", "the first square must be on the board and not the opponent's",
        ("owner(b4) = White", "opponent = White", "mover = Black"),
    )  # fmt: skip


def test_why_says_where_the_board_ends() -> None:
    assert "a4 + north is off the board" in said(CONGA, "a4 north")[1][3]
    assert not any("+" in value for _, _, _, values in said(CONGA, "a4 east") for value in values)


REASONS = """
game "Reasons"
players White, Black
board square 4 by 4
type man = Pawn, King
table man  worth
  Pawn      1
  King      9
state
  at(cell): player or none
  man(cell): man or none
setup
  for c in {a1, b1, c1, c2, d4}
    at(c) := White
    man(c) := Pawn
  at(a4) := Black
  man(a4) := King
define linked(a, b: cell) = b in neighbours(a) and at(a) = at(b)
define group(c: cell): set of cell = reach from c by linked
define own: cell = first c: cell where at(c) = mover and man(c) = King
define near(a, b: cell) = column(a) = column(b) or row(a) = row(b)
define safe(c: cell) = if man(c) = King then row(c) > 1 else column(c) > 1 or near(c, d4)
define watched(c: cell) = at(c) = none and (some n in neighbours(c) has man(n) = King)
move go(from, to: cell) as "{from}-{to}"
  when
    at(from) = mover
    at(to + north) = none or near(from, to) and at(to) = opponent
    to in group(from)
move stay(c: cell) as "stay {c}"
  when
    c != own
    safe(c)
    not watched(c)
    some x in group(c) has row(x) = 4
    worth(man(c)) > 1
move leave(c: cell) as "leave {c}"
  when
    c not in group(a1)
    at(c + 2 * east) = none
stuck draw
"""


def tree(reasons: tuple[Reason, ...]) -> list[object]:
    """Reasons with their parts: does it hold, its text, its values, its parts."""
    return [[r.holds, r.text, list(r.values), *([tree(r.parts)] if r.parts else [])] for r in reasons]


@pytest.fixture(scope="module")
def reasons() -> Position:
    return pysolve.load(REASONS).start()


def test_why_says_which_alternative_failed_at_what(reasons: Position) -> None:
    alternatives = tree(reasons.why("a1-d4").reasons)[1]
    assert alternatives[0] is False
    assert alternatives[3] == [
        [False, "at(to + north) = none", ["d4 + north is off the board"]],
        [False, "near(from, to) and at(to) = opponent", [], [
            [False, "near(from, to)", [], [
                [False, "column(a) = column(b)", ["column(a1) = 1", "column(d4) = 4"]],
                [False, "row(a) = row(b)", ["row(a1) = 1", "row(d4) = 4"]],
            ]],
            [False, "at(to) = opponent", ["at(d4) = White", "opponent = Black", "mover = White"]],
        ]],
    ]  # fmt: skip


def test_why_says_no_cell_off_the_board_where_another_alternative_counts(reasons: Position) -> None:
    (either,) = [r for r in reasons.why("a1-d4").reasons if " or " in r.text]
    assert not any("off the board" in value for value in either.values)


def test_why_goes_into_what_a_definition_chooses(reasons: Position) -> None:
    (safe,) = [r for r in reasons.why("stay a2").reasons if r.text == "safe(c)"]
    assert tree(safe.parts) == [
        [False, "column(c) > 1 or near(c, d4)", [], [
            [False, "column(c) > 1", ["column(a2) = 1"]],
            [False, "near(c, d4)", [], [
                [False, "column(a) = column(b)", ["column(a2) = 1", "column(d4) = 4"]],
                [False, "row(a) = row(b)", ["row(a2) = 2", "row(d4) = 4"]],
            ]],
        ]],
    ]  # fmt: skip


def test_why_says_what_holds_that_is_denied(reasons: Position) -> None:
    (watched,) = [r for r in reasons.why("stay a3").reasons if r.text == "not watched(c)"]
    assert tree(watched.parts) == [
        [True, "at(c) = none", ["at(a3) = none"]],
        [True, "some n in neighbours(c) has man(n) = King", ["man(a4) = King"]],
    ]


def test_why_shows_the_path_of_reach_and_where_it_ends(reasons: Position) -> None:
    assert [r.values for r in reasons.why("a1-c2").reasons if r.text == "to in group(from)"] == [("path: a1, b1, c2",)]
    assert [r.values for r in reasons.why("a1-d4").reasons if r.text == "to in group(from)"] == [
        ("reached: a1, b1, c1, c2",)
    ]
    assert [r.values for r in reasons.why("stay a1").reasons if r.text.startswith("some x")] == [
        ("reached: a1, b1, c1, c2",)
    ]
    assert [r.values for r in reasons.why("leave c1").reasons if r.text == "c not in group(a1)"] == [
        ("path: a1, b1, c1",)
    ]


def test_why_says_where_a_value_is_missing(reasons: Position) -> None:
    values = {r.text: r.values for r in reasons.why("stay a2").reasons}
    assert values["c != own"] == ("own has no value",)
    assert values["worth(man(c)) > 1"] == ("man(a2) = none",)
    assert reasons.why("leave d1").reasons[1].values == ("d1 + 2 * east is off the board",)


def test_parts_are_data_and_lines(reasons: Position) -> None:
    explanation = reasons.why("a1-d4")
    first = explanation.to_dict()["kinds"][0]["demands"][1]["parts"][0]
    assert first == {"holds": False, "text": "at(to + north) = none", "line": 27, "reason": None,
                     "values": ["d4 + north is off the board"], "parts": []}  # fmt: skip
    assert "\n      fails, line 27: at(to + north) = none (d4 + north is off the board)\n" in str(explanation)


@pytest.mark.parametrize("name", ["chess", "antiyomacy", "draughts", "yoxii"])
def test_parts_decide_as_their_demand_does(name: str) -> None:
    """Of what is joined by `or` all fail where it fails; of what is joined by `and` one does."""
    position = pysolve.load(name).start(1)
    model, chance, seen = position.game.model, random.Random(3), 0
    for _ in range(60):
        action = chance.choice(model.actions)
        numbers = [chance.choice(list(param.sort.values())) for param in action.params]  # type: ignore[union-attr]
        for reason in position._reasons(action, (model.actions.index(action), *numbers)):
            assert not (reason.holds and reason.parts)
            seen += bool(reason.parts)
            if reason.parts and " or " in reason.text and " and " not in reason.text and "not" not in reason.text:
                assert not any(part.holds for part in reason.parts)
    assert seen


def test_why_looks_at_the_position_that_results() -> None:
    position = pysolve.load(HERE / "rules" / "rook.rules").position(
        "position Black\n. . . . k\n. . . R .\n. . . . K\n. . . . .\n. . . . .")  # fmt: skip
    reasons = position.why("e5d5").reasons
    assert [(r.holds, r.text) for r in reasons][-1] == (False, "not check(mover)")
    assert all(r.holds for r in reasons[:-1])
    assert "your king would be in check" in str(position.why("e5d5"))


def test_why_says_which_cell_is_not_on_a_ray() -> None:
    position = BEAMS.game.position("position White\n. . . . .\n. . b . .\n. . . . .\nw . . . .")
    found = {reason.text: reason for reason in position.why("c1 west").failing}
    assert list(found) == ["a1 not in ray(to, d) or at(a1) = none"]
    assert found["a1 not in ray(to, d) or at(a1) = none"].values == ("at(a1) = White",)


def test_what_results_is_not_looked_at_while_something_else_fails() -> None:
    reasons = ROOK.why("a1e5").reasons
    assert "not check(mover)" not in [r.text for r in reasons]


def test_why_of_a_text_for_two_kinds_tells_of_both() -> None:
    kinds = [kind for kind, _ in SHIFT.why(">c4").kinds]
    assert kinds == ["shift >c4"]
    grow = pysolve.load("hex", size=3).start().why("b2")
    assert grow.legal


def test_why_of_no_move_shows_the_forms() -> None:
    explanation = ZOLA.why("hello")
    assert not explanation.legal
    assert explanation.kinds == ()
    assert "moves are retreat {from}-{to}, capture {from}x{to}" in str(explanation)


def test_why_of_a_forced_pass() -> None:
    assert ZOLA.why("pass").note == "there is another legal move"
    forced = pysolve.load("zola", size=4).position("R.../..../..../.B.. Red")
    assert forced.why("pass").legal


def test_why_when_the_game_is_over() -> None:
    over = pysolve.load("zola", size=4).position("R.../..../..../.... Blue")
    assert over.why("a4-a3").note.startswith("the game is over; the winner: Red")


def test_why_says_which_value_is_out_of_range() -> None:
    reasons = {r.text: r for r in SHIFT.play(">c4").why("4c4").failing}
    assert list(reasons) == ["free(to)", "to in neighbours(token) or no c in neighbours(token) has free(c)"]
    assert reasons["to in neighbours(token) or no c in neighbours(token) has free(c)"].values == ("token = c4",)


def test_an_explanation_is_data() -> None:
    data = ZOLA.why("a1-a2").to_dict()
    assert data["legal"] is False
    assert data["kinds"][0]["demands"][2]["values"] == ["at(a2) = Blue"]


def test_a_move_of_the_list_can_be_explained() -> None:
    move = CONGA.legal_moves[0]
    assert CONGA.why(move).legal
    assert all(reason.holds for reason in CONGA.why(move).reasons)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("swipl") is None, reason="there is no swipl here")
def test_plain_prolog_says_the_same(reasons: Position, tmp_path: Path) -> None:
    program = tmp_path / "reasons.pl"
    program.write_text(print_prolog(reasons.game.model, runtime()), "utf-8")
    goal = "initial(P), why(P, go(a1, d4)), why(P, go(a1, c2)), halt."
    done = subprocess.run(["swipl", "-q", "-g", goal, "-t", "halt(1)", str(program)],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [re.sub(" +", " ", line).strip() for line in done.stdout.splitlines()]
    assert "FAILS line 27: at(to + north) = none d4 + north is off the board" in lines
    assert "FAILS line 21: column(a) = column(b) column(a1) = 1, column(d4) = 4" in lines
    assert "FAILS line 28: to in group(from) reached: a1, b1, c1, c2" in lines
    assert "holds line 28: to in group(from) path: a1, b1, c2" in lines
