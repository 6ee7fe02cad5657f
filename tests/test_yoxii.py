"""Yoxii beside its oracle, in random games and in positions that no game reaches; what the rules take for granted."""

import random
from itertools import product
from typing import Any

import pytest

from pysolve.engines.prolog import PrologEngine
from pysolve.game import Game
from tests import lockstep
from tests.games import load
from tests.oracles import yoxii

PIECES = 36  # of both players; with the token they fill the board


@pytest.fixture
def game() -> Game:
    return load("yoxii")


def dealt(rng: random.Random, pieces: int, step: str) -> dict[str, Any]:
    """A position as after so many placements, the pieces as close around the token as chance has it."""
    position = yoxii.initial()
    state = position["state"]
    state["token"], state["step"] = rng.choice(yoxii.CELLS), step
    column, row = map(ord, state["token"])
    spread = rng.choice((0.5, 2, 9))
    cells = sorted(
        (cell for cell in yoxii.CELLS if cell != state["token"]),
        key=lambda cell: (max(abs(ord(cell[0]) - column), abs(ord(cell[1]) - row)) + spread * rng.random(), cell),
    )
    for number, cell in enumerate(rng.sample(cells[:pieces], pieces)):
        player = yoxii.PLAYERS[number % 2]
        hand = state["stock"][player]
        value = rng.choice([value for value in hand if hand[value]])
        hand[value] -= 1
        state["owner"][cell], state["value"][cell] = player, int(value)
    position["mover"] = yoxii.PLAYERS[pieces % 2]
    return position


# ----------------------------------------------------------------------------------- beside the oracle


def test_the_game_begins_as_the_oracle_does(game: Game) -> None:
    assert game.start().to_dict() == yoxii.initial()


def test_random_games_agree(game: Game) -> None:
    assert lockstep.play_along(game, yoxii, {}, seed=1, games=8, length=2 * PIECES + 1) > 300


@pytest.mark.parametrize("fill", [0.2, 0.6, 1.0])
def test_any_position_agrees(game: Game, fill: float) -> None:
    lockstep.compare_anywhere(game, yoxii, {}, seed=3, count=30, fill=fill)


@pytest.mark.parametrize("step", ["shifting", "placing"])
@pytest.mark.slow
def test_dealt_positions_agree(game: Game, step: str) -> None:
    engines = [PrologEngine(game.model, warm=warm) for warm in (None, 0)]
    rng = random.Random(step)
    ended, anywhere = set(), 0
    for number in range(150):
        position = dealt(rng, rng.randrange(8, PIECES), step)
        lockstep.compare(game, engines[number % 2], yoxii, position, {})
        outcome = yoxii.outcome(position)
        ended |= {outcome["winner"]} if outcome else set()
        near = yoxii.around(position["state"]["token"])
        anywhere += not any(yoxii.is_free(position, cell) for cell in near)
    assert anywhere > 10
    assert ended == ({"White", "Red", None} if step == "shifting" else set())


def test_the_value_is_the_difference_of_points_around_the_token(game: Game) -> None:
    rng = random.Random(7)
    for _ in range(50):
        position = dealt(rng, rng.randrange(PIECES), "shifting")
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
        position = game.from_dict(dealt(rng, PIECES - 1, "placing"))
        (last,) = position.legal_moves
        full = position.play(last)
        assert full.is_over
        assert [cell for cell, player in full.value("owner").items() if player is None] == [full.value("token")]
