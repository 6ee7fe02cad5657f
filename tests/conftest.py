"""Options of the test suite, and what all tests have in common.

The suite has three sizes.  `pytest` runs the quick tests: about two minutes of processor time.  `pytest --all` also
runs those marked `slow`: some sixteen minutes on two cores.  `pytest --long` also runs those marked `long`, which take
hours: more games, more random rules, further sizes, where `--all` has tried some.  A test that is named with `::` runs,
whatever its mark.  `pytest --all --rest` leaves out what passed when the quick tests ran before.
"""

import contextlib
import gc
import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pysolve.dsl.text import parser
from pysolve.engines import build, native
from pysolve.engines.build import BuildError, NoCompiler
from pysolve.export import wasm
from tests import games
from tests.chromium import browser, playwright  # noqa: F401  (fixtures)

pytest_plugins = ["tests.budget", "tests.passed"]
ALL_SLOW = re.compile(r"^pytestmark = (?:\[[^\]]*)?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled for tests is kept with what pytest keeps; Ctrl-C works, however pytest was started."""
    config.addinivalue_line("markers", "slow: runs only with --all (or --long)")
    config.addinivalue_line("markers", "long: runs only with --long, because it takes minutes or hours")
    if not hasattr(config, "workerinput"):
        parser.parser()  # where it is not kept yet: once, and not by each process of this run
    games.left_out = _left_out(config)
    gc.set_threshold(20_000, 20, 20)  # what was collected stays: the collector need not look at it so often
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("native")
        folder.chmod(0o700)
        os.environ.setdefault("PYSOLVE_CACHE", str(folder))
        if "long" in games.left_out and "PYSOLVE_CC" not in os.environ and os.name == "posix":
            _hurry(config.cache.mkdir("compiler") / HURRIED)
    native.begun = _no_build  # games are compiled by tcc alone, not once more behind the back of a test
    if "long" in games.left_out:
        wasm.FLAGS = ("-O0", *wasm.FLAGS[1:])  # which takes a seventh of the time
    if config.getoption("--update"):
        config.option.dist = "no"  # no two processes write the same file
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; commands would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


HURRIED = "hurried-cc"
SCRIPT = """\
#!/bin/sh
# The compiler, but that it optimizes less: programs that run but a second or two are built in a third of the time.
for word; do
    shift
    [ "$word" = -O2 ] && word={quick}
    set -- "$@" "$word"
done
exec {compiler} "$@"
"""


def _hurry(script: Path) -> None:
    """All processes of the tests compile by a script that changes an option of the compiler."""
    with contextlib.suppress(NoCompiler):
        compiler = build.compilers("cc")[0].command[0]
        script.write_text(SCRIPT.format(quick=build.IN_A_HURRY["-O2"], compiler=shlex.quote(compiler)), "utf-8")
        script.chmod(0o700)
        os.environ["PYSOLVE_CC"] = str(script)
        build._find.cache_clear()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With --all twice as many processes as cores: many tests wait for a browser, or another process, or a clock."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return None if "slow" in _left_out(config) else 2 * cores


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")
    parser.addoption("--all", action="store_true", help="run all tests but those that take minutes or hours each")
    parser.addoption("--long", action="store_true", help="run all tests")


def _left_out(config: pytest.Config) -> frozenset[str]:
    """The marks of the tests that the options do not ask for."""
    if config.getoption("--long") or any("::" in argument for argument in config.args):
        return frozenset()
    return frozenset(["long"] if config.getoption("--all") else ["long", "slow"])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose tests are all slow is not even read by the quick tests."""
    if "slow" not in games.left_out or not collection_path.match("test_*.py"):
        return None
    return bool(ALL_SLOW.search(collection_path.read_text(encoding="utf-8"))) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests whose marks the options do not ask for."""
    left_out = [item for item in items if any(item.get_closest_marker(mark) for mark in games.left_out)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if expected results are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def optimized(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The compiler optimizes within this test as it does for users."""
    if os.environ.get("PYSOLVE_CC", "").endswith(HURRIED):
        monkeypatch.delenv("PYSOLVE_CC")
    build._find.cache_clear()
    yield
    monkeypatch.undo()
    build._find.cache_clear()


@pytest.fixture
def unheard_by_prolog() -> Iterator[None]:
    """Ctrl-C within a test is not passed on to Prolog, which might hear of it when another test asks."""
    told = signal.set_wakeup_fd(-1)
    yield
    signal.set_wakeup_fd(told)


@pytest.fixture(autouse=True)
def whole_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where builds are the subject, a better library is built in the background, as it is for users."""
    if request.module.__name__.rpartition(".")[2] in ("test_native", "test_reading"):
        monkeypatch.setattr(native, "begun", _begun)


_begun = native.begun


def _no_build(*_: Any, **__: Any) -> None:
    raise BuildError("not in tests")
