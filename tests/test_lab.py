"""The lab: matches, balance, analysis, and their commands."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import IO, Any
from unittest.mock import ANY

import pytest
from typer.testing import CliRunner, Result

import pysolve
from pysolve.cli.app import app
from pysolve.dsl import UnknownOption
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import DoesNotApply
from pysolve.game import Game
from pysolve.lab import analysis
from pysolve.lab.balance import Trial, balance, play_variant, swept, verdict
from pysolve.lab.games import Played, distinct, opened
from pysolve.lab.match import play_match, standing
from pysolve.lab.statistics import quartiles, wilson
from pysolve.notation import record as records
from pysolve.players.best_lines import Limits, best_lines, by_values, goes_by_strong, judged, random_games
from pysolve.position import Position
from pysolve.search.minimax import PythonSearcher
from pysolve.search.searcher import Visit
from tests.games import RULES, load, slow_but

TICTACTOE = str(next(path for path in RULES if path.stem == "tictactoe"))


def run(*words: str) -> Result:
    """A command in this process, which alone plays games unless the words say otherwise."""
    return CliRunner().invoke(app, list(words), env={"NO_COLOR": "1", "COLUMNS": "80", "PYSOLVE_PROCESSES": "1"})


def said(*words: str) -> str:
    result = run(*words)
    assert result.stderr == ""
    assert result.exit_code == 0
    return result.stdout


def refused(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    return result.stderr


# ------------------------------------------------------------------------------------------------- statistics


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.27753),
        (5, 10, 0.23659, 0.76341),
        (81, 263, 0.25527, 0.36622),
        (20, 20, 0.83887, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_of_wilson(points: float, games: int, low: float, high: float) -> None:
    found = wilson(points, games)
    assert (round(found.low, 4), round(found.high, 4)) == (round(low, 4), round(high, 4))


def test_an_interval_holds_its_share() -> None:
    """Rounding would put the share of who has won or lost all games outside: plots cannot draw that."""
    for games in range(1, 500):
        for points in {0, games // 2, games}:
            found = wilson(points, games)
            assert 0 <= found.low <= found.share <= found.high <= 1


def test_quartiles() -> None:
    assert quartiles([4, 1, 3, 2]) == (1, 1.75, 2.5, 3.25, 4)
    assert quartiles([7]) == (7, 7, 7, 7, 7)
    assert quartiles([]) == (0, 0, 0, 0, 0)


# ------------------------------------------------------------------------------------------------------ match


def match(game: Game, one: str, other: str, games: int, seed: int = 1, **more: int) -> list[Played]:
    return list(play_match(game, one, other, games, seed, **more))


def test_players_change_seats_and_openings_are_those_of_the_pair() -> None:
    games = match(load("zola", size=4), "greedy", "random", 6)
    assert [one.number for one in games] == [1, 2, 3, 4, 5, 6]
    assert [one.seats for one in games] == [(0, 1), (1, 0)] * 3
    openings = [one.record.moves[:2] for one in games]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 3
    assert games[0].record.players == {"Red": "greedy", "Blue": "random"}
    assert games[1].record.players == {"Red": "random", "Blue": "greedy"}


@pytest.mark.slow
@pytest.mark.parametrize("players", [("greedy", "random"), ("minimax:depth=2", "mcts:playouts=30")])
def test_the_same_seed_gives_the_same_match_on_both_engines(players: tuple[str, str]) -> None:
    native = load("zola", size=4)
    prolog = Game(native.model, "prolog")
    found = [one.record for one in match(native, *players, games=4, seed=5)]
    assert found == [one.record for one in match(prolog, *players, games=4, seed=5)]
    assert found != [one.record for one in match(native, *players, games=4, seed=6)]


def test_every_game_is_a_record_that_can_be_replayed() -> None:
    for one in match(load("conga"), "minimax:depth=2", "random", 4, limit=60):
        record = records.read(records.write(one.record))
        assert record == one.record
        game = records.game_of(record)
        assert len(list(records.replay(record, game))) == one.length


def test_perfect_players_draw() -> None:
    game = load("tictactoe")
    games = match(game, "minimax:depth=9", "mcts:playouts=1500", 2, opening=0)
    found = standing(game, games)
    assert (found.wins, found.draws, found.stopped, found.duplicates) == ((0, 0), 2, 0, 0)
    assert found.score.share == 0.5


def test_the_same_game_counts_once() -> None:
    game = load("tictactoe")
    games = match(game, "minimax:depth=2", "minimax:depth=3", 6, opening=0)
    found = standing(game, games)
    assert (found.played, found.duplicates) == (6, 4)
    assert sum(found.wins) + found.draws == 2
    assert [one.number for one in distinct(games)] == [1, 2]


def test_a_game_without_end_is_stopped_and_counts_as_a_draw() -> None:
    game = load("conga")
    found = standing(game, match(game, "random", "random", 2, limit=5))
    assert (found.stopped, found.draws, found.wins) == (2, 2, (0, 0))
    assert found.lengths == (0, 0, 0, 0, 0)


def test_the_points_of_a_match_add_up() -> None:
    game = load("zola", size=4)
    games = match(game, "minimax:depth=2", "random", 8)
    found = standing(game, games)
    assert found.wins == (8, 0)
    assert found.by_seat == {"Red": (4.0, 4), "Blue": (4.0, 4)}
    assert found.to_dict()["score"]["share"] == 1.0


def test_an_opening_does_not_end_the_game() -> None:
    game = load("tictactoe")
    for seed in range(30):
        start, moves, _, shortened = opened(game, seed, 7)
        assert not shortened
        for move in moves:
            start = start.play(move)
        assert len(moves) == 7
        assert not start.is_over


@pytest.mark.slow
def test_an_opening_that_ends_every_game_is_shortened() -> None:
    game = load("tictactoe")
    start, moves, redrawn, shortened = opened(game, 1, 9)
    assert (len(moves), redrawn, shortened) == (8, False, True)
    for move in moves:
        start = start.play(move)
    assert not start.is_over
    found = standing(game, match(game, "random", "random", 10, opening=9))
    assert (found.played, found.shortened, found.redrawn) == (10, 10, 0)
    found = standing(game, match(game, "random", "random", 40, opening=6))
    assert found.shortened == 0
    assert 0 < found.redrawn < 20  # some six moves end the game; both games of a pair have the same
    text = said("match", TICTACTOE, "random", "random", "--games", "4", "--opening", "9")
    assert "opening   shortened in 4 games: no opening drawn lasts that long\n" in text
    text = said("match", TICTACTOE, "random", "random", "--games", "40", "--opening", "6")
    assert f"opening   redrawn for {found.redrawn} games: the first one ended the game\n" in text


# ----------------------------------------------------------------------------------------------------- chance

COIN = """\
game "Coin"
  about "A lot says who will win: A in one of three games."

