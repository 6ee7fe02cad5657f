"""Searches: the same in C as in Python over the clauses, and what they must find by themselves.

In: games with `again` (Blockade, Kalah, Antiyomacy), with draws (tic-tac-toe), with repetition, positions and limits.
Out: values, lines, visits, numbers of nodes and of random moves are equal on both engines, by every compiler.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.dsl.language.constants import GAME_LONGEST, ONE, WIN
from pysolve.dsl.model import Game as Model
from pysolve.engines import buffers, searches
from pysolve.engines import native as native_engine
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError, Node, State
from pysolve.players.functions import sampling
from pysolve.position import Position
from pysolve.search import mcts as uct
from pysolve.search import searcher as searcher_module
from pysolve.search.batch import estimate_many, expand_many
from pysolve.search.history import History
from pysolve.search.mcts import Settings, mcts, place_in_table, place_of, planted, weights
from pysolve.search.minimax import Result, entries_within, minimax, table_bytes
from pysolve.search.several import several
from pysolve.search.turns import turn_positions
from tests.games import load, slow_but, tried
from tests.test_native import COUNTER, ENDLESS, HELD, judge
from tests.test_players import REPEATS
from tests.threes import Threes
from tests.two_engines import Laid

BLOCKADE = {"columns": 5, "rows": 6, "touchdown": 1, "blockers": 1, "tacklers": 2}
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "tictactoe": ("tictactoe", {}),
    "zola": ("zola", {"size": 4}),
    "yoxii": ("yoxii", {}),
    "kalah": ("kalah", {"pits": 3, "seeds": 2}),
    "blockade": ("blockade", BLOCKADE),
    "draughts": ("draughts", {}),
    "to and fro": (REPEATS, {}),
    "patrol": (REPEATS.replace("3 by 1", "5 by 1").replace("at(c1)", "at(e1)").replace("repeated 2", "repeated 3"), {}),
    "endless": (ENDLESS, {}),
}

MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "breakthrough": ("breakthrough-mini", {}),
    "nine men's morris": ("nine_mens_morris", {}),
}


@cache
def model_of(name: str) -> Model:
    text, options = {**GAMES, **MORE}[name]
    return (pysolve.load(text) if "\n" in text else load(text, **options)).model


@cache
def engines(name: str) -> tuple[Engine, list[Laid]]:
    """The engine that is trusted, and the native one by each compiler, with sets only where it optimizes."""
    model = model_of(name)
    return judge(model), [Laid(model, compiler, compiler != "tcc") for compiler in tried(HELD)]


def native(model: Model) -> NativeEngine:
    return NativeEngine(model, HELD[-1], proof=False)


# --------------------------------------------------------------------------------- Monte Carlo tree search

SETTINGS = [
    Settings(),
    Settings(bias=0.0),
    Settings(leaf="evaluate", bias=2.5),
    Settings(leaf="evaluate", explore=0.4, bias=0.5, backup="max"),
    Settings(room=70, backup="max"),
    Settings(grave=6, even=40, explore=0.1),
    Settings(grave=3, bias=0.0, room=300),
    Settings(prior=3, grave=20, explore=0.3),
    Settings(leaf="evaluate", prior=5),
]


def told(found: uct.Result) -> tuple[Any, ...]:
    """All that a search says but the time it took."""
    return found.value, found.proven, found.line, found.visits, found.moves, found.played


GROWN = [(name, settings) for name in GAMES for settings in SETTINGS]


@pytest.mark.parametrize(
    ("name", "settings"),
    slow_but(
        [("zola", settings) for settings in SETTINGS[:6]],
        GROWN,
        late=[case for case in GROWN if case[0] != "patrol"],
    ),
    ids=str,
)
def test_trees_are_the_same_in_c(name: str, settings: Settings) -> None:
    trusted, tried = engines(name)
    state = trusted.start(1)
    history = History(3, {state: 1, trusted.expand(state).child(0): 1}) if trusted.game.remembers else History()
    expected = mcts(trusted, state, 60, seed=5, settings=settings, history=history)
    for engine in tried:
        assert told(mcts(engine, state, 60, seed=5, settings=settings, history=history)) == told(expected), str(engine)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[3]], ids=str)
@pytest.mark.parametrize(("name", "nodes"), [("zola", 150), ("tictactoe", 2500)])
def test_trees_of_so_many_positions_are_the_same_in_c(name: str, nodes: int, settings: Settings) -> None:
    """A limit of positions is met by the last visit; it is the same visit on every engine."""
    trusted, tried = engines(name)
    state = trusted.start(1)
    expected = mcts(trusted, state, nodes=nodes, seed=5, settings=settings)
    longest = 1 if settings.leaf == "evaluate" else 1 + GAME_LONGEST
    assert nodes <= expected.visits + expected.played < nodes + longest or expected.proven is not None
    for engine in tried:
        assert told(mcts(engine, state, nodes=nodes, seed=5, settings=settings)) == told(expected), str(engine)


def test_a_tree_ends_at_the_first_of_its_limits() -> None:
    engine = native(model_of("zola"))
    state = engine.start()
    assert mcts(engine, state, 3, nodes=10_000).visits == 3
    assert mcts(engine, state, 10_000, nodes=3).visits == 1  # its random game has more positions than that
    with pytest.raises(ValueError, match="a search needs a limit: visits, nodes or seconds"):
        mcts(engine, state)


@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[3], SETTINGS[5]], ids=str)
@pytest.mark.parametrize("name", slow_but(["zola"], ["zola", "kalah", "patrol", "tictactoe"]))
def test_trees_go_on_the_same_in_c(name: str, settings: Settings) -> None:
    """What lies below the move visited most is kept; what it knows stays, and it grows on."""
    said: list[list[Any]] = []
    trusted, tried = engines(name)
    for engine in (trusted, *tried):
        state = engine.start(1)
        seen = Counter([state] if engine.game.remembers else [])
        tree, found = planted(engine, state, settings, History(0, seen)), list[Any]()
        for number in range(3):
            tree.grow(50, None, number)
            if not (best := tree.ranked(tree.root().at)[:1]):
                break
            turns, before = number + 1, state
            state = engine.expand(before).child(best[0].number)
            seen.update([state] if engine.game.remembers else [])
            if engine.expand(state).payoff is not None:
                break
            tree.advance(best[0].at, state, History(turns, seen))
            root = tree.root()
            assert (root.visits, root.value, root.proven) == (best[0].visits, best[0].value, best[0].proven)
            found += [root[2:-1], [one[:-1] for one in tree.ranked(root.at)], tree.played]
        said.append(found)
    assert said[0]
    assert all(one == said[0] for one in said)


@pytest.mark.slow
@pytest.mark.parametrize("grave", [0, 4])
@pytest.mark.parametrize("name", ["zola", "breakthrough"])
def test_a_full_tree_makes_room_for_what_is_visited_most(name: str, grave: int) -> None:
    """It goes on growing, as in Python: a position that is visited often has children."""
    trusted, tried = engines(name)
    state, said = trusted.start(), []
    for engine in (trusted, *tried):
        tree = uct.planted(engine, state, Settings(room=300, grave=grave), History())
        tree.grow(800, None, seed=5)
        found, todo = [], [tree.root()]
        while todo:
            branch = todo.pop()
            below = tree.branches(branch.at)
            found.append(branch[2:-1])
            assert below or branch.proven is not None or branch.visits < 60
            todo += below
        assert len(found) <= 300
        said.append(found)
    assert all(one == said[0] for one in said)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "zola"])
def test_games_by_full_trees_come_to_an_end(name: str) -> None:
    """A position may have been proven, and its children dropped, before it is the root."""
    game = pysolve.load(name, **GAMES[name][1])
    for seed in range(6):
        position = game.start()
        players = [sampling(seed + at, 300, settings=Settings(room=120, grave=0)) for at in range(2)]
        while not position.is_over:
            position = position.play(players[position.turns_played % 2](position))


def test_a_tree_that_its_root_fills_stays_as_it_is() -> None:
    trusted, tried = engines("zola")
    state = trusted.start()
    for engine in (trusted, *tried):
        found = mcts(engine, state, 200, settings=Settings(room=17))  # the root and its sixteen moves
        assert (found.visits, len(found.moves), sum(one.visits for one in found.moves)) == (200, 16, 199)
        assert mcts(engine, state, 20, settings=Settings(room=16)).moves == ()


@pytest.mark.parametrize("backup", ["mean", "max"])
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_a_search_comes_to_the_truth(backup: str, bias: float) -> None:
    """Tic-tac-toe by its whole tree: a proof for every first move."""
    engine = native(model_of("tictactoe"))
    state = engine.start()
    found = mcts(engine, state, 200_000, settings=Settings(backup=backup, bias=bias))
    assert (found.proven, found.value, minimax(engine, state, depth=9).value) == (0, 0.0, 0)


def test_proofs_are_true() -> None:
    """What a tree calls proven, a full search confirms, where turns have several moves and draws exist."""
    model = model_of("kalah")
    engine, proven = native(model), 0
    state = engine.start()
    tree = planted(engine, state, Settings())
    tree.grow(3000, None, 1)
    todo = [(state, tree.root())]
    for state, branch in todo:
        node = engine.expand(state)
        todo += [(node.child(one.number), one) for one in tree.branches(branch.at)]
        if branch.proven is None or node.payoff is not None or proven == 60:
            continue
        value = minimax(engine, state, depth=60).value
        assert branch.proven * branch.sign == (value > WIN // 2) - (value < -WIN // 2)
        proven += 1
    assert proven > 10


def true_value(engine: Engine, state: State, known: dict[State, int]) -> int:
    """The result for the first player with best play, by trying everything."""
    if state not in known:
        node = engine.expand(state)
        best = min if state[0] == 2 else max
        known[state] = (
            node.payoff[0]
            if node.payoff is not None
            else best(true_value(engine, one, known) for one in node.children())
        )
    return known[state]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [Settings(), Settings(grave=10, explore=0.2), Settings(backup="max", bias=0)], ids=str
)
def test_bounds_hold_the_true_result(settings: Settings) -> None:
    """Of every node of a tree of a game with draws; some are known to be between a draw and a win."""
    engine, known = native(model_of("tictactoe")), dict[State, int]()
    kinds = Counter[tuple[int, int]]()
    for seed in range(5):
        state = engine.start()
        for lot in Random(seed).sample(range(100), 3):
            node = engine.expand(state)
            state = node.child(lot % len(node))
        tree = uct.PythonTree(engine, state, settings, History())
        tree.grow(250, None, seed)
        todo = [tree.root().at]
        for way in todo:
            todo += way.children
            assert way.low <= ONE * true_value(engine, way.state, known) <= way.high
            assert way.low <= way.value[0] <= way.high
            assert (way.proven is not None) == (way.low == way.high)
            kinds[way.low // ONE, way.high // ONE] += 1
    assert min(kinds[0, 1] + kinds[-1, 0], kinds[0, 0], kinds[1, 1], kinds[-1, -1]) > 5


@pytest.mark.parametrize("settings", [Settings(), Settings(grave=0)], ids=str)
@pytest.mark.slow
def test_the_best_move_has_the_value_that_is_proven(settings: Settings) -> None:
    """A move that was left out, because it cannot be better than what is certain, may be worse."""
    engine, known, proven = native(model_of("tictactoe")), dict[State, int](), Counter[int]()
    for seed in range(150):
        state = engine.start()
        for lot in Random(seed).sample(range(100), 3 + seed % 4):
            node = engine.expand(state)
            state = node.child(lot % len(node)) if len(node) else state
        found, node = mcts(engine, state, 1000, seed=seed, settings=settings), engine.expand(state)
        if found.best is not None and found.proven is not None:
            after = node.child(node.moves.index(found.best))
            sign = -1 if state[0] == 2 else 1
            assert found.proven == sign * true_value(engine, state, known) == sign * true_value(engine, after, known)
            proven[int(found.proven)] += 1
    assert min(proven[0], proven[1], proven[-1]) > 1


def result_of(position: Position) -> int:
    """The result for the first player with best play after a game so far, by trying everything."""
    if position.is_over:
        winner = position.outcome and position.outcome.winner
        return 0 if not winner else 1 if winner == position.game.players[0] else -1
    best = max if position.to_move == position.game.players[0] else min
    return best(result_of(position.play(move)) for move in position.legal_moves)


@pytest.mark.slow
def test_bounds_hold_where_positions_come_back() -> None:
    """A position is worth something else where it has occurred before: what a tree claims is of the way to it."""
    text = REPEATS.replace("3 by 1", "6 by 1").replace("at(c1)", "at(f1)").replace("repeated 2", "repeated 3")
    start = pysolve.load(text).start()
    tree = uct.PythonTree(start.game.engine, start.state, Settings(grave=5, explore=0.3), History(0, start.seen))
    tree.grow(400, None, 1)
    todo, proven = [(start, tree.root().at)], 0
    for position, way in todo:
        todo += [(position.play(position.legal_moves[child.index]), child) for child in way.children]
        if way.proven is not None:
            assert way.proven == (result_of(position) * ONE,)
            proven += 1
    assert proven > 20
    tree = planted(start.game.engine, start.state, Settings(), History(0, start.seen))
    tree.grow(5000, None, 1)
    assert tree.root().proven == result_of(start)


@pytest.mark.slow
def test_nothing_is_claimed_of_games_that_never_end() -> None:
    """Both can go to and fro for ever, and no ending says what that is worth."""
    game = pysolve.load(GAMES["patrol"][0].split("end\n")[0])
    found = mcts(game.engine, game.start().state, 3000)
    assert (found.proven, found.visits) == (None, 3000)


def test_counts_are_rounded_where_they_are_large() -> None:
    roots_of_logs, inverse_roots = weights()
    places = [place_in_table(count) for count in range(1, 5000)]
    assert places[:1200] == sorted(places[:1200])
    assert sorted(set(places)) == list(range(1, max(places) + 1))
    assert place_in_table((1 << 32) - 1) < len(roots_of_logs) == len(inverse_roots)
    assert inverse_roots[place_in_table(1 << 20)] == ONE >> 10
    assert roots_of_logs[1] == 0


def test_a_position_is_found_in_a_tree() -> None:
    engine = native(model_of("zola"))
    state = engine.start()
    tree = planted(engine, state, Settings())
    tree.grow(500, None, 1)
    below = tree.branches(tree.root().at)[3]
    child = engine.expand(state).child(below.number)
    further = tree.branches(below.at)[2]
    goal = engine.expand(child).child(further.number)
    assert place_of(engine, tree, below, child, goal, Counter()) == further.at
    assert place_of(engine, tree, below, child, state, Counter()) is None


def test_a_tree_knows_only_the_game_that_was_played() -> None:
    """Where an ending asks about the past, the way to a position must have been the same."""
    engine = native(model_of("to and fro"))
    state = engine.start()
    tree = planted(engine, state, Settings(), History(0, {state: 1}))
    tree.grow(30, None, 1)
    (branch,) = tree.branches(tree.root().at)
    after = engine.expand(state).child(0)
    assert place_of(engine, tree, tree.root(), state, after, Counter([after])) == branch.at
    assert place_of(engine, tree, tree.root(), state, after, Counter([after, state])) is None


# ------------------------------------------------------------------------------------------------- minimax

SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {"turns": 9}),
    ("zola", {"turns": 3}),
    ("zola", {"turns": 9, "nodes": 1500}),
    ("zola", {"turns": 9, "nodes": 1500, "entries": 20}),
    ("zola", {"depth": 3, "quiet": ["capture"]}),
    ("zola", {"turns": 2, "quiet": ["capture"], "nodes": 2000}),
    ("yoxii", {"turns": 2, "nodes": 3000}),
    ("yoxii", {"turns": 2, "nodes": 150}),  # not even one turn
    ("blockade", {"turns": 1, "nodes": 3000}),
    ("zola", {"depth": 3, "order": "backwards"}),
    ("zola", {"depth": 5, "order": "backwards", "nodes": 900}),
    ("yoxii", {"turns": 2, "order": "backwards"}),
    ("kalah", {"turns": 5}),
    ("blockade", {"turns": 1}),
    ("blockade", {"turns": 2}),
    ("draughts", {"depth": 3, "quiet": ["jump"]}),
    ("draughts", {"turns": 3, "quiet": ["jump", "step"], "nodes": 600}),
    ("to and fro", {"turns": 4}),
    ("endless", {"turns": 4}),
    ("endless", {"depth": 4, "quiet": ["go"]}),
]


@pytest.mark.parametrize(
    ("name", "limits"),
    slow_but(
        [search for search in SEARCHES[1:9] if search[0] != "blockade" and "quiet" not in search[1]],
        SEARCHES,
        late=[
            ("blockade", {"turns": 1, "nodes": 3000}),
            ("blockade", {"turns": 1}),
            ("endless", {"turns": 4}),
            ("draughts", {"depth": 3, "quiet": ["jump"]}),
            ("draughts", {"turns": 3, "quiet": ["jump", "step"], "nodes": 600}),
        ],
    ),
    ids=str,
)
def test_searches_are_the_same_in_c(name: str, limits: dict[str, Any]) -> None:
    trusted, tried = engines(name)
    state = trusted.start(1)
    for _ in range(2):
        told = limits
        if "order" in limits:
            told = {**limits, "order": list(reversed(range(len(trusted.expand(state).moves))))}
        expected = minimax(trusted, state, **told)
        for engine in tried:
            found = minimax(engine, state, **told)
            assert replace(found, seconds=0.0) == replace(expected, seconds=0.0), str(engine)
        children = list(trusted.expand(state).children())
        if not children:
            break
        state = children[len(children) // 2]


@pytest.mark.parametrize("limits", [{"turns": 9, "nodes": 2000}, {"turns": 9, "nodes": 2000, "entries": 60}], ids=str)
def test_a_table_grows_without_a_trace(limits: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    trusted, tried = engines("zola")
    state = trusted.start()
    expected = minimax(trusted, state, **limits)
    for few in (2, 4, 64):
        monkeypatch.setattr(searches, "FEW", few)
        for engine in tried:
            assert replace(minimax(engine, state, **limits), seconds=0.0) == replace(expected, seconds=0.0)


@pytest.mark.slow
def test_what_a_stopped_search_found_better_is_played() -> None:
    """A depth that is not finished counts as soon as it has changed its mind."""
    game, rng = load("conga"), Random(0)
    trusted, tried, position = judge(game.model), native(game.model), game.start()
    for _ in range(6):
        position = position.play(position.legal_moves[rng.randrange(len(position.legal_moves))])
    second, third = (minimax(trusted, position.state, depth=depth) for depth in (2, 3))
    assert second.best != third.best
    bests = []
    for nodes in (*range(second.nodes, third.nodes, (third.nodes - second.nodes) // 8), third.nodes - 1):
        expected = minimax(trusted, position.state, nodes=nodes)
        assert same(minimax(tried, position.state, nodes=nodes)) == same(expected)
        assert expected.depth == 2
        bests.append(expected.best)
    assert bests[0] == second.best
    assert bests[-1] == third.best


@pytest.mark.parametrize(("name", "limits"), [("zola", {"depth": 3}), ("kalah", {"depth": 4}), ("yoxii", {"turns": 2})])
def test_of_equal_moves_the_first_in_order_is_found(name: str, limits: dict[str, Any]) -> None:
    """The values of all moves are found one by one: the others are left for the last."""
    trusted, tried = engines(name)
    state = trusted.start()
    for engine in tried:
        node = engine.expand(state)
        children = list(node.children())
        alone = dict[int, int]()
        for index in range(len(node)):
            others = [child for child in children if child != children[index]]
            alone[index] = minimax(engine, state, left=others, **limits).value
        best = [index for index, value in alone.items() if value == max(alone.values())]
        for order in (list(alone), list(reversed(alone)), Random(1).sample(list(alone), len(alone))):
            found = minimax(engine, state, order=order, **limits)
            assert found.value == max(alone.values())
            assert found.best == node.moves[next(index for index in order if index in best)]


def test_an_order_holds_each_move_once() -> None:
    engine, _ = engines("zola")
    with pytest.raises(ValueError, match=r"^order must hold each index of the 16 legal moves once$"):
        minimax(engine, engine.start(), depth=1, order=[0, 0])


def test_where_not_one_turn_is_finished_moves_are_counted() -> None:
    _, (native_, *_) = engines("yoxii")
    state = native_.start()
    found, by_moves = (minimax(native_, state, nodes=150, **limits) for limits in ({"turns": 2}, {}))
    assert (found.line, found.depth, found.value, found.by_turns) == (by_moves.line, 1, by_moves.value, False)
    assert 150 < found.nodes <= 300


BACK = [("kalah", {"depth": 3}), ("zola", {"depth": 3}), ("blockade", {"turns": 1})]


@pytest.mark.parametrize(("name", "limits"), BACK)
def test_a_move_back_is_the_last_that_is_made(name: str, limits: dict[str, Any]) -> None:
    """It is as if there were only the others, as long as there are others."""
    trusted, tried = engines(name)
    state = trusted.start(1)
    node = trusted.expand(state)
    children = list(node.children())
    free = minimax(trusted, state, **limits)
    assert free.best is not None
    best = node.child(node.moves.index(free.best))
    expected = minimax(trusted, state, left={best}, **limits)
    assert expected.best not in (None, free.best)
    if "depth" in limits:
        others = [(child[0], minimax(trusted, child, depth=2).value) for child in children if child != best]
        assert expected.value == max(value if mover == state[0] else -value for mover, value in others)
    for engine in (trusted, *tried):
        assert replace(minimax(engine, state, left={best}, **limits), seconds=0.0) == replace(expected, seconds=0.0)
        assert minimax(engine, state, left=children, **limits).line == free.line


def test_a_move_back_is_better_than_a_loss() -> None:
    trusted, tried = engines("tictactoe")
    state = pysolve.load("tictactoe").position(FORKED).state
    for engine in (trusted, *tried):
        node = engine.expand(state)
        for index in range(len(node)):
            assert minimax(engine, state, depth=5, left={node.child(index)}).best == node.moves[index]


FORKED = """
position O
  X . X
  . O .
  . . X
