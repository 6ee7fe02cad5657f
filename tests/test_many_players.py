"""Searches in games of one to eight players, against the plainest form of each, over a game by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.dsl.language.constants import ONE, WIN
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.dsl.player_texts import UnknownPlayer, check_player, read_player
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import DoesNotApply, Engine, State
from pysolve.game import Game
from pysolve.lab.analysis import Limits, Worth, analyse, best_moves, move_worth, opinion
from pysolve.players.functions import player
from pysolve.players.session import Session
from pysolve.position import Position
from pysolve.search import greedy
from pysolve.search.decide import decide
from pysolve.search.history import History
from pysolve.search.maxn import maxn
from pysolve.search.mcts import Result as Sampled
from pysolve.search.mcts import Settings, mcts, planted
from pysolve.search.minimax import Result, minimax
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.searcher import payoff_at_end
from pysolve.search.strong import DEFAULT, Memory, Techniques, strong
from pysolve.search.strong import PLAIN as NOTHING_MORE
from tests.games import load, slow_but, tried
from tests.test_cli import run
from tests.test_native import HELD
from tests.test_strong import ALL
from tests.test_strong import positions as late_positions
from tests.threes import HUNT, RULES, Threes, game
from tests.two_engines import Laid

pytestmark = pytest.mark.slow

Values = tuple[int, ...]


def positions(engine: Engine, number: int, least: int = 0) -> list[State]:
    """Positions of random games that go on, after so many moves at least."""
    rng, found = Random(7), list[State]()
    while len(found) < number:
        state = engine.start()
        for _ in range(rng.randrange(least, 11)):
            node = engine.expand(state)
            if not len(node):
                break
            state = node.child(rng.randrange(len(node)))
        if len(engine.expand(state)):
            found.append(state)
    return found


def ended(payoff: Values, left: int) -> Values:
    """What an end is worth: sooner is better for who gains by it, later for who loses."""
    return tuple(one * WIN + (left if one > 0 else -left if one < 0 else 0) for one in payoff)


def plain(engine: Engine, state: State, depth: int, me: int | None = None) -> Values:
    """The values of a position by the whole tree: everybody for himself, or, if `me` is given, all against him."""
    node = engine.expand(state)
    if node.payoff is not None:
        return ended(node.payoff, depth)
    if depth == 0:
        return engine.estimate(state)
    found = [plain(engine, child, depth - 1, me) for child in node.children()]
    if me is None or state[0] == me:
        return max(found, key=lambda values: values[state[0] - 1])
    return min(found, key=lambda values: values[me - 1])


@pytest.mark.parametrize("players", [1, 2, 3, 5, 8])
def test_minimax_is_paranoid(players: int) -> None:
    engine = Threes(players)
    for state in positions(engine, 6, 5):
        for depth in (1, 2, 3):
            found = minimax(engine, state, depth)
            expected = plain(engine, state, found.depth, state[0])[state[0] - 1]
            assert found.value == expected
            assert found.depth == depth or found.value >= payoff_unit(players) * WIN or found.value <= -WIN


def test_all_others_play_against_who_asks() -> None:
    engine = Threes(3)
    for state in positions(engine, 6, 5):
        for me in (1, 2, 3):
            found = minimax(engine, state, 2, player=me)
            expected = plain(engine, state, found.depth, me)[me - 1]
            assert found.value == (expected if me == state[0] else -expected)


@pytest.mark.parametrize("players", [1, 2, 3, 5, 8])
def test_max_n_finds_the_values_of_all(players: int) -> None:
    engine = Threes(players)
    for state in positions(engine, 6, 5):
        for depth in (1, 2, 3):
            found = maxn(engine, state, depth)
            assert found.values == plain(engine, state, found.depth)
            assert found.value == found.values[state[0] - 1]


@pytest.mark.parametrize("limits", [{"depth": 4}, {"turns": 3}])
def test_with_two_players_max_n_is_minimax(limits: dict[str, int]) -> None:
    engine = Threes(2)
    for state in positions(engine, 12, 2):
        one, other = minimax(engine, state, **limits), maxn(engine, state, **limits)
        assert (one.value, one.depth) == (other.value, other.depth)
        assert other.values[0] == -other.values[1]
        assert one.nodes < other.nodes or one.depth < 3


def test_turns_end_where_the_mover_changes() -> None:
    """A man on a1 moves again: one turn of two moves."""
    engine = Threes(3)
    state = engine.start()
    for search in (minimax, maxn):
        by_turns = search(engine, state, turns=1)
        assert by_turns.by_turns
        best = max(
            engine.estimate(after)[0]
            for child in engine.expand(state).children()
            for after in ([child] if child[0] == 2 else engine.expand(child).children())
        )
        assert (by_turns.value, by_turns.depth) == (best, 1)


def test_a_full_table_changes_no_value() -> None:
    engine = Threes(3)
    for state in positions(engine, 4, 4):
        assert maxn(engine, state, 5, entries=3).values == maxn(engine, state, 5).values
        assert minimax(engine, state, 5, entries=3).value == minimax(engine, state, 5).value


def test_of_equal_moves_max_n_plays_the_first() -> None:
    engine = Threes(3)
    state = engine.start()
    node = engine.expand(state)
    backwards = list(reversed(range(len(node))))
    worth = [plain(engine, child, 0)[0] for child in node.children()]
    best = [move for move, value in zip(node.moves, worth, strict=True) if value == max(worth)]
    assert len(best) > 1
    assert maxn(engine, state, 1).best == best[0]
    assert maxn(engine, state, 1, order=backwards).best == best[-1]


def test_a_search_that_is_stopped_says_what_it_has_found() -> None:
    engine = Threes(3)
    state = engine.start()
    whole = maxn(engine, state, 2)
    assert maxn(engine, state, nodes=whole.nodes).depth == 2
    assert maxn(engine, state, nodes=whole.nodes).line == whole.line
    stopped = maxn(engine, state, nodes=5)
    assert (stopped.depth, stopped.nodes) == (0, 5)
    assert stopped.best in engine.expand(state).moves


def test_what_searches_of_one_or_many_refuse() -> None:
    one, three = Threes(1), Threes(3)
    for search in (minimax, maxn):
        with pytest.raises(ValueError, match=r"^turns are counted where two players or more take them"):
            search(one, one.start(), turns=1)
    with pytest.raises(ValueError, match=r"^a value of one's own compares two players: this game has more$"):
        minimax(three, three.start(), 1, value=lambda _: 0)
    with pytest.raises(ValueError, match=r"^player must be an integer from 1 to 3, not 4$"):
        minimax(three, three.start(), 1, player=4)
    with pytest.raises(ValueError, match=r"^a search needs a limit"):
        maxn(three, three.start())
    with pytest.raises(ValueError, match=r"^depth and turns cannot both be given"):
        maxn(three, three.start(), 1, turns=1)
    with pytest.raises(ValueError, match=r"^order must hold each index of the 12 legal moves once$"):
        maxn(three, three.start(), 1, order=[0])


# ------------------------------------------------------------------------------- Monte Carlo tree search

SETTINGS = [Settings(), Settings(leaf="evaluate", bias=0.5), Settings(leaf="evaluate", backup="max")]


def at_the_end(engine: Engine, state: State) -> Values:
    """What each player gets if everybody plays for himself to the end; of equal moves the first counts."""
    node = engine.expand(state)
    if node.payoff is not None:
        return node.payoff
    return max((at_the_end(engine, child) for child in node.children()), key=lambda values: values[state[0] - 1])


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("players", [1, 3, 4])
def test_a_tree_comes_to_the_truth(players: int, settings: Settings) -> None:
    engine, proven = Threes(players), 0
    for state in positions(engine, 15, 6):
        found = mcts(engine, state, 4000, seed=3, settings=settings)
        if found.proven is None:
            continue
        proven += 1
        expected = at_the_end(engine, state)
        assert found.proven * payoff_unit(players) == pytest.approx(expected[state[0] - 1], abs=1e-4)
    assert proven > 5


PLACES = """game "Places"
players A, B, C
board square 6 by 1
state at(cell): player or none
define worth(p: player) = sum c: cell where at(c) = p of column(c) % 4
move take(to: cell) as "{to}"
  when at(to) = none
  do at(to) := mover
