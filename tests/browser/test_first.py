"""The first screen, the two views of a game, and what survives: reload, Back and Forward, another server."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import serving
from tests.browser.table import Table

pytestmark = pytest.mark.slow


@pytest.fixture
def home(open_table: Callable[..., Table]) -> Table:
    """The page as somebody sees it who was never there."""
    found = open_table()
    found.visit(board=False)
    found.page.locator(".card").first.wait_for()
    return found


def restored(table: Table) -> Any:
    """The sentence that says what is here again."""
    return table.page.locator(".notice")


# ------------------------------------------------------------------------------------------ first


def test_somebody_new_plays_against_the_computer_with_two_clicks(home: Table) -> None:
    assert home.page.title() == "pysolve – board games"
    assert home.page.locator(".cm-content, .cm-editor").count() == 0
    home.role("group", re.compile("against the computer")).get_by_role("button", name="Easy").click()
    home.role("heading", "Zola").wait_for()
    assert home.page.get_by_label(re.compile("^Red")).input_value() == ""
    assert home.page.get_by_label(re.compile("^Blue")).input_value() == "easy"
    home.click("a1", "b1")
    home.has_played(2)  # and the computer has answered
    assert home.page.title() == "Zola – move 2"
    assert not [url for url in home.asked if "editor" in url]  # who plays does not wait for it


def test_a_game_of_the_list_is_played_by_its_card(home: Table) -> None:
    home.page.locator(".card").get_by_role("link", name=re.compile("^Connect four")).click()
    home.role("heading", "Connect four").wait_for()
    assert home.page.get_by_label(re.compile("^Red")).input_value() == "easy"
    home.role("tab", "Rules").click()
    home.says(re.compile("Four in a row win"), home.rail)


def test_two_people_play_and_a_puzzle_has_nobody_else(home: Table) -> None:
    home.role("button", "Two or more people").click()
    home.role("heading", "Zola").wait_for()
    assert home.page.get_by_label(re.compile("^Blue")).input_value() == ""
    home.go_home()
    home.role("button", "Solve a puzzle").click()
    home.page.locator(".card").get_by_role("link", name=re.compile("^Sokoban")).click()
    home.role("heading", "Sokoban").wait_for()
    assert home.page.get_by_label(re.compile("^Keeper")).input_value() == ""


# ------------------------------------------------------------------------------------------ views


def test_a_shared_address_opens_to_be_played_and_a_line_leads_to_the_text(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("zola", options={"size": 4}, view="play")
    assert table.role("region", "Rules").count() == 0
    table.click("a1", "d1")
    table.bubble.get_by_text("why", exact=True).click()
    table.bubble.get_by_role("button", name=re.compile("^line ")).first.click()
    table.role("textbox", "Rules").wait_for()
    assert table.page.url.endswith("/write")


def test_back_and_forward_lead_through_games_and_views(home: Table) -> None:
    home.page.locator(".card").get_by_role("link", name=re.compile("^Tic-tac-toe")).click()
    home.role("heading", "Tic-tac-toe").wait_for()
    home.click("a1")
    home.has_played(2)
    played = home.played()
    home.look("Write")
    home.role("textbox", "Rules").wait_for()
    home.go_home()
    home.page.go_back()
    home.role("textbox", "Rules").wait_for()
    home.page.go_back()
    home.role("textbox", "Rules").wait_for(state="detached")
    assert home.played() == played
    home.page.go_back()
    home.page.get_by_label("Search the games").wait_for()
    home.page.go_forward()
    home.role("heading", "Tic-tac-toe").wait_for()
    assert home.played() == played
    assert home.page.title() == "Tic-tac-toe – move 2"


# ------------------------------------------------------------------------------------------ what survives


def test_reload_keeps_the_game_and_the_text(home: Table) -> None:
    home.page.goto(home.page.url + "#/zola/write?o.size=4")
    home.page.get_by_label(re.compile("^Blue")).select_option("")
    home.click("a1", "b1")
    home.has_played(1)
    home.page.locator(".cm-content").press("Control+Home")
    home.page.keyboard.type("# mine\n")
    home.page.reload()
    home.has_played(1)
    home.page.locator(".cm-line", has_text="# mine").wait_for()
    assert home.played() == ["Start", "a1xb1"]
    assert home.page.get_by_label("size", exact=True).input_value() == "4"
    assert home.page.get_by_label(re.compile("^Blue")).input_value() == ""
    restored(home).get_by_role("button", name="Discard the text").click()
    home.page.locator(".cm-line", has_text="# mine").wait_for(state="detached")
    home.go_home()
    go_on = home.role("region", "Go on with")
    assert go_on.get_by_role("link").all_inner_texts() == ["Zola\nmove 1"]
    go_on.get_by_role("link").click()
    home.has_played(1)
    home.page.reload()
    home.has_played(1)
    restored(home).get_by_role("button", name="Start anew").click()
    home.says("Red to move", home.board)
    assert home.played() == ["Start"]


def test_what_others_have_left_in_the_storage_opens_nothing(home: Table) -> None:
    home.page.evaluate("""() => {
        const there = {title: "<img src=x onerror=alert(1)>", options: {}, seats: {}, draft: null, when: 1e15};
        const line = {seed: 0, start: "", moves: ["a1xb1"]};
        localStorage.setItem("pysolve.game./zola", "{");
        const wrong = JSON.stringify({...there, line: {...line, moves: 3}});
        for (const place of ["", ...Object.keys(localStorage)])
            for (const name of ["zola", "../secret", "x".repeat(9000)])
                localStorage.setItem(`pysolve.game.${place}/${name}`, wrong);
    }""")
    home.page.reload()
    home.page.locator(".card").first.wait_for()
    assert home.role("region", "Go on with").count() == 0
    assert home.page.locator("img[src=x]").count() == 0


def test_another_start_of_the_server_finds_all_again(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(15_000)
    try:
        with serving(tmp_path) as address:
            table = Table(context.new_page(), address)
            table.visit(board=False)
            table.role("button", "Two or more people").click()
            table.role("grid").wait_for()
            table.click("a1", "b1")
            table.has_played(1)
        table.click("a2", "b1")
        table.says("The connection to pysolve is lost.")
        with serving(tmp_path) as again:
            assert again.split("?")[0] == address.split("?")[0]
            table.page.locator(".lost:empty").wait_for(state="attached")
            table.click("a2", "b1")
            table.has_played(2)
            table.page.goto(again)
            table.role("region", "Go on with").get_by_role("link", name=re.compile("Zola")).click()
            table.has_played(2)
            assert table.played() == ["Start", "a1xb1", "a2xb1"]
    finally:
        context.close()


# ------------------------------------------------------------------------------------------ a small window


def test_a_search_on_a_phone_shows_what_it_finds(open_table: Callable[..., Table]) -> None:
    table = open_table(375, 760)
    table.visit(board=False)
    table.page.locator(".card").first.wait_for()
    table.page.get_by_label("Search the games").fill("tower of hanoi")
    table.says("1 game")
    table.page.wait_for_function(
        "() => document.querySelector('.card .title').getBoundingClientRect().bottom < innerHeight"
    )


def test_a_phone_shows_the_clock_above_the_board_and_leads_to_the_next_level(open_table: Callable[..., Table]) -> None:
    table = open_table(375, 760)
    table.visit("#/zola")
    parts = table.role("navigation", "Parts of the page")
    parts.get_by_role("button", name="Moves").click()
    table.page.get_by_text("Pace, sound, clock").click()
    table.role("combobox", "clock").select_option("5")
    parts.get_by_role("button", name="Board").click()
    clocks = table.role("list", "Clocks").get_by_role("listitem")
    assert [text.split() for text in clocks.all_inner_texts()] == [["Red:", "5:00"], ["Blue:", "5:00"]]
    table.visit("#/hanoi?o.discs=2")
    table.board.get_by_role("button", name="Next: discs 3").click()
    table.board.get_by_role("button", name="Next: discs 4").wait_for()
    assert table.page.url.endswith("#/hanoi?o.discs=3")