"""


@pytest.mark.parametrize("name", slow_but(["blockade"], ["blockade", "endless"]))
def test_what_was_visited_in_a_turn_may_be_too_much_to_remember(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then positions are visited again, which takes longer, and nothing else changes."""
    trusted, tried = engines(name)
    state = trusted.start(1)
    whole = minimax(trusted, state, turns=1)
    monkeypatch.setattr(searcher_module, "MARKS", 2)
    monkeypatch.setattr(searches, "MARKS", 2)
    limits = {"turns": 1, "nodes": 3000}
    expected = minimax(trusted, state, **limits)
    assert expected.nodes > whole.nodes
    for engine in tried:
        assert replace(minimax(engine, state, **limits), seconds=0.0) == replace(expected, seconds=0.0)
    if expected.depth:
        assert expected.value == whole.value


@pytest.mark.parametrize("limits", [{"turns": 3}, {"depth": 4, "quiet": ["capture"]}])
def test_two_threads_find_the_same_value(limits: dict[str, Any]) -> None:
    engine = native(model_of("zola"))
    state = engine.start()
    assert minimax(engine, state, threads=2, **limits).value == minimax(engine, state, **limits).value


@pytest.mark.slow
def test_many_threads_lose_no_move() -> None:
    """What one thread searches is left by the others, but not for good: with these eight it comes to that each time."""
    engine = native(load("conga").model)
    state = engine.start()
    expected = minimax(engine, state, depth=8).value
    assert {minimax(engine, state, threads=8, depth=8).value for _ in range(6)} == {expected}