players A, B

board square 2 by 1

state
  luck: 1..3
  shown(cell): bool

setup
  pick n in 1..3
  luck := n

define over = some c: cell has shown(c)

move show(side: cell) as "{side}"
  when not over else "it is shown"
  do shown(side) := true

end A wins when over and luck = 1 because "the lot"
end B wins when over and luck > 1 because "the lot"

stuck draw

show
  shown: true "x", false "."
"""


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "minimax:depth=1"])
def test_equal_games_from_different_lots_count(tmp_path: Path, player: str) -> None:
    """There are six games, three of them equally likely with each player: the truth is one third."""
    (tmp_path / "coin.rules").write_text(COIN, encoding="utf-8")
    game = load(tmp_path / "coin.rules")
    for opening in (0, 1, 2):
        games = list(play_variant(game, player, 100, opening=opening))
        found = balance(game, games, {})
        assert (found.played, found.duplicates, len(distinct(games))) == (100, 0, 100)
        assert found.shortened == (100 if opening else 0)
        assert found.sides["A"].low < 1 / 3 < found.sides["A"].high
        trial = Trial()
        for one in games:
            trial.add(one)
        assert trial.share.share == pytest.approx(found.sides["A"].share)


@pytest.mark.parametrize(
    ("players", "opening", "different"),
    [
        (("minimax:depth=2", "solver"), 0, 2),
        (("minimax:depth=2", "solver"), 1, 8),  # the openings are drawn
        (("minimax:depth=2", "random"), 0, 8),
        (("mcts:playouts=5", "minimax:depth=2"), 0, 8),
        (("greedy", "minimax:depth=1"), 0, 8),
        (("minimax:depth=1,time=9", "minimax:depth=1"), 0, 8),  # a clock may decide
        (("greedy:ties=first", "minimax:depth=1,ties=last"), 0, 2),
        (("greedy:turn,ties=top", "minimax:depth=1,ties=random"), 0, 8),
    ],
)
def test_equal_games_count_once_where_nothing_is_left_to_chance(
    players: tuple[str, str], opening: int, different: int
) -> None:
    game = load("tictactoe")
    found = standing(game, match(game, *players, games=8, opening=opening))
    assert found.played - found.duplicates == different


def test_a_person_is_not_asked_in_a_match() -> None:
    with pytest.raises(UnknownPlayer, match="human is a human player"):
        match(load("tictactoe"), "random", "human", 2)


# ---------------------------------------------------------------------------------------------------- balance


def test_a_sweep_takes_the_values_that_an_option_may_have() -> None:
    game = load("zola")
    assert swept(game, []) == [{}]
    assert swept(game, ["size=4..8"]) == [{"size": "4"}, {"size": "6"}, {"size": "8"}]
    assert swept(game, ["size=4,10"]) == swept(game, ["size=4,10,4"]) == [{"size": "4"}, {"size": "10"}]
    with pytest.raises(UnknownOption, match="option size is swept twice: give all its values at once"):
        swept(game, ["size=4", "size=6"])
    both = swept(load("conga"), ["size=4..5", "four_equal=off,on"])
    assert both[:2] == [{"size": "4", "four_equal": "off"}, {"size": "4", "four_equal": "on"}]


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        ("size", "a sweep has the form  size=4..8"),
        ("siez=4..6", 'Zola has no option "siez": did you mean "size"?'),
        ("size=5", "option size cannot be 5: it must be 4, 6, 8 or 10"),
        ("size=4,5", "option size cannot be 4,5"),
        ("size=8..4", "option size cannot be 8..4"),
    ],
)
def test_a_sweep_that_cannot_be(sweep: str, message: str) -> None:
    with pytest.raises(UnknownOption) as error:
        swept(load("zola"), [sweep])
    assert str(error.value).startswith(message)


def test_balance_counts_sides_and_whoever_begins() -> None:
    game = load("zola", size=4)
    games = list(play_variant(game, "greedy", 12))
    found = balance(game, games, {"size": "4"})
    assert found.played == 12
    assert found.sides["Red"].share + found.sides["Blue"].share == pytest.approx(1)
    assert found.first == found.sides["Red"]
    turned = load("zola-blue-begins", size=4)
    found = balance(turned, list(play_variant(turned, "greedy", 4)), {})
    assert found.first == found.sides["Blue"]


def test_perfect_play_is_balanced() -> None:
    game = load("tictactoe")
    found = balance(game, list(play_variant(game, "minimax:depth=9", 3, opening=0)), {})
    assert (found.draws, found.duplicates) == (1, 2)
    assert found.sides["X"].share == 0.5


@pytest.mark.parametrize(
    ("points", "games", "stopped", "says"),
    [
        (0, 0, 0, "No game was played."),
        (5, 10, 6, "6 of 10 games did not finish"),
        (80, 100, 0, "A is heavily favoured: 80% of the points, 71% to 87%."),
        (30, 100, 0, "B is clearly favoured: 70%"),
        (550, 1000, 0, "A is slightly favoured: 55%"),
        (1000, 2000, 0, "The sides are equal: A leads with at most 52% of the points."),
        (
            52,
            100,
            0,
            "No side is significantly favoured: A has 52%, 42% to 62%; "
            "783 games would find a true share of 55% with a probability of 80%.",
        ),
    ],
)
def test_the_verdict(points: float, games: int, stopped: int, says: str) -> None:
    sides = {"A": wilson(points, games), "B": wilson(games - points, games)}
    assert verdict(sides, games, stopped).startswith(says)


# --------------------------------------------------------------------------------------------------- analysis


def test_values_are_those_of_the_player_to_move() -> None:
    position = load("tictactoe").position("position X\n  X X .\n  O O .\n  . . .")
    found = analysis.ranked(position, 3)
    assert (str(found[0][0]), str(found[0][1])) == ("c3", "wins in 1")
    assert {str(one.move): str(one.worth) for one in found[1:]} == {
        "a1": "loses in 2", "b1": "loses in 2", "c1": "loses in 2", "c2": "0",
    }  # fmt: skip


def test_the_best_move_is_the_first_of_all() -> None:
    position = load("zola", size=4).start()
    reports: list[analysis.Found] = []
    found = analysis.best(position, analysis.Limits(depth=4), reports.append)
    assert [one.depth for one in reports] == [1, 2, 3, 4]
    assert found.worth == analysis.ranked(position, 4)[0][1]
    assert found.line == reports[-1].line
    assert len(found.line) == 4


AHEAD: list[tuple[str, list[str], dict[str, Any]]] = [
    ("zola", [], {"depth": 3}),
    ("zola", [], {"depth": 2, "quiet": ("captures",)}),
    ("yoxii", ["c3"], {"depth": 2}),
    ("yoxii", ["c3"], {"turns": 2}),
    ("kalah", [], {"turns": 3}),
    ("tictactoe", ["b2", "b1"], {"depth": 9}),
]


@pytest.mark.parametrize(("name", "moves", "ahead"), slow_but((), AHEAD, late=AHEAD[1:2]))
def test_the_best_few_are_the_first_of_all(name: str, moves: list[str], ahead: dict[str, Any]) -> None:
    """All moves have the worth that a search of their own finds, and the best few are known sooner."""
    position, by_turns = load(name).start(), "turns" in ahead
    for move in moves:
        position = position.play(move)
    found = analysis.best(position, analysis.Limits(**ahead))
    quiet = ahead.get("quiet", ())
    every = analysis.ranked(position, found.depth, by_turns, limits=analysis.Limits(quiet=quiet))
    for one in every:
        assert one.worth == analysis.move_worth(position, one.move, found.depth, by_turns, quiet)
        assert not one.at_most
    assert [one.worth.score for one in every] == sorted((one.worth.score for one in every), reverse=True)
    for few in (1, 3):
        best = analysis.best_moves(position, analysis.Limits(**ahead), few)[1]
        assert best[0].move == found.line[0]
        assert [one.worth for one in best] == [one.worth for one in every[:few]]
        assert all(one in every for one in best)


@pytest.mark.parametrize("nodes", [100, 1_000, 3_000, 10_000])
def test_the_values_of_moves_keep_to_the_limit(nodes: int) -> None:
    position, looked_at = load("zola").start(), list[int]()
    found, moves = analysis.best_moves(position, analysis.Limits(nodes=nodes), 4, tick=looked_at.append)
    assert nodes // 3 < found.nodes + sum(looked_at) <= nodes
    assert found.nodes <= nodes / 2
    assert moves[0] == analysis.Ranked(found.line[0], found.worth, found.depth)
    for one in moves:
        assert one.worth.score <= found.worth.score or one.depth == found.depth
        there = analysis.move_worth(position, one.move, one.depth)
        assert there.score <= one.worth.score if one.at_most else there == one.worth


def test_a_shallow_value_promises_no_more_than_the_best_move() -> None:
    position = load("zola").start()
    found = analysis.best(position, analysis.Limits(depth=4))
    low = replace(found, worth=analysis.Worth(-5000))
    for one in analysis.ranked(position, 3, known=low)[1:]:
        assert (one.worth, one.depth, one.at_most, str(one)) == (low.worth, 4, True, "at most -5000")


def test_ctrl_c_leaves_what_is_known_of_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    position, visits = load("zola", size=4).start(), count(1)

    class Interrupted(PythonSearcher):
        def visit(self, *question: Any) -> Visit:
            if next(visits) > 20:  # there are 16 moves
                raise KeyboardInterrupt
            return super().visit(*question)

    monkeypatch.setattr(analysis, "searcher_of", lambda engine, *_, **__: Interrupted(
        engine, lambda state: engine.estimate(state)[state[0] - 1], 1 << 16))  # fmt: skip
    found = analysis.ranked(position, 4)
    monkeypatch.undo()
    assert sorted(one.depth for one in found) == [1] * 12 + [2] * 4
    assert all(one.worth == analysis.move_worth(position, one.move, one.depth) for one in found)


def test_after_ctrl_c_nothing_more_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(one: analysis.Found) -> None:
        if one.depth == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(analysis, "_deepened", None)
    found, moves = analysis.best_moves(load("zola").start(), analysis.Limits(depth=5), 3, interrupt)
    assert (found.depth, found.interrupted, len(moves)) == (2, True, 1)


def test_ctrl_c_while_other_moves_are_valued_leaves_those_values_that_are_known() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    position = load("zola", size=4).start()
    found, moves = analysis.best_moves(position, analysis.Limits(depth=3), 3, tick=interrupt)
    assert (found.depth, found.interrupted) == (3, True)
    assert moves[0].move == found.line[0]


def test_values_in_turns_of_several_moves_keep_their_sign() -> None:
    position = load("yoxii").start().play("c3")
    assert position.to_move == "White"
    found = analysis.best(position, analysis.Limits(depth=3))
    assert found.worth == analysis.ranked(position, 3)[0][1]


@pytest.mark.parametrize(
    ("name", "moves", "turns"),
    [("yoxii", [], 2), ("yoxii", ["c3"], 1), ("yoxii", ["c3"], 2), ("kalah", [], 3), ("tictactoe", ["a1", "b1"], 5)],
)
def test_the_best_move_by_turns_is_the_first_of_all(name: str, moves: list[str], turns: int) -> None:
    position = load(name).start()
    for move in moves:
        position = position.play(move)
    found = analysis.best(position, analysis.Limits(turns=turns))
    assert found.depth == turns
    assert found.worth == analysis.ranked(position, turns, by_turns=True)[0][1]


def test_an_end_is_told_in_turns() -> None:
    """South has moves by which it stays the mover, and wins within the turn that it is in, or the one after North's."""
    game = load("kalah", pits=2, seeds=1)
    found = analysis.best(game.start(), analysis.Limits(turns=9))
    assert found.worth.is_win
    assert str(found.worth).startswith("wins in ")
    assert str(found.worth).endswith((" turn", " turns"))
    assert found.worth.to_dict() == {"result": "win", "turns": found.worth.ends_in}
    assert found.worth == analysis.ranked(game.start(), found.depth, by_turns=True)[0][1]


