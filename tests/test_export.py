"""An exported game says in node what Python says: positions, moves, endings, pictures, reasons, searches."""

from __future__ import annotations

import base64
import importlib.util
import json
import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.model import Glyph, Layer
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.player_texts import UnknownPlayer, read_player
from pysolve.engines.build import BuildError, NoCompiler, Refused
from pysolve.export import page, programs, wasm
from pysolve.export.errors import ExportError
from pysolve.export.looks import Looks
from pysolve.export.programs import playable
from pysolve.export.whole import levels_of, whole
from pysolve.lab.scoring import divided
from pysolve.players.best_lines import Limits, as_expert, best_lines, judged
from pysolve.players.functions import in_game, player, tree_settings
from pysolve.position import Position
from pysolve.runtime.paths import RULES, shipped_games
from pysolve.search.history import History
from pysolve.search.mcts import Settings, mcts
from pysolve.search.minimax import minimax
from pysolve.search.several import several
from pysolve.service.explaining import why
from pysolve.service.games import Opened
from pysolve.service.keeping import place, record, replay
from pysolve.service.picture import Picture
from pysolve.service.playing import preview, state
from pysolve.service.question import Asked
from pysolve.service.scale import expected_share
from pysolve.service.thinking import choose
from tests import threes
from tests.exported import Node, Telling, exporting, needs_export, opened
from tests.games import EVERY, FAMILIES, SECRETS, each, load, slow_but
from tests.test_players import REPEATS
from tests.test_service import SHOP

pytestmark = [pytest.mark.slow, needs_export]
LONGEST = 120  # moves of a random game
ENTRIES = 1 << 19  # in the table of a search by time (web/src/export/search.ts)


# Shipped games of other numbers of players, and those that cannot be exported.
OTHERWISE = ("2048", "antiyomacy-many", "connect_four-three", "hanoi", "ludo", "peg_solitaire", "salvage",
             "sliding_tiles", "sokoban")  # fmt: skip
PAYING = ("backgammon-points",)


QUICK = ("zola",)  # to build others takes seconds


