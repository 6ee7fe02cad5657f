"""Learning values: the same games from the same seed, however often it stops; a test at the end; what was learned."""

import ctypes
import json
import math
import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import time
from array import array
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.analysis.patterns import patterns
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.dsl.to_c import print_learning, print_teaching
from pysolve.engines.bindings import STEPS, Control
from pysolve.engines.learning import Learner
from pysolve.engines.protocol import EngineError
from pysolve.engines.teaching import SearchLearner
from pysolve.game import Game
from pysolve.lab.choice import Choice, choices, left, shared
from pysolve.lab.learn import CheckpointError, Limits, Round, Training
from pysolve.lab.lessons import explained
from pysolve.lab.pairs import paired
from pysolve.lab.sprt import Sprt, share_of_elo
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.players.values import file_at, values_in
from pysolve.search.learned import Values
from tests.games import slow_but

# Two rows of pawns; who brings one across wins.
RACE = """\
game "Race"
players White, Black
board square 3 by 4
state at(cell): player or none
setup
  for c: cell: at(c) := if row(c) = 1 then White else if row(c) = 4 then Black else none
define ahead(p: player): direction = if p = White then north else south
move step(from, to: cell) as "{from}-{to}"
  when
    at(from) = mover
    to = from + ahead(mover)
    at(to) = none
  do
    at(from) := none
    at(to) := mover
move take(from, to: cell) as "{from}x{to}"
  when
    at(from) = mover
    to in neighbours(from)
    at(to) = opponent
    row(to) = row(from + ahead(mover))
    column(to) != column(from)
  do
    at(from) := none
    at(to) := mover
stuck mover loses
end mover wins when some c: cell has at(c) = mover and row(c) = (if mover = White then 4 else 1)
"""


ROOT = os.getcwd()


@pytest.fixture(scope="module")
def race() -> Game:
    return pysolve.load(RACE)


def learner(game: Game, seed: int) -> Learner:
    return Learner(game.model, patterns(game.model), seed, [game.engine.start(0)], compiler="tcc")


def test_the_same_seed_and_games_make_the_same_values_however_often_one_stops(race: Game) -> None:
    once, often, other = learner(race, 1), learner(race, 1), learner(race, 2)
    assert once.play(60)[0] == 60
    for games in (7, 1, 52):
        often.play(games)
    other.play(60)
    assert once.values() == often.values()
    assert once.state() == often.state()
    assert once.values() != other.values()


def test_a_learner_goes_on_from_its_state(race: Game) -> None:
    first, second = learner(race, 1), learner(race, 9)
    first.play(30)
    second.resume(*first.state())
    first.play(30)
    second.play(30)
    assert first.values() == second.values()
    with pytest.raises(ValueError, match="other patterns"):
        second.resume(1, 1, b"", b"")


def test_a_game_that_is_stopped_leaves_nothing(race: Game) -> None:
    stopped, plain = learner(race, 1), learner(race, 1)
    done = 0
    while not done:  # however slow the machine is
        done, _ = stopped.play(1_000_000, until=time.monotonic() + 0.2)
    assert done < 1_000_000
    plain.play(done)
    assert stopped.state() == plain.state()


# A variable of it counts further than it can.
WRONG = RACE.replace("state at(cell): player or none", "state\n  at(cell): player or none\n  n: 0..2").replace(
    "    at(to) := mover\nmove take", "    at(to) := mover\n    n := n + 1\nmove take"
)


def test_what_cannot_be_learned_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pysolve.load(WRONG)
    with pytest.raises(EngineError, match=r"line \d+ of the rules goes wrong in a game; check the rules"):
        learner(game, 1).play(100)
    monkeypatch.setattr("pysolve.engines.learning.compilers", lambda _: [])
    with pytest.raises(EngineError, match="values are learned in C, which cannot be built here"):
        learner(game, 1)


