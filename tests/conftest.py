"""Options of the test suite."""

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled for tests is kept with what pytest keeps."""
    if hasattr(config, "cache"):
        folder = config.cache.mkdir("native")
        folder.chmod(0o700)
        os.environ.setdefault("PYSOLVE_CACHE", str(folder))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if expected results are to be rewritten."""
    return bool(request.config.getoption("--update"))
