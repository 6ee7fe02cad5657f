"""What a checker of accessibility finds, in wide and narrow windows, light and dark."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.table import Table
from tests.games import slow_but
from tests.test_window import SWARM

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


SIZES = [(375, "light"), (768, "dark"), (1440, "light"), (1440, "dark")]


@pytest.mark.parametrize(("width", "scheme"), slow_but((), SIZES, late=SIZES[:3]))
def test_nothing_grave_is_found(width: int, scheme: str, open_table: Callable[..., Table]) -> None:
    table = open_table(width, 800, color_scheme=scheme)
    table.visit_game("zola", options={"size": 4}, moves=["a1xb1", "a2xb1"])
    for part in ("Board", "Rules", "Moves"):
        _show(table, part)
        assert _grave(table) == [], part
    _show(table, "Rules")
    table.role("button", "Find").click()
    table.role("textbox", "Find").fill("at(")
    assert _grave(table) == [], "find"
    table.page.keyboard.press("Escape")
    _show(table, "Moves")
    table.says("Position and record").click()
    table.role("button", "Analyse").click()
    table.says(re.compile("depth"), table.rail)
    table.role("button", "Analyse").click()
    assert _grave(table) == [], "thoughts"
    table.role("tab", "Meaning").click()
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


@pytest.mark.parametrize(("width", "scheme"), slow_but((), [(375, "dark"), (1440, "light")], late=[(1440, "light")]))
def test_nothing_grave_is_found_on_the_first_screen_and_while_somebody_plays(
    width: int, scheme: str, open_table: Callable[..., Table]
) -> None:
    table = open_table(width, 800, color_scheme=scheme)
    table.visit(board=False)
    table.page.locator(".card").first.wait_for()
    table.page.locator(".variants").first.click()
    assert _grave(table) == [], "home"
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    table.page.locator(".welcome").get_by_role("link", name="Write a game").click()
    table.page.get_by_label("Name").wait_for()
    assert _grave(table) == [], "new rules"
    table.visit_game("zola", options={"size": 4}, moves=["a1xb1"], view="play")
    assert _grave(table) == [], "play"
    if width < 700:
        _show(table, "Rules")
    else:
        table.role("tab", "Rules").click()
    table.role("article", re.compile("^The rules of")).wait_for()
    assert _grave(table) == [], "rules in prose"
    table.role("link", "Games", exact=False).click()
    table.role("region", "Shipped with pysolve").wait_for()


@pytest.mark.parametrize("width", [375, 768, 1440])
def test_nothing_is_wider_than_the_window(width: int, open_table: Callable[..., Table]) -> None:
    table = open_table(width, 800)
    table.visit_game("antiyomacy")
    for part in ("Board", "Rules", "Moves"):
        _show(table, part)
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width, part


def test_the_unused_part_of_a_large_board_is_shown_when_somebody_asks(open_table: Callable[..., Table]) -> None:
    table = open_table(1440, 800)
    table.visit_game("swarm", text=SWARM, moves=["f6"], view="play")
    cells = table.role("gridcell")
    table.says_count(6)
    assert cells.count() == 23
    table.cell("f7").click()
    table.says_count(8)
    more = cells.count()
    assert more > 23
    table.role("button", "Back").click()
    table.says_count(6)
    assert cells.count() == more  # what was seen stays where it was
    table.role("button", "Whole board").click()
    table.cell("k1").wait_for()
    assert cells.count() == 91
    assert _grave(table) == []


@pytest.mark.parametrize("name", ["antiyomacy", "yoxii"])
def test_a_phone_shows_all_that_lies_beside_the_board(name: str, open_table: Callable[..., Table]) -> None:
    table = open_table(375, 812)
    table.visit_game(name, view="play")
    asides = table.page.locator(".asides")
    asides.wait_for()
    assert asides.evaluate("one => one.scrollHeight <= one.clientHeight"), "nothing is cut"
    assert table.page.locator("svg.picture").bounding_box()["height"] > 250, "and the board has room"