stuck rank worth
"""


@pytest.mark.parametrize("engine", slow_but(["native"], ["prolog", "native"]))
def test_what_is_proven_of_places_holds_for_all_players(engine: str) -> None:
    """Who is first by several moves takes the first of them, because the others get something else by each."""
    game, proven = pysolve.load(PLACES, engine=engine), 0
    for state in positions(game.engine, 25, 1):
        expected = [one / payoff_unit(3) for one in at_the_end(game.engine, state)]
        for seed in range(3):
            found = mcts(game.engine, state, 2000, seed=seed)
            if found.proven is not None:
                assert found.values == pytest.approx(expected, abs=1e-4)
                proven += 1
    assert proven > 50


@pytest.mark.parametrize("players", [3, 8])
def test_values_of_all_players_add_up_to_zero(players: int) -> None:
    engine = Threes(players)
    found = mcts(engine, engine.start(), 300, seed=1)
    assert len(found.values) == players
    assert abs(sum(found.values)) * ONE <= players
    assert found.value == found.values[0] > 0
    assert sum(one.visits for one in found.moves) == 299


def test_a_tree_knows_who_moves() -> None:
    engine = Threes(3)
    tree = planted(engine, engine.start(), Settings())
    tree.grow(200, None, 1)
    root = tree.root()
    assert (root.mover, len(root.values), root.value) == (1, 3, root.values[0])
    movers = {branch.number: branch.mover for branch in tree.branches(root.at)}
    assert movers == {number: 1 if number == 0 else 2 for number in range(12)}


def test_greedy_looks_at_its_own_value() -> None:
    engine = Threes(3)
    for state in positions(engine, 10, 4):
        expected = [plain(engine, child, 0)[state[0] - 1] for child in engine.expand(state).children()]
        assert greedy.values(engine, state) == expected


@pytest.mark.parametrize(
    ("search", "name"),
    [
        (retrograde, "retrograde analysis"),
        (partial(prove, player=1, states=9), "proof-number search"),
        (partial(decide, player=1, states=9), "alpha-beta"),
    ],
)
def test_nobody_wins_by_force_against_two(search: Callable[..., object], name: str) -> None:
    engine = Threes(3)
    with pytest.raises(DoesNotApply) as error:
        search(engine, engine.start())
    assert str(error.value) == (
        f"{name} is for two players at most: Threes has 3, and what the others do to each other decides who wins; "
        "minimax, maxn and mcts play it"
    )


# ------------------------------------------------------------------------------------------------ players


@pytest.mark.parametrize(
    ("who", "players", "message"),
    [
        ("solver", 3, "solver is for two players at most, for whom best play is defined: Threes has 3 players"),
        ("minimax:turns=2", 1, "turns of minimax: Threes has one player, whose turn never ends"),
        ("maxn:turns=2", 1, "turns of maxn: Threes has one player, whose turn never ends"),
        ("greedy:turn", 1, "turn of greedy: Threes has one player, whose turn never ends"),
        ("greedy:replies=1", 1, "replies of greedy: Threes has one player, whose turn never ends"),
        ("minimax:stuck=loses", 3, "stuck of minimax speaks of one opponent: Threes has 3 players"),
        ("minimax:onesided=pairs", 3, "onesided of minimax speaks of one opponent: Threes has 3 players"),
        ("greedy:onesided=pairs", 1, "onesided of greedy speaks of one opponent: Threes has one player"),
    ],
)
def test_players_that_do_not_apply_say_why(who: str, players: int, message: str) -> None:
    game = Threes(players).game
    name, settings = read_player(who)
    with pytest.raises(UnknownPlayer) as error:
        check_player(name, settings, game)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "who", ["minimax:depth=2", "minimax:search=strong,depth=2", "maxn:turns=2", "greedy:replies=1", "mcts:playouts=5"]
)
def test_players_that_apply_to_three_play_with_them(who: str) -> None:
    position = load("connect_four-three").start()
    check_player(*read_player(who), position.game.model)
    assert player(who, 1)(position) in position.legal_moves


# ------------------------------------------------------------------------------- the rules, and searches in C


@cache
def laid(players: int) -> list[Engine]:
    """The native engine by each compiler, with sets only where it optimizes."""
    return [Laid(game(players).model, compiler, compiler != "tcc") for compiler in tried(HELD)]


def seconds_off(found: Any) -> Any:
    return replace(found, seconds=0.0)


@pytest.mark.parametrize("players", slow_but([3], [1, 2, 3, 8], late=[1, 2]))
def test_the_rules_say_what_the_hand_says(players: int) -> None:
    by_hand, rng = Threes(players), Random(3)
    engines = [PrologEngine(by_hand.game), *laid(players)]
    for _ in range(8):
        state = by_hand.start()
        while True:
            here = by_hand.expand(state)
            for engine in engines:
                there = engine.expand(state)
                assert (there.payoff, there.ending) == (here.payoff, here.ending)
                assert list(there.moves) == list(here.moves)
                assert list(there.children()) == list(here.children())
                assert tuple(engine.estimate(state)) == by_hand.estimate(state)
            if not len(here):
                break
            state = here.child(rng.randrange(len(here)))


LIMITS = [{"depth": 3}, {"nodes": 400}, {"nodes": 400, "entries": 7}, {"turns": 2}]


@pytest.mark.parametrize("search", [minimax, maxn])
@pytest.mark.parametrize("players", slow_but([1, 3], [1, 2, 3, 8], late=[2]))
def test_searches_are_the_same_in_c(players: int, search: Callable[..., Any]) -> None:
    by_hand = Threes(players)
    for limits in LIMITS if players > 1 else LIMITS[:-1]:
        for state in positions(by_hand, 4, 2):
            backwards = list(reversed(range(len(by_hand.expand(state)))))
            for more in ({}, {"order": backwards}):
                expected = seconds_off(search(by_hand, state, **limits, **more))
                for engine in laid(players):
                    assert seconds_off(search(engine, state, **limits, **more)) == expected


@pytest.mark.parametrize("more", [{"player": 1}, {"player": 3}, {"quiet": ["captures"]}, {"quiet": ["place"]}], ids=str)
def test_paranoid_searches_are_the_same_in_c(more: dict[str, Any]) -> None:
    by_hand = Threes(3)
    for state in positions(by_hand, 4, 3):
        for limits in LIMITS[::3]:
            expected = seconds_off(minimax(by_hand, state, **limits, **more))
            for engine in laid(3):
                assert seconds_off(minimax(engine, state, **limits, **more)) == expected


@pytest.mark.parametrize(
    "settings", [*SETTINGS, Settings(bias=0.0, room=70), Settings(grave=5, even=30, prior=2, explore=0.3)], ids=str
)
@pytest.mark.parametrize("players", [1, 3, 8])
def test_trees_are_the_same_in_c(players: int, settings: Settings) -> None:
    by_hand = Threes(players)
    for state in positions(by_hand, 4, 1):
        expected = seconds_off(mcts(by_hand, state, 150, seed=5, settings=settings))
        for engine in laid(players):
            assert seconds_off(mcts(engine, state, 150, seed=5, settings=settings)) == expected


@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_tree_knows_nothing_before_its_first_visit(players: int) -> None:
    by_hand = Threes(players)
    for state in positions(by_hand, 4, 1):
        for engine in (by_hand, *laid(players)):
            root = planted(engine, state, Settings()).root()
            assert (root.visits, root.proven, root.mover, set(root.values)) == (0, None, state[0], {0})


def test_trees_of_three_go_on_the_same_in_c() -> None:
    by_hand = Threes(3)
    said = []
    for engine in (by_hand, *laid(3)):
        state, found = engine.start(), list[Any]()
        tree = planted(engine, state, Settings())
        for number in range(4):
            tree.grow(60, None, number)
            best = tree.ranked(tree.root().at)[0]
            state = engine.expand(state).child(best.number)
            tree.advance(best.at, state, History(number + 1))
            found += [tree.root()[2:-1], [one[:-1] for one in tree.ranked(tree.root().at)], tree.played]
        said.append(found)
    assert all(one == said[0] for one in said)


# --------------------------------------------------------------------------------------- the strong search


def several() -> dict[str, tuple[Engine, list[State]]]:
    """Games of three players and more, and positions of them: with places that are shared, ranked, and others."""
    places = Laid(pysolve.load(PLACES).model)
    drops = Laid(load("connect_four-three", width=5, height=4).model)
    three, five, hunt = laid(3)[-1], laid(5)[-1], Laid(pysolve.load(HUNT).model)
    return {
        "three": (three, positions(Threes(3), 15, 4)),
        "five": (five, positions(Threes(5), 8, 5)),
        "ranked": (places, positions(places, 15)),
        "drops": (drops, positions(drops, 8, 9)),
        "hunt": (hunt, late_positions(hunt, 9)),
    }


def test_without_techniques_the_strong_search_of_many_is_paranoid() -> None:
    """In most of these games every move fills a place, so no position is met at two depths of one search."""
    for name, (engine, states) in several().items():
        for state in states:
            for depth in (1, 2) if name == "hunt" else (1, 3):
                (found,) = strong(engine, state, depth, techniques=NOTHING_MORE)
                assert found.depth == depth or found.end
                assert found.value == plain(engine, state, found.depth, state[0])[state[0] - 1]


@pytest.mark.parametrize("techniques", [DEFAULT, ALL], ids=["default", "all"])
def test_what_the_strong_search_claims_of_payoffs_is_proved(techniques: Techniques) -> None:
    """A payoff above 0 is got at least, one below 0 at most."""
    claims = set()
    for name, (engine, states) in several().items():
        for state in states:
            (found,) = strong(engine, state, nodes=2000, techniques=techniques)
            if found.end is None:
                continue
            value = minimax(engine, state, found.moves_to_end).value
            assert value >= found.end * WIN if found.end > 0 else value <= found.end * WIN
            claims.add((name, found.end))
    assert claims >= {("three", 4), ("three", 1), ("three", -2), ("ranked", 2), ("ranked", -4)}


def test_what_one_of_many_has_found_is_nothing_to_another() -> None:
    """The others are one side against the player who searches, so a value is his alone."""
    engine, states = several()["three"]
    for state in states[:4]:
        memory, node = Memory(), engine.expand(state)
        strong(engine, state, depth=4, memory=memory)
        for other in node.children():
            if other[0] != state[0]:
                one, alone = (strong(engine, other, depth=4, memory=kept)[0] for kept in (memory, None))
                assert seconds_off(one) == seconds_off(alone)
                strong(engine, state, depth=4, memory=memory)


def test_the_strong_search_of_many_is_the_same_again() -> None:
    for engine, states in several().values():
        for state in states[:2]:
            one, other = (strong(engine, state, nodes=1500, lines=2, techniques=ALL) for _ in range(2))
            assert list(map(seconds_off, one)) == list(map(seconds_off, other))
            assert one[0].nodes <= 1700


# ------------------------------------------------------------------------------------------------ analysis


def position_of(players: int, *moves: str) -> Position:
    position = game(players).start()
    for move in moves:
        position = position.play(move)
    return position


def test_an_analysis_has_a_value_for_each_player() -> None:
    found, values = best_moves(position_of(3, "b1", "b2"), Limits(depth=3), 12)
    assert list(found.each) == ["Red", "Blue", "Green"]
    assert found.worth == found.each["Green"]
    assert len(values) == 10
    for one in values:
        after = position_of(3, "b1", "b2", one.move.text)
        assert one.worth == move_worth(position_of(3, "b1", "b2"), one.move, 3)
        value = plain(after.game.engine, after.state, 2)[2]
        assert one.worth.value == (value if one.worth.ends_in is None else payoff_at_end(value))
    assert [one.worth.score for one in values] == sorted((one.worth.score for one in values), reverse=True)


@pytest.mark.parametrize(
    ("payoff", "said", "told"),
    [
        (4, "wins in 2", {"result": "win", "payoff": 1.0, "in": 2}),
        (1, "gets +1/4 in 2", {"result": "part", "payoff": 0.25, "in": 2}),
        (0, "draw", {"result": "draw", "payoff": 0.0, "in": 2}),
        (-2, "loses in 2", {"result": "loss", "payoff": -0.5, "in": 2}),
    ],
)
def test_ends_of_three_in_words(payoff: int, said: str, told: dict[str, object]) -> None:
    worth = Worth(payoff, 2, players=3)
    assert (str(worth), worth.to_dict()) == (said, told)


def test_a_game_of_three_is_analysed() -> None:
    session = Session(game(3).start(), {})
    for move in ("b1", "d2", "d3", "c1", "a3", "a2"):
        session.play(session.position.parse(move))
    judged = list(analyse(session.positions, session.moves, Limits(depth=2)))
    assert [one.player for one in judged] == ["Red", "Blue", "Green"] * 2
    assert judged[3].before.score >= judged[3].after.score
    before = position_of(3, "b1", "d2", "d3", "b2", "a3", "a2")
    (missed,) = analyse([before], [before.parse("a1")], Limits(depth=1))
    assert (missed.mark(1), missed.before.is_win, str(missed.best)) == ("??", True, "b3")


def test_what_an_analysis_of_three_refuses() -> None:
    position = position_of(3)
    for limits, what in ((Limits(depth=1, quiet=("captures",)), "quiet"), (Limits(depth=1, threads=2), "threads")):
        for ask in (
            lambda limits=limits: best_moves(position, limits, 1),
            lambda limits=limits: list(analyse([position], [], limits)),
        ):
            with pytest.raises(ValueError, match=rf"^{what} is for two players at most: Threes has 3$"):
                ask()


def test_opinions_of_three_players() -> None:
    assert opinion(Sampled(0.25, None, (), 1, (), 0), position_of(3).game) == "50%"
    assert opinion(Result(4 * WIN, (), 1, 1), position_of(3).game) == "wins in 1"


def test_a_lone_player_is_analysed() -> None:
    found, values = best_moves(position_of(1), Limits(depth=3), 3)
    assert str(found.worth) == "wins in 3"
    assert len(values) == 3


def test_the_best_move_of_three_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "threes.rules"
    path.write_text(RULES.format(players="Red, Blue, Green"), "utf-8")
    shown = run("best", str(path), "--depth", "2")
    assert re.search(r"^each for themselves: Red \S+, Blue \S+, Green \S+$", shown.stdout, re.MULTILINE)
    told = json.loads(run("best", str(path), "--depth", "2", "--json").stdout)
    assert set(told["values"]) == {"Red", "Blue", "Green"}
    refused = run("best", str(path), "--quiet", "captures")
    assert (refused.exit_code, "--quiet is for two players at most" in refused.stderr) == (2, True)
    path.write_text(RULES.format(players="Red").replace("stuck most pairs", "stuck draw"), "utf-8")
    refused = run("best", str(path), "--turns", "2")
    assert (refused.exit_code, "--turns is for two players or more: Threes has one" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    "who",
    slow_but(
        ["random", "greedy:replies=2,ties=first", "maxn:turns=2", "mcts:playouts=30"],
        [
            "random",
            "greedy",
            "greedy:turn",
            "greedy:replies=2,ties=first",
            "minimax:depth=2",
            "minimax:turns=2,ties=random",
            "minimax:depth=2,onward,quiet=captures",
            "maxn:turns=2",
            "mcts:playouts=30",
            "mcts:playouts=30,leaf=evaluate,backup=max",
            "minimax:depth=2,terms=edge",
        ],
    ),
)
def test_a_seed_makes_the_same_moves_on_both_engines(who: str) -> None:
    played = []
    for engine in ("prolog", "native"):
        there = Game(game(3).model, engine)
        position, programs = there.start(), [player(who, seat) for seat in range(3)]
        moves = []
        while not position.is_over:
            move = programs[there.players.index(position.to_move)](position)
            position, moves = position.play(move), [*moves, str(move)]
        played.append((moves, position.outcome))
    assert played[0] == played[1]
    assert played[0][0]
