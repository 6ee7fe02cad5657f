"""Games with secrets in a browser: what lies in the page, its address, its storage and what it was answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.browser.table import Table
from tests.test_secret_doors import HIDDEN

pytestmark = pytest.mark.slow


def listen(table: Table) -> None:
    """Keep what the page is answered from now on (see `heard`), by a copy of each answer, whole or not."""
    table.page.evaluate(
        """() => {
          const ask = window.fetch;
          window.heard = [];
          const keep = async (copy) => {
            let text = "";
            const stream = copy.body.pipeThrough(new TextDecoderStream());
            try { for await (const piece of stream) text += piece; } catch { }  // the page gives answers up
            return text;
          };
          window.fetch = async (...question) => {
            const answer = await ask(...question);
            window.heard.push(keep(answer.clone()));
            return answer;
          };
        }"""
    )


def heard(table: Table) -> list[str]:
    """The lines of all answers since `listen`."""
    bodies: list[str] = table.page.evaluate("() => Promise.all(window.heard)")
    return [line for body in bodies for line in body.splitlines()]


def kept(table: Table) -> str:
    """What is in the page, its address and its storage."""
    found: str = table.page.evaluate(
        "[document.documentElement.outerHTML, location.href, JSON.stringify(localStorage),"
        " JSON.stringify(history.state), document.title,"
        " ...[...document.querySelectorAll('input, textarea')].map((one) => one.value)].join('\\n')"
    )
    return found


def test_against_a_program_a_person_sees_their_own_view(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit("#/phantom_tictactoe")
    listen(table)
    table.says("You see what X sees.")
    free = '[role=gridcell][aria-label$=", can move"]'
    while True:
        table.page.locator(f".outcome, {free}").first.wait_for()
        if table.page.locator(".outcome").count():
            break
        for cell in sorted(table.cells("can move"))[:1]:  # none, if the program has just begun to think
            table.click(cell)
            table.page.locator(f'{free}[aria-label^="{cell}, "]').wait_for(state="detached")
        assert not table.role("button", "Undo").count() or table.page.locator(".outcome").count()
    states = [json.loads(line).get("answer", {}) for line in heard(table) if line.endswith("}")]
    played = [state for state in states if "veil" in state]
    assert len(played) > 3
    for state in played:
        assert (state["line"]["moves"], state["line"]["seed"], state["position"]) == ([], 0, "")
        assert all(one["text"] == "" for one in state["played"] if one["player"] == "O")
    table.says("Everything is shown.")
    assert "moves=" in table.page.url
    table.role("button", "Back").click()  # and all of it can be looked at again


def test_two_people_at_one_screen_look_away(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("codes", HIDDEN, view="play", board=False)
    table.role("button", "I am X: show the board").click()
    table.role("button", "Code 1234").click()
    table.says("You see what X sees.")
    table.role("button", "Hide, and pass the device to O").click()
    table.role("button", "I am O: show the board").wait_for()
    assert not table.role("region", "Board").count()
    assert not table.role("region", "Players and moves").count()
    packed = re.compile("#1\\.[^\\s\"']*")  # the text of the rules, which names all codes
    assert not re.search("1234|a code|code ", packed.sub("", kept(table)).replace(HIDDEN, ""))
    table.page.reload()
    table.role("button", re.compile("^I am [XO]: show the board$")).click()
    table.says(re.compile("^You see what [XO] sees.$"))


def test_who_writes_the_rules_sees_everything(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("phantom_tictactoe", view="play", board=False)
    table.role("button", "I am X: show the board").wait_for()
    table.look("Write")
    table.says("Who writes the rules sees everything.")
    table.click("a1")
    table.has_played(1)
    table.click("b2")
    table.has_played(2)
    table.role("button", "Undo").click()


def test_secrets_end_when_somebody_wants_to_see_everything(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit("#/phantom_tictactoe")
    table.click("b2")
    table.says("X to move")
    table.page.on("dialog", lambda dialog: dialog.accept())
    table.role("button", "Show everything").click()
    table.says("Everything is shown.")
    assert "moves=b2" in table.page.url
    table.role("button", "New game with secrets").click()
    table.says("You see what X sees.")


@pytest.mark.parametrize("width", [375, 800, 1440])
def test_the_veil_is_in_the_middle_of_its_place(open_table: Callable[..., Table], width: int) -> None:
    table = open_table()
    table.page.set_viewport_size({"width": width, "height": 800})
    table.visit_game("codes", HIDDEN, view="play", board=False)
    table.role("button", "I am X: show the board").wait_for()
    box = table.page.locator(".veil").bounding_box()
    assert (box["x"], box["width"]) == (0, width)


def test_moves_at_a_table_are_no_buttons_that_go_nowhere(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit("#/phantom_tictactoe")
    table.says("You see what X sees.")
    assert table.page.locator(".played .move").evaluate_all("all => all.every((one) => one.disabled)")
    note = table.page.get_by_text("Position and record are told when the game is over")
    assert note.evaluate("one => parseFloat(getComputedStyle(one).paddingLeft)") > 8
    hidden = table.page.locator('[role=gridcell][aria-label*="not seen"]')
    assert hidden.count() == 9
