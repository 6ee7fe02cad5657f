"""Games from the cache are the games that reading makes, and only those."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl import RulesError, read_rules
from pysolve.dsl.model.outline import outline
from pysolve.dsl.to_c import print_c
from pysolve.dsl.to_prolog import print_prolog
from pysolve.engines import native
from pysolve.engines.build import Compiler, NoCompiler, compilers
from pysolve.game import Game
from pysolve.runtime import models
from pysolve.runtime.cache import GAME, PARENTS, cache_folder, keep, kept
from pysolve.runtime.paths import RULES
from tests.games import EVERY, MAIN, each

ROOT = Path(__file__).parent.parent

PARENT = """\
game "Line"
players White, Black
option length = 4 in 2..9
board square length by 1
state
  at(cell): player or none
move place(to: cell) as "{to}"
  when
    at(to) = none
  do
    at(to) := mover
stuck
  draw
"""
CHILD = 'game "Short line" extends "line"\n'


def has_cc() -> bool:
    try:
        return bool(compilers("cc"))
    except NoCompiler:
        return False


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PYSOLVE_CACHE", str(folder))
    return folder


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the rules that were read and not found in the cache."""
    found: list[str] = []
    real = models.read_playable

    def noting(source, *rest):  # type: ignore[no-untyped-def]
        found.append(Path(source.name).stem)
        return real(source, *rest)

    monkeypatch.setattr(models, "read_playable", noting)
    return found


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A game, and one that extends it."""
    parent, child = tmp_path / "line.rules", tmp_path / "short.rules"
    parent.write_text(PARENT, encoding="utf-8")
    child.write_text(CHILD, encoding="utf-8")
    return parent, child


def moves(game: Game) -> int:
    return len(game.start().legal_moves)


@pytest.mark.parametrize("path", each(sorted(RULES.glob("*.rules")), quick=("zola",), late=EVERY - MAIN))
def test_a_game_from_the_cache_is_the_game_that_was_read(path: Path, read: list[str]) -> None:
    first, again = pysolve.load(path).model, pysolve.load(path).model
    anew = read_rules(path, folders=(RULES,))
    assert read == [path.stem]
    assert first == again == anew
    assert [*outline(again)] == [*outline(anew)]
    assert print_prolog(again) == print_prolog(anew)
    for sets in (True, False):
        assert print_c(again, sets) == print_c(anew, sets)


def test_other_options_are_another_game(read: list[str]) -> None:
    sizes = [pysolve.load("zola", size=size).model.board.cells for size in (4, 6, 4, "4")]
    assert [len(cells) for cells in sizes] == [16, 36, 16, 16]
    assert len(read) == 3  # a number and a word are not taken for the same
    game = pysolve.load("zola", size=6)
    assert len(game.with_options(size=4).cells) == 16
    assert len(read) == 3


def test_an_option_of_any_kind_is_read(read: list[str]) -> None:
    with pytest.raises(pysolve.UnknownOption):
        pysolve.load("zola", size=4.5)
    with pytest.raises(pysolve.UnknownOption):
        pysolve.load("zola", sise=4)
    assert read == ["zola"] * 2


def test_a_changed_text_is_read(files: tuple[Path, Path], read: list[str]) -> None:
    parent, _ = files
    assert [moves(pysolve.load(parent)) for _ in range(2)] == [4, 4]
    parent.write_text(PARENT.replace("length = 4", "length = 5"), encoding="utf-8")
    assert [moves(pysolve.load(parent)) for _ in range(2)] == [5, 5]
    assert read == ["line", "line"]


@pytest.mark.slow
def test_a_changed_parent_is_read(files: tuple[Path, Path], read: list[str]) -> None:
    parent, child = files
    assert [moves(pysolve.load(child)) for _ in range(2)] == [4, 4]
    parent.write_text(PARENT.replace("length = 4", "length = 6"), encoding="utf-8")
    assert [moves(pysolve.load(child)) for _ in range(2)] == [6, 6]
    parent.unlink()
    with pytest.raises(RulesError, match="line"):
        pysolve.load(child)
    parent.write_text(PARENT, encoding="utf-8")
    assert moves(pysolve.load(child)) == 4
    assert read == ["short"] * 4


@pytest.mark.slow
def test_a_parent_that_comes_nearer_is_read(files: tuple[Path, Path], read: list[str]) -> None:
    _, child = files
    child.write_text('game "My Zola" extends "zola"\n', encoding="utf-8")
    assert moves(pysolve.load(child)) == moves(pysolve.load("zola"))
    (child.parent / "zola.rules").write_text(PARENT, encoding="utf-8")
    assert moves(pysolve.load(child)) == 4
    assert read == ["short", "zola", "short"]


def test_another_checker_reads_anew(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pysolve.load("zola")
    monkeypatch.setattr(models, "_sources", lambda: "other sources")
    pysolve.load("zola")
    assert read == ["zola"] * 2


def test_the_sources_say_which_checker_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = models._sources.__wrapped__
    (tmp_path / "check").mkdir()
    monkeypatch.setattr("pysolve.dsl.__file__", str(tmp_path / "__init__.py"))
    assert digest() is None
    seen = set()
    for name, text in (("model.py", "a"), ("model.py", "b"), ("check/order.py", "b"), ("grammar.lark", "b")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        seen.add(digest())
    assert len(seen) == 4


def test_without_sources_nothing_is_kept(read: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_sources", lambda: None)
    assert [moves(pysolve.load("tictactoe", engine="prolog")) for _ in range(2)] == [9, 9]
    assert read == ["tictactoe"] * 2


@pytest.mark.parametrize("ending", [GAME, PARENTS])
@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other", "huge"])
def test_what_is_damaged_is_read(ending: str, damage: str, read: list[str], cache: Path) -> None:
    whole = pysolve.load("tictactoe").model
    (path,) = cache.glob(f"*{ending}")
    data = path.read_bytes()
    if damage == "other":
        keep(path.name, "no game")
    else:
        path.write_bytes({"cut": data[:-9], "changed": data[:-9] + bytes(9), "empty": b"", "huge": data * 9}[damage])
    assert pysolve.load("tictactoe").model == pysolve.load("tictactoe").model == whole
    assert read == ["tictactoe"] * 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no such permissions")
def test_what_others_can_write_is_not_trusted(read: list[str], cache: Path) -> None:
    pysolve.load("tictactoe")
    (path,) = cache.glob(f"*{GAME}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o666)
    pysolve.load("tictactoe")
    assert read == ["tictactoe"] * 2
    cache.chmod(0o777)
    assert cache_folder() != cache
    assert kept(path.name) is None


def test_where_nothing_can_be_written_games_are_read(
    read: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setattr(models, "keep", lambda *_: None)
    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path / "file" / "cache"))
    assert [moves(pysolve.load("tictactoe", engine="prolog")) for _ in range(2)] == [9, 9]
    assert read == ["tictactoe"] * 2


def test_a_value_that_cannot_be_written_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    keep("value" + GAME, 1)
    assert kept("value" + GAME) is None
    assert not list(cache.iterdir())


def test_the_oldest_games_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        keep(f"{number}{GAME}", bytes(1000))
        os.utime(cache / f"{number}{GAME}", (number, number))
    monkeypatch.setattr("pysolve.runtime.cache.LARGEST", 4000)
    keep(f"4{GAME}", bytes(1000))
    assert sorted(file.stem for file in cache.iterdir()) == ["3", "4"]


def test_the_folder_is_not_looked_through_for_each_thing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []
    monkeypatch.setattr("pysolve.runtime.cache._prune", looks.append)
    monkeypatch.setattr("pysolve.runtime.cache.LARGEST", 200_000)
    for number in range(9):
        keep(f"{number}{GAME}", bytes(1000))
    assert len(looks) == 3  # at first, and behind each 4,000 bytes


def test_mistakes_are_said_every_time(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "wrong.rules"
    path.write_text(PARENT.replace("at(to) = none", "at(too) = none"), encoding="utf-8")
    said = []
    for _ in range(2):
        with pytest.raises(RulesError) as error:
            pysolve.load(path)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert not cache.exists() or not list(cache.glob(f"*{GAME}"))


MOVES = """
import sys, pysolve
print(len(pysolve.load("tictactoe", engine="prolog").start().legal_moves), "lark" in sys.modules)
"""


@pytest.mark.slow
def test_several_processes_keep_the_same_game(cache: Path) -> None:
    def run(_: int) -> str:
        command = [sys.executable, "-c", MOVES]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    with ThreadPoolExecutor(2) as pool:
        assert [one.split()[0] for one in pool.map(run, range(2))] == ["9"] * 2
    assert run(0).split() == ["9", "False"]  # from the cache; the parser is not even imported
    assert len(list(cache.glob(f"*{GAME}"))) == 1


@pytest.mark.slow
@pytest.mark.skipif(not has_cc(), reason="there is no compiler for files here")
def test_a_library_is_found_without_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    model, name = models.read(*_source("tictactoe"), {})
    printed = []
    real = native.NativeEngine.text

    def text(engine: native.NativeEngine, compiler: Compiler) -> str:
        if engine.game is model:  # builds that other tests began may end meanwhile
            printed.append(compiler.name)
        return real(engine, compiler)

    monkeypatch.setattr(native.NativeEngine, "text", text)
    first = native.NativeEngine(model, "cc", proof=False, kept=name)
    assert len(printed) == 1
    again = native.NativeEngine(model, "cc", proof=False, kept=name)
    assert len(printed) == 1
    assert again.expand(again.start()).moves == first.expand(first.start()).moves
    for file in cache_folder().glob("*.so"):  # the note stays when the library has gone
        file.unlink()
    once_more = native.NativeEngine(model, "cc", proof=False, kept=name)
    assert len(printed) == 2
    assert once_more.expand(once_more.start()).moves == first.expand(first.start()).moves


def _source(name: str) -> tuple[pysolve.game.Source, tuple[Path, ...]]:
    return pysolve.game.find_source(name)
