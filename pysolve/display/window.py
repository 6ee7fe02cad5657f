"""The part of a large and mostly empty board that is shown, as a table shows the tiles that lie on it.

In: a position.  Out: the cells of a window round all that is in use, with a margin; all cells where the window would
have more than half of them.  Boards of squares, small ones, and those on which something is drawn for good are shown
whole: one sees by their rim where one is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pysolve.display import scene
from pysolve.dsl.model import Board, Game
from pysolve.results import Shown

SMALL = 9  # rows and columns of a board that is always shown whole


def in_use(position: Shown) -> frozenset[int]:
    """The cells on which something lies, that the rules mark, or that legal moves name or lead to."""
    board = position.game.model.board
    if not may_be_cut(position.game.model):
        return frozenset(range(1, len(board.cells) + 1))
    used = {cell for cell, pile in enumerate(scene.things(position, ground=False), 1) if pile}
    used |= numbered(board, set[str]().union(*(mark.cells for mark in scene.marks(position))))
    if used and len(cut(board, used)) == len(board.cells):
        return frozenset(used)  # whatever the moves are
    named = set[str]()
    for move in position.legal_moves:
        goal = scene.goal_of(position.game.model, move)
        named |= {*scene.cells_of(position.game.model, move), *((goal,) if goal else ())}
    return frozenset(used | numbered(board, named))


def grown(used: frozenset[int], position: Shown) -> frozenset[int]:
    """The cells in use so far, and those in use now; none are added where the whole board is shown already."""
    board = position.game.model.board
    return used if used and len(cut(board, used)) == len(board.cells) else used | in_use(position)


def numbered(board: Board, names: Collection[str]) -> frozenset[int]:
    """The numbers of cells."""
    return frozenset(cell for cell, name in enumerate(board.cells, 1) if name in names)


def may_be_cut(model: Game) -> bool:
    """True for a board of which a part can be shown alone."""
    board = model.board
    if not scene.is_hex(board) or max(len({place[axis] for place in board.place}) for axis in (0, 1)) <= SMALL:
        return False
    return not (board.sites or board.unders or scene.on_ground(model) or model.ties)


def cut(board: Board, used: Collection[int]) -> tuple[int, ...]:
    """The cells of the window round those in use; all of them where it would have more than half, or none is in use."""
    whole = tuple(range(1, len(board.cells) + 1))
    if not used:
        return whole
    spots = [scene.place(board, cell) for cell in whole]
    columns, rows = [spots[cell - 1][0] for cell in used], [spots[cell - 1][1] for cell in used]
    found = tuple(
        cell
        for cell, (x, y) in zip(whole, spots, strict=True)
        if min(columns) - 1 <= x <= max(columns) + 1 and min(rows) - 1 <= y <= max(rows) + 1
    )
    return found if 2 * len(found) <= len(whole) else whole


def shown_cells(position: Shown, also: Collection[str] = ()) -> tuple[int, ...]:
    """The cells that a picture shows of a position; with those of the beginning of the game, and others by their names.

    So a game that begins with its board full never loses the rest of it.
    """
    model = position.game.model
    if not may_be_cut(model):
        return cut(model.board, ())
    used = grown(in_use(position.game.start()), position)
    return cut(model.board, used | numbered(model.board, also))


def part(board: Board, cells: Collection[int]) -> Board:
    """A board of these cells alone, for what stands along its rim."""
    if len(cells) == len(board.cells):
        return board
    kept = sorted(cells)
    return replace(
        board, cells=tuple(board.cells[cell - 1] for cell in kept), place=tuple(board.place[cell - 1] for cell in kept)
    )


def rim(board: Board, cells: Collection[int]) -> frozenset[int]:
    """The cells beyond which the board goes on: they have a neighbour that is left out."""
    hidden = {board.place[cell - 1] for cell in range(1, len(board.cells) + 1)} - {
        board.place[cell - 1] for cell in cells
    }
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))
    return frozenset(
        cell
        for cell in cells
        if any((board.place[cell - 1][0] + x, board.place[cell - 1][1] + y) in hidden for x, y in ways)
    )


def said(board: Board, cells: Collection[int]) -> str:
    """What a text says of a part of a board; nothing of a whole one."""
    if len(cells) == len(board.cells):
        return ""
    return f"The board goes on: {len(cells)} of its {len(board.cells)} cells are shown."