def test_results_are_counted(race: Game) -> None:
    done, played = learner(race, 3).play(200)
    assert done == 200 == played.first + played.second + played.draws + played.unfinished
    assert played.draws == played.unfinished == 0
    assert 200 * 3 <= played.moves <= 200 * 20


def score(game: Game, values: Values, games: int, seed: int = 1) -> float:
    """The points of one move ahead by values against random moves, written down by hand."""
    rng, points = Random(seed), 0.0
    engine, judge = game.engine, by_own_rules(game, 1, OwnRules(values=values)).engine
    for number in range(games):
        state, me = engine.start(0), 1 + number % 2
        while (node := engine.expand(state)).payoff is None:
            children = list(node.children())
            if state[0] != me:
                state = rng.choice(children)
                continue

            def worth(child: bytes) -> float:
                payoff = engine.expand(child).payoff
                return judge.estimate(child)[me - 1] if payoff is None else math.inf * payoff[me - 1]

            state = max(children, key=worth)
        points += (node.payoff[me - 1] + 1) / 2
    return points / games


def test_a_few_games_are_enough_to_beat_random_moves(race: Game) -> None:
    learning = learner(race, 1)
    untaught = score(race, learning.values(), 100)
    learning.play(1000)
    taught = score(race, learning.values(), 100)
    assert untaught < 0.8
    assert taught > 0.9


def test_learning_begins_as_the_author_judges() -> None:
    game = pysolve.load("zola", size=4)
    rng, some = Random(1), []
    while len(some) < 50:
        state = game.engine.start(0)
        while (node := game.engine.expand(state)).payoff is None:
            some.append(state)
            state = node.child(rng.randrange(len(node)))
    values = Learner(game.model, patterns(game.model), 1, some, compiler="tcc").values()
    judge = by_own_rules(game, 1, OwnRules(values=values)).engine
    ours = [judge.estimate(state)[0] for state in some]
    theirs = [game.engine.estimate(state)[0] for state in some]
    factor = sum(map(abs, ours)) / sum(map(abs, theirs))
    assert all(abs(one - factor * other) <= 2 for one, other in zip(ours, theirs, strict=True))


