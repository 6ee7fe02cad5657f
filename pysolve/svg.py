"""A position as a picture.

In: a position, the width of the picture, the last move, cells to mark.  Out: SVG: a board of any form with its
coordinates, the pieces as the `show` section of the rules describes them, and the marks.

One cell is `UNIT` wide in the picture's own measure, in which x grows to the right and y downwards; a viewer scales
it.  Every cell carries its name as `data-cell`, for programs that let people click.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dsl.errors import nearest
from dsl.model import Board
from pysolve.look import (
    COLOURS, Thing, cells_of, contrasting, is_hex, labels, named_by_place, place, shade, things,
)  # fmt: skip
from pysolve.position import Move, Position

UNIT = 60.0
CORNER = UNIT / sqrt(3)  # of a hexagon, from its centre
PIECE = 0.37 * UNIT  # radius of a disc
UPPER = 0.6  # size of a shape that lies on another one
BESIDE = 0.78  # cells from a coordinate to the cell that it stands beside
MARGIN = 0.25 * UNIT

PAPER, LINE, WORDS, EDGE = "#fcf8f0", "#c6af85", "#8a7550", "#3d3423"
GROUND = ("#f4e9d3", "#e8d7b6", "#dec9a1")
LAST, TARGET = "#f2c94c", "#3f8f55"
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"

Point = tuple[float, float]


def draw(position: Position, size: int = 400, last: Move | None = None, targets: Sequence[str] = ()) -> str:
    """The picture, `size` points wide; `targets` are names of cells.  Raises `ValueError` for a name that is none."""
    model, board = position.game.model, position.game.model.board
    for name in targets:
        if name not in board.cells:
            raise ValueError(f'the board has no cell "{name}". {nearest(name, board.cells)}'.strip())
    moved = cells_of(model, last) if last is not None else set()
    spots = _spots(board)
    words = [(label.text, _beside(board, spots, label.x, label.y, label.dx, label.dy)) for label in labels(board)]
    root = _root(spots, [at for _, at in words], size, _title(position))
    _draw_links(SubElement(root, "g", {"class": "links"}), board, spots)
    ground = SubElement(root, "g", {"class": "cells"})
    ...
    indent(root)
    return tostring(root, encoding="unicode")