def by_turns(engine: Engine, state: State, turns: int) -> int:
    """The value by all positions after every turn, without any cut."""
    node = engine.expand(state)
    if node.payoff is not None:
        return node.payoff[state[0] - 1] * (WIN + turns)
    if turns == 0:
        return engine.estimate(state)[state[0] - 1]
    values = []
    for end in turn_positions(engine, state):
        node = engine.expand(end)
        if node.payoff is not None:
            values.append(node.payoff[state[0] - 1] * (WIN + turns - 1))
        else:
            values.append(-by_turns(engine, end, turns - 1))
    return max(values)


@pytest.mark.parametrize(("name", "turns"), [("blockade", 1), ("blockade", 2), ("yoxii", 1), ("kalah", 3), ("zola", 3)])
def test_a_turn_is_worth_the_best_position_after_it(name: str, turns: int) -> None:
    engine = native(model_of(name))
    state = engine.start(1)
    for index in (0, 2, 1):
        assert minimax(engine, state, turns=turns).value == by_turns(engine, state, turns)
        node = engine.expand(state)
        state = node.child(index % len(node))


def test_the_best_turn_of_a_large_crowd_is_found() -> None:
    """Blockade, the Offence to move: 2,753 positions after 68,920 turns."""
    engine = native(load("blockade", blockers=3, tacklers=3, first="Offence").model)
    state = engine.start()
    values = [-engine.estimate(end)[end[0] - 1] for end in turn_positions(engine, state)]
    found = minimax(engine, state, turns=1)
    assert (found.value, len(values)) == (max(values), 2753)
    assert found.nodes < 20_000


