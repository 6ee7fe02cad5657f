"""The editor in the page: cures, examples, completion, files, the list of games, addresses of broken rules."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pysolve.runtime.paths import RULES
from pysolve.service.cards import shipped_cards
from tests.browser.table import Table

pytestmark = pytest.mark.slow
ZOLA = (RULES / "zola.rules").read_text(encoding="utf-8")
PASTE = """(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def write(table: Table, text: str) -> None:
    """Pastes another text over that of the editor."""
    editor = table.role("textbox", "Rules")
    editor.click()
    table.page.keyboard.press("Control+a")
    editor.evaluate(PASTE, text)


def line(table: Table, text: str) -> Any:
    """A line of the text."""
    return table.page.locator(".cm-line", has_text=text).first


def foot(table: Table, text: str) -> Any:
    """Waits until the last line of the page says this."""
    return table.says(text, table.role("contentinfo"))


def open_game(table: Table, name: str) -> None:
    """Opens a game from the list, to write it."""
    table.go_home()
    table.page.get_by_label("Search the games").fill(name)
    table.page.locator(".card").get_by_role("link", name=name, exact=False).first.click()
    table.look("Write")
    table.role("textbox", "Rules").wait_for()


# ------------------------------------------------------------------------------------------ mistakes and examples


def test_a_misspelt_name_is_underlined_at_its_columns_and_cured_by_a_button(table: Table) -> None:
    write(table, ZOLA.replace("in neighbours(from)", "in neighbors(from)", 1))
    foot(table, "1 mistake")
    table.page.keyboard.press("F8")
    table.page.locator(".underlined").wait_for()
    assert table.page.locator(".underlined.error").all_inner_texts() == ["neighbors"]
    assert line(table, "neighbors").inner_text().startswith("    to in neighbors(from)")
    table.says('there is no "neighbors"')
    table.role("button", "neighbors → neighbours").click()
    foot(table, "0 mistakes")
    assert table.page.locator(".underlined, .note.error").count() == 0


def test_an_option_that_is_changed_in_the_text_changes_the_board(table: Table) -> None:
    write(table, ZOLA.replace("size = 6 in", "size = 8 in"))
    table.says_count(64)
    assert table.page.get_by_label("size").input_value() == "8"


def test_an_example_that_fails_says_what_was_found_and_shows_its_position(table: Table) -> None:
    write(table, ZOLA.replace("moves 36", "moves 37"))
    foot(table, "does not hold").click()
    found = table.page.locator(".note.found")
    found.wait_for()
    assert found.all_inner_texts() == ["found\n36"]
    table.click("a1", "b1")
    table.has_played(1)
    table.page.locator(".verdict.fails").click()
    table.says_count(36)


def test_the_position_of_an_example_is_shown_with_its_options(table: Table) -> None:
    foot(table, "9 examples hold")
    table.role("button", "Sections").click()
    table.page.get_by_role("button", name="who cannot move passes").click()
    table.page.keyboard.press("Control+Enter")
    table.says_count(1)
    assert table.page.get_by_label("size").input_value() == "4"


# ------------------------------------------------------------------------------------------ writing


def test_words_and_names_are_completed(table: Table) -> None:
    write(table, ZOLA + "\ndefine far = ")
    foot(table, "1 mistake")
    table.page.keyboard.type("di")
    options = table.page.locator(".cm-tooltip-autocomplete li")
    options.first.wait_for()
    assert options.first.inner_text().startswith("distance")
    assert "diagonals" in "".join(options.all_inner_texts())
    table.page.wait_for_timeout(200)  # a list that has just come takes no key, so that nobody accepts by mistake
    table.page.keyboard.press("Enter")
    line(table, "define far = distance").wait_for()


def test_a_word_shows_what_the_manual_says(table: Table) -> None:
    word = table.page.locator(".w-given", has_text="column").first
    word.hover()
    table.says("numbers, starting at 1", table.page.locator(".cm-tooltip"))


def test_a_word_has_the_colour_of_its_place(table: Table) -> None:
    """`moves` is a function, but for this line."""
    table.role("button", "Sections").click()
    table.page.get_by_role("button", name="who cannot move passes").click()
    line(table, "moves 1").locator(".w-keyword", has_text="moves").wait_for()
    word = line(table, "moves 1").locator("span", has_text="moves")
    assert word.last.get_attribute("class") == "w-keyword"


def test_a_name_shows_its_type_also_in_rules_with_mistakes(table: Table) -> None:
    write(table, ZOLA + "\ndefine far = distanc(a1)\ndefine near = distance(b2) < 9")
    foot(table, "1 mistake")
    table.page.locator(".w-declared", has_text="near").hover()
    table.says("definition: condition", table.page.locator(".cm-tooltip"))


def test_a_name_gets_another_one_wherever_it_stands(table: Table) -> None:
    foot(table, "0 mistakes")
    line(table, "distance(to) > distance(from)").locator("span", has_text="distance").first.click()
    table.page.keyboard.press("F2")
    table.page.get_by_label("Rename").fill("size")
    table.page.keyboard.press("Enter")
    foot(table, 'with "size": ')
    table.page.keyboard.press("F2")
    table.page.get_by_label("Rename").fill("remoteness")
    table.page.keyboard.press("Enter")
    line(table, "remoteness(to) > remoteness(from)").wait_for()
    foot(table, "0 mistakes")
    table.page.keyboard.press("Control+z")
    line(table, "distance(to) > distance(from)").wait_for()


def test_what_is_under_a_line_is_folded(table: Table) -> None:
    table.page.get_by_title("Fold line", exact=True).first.wait_for()  # the service has said what can be folded
    line(table, "move retreat").click()
    table.page.keyboard.press("Control+Shift+BracketLeft")
    table.page.locator(".cm-foldPlaceholder").wait_for()
    assert line(table, "distance(to) > distance(from)").count() == 0


def test_moves_are_completed_in_examples(table: Table) -> None:
    write(table, ZOLA + '\nexample "x"\n  play ')
    foot(table, "1 mistake")
    table.page.keyboard.type("a")
    options = table.page.locator(".cm-tooltip-autocomplete li")
    options.first.wait_for()
    assert options.first.inner_text().startswith("a1x")


def test_the_text_is_formatted_and_the_change_undone(table: Table) -> None:
    odd = ZOLA.replace("players Red, Blue", "players   Red,Blue")
    write(table, odd)
    table.page.keyboard.press("Control+Home")
    table.page.keyboard.press("Shift+Alt+F")
    line(table, "players Red, Blue").wait_for()
    table.page.keyboard.press("Control+z")
    line(table, "players   Red,Blue").wait_for()


def test_the_keyboard_leaves_the_text_by_escape_and_tab(table: Table) -> None:
    table.role("textbox", "Rules").click()
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("Tab")
    assert table.page.evaluate("document.activeElement.closest('.cm-editor')") is None


# ------------------------------------------------------------------------------------------ files


def test_two_changes_of_a_file_are_both_offered(table: Table, folder: Path) -> None:
    file = folder / "both.rules"
    file.write_text('game "Both" extends "zola"\n')
    open_game(table, "both.rules")
    table.role("heading", "Both").wait_for()
    write(table, 'game "Ours" extends "zola"\n')
    file.write_text('game "Theirs" extends "zola"\n')
    table.says("has been changed elsewhere")
    table.role("button", "Overwrite the file").click()
    table.page.locator(".rules .dot").wait_for(state="detached")
    assert file.read_text() == 'game "Ours" extends "zola"\n'
    write(table, 'game "Ours again" extends "zola"\n')
    file.write_text('game "Theirs again" extends "zola"\n')
    table.role("button", "Take the text of the file").click()
    table.role("heading", "Theirs again").wait_for()


def test_a_shipped_game_is_saved_under_a_name_of_its_own(table: Table, folder: Path) -> None:
    write(table, ZOLA.replace('"Zola"', '"My Zola"'))
    table.page.keyboard.press("Control+s")
    table.page.get_by_label("Save as").fill("own")
    table.page.keyboard.press("Enter")
    table.page.locator(".rules .file", has_text="own.rules").wait_for()
    assert (folder / "own.rules").read_text() == ZOLA.replace('"Zola"', '"My Zola"')


# ------------------------------------------------------------------------------------------ the list of games


def test_the_list_has_all_games_and_finds_them_by_words(table: Table) -> None:
    table.go_home()
    table.says(re.compile(r"^\d+ games$"))
    cards = table.role("region", "Shipped with pysolve").locator(".card")
    shown = cards.count()
    for variants in table.page.locator(".variants").all():
        variants.click()
    assert shown < cards.count() == len(list(RULES.glob("*.rules")))
    table.page.get_by_label("Search the games").fill("morris capture")
    table.says("1 game")
    assert table.page.locator(".card .title").all_inner_texts() == ["Nine men's morris"]
    table.page.get_by_label("Search the games").fill("")
    table.page.get_by_label("Players", exact=True).select_option("3")
    more = [card for card in shipped_cards() if 3 in card["seats"]]
    table.says(f"{len(more)} games")
    table.page.get_by_label("Kind").select_option("puzzle")
    table.says("No game is like this.")


@pytest.mark.parametrize("beginning", ["Blank", "Placing", "Moving", "A copy of Zola", "A variant of Zola"])
def test_new_rules_can_be_played_at_once(beginning: str, table: Table) -> None:
    table.go_home()
    table.role("link", "Write a game").first.click()
    table.page.get_by_label("Name").fill("Begun")
    table.page.get_by_label(beginning).check()
    table.role("button", "Begin").click()
    table.role("heading", "Begun").wait_for()
    foot(table, "0 mistakes")
    table.role("gridcell").first.wait_for()


def test_broken_rules_are_shared_too_and_shown_on_a_board_once_they_are_right(open_table: Callable[..., Table]) -> None:
    table = open_table()
    broken = ZOLA.replace("players Red, Blue", "players Red Blue")
    table.visit_game("mine.rules", broken, moves=["a1xb1"], board=False)
    foot(table, "1 mistake")
    write(table, ZOLA)
    table.has_played(1)
    assert table.played()[1:] == ["a1xb1"]
