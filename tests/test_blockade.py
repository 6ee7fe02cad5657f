"""Blockade: the published numbers, and what a position is worth."""

import random
from dataclasses import replace
from typing import Any

import pytest

from pysolve.dsl import notation
from pysolve.engines.prolog import PrologEngine
from tests.games import load
from tests.oracles import blockade


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({"blockers": 3, "tacklers": 3, "first": "Offence"}, (68_920, 2_753)),
        ({"blockers": 3, "tacklers": 3, "first": "Offence", "backwards": False}, (11_834, 508)),
        ({"blockers": 3, "tacklers": 3}, (2_846, 361)),
        ({}, (79_684, 2_079)),
    ],
    ids=str,
)
def test_whole_turns(options: dict[str, Any], counts: tuple[int, int]) -> None:
    backwards = options.pop("backwards", True)
    assert blockade.turns(blockade.initial(**options), backwards, **options) == counts


@pytest.mark.slow
def test_whole_turns_by_the_engine() -> None:
    game = load("blockade", blockers=3, tacklers=3)
    engine = PrologEngine(game.model)
    position = blockade.initial(blockers=3, tacklers=3, first="Offence")
    layer = {notation.from_dict(game.model, position, notation.blank(game.model))}
    for _ in range(4):
        layer = {child for state in layer for child in engine.expand(state).children()}
    assert len(layer) == 2_753


def test_whole_turns_without_steps_back() -> None:
    start = load("blockade-forwards", blockers=3, tacklers=3, first="Offence").start()
    assert (start.count_turns(), len(list(start.turn_positions()))) == (11_834, 508)


@pytest.mark.slow
def test_worth_of_a_position() -> None:
    """The original's, to which is added that a carrier in danger can run where the Offence is to move."""
    game = load("blockade")
    *original, escape = game.model.terms
    assert escape.name == "escape"
    engine = PrologEngine(game.model)
    of_the_original = PrologEngine(replace(game.model, terms=tuple(original), digest="original"))
    offence, added = game.players.index("Offence"), set[tuple[str, int]]()
    rng = random.Random(3)
    for _ in range(60):
        position = blockade.anything(rng)
        state = notation.from_dict(game.model, position, notation.blank(game.model))
        worth = of_the_original.estimate(state)[offence] / 100
        assert worth == pytest.approx(blockade.score(position), abs=0.005 * 4 * 120)
        added.add((position["mover"], round(engine.estimate(state)[offence] / 100 - worth)))
    assert {more for mover, more in added if mover == "Defence"} == {0}
    assert {0, 1800, 3600} <= {more for mover, more in added if mover == "Offence"} <= {1800 * n for n in range(5)}
