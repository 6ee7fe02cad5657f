"""Games on a Dask cluster: several workers, of which one is killed on the way."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pysolve.engines.protocol import EngineError
from pysolve.engines.refining import Refiner
from pysolve.lab.games import Played
from pysolve.lab.learn import Limits, Training
from pysolve.lab.match import match_jobs
from pysolve.lab.refine import Plan, Refining
from pysolve.lab.remote import Remote
from pysolve.lab.start import start_workers
from pysolve.lab.store import Store
from pysolve.lab.workers import NamedGame, WorkerError, in_order
from pysolve.players.values import file_at, values_file_in
from tests.games import load
from tests.test_lab import refused, run, said

pytestmark = pytest.mark.slow
distributed = pytest.importorskip("distributed")
WORDS = ("match", "zola", "minimax:depth=2", "greedy", "size=4", "--games", "6", "--json")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler and three workers, each a process of its own."""
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running:
        running.wait_for_workers(3)
        yield running


def test_a_cluster_plays_the_same_games(cluster: Any) -> None:
    assert told(*WORDS, "--cluster", cluster.scheduler_address) == told(*WORDS)


def told(*words: str) -> str:
    """What a match prints, without the time that it took."""
    return re.sub(r'"(seconds|processor)_a_move": \[.*?\]', "", said(*words))


def test_a_worker_that_is_killed_loses_nothing(cluster: Any) -> None:
    game = load("zola", size=4)
    count = 60

    def jobs() -> Any:
        return islice(match_jobs(game, "minimax:depth=4", "greedy", 3), count)

    alone = list(in_order(start_workers([NamedGame(game, "zola")], 1), 0, jobs()))
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        processes = [one["pid"] for one in client.run(_who).values()]
    assert len(set(processes)) == 3
    arrived: list[int] = []

    def hear(one: Played) -> None:
        arrived.append(one.number)
        if len(arrived) == 10:
            os.kill(processes[0], signal.SIGKILL)

    workers = start_workers([NamedGame(game, "zola")], 1, cluster.scheduler_address)
    found = list(in_order(workers, 0, jobs(), arrived=hear))
    workers.close()
    assert found == alone
    assert sorted(arrived) == list(range(1, count + 1))  # none lost, none twice
    assert not _alive(processes[0])


def _who() -> dict[str, int]:
    return {"pid": os.getpid()}


