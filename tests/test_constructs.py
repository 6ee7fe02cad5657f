"""Every phrase of the language in a small game, beside rules of the same game written by hand.

In: the games of tests/rules, and the oracles.  Out: the examples of each game hold; engine and oracle agree in
random games and in positions with any values.
"""

from pathlib import Path
from typing import Any

import pytest

import pysolve
from dsl.model import Game as Model
from pysolve import examples
from pysolve.engines.prolog import PrologEngine
from pysolve.game import Game
from tests import lockstep
from tests.oracles import (
    amazons,
    breakthrough,
    checkers,
    connection,
    go,
    hexxagon,
    in_line,
    kalah,
    morris,
    othello,
    provinces,
    pushers,
    rook,
    shift,
    zoo,
)

RULES = Path(__file__).parent / "rules"
GAMES = sorted(path.stem for path in RULES.glob("*.rules"))

# Game, oracle, options of the rules, and those of the oracle where they differ.
BOTH: list[tuple[str, Any, dict[str, Any], dict[str, Any] | None]] = [
    ("tictactoe", in_line.TIC_TAC_TOE, {}, {"width": 3, "height": 3}),
    ("connect_four", in_line.CONNECT_FOUR, {}, {"width": 7, "height": 6}),
    ("connect_four", in_line.CONNECT_FOUR, {"width": 4, "height": 5}, None),
    ("gomoku", in_line.GOMOKU, {"size": 7}, {"width": 7, "height": 7}),
    ("gomoku", in_line.GOMOKU, {"size": 7, "exact": True}, {"width": 7, "height": 7, "exact": True}),
    ("breakthrough", breakthrough, {}, None),
    ("breakthrough", breakthrough, {"width": 3, "height": 5}, None),
    ("hex", connection.HEX_GAME, {"size": 4}, None),
    ("y", connection.Y_GAME, {"size": 4}, None),
    ("othello", othello, {}, None),
    ("othello", othello, {"size": 4}, None),
    ("amazons", amazons, {"size": 4}, None),
    ("checkers", checkers, {"size": 6, "rows": 2}, None),
    ("checkers", checkers, {}, None),
    ("go", go, {"size": 3}, None),
    ("go", go, {}, None),
    ("rook", rook, {}, None),
    ("morris", morris, {}, None),
    ("hexxagon", hexxagon, {}, None),
    ("hexxagon", hexxagon, {"moving": "growing"}, None),
    ("kalah", kalah, {}, None),
    ("kalah", kalah, {"pits": 3, "seeds": 5}, None),
    ("shift", shift, {}, None),
    ("shift", shift, {"stones": 0}, None),
    ("pushers", pushers, {}, None),
    ("zoo", zoo, {}, None),
    ("zoo", zoo, {"size": 2, "speed": "fast", "bonus": 300, "polite": False, "shift": 3}, None),
]
ANYWHERE = [*(case for case in BOTH if case[0] != "kalah"), ("provinces", provinces, {"size": 3}, None)]


def load(name: str, options: dict[str, Any] | None = None) -> Game:
    return pysolve.load(RULES / f"{name}.rules", **(options or {}))


def named(case: object) -> str:
    return "" if case is None else str(case) if isinstance(case, (str, dict)) else " "


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_hold(name: str) -> None:
    assert examples.run(load(name)) == []


@pytest.mark.parametrize(("name", "oracle", "options", "others"), BOTH, ids=named)
def test_random_games_agree_with_the_oracle(
    name: str, oracle: Any, options: dict[str, Any], others: dict[str, Any] | None
) -> None:
    lockstep.play_along(load(name, options), oracle, options if others is None else others, seed=3, games=2, length=50)


@pytest.mark.parametrize(("name", "oracle", "options", "others"), ANYWHERE, ids=named)
def test_any_position_agrees_with_the_oracle(
    name: str, oracle: Any, options: dict[str, Any], others: dict[str, Any] | None
) -> None:
    for fill in (0.2, 0.6, 1.0):
        lockstep.compare_anywhere(
            load(name, options), oracle, options if others is None else others, seed=5, count=20, fill=fill
        )


def test_a_drawn_map_can_be_played() -> None:
    game = load("provinces", {"size": 4})
    for seed in range(4):
        start = game.start(seed).to_dict()
        lockstep.play_along(game, provinces, {"size": 4}, seed, games=1, length=15, start=start)


def test_the_value_of_a_position_agrees_with_the_oracle() -> None:
    game = load("zoo")
    engine = PrologEngine(game.model)
    for state in lockstep.random_states(game, seed=9, count=60):
        position = pysolve.position.Position(game, state).to_dict()
        assert engine.estimate(state) == (zoo.estimate(position), -zoo.estimate(position))


# ------------------------------------------------------------------------------- phrases by themselves


def test_short_games_are_short() -> None:
    """Lines of each game without comments, blank lines, show and examples: the measure of the language."""
    limits = {"tictactoe": 14, "hex": 19, "breakthrough": 27, "othello": 25, "amazons": 38}
    lengths = {name: code_lines((RULES / f"{name}.rules").read_text()) for name in limits}
    assert all(lengths[name] <= limits[name] for name in limits), lengths


def code_lines(text: str) -> int:
    count, skipping = 0, False
    for line in text.splitlines():
        if line[:1].strip():
            skipping = line.split()[0] in ("show", "example")
        if line.strip() and not line.lstrip().startswith("#") and not skipping:
            count += 1
    return count


def test_what_does_not_read_the_state_becomes_a_table() -> None:
    model: Model = load("zoo").model
    for name in ("parity", "corner", "far_from", "rank", "next_tint", "ends", "inner", "near"):
        assert f"def_{name}" not in model.rules, name


def test_lots_depend_on_the_seed_alone() -> None:
    game, same = load("provinces"), load("provinces")
    assert game.start(5) == same.start(5)
    assert len({game.start(seed).state for seed in range(20)}) > 15


def test_a_variant_replaces_and_adds() -> None:
    parent, child = load("tictactoe"), load("misere")
    assert len(parent.start().legal_moves) == 9
    assert len(child.start().legal_moves) == 8
    assert child.start().play("a1").to_dict()["state"]["moved"] is True


def test_a_position_that_occurs_three_times_is_a_draw() -> None:
    position = load("rook").start()
    for move in ["a1a2", "e4e5", "a2a1", "e5e4"] * 2:
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is None
    assert len(position.legal_moves) == 0


def test_turns_are_counted_and_not_moves() -> None:
    position = load("pushers").start()
    for move, turns in (("a1-a2", 0), ("b1.", 0), ("c1.", 1), ("a4.", 1), ("b4.", 2)):
        position = position.play(move)
        assert position.turns == turns, move