def test_an_end_is_told_in_turns() -> None:
    game = load("tictactoe")
    position = game.position("position X\n  X O .\n  . . .\n  . . .")
    found = minimax(game.engine, position.state, turns=9)
    assert (found.turns_to_end, found.moves_to_end) == (5, None)
    assert minimax(game.engine, position.state, depth=9).moves_to_end == 5


def test_a_turn_that_never_ends_is_worth_its_estimate() -> None:
    worth = "evaluate\n  turn 7 : count c: cell where c = token and me = mover\n"
    model = pysolve.load(ENDLESS.replace("move stop\n", "") + worth).model
    for engine in (judge(model), native(model)):
        found = minimax(engine, engine.start(), turns=2)
        assert (found.value, len(found.line)) == (engine.estimate(engine.start())[0], 1)


TRADE = """
game "Trade"
players A, B
board square 4 by 1
state
  at(cell): player or none
setup
  at(a1) := A
  at(b1) := A
  at(c1) := B
  at(d1) := B
move take(from, to: cell) as "{from}x{to}"
  when
    at(from) = mover
    to in neighbours(from)
    at(to) = opponent
  do
    at(from) := none
    at(to) := mover
move wait
stuck
  draw
evaluate
  men 10 : count c: cell where at(c) = me
"""


