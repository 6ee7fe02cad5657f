"""What `--rest` leaves out: the quick tests that passed, and nothing where pytest keeps nothing."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import passed


class Kept(dict[str, Any]):
    """What pytest keeps."""

    def set(self, key: str, value: Any) -> None:
        self[key] = value


def config(**parts: Any) -> Any:
    """As of a run of all quick tests."""
    option = SimpleNamespace(all=False, long=False, keyword="", markexpr="")
    chosen = {"--rest": True, "--all": True}
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    source = pytest.Config.ArgsSource.TESTPATHS
    return SimpleNamespace(option=option, args_source=source, getoption=chosen.get, hook=hook, **parts)


def ran(nodeid: str, when: str, outcome: str) -> Any:
    return SimpleNamespace(nodeid=nodeid, when=when, failed=outcome == "failed", passed=outcome == "passed")


def test_what_has_passed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "_passed", set())
    for one in (ran("good", "call", "passed"), ran("bad", "call", "failed"), ran("torn", "call", "passed"),
                ran("torn", "teardown", "failed"), ran("left", "setup", "skipped")):  # fmt: skip
        passed.pytest_runtest_logreport(one)
    kept = Kept()
    passed.pytest_sessionfinish(SimpleNamespace(config=config(cache=kept)))  # type: ignore[arg-type]
    assert kept == {passed.KEPT: ["good"]}
    items: list[Any] = [SimpleNamespace(nodeid=one) for one in ("good", "bad", "torn", "left", "new")]
    items.append(SimpleNamespace(nodeid="good", module=SimpleNamespace(tried=None)))  # it does more with --all
    passed.pytest_collection_modifyitems(config(cache=kept), items)
    assert [one.nodeid for one in items] == ["bad", "torn", "left", "new", "good"]


def test_where_nothing_is_kept_a_run_ends_well_and_rest_is_refused() -> None:
    passed.pytest_sessionfinish(SimpleNamespace(config=config()))  # type: ignore[arg-type]
    with pytest.raises(pytest.UsageError, match="--rest goes with --all, and needs"):
        passed.pytest_collection_modifyitems(config(), [])


def test_a_run_that_has_tried_nothing_forgets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "_passed", set())
    kept = Kept({passed.KEPT: ["good"]})
    passed.pytest_sessionfinish(SimpleNamespace(config=config(cache=kept)))  # type: ignore[arg-type]
    assert kept == {passed.KEPT: ["good"]}