@pytest.mark.parametrize("search", slow_but(["plain"], ["plain", "strong"]))
def test_mistakes_are_marked(search: str) -> None:
    game = load("tictactoe")
    positions, moves = [game.start()], []
    for text in ("a1", "b1", "b2", "a2", "b3"):  # an edge loses, X misses c3, then O may stop it
        moves.append(positions[-1].parse(text))
        positions.append(positions[-1].play(moves[-1]))
    found = list(analysis.analyse(positions, moves, analysis.Limits(depth=9, search=search)))
    assert [one.mark(1) for one in found] == ["", "??", "", "", "??"]
    assert str(found[4].best) == "c3"
    assert str(found[4].before) == "wins in 1"


def test_the_strong_search_values_the_best_moves_together() -> None:
    position, reports = load("zola", size=4).start().play("a1xb1"), list[analysis.Found]()
    limits = analysis.Limits(nodes=20_000, search="strong")
    lines = best_lines(position, 3, limits)
    found, moves = analysis.best_moves(position, limits, 3, reports.append)
    assert [one.depth for one in reports] == list(range(1, found.depth + 1))
    assert reports[-1].line == found.line
    assert [(one.move.numbers, one.worth.value, one.depth) for one in moves] == [
        (one.best, one.value, one.depth) for one in lines
    ]
    assert not any(one.at_most for one in moves)
    (alone,) = best_lines(position, 1, limits)
    assert analysis.best(position, limits).worth.value == alone.value
    assert analysis.best_moves(position, limits, 0) == (replace(analysis.best(position, limits), seconds=ANY), [])