def test_what_is_not_quiet_goes_on_beyond_the_horizon() -> None:
    """A man is taken at the horizon, and behind it taken back."""
    model = pysolve.load(TRADE).model
    for engine in (judge(model), native(model)):
        state = engine.start()
        plain, quiet = (minimax(engine, state, depth=1, quiet=kinds) for kinds in ((), ("take",)))
        assert (plain.value, quiet.value) == (10, 0)
        after = engine.expand(state).child(0)
        assert minimax(engine, after, depth=1, quiet=["take"]).line == ((0, 4, 3),)


def test_a_kind_of_moves_must_be_one_of_the_game() -> None:
    model = model_of("zola")
    with pytest.raises(ValueError, match='Zola has no kind of move "capure": did you mean "capture"'):
        minimax(native(model), native(model).start(), depth=1, quiet=["capure"])


def places(name: str, number: int) -> list[State]:
    """Positions of a game, with random moves between them."""
    engine, rng = judge(model_of(name)), Random(number)
    found = [engine.start(1)]
    while len(found) < number and (children := list(engine.expand(found[-1]).children())):
        found.append(rng.choice(children))
    return found[1::3]


@pytest.mark.parametrize(("name", "kind"), [("zola", "capture"), ("draughts", "jump")])
def test_what_captures_is_seen_without_a_name(name: str, kind: str) -> None:
    """In these games one kind of moves, and no other, takes men from the board."""
    engine = native(model_of(name))
    for state in places(name, 24):
        by_name, seen = (minimax(engine, state, depth=2, quiet=[word]) for word in (kind, "captures"))
        assert same(seen) == same(by_name)


