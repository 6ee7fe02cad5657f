"""Everything but queries works without SWI-Prolog, where something compiles C."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import Sort
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import LimitReached, Move
from pysolve.engines.why import NativeReasons
from pysolve.position import IllegalMove
from tests.games import each, load, slow_but

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


GAMES = ["zola", "chess", "yoxii", "antiyomacy", "conga", "draughts", "zoo", "provinces", "checkers"]


@pytest.mark.parametrize("name", each(GAMES, quick=("zola",)))
def test_c_says_of_every_demand_what_prolog_says(name: str) -> None:
    """Of legal moves and of moves with any parameters, in positions of a random game."""
    game = load(name)
    prolog, native, chance = PrologEngine(game.model), NativeReasons(game.model), random.Random(1)
    state, failing = game.start().state, 0
    for _ in range(4):
        node = game.engine.expand(state)
        for move in [*chance.sample(list(node.moves), min(5, len(node))), *any_moves(game.model, chance)]:
            expected = prolog.explain(state, move)
            assert native.explain(state, move) == expected, (name, move)
            failing += not all(one.holds for one in expected)
        if not len(node):
            break
        state = chance.choice(list(node.children()))
    assert failing


def any_moves(game: Model, chance: random.Random) -> Iterator[Move]:
    """Some moves of each kind, most of them illegal."""
    for kind, action in enumerate(game.actions):
        for _ in range(12):
            sorts = [param.sort for param in action.params]
            yield (kind, *(chance.choice(sort.values()) for sort in sorts if isinstance(sort, Sort)))


@pytest.mark.parametrize("name", ["zola", "yoxii", "provinces"])
def test_c_says_of_every_claim_what_prolog_says(name: str) -> None:
    game = load(name)
    prolog, native, state = PrologEngine(game.model), NativeReasons(game.model), game.start().state
    for number, _ in enumerate(game.model.claims):
        assert native.explain_claim(state, number) == prolog.explain_claim(state, number)


def test_a_demand_ends_by_a_limit() -> None:
    native = NativeReasons(load("zola").model, steps=0)
    with pytest.raises(LimitReached, match="more than 0 steps"):
        native.explain(load("zola").start().state, (1, 1, 36))


# ----------------------------------------------------------------------------------------------- all commands


@pytest.fixture(scope="module")
def missing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which pyswip finds no SWI-Prolog."""
    folder = tmp_path_factory.mktemp("path")
    (folder / "pyswip.py").write_text('raise ImportError("no SWI-Prolog")\n', encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(HERE.parent)))}


def command(
    environment: dict[str, str], *words: str, typed: str = "", folder: Path = HERE.parent
) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pysolve", *words], text=True, input=typed, capture_output=True,
                          check=False, env=environment, cwd=folder)  # fmt: skip


@pytest.mark.slow
def test_an_illegal_move_is_refused_with_its_reason_and_play_goes_on(missing: dict[str, str]) -> None:
    done = command(missing, "play", "zola", "size=4", typed="a1-a2\nwhy a1-a2\nquit\n")
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).count("a retreat ends on an empty square") == 2, done


ILLEGAL = """
import pysolve
try:
    pysolve.load("zola", size=4).start().play("a1-a2")
except pysolve.IllegalMove as error:
    print(error)
"""


def test_play_raises_illegal_move_with_its_reasons(missing: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", ILLEGAL], text=True, capture_output=True, check=False, env=missing)
    with pytest.raises(IllegalMove) as expected:
        load("zola", size=4).start().play("a1-a2")
    assert (done.stdout, done.stderr) == (f"{expected.value}\n", "")


HELLO = """
from pysolve.service import Service
print(*Service().answer("hello", {})["can"])
"""


@pytest.mark.slow
def test_a_page_is_offered_no_queries(missing: dict[str, str]) -> None:
    for environment, can in (
        (missing, "edit clauses balance examples why"),
        ({**missing, "PYTHONPATH": str(HERE.parent)}, "edit query clauses balance examples why"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", HELLO], text=True, capture_output=True, check=True, env=environment
        )
        assert (done.stdout, done.stderr) == (f"{can}\n", "")


@pytest.mark.slow
def test_check_carries_examples_out(missing: dict[str, str], tmp_path: Path) -> None:
    done = command(missing, "check", "zola", "yoxii", "tictactoe")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "examples" in done.stdout
    wrong = tmp_path / "wrong.rules"
    text = (HERE.parent / "rules" / "zola.rules").read_text(encoding="utf-8")
    wrong.write_text(f'{text}\nexample "wrong"\n  legal a1-a2\n', encoding="utf-8")
    done = command(missing, "check", str(wrong))
    assert done.returncode == 1
    assert "expected  a1-a2 to be legal" in done.stdout
    assert "a retreat ends on an empty square" in done.stdout


WORKING = [("why", "zola", "size=4", "a1-a2")]
MORE = [(words,) for words in (
    ("moves", "zola"), ("show", "zola", "--stage", "c"),
    ("games",), ("show-position", "zola"), ("perft", "zola", "--depth", "2"), ("svg", "zola"),
    ("why", "zola", "size=4", "a1-a2", "--json"), ("show", "zola"), ("best", "zola", "size=4", "--depth", "2"),
    ("turns", "yoxii", "--count"), ("match", "zola", "size=4", "random", "greedy", "--games", "2"),
    ("solve", "tictactoe"), ("engines",), ("balance", "zola", "size=4", "--player", "random", "--games", "4"),
    ("tune", "kalah", "--games", "2", "--player", "random", "--match", "0"),
)]  # fmt: skip


@pytest.mark.slow
def test_query_needs_prolog_and_says_how_to_install_it(missing: dict[str, str]) -> None:
    done = command(missing, "query", "zola", "at(C, Red)")
    assert done.returncode == 2
    assert "pysolve needs SWI-Prolog 9" in done.stderr


@pytest.mark.parametrize("words", WORKING + slow_but((), MORE, late=MORE[-1:]), ids=" ".join)
def test_a_command_needs_no_prolog(words: tuple[str, ...], missing: dict[str, str], tmp_path: Path) -> None:
    done = command(missing, *words, folder=tmp_path)  # tune writes a file
    assert (done.returncode, done.stderr) == (0, ""), done
