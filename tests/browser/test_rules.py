"""Writing rules: mistakes, files on disk, and texts that would like to be more than texts."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pysolve.runtime.paths import RULES
from tests.browser.conftest import MINE
from tests.browser.table import Table

pytestmark = pytest.mark.slow
ZOLA = (RULES / "zola.rules").read_text()
MISSPELT = ZOLA.replace("to in neighbours(from)", "to in neigbours(from)")
EVIL = "<img src=x onerror=alert(1)>"
EVIL_RULES = f"""\
game "{EVIL}"
  author "<script>alert(1)</script>"
  about "{EVIL}"

players Red, Blue

board square 3 by 3

state at(cell): player or none

setup at(a1) := Red

move put(to: cell) as "<b>{{to}}"
  when at(to) = none else "{EVIL} is not empty"
  do at(to) := mover

stuck draw

end mover wins when count c: cell where at(c) = mover >= 3 because "{EVIL}"

show
  at: Red "<" red disc, Blue "&" blue disc, none "."

example "{EVIL}"
  illegal <b>a1
"""


def _write(table: Table, text: str) -> None:
    """Replaces the text of the rules by pasting, and goes to its beginning."""
    table.page.locator(".cm-content").focus()
    table.page.keyboard.press("Control+A")
    table.page.locator(".cm-content").evaluate(
        """(editor, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    table.page.keyboard.press("Control+Home")


def test_a_broken_text_is_shared_too(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("mine.rules", text=MISSPELT, board=False)
    table.page.locator(".underlined").get_by_text("neigbours").wait_for()
    table.says("1 mistake")


def test_a_mistake_leaves_the_last_right_board_to_play_and_its_correction_clears_it(table: Table) -> None:
    _write(table, MISSPELT)
    table.page.locator(".underlined").get_by_text("neigbours").wait_for()
    table.says("This is the board of the last rules that were right.")
    table.says(re.compile("neighbours"), table.role("region", "Rules"))
    table.click("a1", "b1")
    table.has_played(1)
    _write(table, ZOLA)
    table.page.locator(".underlined").wait_for(state="detached")
    table.says("0 mistakes")
    assert table.played() == ["Start", "a1xb1"]


def test_an_edit_that_is_right_reaches_the_board_and_keeps_the_moves_that_fit(table: Table) -> None:
    table.click("a1", "b1")
    table.has_played(1)
    _write(table, ZOLA.replace('game "Zola"', 'game "Mine"'))
    table.role("heading", re.compile("^Mine")).wait_for()
    assert table.played() == ["Start", "a1xb1"]


def test_a_change_on_disk_reaches_the_page_and_saving_writes_the_file(
    open_table: Callable[..., Table], folder: Path
) -> None:
    file = folder / "mine.rules"
    table = open_table()
    table.visit(board=False)
    table.page.locator(".card").get_by_role("link", name=re.compile("mine.rules")).click()
    table.role("heading", re.compile("^Mine")).wait_for()
    table.look("Write")
    file.write_text(MINE.replace("Mine", "Other"))
    table.role("heading", re.compile("^Other")).wait_for()
    _write(table, MINE.replace("Mine", "Saved"))
    table.role("heading", re.compile("^Saved")).wait_for()
    with table.page.expect_response(lambda response: response.url.endswith("/ask/save")):
        table.page.keyboard.press("Control+S")
    table.page.get_by_text("not saved").wait_for(state="detached")
    assert file.read_text() == MINE.replace("Mine", "Saved")


def test_an_example_is_written_by_clicking(table: Table) -> None:
    table.says("Position and record").click()
    table.page.locator("#example").fill("a1-b2")
    table.role("button", "is illegal").click()
    table.page.locator(".cm-content").get_by_text('"a1-b2 is illegal"').wait_for()
    table.says(re.compile(r"^10 examples hold"))


# ------------------------------------------------------------------------------------------ hostile texts


def test_markup_in_names_glyphs_and_reasons_stays_text(open_table: Callable[..., Table]) -> None:
    table = open_table()
    dialogs: list[str] = []
    table.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    table.visit_game(f"{EVIL}.rules", text=EVIL_RULES, seats={"Red": EVIL})
    assert table.role("heading", re.compile("onerror")).count() == 1
    table.role("region", "What the program thinks").get_by_role("button", name="Start").click()
    table.says(f'there is no player "{EVIL}"', table.rail)
    table.click("a1")
    table.says(f"{EVIL} is not empty", table.bubble)
    table.bubble.get_by_role("button", name="Close").click()
    for number, cell in enumerate(("b2", "b3", "c3"), 1):
        table.click(cell)
        table.has_played(number)
    table.says(re.compile("^The winner: Red \\(<img"), table.board)
    assert table.played()[1] == "<b>b2"
    table.role("tab", "Meaning").click()
    table.page.get_by_role("textbox", name="Query").fill(f"at('{EVIL}', X)")
    table.role("button", "Ask").click()
    table.rail.get_by_role("alert").wait_for()
    table.go_home()
    table.page.get_by_label("Search the games").fill(EVIL)
    assert table.page.locator("img[src=x], script:not([src]), [onerror]").count() == 0
    assert dialogs == []


@pytest.mark.parametrize("fragment", [f"#{EVIL}", "#1.", "#1.AAAA", "#1.q1YqS8xNVbJSqkrMSVSqBQA", "#" + "1" * 5000])
def test_a_damaged_address_opens_the_page_as_usual(fragment: str, open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit(fragment, board=False)
    table.says(re.compile("damaged or incomplete"))
    table.page.locator(".card").first.wait_for()
    assert table.page.locator("img[src=x], [onerror]").count() == 0


def test_the_page_asks_nobody_else(table: Table) -> None:
    table.click("a1", "b1")
    table.has_played(1)
    table.role("tab", "Meaning").click()
    assert {re.sub(r"(?<=\d)/.*", "/", address) for address in table.asked if address.startswith("http")} == {
        table.address.split("?")[0]
    }


def test_a_file_outside_of_the_folder_is_not_opened(table: Table) -> None:
    asked = {"name": "../../../../etc/passwd"}
    answer = table.page.evaluate(
        "(asked) => fetch('ask/open', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify(asked)}).then((found) => found.text())",
        asked,
    )
    assert "failure" in json.loads(answer.strip().split("\n")[-1])