@pytest.mark.parametrize(
    ("name", "quiet"),
    [("zola", ["captures"]), *slow_but((), [
        ("breakthrough", ["captures"]), ("nine men's morris", ["captures"]), ("draughts", ["captures", "step"])],
        late=[("draughts", ["captures", "step"]), ("nine men's morris", ["captures"])])],
)  # fmt: skip
@pytest.mark.slow
def test_captures_beyond_the_horizon_are_the_same_in_c(name: str, quiet: list[str]) -> None:
    trusted, tried = engines(name)
    for state in places(name, 36):
        expected = same(minimax(trusted, state, depth=2, quiet=quiet))
        for engine in tried:
            assert same(minimax(engine, state, depth=2, quiet=quiet)) == expected, str(engine)


def same(found: Result) -> tuple[Any, ...]:
    """All that a search says but the time it took."""
    return found.value, found.line, found.depth, found.nodes


def test_a_man_that_is_guarded_is_not_won() -> None:
    """One move ahead the queen takes a pawn; that another one takes her lies beyond."""
    game = pysolve.load("chess", engine="native")
    state = game.position("""White
        . . . . k . . .
        . . . . . . . .
        . . . p . . . .
        . . . . p . . .
        . . . . . . . .
        . . . . Q . . .
        . . . . . . . .
        . . . . K . . .""").state
    plain, quiet = (minimax(game.engine, state, depth=1, quiet=names) for names in ([], ["captures"]))
    takes = Position(game, state).parse("e3e5").numbers
    assert plain.best == takes
    assert quiet.best != takes


