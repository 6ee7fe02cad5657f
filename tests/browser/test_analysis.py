"""Analysis and the course of a game: several lines, arrows, faults, a rematch, puzzles."""

import re
from collections.abc import Callable

import pytest

from tests.browser.table import Table

pytestmark = pytest.mark.slow


def test_lines_of_an_analysis_are_arrows_and_can_be_played(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("tictactoe", options={"width": 3}, moves=["b2"], view="play")
    table.role("button", "Hint").click()
    table.says(re.compile("^Hint: "), table.rail).wait_for()
    table.role("button", "Analyse").click()  # it takes the place of the hint
    table.page.get_by_label("Lines of the analysis").select_option("3")
    lines = table.role("list", "Best lines").get_by_role("listitem")
    lines.nth(2).wait_for()
    assert table.page.locator(".arrows > g").count() == 3
    table.page.get_by_label("arrows").uncheck()
    assert table.page.locator(".arrows").count() == 0
    lines.first.get_by_role("button").first.click()
    table.has_played(2)


def test_a_game_is_analysed_and_its_faults_are_listed(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("tictactoe", moves=["b2", "b1", "a1", "a2"], view="play")
    table.role("button", "Analyse game").click()
    table.role("list", "Moves that lost much").get_by_text(re.compile(r"O .*: blunder")).first.wait_for()
    table.role("button", "Analyse game").wait_for()
    table.role("img", re.compile("^Course of the game")).wait_for()


def test_no_verdict_is_given_before_all_positions_were_looked_at(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("tictactoe", moves=["b2", "a1", "c3", "c1"], view="play")
    table.role("button", "Analyse game").click()
    table.page.locator(".graph").wait_for()
    course = table.page.locator(".course")
    both = "at => at.querySelector('progress') !== null && at.textContent.includes('No move lost much.')"
    assert not course.evaluate(both)
    course.get_by_text("No move lost much.").wait_for()


def test_a_game_can_be_analysed_from_its_first_move_on(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("tictactoe", view="play")
    assert table.role("button", "Analyse game").count() == 0
    table.click("b2")
    table.role("button", "Analyse game").wait_for()


def test_after_a_game_sides_are_changed(open_table: Callable[..., Table]) -> None:
    table = open_table()
    moves = ["a1", "a2", "b1", "b2", "c1"]
    table.visit_game("tictactoe", moves=moves, seats={"O": "minimax:depth=2"}, view="play")
    table.board.get_by_role("button", name="Change sides").click()
    table.has_played(1)  # the program plays the first side now


def test_a_puzzle_is_solved_and_the_next_level_begins(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.visit_game("hanoi", options={"discs": 2}, view="play")
    table.role("button", "Solve").click()
    table.has_played(3)
    table.role("button", "Next: discs 3").click()
    table.role("button", "Solve").wait_for()
    table.has_played(0)
