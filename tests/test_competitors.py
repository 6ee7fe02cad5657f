"""Functions as players: in matches, tournaments and balances, in several processes, on a cluster, in stores."""

import dataclasses
import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game
from pysolve.lab.balance import balance, play_variant
from pysolve.lab.games import STANDARD, Played, Rules
from pysolve.lab.match import match_jobs, play_match, series_of, standing
from pysolve.lab.start import start_workers
from pysolve.lab.tournament import crosstable, tournament_jobs
from pysolve.lab.workers import NamedGame, WorkerError, in_order
from pysolve.players.competitors import Function, PlayerError, competitor, named
from pysolve.players.functions import Player
from pysolve.position import Move, Position
from tests.games import load
from tests.test_lab import refused, run, said

MODULE = '''\
"""Players of somebody."""
import random as chances

ANSWER = 42

def first(position):
    return position.legal_moves[0]

def words(position):
    return position.legal_moves[0].text

def by_lot(position):
    return position.legal_moves.sample(chances.Random())

def breaks(position):
    if position.turns_played > 3:
        raise RuntimeError("no idea\\nat all")
    return first(position)

def leaves(position):
    raise SystemExit(3)

def silent(position):
    """Forgets to return."""

def cheats(position):
    return "z99"

def greedy_two(position, depth):
    return first(position)

class Bot:
    def __call__(self, position):
        return position.legal_moves[-1]

bot = Bot()
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of players, in which commands are given."""
    (tmp_path / "theirs.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "broken.py").write_text("import nothing_like_that\n", encoding="utf-8")
    (tmp_path / "wrong.py").write_text("def choose(position:\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for module in ("theirs", "broken", "wrong"):
        sys.modules.pop(module, None)


def last(position: Position) -> Move:
    """The last legal move."""
    found: Move = position.legal_moves[-1]
    return found


def settled(position: Position) -> Move:
    found: Move = position.legal_moves[0]
    return found


settled.deterministic = True  # type: ignore[attr-defined]
LAST, SETTLED = f"{__name__}:last", f"{__name__}:settled"


def played(jobs: Iterator[Any], count: int, processes: int = 1, cluster: str | None = None) -> list[Played]:
    workers = start_workers([NamedGame(load("zola", size=4), "zola")], processes, cluster)
    try:
        return list(in_order(workers, 0, islice(jobs, count)))
    finally:
        workers.close()


# ------------------------------------------------------------------------------------------------- functions


def test_a_function_plays_a_match() -> None:
    game = load("zola", size=4)
    games = list(play_match(game, last, "random", 4))
    assert games[0].record.players == {"Red": LAST, "Blue": "random"}
    assert games[1].record.players == {"Red": "random", "Blue": LAST}
    for one in games:
        position = game.start()
        for number, text in enumerate(one.record.moves):
            if number >= one.opening and position.to_move == ("Red", "Blue")[one.seats.index(0)]:
                assert text == str(position.legal_moves[-1])
            position = position.play(text)
    assert standing(game, games).played == 4


def test_functions_play_tournaments_and_balances() -> None:
    game = load("zola", size=4)
    who = (last, settled, "greedy")
    table = crosstable(who, game.players, played(tournament_jobs(game, who), 6))
    assert table.players == (LAST, SETTLED, "greedy")
    assert table.played == 6
    assert balance(game, list(play_variant(game, last, 3)), {}).played == 3


def test_functions_of_the_same_name_are_told_apart() -> None:
    def made(place: int) -> Player:
        return lambda position: position.legal_moves[place]

    one, other = made(0), made(-1)
    assert list(map(str, named([one, "random", other, one]))) == ["<lambda>", "random", "<lambda> (2)", "<lambda>"]
    games = list(play_match(load("zola", size=4), one, other, 2))
    assert games[0].record.players == {"Red": "<lambda>", "Blue": "<lambda> (2)"}


@pytest.mark.parametrize(("player", "opening", "counts"), [(settled, 0, 1), (settled, 1, 6), (last, 0, 6)])
def test_a_function_may_say_that_it_leaves_nothing_to_chance(player: Player, opening: int, counts: int) -> None:
    """Of others nobody knows, so their games count."""
    game = load("zola", size=4)
    found = balance(game, list(play_variant(game, player, 6, opening=opening)), {})
    assert found.played - found.duplicates == counts


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (
            None,
            r"None is not a player, but an object of type NoneType: a player is a function from a position to one",
        ),
        (3, "3 is not a player, but an object of type int"),
        (Rules, "is a class: a player is a function .*, or an object that can be called like one"),
        (lambda: None, r"cannot be called with a position alone \(too many positional arguments\)"),
    ],
)
def test_what_is_no_player_is_refused_before_anything_is_played(what: Any, message: str) -> None:
    with pytest.raises(UnknownPlayer, match=message):
        match_jobs(load("tictactoe"), what, "random")


def elsewhere(position: Position) -> Move:
    return next(iter(load("conga").start().legal_moves))


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (
            lambda position: None,
            r"<lambda> returned None, which is not a move, in  .*: a player must return one of position",
        ),
        (lambda position: 1 // 0, r"<lambda> raised ZeroDivisionError: .* \(test_competitors\.py, line \d+\), asked"),
        (elsewhere, r"elsewhere returned .*, which is not legal, in  "),
        (lambda position: "z99", r"<lambda> returned 'z99' in  .*: "),
        (lambda position: position.legal_moves, r"which is not a move"),
    ],
)
def test_a_function_that_makes_no_legal_move_is_named(choose: Callable[[Position], Any], message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        list(play_match(load("zola", size=4), choose, "random", 1))


def test_ctrl_c_within_a_function_is_no_mistake_of_its() -> None:
    def interrupted(position: Position) -> Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(play_match(load("zola", size=4), interrupted, "random", 1))


# ------------------------------------------------------------------------------------------------- processes


@pytest.mark.slow
def test_several_processes_play_the_same_games() -> None:
    game = load("zola", size=4)
    alone = played(match_jobs(game, last, "random"), 4)
    assert played(match_jobs(game, last, "random"), 4, processes=2) == alone


def test_what_a_function_did_in_another_process_is_said_here(here: Path) -> None:
    sys.path.insert(0, str(here))
    with pytest.raises(PlayerError, match=r"theirs:breaks raised RuntimeError: no idea at all \(theirs\.py, line"):
        played(match_jobs(load("zola", size=4), "theirs:breaks", "random"), 2, processes=2)


def test_a_function_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(WorkerError, match=r"a player cannot be sent to other processes .*: define it in a module"):
        played(match_jobs(load("zola", size=4), lambda position: position.legal_moves[0], "random"), 2, processes=2)


@pytest.mark.slow
def test_a_function_that_another_process_does_not_find_is_named(here: Path) -> None:
    """As one that was typed at a prompt."""
    program = """
from itertools import islice
import pysolve
from pysolve.lab.start import start_workers
from pysolve.lab.workers import WorkerError, NamedGame
from pysolve.lab.match import match_jobs
def choose(position):
    return position.legal_moves[0]
game = pysolve.load("zola", size=4)
workers = start_workers([NamedGame(game, "zola")], 2)
try:
    list(workers.play(0, islice(match_jobs(game, choose, "random"), 2)))
except WorkerError as error:
    print(error)
workers.close()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert "another process cannot find a player" in ran.stdout, ran.stderr
    assert "define it in a module that can be imported" in ran.stdout


@pytest.mark.slow
def test_a_cluster_plays_functions() -> None:
    distributed = pytest.importorskip("distributed")
    game = load("zola", size=4)
    alone = played(match_jobs(game, last, SETTLED), 4)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running:
        running.wait_for_workers(2)
        address = running.scheduler_address
        assert played(match_jobs(game, last, SETTLED), 4, cluster=address) == alone
        with pytest.raises(PlayerError, match=r"leaps raised KeyError"):
            played(match_jobs(game, leaps, "random"), 2, cluster=address)


def leaps(position: Position) -> Move:
    raise KeyError(position.to_move)


# -------------------------------------------------------------------------------------------- module:function


@pytest.mark.slow
def test_the_command_line_names_functions_of_the_callers_folder(here: Path) -> None:
    words = ("zola", "size=4", "--games", "2", "--json")
    found = json.loads(said("match", *words, "theirs:first", "random"))
    assert found["players"] == ["theirs:first", "random"]
    assert found["games"][0]["players"] == {"Red": "theirs:first", "Blue": "random"}
    assert found["by"] == {"theirs:first": found["by"]["theirs:first"]}
    assert json.loads(said("match", *words, "theirs:words", "random"))["wins"] == found["wins"]
    assert json.loads(said("balance", *words, "--player", "theirs:bot"))["players"] == ["theirs:bot"]
    table = said("tournament", "zola", "size=4", "--games", "2", "theirs:first", "theirs:bot", "theirs:by_lot")
    assert all(name in table for name in ("theirs:first", "theirs:bot", "theirs:by_lot"))


@pytest.mark.slow
def test_processes_of_the_command_line_find_the_function_too(here: Path) -> None:
    command = [sys.executable, "-m", "pysolve", "match", "zola", "size=4", "theirs:first", "random", "--games", "4",
               "--processes", "2", "--json"]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=env, cwd=here)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["played"] == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy:turn", 'there is no player "gredy", and no module of that name: did you mean "greedy"?'),
        ("theirs:firsd", 'theirs has no function "firsd": did you mean "first"?'),
        ("theirs:nobody", 'theirs has no function "nobody": it has first, words, by_lot'),
        ("theirs:ANSWER", "theirs:ANSWER is not a player, but an object of type int"),
        ("theirs:Bot", "theirs:Bot is a class"),
        ("theirs:greedy_two", "theirs:greedy_two cannot be called with a position alone (missing a required argument"),
        (
            "broken:choose",
            "broken:choose is not a player: importing broken raised ModuleNotFoundError: No module named",
        ),
        ("wrong:choose", "wrong:choose is not a player: importing wrong raised SyntaxError"),
        ("theirs:breaks", "theirs:breaks raised RuntimeError: no idea at all (theirs.py, line 17), asked in"),
        ("theirs:leaves", "theirs:leaves raised SystemExit: 3"),
        ("theirs:silent", "theirs:silent returned None, which is not a move"),
        ("theirs:cheats", "theirs:cheats returned 'z99'"),
        ("theirs:", 'there is no player "theirs"'),
        ("theirs", 'there is no player "theirs"'),
    ],
)
def test_what_is_wrong_with_a_function_is_said(here: Path, text: str, message: str) -> None:
    assert message in " ".join(refused("match", "zola", "size=4", text, "random").split())


def test_known_players_come_first(here: Path) -> None:
    (here / "greedy.py").write_text("raise SystemError('imported')\n", encoding="utf-8")
    (here / "mcts.py").write_text("raise SystemError('imported')\n", encoding="utf-8")
    said("match", "zola", "size=4", "greedy:turn", "random", "--games", "1")
    assert 'mcts has no setting "think"' in refused("match", "zola", "mcts:think", "random")


def test_levels_and_records_import_nothing(here: Path) -> None:
    """What strangers write names no code: importing this module would raise."""
    (here / "trap.py").write_text("raise SystemError('imported')\n", encoding="utf-8")
    rules = here / "sly.rules"
    rules.write_text('game "Sly" extends "zola"\nreplace level hard "trap:choose"\n', encoding="utf-8")
    assert 'there is no player "trap"' in refused("match", str(rules), "hard", "random")
    model = load("zola").model
    lured = Game(dataclasses.replace(model, levels={"hard": "trap:choose"}))  # whoever has not asked the checker
    with pytest.raises(UnknownPlayer, match='there is no player "trap"'):
        match_jobs(lured, "hard", "random")
    record = here / "game.txt"
    record.write_text('[Game "zola"]\n[Options "size=4"]\n[Red "trap:choose"]\n[Blue "random"]\n', encoding="utf-8")
    assert "imported" not in run("replay", str(record)).output
    assert "imported" not in run("play", "--resume", str(record), "-q").output


# ---------------------------------------------------------------------------------------------------- stores


def test_a_store_knows_a_function_by_its_name_and_its_file(here: Path) -> None:
    words = ("match", "zola", "size=4", "theirs:first", "random", "--games", "2", "--store", "lab.db")
    said(*words)
    assert "has 2 games of this series" in run(*words).stderr
    (here / "theirs.py").write_text(MODULE + "\n# better now\n", encoding="utf-8")
    changed = run(*words)
    assert "the rules of the players have changed since series 1 of lab.db was played; these games" in changed.stderr
    assert [one["played"] for one in json.loads(said("store", "lab.db", "--json"))] == [2, 2]


def test_a_function_without_a_name_of_its_own_is_refused_by_a_store() -> None:
    game = load("zola", size=4)
    for choose in (lambda position: position.legal_moves[0], Function("mine", last)):
        with pytest.raises(UnknownPlayer, match=r"a store cannot identify .* in another session, so it cannot"):
            series_of("match", "zola", game, (choose, "random"), 1, STANDARD)
    series = series_of("match", "zola", game, (last, "random"), 1, STANDARD)
    assert series.players == (LAST, "random")
    assert list(series.by) == [LAST]


def test_jobs_with_functions_can_be_sent() -> None:
    job = next(match_jobs(load("zola", size=4), last, random_of_theirs))
    assert pickle.loads(pickle.dumps(job)) == job
    assert competitor(job.players[0]) == job.players[0]


def random_of_theirs(position: Position) -> Move:
    return position.legal_moves.sample(random.Random(1))
