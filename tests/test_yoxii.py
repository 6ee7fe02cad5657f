"""Yoxii: what a position is worth, and what the rules take for granted."""

import random
from itertools import product

import pytest

from pysolve.game import Game
from tests.games import load
from tests.oracles import yoxii

PIECES = 36  # of both players; with the token they fill the board


@pytest.fixture
def game() -> Game:
    return load("yoxii")


def test_the_value_is_the_difference_of_points_around_the_token(game: Game) -> None:
    rng = random.Random(7)
    for _ in range(50):
        position = yoxii.anything(rng, rng.randrange(PIECES), "shifting")
        value = yoxii.score(position, "White")[0] - yoxii.score(position, "Red")[0]
        assert game.from_dict(position).evaluate() == {"White": value, "Red": -value}


# --------------------------------------------------------------------------- what the rules take for granted


def test_the_board_has_no_gap_on_any_line(game: Game) -> None:
    """So a row that is jumped never leads across a missing corner."""
    cells = game.model.board.cells
    assert list(cells) == yoxii.CELLS
    for start, (x, y) in product(cells, yoxii.WAYS):
        line = [f"{chr(ord(start[0]) + n * x)}{int(start[1]) + n * y}" for n in range(8)]
        there = [cell in cells for cell in line]
        assert there == sorted(there, reverse=True), line


@pytest.mark.slow
def test_a_player_to_move_has_a_piece_and_room_for_it(game: Game) -> None:
    rng = random.Random(11)
    for _ in range(40):
        position, placed = game.start(), 0
        while not position.is_over:
            state, mover = position.to_dict()["state"], position.to_move
            assert sum(player is not None for player in state["owner"].values()) == placed
            assert sum(sum(hand.values()) for hand in state["stock"].values()) == PIECES - placed
            assert sum(state["stock"][mover].values()) > 0
            assert mover == yoxii.PLAYERS[placed % 2]
            placed += state["step"] == "placing"
            position = position.play(position.legal_moves.sample(rng))
        assert position.value("step") == "shifting"


def test_the_last_piece_fills_the_board_and_ends_the_game(game: Game) -> None:
    rng = random.Random(13)
    for _ in range(20):
        position = game.from_dict(yoxii.anything(rng, PIECES - 1, "placing"))
        (last,) = position.legal_moves
        full = position.play(last)
        assert full.is_over
        assert [cell for cell, player in full.value("owner").items() if player is None] == [full.value("token")]