@pytest.mark.parametrize(
    "name",
    each(
        [name for name in shipped_games() if name not in {*OTHERWISE, *SECRETS, *PAYING}],
        QUICK,
        late=EVERY - {*FAMILIES, "backgammon"},
    ),
)
def test_random_games_are_the_same(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """States, legal moves and endings move by move; of some positions, and at the end, all else that is shown, too."""
    count = 200 if request.config.getoption("--long") else 4
    game, seeds = opened(name), list(range(count))
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        found = node.ask(games=seeds, longest=LONGEST)["digests"]
        for seed, digest in zip(seeds, found, strict=True):
            if digest != telling.digest(seed, LONGEST):  # then say where
                assert node.ask(game=seed, longest=LONGEST)["told"] == list(telling.played(seed, LONGEST)), seed
                pytest.fail("the digests differ, and nothing else")


def test_what_is_left_to_chance_is_told_and_drawn_as_by_python(tmp_path: Path) -> None:
    """Where chance moves: what may happen, how likely it is, what the seed draws, and what is said of it afterwards."""
    game, line = opened("einstein_wuerfelt_nicht"), {"seed": 7, "start": "", "moves": list[str]()}
    with exporting(game, tmp_path) as node:
        for _ in range(12):
            asked = {"game": "", "line": line}
            expected = state(Asked(KnownGame(game), asked, print, lambda: False))  # type: ignore[arg-type]
            found = node.answer("state", **asked)
            for key in ("chance", "moves", "rest", "played", "mover"):
                assert found.get(key) == expected.get(key), key
            moves = [expected["chance"]["drawn"]] if "chance" in expected else [expected["moves"][0]["text"]]
            line = {**line, "moves": [*line["moves"], *moves]}
        assert node.failure("choose", **{**asked, "line": {**line, "moves": []}, "player": "easy"})["message"] == (
            "chance moves here, and no player"
        )


ROLLED = [
    ("pig", "minimax:depth=4"), ("pig", "easy"), ("pig", "medium"), ("pig", "greedy:ties=first"),
    ("einstein_wuerfelt_nicht", "minimax:depth=3,ties=first"), ("einstein_wuerfelt_nicht", "minimax:nodes=900,onward"),
    ("einstein_wuerfelt_nicht", "minimax:depth=3,terms=steps"),
]  # fmt: skip


@pytest.mark.parametrize("name", slow_but(["pig"], ["pig", "einstein_wuerfelt_nicht"]))
def test_players_of_games_with_chance_choose_what_python_chooses(name: str, tmp_path: Path) -> None:
    """The same move, value, line, depth and number of positions."""
    game, texts = opened(name), [text for one, text in ROLLED if one == name]
    plain = [text for text in texts if text not in ("easy", "medium")]
    with exporting(game, tmp_path, players=tuple(plain)) as node:
        for seed in range(3):
            for plies in (2, 7, 14):
                line = rolled_line(game, seed, plies)
                for text in texts:
                    thoughts: list[Any] = []
                    position = game.lines.walk(line).step.position
                    asked = {"game": "", "line": line, "player": text, "seed": 1}
                    found = node.answer("choose", **asked)
                    move = player(text, seed=1, levels=game.game.levels, report=thoughts.append)(position)
                    if "ties" in game.game.levels.get(text, ""):  # of equal moves another one is drawn
                        assert thoughts
                        assert found["value"] == thoughts[-1].value
                        continue
                    assert found["move"] == move.text, (seed, plies, text)
                    if thoughts and text.startswith("minimax"):
                        thought = thoughts[-1]
                        told = [position._move(numbers).text for numbers in thought.line]
                        seen = (found["value"], found["moves"], found["depth"], found["positions"])
                        assert seen == (thought.value, told, thought.depth, thought.nodes), (seed, plies, text)


def test_an_analysis_looks_through_what_is_left_to_chance(tmp_path: Path) -> None:
    """Also where chance moves itself: there it has a value and no move."""
    game = opened("pig")
    with exporting(game, tmp_path) as node:
        line = {"seed": 0, "start": "", "moves": ["roll"]}
        found = node.answer("analyse", game="", line=line, seconds=0.3, lines=3)
        assert (found["move"], found["line"]) == ("", [])
        position = game.lines.walk(line).step.position
        assert found["value"] == minimax(position.game.engine, position.state, found["depth"]).value
        line["moves"].append("6")
        position = game.lines.walk(line).step.position
        found = node.answer("analyse", game="", line=line, seconds=0.3, lines=2)
        expected = several(position.game.engine, position.state, 2, depth=found["depth"])
        assert [(one["value"], one["moves"]) for one in found["lines"]] == [
            (one.value, [position._move(numbers).text for numbers in one.line]) for one in expected
        ]


@pytest.mark.parametrize("text", ["mcts", "maxn", "minimax:turns=2", "greedy:replies=1", "minimax:quiet=go"])
def test_players_that_cannot_wait_for_a_roll_are_not_exported(text: str) -> None:
    with pytest.raises(UnknownPlayer, match="of a game with chance an export has people, random, greedy"):
        whole(opened("einstein_wuerfelt_nicht"), {"White": text})


def rolled_line(game: Opened, seed: int, plies: int) -> dict[str, Any]:
    """The line of a random game after so many moves, and what is rolled then; it does not end before."""
    lots, position, moves = random.Random(seed), game.game.start(seed), list[str]()
    while len(moves) < plies or position.chance:
        move = position.random_move(lots)
        if position.play(move).is_over:
            break
        position, moves = position.play(move), [*moves, move.text]
    return {"seed": seed, "start": "", "moves": moves}


def test_those_of_other_numbers_of_players_are_known() -> None:
    public = [name for name in shipped_games() if name not in SECRETS]
    assert tuple(name for name in public if len(load(name).players) != 2) == tuple(n for n in OTHERWISE if n in public)


RANKED = threes.RULES.replace("stuck most pairs", "stuck rank pairs, then least outer").replace(
    "move place",
    "define outer(p: player) = count c: cell where at(c) = p and row(c) = 1\n\nmove place",
)
OTHERS = {
    "three": threes.RULES.format(players="Red, Blue, Green"),
    "ranked": RANKED.format(players="Red, Blue, Green, Yellow"),
    "ranked else": RANKED.replace("stuck rank pairs, then least outer", "stuck least outer, else rank pairs").format(
        players="Red, Blue, Green"
    ),
    "two ranked": RANKED.format(players="Red, Blue"),
    "one": threes.RULES.format(players="Red")
    .replace("stuck most pairs", "stuck draw")
    .replace("end mover", "end\n  mover loses when some c: cell has three(c, northeast)\n  mover"),
    "eight": threes.RULES.format(players=", ".join(threes.NAMES)).replace("mover wins when", "mover loses when"),
    "out": threes.RULES.format(
        players="Red, Blue, Green, Yellow\n  out when mover != Red and (some c: cell has at(c) = mover and row(c) = 3)"
    ),
}  # games of other numbers of players, and one whose ending counts every place


@pytest.mark.parametrize("name", each(OTHERS, ("three",)))
def test_games_of_one_to_eight_players_are_the_same(name: str, tmp_path: Path) -> None:
    """With all results: who shares the first place, who has which place, who plays alone and loses."""
    game, seeds = opened(name, text=OTHERS[name]), list(range(40))
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        assert node.ask(games=seeds, longest=40)["digests"] == [telling.digest(seed, 40) for seed in seeds]
        for seed in seeds[:5]:
            line = played(game, seed, 40, goes_on=False)
            asked = {"line": line, "players": {}}
            expected = record(Asked(KnownGame(game), {"game": "", **asked}, print, lambda: False))  # type: ignore[arg-type]
            assert node.answer("record", game="", **asked) == expected


@pytest.mark.parametrize(
    ("name", "seats"), slow_but([], [("chinese_checkers", 3), ("chinese_checkers", 6), ("antiyomacy-many", 5)])
)
def test_games_with_more_seats_are_the_same(name: str, seats: int, tmp_path: Path) -> None:
    game = opened(name, (("seats", str(seats)),))
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        assert node.ask(games=[0, 1, 2], longest=LONGEST)["digests"] == [
            telling.digest(seed, LONGEST) for seed in (0, 1, 2)
        ]


WIDE = """\
game "Wide"
players A, B
board square 10 by 10
state
  at(cell): player or none
setup
  for c: cell
    at(c) := none
move put(a, b, c, d, e: cell) as "{a} {b} {c} {d} {e}"
  when
    at(a) = none
    b = a
    c = a
    d = a
    e in neighbours(a)
  do
    at(a) := mover
end
  mover wins when at(a1) = mover because "the corner"
stuck
  draw
show
  at: A "A" red, B "B" blue, none "."
"""


def test_moves_of_more_than_32_bits(tmp_path: Path) -> None:
    """Their numbers are large ones in JavaScript."""
    game = opened("wide", text=WIDE)
    assert move_codes(game.game.model).bits > 32
    telling = Telling(game)
    line = {"seed": 0, "start": "", "moves": []}
    with exporting(game, tmp_path) as node:
        assert node.ask(games=[0, 1], longest=20)["digests"] == [telling.digest(seed, 20) for seed in (0, 1)]
        first = game.game.start()
        for question in ({"move": "a1 a1 a1 a1 b1"}, {"move": "a1 a1 a1 a2 b1"}):
            expected = why(Asked(KnownGame(game), {"game": "", "line": line, **question}, print, lambda: False))  # type: ignore[arg-type]
            assert node.answer("why", game="", line=line, **question) == expected
        move = player("minimax:depth=2,ties=last", seed=1)(first)
        assert node.answer("choose", game="", line=line, player="minimax:depth=2,ties=last")["move"] == move.text
        tree = node.answer("choose", game="", line=line, player="mcts:playouts=50", seed=3)
        found = mcts(first.game.engine, first.state, 50, seed=3)
        assert tree["line"] == [first._move(numbers).text for numbers in found.line]


@pytest.mark.parametrize("text", ["minimax:time=0.05", "mcts:time=0.05", "minimax:turns=2,time=0.05", "greedy:turn"])
def test_players_within_a_time_play_legal_moves(text: str, tmp_path: Path) -> None:
    game = opened("zola")
    with exporting(game, tmp_path) as node:
        for plies in (0, 20):
            position, line = later("zola", plies, 9)
            found = node.ask(question="choose", asked={"game": "", "line": line, "player": text, "seed": 1})
            assert found["answer"]["move"] in position.legal_moves
            assert all(part["move"] in position.legal_moves for part in found["parts"])


def later(name: str, plies: int, seed: int) -> tuple[Position, dict[str, Any]]:
    """A position some random moves after the beginning, and the line that leads there."""
    chance, position, moves = random.Random(seed), opened(name).game.start(), []
    while len(moves) < plies and not position.play(move := position.legal_moves.sample(chance)).is_over:
        moves.append(move.text)
        position = position.play(move)
    return position, {"seed": 0, "start": "", "moves": moves}


@pytest.mark.parametrize(
    "name",
    slow_but(QUICK, ["zola", "chess", "antiyomacy", "yoxii", "kalah", "go-5x5", "othello"], late=["kalah", "yoxii"]),
)
def test_perft_is_that_of_python(name: str, tmp_path: Path) -> None:
    with exporting(opened(name), tmp_path) as node:
        for plies in (0, 7):
            position, line = later(name, plies, 1)
            counts = node.answer("perft", game="", line=line, depth=3)["counts"]
            assert [(one["depth"], int(one["count"])) for one in counts] == [
                (depth, position.perft(depth)) for depth in (1, 2, 3)
            ]


SEARCHES = [
    ("zola", "minimax:depth=4"), ("zola", "hard"), ("zola", "easy"), ("zola", "minimax:nodes=5000"),
    ("chess", "minimax:depth=3"), ("chess", "hard"), ("chess", "minimax:depth=2,onward"),
    ("antiyomacy", "minimax:turns=1,nodes=20000,ties=first"), ("antiyomacy", "minimax:depth=3"),
    ("yoxii", "original"), ("yoxii", "minimax:turns=2"), ("yoxii", "greedy:turn,ties=last"),
    ("conga", "original"), ("conga", "hard"), ("kalah", "minimax:depth=5,ties=top"),
    ("go-5x5", "minimax:depth=3"), ("blockade", "minimax:depth=2,terms=advance+distance"),
    ("othello", "minimax:depth=4,stuck=loses,ties=bottom"), ("nine_mens_morris", "minimax:depth=3"),
    ("blockade", "minimax:depth=3,ties=first,by=blockade-forwards"), ("blockade", "quick"),
    ("blockade", "minimax:search=strong,nodes=5000,by=blockade-forwards"), ("blockade", "expert"),
    ("chess", "expert"), ("conga", "minimax:search=strong,depth=5"), ("go", "minimax:search=strong,nodes=3000,onward"),
    ("tak", "minimax:search=strong,nodes=3000"), ("tak", "minimax:search=strong,nodes=3000,techniques=wins1+late0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), slow_but(SEARCHES[:3], SEARCHES, late=SEARCHES[3::2]))
def test_players_choose_what_python_chooses(name: str, text: str, tmp_path: Path) -> None:
    """The same move, and where there is a search the same value, line, depth and number of positions."""
    game = opened(name).game
    with exporting(opened(name), tmp_path, players=(text,)) as node:
        for plies in (0, 5, 12):
            position, line = later(name, plies, 3)
            thoughts: list[Any] = []
            move = player(text, seed=1, levels=game.levels, report=thoughts.append)(position)
            found = node.answer("choose", game="", line=line, player=text, seed=1)
            assert found["move"] == move.text
            if thoughts and read_player(game.levels.get(text, text))[0] == "minimax":
                thought = thoughts[-1]
                texts = [position._move(numbers).text for numbers in thought.line]
                seen = (found["value"], found["line"], found["depth"], found["positions"])
                assert seen == (thought.value, texts, thought.depth, thought.nodes)


def test_a_line_ends_where_the_game_does(tmp_path: Path) -> None:
    """Where a position occurs again, which minimax does not know."""
    game, lengths = opened("mine", text=REPEATS.replace("3 by 1", "3 by 2")), set()
    with exporting(game, tmp_path) as node:
        for seed in range(12):
            line = played(game, seed, 7, goes_on=True)
            asked = {"game": "", "line": line, "player": "minimax:depth=6", "seed": 1}
            expected = choose(Asked(KnownGame(game), asked, lambda part: None, lambda: False))  # type: ignore[arg-type]
            found = node.answer("choose", **asked)
            assert found["moves"] == expected["moves"]
            lengths.add(len(found["moves"]))
    assert min(lengths) < max(lengths) == 6


SEATED = [
    ("three", "minimax:depth=4"), ("three", "maxn:depth=3"), ("three", "maxn:turns=2"), ("three", "maxn:nodes=400"),
    ("three", "minimax:nodes=400,ties=last"), ("three", "greedy:ties=first"), ("three", "greedy:replies=2,ties=first"),
    ("three", "maxn:depth=3,terms=edge,ties=bottom"), ("three", "minimax:turns=2"),
    ("three", "minimax:search=strong,depth=4"), ("eight", "minimax:search=strong,nodes=500,techniques=wins1"),
    ("eight", "maxn:depth=2"), ("eight", "minimax:depth=3"), ("ranked", "maxn:depth=5"), ("ranked", "minimax:depth=4"),
    ("one", "minimax:depth=4"), ("one", "maxn:depth=4"), ("one", "greedy:ties=last"),
]  # fmt: skip


@pytest.mark.parametrize("name", each(dict(SEATED), ("three",)))
def test_players_of_many_choose_what_python_chooses(name: str, tmp_path: Path) -> None:
    """All that is said of a move: its line, what it is worth, how all players stand."""
    game, texts = opened(name, text=OTHERS[name]), [text for one, text in SEATED if one == name]
    with exporting(game, tmp_path, players=tuple(texts)) as node:
        for text in texts:
            for plies in (0, 3, 5, 7):
                asked = {"game": "", "line": played(game, plies, plies, goes_on=True), "player": text, "seed": 1}
                expected = choose(Asked(KnownGame(game), asked, lambda part: None, lambda: False))  # type: ignore[arg-type]
                found = node.answer("choose", **asked)
                for key in ("share", "shares"):
                    assert found.pop(key, None) == pytest.approx(expected.pop(key, None)), (text, plies)
                assert {**found, "seconds": 0} == {**expected, "seconds": 0}, (text, plies)


@pytest.mark.parametrize("name", each(["three", "ranked", "ranked else", "one", "eight"], ("three",)))
def test_trees_of_many_players_are_those_of_python(name: str, tmp_path: Path) -> None:
    game = opened(name, text=OTHERS[name])
    with exporting(game, tmp_path) as node:
        for plies in (0, 4, 7):
            position = game.lines.walk(played(game, plies, plies, goes_on=True), lambda: None).step.position
            engine, state, line = position.game.engine, position.state, played(game, plies, plies, goes_on=True)
            limited = node.answer("choose", game="", line=line, player="mcts:nodes=3000", seed=11)
            assert limited["positions"] == mcts(engine, state, nodes=3000, seed=11).visits
            expected = mcts(engine, state, 400, seed=11)
            found = node.answer("choose", game="", line=line, player="mcts:playouts=400", seed=11)
            assert found["line"] == [position._move(numbers).text for numbers in expected.line]
            assert (found["positions"], found["sure"]) == (expected.visits, expected.proven is not None)
            if len(expected.values) > 2:
                parts = divided(expected.values, name.startswith("ranked"))
                assert found["shares"] == pytest.approx(dict(zip(game.game.players, parts, strict=True)))
            else:
                assert found["share"] == (expected.value + 1) / 2


def test_an_analysis_of_three_players_says_how_all_stand(tmp_path: Path) -> None:
    game = opened("three", text=OTHERS["three"])
    with exporting(game, tmp_path) as node:
        found = node.answer("analyse", game="", line=played(game, 7, 7, goes_on=True), seconds=0.05)
        assert list(found["shares"]) == ["Red", "Blue", "Green"]
        assert sum(found["shares"].values()) == pytest.approx(1)


@pytest.mark.parametrize("name", ["zola", "clobber", "tak", "three", "one"])
def test_several_lines_are_those_of_python(name: str, tmp_path: Path) -> None:
    """By the strong search, with the techniques of the game, where that applies; by learned values in two of them."""
    game = opened(name, text=OTHERS.get(name))
    with exporting(game, tmp_path) as node:
        for plies in (0, 6):
            line = played(game, 7, plies, goes_on=True)
            position = game.lines.walk(line, lambda: None).step.position
            found = node.answer("analyse", game="", line=line, seconds=0.2, lines=3)
            search = "strong" if name in ("zola", "tak") else "plain"
            limits = as_expert(game.game, Limits(found["depth"], search=search))
            position = judged(position, limits)
            expected = best_lines(position, 3, limits, entries=ENTRIES, each=len(game.game.players) > 2)
            assert [one["moves"] for one in found["lines"]] == [
                [position._move(move).text for move in one.line] for one in expected
            ]
            if limits.values:
                assert [(one["value"], one["share"]) for one in found["lines"]] == [
                    (None, pytest.approx(expected_share(one.value))) for one in expected
                ]
            else:
                assert [one["value"] for one in found["lines"]] == [one.value for one in expected]
            assert (found["move"], found["value"]) == (found["lines"][0]["move"], found["lines"][0]["value"])
        said = node.failure("analyse", game="", line=line, lines=6)["message"]
        assert said == "lines must be an integer from 1 to 5, not 6"


LEARNED = {
    "zola": ("expert", "minimax:depth=4,values=zola.values", "greedy:values=zola.values,ties=first"),
    "breakthrough": (
        "minimax:search=strong,values=breakthrough.values,nodes=20000",
        "minimax:search=strong,values=breakthrough.values,nodes=5000,techniques=default",
        "minimax:search=strong,values=breakthrough.values,depth=3",
    ),
    "yoxii": ("greedy:turn,values=yoxii.values,ties=last", "minimax:turns=1,values=yoxii.values"),
    "kalah": ("expert",),
}


@pytest.mark.parametrize("name", LEARNED)
def test_players_by_learned_values_choose_what_python_chooses(name: str, tmp_path: Path) -> None:
    """By tables and by a net: all that is said of a move."""
    with exporting(opened(name), tmp_path, players=LEARNED[name]) as node:
        for text in LEARNED[name]:
            for plies in (0, 7, 20):
                asked = {"game": "", "line": later(name, plies, 3)[1], "player": text, "seed": 1}
                expected = choose(Asked(KnownGame(opened(name)), asked, lambda part: None, lambda: False))  # type: ignore[arg-type]
                found = node.answer("choose", **asked)
                assert found.pop("share") == pytest.approx(expected.pop("share")), (text, plies)
                assert {**found, "seconds": 0} == {**expected, "seconds": 0}, (text, plies)


def test_trees_by_what_was_learned_are_those_of_python(tmp_path: Path) -> None:
    """By a policy, by values, by both."""
    texts = (
        "policy=hex.policy,values=hex.values",
        "policy=hex.policy,puct=1",
        "values=hex.values,leaf=playout,prior=5",
    )
    with exporting(opened("hex"), tmp_path) as node:  # `expert` goes by both
        for rest, plies in product(texts, (0, 9)):
            position, line = later("hex", plies, 2)
            text = f"mcts:playouts=300,{rest}"
            settings, history = read_player(text)[1], History(position.turns_played, position.seen)
            engine = judged(position, Limits(values=settings.get("values"))).game.engine
            how = tree_settings(settings, position.game)
            expected = mcts(engine, position.state, 300, seed=11, settings=how, history=history)
            found = node.answer("choose", game="", line=line, player=text, seed=11)
            assert found["line"] == [position._move(numbers).text for numbers in expected.line]
            assert (found["share"], found["positions"]) == ((expected.value + 1) / 2, expected.visits)


def test_an_analysis_of_hex_goes_by_policy_and_values(tmp_path: Path) -> None:
    """By both: without either there is none."""
    game, line = opened("hex"), later("hex", 4, 3)[1]
    exported = whole(game, {})
    assert exported["analysing"]["tree"] == game.game.levels["expert"]
    assert set(exported["learned"]) == {"hex.policy", "hex.values"}
    with Node(exported, tmp_path) as node:
        assert node.answer("analyse", game="", line=line, seconds=0.1, lines=2)["lines"]
    for file in exported["learned"]:
        others = {name: one for name, one in exported["learned"].items() if name != file}
        with Node({**exported, "learned": others}, tmp_path) as node:
            said = node.failure("analyse", game="", line=line, seconds=0.1, lines=2)["message"]
            assert said == f"{file} is not part of this file: export it with a player who goes by {file}"


def test_trees_by_other_rules_and_their_policy_are_those_of_python(tmp_path: Path) -> None:
    """Those of players, and those of an analysis."""
    game = opened("go")
    exported = whole(game, {})
    assert exported["analysing"]["tree"] == game.game.levels["expert"]
    assert exported["plays_out"] is True
    assert set(exported["learned"]) == {"go-sensible.policy"}
    with Node(exported, tmp_path) as node:
        for rest, plies in product(("", ",policy=go-sensible.policy"), (0, 20, 60)):
            position, line = later("go", plies, 2)
            text = f"mcts:playouts=300,by=go-sensible{rest}"
            thought = in_game(load("go-sensible"), position)
            history, how = (
                History(thought.turns_played, thought.seen),
                tree_settings(read_player(text)[1], thought.game),
            )
            expected = mcts(thought.game.engine, position.state, 300, seed=11, settings=how, history=history)
            found = node.answer("choose", game="", line=line, player=text, seed=11)
            assert found["line"] == [position._move(numbers).text for numbers in expected.line]
            assert (found["share"], found["positions"]) == ((expected.value + 1) / 2, expected.visits)
        assert node.answer("analyse", game="", line=line, seconds=0.1, lines=2)["lines"]


@pytest.mark.parametrize("name", ["hex", "zola"])
def test_several_lines_of_a_tree_are_those_of_the_most_visited_moves(name: str, tmp_path: Path) -> None:
    """Of random games, which say more than `evaluate` in Hex."""
    text = (RULES / f"{name}.rules").read_text("utf-8")
    game = opened("mine", text=text if name == "hex" else re.sub(r"(?s)\nevaluate.*?\n\n", "\n\n", text))
    with exporting(game, tmp_path) as node:
        found = node.answer("analyse", game="", line=played(game, 7, 2, goes_on=True), seconds=0.3, lines=3)
    assert found["move"] == found["lines"][0]["move"]
    visits = [one["positions"] for one in found["lines"]]
    assert len(visits) == 3
    assert visits == sorted(visits, reverse=True)


def test_what_is_not_for_so_many_players_is_refused(tmp_path: Path) -> None:
    line = {"seed": 0, "start": "", "moves": []}
    for name, text, message in (
        ("three", "minimax:stuck=loses", "stuck of minimax speaks of one opponent: Threes has 3 players"),
        ("three", "greedy:onesided=edge", "onesided of greedy speaks of one opponent: Threes has 3 players"),
        ("one", "maxn:turns=2", "turns of maxn: Threes has one player, whose turn never ends"),
        ("one", "minimax:search=strong",
         "search=strong is for two players or more, without chance or payoffs: Threes needs plain"),
        ("two ranked", "maxn:depth=2", "maxn is not for two players here: minimax chooses by the same values"),
    ):  # fmt: skip
        with exporting(opened(name, text=OTHERS[name]), tmp_path) as node:
            assert node.failure("choose", game="", line=line, player=text)["message"] == message


def played(game: Opened, seed: int, plies: int, goes_on: bool) -> dict[str, Any]:
    """A line of so many random moves, or fewer; one after which the game goes on, if that is wanted."""
    chance, position, moves = random.Random(seed), game.game.start(), []
    for _ in range(plies):
        choices = [move for move in position.legal_moves if not (goes_on and position.play(move).is_over)]
        if not choices:
            break
        moves.append(chance.choice(choices).text)
        position = position.play(moves[-1])
    return {"seed": 0, "start": "", "moves": moves}


@pytest.mark.parametrize("name", slow_but(QUICK, ["zola", "chess", "kalah"]))
def test_tree_searches_are_those_of_python(name: str, tmp_path: Path) -> None:
    with exporting(opened(name), tmp_path) as node:
        for text, settings in (
            ("mcts:playouts=300", Settings()),
            (
                "mcts:playouts=300,leaf=evaluate,backup=max,bias=0.25,explore=0.7",
                Settings("evaluate", 0.7, 0.25, "max"),
            ),
            (
                "mcts:playouts=300,grave=20,even=50,prior=2,explore=0",
                Settings(grave=20, even=50, prior=2, explore=0),
            ),
        ):
            position, line = later(name, 6, 2)
            history = History(position.turns_played, position.seen)
            expected = mcts(position.game.engine, position.state, 300, seed=11, settings=settings, history=history)
            found = node.answer("choose", game="", line=line, player=text, seed=11)
            assert found["line"] == [position._move(numbers).text for numbers in expected.line]
            assert found["share"] == (expected.value + 1) / 2
            assert found["positions"] == expected.visits


@pytest.mark.parametrize(
    "name", slow_but(QUICK, ["zola", "chess", "antiyomacy", "yoxii", "hex", "blockade"], late=["hex"])
)
def test_reasons_are_those_of_python(name: str, tmp_path: Path) -> None:
    """Of legal moves, of clicks anywhere, and of clicks for one kind of move."""
    game = opened(name)
    chance, cells = random.Random(5), game.game.cells
    with exporting(game, tmp_path) as node:
        for plies in (0, 9):
            position, line = later(name, plies, 4)
            where = {"game": game.id, "line": line}
            for asked in questions(chance, position, cells):
                expected = why(Asked(KnownGame(game), {**where, **asked}, print, lambda: False))  # type: ignore[arg-type]
                assert node.answer("why", **where, **asked) == expected, asked


NUMBERED = """game "Numbered"
players A, B
board square 3 by 3
state
  at(cell): player or none
move put(x: 0..3000, c: cell, d: direction, y: 0..3000) as "{x} {c} {d} {y}"
  when x = 0 and y = 0 else "a number is too large"
  do at(c) := mover
stuck draw
end mover wins when no c: cell has at(c) = none
"""  # 72 million moves for a cell, most of them never legal


def test_reasons_of_moves_with_numbers_and_a_direction(tmp_path: Path) -> None:
    game, where = opened("numbered", text=NUMBERED), {"game": "", "line": {"seed": 0, "start": "", "moves": []}}
    with exporting(game, tmp_path) as node:
        for cells, legal in ((["a1", "b1"], True), (["a1", "c3"], False), (["b2"], True)):
            asked = {**where, "cells": cells}
            expected = why(Asked(KnownGame(game), asked, print, lambda: False))  # type: ignore[arg-type]
            assert (node.answer("why", **asked), expected["legal"]) == (expected, legal)


def test_what_lies_beside_the_board_is_told_and_explained_as_in_python(tmp_path: Path) -> None:
    game, where = opened("shop", text=SHOP), {"game": "", "line": {"seed": 0, "start": "", "moves": []}}
    with exporting(game, tmp_path) as node:
        told = node.ask(game=0, longest=9)["told"]
        assert told == list(Telling(game).played(0, 9))
        for cells, values in (([], ["unit Knight"]), (["a1"], ["card Ace"]), (["b1"], ["unit Peasant"])):
            asked = {**where, "cells": cells, "values": values}
            expected = why(Asked(KnownGame(game), asked, print, lambda: False))  # type: ignore[arg-type]
            assert node.answer("why", **asked) == expected


@pytest.mark.parametrize(("name", "moves"), [
    ("lasca", ["c3-b4", "a5xc3", "d2xb4"]),
    ("quoridor", ["c3h", "e8", "e2"]),
    ("dots_and_boxes", ["a1n", "a1e"]),
    ("blockade", ["d5-d4", "e5 stays"]),
])  # fmt: skip
def test_what_moves_change_is_what_python_says(name: str, moves: list[str], tmp_path: Path) -> None:
    game, line = opened(name), {"seed": 0, "start": "", "moves": moves}
    known = KnownGame(game)
    with exporting(game, tmp_path) as node:
        asked = {"game": "", "line": line}
        expected = state(Asked(known, asked, print, lambda: False))  # type: ignore[arg-type]
        assert node.answer("state", **asked)["played"] == expected["played"]
        asked["moves"] = [move["text"] for move in expected["moves"]][::7]
        assert node.answer("preview", **asked) == preview(Asked(known, asked, print, lambda: False))  # type: ignore[arg-type]


def questions(chance: random.Random, position: Position, cells: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """What somebody may ask about."""
    for _ in range(4):
        yield {"move": position.legal_moves.sample(chance).text}
    for _ in range(8):
        yield {"cells": [chance.choice(cells)]}
        yield {"cells": [chance.choice(cells), chance.choice(cells)]}
    kinds = position.game.model.actions
    yield {"cells": [chance.choice(cells)], "kind": chance.choice(kinds).name}


class KnownGame:
    """The one game that a question can name."""

    def __init__(self, game: Any):
        self._game = game

    def opened(self, known: str) -> Any:
        """The game."""
        return self._game

    def improve(self, opened: Any) -> None:
        """Nothing: it is opened with the engine that it has."""


@pytest.mark.parametrize("name", slow_but(QUICK, ["zola", "blockade", "antiyomacy"]))
def test_records_are_those_of_python(name: str, tmp_path: Path) -> None:
    game = opened(name)
    with exporting(game, tmp_path) as node:
        _, line = later(name, 11, 6)
        asked = {"game": game.id, "line": {**line, "before": 7}, "players": {game.game.players[1]: 'the "best"\u2028'}}
        expected = record(Asked(KnownGame(game), asked, print, lambda: False))  # type: ignore[arg-type]
        assert node.answer("record", **asked) == expected
        again = replay(Asked(KnownGame(game), expected, print, lambda: False))  # type: ignore[arg-type]
        assert node.answer("replay", **expected) == again
        message = node.failure("replay", text=expected["text"].replace(name, "hex"))["message"]
        assert message.startswith("this is a record of another game, or with other options")


@pytest.mark.parametrize("name", slow_but(QUICK, ["zola", "chess", "antiyomacy", "yoxii", "blockade", "hex", "kalah"]))
def test_positions_are_read_as_python_reads_them(name: str, tmp_path: Path) -> None:
    game = opened(name)
    with exporting(game, tmp_path) as node:
        for plies in (0, 8, 30):
            position, _ = later(name, plies, 8)
            for text in (position.line(), position.diagram()):
                expected = place(Asked(KnownGame(game), {"game": "", "text": text}, print, lambda: False))  # type: ignore[arg-type]
                assert node.answer("place", game="", text=text) == expected
            state = node.answer("state", game="", line=expected["line"])
            assert state["position"] == position.line()
            assert [move["text"] for move in state["moves"]] == [move.text for move in position.legal_moves]


def test_what_is_no_position_is_refused_in_words(tmp_path: Path) -> None:
    rows = "RRRR/RRRR/BBBB/BBBB"
    with exporting(opened("zola", (("size", "4"),)), tmp_path) as node:
        for text, message in (
            (" ", "a position is empty"),
            ("RRRR Red", "the board has 4 rows; the drawing has 1"),
            ("RRR/RRRR/BBBB/BBBB Red", "row 1 from the top has 4 cells; 3 are drawn"),
            ("RRXR/RRRR/BBBB/BBBB Red", 'unknown glyph "X" on c4'),
            (f"{rows} Green", 'the mover cannot be "Green": it must be one of Red, Blue'),
            (f"{rows} Red stock=3", 'there is no state variable "stock"'),
            (f"{rows} Red at=Red", "at takes 1 arguments, not 0"),
            (f"{rows} Red at(a1)=Green", 'at(a1) cannot be "Green": it must be one of Red, Blue, none'),
            (f"{rows} Red !", '"!" does not have the form  name = value'),
        ):
            assert node.failure("place", game="", text=text)["message"] == message


def test_what_cannot_be_answered_is_refused_in_words(tmp_path: Path) -> None:
    line = {"seed": 0, "start": "", "moves": []}
    with exporting(opened("zola"), tmp_path) as node:
        state = node.answer("state", game="", line={**line, "moves": ["A1 x b1", "a1-a9", "b1"]})
        assert (state["line"]["moves"], state["played"][0]["text"]) == (["A1 x b1"], "a1xb1")
        assert state["lost"] == {"move": "a1-a9", "message": '"a1-a9" is not a move'}
        for question, asked, message in (
            ("why", {"line": {**line, "moves": ["a1-b1"]}, "cells": ["a1"]}, "a1-b1 is not legal: a retreat ends"),
            ("why", {"line": line, "cells": ["z9"]}, 'the board has no cell "z9"'),
            ("why", {"line": line, "cells": ["a1"], "kind": "jump"}, 'there is no kind of move "jump"'),
            ("why", {"line": line}, "why needs a move or cells"),
            ("choose", {"line": line, "player": "solver"}, 'there is no player "solver" here'),
            ("choose", {"line": line, "player": "minimax:deep=3"}, 'minimax has no setting "deep" here'),
            ("choose", {"line": line, "player": "minimax:depth=0"}, 'depth of minimax cannot be "0": it must be an'),
            ("choose", {"line": line, "player": "minimax:depth=2,turns=2"}, "depth and turns cannot both be set"),
            ("choose", {"line": line, "player": "minimax:depth=2,terms=men"}, "this file has no program for a player"),
            ("choose", {"line": line, "player": "minimax:depth=2,quiet=jump"}, 'there is no kind of move "jump"'),
            ("choose", {"line": line, "player": "minimax:techniques=late0"}, "techniques of minimax are those of"),
            ("choose", {"line": line, "player": "minimax:search=strong,techniques=late"},
             'techniques of minimax: "late" is no technique with its number from 0 to 10,000: techniques are look, '),
            ("choose", {"line": line, "player": "minimax:search=strong,turns=2"}, "turns cannot be set, too"),
            ("choose", {"line": line, "player": "mcts:trees=2"}, 'mcts has no setting "trees"'),
            ("choose", {"line": line, "player": "mcts:grave=-1"}, "it must be an integer from 0 to 1,000,000"),
            ("choose", {"line": line, "player": "mcts:even=0"}, "it must be an integer from 1 to 1,000,000"),
            ("perft", {"line": line, "depth": 0}, "depth must be an integer from 1 to 50, not 0"),
            ("state", {"line": {**line, "start": "x"}}, "the board has 6 rows; the drawing has 1"),
            ("replay", {"text": "x"}, "this is not a game record"),
            ("replay", {"text": "[Game"}, 'line 1: a tag is written  [Name "value"], not  [Game'),
            ("replay", {"text": '[Game "zola"]\n[Seed "x"]'}, 'the seed of a record is a number, not "x"'),
            ("replay", {"text": '[Game "zola"]\n[TurnsBefore "x"]'}, 'TurnsBefore of a record is a number, not "x"'),
            ("replay", {"text": '[Game "zola"]\n\n1. a1xb1 "'}, 'line 3: 1. a1xb1 " cannot be read as moves'),
            ("clauses", {"kind": "retreat"}, "an exported game cannot answer this"),
        ):  # fmt: skip
            assert message in node.failure(question, game="", **asked)["message"]


# ------------------------------------------------------------------------------------- what is refused


def test_a_level_by_damaged_files_is_left_out_with_the_reason(tmp_path: Path) -> None:
    rules, values = tmp_path / "mine.rules", tmp_path / "mine.values"
    rules.write_bytes((RULES / "zola.rules").read_bytes())
    values.write_bytes((RULES / "zola.values").read_bytes())
    (tmp_path / "mine.values.techniques").write_text("hello", encoding="utf-8")
    (why,) = levels_of(pysolve.load(str(rules)))[1].values()
    again = f"pysolve calibrate {rules} --values {values} -o {values}.techniques --force"
    assert why.endswith(f"this is no file of techniques; remove it, or make it again:  {again}")
    (tmp_path / "mine.values.techniques").unlink()
    values.write_bytes(values.read_bytes()[:3000])
    (why,) = levels_of(pysolve.load(str(rules)))[1].values()
    assert why == f"values: {values}: the file is damaged: it is no complete file of learned values"


def test_the_levels_of_every_game_can_be_exported_but_not_a_solver() -> None:
    for name in ("connect_four", "nim", "connect_four-three"):
        game = opened(name).game
        kept, left_out = levels_of(game)
        assert (kept, left_out) == (game.levels, {})
    assert list(levels_of(opened("hanoi").game)[1]) == ["solve"]


def test_players_that_cannot_be_exported_are_refused_and_their_levels_left_out(tmp_path: Path) -> None:
    text = (RULES / "blockade.rules").read_text(encoding="utf-8") + 'level short "greedy:by=blockade-forwards"\n'
    game = opened("blockade", text=text).game
    levels, refused = levels_of(game)
    sentence = 'an export cannot play "short": by other rules it has minimax, maxn, mcts'
    assert ("quick" in levels, refused) == (True, {"short": sentence})
    result = run("export", "blockade", "--level", "greedy:by=blockade-forwards", "-o", str(tmp_path / "blockade.html"))
    assert (result.exit_code, "by other rules it has minimax, maxn, mcts" in plain(result.stderr)) == (2, True)
    named = 'level lost "minimax:depth=2,by=gone"\nlevel expert "mcts:by=gone,nodes=100"\n'
    mine = opened("mine", text=(RULES / "zola.rules").read_text(encoding="utf-8") + named)
    missing = 'there are no rules "gone": did you mean "go"?'
    assert levels_of(mine.game)[1] == {"lost": missing, "expert": missing}
    assert whole(mine, {})["analysing"]["tree"] == "mcts"
    (tmp_path / "mine.rules").write_text((RULES / "onitama.rules").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "mine.techniques").write_text("{", encoding="utf-8")
    damaged = run("export", str(tmp_path / "mine.rules"), "-o", str(tmp_path / "mine.html"))
    assert damaged.exit_code == 2
    again = f"pysolve calibrate {tmp_path}/mine.rules -o {tmp_path}/mine.techniques --force"
    said = f"{tmp_path}/mine.techniques: this is no file of techniques; remove it, or make it again: {again}"
    assert said in " ".join(damaged.stderr.split())
    with pytest.raises(
        UnknownPlayer, match='an export cannot play "solver": it has human, random, greedy, minimax, maxn, mcts'
    ):
        playable("solver", game)
    with pytest.raises(UnknownPlayer, match='an export of a game of two cannot play "maxn"'):
        playable("maxn", game)
    for key in ("turn", "trees"):
        with pytest.raises(UnknownPlayer, match=f'an export cannot play "mcts:{key}.*": its mcts has no {key}$'):
            playable({"turn": "mcts:turn", "trees": "mcts:trees=2"}[key], game)


@pytest.mark.parametrize(
    ("name", "message"),
    [("phantom_tictactoe", "could read them; pysolve web keeps them"), ("backgammon-points", "knows only who wins")],
)
def test_games_that_a_page_cannot_keep_are_refused_before_they_are_compiled(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pysolve.export.whole.programs", lambda *_: pytest.fail("compiled"))
    result = run("export", name, "-o", str(tmp_path / "game.html"))
    assert (result.exit_code, message in " ".join(plain(result.stderr).split())) == (2, True)
    assert "level" not in result.stderr
    with pytest.raises(ExportError, match=message):
        whole(opened(name), {})


def test_programs_come_in_an_order_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game and players make the same file, whatever the seed of the hashes in this process."""
    monkeypatch.setattr(programs, "wasm", lambda text, functions: text.encode())
    game = opened("antiyomacy").game
    terms = [term.name for term in game.model.terms]
    found = programs.programs(game, [f"minimax:depth=1,terms={term},onesided={term}" for term in terms])
    assert list(found.views) == ["||", *(view for term in terms for view in (f"{term}||", f"{term}|{term}|"))]


def test_without_a_compiler_the_message_names_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(wasm, "_clang", lambda: None)
    result = run("export", "tictactoe", "-o", str(tmp_path / "game.html"))
    assert result.exit_code == 2
    for words in ("makes WebAssembly", "pip install 'pysolve-games[zig]'", "clang together with lld"):
        assert words in plain(result.stderr)


def test_c_that_is_no_program_is_said_to_be_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        wasm.compiler()
    except NoCompiler as error:
        pytest.skip(str(error))
    with pytest.raises(Refused, match="does not take the C that pysolve wrote"):
        wasm.wasm("int no(", ())
    monkeypatch.setattr(wasm, "compiler", lambda: ("/nowhere/cc",))
    with pytest.raises(BuildError, match="/nowhere/cc did not compile the game"):
        wasm.wasm("int x;", ())


def test_a_page_that_is_not_built_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path)
    with pytest.raises(ExportError, match="the page is not built: cd web && npm ci && npm run build"):
        page.html({})


def test_nobody_plays_against_a_lone_player(tmp_path: Path) -> None:
    result = run("export", "peg_solitaire", "--level", "random", "-o", str(tmp_path / "peg.html"))
    assert result.exit_code == 2
    assert "against the first player: use --seat Solver=random" in " ".join(
        plain(result.stderr).replace("│", "").split()
    )


@pytest.mark.slow
def test_a_side_has_one_player(tmp_path: Path) -> None:
    """The one that is named, or else that of the level."""
    path, seats = tmp_path / "game.html", ("--seat", "o=greedy", "--seat", "O=random")
    result = run("export", "tictactoe", *seats, "-o", str(path))
    assert (result.exit_code, "O is named twice: a seat has one player" in plain(result.stderr)) == (2, True)
    asked, to = ("export", "tictactoe", "--level", "minimax:depth=2"), ("-o", str(path), "--force")
    for words, who in (((), "minimax:depth=2"), (("--seat", "o=greedy"), "greedy")):
        assert run(*asked, *words, *to).exit_code == 0
        tags = Tags()
        tags.feed(path.read_text(encoding="utf-8"))
        carried = json.loads(zlib.decompress(base64.b64decode(tags.texts["game"]), -zlib.MAX_WBITS))
        assert carried["hello"]["first"]["seats"] == {"O": who}
    result = run("export", "tictactoe", "--level", "uci:stockfish", *to)
    assert (result.exit_code, "would start a program" in plain(result.stderr)) == (2, True)


def test_a_cell_with_too_many_looks_is_refused() -> None:
    model = opened("zola").game.model
    layer = Layer(("at",), tuple(Glyph((value,), str(value), ("red",)) for value in range(150)), True)
    board = Picture(model)
    with pytest.raises(ExportError, match="a cell of Zola can look in 22,500 ways, and an export draws at most 20,000"):
        Looks(replace(model, layers=(layer, replace(layer)))).table(board)


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "zola.html"
    path.write_text("mine", encoding="utf-8")
    result = run("export", "zola", "-o", str(path))
    assert result.exit_code == 2
    assert "the file exists; choose another one, or use --force" in plain(result.stderr)
    assert path.read_text(encoding="utf-8") == "mine"


# ------------------------------------------------------------------------------------------- the file

HOSTILE = """\
game "</title></script><img src=x onerror=alert(1)>"
  about "<!-- <script>alert(2)</script> -->"
players A, B
board square 2 by 1
state
  at(cell): player or none
setup
  for c: cell
    at(c) := none
move put(c: cell) as "</script>{c}"
  when
    at(c) = none else "<img src=x onerror=alert(3)>"
  do
    at(c) := mover
end
  mover wins when at(a1) = mover and at(b1) = mover because "<script>alert(4)</script>"
  draw when every c: cell has at(c) != none because "&lt;"
stuck
  draw
show
  at: A "<b>" red, B "&" blue, none "."
"""


class Tags(HTMLParser):
    """The elements of a page, with what stands in title and scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes an element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Notes a text, by the element before it."""
        tag, attributes = self.found[-1] if self.found else ("", {})
        self.texts.setdefault(str(attributes.get("id", tag)), data)


def test_texts_of_rules_run_nothing() -> None:
    """Whatever they say, there are the same elements; only two scripts may run, each by its digest."""
    harmless, hostile = (Tags(), Tags())
    harmless.feed(page.exported(opened("tictactoe"), {}))
    written = page.exported(opened("hostile", text=HOSTILE), {})
    hostile.feed(written)
    title = opened("hostile", text=HOSTILE).game.title
    assert "<img" in title
    assert hostile.texts["title"] == title
    assert [tag for tag, _ in hostile.found] == [tag for tag, _ in harmless.found]
    assert [sorted(about) for _, about in hostile.found] == [sorted(about) for _, about in harmless.found]
    scripts = [about for tag, about in hostile.found if tag == "script"]
    assert scripts == [*({"type": "text/plain", "id": name} for name in (*page.PARTS, "game")), {}]
    policy = next(about["content"] or "" for tag, about in hostile.found if about.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert policy.count("'sha256-") == 3
    carried = json.loads(zlib.decompress(base64.b64decode(hostile.texts["game"]), -zlib.MAX_WBITS))
    assert carried["game"]["title"] == title
    assert carried["hello"]["first"]["text"] == HOSTILE


def test_the_command_writes_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm, "FLAGS", ("-Os", *wasm.FLAGS[1:]))  # as small as for everybody else
    path = tmp_path / "game.html"
    result = run("export", "tictactoe", "--seat", "o=minimax:depth=2", "-o", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    written = path.read_text(encoding="utf-8")
    assert plain(result.stdout) == f"{path}: {len(written.encode()) / 1000:,.0f} kB"
    assert len(written.encode()) < 150_000
    tags = Tags()
    tags.feed(written)
    carried = json.loads(zlib.decompress(base64.b64decode(tags.texts["game"]), -zlib.MAX_WBITS))
    assert list(carried["hello"]["first"]["seats"].values()) == ["minimax:depth=2"]


def run(*words: str) -> Result:
    """A command, carried out in this process."""
    return CliRunner().invoke(app, list(words), env={"NO_COLOR": "1", "COLUMNS": "80"})


def plain(text: str) -> str:
    """What a terminal shows, as one line."""
    return " ".join(text.split())
