"""The unfolded clauses mean the same as the table-driven ones: on every game, reply by reply."""

import random
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl.to_prolog.unfolded import print_unfolded
from pysolve.engines.prolog import PrologEngine
from tests.games import BROAD, EVERY, FEW, each

HERE = Path(__file__).parent
RULES = sorted([*(HERE.parent / "rules").glob("*.rules"), *(HERE / "rules").glob("*.rules")])
OPTIONS = [
    ("zola", {"size": 4}), ("zola", {"size": 8}), ("zola", {"size": 10}), ("conga", {"sowing": "sweep"}),
    ("conga", {"four_equal": "on"}), ("conga", {"size": 6, "pile": 20}),
]  # fmt: skip


def engines(rules: str | Path, **options: object) -> tuple[PrologEngine, PrologEngine]:
    model = pysolve.load(rules, **options).model
    tables = PrologEngine(model, warm=None)
    return tables, PrologEngine(model, inferences=tables.inferences - 1, warm=None)


def compare(tables: PrologEngine, unfolded: PrologEngine, games: int, plies: int) -> None:
    if not unfolded.unfold():
        pytest.skip("nothing of this game is unfolded")
    rng = random.Random(1)
    for seed in range(games):
        state = tables.start(seed)
        for _ in range(plies):
            assert unfolded.ask(state) == tables.ask(state)
            node = tables.expand(state)
            if node.payoff is not None:
                break
            state = node.child(rng.randrange(len(node)))


@pytest.mark.parametrize("path", each(RULES, quick=FEW, late=EVERY - BROAD | {"chinese_checkers"}))
def test_both_shapes_give_the_same_replies(path: Path) -> None:
    compare(*engines(path), games=3, plies=60)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_both_shapes_agree_under_all_options(name: str, options: dict[str, object]) -> None:
    compare(*engines(name, **options), games=3, plies=60)


@pytest.mark.slow
def test_games_of_moderate_size_are_unfolded_whole() -> None:
    for name in ("zola", "zola-blue-begins", "conga", "conga-sweep", "breakthrough", "clobber", "tictactoe"):
        text = print_unfolded(pysolve.load(name).model)
        assert "records_" not in text, f"a kind of move of {name} is left to its tables"


def test_a_small_budget_leaves_all_to_the_tables() -> None:
    assert print_unfolded(pysolve.load("zola").model, budget=1000) == ""


def test_the_fast_clauses_are_loaded_when_a_game_is_asked_often() -> None:
    engine = PrologEngine(pysolve.load("zola").model, inferences=123_456_789, warm=3)
    state = engine.start()
    replies = {engine.ask(engine.expand(state).child(0)) for _ in range(8)}
    assert len(replies) == 1
    assert engine.unfolded
