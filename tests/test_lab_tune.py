"""Weights that are learned from games."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
import pysolve.notation.record
from pysolve.cli.app import app
from pysolve.lab.games import Played
from pysolve.lab.match import play_match
from pysolve.lab.tune import Fit, NothingToTune, Row, Terms, fit, rows, variant, weighted, weights_of
from pysolve.lab.workers import in_order
from tests.games import load

pytest.importorskip("scipy")

# Zola, played for the wrong thing: checkers near the centre, and far from each other's rows.
WRONG = """
game "Inwards" extends "zola"

replace evaluate
  inwards 3 : 0 - sum c: cell where at(c) = me of range(c)
  low     3 : count c: cell where at(c) = me and row(c) = 1
"""


def test_weights_are_found_that_explain_the_results() -> None:
    """Who is ahead by 3 a - b wins: whatever the weights were before, they end up in this proportion."""
    sights = [(a, b) for a in range(-4, 5) for b in range(-9, 10) if 3 * a != b]
    found = fit([Row(one, float(3 * one[0] > one[1]), 1.0) for one in sights], {"a": 1, "b": 20})
    assert found.weights["a"] > 0 > found.weights["b"]
    assert found.weights["a"] / -found.weights["b"] == pytest.approx(3, rel=0.1)
    assert found.after < 0.2 < 0.9 < found.before


def test_what_never_differs_keeps_its_weight() -> None:
    found = fit([Row((one, 0), float(one > 0), 1.0) for one in (-2, -1, 1, 2)], {"a": 10, "b": 7})
    assert found.weights["b"] / found.weights["a"] == pytest.approx(0.7, rel=0.1)


def test_few_games_change_little() -> None:
    """One game says little about a term; a hundred that went the same way say much."""
    one = fit([Row((1, 1), 1.0, 1.0), Row((1, -1), 0.0, 1.0)], {"a": 10, "b": 10})
    many = fit([Row((1, 1), 1.0, 1.0), Row((1, -1), 0.0, 1.0)] * 100, {"a": 10, "b": 10})
    assert 1 < one.weights["b"] / one.weights["a"] < 3 < many.weights["b"] / many.weights["a"]


@pytest.mark.slow
def test_terms_add_up_to_the_estimate() -> None:
    game = load("blockade")
    terms, weights = Terms(game), weights_of(game)
    (one,) = play_match(game, "random", "random", 1, seed=5)
    for row in rows(game, [one], terms):
        assert len(row.terms) == len(weights)
    for _, position in pysolve.notation.record.replay(one.record, game):
        if not position.is_over:
            said = sum(weight * value for weight, value in zip(weights.values(), terms.of(position.state), strict=True))
            assert said == position.evaluate()[game.players[0]]


def test_other_weights_change_values_and_nothing_else() -> None:
    game = load("conga")
    weights = {**weights_of(game), "mobility": -2, "neighbours": 0}
    other = weighted(game, weights)
    position, same = game.start(), other.start()
    assert [str(move) for move in position.legal_moves] == [str(move) for move in same.legal_moves]
    assert game.model.digest != other.model.digest
    assert weights_of(other) == weights != weights_of(game)


def test_the_terms_of_a_variant_are_those_of_the_game() -> None:
    """Also where they go on over several lines, with comments between them."""
    first = "inwards 3 : 0 - sum c: cell where at(c) = me of  # towards the centre\n    range(c)"
    game = pysolve.load(WRONG.replace("inwards 3 : 0 - sum c: cell where at(c) = me of range(c)", first))
    other = pysolve.load(variant(game, {"inwards": -2, "low": 1}, "zola", "other weights"))
    for name in ("inwards", "low"):
        assert other.model.rules[f"term_{name}"].text == game.model.rules[f"term_{name}"].text
    assert weights_of(other) == {"inwards": -2, "low": 1}


def test_one_term_is_not_tuned() -> None:
    with pytest.raises(NothingToTune, match="Zola has only one term, spread"):
        Terms(load("zola"))


def test_weights_need_terms_and_games() -> None:
    with pytest.raises(NothingToTune, match="has no evaluate block"):
        Terms(load("checkers"))
    with pytest.raises(NothingToTune, match="play more games"):
        fit([], {"a": 1, "b": 1})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--player", "random"], "random does not use weights"),
        (["--player", "human"], "human is a human player"),
        (["--player", "minimax:depth=1,by=conga"], "already uses other rules"),
        (["--out", "a,b.rules"], "a comma ends a setting of a player"),
        (["--out", "nowhere/better.rules"], "there is no such folder"),
        (["--out", "."], "--force"),
        (["--out", ".", "--force"], "choose another file"),
    ],
)
def test_what_cannot_be_tried_is_said_before_anything_is_played(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pysolve.cli.tune.learn", lambda *_: pytest.fail("games were played"))
    done = CliRunner().invoke(app, ["tune", "conga", *words])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())


@pytest.mark.slow
def test_the_command_finds_out_that_something_is_valued_the_wrong_way_round(tmp_path: Path) -> None:
    rules, out = tmp_path / "inwards.rules", tmp_path / "better.rules"
    rules.write_text(WRONG)
    words = ["tune", str(rules), "size=4", "--player", "greedy", "--games", "60", "--rounds", "2", "--match", "40",
             "--processes", "1", "--out", str(out), "--json"]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["before"] == {"inwards": 3, "low": 3}
    assert told["after"]["inwards"] < 0
    assert told["match"]["score"]["low"] > 0.5
    assert weights_of(pysolve.load(out, size=4)) == told["after"]
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 2
    assert "the file exists" in again.output
    same = CliRunner().invoke(app, [*words, "--force"])
    assert json.loads(same.stdout)["after"] == told["after"]


def test_weights_that_stay_need_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Fit(weights_of(load("conga")), 1.0, 1.0, 10)
    monkeypatch.setattr("pysolve.cli.tune.learn", lambda *_: iter([found]))
    monkeypatch.setattr("pysolve.cli.tune.in_order", None)
    done = CliRunner().invoke(app, ["tune", "conga", "--player", "greedy", "--out", str(tmp_path / "same.rules")])
    assert done.exit_code == 0
    assert done.stdout.endswith("The weights are unchanged: no significant improvement. More games may show one.\n")


@pytest.mark.slow
def test_ctrl_c_in_the_match_keeps_the_weights_and_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*words: Any) -> Iterator[Played]:
        yield from islice(in_order(*words), 2)
        raise KeyboardInterrupt

    found = Fit(weights_of(load("conga")) | {"mobility": 3}, 1.0, 0.9, 10)
    monkeypatch.setattr("pysolve.cli.tune.learn", lambda *_: iter([found]))
    monkeypatch.setattr("pysolve.cli.tune.in_order", interrupted)
    out = tmp_path / "better.rules"
    done = CliRunner().invoke(app, ["tune", "conga", "--player", "greedy", "--processes", "1", "--out", str(out)])
    assert done.exit_code == 130
    assert done.stderr == "pysolve: tune stopped after 1 of 3 rounds and 2 games of the match\n"
    assert "a match of 2 games against the old weights: " in done.stdout
    assert weights_of(pysolve.load(out)) == found.weights
