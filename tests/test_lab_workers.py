"""Who plays makes no difference: one process or several, either engine, before and after an interruption."""

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab import processes as lab_processes
from pysolve.lab.balance import balance_jobs
from pysolve.lab.games import STANDARD, Adjudication, Job, Played, Rules, lead_changes, play_game
from pysolve.lab.match import match_jobs
from pysolve.lab.processes import Processes
from pysolve.lab.start import start_workers
from pysolve.lab.store import Series, Store, StoreError
from pysolve.lab.tournament import tournament_jobs
from pysolve.lab.workers import AHEAD, NamedGame, Playing, WorkerError, in_order
from pysolve.notation import record as records
from pysolve.runtime.spawned import begin, deaf_to_interrupts
from tests.games import load
from tests.test_lab import refused, run, said

pytestmark = pytest.mark.slow

WORDS = ("match", "zola", "minimax:depth=2", "greedy", "size=4", "--games", "6", "--seed", "4")


def played(game: Game, jobs: Iterator[Job], count: int, processes: int = 1) -> list[Played]:
    workers = start_workers([NamedGame(game, "zola")], processes)
    try:
        return list(in_order(workers, 0, islice(jobs, count)))
    finally:
        workers.close()


# --------------------------------------------------------------------------------------- processes, engines


@pytest.mark.slow
@pytest.mark.parametrize(
    "jobs",
    [
        lambda game: match_jobs(game, "minimax:depth=2", "mcts:playouts=20", 3),
        lambda game: balance_jobs(game, "greedy", 3),
        pytest.param(
            lambda game: tournament_jobs(game, ("random", "greedy", "minimax:depth=2"), 3), marks=pytest.mark.slow
        ),
    ],
    ids=["match", "balance", "tournament"],
)
def test_processes_and_engines_make_no_difference(jobs) -> None:  # type: ignore[no-untyped-def]
    native = load("zola", size=4)
    alone = played(native, jobs(native), 8)
    assert [one.number for one in alone] == list(range(1, 9))
    assert played(native, jobs(native), 8, processes=3) == alone
    assert played(Game(native.model, "prolog"), jobs(native), 8) == alone
    assert {one.played_by.split(", ")[1] for one in alone} == {native.engine.name}  # type: ignore[attr-defined]


def test_a_process_that_dies_loses_nothing() -> None:
    game = load("zola", size=4)
    alone = played(game, match_jobs(game, "minimax:depth=3", "greedy"), 12)
    workers = Processes([NamedGame(game, "zola")], 2)
    arrived: list[int] = []

    def hear(one: Played) -> None:
        arrived.append(one.number)
        if len(arrived) in (2, 5):
            workers._workers[0].process.kill()

    found = list(in_order(workers, 0, islice(match_jobs(game, "minimax:depth=3", "greedy"), 12), arrived=hear))
    workers.close()
    assert found == alone
    assert sorted(arrived) == list(range(1, 13))


def test_a_game_that_kills_processes_is_given_up() -> None:
    game = load("zola", size=4)
    workers = Processes([NamedGame(game, "zola")], 1)
    workers._pickled = b"no game"  # every process ends before it plays
    with pytest.raises(WorkerError, match="3 processes died before they played"):
        list(workers.play(0, islice(match_jobs(game, "random", "random"), 1)))
    workers.close()


