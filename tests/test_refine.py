"""Refining values: labels with any number of threads, true ones; weights that come nearer to them; the command."""

import dataclasses
import json
import math
import sqlite3
import zlib
from array import array
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.analysis.patterns import byte_by_byte, inputs, patterns, tempo
from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.language.constants import VALUE_UNIT
from pysolve.engines import refining
from pysolve.engines.nets import FittedNet
from pysolve.engines.protocol import DoesNotApply, EngineError, LimitReached
from pysolve.engines.refining import Refiner, divided
from pysolve.game import Game
from pysolve.lab.labels import Labels
from pysolve.lab.learn import Limits, Training, sampled
from pysolve.lab.refine import Plan, Refining
from pysolve.lab.scaling import _steepness, from_evaluate
from pysolve.lab.sprt import Sprt
from pysolve.players.values import ValuesError, ValuesFile, file_at, most_units, read, write
from pysolve.search.learned import Values
from pysolve.search.minimax import minimax
from tests.test_learn import RACE

SURE = 5 * VALUE_UNIT  # the label of a win

pytestmark = pytest.mark.slow  # each needs the program that learns from searches


@pytest.fixture(scope="module")
def race() -> Game:
    return pysolve.load(RACE)


@pytest.fixture(scope="module")
def learned(race: Game, tmp_path_factory: pytest.TempPathFactory) -> ValuesFile:
    """Values of a few games."""
    out = tmp_path_factory.mktemp("values") / "race.values"
    list(Training(race, "race", out, compiler="tcc").go_on(Limits(games=20), lambda *_: None))
    return file_at(out)


def refiner(race: Game, learned: ValuesFile, threads: int = 1, nodes: int = 200, units: int | None = None) -> Refiner:
    return Refiner(race.model, learned.values, 3, sampled(race, 3), nodes, threads, "tcc", units)


def labels_of(one: Refiner) -> list[tuple[bytes, int]]:
    """States with their labels, as C has laid them out: the state, padded, the value, and a byte."""
    size = len(one.labels) // one.count
    rows = [one.labels[at : at + size] for at in range(0, len(one.labels), size)]
    game = one.game.size
    padded = (game + 7) // 8 * 8
    return [(bytes(row[:game]), int.from_bytes(row[padded : padded + 4], "little", signed=True)) for row in rows]


def test_labels_are_the_same_with_any_number_of_threads_and_in_any_portions(race: Game, learned: ValuesFile) -> None:
    one, two, three = refiner(race, learned), refiner(race, learned, 2), refiner(race, learned)
    assert one.label(12) == two.label(12) > 12
    three.label(5)
    three.label(7)
    assert labels_of(one) == labels_of(two) == labels_of(three)


def test_what_a_label_is_sure_of_is_so(race: Game, learned: ValuesFile) -> None:
    one = refiner(race, learned, nodes=2000)
    one.label(20)
    labels = labels_of(one)
    sure = [(state, value) for state, value in labels if abs(value) == SURE]
    assert len(sure) > 5
    assert {value > 0 for _, value in sure} == {True, False}
    for state, value in sure:
        assert math.copysign(1, minimax(race.engine, state, depth=20).value) == math.copysign(1, value)


def test_refining_begins_with_the_values_of_the_file(race: Game, learned: ValuesFile) -> None:
    found = refiner(race, learned).values()
    assert (found.weights, found.lines) == (learned.values.weights, learned.values.lines)


def test_a_fit_keeps_the_pass_that_fits_other_labels_best(race: Game, learned: ValuesFile) -> None:
    one = refiner(race, learned)
    one.label(30)
    rows = one.fit(6)
    assert [row.number for row in rows] == list(range(7))
    assert rows[-1].fitted < rows[0].fitted
    best = min(row.apart for row in rows)
    assert best < rows[0].apart
    assert one.fit(0)[0].apart == pytest.approx(best, abs=1e-12)


