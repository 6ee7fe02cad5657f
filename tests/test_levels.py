"""The levels of the shipped games: those of the five original programs beside these programs by hand; all are quick."""

import contextlib
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import pysolve
from pysolve.cli.menu import player_asked_for
from pysolve.dsl.analysis.levels import levels_of, standard_levels
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab.match import play_match
from pysolve.players import functions
from pysolve.players.functions import player, specification
from pysolve.position import Position
from pysolve.runtime.optional import MissingLibrary
from pysolve.runtime.paths import RULES, shipped_games
from pysolve.search.minimax import Result
from tests.games import BROAD, EVERY, VARIANTS, each, fewer, load, slow_but
from tests.oracles import blockade, conga, programs, yoxii, zola

NODES = 2_000_000  # positions that a named level looks at for one move: a second or two on the native engine


def played(oracle: Any, rng: random.Random, longest: int, options: dict[str, Any]) -> dict[str, Any]:
    """A position of a random game, in which there is something to choose."""
    while True:
        position = oracle.initial(**options)
        for _ in range(rng.randrange(longest)):
            position = rng.choice(oracle.moves(position, **options) or [("", {}, position)])[2]
        if len(oracle.moves(position, **options)) > 1:
            return dict(position)


def choice(game: Game, who: str, position: dict[str, Any], seed: int = 1) -> int:
    """The place of the move that a player chooses."""
    found = game.from_dict(position)
    return list(found.legal_moves).index(player(who, seed, game.levels)(found))


# ------------------------------------------------------------------------------- beside the original programs


@pytest.mark.parametrize(
    ("size", "longest", "count"), slow_but([(4, 22, 200)], [(4, 22, 200), (6, 60, 60), (8, 110, 12)])
)
@pytest.mark.parametrize("level", slow_but(["easy"], ["easy", "hard"]))
@pytest.mark.slow
def test_zola_plays_as_the_original(level: str, size: int, longest: int, count: int) -> None:
    game, rng = load("zola", size=size), random.Random(size)
    think = {"easy": programs.zola_easy, "hard": programs.zola_hard}[level]
    for _ in range(fewer(2 * count)):
        position = played(zola, rng, longest, {"size": size})
        assert choice(game, level, position) == think(position, size), position


@pytest.mark.slow
def test_conga_plays_as_the_original() -> None:
    """Five moves deep in a few positions; the same player three moves deep in many."""
    game, rng = load("conga"), random.Random(1)
    text = game.levels["original"]
    assert "depth=5" in text
    assert programs.conga_score(tuple([0, 0, 0, -10, *[0] * 8, 10, 0, 0, 0]), 1) == -3
    for number in range(fewer(320)):
        depth = 5 if number % 16 == 0 else 3
        position = played(conga, rng, 40, {})
        who = text.replace("depth=5", f"depth={depth}")
        assert choice(game, who, position) == programs.conga_original(position, depth), position


@pytest.mark.slow
def test_yoxii_plays_as_the_original() -> None:
    game, rng = load("yoxii"), random.Random(2)
    for _ in range(150):
        position = played(yoxii, rng, 60, {})
        if position["state"]["step"] == "placing":
            continue
        turn, who = game.from_dict(position), player("original", 1, game.levels)
        for place in programs.yoxii_original(position):
            move = who(turn)
            assert list(turn.legal_moves).index(move) == place, position
            turn = turn.play(move)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "turns", "count", "moves"), [("easy", 2, 25, 99), ("hard", 3, 5, 14)])
def test_antiyomacy_plays_as_the_original(level: str, turns: int, count: int, moves: int) -> None:
    """Each move that it draws is one of the best, and all of the best are drawn."""
    game, rng, drawn, best = load("antiyomacy"), random.Random(3), 0, 0
    while count:
        position = game.start(rng.randrange(1000))
        for _ in range(rng.randrange(14)):
            position = position if position.is_over else position.play(position.legal_moves.sample(rng))
        if position.is_over or not 1 < len(position.legal_moves) <= moves:
            continue
        count -= 1
        expected = programs.antiyomacy_best(position.to_dict(), turns)
        found = {choice(game, level, position.to_dict(), seed) for seed in range(8 * len(expected))}
        assert found <= expected, position
        drawn, best = drawn + len(found), best + len(expected)
    assert drawn > 0.9 * best