def test_a_script_that_starts_games_whenever_it_is_read_ends(tmp_path: Path) -> None:
    script = tmp_path / "match.py"
    script.write_text(
        "from pysolve import load\nfrom pysolve.lab.processes import Processes\n"
        "from pysolve.lab.match import match_jobs\nfrom pysolve.lab.workers import NamedGame\n"
        'game = load("chess")\n'  # a game that takes more room than a pipe has
        'list(Processes([NamedGame(game, "chess")], 1).play(0, match_jobs(game, "random", "random")))\n',
        encoding="utf-8",
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 1
    assert ran.stderr.endswith('a script must start games under  if __name__ == "__main__":\n')


def test_a_game_in_which_processes_die_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def deadly(self: lab_processes._Worker, place: int, job: Job) -> None:
        self.jobs.append((place, job))
        self.process.kill()

    monkeypatch.setattr(lab_processes._Worker, "give", deadly)
    game = load("zola", size=4)
    workers = Processes([NamedGame(game, "zola")], 1)
    with pytest.raises(WorkerError, match="3 processes died while they played game 1; --processes 1 may show why"):
        list(workers.play(0, islice(match_jobs(game, "random", "random"), 1)))
    workers.close()


def test_what_goes_wrong_in_a_process_is_said_here() -> None:
    game = load("tictactoe")
    with pytest.raises(UnknownPlayer, match="Tic-tac-toe cannot be played by conga"):
        played(game, match_jobs(game, "greedy:by=conga", "random"), 2, processes=2)


def test_a_file_that_is_missing_in_a_process_is_no_death(tmp_path: Path) -> None:
    game, rules = load("zola", size=4), tmp_path / "gone.rules"
    rules.write_text('game "Gone" extends "zola"\n', encoding="utf-8")
    jobs = match_jobs(game, f"greedy:by={rules}", "random")
    rules.unlink()
    with pytest.raises((ValueError, OSError), match=r"gone\.rules"):
        played(game, jobs, 2, processes=2)


def test_jobs_are_taken_only_as_far_as_they_can_be_begun() -> None:
    game, taken = load("zola", size=4), list[int]()

    def jobs() -> Iterator[Job]:
        for job in match_jobs(game, "random", "random"):
            taken.append(job.number)
            yield job

    workers = Processes([NamedGame(game, "zola")], 2)
    arrived: list[int] = []
    playing = in_order(workers, 0, jobs(), arrived=lambda one: arrived.append(one.number))
    assert [next(playing).number for _ in range(3)] == [1, 2, 3]
    playing.close()
    assert len(taken) <= len(arrived) + 2 * (AHEAD + 1)
    assert [one.number for one in in_order(workers, 0, islice(jobs(), 2))] == [1, 2]
    workers.close()


def test_kept_games_are_not_played_again() -> None:
    game = load("zola", size=4)
    alone = played(game, match_jobs(game, "greedy", "random"), 6)
    workers = start_workers([NamedGame(game, "zola")], 1)
    kept = {one.number: one for one in alone if one.number in (1, 2, 5)}
    arrived: list[int] = []
    jobs = islice(match_jobs(game, "greedy", "random"), 6)
    assert list(in_order(workers, 0, jobs, kept, lambda one: arrived.append(one.number))) == alone
    assert arrived == [3, 4, 6]


def test_after_ctrl_c_come_the_games_that_are_over() -> None:
    game = load("zola", size=4)
    games = {one.number: one for one in played(game, match_jobs(game, "greedy", "random"), 4)}

    class Interrupted:
        """A workers that is interrupted while it plays the second game."""

        def play(self, place: int, jobs: Iterable[Job]) -> Playing:
            given = [job.number for job in jobs]
            assert given == [1, 2, 4]
            yield games[4]
            yield games[1]
            raise KeyboardInterrupt

        def close(self) -> None:
            pass

    jobs = islice(match_jobs(game, "greedy", "random"), 4)
    playing = in_order(Interrupted(), 0, jobs, {3: games[3]})
    assert [next(playing).number for _ in range(3)] == [1, 3, 4]
    with pytest.raises(KeyboardInterrupt):
        next(playing)


def mask(line: Connection) -> None:
    line.send(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.usefixtures("unheard_by_prolog")
def test_ctrl_c_while_processes_are_started_is_heard_afterwards_and_here_only() -> None:
    ours, theirs = Pipe()
    process = get_context("spawn").Process(target=mask, args=(theirs,), daemon=True)

    def begun() -> None:
        with deaf_to_interrupts():
            signal.raise_signal(signal.SIGINT)
            process.start()

    with pytest.raises(KeyboardInterrupt):
        begun()
    assert process.is_alive()
    assert ours.recv() is True
    process.join()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


# ------------------------------------------------------------------------------------- how games are ended


def test_adjudication_gives_a_game_to_whom_the_values_favour() -> None:
    game = load("zola", size=6)
    (job,) = islice(match_jobs(game, "minimax:depth=2", "random", 2), 1)
    whole = play_game(game, job)
    rules = Rules(job.rules.opening, job.rules.limit, Adjudication(3, 4))
    found = play_game(game, Job(job.number, job.players, job.seats, job.lots, job.seed, rules))
    assert found.adjudicated
    assert not found.stopped
    assert found.record.moves == whole.record.moves[: found.length]
    assert found.length < whole.length
    position = game.start()
    values = []
    for move in found.record.moves:
        position = position.play(move)
        values.append(position.evaluate()["Red"])
    (winner,) = {0 if value >= 3 else 1 if value <= -3 else None for value in values[-4:]}
    assert winner == found.winner
    runs = [values[at : at + 4] for at in range(len(values) - 4)]
    assert not [run for run in runs if min(run) >= 3 or max(run) <= -3]  # not a move later than possible
    record = records.read(records.write(found.record))
    assert record == found.record
    assert record.termination == "adjudicated: ahead by 3 or more for 4 moves"
    assert len(list(records.replay(record, records.game_of(record)))) == found.length


@pytest.mark.parametrize(
    ("values", "changes"),
    [([], 0), ([0, 0], 0), ([1, 2, 3], 0), ([1, -1, 1], 2), ([1, 0, -1], 1), ([0, -2, 0, -1, 0, 5], 1)],
)
def test_lead_changes(values: list[int], changes: int) -> None:
    assert lead_changes([(value, -value) for value in values]) == changes


def test_choices_are_the_legal_moves() -> None:
    game = load("zola", size=4)
    (job,) = islice(match_jobs(game, "random", "random", 2), 1)
    found = play_game(game, job)
    position, choices = game.start(), []
    for move in found.record.moves:
        choices.append(len(position.legal_moves))
        position = position.play(move)
    assert found.choices == sum(choices[found.opening :])
    assert sum(found.chosen) == len(choices) - found.opening


# ---------------------------------------------------------------------------------------------------- store


def series(**changed: object) -> Series:
    told = {"command": "match", "game": "zola", "options": {"size": "4"}, "digest": "d1", "players": ("a", "b"),
            "seed": 1, "rules": STANDARD}  # fmt: skip
    return Series(**{**told, **changed})  # type: ignore[arg-type]


def test_a_game_is_the_same_when_it_comes_out_of_a_store(tmp_path: Path) -> None:
    game = load("zola", size=4)
    games = played(game, match_jobs(game, "greedy", "minimax:depth=2"), 4)
    store = Store(tmp_path / "lab.db")
    number = store.begin(series())
    for one in games[::-1]:
        store.add(number, one)
        store.add(number, one)  # a second time changes nothing
    again = Store(tmp_path / "lab.db")
    found = list(again.games(number))
    assert found == games
    assert [one.seconds for one in found] == [one.seconds for one in games]
    assert [one.processor for one in found] == [one.processor for one in games]
    assert all(len(one.processor) == 2 for one in games)
    assert [one.played_by for one in found] == [one.played_by for one in games]
    (held,) = again.series()
    assert (held.games, held.told["rules"], held.played_by) == (4, "d1", (games[0].played_by,))
    assert list(again.games(number, 2)) == games[1:2]
    assert list(again.games(number, 9)) == []
    with sqlite3.connect(tmp_path / "lab.db") as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    "changed",
    [
        {"command": "tournament"}, {"game": "conga"}, {"options": {"size": "6"}}, {"digest": "d2"},
        {"players": ("b", "a")}, {"seed": 2}, {"rules": Rules(3)}, {"rules": Rules(2, 10)},
        {"rules": Rules(adjudication=Adjudication(5, 5))},
    ],
)  # fmt: skip
def test_whatever_games_depend_on_makes_another_series(tmp_path: Path, changed: dict[str, object]) -> None:
    store = Store(tmp_path / "lab.db")
    assert store.begin(series()) == store.begin(series()) == 1
    assert store.begin(series(**changed)) == 2


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "text.db", tmp_path / "other.db", tmp_path / "newer.db"
    text.write_text("Not a database, but long enough to be taken for one at first sight. " * 20, encoding="utf-8")
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE games (a)")
    Store(newer).close()
    with sqlite3.connect(newer) as file:
        file.execute("PRAGMA user_version = 99")
    before = text.read_bytes(), other.read_bytes()
    for path, message in (
        (text, "is not a store of games"),
        (other, "but not a store of games"),
        (newer, "newer pysolve"),
    ):
        with pytest.raises(StoreError, match=message):
            Store(path)
        assert message in refused(*WORDS, "--store", str(path))
    assert (text.read_bytes(), other.read_bytes()) == before
    assert "no such file" in refused("store", str(tmp_path / "nothing.db"))
    assert not (tmp_path / "nothing.db").exists()
    (tmp_path / "empty.db").touch()
    assert "empty.db is empty, not a store of games" in refused("store", str(tmp_path / "empty.db"))
    assert (tmp_path / "empty.db").stat().st_size == 0


@pytest.mark.slow
def test_a_store_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    whole = json.loads(said(*WORDS, "--json"))["games"]
    assert run(*WORDS[:6], "3", *WORDS[7:], "--store", str(file)).stderr == ""
    result = run(*WORDS, "--store", str(file), "--processes", "2", "--json")
    assert result.stderr == f"pysolve: {file} has 3 games of this series, number 1\n"
    assert json.loads(result.stdout)["games"] == whole
    moved = Store(file)
    assert [one.number for one in moved.games(1)] == [1, 2, 3, 4, 5, 6]
    moved.close()
    again = run(*WORDS, "--store", str(file), "--json")  # nothing is left to be played
    assert json.loads(again.stdout)["games"] == whole


def test_games_that_were_kept_before_chance_was_noted_count_as_they_should(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    for players, opening in (("minimax:depth=1", "minimax:depth=2"), "0"), (("random", "minimax:depth=1"), "0"):
        words = ("match", "tictactoe", *players, "--games", "2", "--opening", opening, "--store", str(file))
        assert run(*words).exit_code == 0
    with closing(Store(file)) as store:
        before = [list(store.games(series)) for series in (1, 2)]
    assert [[one.chance for one in games] for games in before] == [[False, False], [True, True]]
    with closing(sqlite3.connect(file)) as raw, raw:
        told = "json_remove(details, '$.chance', '$.redrawn', '$.shortened')"
        raw.execute(f"UPDATE games SET details = {told}")
    with closing(Store(file)) as store:
        assert [list(store.games(series)) for series in (1, 2)] == before


def test_other_games_are_kept_apart_and_that_is_said(tmp_path: Path) -> None:
    file, rules = tmp_path / "lab.db", tmp_path / "mine.rules"
    words = ("random", "random", "size=4", "--games", "2", "--store", str(file))
    text = 'game "Mine" extends "zola"\n'
    rules.write_text(text, encoding="utf-8")
    assert run("match", str(rules), *words).stderr == ""
    assert "has 1 other series; these games are kept separately, from series 2" in run("match", "zola", *words).stderr
    rules.write_text(text + "replace end\n  mover wins when (count c: cell where at(c) = opponent) <= 3\n", "utf-8")
    changed = run("match", str(rules), *words)
    assert changed.exit_code == 0
    assert f"the rules have changed since series 1 of {file} was played" in changed.stderr
    assert [one["played"] for one in json.loads(said("store", str(file), "--json"))] == [2, 2, 2]


LEVEL = load("zola").levels["easy"]


def test_a_level_is_kept_as_what_it_means(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    words = ("match", "zola", "easy", "random", "size=4", "--games", "2", "--store", str(file))
    assert ": easy won " in said(*words)
    (held,) = Store(file).series()
    assert held.told["players"] == [LEVEL, "random"]
    assert next(iter(Store(file).games(1))).record.players == {"Red": LEVEL, "Blue": "random"}


def test_rules_that_a_player_thinks_by_belong_to_a_series(tmp_path: Path) -> None:
    file, rules = tmp_path / "lab.db", tmp_path / "mine.rules"
    rules.write_text('game "Mine" extends "zola"\n', encoding="utf-8")
    words = ("match", "zola", f"greedy:by={rules}", "random", "size=4", "--games", "2", "--store", str(file))
    said(*words)
    assert "has 2 games of this series" in run(*words).stderr
    rules.write_text('game "Mine" extends "zola"\nevaluate\n  all 1 : moves(me)\n', encoding="utf-8")
    assert "the rules of the players have changed since series 1" in run(*words).stderr
    assert [one.games for one in Store(file).series()] == [2, 2]


def test_what_a_store_holds(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    said(*WORDS, "--store", str(file))
    lines = said("store", str(file)).split("\n")
    assert lines[1].split() == ["1", "match", "zola", "size=4:", "minimax:depth=2", "-", "greedy", "6", "4"]
    games = said("store", str(file), "1").rstrip().split("\n")
    assert len(games) == 7
    assert games[2].split()[:3] == ["2", "Red:", "greedy,"]
    game = tmp_path / "game.txt"
    game.write_text(said("store", str(file), "1", "2"), encoding="utf-8")
    assert "all legal" in said("replay", str(game), "-q")
    assert json.loads(said("store", str(file), "1", "--json"))[1]["moves"] == list(
        records.read(game.read_text(encoding="utf-8")).moves
    )
    assert said("store", str(file), "1", "--out", str(tmp_path / "out")).startswith("6 games written")
    assert (tmp_path / "out" / "0002.txt").read_text(encoding="utf-8") == game.read_text(encoding="utf-8")
    assert said("store", str(file), "1", "2", "--out", str(tmp_path / "one")).startswith("1 game written")
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["0002.txt"]
    assert "the file exists" in refused("store", str(file), "1", "--out", str(tmp_path / "one"))
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["0002.txt"]
    assert (
        json.loads(said("store", str(file), "1", "2", "--json"))
        == json.loads(said("store", str(file), "1", "--json"))[1]
    )
    assert "give its number" in refused("store", str(file), "--out", str(tmp_path / "two"))
    assert "has no series 2" in refused("store", str(file), "2", "1")
    assert "has no series 2" in refused("store", str(file), "2")
    assert "has no game 7 in series 1" in refused("store", str(file), "1", "7")


def killed(words: list[str], file: Path, sign: int, games: int = 5) -> tuple[int, str, str]:
    """A command in a process of its own, which is ended when its store has some games."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    running = subprocess.Popen(
        [sys.executable, "-m", "pysolve", *words, "--store", str(file)], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 300
    while time.monotonic() < until and running.poll() is None and held(file) < games:
        time.sleep(0.02)
    os.killpg(running.pid, sign)  # to all of its processes, as a terminal does
    out, err = running.communicate(timeout=300)
    return running.returncode, out, err


def held(file: Path) -> int:
    """How many games a store has, if there is one by now."""
    if not file.exists():
        return 0
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as reading:
        try:
            return int(reading.execute("SELECT COUNT(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # not yet
            return 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("sign", ["SIGINT", "SIGKILL"])
def test_an_interrupted_series_is_completed_as_if_nothing_had_been(tmp_path: Path, sign: str) -> None:
    file = tmp_path / "lab.db"
    words = ["match", "zola", "minimax:depth=3", "greedy", "size=4", "--processes", "2", "--games"]
    status, out, err = killed([*words, "100000"], file, getattr(signal, sign))
    if sign == "SIGINT":
        assert (status, "Traceback" in err) == (130, False)
        assert " of Zola: minimax:depth=3 won " in out
    before = held(file)
    assert before >= 5
    count = before + 4
    found = json.loads(run(*words, str(count), "--store", str(file), "--json").stdout)
    assert found["games"] == json.loads(run(*words, str(count), "--json").stdout)["games"]
    assert held(file) >= count


def beget(line: Connection) -> None:
    get_context("spawn").Process(target=begin, args=(lab_processes._work, line)).start()
    line.close()
    signal.pause()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_process_ends_with_the_one_that_has_started_it() -> None:
    mine, line = Pipe()
    parent = get_context("spawn").Process(target=beget, args=(line,))
    parent.start()
    line.close()
    mine.send((pickle.dumps((NamedGame(load("zola"), "zola"),)),))
    assert mine.recv() is None  # the process that plays is ready, and waits for what this one gives it
    parent.kill()
    assert mine.poll(300)
    with pytest.raises(EOFError):
        mine.recv()


def test_a_store_that_another_program_holds_is_said_to_be_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lab.db"
    Store(file).close()
    monkeypatch.setattr("pysolve.lab.database.PATIENCE", 0.1)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "lab.db is in use: another program writes to it" in refused(*WORDS, "--store", str(file))


def filled(file: Path) -> int:
    """Makes a store that takes several pages; the size of a page."""
    with closing(Store(file)) as store:
        for seed in range(200):
            store.begin(series(seed=seed))
    with closing(sqlite3.connect(file)) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = opened.execute("PRAGMA page_size").fetchone()
    assert file.stat().st_size > 8 * size
    return int(size)


def overwritten(file: Path, at: int, what: bytes) -> bytes:
    """Damages a file, as a failing disk does; what it is then."""
    data = bytearray(file.read_bytes())
    data[at : at + len(what)] = what
    file.write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize("page", range(1, 8))
def test_a_damaged_store_is_refused_and_left_as_it_is(tmp_path: Path, page: int) -> None:
    file = tmp_path / "lab.db"
    size = filled(file)
    before = overwritten(file, page * size, b"\xa5" * size)
    for words in (["store", str(file)], [*WORDS, "--store", str(file)]):
        said = refused(*words)
        assert f"{file} is damaged: " in said
        assert "Nothing in it was changed. Use a copy of it, or another file; the SQLite command" in said
        assert file.read_bytes() == before


def test_a_store_without_its_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    size = filled(file)
    file.write_bytes(file.read_bytes()[: 3 * size])
    assert f"{file} is damaged: " in refused("store", str(file))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("DROP TABLE games", "it has no table games"),
        ("UPDATE series SET told = '{'", "series 1 cannot be read"),
        ("UPDATE series SET told = '{}'", "series 1 cannot be read"),
        ("UPDATE series SET told = replace(told, '[', '1e5, \"x\": [')", "series 1 cannot be read"),
        ("UPDATE series SET told = CAST(x'ff' AS TEXT)", "Could not decode to UTF-8 column 'told'"),
    ],
)
def test_a_store_whose_contents_are_damaged_is_refused(tmp_path: Path, change: str, what: str) -> None:
    file = tmp_path / "lab.db"
    with closing(Store(file)) as store:
        store.begin(series())
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(change)
    assert f"{file} is damaged: {what}" in refused("store", str(file))


@pytest.mark.parametrize("change", ["details = '{}'", "details = '[1]'", "record = 'no record'", "details = '['"])
def test_a_damaged_game_of_a_store_is_named(tmp_path: Path, change: str) -> None:
    file = tmp_path / "lab.db"
    game = load("zola", size=4)
    with closing(Store(file)) as store:
        store.add(store.begin(series()), *played(game, match_jobs(game, "random", "random"), 1))
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(f"UPDATE games SET {change}")
    assert f"{file} is damaged: game 1 of series 1 cannot be read" in refused("store", str(file), "1")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_READONLY, "cannot be written: the file or its folder is read-only"),
        (sqlite3.SQLITE_IOERR_WRITE, "cannot be read or written: the disk is full or fails"),
        (sqlite3.SQLITE_FULL, "cannot be written: the disk is full; the games in it are kept"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened: its folder must exist and be writable"),
        (sqlite3.SQLITE_NOMEM, "cannot be used: out of it"),
    ],
)
def test_an_error_of_sqlite_says_what_to_do(tmp_path: Path, code: int, message: str) -> None:
    with closing(Store(tmp_path / "lab.db")) as store:
        error = sqlite3.OperationalError("out of it")
        error.sqlite_errorcode = code
        assert str(store._wrong(error)).startswith(f"{store.path} {message}")


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert f"{tmp_path}: this is a folder, and no store of games" in refused("store", str(tmp_path))
