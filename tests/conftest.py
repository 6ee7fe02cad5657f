"""Options of the test suite, and what all tests have in common."""

import os
import signal
from typing import Any

import pytest

from pysolve.engines.build import BuildError


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled for tests is kept with what pytest keeps; Ctrl-C works, however pytest was started."""
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("native")
        folder.chmod(0o700)
        os.environ.setdefault("PYSOLVE_CACHE", str(folder))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; commands would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")


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