def _alive(pid: int) -> bool:
    """Is there such a process, that has not ended?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split(")")[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_games_that_nobody_waits_for_are_not_played(cluster: Any) -> None:
    game = load("zola", size=4)
    workers = start_workers([NamedGame(game, "zola")], 1, cluster.scheduler_address)
    playing = in_order(workers, 0, match_jobs(game, "greedy", "random"))  # without end
    assert [next(playing).number for _ in range(3)] == [1, 2, 3]
    playing.close()
    again = in_order(workers, 0, islice(match_jobs(game, "greedy", "random"), 4))
    assert [one.number for one in again] == [1, 2, 3, 4]
    workers.close()


def test_a_cluster_labels_the_same_positions(cluster: Any) -> None:
    game = load("zola")
    old = values_file_in("zola.values", game)

    def labelled(address: str | None) -> tuple[int, bytes]:
        refining = Refining(game, old, Plan(positions=3000, nodes=20), seed=7)
        told: list[int] = []
        refining.label(told.append, address)
        assert len(told) > 1
        assert told[-2] < 3000 <= told[-1] == refining.refiner.count
        return refining.refiner.games, bytes(refining.refiner.labels)

    assert labelled(cluster.scheduler_address) == labelled(None)


def test_what_fails_while_positions_are_labelled_is_said(cluster: Any) -> None:
    game = load("zola")
    values = values_file_in("zola.values", game).values
    for asked, kind, message in (
        (("no game",), WorkerError, "the cluster failed: .*missing .* required positional arguments"),
        ((game.model, values, 1, [], 20, 1, "none"), EngineError, "no compiler"),
    ):
        with closing(Remote(cluster.scheduler_address, Refiner, asked)) as remote, pytest.raises(kind, match=message):
            next(remote.results("labelled", [(0, 1)]))


def test_the_command_refines_by_a_cluster(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("refine", "zola", "--positions", "200", "--nodes", "20", "--match", "0", "--passes", "1")
    assert run(*words, "-o", "one.values", "--cluster", cluster.scheduler_address).exit_code == 0
    assert run(*words, "-o", "other.values").exit_code == 0
    one, other = (values_file_in(f"{name}.values", load("zola")).values for name in ("one", "other"))
    assert one == other
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in refused(*words, "--cluster", "tcp://127.0.0.1:1")
    nowhere = ("refine", "zola", "--positions", "0", "--cluster", cluster.scheduler_address)
    assert "there are no positions to label" in refused(*nowhere)


def test_a_store_is_filled_by_a_cluster(cluster: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "lab.db")
    assert run(*WORDS[:6], "3", "--store", file).exit_code == 0
    result = run(*WORDS, "--store", file, "--cluster", cluster.scheduler_address)
    assert "has 3 games of this series" in result.stderr
    store = Store(tmp_path / "lab.db")
    assert [one.number for one in store.games(1)] == [1, 2, 3, 4, 5, 6]
    store.close()


def test_a_cluster_without_workers_plays_nothing() -> None:
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as empty:
        assert f"at {empty.scheduler_address} has no workers; start one with  dask worker" in refused(
            *WORDS, "--cluster", empty.scheduler_address
        )


def test_what_goes_wrong_on_a_cluster_is_said(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("match", "tictactoe", "greedy:by=conga", "random", "--cluster", cluster.scheduler_address)
    assert "Tic-tac-toe cannot be played by conga" in refused(*words)
    monkeypatch.setattr("pysolve.lab.cluster.SECONDS", 1)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in refused(*WORDS, "--cluster", "tcp://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "--cluster needs distributed: pip install 'pysolve-games[cluster]'" in refused(
        *WORDS, "--cluster", "tcp://a:1"
    )


def test_a_cluster_learns_the_same_values(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it goes on from what was learned without it."""
    monkeypatch.chdir(tmp_path)
    words = ("learn", "zola", "--search", "30", "--match", "0")
    there = ("--cluster", cluster.scheduler_address)
    assert run(*words, "-o", "one.values", "--games", "60").exit_code == 0
    assert run(*words, "-o", "other.values", "--games", "60", *there).exit_code == 0
    one, other = (file_at(Path(f"{name}.values")) for name in ("one", "other"))
    assert one.values == other.values
    game = load("zola")
    training = Training(game, "zola", tmp_path / "parts.values", search=30)
    list(training.go_on(Limits(games=20), lambda *_: None))
    with training.on_cluster(cluster.scheduler_address):
        list(training.go_on(Limits(games=50), lambda *_: None))
    list(training.go_on(Limits(games=60), lambda *_: None))
    alone = Training(game, "zola", tmp_path / "alone.values", search=30)
    for games in (20, 50, 60):
        list(alone.go_on(Limits(games=games), lambda *_: None))
    assert training.learner.state() == alone.learner.state()
    assert "a cluster plays games by search" in refused("learn", "zola", *there)
    assert "no Dask scheduler answers" in refused(*words, "-o", "none.values", "--cluster", "tcp://127.0.0.1:1")


def test_a_cluster_that_fails_loses_nothing(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("learn", "zola", "--search", "30", "--match", "0", "--games", "120", "-o")
    there = ("--cluster", cluster.scheduler_address)
    played = Remote.results

    def fails(remote: Remote, method: str, calls: Any) -> Any:
        arguments = list(calls)
        return played(remote, method if arguments[0][0] < 100 else "nothing", arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Remote, "results", fails)
        said = refused(*words, "new.values", *there)
    assert "the cluster failed: " in said
    assert "what it has found is kept: the same command goes on" in said
    assert file_at(Path("new.values")).made["games"] == 100
    assert "going on from 100 games" in run(*words, "new.values", *there).stdout
    assert run(*words, "whole.values").exit_code == 0
    assert file_at(Path("new.values")).values == file_at(Path("whole.values")).values
    assert sorted(one.name for one in tmp_path.iterdir()) == ["new.values", "whole.values"]