def test_moves_and_turns_are_not_counted_at_once() -> None:
    engine = native(model_of("zola"))
    with pytest.raises(ValueError, match="depth and turns cannot both be given"):
        minimax(engine, engine.start(), depth=1, turns=1)


# ---------------------------------------------------------------------------------------- many positions at once


@pytest.mark.parametrize("children", [False, True])
@pytest.mark.parametrize(
    "name", slow_but(["tictactoe", "zola"], ["tictactoe", "zola", "kalah", "blockade", "draughts"])
)
def test_many_positions_are_answered_as_one_by_one(name: str, children: bool) -> None:
    trusted, tried = engines(name)
    states = [trusted.start(1)]
    for state in states:
        if len(states) < 120:
            states += [child for child in trusted.expand(state).children() if child not in states][:3]
    expected = [answers(node) for node in expand_many(trusted, states, children)]
    for engine in tried:
        assert [answers(node) for node in engine.expand_many(states, children)] == expected
        assert estimate_many(engine, states) == estimate_many(trusted, states)


def answers(node: Node) -> tuple[Any, ...]:
    last = node.child(len(node) - 1) if len(node) else None
    return node.payoff, node.ending, len(node), list(node.moves), list(node.children()), last


def test_more_positions_than_there_is_room_for_are_answered_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_engine, "ROOM", 8)  # too few even for one position
    monkeypatch.setattr(buffers, "ROOM", 8)
    engine = native(model_of("zola"))
    state = engine.start()
    states = [state, *engine.expand(state).children()] * 30
    expected = [list(engine.expand(state).moves) for state in states]
    assert [list(node.moves) for node in engine.expand_many(states)] == expected
    monkeypatch.setattr(native_engine, "AT_ONCE", 7)
    assert [list(node.moves) for node in engine.expand_many(states, children=True)] == expected
    assert engine.estimate_many(states) == [engine.estimate(state) for state in states]
    assert engine.expand_many([]) == engine.estimate_many([]) == []


def test_a_mistake_in_one_of_many_is_told_with_its_position() -> None:
    model = pysolve.load(COUNTER).model
    one, other = judge(model), native(model)
    states = [other.start()]
    states.append(other._children(states[0], [1])[0])
    said = []
    for engine in (one, other):
        with pytest.raises(EngineError) as error:
            expand_many(engine, states[1:] + states[:1])
        said.append(str(error.value))
    assert said[0] == said[1]


