"""Moves of random games: drawn evenly, by a rule that every engine follows however it finds the moves."""

from collections import Counter
from itertools import islice
from math import sqrt
from typing import Any

import pytest

import pysolve
from pysolve.dsl.analysis.sampling import draws_by_rank, rank
from pysolve.dsl.to_c import print_c
from pysolve.engines.build import COMPILERS, _find
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.search.mcts import mcts
from pysolve.search.playouts import drawing, game_lots, playouts
from tests.games import load, slow_but, tried

pytestmark = pytest.mark.slow

HELD = [name for name in COMPILERS if _find(name)]  # the compilers of this machine
POSITIONS = [
    ("chess", {}, 20), ("go", {"size": 5}, 26), ("othello", {}, 4), ("draughts", {}, 7), ("hex", {"size": 3}, 9),
    ("clobber", {}, 49),
]  # fmt: skip

# Moves that come more than once and in no order, with tests of all sorts: some are left until a move is drawn.
THICKET = """
game "Thicket"
players Fox, Hare
board square 4 by 4
state
  at(cell): player or none
  tired(cell): bool
setup
  for c in edge(south): at(c) := Fox
  for c in edge(north): at(c) := Hare
define friends(c: cell) = reach from c by beside
define beside(a, b: cell) = b in neighbours(a) and at(a) = at(b)
define crowd(c: cell) = count n in friends(c)
move leap(to, from: cell, loud: bool)
  when
    at(from) = mover
    some d: direction has from + d = to and at(to) != mover
    crowd(to) + (if loud then 1 else 0) < 9
    crowd(to) != 2 or some n in neighbours(to) has tired(n)
  do
    at(from) := none
    at(to) := mover
    tired(from) := loud
  after (count c: cell where at(c) = mover) > 1 or no c: cell has at(c) = opponent
move rest
  when (count c: cell where tired(c)) < 3
stuck draw
end mover wins when no c: cell has at(c) = opponent because "alone"
"""


def evenly(counts: Counter[Any], of: int) -> bool:
    """Are so many things drawn equally often?  Chi-square, five standard deviations from what is expected at most."""
    expected = counts.total() / of
    spread = sum((counts[one] - expected) ** 2 for one in counts) / expected + (of - len(counts)) * expected
    return spread < of - 1 + 5 * sqrt(2 * (of - 1))


@pytest.mark.parametrize(("name", "options", "count"), slow_but(POSITIONS[2:], POSITIONS), ids=str)
def test_every_move_is_drawn_as_often(name: str, options: dict[str, object], count: int) -> None:
    engine = load(name, **options).engine
    node, drawn = engine.expand(engine.start()), drawing(engine.game)
    assert len(node) == count
    assert evenly(Counter(drawn(lot, node) for lot in islice(game_lots(1), 400 * count)), count)


def test_orders_of_ranks_are_as_many() -> None:
    """What comes second matters, too, where the first is not legal."""
    codes = 5, 6, 7 << 12
    orders = Counter(tuple(sorted(codes, key=lambda code: rank(lot, code))) for lot in islice(game_lots(2), 6000))
    assert evenly(orders, 6)


def test_ranks_differ() -> None:
    lot = next(game_lots(3))
    assert len({rank(lot, code) for code in range(5000)}) == 5000
    assert all(rank(lot, code) < 1 << 64 for code in (0, 1, (1 << 63) - 1))


@pytest.mark.parametrize(("name", "by_rank"), [
    ("chess", True), ("go", True), ("othello", True), ("draughts", True), ("breakthrough", False), ("hex", False),
    ("amazons", False), ("zola", False),
])  # fmt: skip
def test_ranks_are_for_games_whose_moves_are_found_slowly(name: str, by_rank: bool) -> None:
    assert draws_by_rank(load(name).model) == by_rank


@pytest.mark.parametrize(("name", "way"), [
    ("chess", "BY_RANK"), ("hex", "BY_SET"), ("clobber", "BY_RUN"), ("conga", "BY_LIST"),
])  # fmt: skip
def test_every_way_to_draw_is_tested(name: str, way: str) -> None:
    assert f"#define DRAWS {way}\n" in print_c(load(name).model)


def test_some_tests_are_left_until_a_move_is_drawn() -> None:
    for name in ("chess", "go", "draughts-giveaway"):
        assert draws_by_rank(load(name).model)
    assert "passes_step" in print_c(load("chess").model)
    assert "passes_place" in print_c(load("go").model)
    assert "passes_leap" in print_c(pysolve.load(THICKET).model)


@pytest.mark.parametrize(("name", "options", "longest"), [
    ("go", {"size": 5}, 60), ("othello", {"size": 6}, 60), ("draughts", {"size": 6}, 60),
    ("clobber", {"width": 4, "height": 4}, 30),
    *slow_but((), [
        (THICKET, {}, 60), ("conga", {}, 30), ("chess", {}, 40), ("nine_mens_morris", {}, 80),
        ("lines_of_action", {"size": 5}, 30),
    ], late=[("chess", {}, 40), ("nine_mens_morris", {}, 80), ("lines_of_action", {"size": 5}, 30)]),
], ids=lambda value: value[:16].strip() if isinstance(value, str) else str(value))  # fmt: skip
def test_games_are_those_of_prolog(name: str, options: dict[str, object], longest: int) -> None:
    model = pysolve.load(name, **options).model
    trusted = PrologEngine(model)
    try:
        start = trusted.start()
        games = [playouts(trusted, start, 3, seed, longest) for seed in (1, 1000)]
        searched = mcts(trusted, start, 12, seed=2)
    finally:
        trusted.close()
    for compiler in tried(HELD):
        engine = NativeEngine(model, compiler, proof=False)
        assert [playouts(engine, start, 3, seed, longest) for seed in (1, 1000)] == games
        found = mcts(engine, start, 12, seed=2)
        assert (found.moves, found.played) == (searched.moves, searched.played)
