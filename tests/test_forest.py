"""Several trees at once, and turns that are found as a whole.

In: trees of random games of the same position, grown together.  Out: their visits are those of single trees added up,
the same on both engines and each time; proofs are kept; a player who finds whole turns spends what his moves may cost.
"""

from __future__ import annotations

import threading
import time

import pytest

import pysolve
from pysolve.engines.protocol import Engine
from pysolve.players.functions import Thought, player
from pysolve.runtime.cancellation import Abandoned, abandoned_when, go_on
from pysolve.search.forest import APART, Forest
from pysolve.search.history import History
from pysolve.search.mcts import Settings, mcts, planted
from tests.games import load

pytestmark = pytest.mark.slow

SETTINGS = Settings(grave=10, explore=0.3)


def forest(engine: Engine, count: int = 3) -> Forest:
    return Forest(engine, engine.start(1), SETTINGS, History(), count)


@pytest.mark.parametrize(("visits", "nodes"), [(80, None), (None, 2000)])
def test_a_forest_adds_up_its_trees(visits: int | None, nodes: int | None) -> None:
    """Limits are those of each tree."""
    engine = load("zola", size=4).engine
    trees = [planted(engine, engine.start(1), SETTINGS) for _ in range(3)]
    for number, tree in enumerate(trees):
        tree.grow(visits, None, 7 + number * APART, nodes)
    whole = forest(engine)
    whole.grow(visits, None, 7, nodes)
    root = whole.root()
    assert root.visits == sum(tree.root().visits for tree in trees) > 30
    assert whole.played == sum(tree.played for tree in trees)
    for one in whole.branches(root.at):
        apart = [branch for tree in trees for branch in tree.branches(tree.root().at) if branch.number == one.number]
        assert one.visits == sum(branch.visits for branch in apart)
        assert one.value == sum(branch.visits * branch.value for branch in apart) // one.visits
    ranked = [one.visits for one in whole.ranked(root.at)]
    assert ranked == sorted(ranked, reverse=True)
    assert len({tuple(one.visits for one in tree.branches(tree.root().at)) for tree in trees}) > 1


def test_a_forest_is_the_same_on_both_engines() -> None:
    said = []
    for engine in ("prolog", "native"):
        game = pysolve.load("zola", size=4, engine=engine)
        state = game.start().state
        found = mcts(game.engine, state, 20, seed=3, tree=Forest(game.engine, state, SETTINGS, History(), 2))
        said.append((found.value, found.line, found.moves, found.played))
    assert said[0] == said[1]


def test_a_forest_goes_on_from_one_of_its_positions() -> None:
    """A tree that does not have the position begins anew."""
    engine = load("zola", size=4).engine
    whole = forest(engine, 2)
    whole.grow(60, None, 1)
    best = whole.ranked(whole.root().at)[0]
    half = (best.at[0], None)
    state = engine.expand(engine.start(1)).child(best.number)
    whole.advance(half, state, History())
    assert 0 < whole.root().visits < best.visits
    assert whole.mover(whole.root().at) == state[0]
    whole.grow(40, None, 2)
    assert whole.root().visits > 80


def test_a_proof_of_one_tree_is_one_of_all() -> None:
    game = load("tictactoe")
    position = game.position("position X\n  X X .\n  O O .\n  . . .")
    found = mcts(
        game.engine, position.state, 200, seed=1,
        tree=Forest(game.engine, position.state, Settings(), History(), 4),
    )  # fmt: skip
    assert (found.proven, found.value, str(position.legal_moves[[one.numbers for one in position.legal_moves].index(
        found.line[0])])) == (1, 1.0, "c3")  # fmt: skip


def test_all_trees_end_as_soon_as_one_has_proven_the_result() -> None:
    """One that had no time to begin says nothing about it."""
    game = load("tictactoe")
    state = game.position("position X\n  X X .\n  O O .\n  . . .").state
    whole = Forest(game.engine, state, Settings(), History(), 3)

    def wait(*_: object) -> None:
        while True:
            go_on()
            time.sleep(0.001)

    whole._trees[0].grow = wait  # type: ignore[method-assign]
    whole.grow(None, time.monotonic() + 1000, 1)
    assert (whole.root().proven, whole.root().mover) == (1, 1)


def test_a_forest_that_nobody_waits_for_stops() -> None:
    engine = load("zola").engine
    whole, before = forest(engine), threading.active_count()
    with pytest.raises(Abandoned), abandoned_when(lambda: whole.root().visits > 50):
        whole.grow(None, None, 1)
    assert threading.active_count() == before
    whole.grow(10, None, 2)
    assert whole.root().visits > 60


def test_a_mistake_of_one_tree_is_told() -> None:
    engine = load("zola", size=4).engine
    whole = forest(engine)

    def fail(*_: object) -> None:
        raise ValueError("this one")

    whole._trees[1].grow = fail  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="this one"):
        whole.grow(10, None, 1)


@pytest.mark.parametrize("who", ["mcts:playouts=60,trees=3", "mcts:nodes=500,trees=2,turn", "mcts:playouts=30,turn"])
def test_the_same_seed_makes_the_same_moves(who: str) -> None:
    games = []
    for _ in range(2):
        position, moves, choose = load("kalah").start(), list[str](), player(who, 5)
        while not position.is_over and len(moves) < 12:
            moves.append(choose(position).text)
            position = position.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]


def test_a_turn_takes_the_limits_of_all_its_moves_before_the_first() -> None:
    """A turn of Yoxii has two moves."""
    heard: list[Thought] = []
    position, choose = load("yoxii").start(), player("mcts:playouts=100,turn", 1, report=heard.append)
    mover, moves = position.to_move, 0
    while not position.is_over and position.to_move == mover:
        position = position.play(choose(position))
        moves += 1
    assert (moves, len(heard), heard[0].visits) == (2, 1, 200)  # type: ignore[union-attr]
