"""A position as rows of text, for a terminal.

In: a position, cells to mark.  Out: the board with its coordinates, as plain rows or as a `rich` text in
colour.  Plain rows have the glyphs of the rules, as diagrams have them, with [ ] round the cells of the last
move and < > round targets.  In colour a shape stands for a thing that has one, and marked cells have another
ground.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from dsl.model import Board
from dsl.notation import cell_text
from pysolve import look
from pysolve.look import COLOURS, SHAPES, Thing, contrasting, is_hex, named_by_place, place
from pysolve.position import Position

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 80  # a board keeps to this as long as it can
MARGIN = 4  # columns left of the board, for the numbers of the rows
# Colours that terminals with 256 colours have, too.
GROUND = ("#d7af87", "#af875f", "#d7af5f")  # cells, so that each differs from its neighbours
LAST, TARGET = "#ffd75f", "#87af5f"
INK = {**COLOURS, "red": "#af0000", "blue": "#0000af", "white": "#ffffff", "black": "#000000", "green": "#005f00",
       "yellow": "#ffff00", "brown": "#5f0000", "purple": "#5f005f", "cyan": "#005f87"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one row: the column where it begins, its words, their style."""

    column: int
    text: str
    style: str = ""


Row = list[Piece]


def plain_board(position: Position, last: Collection[str] = (), targets: Collection[str] = ()) -> str:
    """The board as plain text."""
    return "\n".join(_plain(row) for row in plain_rows(position, last, targets))


def coloured_board(position: Position, last: Collection[str] = (), targets: Collection[str] = ()) -> Text:
    """The board in colour."""
    from rich.text import Text

    return Text("\n", no_wrap=True).join(_coloured(row) for row in coloured_rows(position, last, targets))


def plain_rows(position: Position, last: Collection[str], targets: Collection[str]) -> list[Row]:
    """The rows of the plain board from the top."""
    model, board = position.game.model, position.game.model.board
    texts = [cell_text(model.layers, model.slots, position.state, c) for c in range(1, len(board.cells) + 1)]
    widest = sum(max(len(glyph.text) for glyph in layer.glyphs) for layer in model.layers if layer.on_cell)
    canvas = _Canvas(board, widest, max(map(len, texts)))
    for cell, text in enumerate(texts, 1):
        name = board.cells[cell - 1]
        left, right = ("[", "]") if name in last else ("<", ">") if name in targets else (" ", " ")
        canvas.put_cell(cell, [Piece(0, left + text + right)])
    return canvas.rows()


def coloured_rows(position: Position, last: Collection[str], targets: Collection[str]) -> list[Row]:
    """The rows of the coloured board from the top."""
    model, board = position.game.model, position.game.model.board
    piles = look.things(model, position.state)
    widest = sum(max(len(glyph.text) for glyph in layer.glyphs) for layer in model.layers if layer.on_cell)
    canvas = _Canvas(board, widest, max(sum(len(_word(thing)) for thing in pile) for pile in piles))
    for cell, pile in enumerate(piles, 1):
        name = board.cells[cell - 1]
        ground, upper = _ground(board, cell, pile)
        ground = LAST if name in last else TARGET if name in targets else ground
        canvas.put_cell(cell, list(_inked(upper, ground, canvas.width)))
    return canvas.rows()


def _ground(board: Board, cell: int, pile: Sequence[Thing]) -> tuple[str, Sequence[Thing]]:
    """The colour of a cell and the things on it; a lowest thing that fills the cell gives the colour."""
    if pile and pile[0].colour and not pile[0].text:
        fills = pile[0].shape == "square" and len(pile) > 1
        if fills or not pile[0].shape:
            return COLOURS[pile[0].colour], pile[1:]
    return GROUND[look.shade(board, cell)], pile


def _inked(pile: Sequence[Thing], ground: str, width: int) -> Iterator[Piece]:
    """The things on one cell, as wide as the cell."""
    yield Piece(0, " ", f"on {ground}")
    column, ink = 1, contrasting(ground)
    for thing in pile:
        if thing.colour and COLOURS[thing.colour] != ground:
            ink = INK[thing.colour]
        yield Piece(column, _word(thing), f"bold {ink} on {ground}")
        column += len(_word(thing))
    yield Piece(column, " " * (width - column), f"on {ground}")


