"""The part of a large and mostly empty board that is shown: in pictures, terminals and on the page."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

import pysolve
from pysolve.cli.console import put_board
from pysolve.display import scene, window
from pysolve.display.terminal import coloured_board, plain_board
from pysolve.runtime.paths import RULES
from pysolve.service import Service
from tests.games import each

SWARM = """\
game "Swarm"
  about "Every stone touches another one."

players Red, Blue

board hex hexagon 6

state at(cell): player or none

move place(to: cell) as "{to}"
  when
    at(to) = none
    column(to) = 6 and row(to) = 6 and (no c: cell has at(c) != none) or some n in neighbours(to) has at(n) != none
  do
    at(to) := mover

stuck draw

end
  mover wins when some c in edge(east) has at(c) = mover  because "the east is reached"
"""
LARGE = [path for path in sorted(RULES.glob("*.rules")) if path.stem in {"hex", "havannah", "chinese_checkers"}]


def position(*moves: str) -> pysolve.Position:
    """Swarm after some moves."""
    found = pysolve.load(SWARM).start()
    for move in moves:
        found = found.play(move)
    return found


def names(of: pysolve.Position, picture: str) -> list[str]:
    """The cells of a picture."""
    found = [one.get("data-cell") for one in ElementTree.fromstring(picture).iter() if one.get("data-cell")]
    assert len(found) == len(set(found))
    return [name for name in found if name in of.game.cells]


def test_a_picture_shows_what_is_in_use_with_a_margin_of_one_cell() -> None:
    after = position("f6")
    shown = names(after, after.svg())
    assert len(shown) == 23  # the stone, its neighbours, those of them; not the corners of that
    assert set(shown) >= {"f6", *scene.targets_of(after, None)}
    assert names(after, after.svg(whole=True)) == list(after.game.cells)
    assert "k1" in names(after, after.svg(targets=["k1"]))
    assert len(names(position(), position().svg())) < len(shown)


def test_a_picture_shows_where_the_board_goes_on() -> None:
    after = position("f6")
    board, shown = after.game.model.board, window.shown_cells(after)
    found = {one.get("data-cell") for one in ElementTree.fromstring(after.svg()).iter() if one.get("opacity")}
    assert found == {board.cells[cell - 1] for cell in window.rim(board, shown)}
    assert found
    assert not found & {"f6", *scene.targets_of(after, None)}
    assert 'opacity="0.4"' not in after.svg(whole=True)


def test_coordinates_stand_along_the_rim_that_is_shown() -> None:
    after = position("f6")
    board = after.game.model.board
    part = window.part(board, window.shown_cells(after))
    texts = {label.text for label in scene.labels(part)}
    columns, rows = ({place[axis] for place in part.place} for axis in (0, 1))
    assert {scene.column_name(x) for x in columns} <= texts
    assert {str(y) for y in rows} <= texts
    assert not texts & {"a", "k", "1", "11"}


def test_a_board_of_which_more_than_half_is_in_use_is_shown_whole() -> None:
    after = position("f6", "f7", "f8", "f9", "f5", "f4", "f3", "e7", "d8", "g5", "h4")
    assert names(after, after.svg()) == list(after.game.cells)


@pytest.mark.parametrize("path", each(LARGE))
def test_a_board_on_which_one_may_go_anywhere_is_shown_whole(path: Path) -> None:
    start = pysolve.load(path).start()
    assert len(window.shown_cells(start)) == len(start.game.cells)


def test_a_terminal_shows_the_same_part_and_says_so() -> None:
    after = position("f6")
    shown = window.shown_cells(after)
    for flipped in (False, True):
        plain = plain_board(after, flipped=flipped, cells=shown)
        assert plain.count(".") == len(shown) - 1
        assert len(plain.split("\n")) < len(plain_board(after, flipped=flipped).split("\n"))
        assert len(coloured_board(after, flipped=flipped, cells=shown).plain.split("\n")) == len(plain.split("\n"))
    to = Console(width=200)
    with to.capture() as printed:
        put_board(to, after)
    assert "The board goes on: 23 of its 91 cells are shown." in printed.get()


def test_on_the_page_the_part_grows_alone() -> None:
    service = Service()
    game = service.answer("check", {"name": "swarm", "text": SWARM, "options": {}})["game"]["id"]
    moves, seen = ["f6", "f7", "f8", "e9", "f5", "g5", "f4"], set[str]()
    for count in range(len(moves)):
        line = {"seed": 0, "start": "", "moves": moves[:count]}
        answer = service.answer("state", {"game": game, "line": line})["window"]
        if answer is None:
            break
        assert set(answer["rim"]) < set(answer["cells"])
        assert seen <= set(answer["cells"])
        seen = set(answer["cells"])
    assert count > 3


def test_the_page_shows_other_boards_whole() -> None:
    service = Service()
    text = (RULES / "hex.rules").read_text()
    game = service.answer("check", {"name": "hex", "text": text, "options": {}})["game"]["id"]
    assert service.answer("state", {"game": game, "line": {"seed": 0, "start": "", "moves": []}})["window"] is None
