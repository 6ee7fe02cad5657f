"""Antiyomacy for two to five players beside its oracle; what the setup promises."""

import random
from typing import Any

import pytest

from pysolve.dsl.model import notation
from pysolve.engines.prolog import PrologEngine
from tests import lockstep
from tests.games import load, slow_but
from tests.oracles import antiyomacy_many

OPTIONS: list[dict[str, Any]] = [
    {"seats": 3},
    {"seats": 5},
    {"seats": 2},
    {"seats": 4, "border_only": True},
    {"seats": 3, "size": 16},
]


@pytest.mark.parametrize("options", slow_but(OPTIONS[:1], OPTIONS), ids=str)
def test_random_games(options: dict[str, Any]) -> None:
    game = load("antiyomacy-many", **options)
    start = notation.to_dict(game.model, game.start(1).state)
    assert lockstep.play_along(game, antiyomacy_many, options, 1, 1, 14, start=start) > 10


@pytest.mark.parametrize("options", slow_but((), OPTIONS[:4]), ids=str)
def test_any_position(options: dict[str, Any]) -> None:
    game = load("antiyomacy-many", **options)
    engine = PrologEngine(game.model, warm=None)
    rng, passed_over = random.Random(str(options)), 0
    for _ in range(10):
        position = antiyomacy_many.anything(rng, 8, rng.choice((0.2, 0.5, 1)), options["seats"])
        after = lockstep.compare(game, engine, antiyomacy_many, position, options)
        passed_over += sum(one["state"]["again"] is not None and one["mover"] != position["mover"] for one in after)
    assert options["seats"] < 5 or passed_over


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_land(seats: int) -> None:
    game = load("antiyomacy-many", seats=seats)
    for seed in range(5):
        owners = notation.to_dict(game.model, game.start(seed).state)["state"]["owner"].values()
        assert all(list(owners).count(player) >= 2 for player in antiyomacy_many.NAMES[:seats])
