"""Blockade beside its oracle, in random games and in any position; the published numbers; what a position is worth."""

import random
from dataclasses import replace
from typing import Any

import pytest

from pysolve.dsl.model import notation
from pysolve.engines.prolog import PrologEngine
from tests import lockstep
from tests.games import load, slow_but
from tests.oracles import blockade

OPTIONS: list[dict[str, Any]] = [
    {},
    {"carrier_pushes": True},
    {"blockers": 7, "tacklers": 8},
    {"columns": 8, "rows": 8, "blockers": 3, "tacklers": 3, "touchdown": 2},
    {"columns": 5, "rows": 6, "blockers": 2, "tacklers": 3, "touchdown": 1, "carrier_pushes": True},
    {"columns": 4, "rows": 5, "blockers": 4, "tacklers": 0, "touchdown": 1},
    {"columns": 7, "rows": 12, "blockers": 0, "tacklers": 2, "touchdown": 5},
    {"columns": 13, "rows": 10, "blockers": 5, "tacklers": 3, "first": "Offence"},
]
VARIANTS: dict[str, dict[str, Any]] = {
    "blockade-4v3": {"blockers": 3, "tacklers": 3},
    "blockade-6v4": {"blockers": 5},
    "blockade-8v8": {"blockers": 7, "tacklers": 8},
    "blockade-8x8": {"columns": 8, "rows": 8, "blockers": 3, "tacklers": 3, "touchdown": 2},
}


@pytest.mark.parametrize("options", slow_but([OPTIONS[0], OPTIONS[4]], OPTIONS), ids=str)
def test_random_games(options: dict[str, Any]) -> None:
    lockstep.play_along(load("blockade", **options), blockade, options, seed=7, games=1, length=30)


@pytest.mark.slow
@pytest.mark.parametrize("options", slow_but([OPTIONS[0], OPTIONS[4]], OPTIONS), ids=str)
def test_any_position(options: dict[str, Any]) -> None:
    game = load("blockade", **options)
    unfolded = 0 if options.get("columns", 10) <= 10 else None  # on a large board that takes long
    engines = [PrologEngine(game.model, warm=warm) for warm in (None, unfolded)]
    rng = random.Random(str(options))
    for number in range(24):
        lockstep.compare(game, engines[number % 2], blockade, dealt(rng, **options), options)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_begin_as_they_should(name: str) -> None:
    game, options = load(name), VARIANTS[name]
    assert notation.to_dict(game.model, game.start().state) == blockade.initial(**options)
    lockstep.play_along(game, blockade, options, seed=1, games=1, length=6)


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
        position = dealt(rng)
        state = notation.from_dict(game.model, position, notation.blank(game.model))
        worth = of_the_original.estimate(state)[offence] / 100
        assert worth == pytest.approx(blockade.score(position), abs=0.005 * 4 * 120)
        added.add((position["mover"], round(engine.estimate(state)[offence] / 100 - worth)))
    assert {more for mover, more in added if mover == "Defence"} == {0}
    assert {0, 1800, 3600} <= {more for mover, more in added if mover == "Offence"} <= {1800 * n for n in range(5)}


def dealt(
    rng: random.Random, columns: int = 10, rows: int = 10, blockers: int = 4, tacklers: int = 4, touchdown: int = 3,
    carrier_pushes: bool = False, **_options: Any,
) -> dict[str, Any]:  # fmt: skip
    """A position in the middle of a turn, the pieces close together so that they meet."""
    position = blockade.initial(columns, rows, blockers, tacklers, touchdown)
    at, acted = dict.fromkeys(position["state"]["at"]), position["state"]["acted"]
    carrier = rng.choice([cell for cell in at if blockade.place(cell)[1] >= touchdown - rng.randint(0, 1)])
    x, y = blockade.place(carrier)
    near = sorted((max(abs(x - a), abs(y - b)), rng.random(), blockade.name(a, b)) for a, b in map(blockade.place, at))
    cells = [cell for _, _, cell in near[1 : 2 + rng.randint(1, 2) * (blockers + tacklers)]]
    for number, cell in enumerate(rng.sample(cells, blockers + tacklers)):
        at[cell] = "Blocker" if number < blockers else "Tackler"
    at[carrier] = "Carrier"
    mover = rng.choice(["Offence", "Defence"])
    own = [cell for cell in at if blockade.SIDE[at[cell]] == mover]
    for cell in rng.sample(own, rng.randint(0, max(0, len(own) - 1))):
        acted[cell] = True
    return {"mover": mover, "state": {"at": at, "acted": acted}}