@pytest.mark.slow
@pytest.mark.parametrize(("level", "backwards", "count"), [("quick", False, 8), ("full", True, 2)])
def test_blockade_plays_as_the_original(level: str, backwards: bool, count: int) -> None:
    """Its turn ends with as many points as the best of all turns, in the line-up of four against three."""
    sizes: dict[str, Any] = {"blockers": 3, "tacklers": 3}
    game, rng = load("blockade-4v3", first="Offence"), random.Random(4)
    while count:
        position = blockade.anything(rng, **sizes)
        position["mover"], position["state"]["acted"] = "Offence", dict.fromkeys(position["state"]["at"], False)
        if blockade.outcome(position):
            continue
        count -= 1
        most, score = programs.blockade_best(position, backwards, **sizes)
        turn, who = game.from_dict(position), player(level, 1, game.levels)
        while turn.to_move == "Offence" and not turn.is_over:
            turn = turn.play(who(turn))
        assert score(turn.to_dict()) == pytest.approx(most)


# ------------------------------------------------------------------------------------------- all are quick


def asked(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The results of all searches that players make from now on."""
    found = list[Result]()
    search: Callable[..., Result] = functions.minimax

    def noted(*args: Any, **settings: Any) -> Result:
        found.append(search(*args, **settings))
        return found[-1]

    monkeypatch.setattr(functions, "minimax", noted)
    return found


def has_levels(name: str) -> bool:
    """True if a game has levels of its own or of the game that it extends; found without reading the game."""
    text = (RULES / f"{name}.rules").read_text(encoding="utf-8")
    parent = re.search(r'^game .* extends "(.*)"', text, re.MULTILINE)
    return bool(re.search("^level ", text, re.MULTILINE) or (parent and has_levels(parent[1])))


def some_positions(name: str) -> list[Position]:
    """Where games begin, and somewhere within."""
    options: list[dict[str, object]] = [{}, {"size": 16}] if name == "antiyomacy" else [{}]
    found, rng = [], random.Random(name)
    for one in options:
        position = load(name, **one).start(1)
        found.append(position)
        for _ in range(rng.randint(8, 20)):
            position = position if position.is_over else position.play(position.legal_moves.sample(rng))
        found += [] if position.is_over else [position]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", each(filter(has_levels, shipped_games()), ("zola", "yoxii"), late=EVERY - BROAD | VARIANTS)
)
def test_named_levels_look_at_few_positions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = asked(monkeypatch)
    for position in some_positions(name):
        for level in position.game.levels:
            assert player(level, 1, position.game.levels)(position) in position.legal_moves
            assert sum(search.nodes for search in searches) <= NODES, (level, position)
            searches.clear()


# ----------------------------------------------------------------------------------------- those of every game


@pytest.mark.slow
def test_every_shipped_game_has_levels_or_is_solved() -> None:
    """By its model alone; the players of the levels fit the game, and are limited by positions, not by time."""
    for name in shipped_games():
        game = load(name)
        if len(game.players) == 1 and not game.model.chances:
            assert game.levels == {"solve": "solver"}, name
            continue
        assert tuple(game.levels)[:3] == ("easy", "medium", "hard"), name
        for level in game.levels:
            specification(level, game.levels).check(game)
        for text in standard_levels(game.model).values():
            assert re.search(r"nodes=\d+", text), (name, text)
            assert "time=" not in text, (name, text)


def positions(text: str) -> int:
    """How many positions a level looks at."""
    found = re.search(r"nodes=(\d+)", text)
    assert found is not None
    return int(found[1])


@pytest.mark.slow
def test_each_level_sees_more_than_the_one_below_it_in_every_game() -> None:
    for name in shipped_games():
        texts = list(standard_levels(load(name).model).values())
        seen = [] if texts == ["solver"] else list(map(positions, texts))
        assert seen == sorted(set(seen)), name


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        ("", ("easy", "medium", "hard", "expert")),
        ('level easy "random"\n', ("easy", "medium", "hard", "expert")),
        ('level expert "minimax:depth=9"\nlevel hard "greedy"\n', ("easy", "medium", "hard", "expert")),
    ],
)
def test_the_levels_of_a_file_win_by_name(lines: str, levels: tuple[str, ...]) -> None:
    game = pysolve.load(f'game "Own" extends "tictactoe"\n{lines}')
    own = dict(re.findall(r'level (\w+) "(.*)"', lines))
    assert tuple(game.levels) == levels
    assert game.levels == {**standard_levels(game.model), **own}


@pytest.mark.slow
def test_a_variant_has_no_trees_by_the_other_rules_of_its_parent() -> None:
    """They may end otherwise; one that names them itself has them."""
    variant = 'game "Own" extends "go"\n'
    for game in (load("go-5x5"), pysolve.load(variant)):
        assert game.levels == standard_levels(game.model)
    text = "mcts:by=go-sensible,nodes=10"
    assert pysolve.load(f'{variant}replace level hard "{text}"\n').levels["hard"] == text
    assert load("blockade-4v3").levels["quick"] == load("blockade").levels["quick"]


@pytest.mark.slow
def test_expert_knows_the_game_so_far_where_positions_count_that_have_occurred() -> None:
    """By learned values, too: plain minimax does not know it."""
    for name, expected in (("lines_of_action", "minimax:search=strong,nodes="), ("clobber", "minimax:nodes=")):
        assert levels_of(load(name).model, "my.values")["expert"].startswith(expected), name


@pytest.mark.slow
def test_levels_go_by_the_kind_of_game() -> None:
    """With `evaluate`, without, for three, with chance for one; games of connection in spite of their `evaluate`."""
    cheap, dear = load("kalah"), load("lines_of_action")
    assert all(text.startswith("minimax:") for text in cheap.levels.values())
    assert positions(cheap.levels["hard"]) > 10 * positions(dear.levels["hard"])  # its estimates take long
    assert all(text.startswith("mcts:nodes=") for text in load("nim").levels.values())
    for name in ("hex", "hex-swap", "bridg_it", "havannah"):
        assert load(name).model.terms, name
        assert load(name).levels["hard"].startswith("mcts:nodes="), name
    assert load("tak").levels["hard"].startswith("minimax:")  # pieces move, too
    assert list(load("2048").levels) == ["easy", "medium", "hard"]
    for name in ("backgammon", "backgammon-points", "battleship", "2048"):  # with chance, payoffs, secrets
        assert "expert" not in load(name).levels, name
    for name in ("blockade", "antiyomacy", "tak", "connect_four-three"):
        assert load(name).levels["expert"].startswith("minimax:search=strong,nodes="), name
    for name in ("blockade", "tak", "havannah"):
        levels = load(name).levels
        assert positions(levels["expert"]) >= 4 * positions(levels["hard"]), name
    three = load("connect_four-three")
    assert [specification(level, three.levels).name for level in three.levels] == ["minimax"] * 4


@pytest.mark.parametrize(("name", "level"), [("tictactoe", "medium"), ("nim", "easy")])
def test_a_level_makes_the_same_moves_on_both_engines_with_one_seed(name: str, level: str) -> None:
    position, other = (pysolve.load(name, engine=engine).start(1) for engine in ("native", "prolog"))
    choose, also = (player(level, 7, position.game.levels) for _ in range(2))
    for _ in range(3):
        move = choose(position)
        assert also(other).text == move.text
        position, other = position.play(move), other.play(move.text)


def test_a_level_misspelt_is_guessed() -> None:
    game = load("connect_four")
    known = "levels of this game are easy, medium, hard, expert$"
    with pytest.raises(UnknownPlayer, match=f'did you mean "medium".*{known}'):
        specification("medum", game.levels)


def test_levels_are_players_everywhere() -> None:
    """In a match and its records by what they mean now; on a command line; as an opponent of one who learns."""
    game = load("tictactoe")
    (played,) = play_match(game, "easy", "random", 1)
    assert set(played.record.players.values()) == {game.levels["easy"], "random"}
    assert player_asked_for("medium", game) == "medium"
    with contextlib.suppress(MissingLibrary):
        from pysolve.adapters.gym import OneSide

        assert OneSide(game, opponent="easy").reset(seed=1)[1]["action_mask"].any()