@pytest.mark.slow
def test_the_program_that_learns_has_no_warnings(race: Game) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no cc")
    flags = "-fsyntax-only", "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"
    for game, prints in product((race, pysolve.load("zola", size=4)), (print_learning, print_teaching)):
        text = prints(game.model)
        checked = subprocess.run(["cc", *flags, "-xc", "-"], input=text, text=True, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stderr[:2000]


# -------------------------------------------------------------------------------------- from searches


def searcher(game: Game, threads: int = 1, nodes: int = 40) -> SearchLearner:
    return SearchLearner(game.model, patterns(game.model), 1, [game.engine.start(0)], nodes, threads, compiler="tcc")


@pytest.mark.slow
def test_games_by_search_are_the_same_with_any_number_of_threads(race: Game) -> None:
    one, three = searcher(race), searcher(race, threads=3)
    for games in (20, 7):
        assert one.play(games) == three.play(games)
    assert one.state() == three.state()
    assert one.games == 27
    assert one.values() != searcher(race).values()


@pytest.mark.slow
def test_games_by_search_that_are_stopped_leave_nothing(race: Game) -> None:
    one, plain = searcher(race, threads=2), searcher(race)
    one.play(10)
    plain.play(10)
    assert one.play(1000, until=time.monotonic()) == (0, (0,) * 5)
    assert one.state() == plain.state()


@pytest.mark.slow
def test_a_mistake_in_the_rules_is_said_of_games_by_search() -> None:
    with pytest.raises(EngineError, match=r"line \d+ of the rules goes wrong in a game; check the rules"):
        searcher(pysolve.load(WRONG), threads=2).play(100)


@pytest.mark.slow
def test_games_by_search_with_more_moves_than_expected_are_played_again(race: Game) -> None:
    one, plain = searcher(race, threads=2), searcher(race)
    one._room = 2
    assert one.play(10) == plain.play(10)
    assert one._room > 2
    assert one.state() == plain.state()
    assert one.play(0) == (0, (0,) * 5)


@pytest.mark.slow
def test_the_search_plays_by_the_values_as_they_are(race: Game) -> None:
    one = searcher(race)
    one.play(50)
    one._take_values()
    assert one._now[0] == one.values().folded().weights


@pytest.mark.slow
def test_values_are_drawn_towards_what_search_finds_but_not_by_a_bound_that_holds(race: Game) -> None:
    state = race.engine.start(0)
    size = -(-len(state) // 8) * 8
    exact, lower, upper = 0, 1, 2
    for bound, found, moves in ((exact, 900, True), (exact, -900, True), (lower, 900, True), (lower, -900, False),
                                (upper, -900, True), (upper, 900, False)):  # fmt: skip
        one = searcher(race)
        label = state.ljust(size, b"\0") + struct.pack("=iB3x", found, bound)
        assert len(label) <= one._sizes[2]
        before = by_own_rules(race, 1, OwnRules(values=one.values())).engine.estimate(state)[0]
        control = Control(steps=STEPS, left=STEPS)
        padded = label.ljust(one._sizes[2], b"\0")
        one._learn_from(ctypes.byref(control), ctypes.byref(one._pupil), one._views, padded, 1)
        now = by_own_rules(race, 1, OwnRules(values=one.values())).engine.estimate(state)[0]
        assert before == 0
        assert (now > 0, now < 0) == ((found > 0, found < 0) if moves else (False, False))


@pytest.mark.slow
def test_a_few_games_by_search_are_enough_to_beat_random_moves(race: Game) -> None:
    learning = searcher(race)
    for _ in range(6):
        learning.play(50)
    assert score(race, learning.values(), 100) > 0.9


@pytest.mark.slow
def test_a_training_by_search_goes_on_from_its_checkpoint(race: Game, tmp_path: Path) -> None:
    def by_search(name: str, nodes: int | None = 40) -> Training:
        return Training(race, "race", tmp_path / f"{name}.values", compiler="tcc", search=nodes, threads=2)

    whole, parts = by_search("whole"), by_search("parts")
    rounds(whole, 150)
    rounds(parts, 100)
    for other in (None, 41):
        with pytest.raises(CheckpointError, match="another choice of --search"):
            by_search("parts", other).resume()
    again = by_search("parts")
    assert again.resume()
    rounds(again, 150)
    assert again.learner.values() == whole.learner.values()
    assert file_at(tmp_path / "parts.values").made["search"] == 40


# ------------------------------------------------------------------------------------------ training


def training(game: Game, path: Path, seed: int = 1) -> Training:
    return Training(game, "race", path, seed, compiler="tcc")


@pytest.mark.slow
def test_without_evaluate_the_authors_lines_count_nothing(tmp_path: Path) -> None:
    told = []
    for weight, evaluate in ((1, False), (-7, False), (1, True)):
        rows = f"  rows {weight} : sum c: cell where at(c) = me of row(c)"
        game = pysolve.load(f"{RACE}evaluate\n{rows}\n  men 2 : count c: cell where at(c) = me\n")
        path = tmp_path / f"{weight}{evaluate}.values"
        one = Training(game, "race", path, compiler="tcc", evaluate=evaluate)
        rounds(one, 300)
        told.append(values_in(str(path), game))
        assert (file_at(path).made["evaluate"], told[-1].uses_lines) == (evaluate, evaluate)
        with pytest.raises(CheckpointError, match="another choice of --search or --no-evaluate"):
            Training(game, "race", path, compiler="tcc", evaluate=not evaluate).resume()
    assert told[0] == told[1] != told[2]
    plain = training(pysolve.load(RACE), tmp_path / "plain.values")
    rounds(plain, 300)
    assert told[0] == plain.learner.values()  # as if the rules had no such lines


def rounds(one: Training, games: int) -> list[Round]:
    return list(one.go_on(Limits(games=games, gains=False), lambda *_: None))


def test_a_training_writes_values_and_goes_on_from_its_checkpoint(race: Game, tmp_path: Path) -> None:
    whole, parts = training(race, tmp_path / "whole.values"), training(race, tmp_path / "parts.values")
    assert not whole.resume()
    assert [one.games for one in rounds(whole, 1200)] == [500, 1000, 1200]
    rounds(parts, 600)
    written = parts.kept.read_bytes()
    parts.kept.write_bytes(written.replace(b'"search": null, ', b""))  # as before there was --search
    assert parts.kept.read_bytes() != written
    again = training(race, tmp_path / "parts.values")
    assert again.resume()
    assert again.learner.games == 600
    rounds(again, 1200)
    assert values_in(str(tmp_path / "whole.values"), race) == values_in(str(tmp_path / "parts.values"), race)
    assert file_at(tmp_path / "whole.values").made["games"] == 1200


def test_a_checkpoint_of_another_training_is_refused(race: Game, tmp_path: Path) -> None:
    one = training(race, tmp_path / "one.values")
    rounds(one, 50)
    with pytest.raises(CheckpointError, match="another seed"):
        training(race, tmp_path / "one.values", seed=2).resume()
    raw = one.kept.read_bytes()
    for wrong in ("Infinity", "NaN", "-5", "1e30", str(10**30), "[" * 100_000, '"1"'):
        for key in (b'"games": 50', b'"seconds": '):
            at = raw.index(key)
            end = min(raw.index(b",", at), raw.index(b"}", at))
            one.kept.write_bytes(raw[:at] + key.split(b":")[0] + b": " + wrong.encode() + raw[end:])
            if (key, wrong) not in [(b'"seconds": ', "1e30")]:
                with pytest.raises(CheckpointError, match="remove it"):
                    training(race, tmp_path / "one.values").resume()
    weights = raw.index(b"\n") + 1
    for damaged in (
        raw[:weights] + b"\xff" * (len(raw) - weights),
        raw[:-4],
        raw[: len(raw) // 2],
        b"",
        b"{}\n",
        b"\xff" * 99,
        raw.replace(b'"lots": ', b'"lots": "', 1),
    ):
        one.kept.write_bytes(damaged)
        with pytest.raises(CheckpointError, match="remove it"):
            training(race, tmp_path / "one.values").resume()


@pytest.mark.parametrize("name", slow_but(["pig"], ["pig", "kuhn_poker", "peg_solitaire", "goofspiel"]))
def test_other_games_are_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownPlayer, match="values are learned for games"):
        Training(pysolve.load(name), name, tmp_path / "x.values")


@pytest.mark.slow
def test_a_training_that_stands_still_does_not_go_on_by_itself(race: Game, tmp_path: Path) -> None:
    one = training(race, tmp_path / "still.values")
    rounds(one, 50)
    one.rounds += [Round(50, 1.0, 0.5, None), Round(50, 2.0, 0.5, None)]
    assert list(one.go_on(Limits(games=100), lambda *_: None)) == []
    assert one.learner.games == 50


# -------------------------------------------------------------------------------------------- choice


def test_two_trainings_share_what_there_is_and_the_second_has_what_the_first_has_left() -> None:
    def first(seconds: float) -> Any:
        return SimpleNamespace(seconds=seconds)

    games, time_ = Limits(games=7, gains=False), Limits(seconds=60.0)
    assert (shared(games), left(games, first(5.0))) == (Limits(games=4, gains=False), Limits(games=3, gains=False))
    assert shared(time_) == Limits(seconds=30.0)
    for used, rest in ((30.5, 30.0), (12.0, 48.0), (400.0, 30.0)):
        assert left(time_, first(used)) == Limits(seconds=rest)


def test_values_of_searches_are_kept_for_more_than_half_of_the_points() -> None:
    def choice(*pairs: int) -> Choice:
        return Choice((10, 10), False, Sprt(pairs))  # type: ignore[arg-type]

    assert not choice(0, 0, 0, 0, 0).searched
    assert not choice(1, 0, 8, 0, 1).searched
    assert choice(1, 0, 8, 1, 1).searched
    assert not choice(1, 0, 8, 1, 1).is_clear
    assert choice(0, 0, 2, 0, 20).is_clear
    assert choice(20, 0, 2, 0, 0).is_clear


@pytest.mark.slow
@pytest.mark.parametrize("by_time", [False, True])
def test_both_ways_are_compared_at_equal_time_where_a_clock_counts(
    race: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_time: bool
) -> None:
    plain = training(race, tmp_path / "race.values")
    searched = Training(race, "race", tmp_path / "race.values.search", compiler="tcc", search=40)
    rounds(plain, 50)
    rounds(searched, 50)
    monkeypatch.setattr("pysolve.lab.choice.nodes_in_time", lambda *_: 7)
    *_, last = choices(searched, plain, 10, by_time, 1, 8)
    assert last.nodes == ((7, 10) if by_time else (10, 10))
    assert last.test.games <= 8


# ---------------------------------------------------------------------------------------------- sprt


def test_the_test_ends_where_one_is_stronger_and_where_none_is() -> None:
    rng = Random(1)

    def verdict(share: float) -> tuple[bool | None, int]:
        test = Sprt()
        while test.verdict is None and test.games < 20_000:
            test = test.after(sum(rng.random() < share for _ in range(2)))
        return test.verdict, test.games

    assert verdict(0.65)[0] is True
    assert verdict(0.65)[1] < 400
    assert verdict(0.45)[0] is False
    wrong = sum(verdict(share_of_elo(0))[0] is True for _ in range(40))
    assert wrong <= 6  # one in twenty is expected


def test_elo_and_shares_are_each_others_inverse() -> None:
    assert share_of_elo(0) == 0.5
    assert share_of_elo(400) == pytest.approx(10 / 11)


def test_pairs_that_were_played_before_do_not_count(race: Game) -> None:
    *_, test = paired(race, "minimax:depth=2", "minimax:depth=2", 200, 1, 1)
    assert test.games < 200
    assert test.score == 0.5


# ------------------------------------------------------------------------------------------- lessons


def test_worth_is_what_the_owner_loses_without_the_piece() -> None:
    game = pysolve.load("zola", size=4)
    found = patterns(game.model)
    values = learner_like(game, found.entries * found.stage_count)
    lessons = explained(game, values)
    assert lessons.pieces.keys() == {"piece"}
    assert lessons.pieces["piece"] == pytest.approx(0.0)
    only = Values(found, values.weights, ((1 << 16,),) * 3)  # the line of the file alone, as it is
    lessons = explained(game, only)
    ranges = {"a1": 1, "b2": 0}
    assert lessons.lines == {"spread": 1.0}
    worths = {cell: lessons.places[cell] for cell in ranges}
    assert None not in worths.values()
    assert all(worth > 0 for worth in worths.values())
    assert worths["a1"] > worths["b2"]


def learner_like(game: Game, count: int) -> Values:
    return Values(patterns(game.model), array("h", bytes(2 * count)))


# ------------------------------------------------------------------------------------------- command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.rules").write_text(RACE)
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["learn", *words])
    return found.exit_code, found.output


@pytest.mark.slow
def test_the_command_learns_tests_and_explains(folder: Path) -> None:
    code, said = run("race.rules", "--games", "1000", "--match", "40", "--nodes", "100")
    assert code == 0, said
    assert "race.values is written: 1,000 games" in said
    assert "against a search without estimates at 100 positions a move" in said
    assert sorted(one.name for one in folder.iterdir()) == ["race.rules", "race.values"]
    code, said = run("race.rules", "--explain", "race.values")
    assert code == 0, said
    assert "learned from 1,000 games, seed 1" in said
    code, said = run("race.rules", "--explain", "race.values", "--json")
    assert json.loads(said)["made"]["games"] == 1000
    code, said = run("race.rules", "--games", "10")
    assert code == 2
    assert "race.values" in said


def test_the_command_refuses_other_games_and_names_that_no_player_can_use(folder: Path) -> None:
    assert "values are learned for games without chance" in " ".join(run("pig")[1].split())
    code, said = run("race.rules", "-o", "a,b.values")
    assert code == 2
    assert "choose another --out" in " ".join(said.split())
    (folder / "bad.values").write_text("{}")
    code, said = run("race.rules", "--explain", "bad.values")
    assert code == 2
    assert "no file of learned values" in " ".join(said.split())


def test_the_command_says_what_is_wrong_with_a_checkpoint(folder: Path) -> None:
    assert run("race.rules", "--games", "50", "--match", "0")[0] == 0
    (folder / "race.values").unlink()
    (folder / "race.values.learning").write_bytes(b"{}\n")
    code, said = run("race.rules", "--games", "60", "--match", "0")
    assert code == 2
    assert "race.values.learning is damaged: remove it, or choose another -o" in " ".join(said.split())


def test_a_test_without_games_says_nothing(folder: Path) -> None:
    code, said = run("race.rules", "--games", "50", "--match", "1")
    assert code == 0, said
    assert "against" not in said
    assert file_at(folder / "race.values").gate == {}


def test_a_test_that_is_stopped_is_gone_on_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Training, "test", stopped)
        code, said = run("race.rules", "--games", "50", "--nodes", "20")
    assert code == 130
    assert "learn stopped after 50 games; the same command goes on" in " ".join(said.split())
    assert (folder / "race.values.learning").exists()
    code, said = run("race.rules", "--games", "50", "--nodes", "20", "--match", "4", "--processes", "1")
    assert code == 0, said
    assert "going on from 50 games" in said
    assert "against a search without estimates at 20 positions a move" in said
    assert not (folder / "race.values.learning").exists()