@pytest.mark.slow
def test_a_move_that_was_made_is_searched_as_deep_as_the_best_one() -> None:
    position = load("zola", size=4).start()
    move = position.legal_moves[5]
    limits = analysis.Limits(depth=5, search="strong")
    (judged,) = analysis.analyse([position], [move], limits)
    (best,), (alone,) = best_lines(position, 1, limits), best_lines(position, 1, limits, moves=[5])
    assert (judged.best.numbers, judged.before.value) == (best.best, best.value)
    assert (judged.after.value <= judged.before.value, alone.best) == (True, move.numbers)


@pytest.mark.parametrize(
    ("limits", "is_strong"),
    [
        ({"seconds": 1.0}, True), ({"seconds": 1.0, "threads": 2}, True), ({"seconds": 1.0, "depth": 3}, False),
        ({"seconds": 1.0, "nodes": 100}, False), ({"seconds": 1.0, "turns": 1}, False),
        ({"seconds": 1.0, "quiet": ("captures",)}, False), ({"depth": 3}, False),
        ({"depth": 3, "search": "strong"}, True), ({"seconds": 1.0, "search": "plain"}, False),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_time_alone_is_for_the_strong_search(limits: dict[str, Any], is_strong: bool) -> None:
    assert goes_by_strong(load("zola", size=4).engine, analysis.Limits(**limits)) == is_strong
    for other in (load("pig"), pysolve.load("zola", engine="prolog")):
        if limits.get("search") != "strong":
            assert not goes_by_strong(other.engine, analysis.Limits(**limits))


@pytest.mark.slow
def test_the_strong_search_refuses_what_it_does_not_know() -> None:
    position = load("zola", size=4).start()
    for limits, message in (
        ({"turns": 1}, "turns is for the plain search"), ({"quiet": ("captures",)}, "quiet is for the plain search"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            analysis.best(position, analysis.Limits(search="strong", **limits))
    with pytest.raises(ValueError, match='search must be plain or strong, not "deep"'):
        analysis.best(position, analysis.Limits(depth=1, search="deep"))
    with pytest.raises(DoesNotApply, match="the strong search is for two players or more, without chance"):
        analysis.best(load("pig").start(), analysis.Limits(depth=1, search="strong"))
    with pytest.raises(ValueError, match="search is for two players at most: Connect four for three has 3"):
        analysis.best(load("connect_four-three").start(), analysis.Limits(depth=1, search="strong"))


# --------------------------------------------------------------------------------------------------- commands


@pytest.mark.slow
def test_best_shows_how_it_deepens() -> None:
    lines = said("best", "zola", "size=4", "--depth", "3", "--moves", "2").split("\n")
    assert lines[0] == "Red to move, 16 legal moves"
    assert [line.split()[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert lines[6].startswith("best: ")
    assert lines[7].split() == ["depth", "value", "move"]
    assert [line.split()[0] for line in lines[8:10]] == ["3", "3"]
    assert len(lines) == 11


def test_best_for_programs() -> None:
    found = json.loads(said("best", TICTACTOE, "--play", "a1, b1", "--depth", "7", "--json"))
    assert (found["mover"], found["result"], found["depth"] <= 7) == ("X", "win", True)
    assert found["line"][0] == found["best"] == found["moves"][0]["move"]
    assert len(found["line"]) == found["in"]
    assert [sorted(move)[:3] for move in found["moves"]] == [["at_most", "depth", "in"]] * 3
    over = "a1, a2, b1, b2, c1"
    assert json.loads(said("best", TICTACTOE, "--play", over, "--json"))["over"].startswith("the winner: X (")


@pytest.mark.slow
def test_best_and_analyse_judge_by_learned_values(tmp_path: Path) -> None:
    game = load("zola")
    found = json.loads(said("best", "zola", "--values", "zola.values", "--nodes", "3000", "--json"))
    limits = by_values(game, Limits(nodes=3000), "zola.values")
    (best, *_) = best_lines(judged(game.start(), limits), 3, limits)
    assert (limits.search, found["value"], found["depth"], found["nodes"]) == (
        "strong",
        best.value,
        best.depth,
        best.nodes,
    )
    file = tmp_path / "game.txt"
    said("play", "zola", "--first", "greedy:ties=first", "--second", "random", "--seed", "1", "-q", "--save", str(file))
    words = ("analyse", str(file), "--depth", "2", "--json")
    plain, learned = (json.loads(said(*words, *more))["moves"] for more in ((), ("--values", "zola.values")))
    assert learned[0]["before"]["value"] == best_lines(
        judged(game.start(), limits), 1, limits._replace(nodes=None, depth=2)
    )[0].value  # fmt: skip
    assert [one["move"] for one in plain] == [one["move"] for one in learned]
    for words, message in (
        (("best", "zola", "--values", "nothing.values"), "nothing.values: No such file or directory"),
        (("best", "hex", "--values", "zola.values"), "these values were learned for other rules"),
        (("best", "pig", "--values", "zola.values"), "--values are learned for games without chance: Pig is none"),
    ):
        assert message in " ".join(refused(*words).replace("│", " ").split())


@pytest.mark.slow
def test_best_plays_random_games_where_they_say_more(tmp_path: Path) -> None:
    lines = said("best", "hex", "size=3", "--time", "60", "--moves", "2").split("\n")
    assert lines[1].split() == ["games", "share", "best", "play"]
    assert re.match(r" +\d+  +100%  \w\d, ", lines[2])
    assert re.fullmatch(r"best: \w\d  \(100% for Red, for sure; [\d,]+ random games\)", lines[-5])
    assert [line.split()[1] for line in lines[-4:-2]] == ["share", "100%"]
    found = json.loads(said("best", "hex", "size=3", "--time", "60", "--json"))
    assert (found["sure"], found["expected"], found["moves"][0]["move"]) == (True, 1, found["best"])
    assert found["line"][0] == found["best"]
    mine = tmp_path / "mine.rules"
    text = next(path for path in RULES if path.stem == "tictactoe").read_text(encoding="utf-8")
    mine.write_text(re.sub(r"(?s)\nevaluate.*?\n\n", "\n\n", text), encoding="utf-8")
    assert "games" in said("best", str(mine), "--time", "0.1").split("\n")[1]
    for words in (("--search", "plain", "--time", "0.1"), ("--depth", "2"), ("--time", "0.1", "--threads", "2")):
        assert said("best", str(mine), *words).split("\n")[1].split()[0] == "depth"


@pytest.mark.slow
@pytest.mark.parametrize("known", [0, 1])
def test_ctrl_c_leaves_what_random_games_have_found(known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted_after(position: Position, seconds: float, lines: int) -> Iterator[Any]:
        yield from islice(random_games(position, seconds, lines), known)
        raise KeyboardInterrupt

    monkeypatch.setattr("pysolve.cli.best.random_games", interrupted_after)
    result = run("best", "hex", "--time", "60")
    assert result.exit_code
    if known:
        assert re.search(r"(?m)^best: \w+  \(\d+% for Red; [\d,]+ random games?\)$", result.output)
        assert re.search(r"best stopped after [\d,]+ random games?", result.output)
    else:
        assert "best stopped before a game was over" in result.output


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_is_no_file_of_values(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.values")
    said = refused("best", "zola", "--values", str(tmp_path / "mine.values"))
    assert "this is no file of learned values" in " ".join(said.replace("│", " ").split())


@pytest.mark.slow
def test_best_by_turns() -> None:
    lines = said("best", "yoxii", "--turns", "2", "--moves", "2").split("\n")
    assert lines[1].split()[:2] == ["turns", "value"]
    assert [line.split()[0] for line in lines[2:4]] == ["1", "2"]
    assert lines[6].split() == ["turns", "value", "move"]
    assert [line.split()[0] for line in lines[7:9]] == ["2", "2"]
    assert json.loads(said("best", "yoxii", "--turns", "1", "--json"))["depth"] == 1
    assert "--turns (in whole turns)" in refused("best", "yoxii", "--turns", "1", "--depth", "1")


@pytest.mark.slow
def test_exchanges_are_followed_to_their_end(tmp_path: Path) -> None:
    """One move ahead the queen takes a bishop; what takes her lies beyond."""
    words = ("best", "chess", "--play", "e2e4, d7d5, d1g4, a7a6", "--depth", "1", "--json")
    plain, quiet = (json.loads(said(*words, *more)) for more in ((), ("--quiet", "captures")))
    assert (plain["best"], quiet["best"]) == ("g4c8", "g4f4")
    assert "did you mean" in refused("best", "zola", "--quiet", "captured")
    game = tmp_path / "game.txt"
    said("play", "zola", "size=4", "--first", "random", "--second", "random", "--seed", "1", "-q", "--save", str(game))
    plain, quiet = (json.loads(said("analyse", str(game), "--depth", "1", "--json", *more))
                    for more in ((), ("--quiet", "captures")))  # fmt: skip
    assert [one["before"] for one in plain["moves"]] != [one["before"] for one in quiet["moves"]]


def test_best_without_a_limit_stops() -> None:
    """No depth is as deep as the default, without a limit, would go."""
    said("best", "zola", "--time", "0.1")
    said("best", "zola", "--time", "0.1", "--search", "plain")
    said("best", "conga", "--nodes", "2000", "--moves", "0")


def test_play_seats_programs(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ("play", "zola", "size=4", "--seed", "3", "-q")
    text = said(*words, "--first", "minimax:depth=2", "--second", "greedy:turn", "--save", str(file))
    assert text.startswith("Zola, size=4\nRed: minimax:depth=2, Blue: greedy:turn, seed 3\n")
    again = said(*words, "--seat", "red=minimax:depth=2", "--seat", "Blue=greedy:turn")
    assert text.split("\n")[2:-2] == again.split("\n")[2:-1]
    shown = said("analyse", str(file), "--depth", "2")
    assert "\n   1. Red " in shown
    assert shown.endswith(" captured)\n")
    found = json.loads(said("analyse", str(file), "--depth", "2", "--json"))
    assert len(found["moves"]) == len(records.read(file.read_text(encoding="utf-8")).moves)
    assert all(one["mark"] == "" for one in found["moves"] if one["player"] == "Red")


@pytest.mark.slow
def test_match_prints_the_score_and_keeps_the_games(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ("match", "zola", "minimax:depth=2", "random", "size=4", "--games", "6", "--seed", "2")
    text = said(*words, "--out", str(folder))
    assert text.startswith("6 games of Zola: minimax:depth=2 won 6, drew 0, lost 0 against random\nscore     100.0% (")
    assert sorted(path.name for path in folder.iterdir()) == [f"000{number}.txt" for number in range(1, 7)]
    assert "all legal" in said("replay", str(folder / "0004.txt"), "-q")
    assert "the folder is not empty" in refused(*words, "--out", str(folder))
    found = json.loads(said(*words, "--json"))
    assert (found["played"], found["wins"], found["seed"]) == (6, [6, 0], 2)
    kept = records.read((folder / "0003.txt").read_text(encoding="utf-8"))
    assert tuple(found["games"][2]["moves"]) == kept.moves


def test_games_that_come_to_no_end_have_no_length() -> None:
    text = said("match", "conga", "random", "random", "--games", "2", "--max-moves", "5")
    assert "length" not in text
    assert text.endswith("\n  stopped            2    0      2     0\n")


def test_balance_prints_a_verdict() -> None:
    words = ("balance", "zola", "--sweep", "size=4..6", "--player", "greedy", "--games", "6")
    text = said(*words)
    assert text.count(" games, 0 drawn\n  Red ") == 2
    assert len([line for line in text.split("\n") if " favoured: " in line]) == 2
    found = json.loads(said(*words, "--json"))
    assert [one["options"] for one in found["variants"]] == [{"size": "4"}, {"size": "6"}]
    assert set(found["variants"][0]["sides"]) == {"Red", "Blue"}


@pytest.mark.slow
def test_several_options_may_follow_one_sweep() -> None:
    words = ("first=Offence", "--player", "random", "--games", "1", "--json")
    found = json.loads(said("balance", "blockade", "--sweep", "blockers=3..4", "tacklers=2,3", *words))
    variants = [one["options"] for one in found["variants"]]
    assert [(one["blockers"], one["tacklers"]) for one in variants] == [("3", "2"), ("3", "3"), ("4", "2"), ("4", "3")]
    assert {one["first"] for one in variants} == {"Offence"}
    same = json.loads(said("balance", "blockade", "--sweep", "blockers=3..4 tacklers=2,3", *words))
    assert same == found
    assert json.loads(said(*found["again"].split()[1:], "--json")) == found


def test_a_player_of_a_ladder_may_have_a_blank(tmp_path: Path) -> None:
    rules = tmp_path / "my rules.rules"
    rules.write_text('game "Mine" extends "zola"\n', encoding="utf-8")
    who = f"greedy:by={rules}"
    found = json.loads(said("balance", "zola", "size=4", "--ladder", f"random '{who}'", "--games", "1", "--json"))
    assert found["players"] == ["random", who]
    assert json.loads(said(*shlex.split(found["again"])[1:], "--json")) == found
    assert "--ladder has an unclosed quote" in refused("balance", "zola", "--ladder", "greedy 'random")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "zola", "gredy", "random"], 'there is no player "gredy": did you mean "greedy"?'),
        (["match", "zola", "human", "random"], "human is a human player"),
        (["balance", "zola", "--player", "mcts:leaf=x"], "leaf of mcts cannot be"),
        (["balance", "zola", "--sweep", "sise=4"], 'Zola has no option "sise"'),
        (["play", "zola", "--seat", "Red=robot"], 'there is no player "robot": players are human, random'),
        (["play", "zola", "--second", "minimax:deep=3"], 'minimax has no setting "deep"'),
        (["analyse", "nothing.txt"], "nothing.txt: No such file or directory"),
        (["best", "zola", "--depth", "0"], "--depth"),
        *(
            pytest.param(["best", name, "--search", "strong", *more], message, marks=pytest.mark.slow)
            for name, more, message in (
                ("zola", ["--turns", "2"], "--turns is for the plain search"),
                ("pig", [], "--search strong: the strong search is for two players or"),
            )
        ),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], message: str) -> None:
    assert message in refused(*words)


def interrupted(words: list[str], ready: Callable[[IO[str]], bool]) -> tuple[int, str, str]:
    """A command that hears Ctrl-C when it is ready; its exit status and what it printed after that."""
    words = [sys.executable, "-m", "pysolve", *words]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    assert running.stdout is not None
    until = time.monotonic() + 300
    while not ready(running.stdout) and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=300)
    return running.returncode, out, err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ["match", "zola", "minimax:depth=3", "greedy", "size=4", "--games", "100000", "--out", str(folder)]
    status, out, err = interrupted(words, lambda _: (folder / "0005.txt").exists())
    assert (status, "Traceback" in err) == (130, False)
    assert re.search(r"pysolve: match stopped after \d+ of 100,000 games\n", err)
    assert " of Zola: minimax:depth=3 won " in out
    assert len(list(folder.iterdir())) >= 5


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_search_with_what_it_found() -> None:
    words = ["best", "zola", "size=10", "--time", "60", "--moves", "0"]
    status, out, err = interrupted(words, lambda stdout: stdout.readline().startswith("    2  "))
    assert (status, "Traceback" in err) == (130, False)
    assert "\nbest: " in out
    assert re.search(r"pysolve: best stopped after depth \d+\n", err)


def test_a_record_by_people_with_names_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text('[Game "zola"]\n[Options "size=4"]\n[Red "Ann"]\n[Blue "greedy"]\n\n1. a1xb1\n', encoding="utf-8")
    text = said("play", "--resume", str(file), "-q")
    assert "   2. Blue " in text
    assert text.endswith("Left after 2 moves, Red to move.\n")


# ----------------------------------------------------------------------------------------------- for programs


def keys_of(told: object) -> set[str]:
    """All keys of an object and of what is in it, but those that are names of players, options or lines."""
    if isinstance(told, list):
        return {key for one in told for key in keys_of(one)}
    if not isinstance(told, dict):
        return set()
    named = {"options", "sides", "by_seat", "players", "before", "after", "weights", "by", "won_as", "changes"}
    within = {key: list(one.values()) if key in named and isinstance(one, dict) else one for key, one in told.items()}
    return {*told, *keys_of(list(within.values()))}


@pytest.mark.slow
def test_every_key_is_documented(tmp_path: Path) -> None:
    for library in ("choix", "scipy"):
        pytest.importorskip(library)
    document = (Path(__file__).parent.parent / "docs" / "lab.md").read_text(encoding="utf-8")
    chapter = document.partition("## 9 ")[2].partition("## 10 ")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*)$", chapter, re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`(\w+)`", row[0])}
    listed = {key for key in re.findall(r"`(\w+)`", chapter)}
    store, games = str(tmp_path / "lab.db"), ("size=4", "--games", "2", "--json")
    weights = ("--player", "greedy", "--games", "10", "--rounds", "1", "--match", "2", "-o", str(tmp_path / "t.rules"))
    told = [
        json.loads(run(*words).stdout)
        for words in (
            ("match", "zola", "random", "greedy", *games, "--store", store),
            ("tournament", "zola", "random", "greedy", *games),
            ("balance", "zola-blue-begins", "--ladder", "random greedy", *games),
            ("store", store, "--json"),
            ("store", store, "1", "--json"),
            ("tune", "othello", "size=4", *weights, "--json"),
            ("match", "connect_four-three", "random", "random", "random", "--games", "6", "--json"),
            ("balance", "connect_four-three", "--player", "random", "--games", "6", "--json"),
            ("match", "pig", "target=10", "random", "random", "--games", "12", "--json"),
            ("match", "kuhn_poker", "random", "random", "--games", "4", "--json"),
            ("balance", "kuhn_poker", "--player", "random", "--games", "4", "--json"),
            ("calibrate", "tictactoe", "--nodes", "20", "--games", "2", "--json"),
        )
    ]
    assert keys_of(told) - {"Red", "Yellow", "Blue", "White", "Black", "Ann", "Bob"} - listed == set()
    assert named - keys_of(told) == set()


def test_options_and_players_of_a_match_come_in_any_order() -> None:
    after, before = (
        json.loads(said("match", "zola", *words, "--games", "2", "--json"))["games"]
        for words in (("random", "greedy", "size=4"), ("size=4", "random", "greedy"))
    )
    assert after == before
    assert "needs two players, not 1" in refused("match", "zola", "size=4", "random")
    assert "needs two players, not 3" in refused("match", "zola", "random", "random", "greedy")


@pytest.mark.slow
def test_games_are_games_and_numbers_are_played() -> None:
    pytest.importorskip("choix")
    for words in (("match", "zola", "random", "greedy"), ("tournament", "zola", "random", "greedy")):
        found = json.loads(said(*words, "size=4", "--games", "4", "--json"))
        assert (len(found["games"]), found["played"]) == (4, 4)
        again = shlex.split(found["again"])[1:]
        assert [one["moves"] for one in json.loads(said(*again, "--json"))["games"]] == [
            one["moves"] for one in found["games"]
        ]
