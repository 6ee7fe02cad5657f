"""What a checker of accessibility finds, in wide and narrow windows, light and dark."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.table import Table

pytestmark = pytest.mark.slow
GRAVE = ("serious", "critical")


def _grave(table: Table) -> list[str]:
    """What is wrong for people who do not see the page, or not well."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found: list[Any] = axe.run(table.page).response["violations"]
    return [f"{one['id']}: {node['html']}" for one in found if one["impact"] in GRAVE for node in one["nodes"]]


def _show(table: Table, part: str) -> None:
    """Shows a part where the window has room for one alone."""
    chooser = table.role("navigation", "Parts of the page")
    if chooser.is_visible():
        chooser.get_by_role("button", name=part).click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 768, 1440])
def test_nothing_grave_is_found(width: int, scheme: str, open_table: Callable[..., Table]) -> None:
    table = open_table(width, 800, color_scheme=scheme, reduced_motion="reduce")
    table.visit_game("zola", options={"size": 4}, moves=["a1xb1", "a2xb1"])
    for part in ("Board", "Rules", "Moves"):
        _show(table, part)
        assert _grave(table) == [], part
    table.says("Position and record").click()
    table.role("button", "Analyse").click()
    table.says(re.compile("depth"), table.rail)
    table.role("button", "Analyse").click()
    assert _grave(table) == [], "thoughts"
    table.role("tab", "Means").click()
    table.page.get_by_role("textbox", name="Query").fill("capture(From, To)")
    table.role("button", "Ask").click()
    table.says(re.compile(r"\d+ answers"), table.rail)
    table.role("button", "Count").click()
    table.rail.get_by_role("row").nth(4).wait_for()
    table.role("button", "Play").click()
    table.says(re.compile(r"^\d+ games, "), table.rail)
    assert _grave(table) == [], "means"
    _show(table, "Board")
    table.click("c1", "a4")
    table.bubble.wait_for()
    assert _grave(table) == [], "reasons"


@pytest.mark.parametrize("width", [375, 768, 1440])
def test_nothing_is_wider_than_the_window(width: int, open_table: Callable[..., Table]) -> None:
    table = open_table(width, 800)
    table.visit_game("antiyomacy")
    for part in ("Board", "Rules", "Moves"):
        _show(table, part)
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width, part
