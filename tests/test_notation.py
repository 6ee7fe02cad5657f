"""Positions and moves as text, and back.

In: every shipped game and every game of tests/rules, positions of games and positions with any values.  Out: a
diagram, a line and a dict read back into the same position; a move's text reads back into the same move; what
cannot be read says why.
"""

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pysolve
from pysolve.dsl import RulesError, forms, notation
from pysolve.dsl.notation import AmbiguousMove, InvalidMove, NotationError
from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.position import IllegalMove, Position
from tests.games import RULES, each, load, slow_but
from tests.lockstep import random_states
from tests.random_rules import random_rules

HERE = Path(__file__).parent
ZOLA = pysolve.load("zola", size=4)


@pytest.fixture(params=each(RULES))
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def played(game: Game, plies: int = 30) -> list[Position]:
    """The positions of one random game."""
    rng = random.Random(2)
    positions = [game.start(1)]
    while len(positions) < plies and len(positions[-1].legal_moves):
        position = positions[-1]
        positions.append(position.play(position.legal_moves.sample(rng)))
    return positions


# ------------------------------------------------------------------------------------------- positions


def test_positions_of_a_game_read_back(game: Game) -> None:
    for position in played(game):
        assert game.position(position.diagram()) == position
        assert game.position(position.line()) == position
        assert game.from_dict(position.to_dict()) == position


def test_any_position_reads_back(game: Game) -> None:
    read_back(game, seed=1, count=12)


@pytest.mark.parametrize(
    ("first", "count"), slow_but([(0, 4)], [(0, 4), *((n, 40) for n in range(4, 164, 40))], late=[(84, 40), (124, 40)])
)
def test_any_position_of_random_rules_reads_back(first: int, count: int) -> None:
    read = breached = 0
    for seed in range(first, first + count):
        try:
            game = pysolve.load(random_rules(random.Random(seed)))
            game.start()
        except (RulesError, EngineError):
            continue
        read += 1
        breached += read_back(game, seed, 6)
    assert read > 0
    assert breached > 0 or count < 40


def read_back(game: Game, seed: int, count: int) -> int:
    """Writes and reads positions in every form; how many the rules say never to be, which are refused."""
    breached = 0
    for state in random_states(game, seed, count):
        position = Position(game, state)
        if notation.breach(game.model, state):
            breached += 1
            with pytest.raises(NotationError, match="by the rules:  never "):
                game.from_dict(position.to_dict())
            continue
        assert game.position(position.diagram()) == position
        assert game.position(position.line()) == position
        assert game.from_dict(json.loads(json.dumps(position.to_dict()))) == position
    return breached


def test_a_blank_line_and_blanks_in_a_drawing_do_not_matter() -> None:
    drawn = "position   Blue\n\n   . . . R  \n. . B .\n  R . . .\n\n      . . . ."
    assert ZOLA.position(drawn).diagram() == "position Blue\n  . . . R\n  . . B .\n  R . . .\n  . . . ."


def test_a_line_shows_rows_from_the_top() -> None:
    position = ZOLA.position("...R/..B./R.../.... Blue")
    assert position.to_dict()["state"]["at"]["d4"] == "Red"
    assert position.line() == "...R/..B./R.../.... Blue"


def test_a_line_of_a_board_of_one_column_needs_no_comma() -> None:
    narrow = """\
game "Narrow"
players Ann, Bob
board square 1 by 3
state
  at(cell): player or none
  stones(cell): 0..12
move add(c: cell)
  when stones(c) < 12
  do stones(c) := stones(c) + 1
stuck draw
show
  at: Ann "A", Bob "B", none "."
  stones: 0 "", number
"""
    game = pysolve.load(narrow)
    position = game.position("./A12/B Bob")
    assert (position.line(), position.value("stones", "a2")) == ("./A12/B Bob", 12)
    assert game.position(position.line()) == position


def test_a_game_without_a_drawn_state_still_has_a_diagram() -> None:
    position = pysolve.load(HERE / "rules" / "zoo.rules").start()
    assert position.diagram().splitlines()[1:] == ["  . . .", "  . . ."]


