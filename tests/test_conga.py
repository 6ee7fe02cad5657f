"""Conga: what a position is worth."""

import random
from typing import Any

import pytest

import pysolve
from pysolve.players.functions import estimating_by, searching
from pysolve.players.own_rules import OwnRules
from tests.games import load, slow_but
from tests.oracles import conga

CONGA = [{"size": 4, "pile": 10}, {"size": 4, "pile": 1}, {"size": 6, "pile": 20}, {"size": 8, "pile": 40}]


@pytest.mark.parametrize("options", slow_but(CONGA[:2], CONGA), ids=str)
def test_programs_think_of_conga_as_the_oracle_does(options: dict[str, Any]) -> None:
    rng = random.Random(options["pile"])
    games = [pysolve.load("conga", engine=engine, **options) for engine in ("native", "prolog")]
    for _ in range(12):
        position = conga.anything(rng, **options)
        wanted = {who: conga.evaluation(position, who, options["size"]) for who in ("Black", "White")}
        assert [game.from_dict(position).evaluate() for game in games] == [wanted, wanted]


def test_levels_of_conga_play_for_moves_and_neighbours() -> None:
    """One move ahead the best one is that of the oracle; the level `original` is judged by tests/test_levels.py."""
    game = load("conga")
    levels = {name: text.partition(",")[2] for name, text in game.model.levels.items() if name != "original"}
    assert set(levels.values()) == {"terms=mobility+neighbours"}
    one_deep = estimating_by(OwnRules(terms=("mobility", "neighbours")), searching(depth=1))
    rng = random.Random(1)
    for _ in range(20):
        position = conga.anything(rng)
        moves = {str(move[1]): move[2] for move in conga.moves(position, 4)}
        if not moves or any(not conga.moves(after, 4) for after in moves.values()):
            continue
        values = {key: conga.simple_evaluation(after, position["mover"], 4) for key, after in moves.items()}
        chosen = one_deep(game.from_dict(position)).params
        assert values[str(chosen)] == max(values.values())
