"""Antiyomacy: what the setup promises, what a position is worth, what is seen."""

import random

import pytest

import pysolve
from pysolve.display.scene import things, told
from pysolve.dsl import notation
from pysolve.engines.prolog import PrologEngine
from tests.games import load
from tests.oracles import antiyomacy, antiyomacy_many

PLAYERS = ("Red", "Blue")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seeds", "land", "count"), [(8, 40, (16, 32), 1), (16, 8, (63, 127), 2)])
def test_setup(size: int, seeds: int, land: tuple[int, int], count: int) -> None:
    game = load("antiyomacy", size=size)
    engine = PrologEngine(game.model, warm=None)
    maps = set()
    for seed in range(seeds):
        position = notation.to_dict(game.model, engine.start(seed))
        state = position["state"]
        maps.add(str(state))
        firm = [cell for cell, is_land in state["land"].items() if is_land]
        assert land[0] <= len(firm) <= land[1]
        assert len(antiyomacy.grown(random.Random(1), firm, len(firm), size)) == len(firm)
        provinces = antiyomacy.provinces(state, size)
        for player in PLAYERS:
            own = [p for p in provinces if state["owner"][min(p)] == player]
            assert len(own) == count
            assert all(2 <= len(p) <= 4 and sum(state["money"][c] for c in p) == 12 for p in own)
        assert all(state["land"][cell] for province in provinces for cell in province)
        top = max(int(cell[1:]) for cell in firm)
        assert state["owner"][min(cell for cell in firm if cell[1:] == str(top))] == "Red"
        bottom = min(int(cell[1:]) for cell in firm)
        assert state["owner"][max(cell for cell in firm if cell[1:] == str(bottom))] == "Blue"
        assert {slot: value for slot, value in state.items() if slot in ("walker", "again")} == {
            "walker": None,
            "again": False,
        }
        for slot in ("unit", "building", "acted", "conquests"):
            assert not any(state[slot].values())
        assert position["mover"] == "Red"
    assert len(maps) == seeds


@pytest.mark.slow
def test_worth_of_a_position() -> None:
    game = load("antiyomacy")
    engine = PrologEngine(game.model, warm=None)
    rng = random.Random(2)
    for _ in range(40):
        position = antiyomacy.anything(rng)
        state = notation.from_dict(game.model, position, notation.blank(game.model))
        assert engine.estimate(state)[PLAYERS.index("Blue")] / 100 == pytest.approx(antiyomacy.score(position))


def test_what_can_be_bought_and_what_is_too_dear_stands_beside_the_board() -> None:
    sea = "  . . . . . . . .\n"
    drawn = f"position Red, money(a8) = 24\n  r r rf . . . . .\n{5 * sea}  b b . . . . . .\n{sea}"
    position = pysolve.load("antiyomacy").position(drawn)
    assert told(position)[5:] == [
        "units to buy: Peasant 10, Spearman 20",
        "units too dear: Baron 30, Knight 40",
        "buildings to buy: Farm 14, Tower 15",
        "buildings too dear: StrongTower 35",
    ]
    bought = {str(move).split()[0] for move in position.legal_moves if move.kind.startswith("buy")}
    assert bought == {"Peasant", "Spearman", "Farm", "Tower"}


def test_the_large_map_is_read_and_its_cells_can_be_told() -> None:
    game = load("antiyomacy", size=16)
    cells = game.model.queries["size_of"].params[0]
    assert cells.label(cells.high) == "p16"
    assert "size_of" in {tell.name for tell in game.model.tells}


def test_kinds_of_land_are_tints_of_neutral_land_and_lie_elsewhere_on_another_map() -> None:
    game, tints = load("antiyomacy"), {"brown", "grey"}
    kinds: dict[str, set[frozenset[str]]] = {cell: set() for cell in game.cells}
    for seed in (1, 2, 3):
        position = game.start(seed)
        state = position.to_dict()["state"]
        for cell, pile in zip(game.cells, things(position), strict=True):
            tint = frozenset(thing.colour for thing in pile) & tints
            neutral = state["land"][cell] and state["owner"][cell] is None
            assert neutral or not tint
            kinds[cell] |= {tint} if neutral else set()
    assert set().union(*kinds.values()) == {frozenset(), frozenset({"brown"}), frozenset({"grey"})}
    assert any(len(found) > 1 for found in kinds.values())


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_land(seats: int) -> None:
    game = load("antiyomacy-many", seats=seats)
    for seed in range(5):
        owners = notation.to_dict(game.model, game.start(seed).state)["state"]["owner"].values()
        assert all(list(owners).count(player) >= 2 for player in antiyomacy_many.NAMES[:seats])