# --------------------------------------------------------------------------------------------- time, Ctrl-C


@pytest.mark.parametrize("engine", ["prolog", "native"])
def test_a_tree_grows_until_its_time_is_over(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still until the tree has some visits."""
    start = pysolve.load("zola", engine=engine).start()
    tree = planted(start.game.engine, start.state, Settings())
    monkeypatch.setattr("time.monotonic", lambda: 9.0 if tree.root().visits > 10 else 0.0)
    tree.grow(None, 1.0, 1)
    assert tree.root().visits > 10


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("unheard_by_prolog")
def test_ctrl_c_stops_a_tree_which_can_grow_on() -> None:
    engine = native(load("zola").model)
    state = engine.start()
    tree = planted(engine, state, Settings())

    def interrupt() -> None:
        """Ctrl-C when the tree has some visits."""
        while tree.root().visits <= 100:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        tree.grow(None, None, 1)
    visits = tree.root().visits
    assert visits > 100
    assert sum(one.visits for one in tree.branches(tree.root().at)) == visits - 1
    tree.grow(10, None, 2)
    assert tree.root().visits == visits + 10


def test_the_engines_are_told_apart() -> None:
    trusted, tried = engines("zola")
    assert isinstance(trusted, PrologEngine)
    assert isinstance(planted(trusted, trusted.start(), Settings()), uct.PythonTree)
    assert not any(isinstance(planted(one, one.start(), Settings()), uct.PythonTree) for one in tried)


# --------------------------------------------------------------------------------------------- several lines


@pytest.mark.parametrize("name", ["tictactoe", pytest.param("kalah", marks=pytest.mark.slow)])
def test_the_lines_are_the_best_moves_by_their_values(name: str) -> None:
    """A line has the value of its first move: what minimax says of the position behind it."""
    for engine in (judge(model_of(name)), native(model_of(name))):
        state = engine.start()
        node = engine.expand(state)
        for depth in (1, 2, 3):
            values = []
            for child in node.children():
                value = whole_tree(engine, child, depth - 1)
                values.append(value if child[0] == state[0] else -value)
            for lines in (1, 3, len(node) + 5):
                found = several(engine, state, lines, depth)
                assert [one.value for one in found] == sorted(values, reverse=True)[:lines]
                assert [values[list(node.moves).index(one.line[0])] for one in found] == [one.value for one in found]
                assert len({one.line[0] for one in found}) == len(found)
                assert {one.depth for one in found} == {depth}


def whole_tree(engine: Engine, state: State, depth: int) -> int:
    """The value of a position for whoever is to move, without any window."""
    node = engine.expand(state)
    if node.payoff is not None:
        return (node.payoff[state[0] - 1] > 0) * (WIN + depth) - (node.payoff[state[0] - 1] < 0) * (WIN + depth)
    if depth == 0:
        return engine.estimate(state)[state[0] - 1]
    values = [(whole_tree(engine, child, depth - 1), child[0] == state[0]) for child in node.children()]
    return max(value if same else -value for value, same in values)


def test_lines_end_with_their_limits() -> None:
    engine = native(model_of("tictactoe"))
    state = engine.start()
    assert [one.depth for one in several(engine, state, 2, nodes=1)] == [1]
    assert [one.line[0] for one in several(engine, state, 5, depth=2, moves=[4, 2])] == [
        engine.expand(state).moves[4], engine.expand(state).moves[2]]  # fmt: skip
    told: list[int] = []
    several(engine, state, 2, depth=3, report=lambda lines: told.append(lines[0].depth))
    assert told == [1, 2, 3]
    over = engine.start()
    while len(node := engine.expand(over)):
        over = node.child(0)
    assert several(engine, over, 3, depth=2) == []
    with pytest.raises(ValueError, match="a search needs a limit"):
        several(engine, state, 3)


def test_lines_of_three_players_are_those_of_whoever_asks() -> None:
    three = Threes(3)
    state = three.start()
    for depth in (1, 2, 3):
        first, *_ = several(three, state, 2, depth)
        assert first.value == minimax(three, state, depth).value


def test_the_table_is_as_large_as_memory_allows() -> None:
    for engine in (judge(model_of("tictactoe")), native(model_of("tictactoe"))):
        for size in (1, 1 << 20, 1 << 26):
            entries = entries_within(engine, size)
            assert entries == 1 or table_bytes(engine, entries) <= size < table_bytes(engine, 2 * entries)
        found = minimax(engine, engine.start(), 3, entries=entries_within(engine, 1 << 16))
        assert found.value == minimax(engine, engine.start(), 3).value