def test_numbers_stand_beside_glyphs() -> None:
    position = pysolve.load("conga").start()
    assert position.diagram() == (
        "position Black\n  b10 .   .   .\n  .   .   .   .\n  .   .   .   .\n  .   .   .   w10"
    )
    assert position.line() == "b10,.,.,./.,.,.,./.,.,.,./.,.,.,w10 Black"


def test_slanted_boards_are_drawn_slanted() -> None:
    start = pysolve.load(HERE / "rules" / "hexxagon.rules").start()
    assert start.diagram().splitlines()[1:] == [
        "    R . P", "   . . . .", "  P . . . R", "   . . . .", "    R . P",
    ]  # fmt: skip


def test_holes_at_the_end_of_a_row_need_not_be_drawn() -> None:
    game = pysolve.load(HERE / "rules" / "shift.rules")
    rows = game.start().diagram().splitlines()
    assert rows[1] == "  ~ . . ."
    assert game.position("\n".join([*rows[:1], "  ~ . . . ~", *rows[2:]])) == game.start()


def test_a_token_hides_nothing() -> None:
    game = pysolve.load(HERE / "rules" / "shift.rules")
    position = game.position("position Red, owner(c3) = Blue, weight(c3) = 3, token = c3")
    assert position.to_dict()["state"]["owner"]["c3"] == "Blue"
    assert game.position(position.diagram()) == position


def test_what_a_dict_leaves_out_is_as_at_the_start() -> None:
    position = ZOLA.from_dict({"mover": "Blue"})
    assert position.to_move == "Blue"
    assert position.to_dict()["state"] == ZOLA.start().to_dict()["state"]


@pytest.mark.parametrize(("text", "said"), [
    ("", "a position is empty"),
    ("position Red\n . . . .", "the board has 4 rows; the drawing has 1"),
    ("position Red\n. . . .\n. . . .\n. . .\n. . . .", "row 2 has 4 cells; 3 are drawn"),
    ("position Red\n. . . .\n. x . .\n. . . .\n. . . .", 'unknown glyph "x" on b3; a cell is drawn as'),
    ("position Green", 'the mover cannot be "Green": it must be Red or Blue'),
    ("position Red, at(z9) = Blue", 'the board has no cell "z9": its cells are a1 to d4'),
    ("position Red, at(a1) = Green", 'at(a1) cannot be "Green"'),
    ("position Red, at(a1, b1) = Red", "at takes 1 arguments, not 2"),
    ("position Red, colour = Red", 'there is no state variable "colour"'),
    ("position Red at", '"at" does not have the form  name = value'),
])  # fmt: skip
def test_a_position_that_cannot_be_read_says_why(text: str, said: str) -> None:
    with pytest.raises(NotationError) as found:
        ZOLA.position(text)
    assert said in str(found.value)


@pytest.mark.parametrize(("data", "said"), [
    ([], "a position must be an object like"),
    ({"turn": "Red"}, 'a position has "mover" and "state", not "turn"'),
    ({"mover": "Green"}, 'mover cannot be "Green"'),
    ({"state": []}, '"state" must be an object'),
    ({"state": {"colour": 1}}, 'there is no state variable "colour"'),
    ({"state": {"at": "Red"}}, "at needs an object with a value for each cell"),
    ({"state": {"at": {"a9": None}}}, 'cannot be "a9"'),
    ({"state": {"at": {"a1": 3}}}, "at(a1) cannot be"),
])  # fmt: skip
def test_a_dict_that_is_no_position_says_why(data: object, said: str) -> None:
    with pytest.raises(NotationError) as found:
        ZOLA.from_dict(data)  # type: ignore[arg-type]
    assert said in str(found.value)


def test_a_number_out_of_range_is_refused() -> None:
    for value in (21, -1, True, "many", 1.5):
        with pytest.raises(NotationError, match=r"stones\(a1\) cannot be .*: it must be a number from 0 to 20"):
            pysolve.load("conga").from_dict({"state": {"stones": {"a1": value}}})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Red", "Blue", None]), min_size=16, max_size=16), st.sampled_from(["Red", "Blue"]))