def _word(thing: Thing) -> str:
    return SHAPES.get(thing.shape, "") + thing.text


# --------------------------------------------------------------------------------------------- layout


class _Canvas:
    """Rows that are filled cell by cell.

    A cell is `width` columns wide, its text begins in the second; from one cell to the next it is `pitch`.
    """

    def __init__(self, board: Board, widest: int, needed: int):
        self._board = board
        spots = [place(board, cell) for cell in range(1, len(board.cells) + 1)]
        self._left = min(x for x, _ in spots)
        self._top = max(y for _, y in spots)
        self._gap = 2 if board.links else 1  # rows from one cell to the next
        across = max(x for x, _ in spots) - self._left + 1
        self._measure(max(widest, needed, 1))
        if MARGIN + self.pitch * across > WIDTH:
            self._measure(max(needed, 1))
        self._pieces: dict[int, Row] = defaultdict(list)
        self._put_links()
        self._put_labels()

    def _measure(self, text: int) -> None:
        """Sets the widths for texts so wide."""
        named = 0 if named_by_place(self._board) else max(map(len, self._board.cells)) - 1
        self.width = max(text, named) + 2
        if is_hex(self._board):
            self.width += self.width % 2  # half a cell is a whole number of columns
        self.pitch = self.width + (2 if self._board.links else 0)

    def _column(self, x: float) -> int:
        return MARGIN + round((x - self._left) * self.pitch)

    def _row(self, y: float) -> int:
        return round((self._top - y) * self._gap)

    def put_cell(self, cell: int, pieces: Row) -> None:
        """Puts the pieces of a cell, whose columns count from its left side."""
        x, y = place(self._board, cell)
        start = self._column(x)
        self._pieces[self._row(y)] += [Piece(start + p.column, p.text, p.style) for p in pieces]

    def _put_labels(self) -> None:
        for label in look.labels(self._board):
            start = self._column(label.x + label.dx) + 1
            if label.dx == -1:
                start = self._column(label.x) - 1 - len(label.text)
            row = self._row(label.y) - label.dy
            self._pieces[row].append(Piece(start, label.text, "dim"))

    def _put_links(self) -> None:
        """The lines of a graph board, as far as they do not run through other cells."""
        spots = {cell: place(self._board, cell) for line in self._board.links for cell in line}
        in_a_row = not named_by_place(self._board)
        for line in self._board.links:
            for one, other in pairwise(line):
                if not in_a_row or abs(one - other) == 1:
                    self._put_link(*sorted((spots[one], spots[other]), key=lambda spot: -spot[1]))

    def _put_link(self, upper: tuple[float, int], lower: tuple[float, int]) -> None:
        """A line between two places."""
        top, bottom = self._row(upper[1]), self._row(lower[1])
        start, end = self._column(upper[0]) + 1, self._column(lower[0]) + 1
        if top == bottom:
            self._pieces[top].append(Piece(min(start, end), "─" * abs(end - start), "dim"))
            return
        sign = "│" if start == end else "╲" if start < end else "╱"
        for row in range(top + 1, bottom):
            column = start + round((end - start) * (row - top) / (bottom - top))
            self._pieces[row].append(Piece(column, sign, "dim"))

    def rows(self) -> list[Row]:
        """All rows from the top, their pieces from the left; what was put later lies above."""
        return [_flat(self._pieces[row]) for row in range(max(self._pieces) + 1)]


def _flat(pieces: Row) -> Row:
    """The pieces of a row side by side, with blanks between them and none behind."""
    signs: dict[int, tuple[str, str]] = {}
    for piece in pieces:
        signs.update({piece.column + i: (sign, piece.style) for i, sign in enumerate(piece.text)})
    flat: Row = []
    for column in range(max(signs, default=-1) + 1):
        sign, style = signs.get(column, (" ", ""))
        if flat and flat[-1].style == style:
            flat[-1] = Piece(flat[-1].column, flat[-1].text + sign, style)
        else:
            flat.append(Piece(column, sign, style))
    return flat


def _plain(row: Row) -> str:
    return "".join(piece.text for piece in row).rstrip()


def _coloured(row: Row) -> Text:
    from rich.text import Text

    return Text.assemble(*((piece.text, piece.style) for piece in row), no_wrap=True)
