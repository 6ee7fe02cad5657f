"""Options of the test suite, and what all tests have in common.

The suite has three sizes.  `pytest` runs the quick tests: about two minutes of processor time.  `pytest --all` also
runs those marked `slow`: everything that a change can break.  `pytest --long` also runs those marked `long`, which
take hours.  A test that is named with `::` runs, whatever its mark.
"""

import os
import signal
from typing import Any

import pytest

from pysolve.engines import native
from pysolve.engines.build import BuildError
from tests.chromium import browser  # noqa: F401  (a fixture)


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled for tests is kept with what pytest keeps; Ctrl-C works, however pytest was started."""
    config.addinivalue_line("markers", "slow: runs only with --all (or --long)")
    config.addinivalue_line("markers", "long: runs only with --long, because it takes minutes or hours")
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("native")
        folder.chmod(0o700)
        os.environ.setdefault("PYSOLVE_CACHE", str(folder))
    native.begun = _no_build  # games are compiled by tcc alone, not once more behind the back of a test
    if config.getoption("--update"):
        config.option.dist = "no"  # no two processes write the same file
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; commands would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")
    parser.addoption("--all", action="store_true", help="run all tests but those that take minutes or hours each")
    parser.addoption("--long", action="store_true", help="run all tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests whose marks the options do not ask for."""
    if config.getoption("--long") or any("::" in argument for argument in config.args):
        return
    marks = ["long"] if config.getoption("--all") else ["long", "slow"]
    left_out = [item for item in items if any(item.get_closest_marker(mark) for mark in marks)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if expected results are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(autouse=True)
def whole_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where builds are the subject, a better library is built in the background, as it is for users."""
    if request.module.__name__.rpartition(".")[2] in ("test_native", "test_reading"):
        monkeypatch.setattr(native, "begun", _begun)


_begun = native.begun


def _no_build(*_: Any) -> None:
    raise BuildError("not in tests")
