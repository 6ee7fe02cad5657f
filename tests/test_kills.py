"""Killed without a word (kill -9) at seeded points, and run again: nothing is lost, nothing is doubled.

A point is a number of games in a store, or a part of the time that the whole takes.  It need not be met: wherever the
command was, or if it was at its end, the same must hold.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pysolve.lab.games import STANDARD
from pysolve.lab.match import series_of
from pysolve.lab.store import Store
from tests.games import load
from tests.test_lab import run, said
from tests.test_lab_workers import held

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals")]

ROOT = Path(__file__).parent.parent
FEW, MANY = range(1), [pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 40)]
PATIENCE = 300  # seconds, against waiting for ever


def started(words: list[str], folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "pysolve", *words], cwd=folder, start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def killed(words: list[str], folder: Path, ready: Callable[[], bool]) -> None:
    """A command that is killed, with all of its processes, when it is ready for that; or ends before."""
    running, until = started(words, folder), time.monotonic() + PATIENCE
    while running.poll() is None and not ready() and time.monotonic() < until:
        time.sleep(0.002)
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
    running.wait(PATIENCE)


def after(seconds: float) -> Callable[[], bool]:
    """True when so much time has gone by."""
    due = time.monotonic() + seconds
    return lambda: time.monotonic() >= due


def duration(words: list[str], folder: Path) -> float:
    """What the whole takes."""
    began = time.monotonic()
    assert started(words, folder).wait(PATIENCE) == 0
    return time.monotonic() - began


# ----------------------------------------------------------------------------------------------------- store


def rows(file: Path) -> dict[tuple[int, int], tuple[str, ...]]:
    """The games of a store, but for who played them and how long that took."""
    with closing(sqlite3.connect(file)) as reading:
        assert reading.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = reading.execute("SELECT series, number, record, lots, seed, hex(start) FROM games").fetchall()
    assert len({one[:2] for one in found}) == len(found)
    return {one[:2]: one[2:] for one in found}


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_a_series_that_was_killed_is_completed(tmp_path: Path, seed: int) -> None:
    rng, count, file = random.Random(seed), 24, tmp_path / "lab.db"
    words = ["match", "zola", "minimax:depth=2", "greedy", "size=4", "--games", str(count), "--processes",
             str(rng.choice((1, 2))), "--store", str(file)]  # fmt: skip
    points, known = sorted(rng.sample(range(count), 2)), dict[tuple[int, int], tuple[str, ...]]()
    for point in points:
        killed(words, tmp_path, lambda point=point: held(file) >= point)  # type: ignore[misc]
        if file.exists() and held(file):
            assert known.items() <= rows(file).items()  # what was there is there, as it was
            known = rows(file)
    whole = json.loads(run(*words, "--json").stdout)
    alone = json.loads(run(*words[:-2], "--json").stdout)
    assert whole["games"] == alone["games"]
    assert known.items() <= rows(file).items()
    assert sorted(rows(file)) == [(1, number) for number in range(1, count + 1)]
    assert [one["played"] for one in json.loads(said("store", str(file), "--json"))] == [count]


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_a_store_that_was_killed_at_any_time_is_a_store(tmp_path: Path, seed: int) -> None:
    """Also while it is made, before the first game."""
    rng, file = random.Random(seed), tmp_path / "lab.db"
    words = ["match", "tictactoe", "random", "random", "--games", "4", "--processes", "1", "--store", str(file)]
    if seed % 2:
        killed(words, tmp_path, file.exists)
    else:
        killed(words, tmp_path, after(rng.random() * duration([*words[:-1], str(tmp_path / "other.db")], tmp_path)))
    result = run(*words, "--json")
    assert (result.exit_code, json.loads(result.stdout)["played"]) == (0, 4)
    assert "kept apart" not in result.stderr
    assert sorted(rows(file)) == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_a_series_that_was_killed_before_its_first_game_is_not_another_one(tmp_path: Path) -> None:
    file, game = tmp_path / "lab.db", load("zola", size=4)
    with closing(Store(file)) as store:
        store.begin(series_of("match", "zola", game, ("random", "greedy"), 1, STANDARD))
    words = ("size=4", "--games", "2", "--store", str(file))
    assert run("match", "zola", "random", "greedy", *words).stderr == ""
    assert [one["played"] for one in json.loads(said("store", str(file), "--json"))] == [2]
    with closing(Store(file)) as store:  # one of other rules, without a game, has nothing to be compared with
        store.begin(series_of("balance", "zola", load("zola", size=6), ("random",), 1, STANDARD))
    assert "has 1 other series" in run("balance", "zola", *words, "--player", "random").stderr


# ------------------------------------------------------------------------------------------- tune and proofs


@pytest.mark.parametrize("seed", MANY)
def test_a_tune_that_was_killed_leaves_a_whole_file_or_none(tmp_path: Path, seed: int) -> None:
    pytest.importorskip("scipy")
    words = ["tune", "othello", "size=4", "--player", "greedy", "--games", "12", "--rounds", "2", "--match", "0",
             "--processes", "1", "--force", "--out"]  # fmt: skip
    full, file = duration([*words, "whole.rules"], tmp_path), tmp_path / "tuned.rules"
    whole = (tmp_path / "whole.rules").read_bytes()
    part = random.Random(seed).random()
    for before in (b"", b"what was there before\n"):
        if before:
            file.write_bytes(before)
        killed([*words, "tuned.rules"], tmp_path, after(part * full))
        assert not before or file.exists()
        assert not file.exists() or file.read_bytes() in (before, whole)
    assert started([*words, "tuned.rules"], tmp_path).wait(PATIENCE) == 0
    assert file.read_bytes() == whole


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_a_proof_that_was_killed_is_whole_or_not_there(tmp_path: Path, seed: int) -> None:
    """Each other time while the file is being written, as soon as something stands beside its name."""
    words = ["solve", "othello", "size=4", "--force", "--proof"]
    full, file = duration([*words, "whole.proof"], tmp_path), tmp_path / "othello.proof"
    whole = (tmp_path / "whole.proof").read_bytes()
    part = random.Random(seed).random()
    for before in (b"", b"what was there before\n"):
        if before:
            file.write_bytes(before)
        beside = (lambda: any(tmp_path.glob(".othello.proof.*"))) if seed % 2 else after(part * full)
        killed([*words, "othello.proof"], tmp_path, beside)
        assert not before or file.exists()
        assert not file.exists() or file.read_bytes() in (before, whole)
    assert started([*words, "othello.proof"], tmp_path).wait(PATIENCE) == 0
    assert file.read_bytes() == whole
    assert "The proof holds." in said("solve", "--check", str(file))


@pytest.mark.parametrize("seed", [*FEW, *MANY])
def test_a_refining_that_was_killed_goes_on(tmp_path: Path, seed: int) -> None:
    rng, file, kept = random.Random(seed), tmp_path / "new.values", tmp_path / "new.values.labels"
    words = ["refine", "yoxii", "--positions", "3000", "--nodes", "10", "--passes", "1", "--match", "0", "-o"]
    portions = 3
    points, known = sorted(rng.sample(range(portions), 2)), list[tuple[int, bytes]]()
    for point in points:
        killed([*words, str(file)], tmp_path, lambda point=point: len(labelled(kept)) >= point)  # type: ignore[misc]
        now = labelled(kept)
        assert file.exists() or now[: len(known)] == known  # what was there is there, as it was
        known = now
    for name in (str(file), str(tmp_path / "whole.values")):
        if name != str(file) or not file.exists():
            assert started([*words, name], tmp_path).wait(PATIENCE) == 0
    one, other = (json.loads(path.read_bytes()) for path in (file, tmp_path / "whole.values"))
    del one["made"]["command"], other["made"]["command"]
    assert one == other
    assert not kept.exists()


def labelled(file: Path) -> list[tuple[int, bytes]]:
    """The portions of a file of labels, as far as there are any."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as reading:
            return reading.execute("SELECT number, labels FROM portions ORDER BY number").fetchall()
    except sqlite3.OperationalError:  # there is no file yet, or nothing in it
        return []
