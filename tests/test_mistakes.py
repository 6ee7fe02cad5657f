"""Effects that cannot be carried out: what is said, on every engine, and the parts of it in Python."""

import pickle

import pytest

import pysolve
from pysolve import RuleMistake

COUNT = """\
game "Count"

players White, Black

board square 3 by 2

state
  n(cell): 0..2
  at: cell

setup
  at := c2
  n(b2) := 2

move add(to: cell, by: 1..2) as "{by}{to}"
  when
    column(to) > 1
  do
    n(to) := n(to) + by

move go(by: 1..2) as "go {by}"
  when
    n(a1) = 1
  do
    for c: cell where column(c) = 1: n(c) := n(c) + by

move fall
  when
    n(a1) = 2
  do
    at := at + north

stuck draw

show
  n: number
"""


@pytest.fixture(params=["native", "prolog"])
def game(request: pytest.FixtureRequest) -> pysolve.Game:
    return pysolve.load(COUNT, engine=request.param)


def test_a_value_out_of_range_names_place_value_and_move_and_draws_the_board(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake) as caught:
        len(game.start().legal_moves)
    error = caught.value
    assert (error.source, error.line) == ("rules", 19)
    assert (error.place, error.value, error.move) == ("n(b2)", "3", "1b2")
    assert error.diagram == "position White\n  0 2 0\n  0 0 0"
    assert str(error).splitlines() == [
        'rules:19: "n(b2)" becomes 3, but it holds 0..2', "  the move is  1b2", "  position White", "    0 2 0",
        "    0 0 0",
    ]  # fmt: skip
    assert game.position(error.diagram) == game.start()


def test_the_first_move_that_fails_is_named(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake) as caught:
        len(game.position("0 0 0\n0 0 1").legal_moves)
    assert (caught.value.place, caught.value.value, caught.value.move) == ("n(c1)", "3", "2c1")


def test_a_place_that_the_move_does_not_choose_is_named_without_its_arguments(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake) as caught:
        len(game.position("2 0 0\n1 0 0").legal_moves)
    assert (caught.value.line, caught.value.place, caught.value.value, caught.value.move) == (25, "n", "3", "go 1")


def test_a_value_that_does_not_exist(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake, match="an effect needs a value that does not exist") as caught:
        len(game.position("0 0 0\n2 0 0").legal_moves)
    assert (caught.value.line, caught.value.place, caught.value.move) == (31, None, "fall")


def test_a_mistake_travels_between_processes(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake) as caught:
        game.start().play("1c1")
    other = pickle.loads(pickle.dumps(caught.value))
    assert (str(other), other.move, other.place) == (str(caught.value), "1b2", "n(b2)")


def test_a_mistake_in_a_long_question_names_the_line(game: pysolve.Game) -> None:
    with pytest.raises(RuleMistake, match=r'^rules:19: "n'):
        game.position("0 0 0\n0 0 0").perft(4)


HEAPS = """\
game "Heaps"

players White, Black

board square 2 by 1

state
  heap(cell): stack of player up to 2

setup
  push White onto heap(a1)

move put(to: cell) as "{to}"
  do push mover onto heap(to)

move take(n: 0..3, from, to: cell) as "{n}{from}{to}"
  when n > 1
  do take n from heap(from) onto heap(to)

stuck draw
"""


@pytest.mark.parametrize("engine", ["native", "prolog"])
@pytest.mark.parametrize(
    ("position", "line", "place", "value", "move"),
    [
        ("WB,. White", 14, "height(heap(a1))", "3", "a1"),  # it is full
        ("WB,. White, heap(a1) = White", 18, "height(heap(a1))", "-1", "2a1a1"),  # there is only one
    ],
)
def test_a_stack_that_becomes_too_high_or_too_low(
    engine: str, position: str, line: int, place: str, value: str, move: str
) -> None:
    game = pysolve.load(HEAPS, engine=engine)
    with pytest.raises(RuleMistake) as caught:
        len(game.position(position).legal_moves)
    error = caught.value
    assert (error.line, error.place, error.value, error.move) == (line, place, value, move)
    assert str(error).splitlines()[0] == f'rules:{line}: "{place}" becomes {value}, but it holds 0..2'


def test_a_state_with_a_hole_in_a_stack_is_none() -> None:
    game = pysolve.load(HEAPS)
    state = bytearray(game.start().state)
    state[game.model.slots["heap height"].offset] = 2
    with pytest.raises(pysolve.InvalidState, match=r"heap\(a1\) is not as high as what lies in it"):
        pysolve.Position(game, bytes(state))