def test_any_zola_position_reads_back(values: list[str | None], mover: str) -> None:
    data = {"mover": mover, "state": {"at": dict(zip(ZOLA.cells, values, strict=True))}}
    position = ZOLA.from_dict(data)
    assert position.to_dict() == data
    assert ZOLA.position(position.line()) == position == ZOLA.position(position.diagram())


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="RB.position edBlu,=()a1\n/~", max_size=60))
def test_any_text_is_a_position_or_says_why_not(text: str) -> None:
    with suppress(NotationError):
        assert ZOLA.position(text).game is ZOLA


# ----------------------------------------------------------------------------------------------- moves


def test_the_text_of_a_move_reads_back(game: Game) -> None:
    model = game.model
    for position in played(game, 12):
        for move in list(position.legal_moves)[:60]:
            assert move.numbers in notation.readings(model, move.text)
            inside = ", ".join(str(value) for value in move.params.values())
            assert move.numbers in notation.readings(model, f"{move.kind}({inside})")
            assert position.parse(f"{move.kind}({inside})") == move


@pytest.mark.parametrize(
    ("form", "word", "text", "said"),
    [
        ("{a}{b}", forms.NUMBER, "123", {"a": "12", "b": "3"}),
        ("{a}-{b}", forms.NUMBER, "1 - -2", {"a": "1", "b": "-2"}),
        ("{a}{b}", forms.CELL, "A12b3", {"a": "A12", "b": "b3"}),
        ("{a}1{b}", forms.CELL, "a11b3", {"a": "a1", "b": "b3"}),
        ("{a}{b}", forms.Choice(["n", "ne", "east", "North"]), "neast", {"a": "n", "b": "east"}),
        ("{a}{b}", forms.Choice(["n", "ne", "east", "North"]), "NEn", {"a": "NE", "b": "n"}),
        ("{a}{b}{a}", forms.NUMBER, "12312", {"a": "12", "b": "3"}),
        ("go to {a} {b}", forms.ANY, "goto x-y", {"a": "x", "b": "-y"}),
        ("{a}{b}", forms.NUMBER, "1", None),
        ("{a}-{b}", forms.CELL, "a1-b2x", None),
    ],
)
def test_the_first_word_of_a_move_is_as_long_as_it_can_be(
    form: str, word: forms.Word, text: str, said: dict[str, str] | None
) -> None:
    assert forms.Form(form, {"a": word, "b": word}).read(text) == said


@pytest.mark.parametrize("word", [forms.NUMBER, forms.ANY, forms.Choice(["1" * length for length in range(1, 9)])])
def test_words_side_by_side_are_read_in_one_pass(word: forms.Word) -> None:
    """A regular expression tries every way to divide the digits: here 100 to the power of 5."""
    names = "abcdef"
    parts = forms.Form("".join(f"{{{name}}}" for name in names), dict.fromkeys(names, word)).parts
    text = "1" * 100 + "!"
    reading = forms.Reading(parts, text)
    assert reading.words() is None
    assert len(reading.tried) <= 2 * len(names) * len(text)


def test_words_that_stand_twice_are_read_in_bounded_work() -> None:
    reading = forms.Reading(forms.Form("{a}{b}{c}{a}{b}{c}", dict.fromkeys("abc", forms.NUMBER)).parts, "1" * 300 + "!")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(forms, "MOST_STEPS", 1000)
        assert reading.words() is None
    assert len(reading.tried) == 1000


def test_different_moves_have_different_texts(game: Game) -> None:
    """Else an author would have to say the kind; pass and the like are one of a kind."""
    for position in played(game, 12):
        texts = [move.text for move in position.legal_moves]
        assert len(set(texts)) == len(texts)


