"""A disk that is full: the file that it is full for is named, what was there before stays, and nothing else is left.

A limit on the size of files stands for the disk.  Everything that commands write is tried.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pysolve.runtime.files import write_bytes, write_whole
from tests.games import slow_but

resource = pytest.importorskip("resource")  # not on Windows

ROOT = Path(__file__).parent.parent
ROOM = 16  # bytes, which no file has enough of
GAMES = ("zola", "size=4", "--games", "1", "--processes", "1")
SEATED = ("--first", "random", "--second", "random")
LEARNING = ("--player", "greedy", "--games", "10", "--rounds", "1", "--match", "0", "--processes", "1")
WRITERS: list[tuple[str, tuple[str, ...], bool]] = [  # a file, a command that writes it, does it overwrite one?
    ("game.txt", ("play", "zola", "size=4", *SEATED, "-q", "--force", "--save"), True),
    ("tictactoe.proof", ("solve", "tictactoe", "--force", "--proof"), True),
    ("report.html", ("tournament", *GAMES, "random", "greedy", "--html"), True),
    ("plot.svg", ("balance", *GAMES, "--player", "random", "--plot"), True),
    ("plot.png", ("balance", *GAMES, "--player", "random", "--plot"), True),
    ("tuned.rules", ("tune", "othello", "size=4", *LEARNING, "--force", "--out"), True),
    ("zola.svg", ("svg", "zola", "-o"), True),
    ("position.txt", ("show-position", "zola", "--force", "-o"), True),
    ("mine.rules", ("new",), False),
    ("lab.db", ("match", *GAMES, "random", "random", "--store"), False),
]


def run(words: list[str], folder: Path, room: int | None) -> subprocess.CompletedProcess[str]:
    """A command in a folder, which can write files of so many bytes."""

    def limit() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.run(
        [sys.executable, "-m", "pysolve", *words], cwd=folder, preexec_fn=limit, capture_output=True, text=True,
        timeout=600, check=False, env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200"},
    )  # fmt: skip


LATE = ("report.html", "plot.svg", "plot.png", "tuned.rules")  # what takes long to make


@pytest.mark.parametrize(
    ("name", "words", "overwrites"),
    slow_but((), WRITERS, late=[one for one in WRITERS if one[0] in LATE]),
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_full_disk_is_said_and_leaves_what_was_there(
    tmp_path: Path, name: str, words: tuple[str, ...], overwrites: bool
) -> None:
    if name.startswith(("report", "plot")):
        pytest.importorskip("matplotlib")
    if name.startswith("tuned"):
        pytest.importorskip("scipy")
    command = [*words, name]
    whole = run(command, tmp_path, None)  # what is kept from one process to the next is there after that
    assert (tmp_path / name).stat().st_size > ROOM, whole.stderr
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    for before in ("", "what was there before") if overwrites else ("",):
        if before:
            (tmp_path / name).write_text(before, encoding="utf-8")
        full = run(command, tmp_path, ROOM)
        assert full.returncode == 2, full.stderr
        assert name in full.stderr
        assert "Traceback" not in full.stderr
        assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == (
            {name: before} if before else {}
        )
        if name.startswith(("report", "plot")):
            assert full.stdout[:5] == whole.stdout[:5]  # the result


@pytest.mark.slow
def test_a_folder_of_games_keeps_those_that_are_whole(tmp_path: Path) -> None:
    full = run(["match", *GAMES, "random", "random", "--out", "games"], tmp_path, ROOM)
    assert full.returncode == 2
    assert "games/0001.txt: " in full.stderr
    assert list((tmp_path / "games").iterdir()) == []


@pytest.mark.slow
def test_laying_out_keeps_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text('game   "Mine"  extends "zola"\n\n\n\nreplace option size=4 in {4,6}\n', encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    full = run(["fmt", "mine.rules"], tmp_path, ROOM)
    assert (full.returncode, file.read_text(encoding="utf-8")) == (2, before)
    assert "mine.rules: " in full.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["mine.rules"]


@pytest.mark.slow
def test_a_store_that_gets_full_keeps_the_games_that_it_has(tmp_path: Path) -> None:
    words = ["match", "zola", "size=4", "random", "random", "--processes", "1", "--store", "lab.db", "--games"]
    assert run([*words, "2"], tmp_path, None).returncode == 0
    size = (tmp_path / "lab.db").stat().st_size
    full = run([*words, "200"], tmp_path, size + 20_000)
    assert (full.returncode, "Traceback" in full.stderr) == (2, False)
    assert "lab.db cannot be " in full.stderr
    again = run([*words, "200", "--json"], tmp_path, None)
    kept = int(again.stderr.split(" has ")[1].split(" games")[0])
    assert 2 <= kept < 200
    assert again.returncode == 0


# --------------------------------------------------------------------------------------------------- in small


def test_an_error_on_the_way_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_whole(file, "before\n")
    file.chmod(0o640)

    def parts() -> object:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(file, parts())  # type: ignore[arg-type]
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]
    assert file.read_text(encoding="utf-8") == "before\n"
    write_whole(file, ["after", "\n"])
    assert file.read_text(encoding="utf-8") == "after\n"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_and_a_pipe_stay_what_they_are(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "pipe"
    file.write_text("before", encoding="utf-8")
    link.symlink_to(file)
    write_whole(link, "after")
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "after"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_bytes(pipe, [b"through"])
        assert reader.communicate(timeout=300)[0] == b"through"
    assert pipe.is_fifo()


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_whole(tmp_path / "nowhere" / "a.txt", "text")
    assert error.value.filename == str(tmp_path / "nowhere" / "a.txt")
