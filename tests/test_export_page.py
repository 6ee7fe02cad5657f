"""An exported game, opened from disk in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pysolve.export.page import exported
from pysolve.players.functions import player
from tests.exported import needs_export, opened
from tests.test_export import HOSTILE, OTHERS

pytestmark = [pytest.mark.slow, needs_export]


class Watched:
    """A page of the browser, with everything that it should not do."""

    def __init__(self, browser: Any, path: Path, width: int = 1280):
        self.page = browser.new_page(viewport={"width": width, "height": 800})
        self.asked: list[str] = []
        self.wrong: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("[data-cell]")

    def click(self, cell: str) -> None:
        """A click on a cell."""
        self.page.locator(f'[data-cell="{cell}"]').first.click(force=True)

    def sees(self, text: str) -> None:
        """Waits until a text can be seen."""
        self.page.get_by_text(text).first.wait_for()


def written(name: str, folder: Path, seats: dict[str, str], text: str = "") -> Path:
    """The file of an exported game."""
    path = folder / f"{name}.html"
    path.write_text(exported(opened(name, text=text), seats), encoding="utf-8")
    return path


def test_a_file_from_disk_plays_and_asks_no_network(browser: Any, tmp_path: Path) -> None:
    path = written("zola", tmp_path, {"Blue": "hard"})
    watched = Watched(browser, path)
    watched.click("a1")
    watched.click("b1")
    watched.sees("a1xb1")
    watched.sees("a2xb1")  # the answer of the level
    watched.click("c1")
    watched.click("f6")  # of the other side of the board: why not?
    assert watched.page.title().startswith("Zola")
    watched.page.locator("nav.views a", has_text="Rules").click()
    lines = watched.page.locator(".reader .lines")
    assert lines.evaluate("one => one.scrollWidth <= one.clientWidth"), "no line of the rules is cut at the right"
    word = lines.get_by_text("players", exact=True).first
    drawn = [one.evaluate("one => getComputedStyle(one).color") for one in (word, lines)]
    assert drawn[0] != drawn[1], "words have the colours of their kinds"
    assert {url.split(":")[0] for url in watched.asked} == {"file", "blob"}
    assert watched.wrong == []


def test_things_beside_the_board_and_walls_are_pointed_at_in_a_file(browser: Any, tmp_path: Path) -> None:
    cards = Watched(browser, written("onitama", tmp_path, {}))
    cards.page.locator('button[data-place="card Crab"]').click()
    cards.click("c1")
    cards.click("c2")
    cards.sees("Crab c1-c2")
    walls = Watched(browser, written("quoridor", tmp_path, {}))
    box = walls.page.locator('[data-cell="c3"]').bounding_box()
    place = box["x"] + 0.8 * box["width"], box["y"]  # at its northern edge
    walls.page.mouse.move(*place)
    walls.page.locator(".ghost rect").first.wait_for()
    walls.page.mouse.click(*place)
    walls.sees("c3h")
    assert (cards.wrong, walls.wrong) == ([], [])


def test_dice_roll_in_a_file(browser: Any, tmp_path: Path) -> None:
    """By themselves, for people and for programs, as real dice show, and in a record."""
    watched = Watched(browser, written("einstein_wuerfelt_nicht", tmp_path, {"Black": "easy"}))
    watched.page.locator(".dice .pip").first.wait_for()
    watched.sees("White rolled")
    watched.page.get_by_text("Dice, pace, sound, clock").click()
    watched.page.get_by_label("dice").select_option("are real ones")
    watched.page.get_by_role("button", name="Undo", exact=True).click()
    watched.page.get_by_role("group", name="What came up for White?").get_by_role("button", name="3").click()
    watched.sees("White rolled 3")
    cell = watched.page.locator(".signs .movable").count()
    assert cell == 1  # the cube with this number
    watched.page.get_by_role("button", name="Hint").click()
    watched.page.get_by_role("button", name="Play it").click()
    watched.page.get_by_role("group", name="What came up for Black?").get_by_role("button", name="6").click()
    watched.page.get_by_role("group", name="What came up for White?").wait_for()  # Black has answered
    rolled = watched.page.locator(".moves .rolled").all_text_contents()  # also what was taken back
    assert {"3", "6"} <= {text[-1] for text in rolled}
    assert watched.wrong == []


def test_thinking_is_cancelled_and_goes_on(browser: Any, tmp_path: Path) -> None:
    watched = Watched(browser, written("zola", tmp_path, {}))
    watched.page.get_by_role("button", name="Analyse", exact=True).click()
    watched.sees("Best line")
    watched.page.keyboard.press("Escape")
    watched.page.get_by_role("button", name="Hint").click()
    watched.sees("Hint:")
    assert watched.wrong == []


def test_three_players_sit_at_a_file(browser: Any, tmp_path: Path) -> None:
    """Two programs answer a person; the bar has a part for each; the end says who has won."""
    text = OTHERS["three"]
    seats = {"Blue": "greedy:ties=first", "Green": "maxn:depth=2"}
    watched = Watched(browser, written("three", tmp_path, seats, text))
    position = opened("three", text=text).game.start()
    moves, expected = watched.page.locator("button.move"), ["Start"]
    watched.page.locator(".seat.to-move", has_text="Red").wait_for()
    while not position.is_over:
        who = seats.get(position.to_move, "greedy:ties=first")  # the person plays like this
        move = player(who, seed=1)(position)
        if position.to_move == "Red":
            watched.page.locator(".seat.to-move", has_text="Red").wait_for()
            watched.click(move.text)
        position = position.play(move)
        expected.append(move.text)
        moves.nth(len(expected) - 1).wait_for()
        assert moves.all_text_contents()[: len(expected)] == expected
    assert position.outcome is not None
    watched.page.locator("p.outcome", has_text=position.outcome.result).wait_for()
    watched.page.locator("button.move").first.press("Home")
    watched.page.get_by_role("button", name="Analyse", exact=True).click()
    watched.sees("Best line")
    assert watched.page.locator(".ahead.parts .part").count() == 3
    assert watched.wrong == []


@pytest.mark.parametrize("width", [375, 1280])
def test_texts_of_rules_run_nothing_in_a_browser(width: int, browser: Any, tmp_path: Path) -> None:
    watched = Watched(browser, written("hostile", tmp_path, {}, HOSTILE), width)
    watched.click("a1")
    watched.page.locator("svg text", has_text="<b>").first.wait_for()  # what lies there now
    watched.click("a1")
    bubble = watched.page.get_by_text("<img src=x onerror=alert(3)>", exact=True)  # why not
    bubble.first.wait_for(state="attached")
    assert watched.page.title().startswith(opened("hostile", text=HOSTILE).game.title)
    assert watched.page.locator("img").count() == 0
    assert watched.wrong == []
