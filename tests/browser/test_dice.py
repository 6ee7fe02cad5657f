"""What is left to chance: it is seen, rolls by itself or upon a click or as real dice show, and is taken back alike."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import pysolve
from pysolve.players.session import roll_of
from tests.browser.table import Table

pytestmark = pytest.mark.slow


@pytest.fixture
def pig(open_table: Callable[..., Table]) -> Table:
    """The page with Pig, whose two players are people."""
    table = open_table()
    table.visit_game("pig", board=False, view="play")
    return table


def button(table: Table, name: str) -> Any:
    return table.board.get_by_role("button", name=name, exact=True)


def first_roll() -> str:
    """What the seed of the page rolls after one move."""
    return roll_of(pysolve.load("pig").start().play("roll"), 0, 1).text


def dice(table: Table, way: str) -> None:
    """Chooses how dice roll."""
    if not table.page.get_by_label("dice").is_visible():
        table.page.get_by_text("Dice, pace, sound, clock").click()
    table.page.get_by_label("dice").select_option(way)


def test_dice_roll_by_themselves_and_are_seen_and_undone_alike(pig: Table) -> None:
    button(pig, "Roll").click()
    pig.says(f"White rolled {first_roll()}", pig.board)
    pig.has_played(2)
    assert pig.page.locator(".dice .die").count() == 1
    assert pig.page.locator(".dice .pip").count() == int(first_roll())
    assert pig.played()[2].split() == ["rolled", first_roll()]
    button(pig, "Undo").click()  # the roll, and the move of the player before it
    assert pig.page.get_by_text("White rolled").count() == 0
    button(pig, "Hold").wait_for()
    button(pig, "Roll").click()
    pig.says(f"White rolled {first_roll()}", pig.board)


def test_dice_wait_for_a_click_and_for_whoever_steps_through_the_moves(pig: Table) -> None:
    dice(pig, "when I click")
    button(pig, "Roll").click()
    pig.says("White rolls", pig.board)
    pig.has_played(1)
    button(pig, "Hold").wait_for(state="detached")
    button(pig, "Roll").click()
    pig.says(f"White rolled {first_roll()}", pig.board)
    dice(pig, "roll by themselves")
    button(pig, "Back").click()
    pig.says("White rolls", pig.board)
    button(pig, "Roll").wait_for()
    button(pig, "Forward").click()
    pig.says(f"White rolled {first_roll()}", pig.board)


def test_real_dice_are_told_by_a_click(pig: Table) -> None:
    dice(pig, "are real ones")
    for face in ("6", "2"):
        button(pig, "Roll").click()
        outcomes = pig.role("group", "What came up for White?").get_by_role("button")
        outcomes.nth(5).wait_for()
        assert outcomes.all_inner_texts() == ["1", "2", "3", "4", "5", "6"]
        outcomes.nth(int(face) - 1).click()
        pig.says(f"White rolled {face}", pig.board)
    pig.says("gained: 8", pig.board)


def test_a_program_plays_with_dice_and_its_game_is_analysed(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("pig", options={"target": 10}, board=False, view="play")
    table.sit("Black", "easy")
    button(table, "Roll").click()
    table.says(f"White rolled {first_roll()}", table.board)
    button(table, "Hold").click()
    table.has_played(4)  # and the computer has answered
    table.page.get_by_role("button", name="Pause").click()
    table.role("button", "Analyse game").click()
    table.role("img", re.compile("^Course of the game")).wait_for()
    table.role("button", "Analyse game").wait_for()
    faults = table.page.locator(".fault-row").all_inner_texts()
    assert not [fault for fault in faults if re.search(r"(White|Black) \d:", fault)]  # nobody chose a roll


def test_cubes_move_as_the_die_says(open_table: Callable[..., Table]) -> None:
    """The first roll comes before anybody has moved; a new game rolls otherwise."""
    table = open_table(375, 740)
    table.visit_game("einstein_wuerfelt_nicht", view="play")
    start = pysolve.load("einstein_wuerfelt_nicht").start()
    roll = roll_of(start, 0, 0)
    table.says(f"White rolled {roll}", table.board)
    after = start.play(roll)
    table.says_count(len(after.legal_moves))
    table.play(after, after.legal_moves[0])
    table.says(re.compile("^Black rolled"), table.board)
