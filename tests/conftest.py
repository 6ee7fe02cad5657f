"""Options of the test suite, and what all tests have in common."""

import os
import signal
from typing import Any

import pytest

from pysolve.engines.build import BuildError


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled for tests is kept with what pytest keeps; Ctrl-C works, however pytest was started."""
    config.addinivalue_line("markers", "all_only: runs only with --all, because it takes minutes or hours")
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("native")
        folder.chmod(0o700)
        os.environ.setdefault("PYSOLVE_CACHE", str(folder))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; commands would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")
    parser.addoption("--all", action="store_true", help="run also the tests that take minutes or hours (all_only)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `--all`, tests marked `all_only` are skipped."""
    if config.getoption("--all"):
        return
    skipped = pytest.mark.skip(reason="takes long: run with --all")
    for item in items:
        if item.get_closest_marker("all_only"):
            item.add_marker(skipped)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if expected results are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(autouse=True)
def quick_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are compiled by tcc alone, not once more behind the back of a test; except where builds are the subject."""
    if request.module.__name__.rpartition(".")[2] not in ("test_native", "test_reading"):
        monkeypatch.setattr("pysolve.engines.native.begun", _no_build)


def _no_build(*_: Any) -> None:
    raise BuildError("not in tests")