def test_parameters_may_stand_side_by_side() -> None:
    game = pysolve.load("breakthrough")
    assert game.start().parse("a2b3").params == {"from": "a2", "to": "b3"}
    shift = pysolve.load(HERE / "rules" / "shift.rules").start().play(">c4")
    assert shift.parse("4c3").params == {"v": 4, "to": "c3"}


def test_case_and_blanks_do_not_matter() -> None:
    start = ZOLA.start()
    for text in ("a1xa2", "A1xA2", " a1 x a2 ", "A1 X a2", "capture(a1, a2)", "Capture( A1,A2 )"):
        assert start.parse(text).text == "a1xa2", text


def test_a_part_of_a_move_that_fits_one_legal_move_is_enough() -> None:
    start = pysolve.load("conga").start()
    assert start.parse("east").text == "a4 east"
    assert start.parse("southe").text == "a4 southeast"


def test_a_part_that_fits_several_is_ambiguous() -> None:
    with pytest.raises(AmbiguousMove, match='"a1" may be a1xb1, a1xa2'):
        ZOLA.start().parse("a1")
    with pytest.raises(AmbiguousMove, match=" …"):
        ZOLA.start().parse("x")


def test_a_text_that_is_no_move_is_invalid_and_shows_the_forms() -> None:
    with pytest.raises(InvalidMove, match=r'"hello" is not a move: moves are retreat {from}-{to}, capture {from}x{to}'):
        ZOLA.start().parse("hello")
    with pytest.raises(InvalidMove, match='did you mean "capture"'):
        ZOLA.start().parse("captur(a1, a2)")
    with pytest.raises(InvalidMove):
        ZOLA.start().parse("")


def test_a_move_against_the_rules_is_illegal_and_says_why() -> None:
    start = ZOLA.start()
    with pytest.raises(IllegalMove, match="a1-a2 is not legal: a retreat ends on an empty square; "
                       "a retreat must lead away from the centre") as found:  # fmt: skip
        start.play("a1-a2")
    assert [reason.text for reason in found.value.reasons] == ["at(to) = none", "distance(to) > distance(from)"]
    with pytest.raises(IllegalMove, match="the game is over; the winner: Red"):
        ZOLA.position("R.../..../..../.... Blue").play("a4-a3")


def test_the_authors_own_pass_is_a_move() -> None:
    start = pysolve.load("go", size=3).start()
    assert start.parse("pass").kind == "pass"
    assert start.play("pass").play("PASS").outcome is not None


def test_the_forced_pass_is_a_move_too() -> None:
    position = ZOLA.position("B.../..../...R/..B. Blue")
    assert "pass" not in position.legal_moves
    with pytest.raises(IllegalMove, match="there is another legal move"):
        position.play("pass")
    forced = ZOLA.position("R.../..../..../.B.. Red")
    assert [str(move) for move in forced.legal_moves] == ["pass"]
    assert forced.play("Pass").to_move == "Blue"


def test_negative_numbers_are_parameters_too() -> None:
    game = pysolve.load(HERE / "rules" / "zoo.rules")
    assert game.start().parse("heat red -2").params == {"t": "red", "by": -2}
    assert game.start().play("turn -1").to_dict()["state"]["n"] == -1


# --------------------------------------------------------------------------- what `show` says that it never is


@pytest.mark.parametrize(
    "text",
    [
        "position Red, owner(b2) = Red",
        "position Red, kind(b2) = Cross",
        '{"mover": "Red", "state": {"owner": {"b2": "Blue"}}}',
        ".../.+./... Red owner(b2)=Red",
    ],
)
def test_a_position_that_never_is_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"owner\(b2\) = \w+: excluded by the rules:  never kind = "):
        load("dots").position(text)


def test_a_look_that_only_one_possible_value_has_means_that() -> None:
    position = load("dots").position("position Red\n  + . r\n  . b .\n  . . .")
    state = position.to_dict()["state"]
    assert (state["kind"]["a3"], state["owner"]["a3"]) == ("Dot", None)
    assert (state["kind"]["c3"], state["owner"]["c3"]) == ("Cross", "Red")