@pytest.mark.parametrize("score", slow_but([10**400], [10**400, "x", None]))
def test_a_gate_that_makes_no_sense_is_not_told(folder: Path, score: object) -> None:
    assert run("race.rules", "--games", "50", "--match", "0")[0] == 0
    told = json.loads((folder / "race.values").read_text())
    told["gate"] = {"score": score, "low": 0.1, "high": 0.2, "games": "\n", "nodes": 7}
    (folder / "race.values").write_text(json.dumps(told))
    code, said = run("race.rules", "--explain", "race.values")
    assert code == 0, said
    assert "against evaluate" not in said


AUTO = "--search", "auto", "--match", "0", "--nodes", "20", "--processes", "1"


@pytest.mark.slow
def test_both_ways_are_tried_and_the_command_for_what_is_kept_makes_it_again(folder: Path) -> None:
    def learned(out: str, *words: str) -> tuple[dict[str, Any], Values]:
        code, said = run("race.rules", "-o", out, "--json", *words)
        assert code == 0, said
        return json.loads(said), file_at(folder / out).values

    told, values = learned("one.values", *AUTO, "--games", "41", "--no-evaluate")
    again, same = learned("two.values", *AUTO, "--games", "41", "--no-evaluate")
    assert sorted(one.name for one in folder.iterdir()) == ["one.values", "race.rules", "two.values"]
    assert values == same
    assert told["auto"]["match"] == again["auto"]["match"]
    assert not told["auto"]["match"]["by_time"]
    assert [(one["search"], one["games"]) for one in told["auto"]["candidates"]] == [(None, 21), (300, 20)]
    searched = told["auto"]["match"]["score"] > 0.5
    assert [one["kept"] for one in told["auto"]["candidates"]] == [not searched, searched]
    for one in told["auto"]["candidates"]:
        pysolve_, learn_, *words = shlex.split(one["command"])
        assert (pysolve_, learn_, words[-2:]) == ("pysolve", "learn", ["-o", "one.values"])
        direct, others = learned(f"direct{one['search']}.values", *words[1:-2], "--match", "0")
        assert direct["auto"] is None
        assert (others == values) == one["kept"]
    assert file_at(folder / "one.values").made["command"] == told["auto"]["candidates"][searched]["command"]


