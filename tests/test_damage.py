"""Whatever happens to the files of the cache, a fresh process answers as it does without them.

Each file that pysolve keeps is cut short, has bits flipped, or is exchanged for another one; then a new process asks
the same questions.  It may crash if it trusts the file, so it is never this one.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pysolve.engines.build import NoCompiler, compilers

ROOT = Path(__file__).parent.parent
MANY = 55  # kinds of damage to each kind of file


def has_cc() -> bool:
    try:
        return bool(compilers("cc"))
    except NoCompiler:
        return False


pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(not has_cc(), reason="there is no compiler for files here"),
]  # fmt: skip

ASK = """
import json, sys
from pysolve import load
from pysolve.runtime import models
from pysolve.engines import build, native
from pysolve.game import find_source
from pysolve.dsl.text import parser
made = []
real_read, real_compile, real_parser = models.read_playable, build._compile, parser.built
models.read_playable = lambda *given: (made.append("game"), real_read(*given))[1]
build._compile = lambda *given: (made.append("library"), real_compile(*given))[1]
parser.built = lambda: (made.append("parser"), real_parser())[1]
parser.parser()
source, folders = find_source(sys.argv[1])
model, kept = models.read(source, folders, {})
engine = native.NativeEngine(model, "cc-quick", proof=False, kept=kept)
if "prove" in sys.argv:
    engine.library.prove()
start = engine.start()
said = [engine.perft(start, 4), engine.expand(start).moves[:3], engine.estimate(start), engine.library.proved]
print(json.dumps({"said": said, "made": sorted(made)}))
"""


class Kept:
    """A cache of its own, which holds the game that was asked about."""

    def __init__(self, folder: Path):
        self.folder = folder / "native"
        self.environment = {**os.environ, "PYSOLVE_CACHE": str(self.folder), "XDG_CACHE_HOME": str(folder / "user")}
        self.expected = self.ask("prove")["said"]
        assert self.ask() == {"said": self.expected, "made": []}
        self.whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def ask(self, *also: str, game: str = "tictactoe") -> dict[str, object]:
        done = subprocess.run([sys.executable, "-c", ASK, game, *also], capture_output=True, text=True, cwd=ROOT,
                              env=self.environment, timeout=300, check=False)  # fmt: skip
        assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
        found: dict[str, object] = json.loads(done.stdout)
        return found

    def file(self, kind: str) -> Path:
        (path,) = (path for path in self.whole if path.suffix == kind)
        return path

    def restore(self) -> None:
        for path in self.folder.parent.rglob("*"):
            if path.is_file() and path not in self.whole:
                path.unlink()
        for path, data in self.whole.items():
            path.unlink(missing_ok=True)
            path.write_bytes(data)
            path.chmod(0o700)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("kept"))


def damages(many: int) -> list[tuple[str, Callable[[bytes, random.Random], bytes]]]:
    """Ways to damage a file, at places that a seed says."""
    ways: list[tuple[str, Callable[[bytes, random.Random], bytes]]] = []
    for number in range(many):
        if number % 4 == 1:
            ways.append((f"cut-{number}", lambda data, chance: data[: chance.randrange(len(data))]))
        else:
            ways.append((f"flipped-{number}", flipped))
    return [*ways, ("empty", lambda *_: b""), ("longer", lambda data, _: data + b"\0")]


def flipped(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 8))):
        found[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(found)


MADE = {".model": "game", ".parents": "game", ".printed": None, ".library": "library", ".so": "library",
        ".parser": "parser"}  # fmt: skip


@pytest.mark.parametrize("kind", MADE)
def test_a_damaged_file_is_made_again(kept: Kept, kind: str, request: pytest.FixtureRequest) -> None:
    """The answers are the same, and what was damaged is made once more; the next process has it again."""
    ways = damages(MANY)
    if not request.config.getoption("--long"):  # another way for each kind
        ways = [[*ways[:2], *ways[-2:]][[*MADE].index(kind) % 4]]
    for name, damage in ways:
        kept.restore()
        path = kept.file(kind)
        path.write_bytes(damage(kept.whole[path], random.Random(f"{kind} {name}")))
        found = kept.ask()
        proved = MADE[kind] != "library"
        assert found == {"said": [*kept.expected[:3], proved], "made": [MADE[kind]] * bool(MADE[kind])}, name
    assert kept.ask()["made"] == []


def test_every_kind_of_file_is_damaged(kept: Kept) -> None:
    assert {path.suffix for path in kept.whole} == set(MADE)


def test_a_file_in_the_place_of_another_is_not_used(kept: Kept) -> None:
    """A file that is whole, but was kept under another name."""
    kept.restore()
    kept.ask(game="tictactoe-misere")
    for kind in MADE:
        others = [path for path in kept.folder.glob(f"*{kind}") if path not in kept.whole]
        for other in others:
            kept.file(kind).write_bytes(other.read_bytes())
    found = kept.ask()
    assert found["said"] == [*kept.expected[:3], False]
    assert found["made"] == ["game", "library"]


KILLED = """
import os
from pysolve.engines import build
build.keep = lambda *_: os._exit(9)
"""


def test_a_process_that_is_killed_leaves_no_trap(kept: Kept) -> None:
    """Between the library and its record; the next one builds, and throws away what it finds."""
    kept.restore()
    kept.file(".library").unlink()
    done = subprocess.run([sys.executable, "-c", KILLED + ASK, "tictactoe"], capture_output=True, cwd=ROOT,
                          env=kept.environment, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 9, done.stderr
    assert len(list(kept.folder.glob("*.so"))) == 2
    assert kept.ask()["made"] == ["library"]
    assert len(list(kept.folder.glob("*.so"))) == 1
    kept.restore()
    kept.file(".so").unlink()
    assert kept.ask()["made"] == ["library"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no such permissions")
@pytest.mark.parametrize("kind", MADE)
def test_a_file_that_others_can_write_is_not_used(kept: Kept, kind: str) -> None:
    kept.restore()
    kept.file(kind).chmod(0o666)
    assert kept.ask()["made"] == ([MADE[kind]] if MADE[kind] else [])


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no such permissions")
def test_a_folder_that_others_can_write_into_is_not_used(kept: Kept) -> None:
    kept.restore()
    folders = {kept.folder, kept.file(".parser").parent}
    try:
        for folder in folders:
            folder.chmod(0o777)
        assert kept.ask()["made"] == ["game", "library", "parser"]
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert {path: path.read_bytes() for path in kept.folder.parent.rglob("*") if path.is_file()} == kept.whole
