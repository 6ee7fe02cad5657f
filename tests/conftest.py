"""Options of the test suite."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected results, to be read in the diff")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if expected results are to be rewritten."""
    return bool(request.config.getoption("--update"))