@pytest.mark.slow
def test_a_choice_that_is_stopped_keeps_both_values_and_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    assert run("race.rules", "-o", "whole.values", *AUTO, "--games", "40")[0] == 0
    assert run("race.rules", "-o", "plain.values", "--match", "0", "--games", "20")[0] == 0
    with monkeypatch.context() as patch:
        patch.setattr("pysolve.engines.teaching.SearchLearner.play", stopped)
        code, said = run("race.rules", *AUTO, "--games", "40")
        assert code == 130
        assert "race.values is written: 20 games one move deep" in said
        assert file_at(folder / "race.values").values == file_at(folder / "plain.values").values
    with monkeypatch.context() as patch:
        patch.setattr("pysolve.cli.learn.choices", stopped)
        code, said = run("race.rules", *AUTO, "--games", "40")
        assert code == 130
        assert "going on from 20 games one move deep" in said
        assert "race.values.search is written: 20 games by searches of 300 positions a move" in said
        assert "learn stopped after 40 games; the same command goes on" in " ".join(said.split())
        assert file_at(folder / "race.values").values == file_at(folder / "plain.values").values
    code, said = run("race.rules", *AUTO, "--games", "40")
    assert code == 0, said
    assert "going on from 20 games by searches of 300 positions a move" in said
    assert "Kept: the values of games" in said
    assert file_at(folder / "race.values").values == file_at(folder / "whole.values").values
    assert not list(folder.glob("race.values.*"))