def test_what_is_left_out_of_a_fit_are_whole_games() -> None:
    for count in (1, 2, 1000, 30_123):
        apart, fitted = divided(count)
        assert sorted(apart + fitted) == list(range(count))
        assert apart
        assert abs(len(apart) - count / 10) <= max(1, count / 100)
        assert sum(after != before + 1 for before, after in pairwise(apart)) <= 20  # where a game may be divided


def test_a_step_moves_what_a_position_selects_towards_its_label(race: Game, learned: ValuesFile) -> None:
    one = refiner(race, learned)
    one.label(4)
    size = len(one.labels) // one.count
    one.labels = 2 * one.labels[:size]  # the first one is left out of the fit
    before = list(one._floats(one._weights))[: one._counts[0]]
    one.fit(1)
    one.resume(one.games, 1, *one.state()[2:])
    (state, value), p = labels_of(one)[1], learned.values.patterns
    after = list(one._floats(one._weights))[: one._counts[0]]
    moved = {at: now - was for at, (now, was) in enumerate(zip(after, before, strict=True)) if now != was}
    assert 0 < len(moved) <= len(p.groups[state[0] == 2])
    assert {at // p.entries for at in moved} == {p.stage(state)}
    said = learned.values.value(state) * (1 if state[0] == 1 else -1)
    error = math.tanh(value / VALUE_UNIT) - math.tanh(said / VALUE_UNIT)
    assert {math.copysign(1, by) for by in moved.values()} == {math.copysign(1, error)}
    assert all(abs(by) == pytest.approx(refining.RATE, rel=0.02) for by in moved.values())  # Adam's first step


def test_a_net_is_fitted_in_the_place_of_the_tables(race: Game, learned: ValuesFile) -> None:
    one = refiner(race, learned, units=16)
    one.label(400)  # so that those left out are some hundred
    rows = one.fit(30)
    assert rows[-1].fitted < rows[0].fitted / 2
    best, found = min(row.apart for row in rows), one.values()
    assert best < rows[0].apart / 2
    assert found.net
    assert found.net.units == 16
    assert found.patterns.entries == 1
    errors = [
        math.tanh(value / VALUE_UNIT) - math.tanh(found.value(state) * (1 if state[0] == 1 else -1) / VALUE_UNIT)
        for state, value in map(labels_of(one).__getitem__, divided(one.count)[0])
    ]  # rounded, and by Python, the net says what it said in floats
    assert sum(error**2 for error in errors) / len(errors) == pytest.approx(best, rel=0.02)


def test_a_net_is_not_taught_where_something_is_captured() -> None:
    """The strong search looks at captures itself; what is left out are positions whose best move captures."""
    game = pysolve.load("chess")
    alone = tempo(patterns(game.model))
    lines = tuple(term.weight << 17 for term in game.model.terms)
    values = Values(alone, array("h", bytes(2 * alone.stage_count)), (lines,) * alone.stage_count)
    found = []
    for units in (None, 8):
        one = Refiner(game.model, values, 3, sampled(game, 3), 60, 1, "tcc", units)
        one.label(2)
        found.append(labels_of(one))
    every, quiet = found
    left_out = [state for state, value in every if (state, value) not in quiet]
    assert all(one in every for one in quiet)
    assert len(every) == len(quiet) + len(left_out)
    assert 5 < len(left_out) < len(every) / 2
    owner = game.model.slots["owner"]

    def men(state: bytes, player: int) -> int:
        return state[owner.offset : owner.offset + owner.count].count(player)

    for state in left_out:
        node, other = game.engine.expand(state), 3 - state[0]
        assert any(men(child, other) < men(state, other) for child in node.children())


def test_refining_goes_on_from_a_net(race: Game, learned: ValuesFile) -> None:
    one = refiner(race, learned, units=8)
    one.label(40)
    rows = one.fit(10)
    again = refiner(race, dataclasses.replace(learned, values=one.values()))
    again.labels = one.labels
    assert again.fit(0)[0].apart == pytest.approx(min(row.apart for row in rows), rel=0.02)
    net, other = one.values().net, again.values().net
    assert net
    assert other
    assert (net.rows, net.outputs) == (other.rows, other.outputs)


WRITTEN = f"""{RACE}
define men(p: player) = count c: cell where at(c) = p
define far(p: player) = sum c: cell where at(c) = p of if p = White then row(c) else 5 - row(c)
evaluate
  men 30 : men(me)
  far  7 : far(me)
"""


def test_evaluate_is_as_steep_as_results_say(race: Game) -> None:
    written = pysolve.load(WRITTEN)
    file = from_evaluate(written, 1, 1)
    file.check(written)
    assert file == from_evaluate(written, 1, 2)
    men, far = file.values.lines[0]
    assert men > 0
    assert men * 7 == pytest.approx(far * 30, rel=0.01)
    with pytest.raises(DoesNotApply, match="Race has no evaluate block to begin with"):
        from_evaluate(race, 1, 1)


def test_estimates_mean_what_their_games_have_come_to() -> None:
    """Who is 100 ahead wins three games of four: the odds are three to one."""
    said = [(100, 1.0), (100, 1.0), (100, 1.0), (100, -1.0), (-100, -1.0), (-100, -1.0), (-100, -1.0), (-100, 1.0)]
    assert 2 * 100 * _steepness(said) == pytest.approx(math.log(3), rel=1e-3)
    assert _steepness([(0, 1.0), (0, -1.0)]) > 0
    assert _steepness([]) > 0


@pytest.mark.parametrize("units", [None, 8])
def test_the_same_seed_makes_the_same_values(
    race: Game, learned: ValuesFile, tmp_path: Path, units: int | None
) -> None:
    told = []
    for threads in (1, 2):
        one = Refining(race, learned, Plan(200, 100, 3, units), 5, "a command", threads, "tcc")
        one.label()
        one.fit()
        one.write(tmp_path / "new.values")
        told.append((tmp_path / "new.values").read_text())
    assert told[0] == told[1]
    assert file_at(tmp_path / "new.values").made["from"] == learned.made


def test_values_of_other_rules_and_games_without_the_strong_search_are_refused(race: Game, learned: ValuesFile) -> None:
    with pytest.raises(ValuesError, match="other rules"):
        Refining(pysolve.load("tictactoe"), learned, Plan())
    with pytest.raises(DoesNotApply, match="which the native engine alone has"):
        Refining(pysolve.load(RACE, engine="prolog"), learned, Plan())


def test_values_that_are_not_those_of_the_game_never_reach_c(race: Game, learned: ValuesFile) -> None:
    """A file may claim the digest of the rules and hold something else."""
    other = dataclasses.replace(learned.values.patterns, size=race.model.size + 1)
    blind = dataclasses.replace(learned.values.patterns, codes=((0,),) * len(learned.values.patterns.codes))
    for wrong in (other, blind):
        forged = dataclasses.replace(learned, values=dataclasses.replace(learned.values, patterns=wrong))
        with pytest.raises(ValuesError, match="damaged: its patterns are not those of Race"):
            Refining(race, forged, Plan())
    with pytest.raises(ValuesError, match="damaged"):
        Refining(race, dataclasses.replace(learned, names=("a line",)), Plan())


def test_more_positions_than_fit_into_memory_are_refused(
    race: Game, learned: ValuesFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refining, "MOST_LABELS", 2400)
    with pytest.raises(LimitReached, match=r"at most [0-9]+ positions of Race can be labelled"):
        Refining(race, learned, Plan(101), compiler="tcc")


def test_a_net_that_fits_into_no_file_is_refused_before_anything_is_labelled(
    race: Game, learned: ValuesFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert most_units(pysolve.load("chess")) == 176
    assert most_units(race) == 512
    monkeypatch.setattr("pysolve.players.values.MOST_WEIGHTS", 600)
    with pytest.raises(LimitReached, match=r"a net for Race may have [0-9]+ units: its positions have many values"):
        Refining(race, learned, Plan(100, 100, 1, 64), compiler="tcc")


def test_outputs_that_are_too_large_are_cut_off(race: Game, learned: ValuesFile) -> None:
    found = byte_by_byte(symmetries(race.model, setup=False, evaluation=False))
    looked_at = inputs(race.model, found)
    some = array("f", [0.001] * (512 * looked_at.entries)), array("f", [90.0] * (512 * looked_at.stage_count))
    net = FittedNet(looked_at, 512, found, *some).net()
    values = dataclasses.replace(learned.values, net=net)
    assert read(write(dataclasses.replace(learned, values=values))).values.net == net


def test_games_without_a_position_to_label_are_said(
    race: Game, learned: ValuesFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pysolve.engines.teaching.SHARE", 0.0)
    with pytest.raises(EngineError, match="games of Race are over before there is a position"):
        Refining(race, learned, Plan(100, 100), compiler="tcc").label()


# ------------------------------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path: Path, learned: ValuesFile, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "race.rules").write_text(RACE)
    (tmp_path / "race.values").write_text(write(learned))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["refine", "race.rules", *words])
    return found.exit_code, found.output


def test_the_command_writes_new_values_and_tests_them(folder: Path) -> None:
    status, said = run("--positions", "300", "--nodes", "100", "--passes", "4", "--match", "4", "-o", "new.values")
    assert status == 0, said
    assert "after pass" in said
    assert "against the values of race.values at" in said
    assert "against evaluate at" in said
    assert "the strong search against the plain one at" in said
    assert file_at(folder / "new.values").made["passes"] == 4
    status, said = run("--positions", "300", "--match", "0", "-o", "new.values")
    assert status == 2
    assert "--force" in said
    status, said = run("--positions", "300", "--nodes", "100", "--match", "0", "-o", "new.values", "--force", "--json")
    told = json.loads(said)
    assert status == 0
    assert told["positions"] >= 300
    assert len(told["passes"]) == 13
    assert told["against"] == {}
    assert told["units"] == 0


def test_the_command_fits_a_net_that_begins_with_evaluate(folder: Path) -> None:
    words = ("--from", "evaluate", "--net", "8", "--positions", "200", "--nodes", "50", "--passes", "3")
    assert "Race has no evaluate block to begin with" in " ".join(run(*words)[1].split())
    (folder / "race.rules").write_text(WRITTEN)
    status, said = run(*words, "--no-evaluate", "--match", "4", "-o", "net.values")
    assert status == 0, said
    assert "against evaluate at" in said
    assert "against the values" not in said
    file = file_at(folder / "net.values")
    assert file.values.net
    assert not file.values.uses_lines
    assert (file.made["units"], file.made["passes"]) == (8, 3)
    assert "evaluate" in file.made["from"]
    status, said = run("--from", "net.values", "--positions", "200", "--nodes", "50", "--match", "0", "--json")
    told = json.loads(said)
    assert (told["units"], len(told["passes"])) == (8, 31)
    assert "nothing to test" in " ".join(run("--from", "net.values", "--positions", "0", "--force")[1].split())


@pytest.mark.parametrize("won", [True, False, None])
def test_the_search_that_plays_better_is_that_of_the_level(
    folder: Path, learned: ValuesFile, monkeypatch: pytest.MonkeyPatch, won: bool | None
) -> None:
    """Values that stay as they are say afterwards by which search they are to be used."""
    told = list[str]()

    def paired(_: Game, first: str, second: str, *__: object) -> list[Sprt]:
        told.extend((first, second))
        return [Sprt((20, 0, 0, 0, 0) if won is False else (0, 0, 0, 0, 20 if won else 1))]

    monkeypatch.setattr("pysolve.lab.refine.paired", paired)
    status, said = run("--positions", "0", "-o", "new.values")
    assert status == 0, said
    assert told == ["minimax:search=strong,nodes=10000,values=new.values", "minimax:nodes=10000,values=new.values"]
    file = file_at(folder / "new.values")
    assert (file.values, file.strong) == (learned.values, won is True)
    assert {**file.made, "searches": None} == {**learned.made, "searches": None}
    assert file.made["searches"]["won"] is won
    (folder / "race.values").unlink()
    (folder / "new.values").rename(folder / "race.values")
    status, said = run("--positions", "0", "--match", "0", "-o", "again.values")
    assert status == 0, said
    assert file_at(folder / "again.values") == file  # what is not tested again stays known
    assert ("search=strong" in pysolve.load(folder / "race.rules").levels["expert"]) == (won is True)


def test_the_command_says_what_is_wrong(folder: Path) -> None:
    status, said = run("--from", "none.values")
    assert status == 2
    assert "pysolve learn race.rules -o none.values" in " ".join(said.split())
    assert "without chance" in " ".join(CliRunner().invoke(app, ["refine", "pig"]).output.split())
    assert "comma" in run("-o", "a,b")[1]
    assert "8 or 16" in run("--net", "12")[1]
    assert "100 at least; or 0" in " ".join(run("--positions", "99")[1].split())
    assert "a net needs positions" in " ".join(run("--positions", "0", "--net", "8")[1].split())
    status, said = run("-o", "./race.values", "--force")
    assert status == 2
    assert "tested against the old ones" in " ".join(said.split())
    (folder / "bad.values").write_text("{}")
    status, said = run("--from", "bad.values")
    assert status == 2
    assert "learned values" in said
    assert not (folder / "race.refined.values").exists()


SMALL = ("--positions", "1500", "--nodes", "50", "--match", "0", "--passes", "2", "-o", "new.values")


def test_the_same_command_goes_on_after_ctrl_c(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes, the values are those of a command that was not stopped, and only they are left."""
    assert run(*SMALL)[0] == 0
    whole = file_at(folder / "new.values")
    (folder / "new.values").unlink()
    label, kept = Refiner.label, folder / "new.values.labels"
    done = list[int]()

    def stop(*_: object) -> int:
        raise KeyboardInterrupt

    def stopped(self: Refiner, games: int) -> int:
        done.append(label(self, games) if len(done) < 2 else stop())
        return done[-1]

    with monkeypatch.context() as patched:
        patched.setattr(Refiner, "label", stopped)
        status, said = run(*SMALL)
    assert status == 130
    assert f"refine stopped after {done[-1]} positions; the same command goes on" in " ".join(said.split())
    assert not (folder / "new.values").exists()
    with monkeypatch.context() as patched:
        patched.setattr(Refiner, "fit", stop)
        status, said = run(*SMALL)
    assert status == 130
    assert f"new.values.labels has the labels of {done[-1]} positions" in " ".join(said.split())
    assert "before the weights were fitted; the same command goes on" in " ".join(said.split())
    with closing(Labels(kept, key(folder, SMALL))) as labels:
        assert 2 < labels.count == -(-whole.made["games"] // 50)
    with monkeypatch.context() as patched:
        patched.setattr("pysolve.lab.refine.paired", stop)
        status, said = run(*SMALL, "--match", "2")
    assert status == 130
    assert "stopped in its tests; new.values is written; the same command goes on" in " ".join(said.split())
    monkeypatch.setattr(Refiner, "label", stop)  # nothing is labelled again
    status, said = run(*SMALL)
    assert status == 0, said
    assert file_at(folder / "new.values").values == whole.values
    assert sorted(one.name for one in folder.iterdir()) == ["new.values", "race.rules", "race.values"]


def key(folder: Path, words: tuple[str, ...]) -> dict[str, Any]:
    """That of the labels of a command."""
    game, old = pysolve.load(folder / "race.rules"), file_at(folder / "race.values")
    return Refining(game, old, Plan(int(words[1]), int(words[3])), compiler="tcc").key()


def stopped_after(games: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The labels of a command that was stopped then."""
    label = Refiner.label

    def stopped(self: Refiner, more: int) -> int:
        if self.games >= games:
            raise KeyboardInterrupt
        return label(self, more)

    with monkeypatch.context() as patched:
        patched.setattr(Refiner, "label", stopped)
        assert run(*SMALL)[0] == 130
    return folder / "new.values.labels"


@pytest.mark.parametrize("words", [("--nodes", "60"), ("--seed", "2"), ("--net", "8"), ("--no-evaluate",)])
def test_the_labels_of_another_refining_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    kept = stopped_after(50, folder, monkeypatch)
    before = kept.read_bytes()
    status, said = run(*SMALL, *words)
    assert status == 2
    assert "new.values.labels has the labels of another refining" in " ".join(said.split())
    assert "remove it, or choose another -o" in " ".join(said.split())
    assert kept.read_bytes() == before
    assert run(*SMALL, "--passes", "3", "--positions", "1600")[0] == 0  # labels do not depend on these


def test_the_labels_of_other_values_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_after(50, folder, monkeypatch)
    other = file_at(folder / "race.values")
    other.values.weights[0] += 1
    (folder / "race.values").write_text(write(other))
    status, said = run(*SMALL)
    assert status == 2
    assert "another refining" in said


def damaged(kept: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(kept, isolation_level=None)) as file:
        file.execute(sql, values)


def test_labels_that_are_none_never_reach_c(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = stopped_after(100, folder, monkeypatch)
    whole = kept.read_bytes()
    with closing(sqlite3.connect(kept)) as file:
        ((packed,),) = file.execute("SELECT labels FROM portions WHERE number = 1").fetchall()
    labels = zlib.decompress(packed)
    forged = bytearray(labels)
    forged[0] = 3  # there are two players
    portion = "UPDATE portions SET labels = ? WHERE number = 1"
    for sql, values, message in (
        (portion, (zlib.compress(bytes(forged)),), "is not a state of Race"),
        (portion, (zlib.compress(labels[:-1]),), "bytes are no whole labels"),
        (portion, (zlib.compress(labels + bytes(1 << 24)),), "portion 1 is not what it should be"),
        (portion, (packed[:-1],), "portion 1 is not what it should be"),
        (portion, (b"labels",), "portion 1 cannot be read"),
        (portion, (7,), "portion 1 cannot be read"),
        ("DELETE FROM portions WHERE number = ?", (0,), "portion 1 is not what it should be"),
        ("DROP TABLE portions", (), "it has no table portions"),
    ):
        kept.write_bytes(whole)
        damaged(kept, sql, *values)
        status, said = run(*SMALL)
        assert status == 2, message
        assert "new.values.labels is damaged: " in said.replace("\n", " ")
        assert message in " ".join(said.split())
        assert not (folder / "new.values").exists()
    kept.write_bytes(b"no database" * 100)
    assert "new.values.labels is not a file of labels; choose another file" in " ".join(run(*SMALL)[1].split())
    kept.write_bytes(whole)
    assert run(*SMALL)[0] == 0


def test_ctrl_c_while_evaluate_is_scaled_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pysolve.cli.refine.from_evaluate", stopped)
    status, said = run("--from", "evaluate")
    assert status == 130
    assert "before there was a position; nothing is written" in " ".join(said.split())
    assert not (folder / "race.refined.values").exists()


def test_ctrl_c_in_the_tests_keeps_the_values(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("pysolve.lab.refine.paired", stopped)
    status, said = run("--positions", "100", "--nodes", "50", "--passes", "2")
    assert status == 130
    assert "stopped in its tests; race.refined.values is written" in " ".join(said.split())
    file_at(folder / "race.refined.values").check(pysolve.load(RACE))
