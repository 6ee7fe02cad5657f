"""The quick tests that passed: noted, so that `--rest` need not run them again.

In: the quick tests as they run, all of them.  Out: their names, in what pytest keeps; and which tests `--rest` leaves
out, for whoever runs the quick tests and then all tests of the same text, as `.ci/run` does.
"""

from __future__ import annotations

import pytest

from tests import games
from tests.budget import all_quick

KEPT = "pysolve/passed"

_passed: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rest",
        action="store_true",
        help="run what else --all would, after a run of the quick tests: none that passed there",
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes who passed, from the beginning of the test to its end."""
    if report.failed:
        _passed.discard(report.nodeid)
    elif report.when == "call" and report.passed:
        _passed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keeps who passed, where all quick tests ran, if pytest keeps anything."""
    config = session.config
    if all_quick(config) and hasattr(config, "cache") and not hasattr(config, "workerinput") and _passed:
        config.cache.set(KEPT, sorted(_passed))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what has passed."""
    if config.getoption("--rest"):
        if not config.getoption("--all") or not hasattr(config, "cache"):
            raise pytest.UsageError("--rest goes with --all, and needs pytest's cache")
        known: frozenset[str] = frozenset(config.cache.get(KEPT, []))
        left_out = [item for item in items if item.nodeid in known and _as_quick(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not (item.nodeid in known and _as_quick(item))]


def _as_quick(item: pytest.Item) -> bool:
    """True if a test does no more with --all than among the quick tests, as those do that compare compilers."""
    return not hasattr(getattr(item, "module", None), games.tried.__name__)