def test_what_search_may_be_is_said(folder: Path) -> None:
    for wrong in ("0", "many", "1000001", "-3", "9" * 30):
        code, said = run("race.rules", "--search", wrong)
        assert code == 2
        assert "is neither a number of positions from 1 to 1,000,000 nor auto" in " ".join(
            said.replace("│", "").split()
        )
    code, said = run("race.rules", "--search", "auto", "--games", "1")
    assert code == 2
    assert "give it 2 or more" in said


@pytest.mark.slow
def test_without_the_strong_search_only_one_way_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.cli.learn.can_search", lambda _: False)
    code, said = run("race.rules", *AUTO, "--games", "50")
    assert code == 0, said
    assert "values are learned from games one move deep alone" in " ".join(said.split())
    assert file_at(folder / "race.values").made["games"] == 50
    assert not (folder / "race.values.search").exists()


@pytest.mark.slow
def test_a_training_that_is_killed_goes_on(folder: Path) -> None:
    command = [sys.executable, "-m", "pysolve", "learn", "race.rules", "--games", "1000000000"]
    environment = {**os.environ, "PYTHONPATH": ROOT}
    kept, before = folder / "race.values.learning", None

    def written(path: Path) -> bytes | None:
        return path.read_bytes() if path.exists() else None

    for end in (signal.SIGKILL, signal.SIGINT):
        one = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        begun = time.monotonic()
        while written(kept) in (None, before):
            assert one.poll() is None
            assert time.monotonic() - begun < 120
            time.sleep(0.05)
        before = written(kept)
        one.send_signal(end)
        said = one.communicate(timeout=60)[0].decode()
        if end == signal.SIGINT:
            assert one.returncode == 130
            assert "going on from" in said
            assert "learn stopped after" in said
    assert file_at(folder / "race.values").made["games"] > 500
