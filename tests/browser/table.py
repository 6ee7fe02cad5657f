"""The page as a person uses it: by what can be read, and by roles and labels."""

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from pysolve.display.changes import changed
from pysolve.display.scene import (
    goal_of,
    has_walls,
    lies_along,
    named_cells,
    offset,
    things,
    value_params,
    values_of,
)
from pysolve.position import Move, Position


class Table:
    """A page, and what one does at it."""

    def __init__(self, page: Any, address: str):
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.asked: list[str] = []  # addresses of all requests
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)
        page.on("request", lambda request: self.asked.append(request.url))

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "favicon.ico" not in message.location.get("url", ""):
            self.errors.append(message.text)

    # ------------------------------------------------------------------------------------- opening

    def visit(self, fragment: str = "", board: bool = True) -> None:
        """Opens the page anew, and waits for a board, unless there will be none."""
        self.page.goto("about:blank")
        self.page.goto(self.address + fragment)
        if board:
            self.role("grid").wait_for()

    def visit_game(
        self,
        name: str,
        text: str | None = None,
        options: Mapping[str, object] = {},
        moves: Sequence[str] = (),
        seats: Mapping[str, str] = {},
        start: str = "",
        board: bool = True,
        view: str = "write",
    ) -> None:
        """Opens a game by an address that somebody has shared, to be written or played."""
        shared = {
            "name": name,
            **({} if text is None else {"text": text}),
            "options": {option: str(value) for option, value in options.items()},
            "line": {"seed": 0, "start": start, "moves": list(moves)},
            "seats": dict(seats),
        }
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        small = packer.compress(json.dumps(shared).encode()) + packer.flush()
        self.visit("#1." + base64.urlsafe_b64encode(small).decode().rstrip("="), board)
        if view == "write":
            self.look("Write")
            self.page.locator(".cm-content").wait_for()

    # ------------------------------------------------------------------------------------- looking

    def role(self, role: str, name: str | re.Pattern[str] | None = None, exact: bool = True) -> Any:
        """What has a role and a name, on the whole page."""
        if name is None:
            return self.page.get_by_role(role)
        return self.page.get_by_role(role, name=name, exact=exact)

    @property
    def board(self) -> Any:
        return self.role("region", "Board")

    @property
    def rail(self) -> Any:
        return self.role("region", "Players and moves")

    @property
    def bubble(self) -> Any:
        return self.role("dialog", "Why this is not legal")

    def says(self, text: str | re.Pattern[str], where: Any = None) -> Any:
        """Waits until a text is to be read; what says it."""
        found = (where or self.page).get_by_text(text).first
        found.wait_for()
        return found

    def says_count(self, count: int) -> None:
        """Waits until the board says how many moves are legal."""
        self.says(f"{count} move{'' if count == 1 else 's'}", self.board)

    def played(self) -> list[str]:
        """The moves of the list, as it shows them."""
        texts: list[str] = self.moves.all_inner_texts()
        return texts

    @property
    def moves(self) -> Any:
        """The buttons of the moves in the list; the first one is the start."""
        return self.role("region", "Moves").get_by_role("listitem").get_by_role("button")

    def has_played(self, count: int) -> None:
        """Waits until the list has so many moves."""
        self.moves.nth(count).wait_for()

    def cells(self, sign: str) -> set[str]:
        """The cells that say of themselves that they can move, can be chosen, are held."""
        labels = self.role("gridcell", re.compile(rf", {sign}$")).evaluate_all(
            "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
        )
        return {label.split(",")[0] for label in labels}

    # ------------------------------------------------------------------------------------- doing

    def cell(self, name: str) -> Any:
        """A cell of the board."""
        return self.role("gridcell", re.compile(rf"^{re.escape(name)}, "))

    def _middle(self, name: str) -> tuple[float, float]:
        box = self.cell(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *cells: str) -> None:
        """Clicks cells with the mouse."""
        for cell in cells:
            self.page.mouse.click(*self._middle(cell))

    def point(self, cell: str) -> None:
        self.page.mouse.move(*self._middle(cell))

    def drag(self, start: str, end: str) -> None:
        self.page.mouse.move(*self._middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self._middle(end), steps=4)
        self.page.mouse.up()

    def play(self, position: Position, move: Move) -> None:
        """Plays a move by mouse: its cells, and what tells it from others: a thing beside, a menu, a button."""
        if (wall := _wall(position, move)) is not None:
            self.aim(*wall)
            return
        cells, written = _places(position, move), re.escape(position.written(move))
        same = [places for other in position.legal_moves if (places := _places(position, other))[: len(cells)] == cells]
        self.click(*cells)
        things = [thing for value in _values(position, move) if (thing := self.thing(value)).count()]
        if things and (not cells or len(same) > 1):
            for thing in things:
                thing.click()
        elif not cells or max(map(len, same)) > len(cells):
            button = re.compile(rf"^(No legal move: )?{written}$|^End turn$", re.IGNORECASE)
            self.board.get_by_role("button", name=button).first.click()
        elif len(same) > 1:
            self.role("menu", "Which move?").get_by_role("menuitem", name=re.compile(rf"^{written}$")).click()

    def aim(self, cell: str, x: float, y: float) -> None:
        """Clicks at a place between cells, in cells from the middle of one, once it is known what that would do."""
        left, top = self._middle(cell)
        size = self.cell(cell).bounding_box()["width"]
        self.page.mouse.move(left + x * size, top - y * size)
        self.page.locator(".ghost rect").first.wait_for()
        self.page.mouse.click(left + x * size, top - y * size)

    def thing(self, value: str) -> Any:
        """A thing beside the board that can be clicked, by what it stands for: `card Tiger`."""
        return self.board.locator(f'button[data-place="{value}"]')

    def look(self, view: str) -> None:
        """Goes to a view of the game: Play, Write."""
        self.role("navigation", "Views of the game").get_by_role("link", name=view).click()

    def go_home(self) -> None:
        """Goes to the list of games."""
        self.role("link", "Games", exact=False).click()
        self.page.get_by_label("Search the games").wait_for()

    def sit(self, player: str, who: str) -> None:
        """Chooses who plays a side."""
        self.page.locator(f"#seat-{player}").select_option(who)


def _places(position: Position, move: Move) -> list[str]:
    """The cells by which a move is clicked."""
    cells, goal = named_cells(position.game.model, move), goal_of(position.game.model, move)
    return [*cells, goal] if goal and goal not in cells else cells


def _values(position: Position, move: Move) -> list[str]:
    """The values of a move that may lie beside the board."""
    model = position.game.model
    action = next((action for action in model.actions if action.name == move.kind), None)
    return [] if action is None else values_of(model, move.numbers, value_params(model, action))


def _wall(position: Position, move: Move) -> tuple[str, float, float] | None:
    """Where one points to mean a move that puts a wall at a side of a cell: on the wall, and off its middle."""
    model, after = position.game.model, position.play(move)
    if not has_walls(model):
        return None
    moved = changed(model, position.state, after.state)
    if len(moved.landed) != 1 or moved.left:
        return None
    number = model.board.cells.index(moved.landed[0])
    came = [thing for thing in things(after)[number] if thing not in things(position)[number]]
    if len(came) != 1 or not came[0].is_wall or came[0].side is None:
        return None
    x, y = offset(came[0].side)
    lies = lies_along(came[0].side, came[0].shape)
    return (moved.landed[0], x + 0.3, y) if lies else (moved.landed[0], x, y + 0.3)
