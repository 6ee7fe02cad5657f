"""Stacks: what is done with them in a round, and how they are written, drawn and read."""

import json

import pytest

import pysolve
from pysolve import NotationError
from pysolve.display import terminal
from pysolve.notation.json_lines import Answers

BOXES = """\
game "Boxes"

players White, Black

board square 3 by 1

type toy = Ball, Doll, Car

state
  box(cell): stack of toy up to 4
  hand(player): stack of toy up to 3
  bag: stack of 1..3 up to 5

setup
  push Ball onto box(a1)
  push Doll onto box(a1)
  push 3 onto bag
  push 1 onto bag

move turn
  when height(box(a1)) = 2
  do  # the box is turned over, by way of the others
    take 1 from box(a1) onto box(b1)
    take 1 from box(a1) onto box(b1)
    push top(box(a1)) onto box(c1)
    take height(box(a1)) from box(b1) onto box(a1)

move grab(from: cell) as "{from}"
  when height(box(from)) > 0
  do
    take 1 from box(from) onto hand(mover)
    drop 1 from bag
    push bag[1] onto bag

stuck draw

show
  box: Ball "b" red disc, Doll "d" blue star, Car "c" green square, none "."
"""


@pytest.fixture(params=["native", "prolog"])
def game(request: pytest.FixtureRequest) -> pysolve.Game:
    return pysolve.load(BOXES, engine=request.param)


def named(position: pysolve.Position, text: str) -> pysolve.Position:
    return position.play(position.parse(text))


def test_the_lines_of_a_round_change_stacks_one_after_another(game: pysolve.Game) -> None:
    start = game.start().to_dict()["state"]
    assert start["box"] == {"a1": ["Ball", "Doll"], "b1": [], "c1": []}
    turned = named(game.start(), "turn").to_dict()["state"]
    assert turned["box"] == {"a1": ["Doll", "Ball"], "b1": [], "c1": ["Doll"]}
    grabbed = named(game.start(), "a1").to_dict()["state"]
    assert (grabbed["hand"], grabbed["bag"]) == ({"White": ["Doll"], "Black": []}, [3, 3])


def test_stacks_in_texts_read_back(game: pysolve.Game) -> None:
    position = named(named(game.start(), "a1"), "a1")
    assert position.line() == ".,.,. White hand(White)=Doll hand(Black)=Ball bag=3+3"
    assert position.diagram() == "position White, hand(White) = Doll, hand(Black) = Ball, bag = 3 + 3\n  . . ."
    tall = (
        game.position(
            "bdbc . cc\n",
        )
        if False
        else game.position("bdbc,.,cc Black bag=none")
    )
    assert tall.to_dict()["state"]["box"] == {"a1": ["Ball", "Doll", "Ball", "Car"], "b1": [], "c1": ["Car", "Car"]}
    assert tall.to_dict()["state"]["bag"] == []
    for one in (position, tall):
        assert game.position(one.line()) == game.position(one.diagram()) == game.from_dict(one.to_dict()) == one


def test_a_position_with_its_moves_as_json(game: pysolve.Game) -> None:
    start = game.start()
    found = json.loads(Answers(game.model).answer(start))
    assert found["mover"] == "White"
    assert [move["position"] for move in found["moves"]] == [start.play(move).to_dict() for move in start.legal_moves]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"box": {"a1": "Ball"}}, "box(a1) is a stack: it needs a list of what lies in it, from below"),
        ({"box": {"a1": ["Ball"] * 5}}, "box(a1) cannot hold 5 values: it holds up to 4"),
        ({"box": {"a1": ["Boat"]}}, 'box(a1) cannot be "Boat": it must be Ball, Doll or Car'),
        ({"box": {"a1": [None]}}, "box(a1) cannot be none: it must be Ball, Doll or Car"),
        ({"box height": {"a1": 1}}, 'there is no state variable "box height"; expected box, hand or bag'),
    ],
)
def test_what_is_no_stack_is_refused(state: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        pysolve.load(BOXES).from_dict({"state": state})
    assert str(caught.value) == message


def test_a_picture_shows_all_that_lies_in_a_stack() -> None:
    game = pysolve.load(BOXES)
    one, three = game.position("b,.,. White").svg(), game.position("bbb,.,. White").svg()
    assert "translate(0" not in one
    assert [f'translate(0 {shift})"' in three for shift in (7, -7)] == [True, True]
    assert three.count("<circle") - one.count("<circle") == 2 * one.count("<circle")


@pytest.mark.slow
def test_a_terminal_shows_the_top_of_what_is_too_high() -> None:
    game = pysolve.load("tak")
    tower = "wb" * 15
    position = game.position(f"{tower}|,.,.,.,{tower}/.,.,.,.,./.,.,w^,.,./.,.,.,.,./{tower},.,.,.,b White")
    for rows in (terminal.plain_rows(position, ["a1"], ["b2"]), terminal.coloured_rows(position, ["a1"], ["b2"])):
        lines = ["".join(piece.text for piece in row) for row in rows]
        assert max(map(len, lines)) <= 80
        assert sum(line.count("…") for line in lines) == 3
