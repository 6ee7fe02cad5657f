"""A position as a picture.

In: a position, the width of the picture, the last move, cells to mark.  Out: SVG: a board of any form with
its coordinates, the pieces as the `show` section of the rules describes them, and the marks.

One cell is `UNIT` wide in the picture's own measure, in which x grows to the right and y downwards; a viewer
scales it.  Every cell carries its name as `data-cell`, for programs that let people click.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, pi, radians, sin, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dsl.errors import nearest
from dsl.model import Board
from pysolve import scene
from pysolve.answers import Move, Shown
from pysolve.scene import COLOURS, Marked, Thing, contrasting, is_hex, named_by_place

UNIT = 60.0
CORNER = UNIT / sqrt(3)  # of a hexagon, from its centre
RISE = sqrt(3) / 2  # rows of hexagons lie closer than their cells
PIECE = 0.37 * UNIT  # radius of a disc
UPPER = 0.6  # size of a shape that lies on another one
ASIDE = 0.28 * UNIT  # how far it keeps off a text, to the right and up
MARGIN = 0.22 * UNIT

SIGN = 0.31 * UNIT  # how far from the centre a sign in the corner stands, to the right and up

MARK_WIDTH = 0.09 * UNIT  # of the line around what the rules mark

PAPER, LINE, WORDS, EDGE = "#fcf8f0", "#c6af85", "#857150", "#3d3423"
NEUTRAL = "#8b8b87"
GROUND = ("#f5ebd7", "#e9d9ba", "#dfcba5")
LAST, LAST_EDGE, TARGET = "#f2c94c", "#d39a12", "#3f8f55"
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"

Point = tuple[float, float]


def draw(position: Shown, size: int = 400, last: Move | None = None, targets: Sequence[str] = ()) -> str:
    """The picture, `size` points wide; `targets` are names of cells.

    Raises `ValueError` for a name that is none.
    """
    model, board = position.game.model, position.game.model.board
    for name in targets:
        if name not in board.cells:
            raise ValueError(f'the board has no cell "{name}". {nearest(name, board.cells)}'.strip())
    spots = dict(zip(board.cells, _spots(board), strict=True))
    font = _font_size(board)
    words = _words(board, list(spots.values()), font)
    piles = dict(zip(board.cells, scene.things(model, position.state), strict=True))
    root = _root(board, list(spots.values()), words, font, size)
    SubElement(root, "title").text = _title(position)
    _draw_cells(_group(root, "cells"), board, spots)
    marks = _group(root, "last", fill=LAST, fill_opacity=0.62, stroke=LAST_EDGE, stroke_width=3)
    for name in sorted(scene.cells_of(model, last)) if last is not None else ():
        _outline(marks, board, spots[name], 0.95)
    pieces = _group(root, "pieces", stroke=EDGE, stroke_width=1.6, stroke_linejoin="round")
    for name, pile in piles.items():
        _draw_pile(pieces, board, spots[name], pile)
    for number, mark in enumerate(scene.marks(position)):
        lines = _group(root, "mark", stroke=COLOURS[mark.colour], stroke_linecap="round")
        _draw_mark(lines, board, spots, mark, number)
    for name in targets:
        _draw_target(_group(root, "target"), spots[name], bool(piles[name]))
    halo = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"} if board.links else {}
    _draw_words(_group(root, "coordinates", fill=WORDS, **halo), words, font)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _title(position: Shown) -> str:
    outcome = position.outcome
    return f"{position.game.title}: {outcome if outcome is not None else f'{position.to_move} to move'}"


# -------------------------------------------------------------------------------------------- places


def _spots(board: Board) -> list[Point]:
    """The centre of each cell.  Cells of a graph whose names say nothing of their place stand in a circle."""
    count = len(board.cells)
    if board.links and not named_by_place(board):
        radius = UNIT * max(1.0, count / 4)
        angles = [2 * pi * cell / count - pi / 2 for cell in range(count)]
        return [(radius * cos(angle), radius * sin(angle)) for angle in angles]
    return [_point(board, *scene.place(board, cell)) for cell in range(1, count + 1)]


def _point(board: Board, x: float, y: float) -> Point:
    return x * UNIT, -y * UNIT * (RISE if is_hex(board) else 1)


def _words(board: Board, spots: Sequence[Point], font: float) -> list[tuple[str, Point]]:
    """The coordinates and where they stand: two digits fit beside a cell."""
    beside = 0.58 + 0.62 * font / UNIT
    if board.links and not named_by_place(board):
        return [(name, (x, y + 0.62 * UNIT)) for name, (x, y) in zip(board.cells, spots, strict=True)]
    steps = ((label, beside * label.dx, beside * label.dy) for label in scene.labels(board))
    return [(label.text, _point(board, label.x + dx, label.y + dy)) for label, dx, dy in steps]


def _font_size(board: Board) -> float:
    """The size of coordinates; cells of a large board are small in the picture, and coordinates less so."""
    across = max(x for x, _ in board.place) - min(x for x, _ in board.place) + 1
    return 17.0 if board.links else min(28.0, max(17.0, 1.8 * across))


def _root(board: Board, spots: Iterable[Point], words: Iterable[tuple[str, Point]], font: float, size: int) -> Element:
    """An empty picture that is large enough for cells and coordinates."""
    half, high = UNIT / 2, CORNER if is_hex(board) else UNIT / 2
    sides = [(x - half, x + half, y - high, y + high) for x, y in spots]
    half, high = 0.3 * font, 0.55 * font
    sides += [(x - half * len(word), x + half * len(word), y - high, y + high) for word, (x, y) in words]
    left, top = min(side[0] for side in sides) - MARGIN, min(side[2] for side in sides) - MARGIN
    width = max(side[1] for side in sides) + MARGIN - left
    height = max(side[3] for side in sides) + MARGIN - top
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT, "text-anchor": "middle",
        "viewBox": " ".join(map(_short, (left, top, width, height))),
        "width": str(size), "height": str(round(size * height / width)),
    })  # fmt: skip
    _add(root, "rect", x=left, y=top, width=width, height=height, rx=10, fill=PAPER)
    return root


# ---------------------------------------------------------------------------------------- the board


def _draw_cells(parent: Element, board: Board, spots: dict[str, Point]) -> None:
    points = list(spots.values())
    for line in board.links:
        for one, other in pairwise(line):
            (x1, y1), (x2, y2) = points[one - 1], points[other - 1]
            _add(parent, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=LINE, stroke_width=3)
    for number, (name, spot) in enumerate(spots.items(), 1):
        ground = GROUND[scene.shade(board, number)]
        cell = _outline(parent, board, spot, 1.0, False, fill=ground, stroke=LINE, stroke_width=1.2)
        cell.set("data-cell", name)


def _outline(parent: Element, board: Board, spot: Point, scale: float, marked: bool = True, **style: object) -> Element:
    """The outline of a cell: a square, a hexagon, or on a graph a disc, small unless it is a mark."""
    if board.links:
        return _disc(parent, spot, (0.46 if marked else 0.19) * UNIT * scale, **style)
    if is_hex(board):
        return _polygon(parent, spot, [(CORNER * scale, 60 * corner) for corner in range(6)], **style)
    return _square(parent, spot, UNIT / 2 * scale, 0.08 * UNIT if scale < 1 else 0, **style)


def _draw_mark(parent: Element, board: Board, spots: dict[str, Point], mark: Marked, number: int) -> None:
    """The sides of marked cells behind which nothing is marked.

    What is marked along the edge of the board for good, as the sides in Hex, has a line there and nowhere else.
    """
    SubElement(parent, "title").text = mark.text
    places = dict(zip(board.place, board.cells, strict=True))
    inset = MARK_WIDTH * (0.6 + 1.1 * number)  # marks of one cell lie side by side
    sides = [] if board.links else list(_sides(board, inset))
    behind = {
        name: [places.get((x + dx, y + dy)) for (dx, dy), _, _ in sides]
        for name, (x, y) in zip(board.cells, board.place, strict=True)
        if name in mark.cells
    }
    edge_alone = mark.lasting and all(None in cells for cells in behind.values())
    for name, cells in behind.items():
        cx, cy = spots[name]
        if board.links:
            _disc(parent, spots[name], 0.5 * UNIT + inset, fill="none", stroke_width=MARK_WIDTH)
        for (_, (x1, y1), (x2, y2)), cell in zip(sides, cells, strict=True):
            if cell is None or not (edge_alone or cell in mark.cells):
                _add(parent, "line", x1=cx + x1, y1=cy + y1, x2=cx + x2, y2=cy + y2, stroke_width=MARK_WIDTH)


def _sides(board: Board, inset: float) -> Iterator[tuple[tuple[int, int], Point, Point]]:
    """For each side of a cell the step to the cell behind it, and its ends, seen from the centre."""
    square, hexagon = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    steps = hexagon if is_hex(board) else square
    turn = 360 / len(steps)
    first = 0.0 if is_hex(board) else -45.0
    radius = CORNER - inset / cos(pi / 6) if is_hex(board) else (UNIT / 2 - inset) * sqrt(2)
    ends = [radians(first + turn * corner) for corner in range(len(steps) + 1)]
    for step, one, other in zip(steps, ends, ends[1:], strict=False):
        yield step, (radius * sin(one), -radius * cos(one)), (radius * sin(other), -radius * cos(other))


def _draw_words(parent: Element, words: Iterable[tuple[str, Point]], font: float) -> None:
    for word, (x, y) in words:
        _add(parent, "text", x=x, y=y + 0.355 * font, font_size=font).text = word


def _draw_target(parent: Element, spot: Point, occupied: bool) -> None:
    """A dot on an empty cell, a ring round a piece."""
    if occupied:
        _disc(parent, spot, 0.43 * UNIT, fill="none", stroke=TARGET, stroke_width=4, stroke_opacity=0.85)
    else:
        _disc(parent, spot, 0.14 * UNIT, fill=TARGET, fill_opacity=0.8)


# ----------------------------------------------------------------------------------------- the pieces


def _draw_pile(parent: Element, board: Board, spot: Point, pile: Sequence[Thing]) -> None:
    """The things on one cell, each above the one before; their texts together, in the middle.

    A sign on another thing, like the ' of a piece that has acted, stands in the corner.
    """
    signs = [thing for thing in pile[1:] if thing.text and not thing.shape and not any(map(str.isalnum, thing.text))]
    words = "".join(thing.text for thing in pile if thing not in signs)
    below, covered = "", False  # the colour that the words lie on; does a shape lie there already?
    for thing in pile:
        colour = COLOURS.get(thing.colour, NEUTRAL)
        if thing.shape == "square" or not (thing.shape or thing.text):
            _outline(parent, board, spot, 0.82 if thing.shape else 0.97, fill=colour, stroke_opacity=0.45)
            below = colour
        elif thing.shape and not covered:
            _SHAPES[thing.shape](parent, spot, PIECE, colour)
            below, covered = colour, True
        elif thing.shape:
            aside = (spot[0] + ASIDE, spot[1] - ASIDE) if words else spot
            _SHAPES[thing.shape](parent, aside, UPPER * PIECE, colour)
    if words:
        own = next((COLOURS[thing.colour] for thing in pile if thing.colour and thing.text), EDGE)
        _draw_text(parent, spot, words, contrasting(below) if below else own, plain=not below)
    if signs:
        _draw_signs(parent, (spot[0] + SIGN, spot[1] - SIGN), "".join(sign.text for sign in signs))


def _draw_text(parent: Element, spot: Point, words: str, ink: str, plain: bool) -> None:
    """A text on a cell; one without a shape below it is larger, and has an edge if it is pale."""
    size = {1: 27, 2: 25, 3: 20, 4: 16}.get(len(words), 13) + (5 if plain else 0)
    pale = contrasting(ink) == contrasting("#ffffff")
    style = {"stroke_width": 3, "paint_order": "stroke"} if plain and pale else {"stroke": "none"}
    text = _add(parent, "text", x=spot[0], y=spot[1] + 0.355 * size, font_size=size, font_weight=600, fill=ink)
    text.text = words
    _style(text, **style)


def _draw_signs(parent: Element, spot: Point, signs: str) -> None:
    """Small signs on a light ground."""
    _disc(parent, spot, 0.13 * UNIT, fill=PAPER, stroke_width=1.2)
    text = _add(parent, "text", x=spot[0], y=spot[1] + 6.5, font_size=18, font_weight=700, fill=EDGE, stroke="none")
    text.text = signs


def _draw_disc(parent: Element, spot: Point, radius: float, colour: str) -> None:
    _disc(parent, spot, radius, fill=colour)
    shine = contrasting(colour)
    _disc(parent, spot, 0.78 * radius, fill="none", stroke=shine, stroke_opacity=0.16, stroke_width=1.4)


def _draw_ring(parent: Element, spot: Point, radius: float, colour: str) -> None:
    _disc(parent, spot, 0.8 * radius, fill="none", stroke_width=0.4 * radius + 2.4)
    _disc(parent, spot, 0.8 * radius, fill="none", stroke=colour, stroke_width=0.4 * radius)


def _draw_star(parent: Element, spot: Point, radius: float, colour: str) -> None:
    points = [(radius * (1.12 if tip % 2 == 0 else 0.47), 36 * tip) for tip in range(10)]
    _polygon(parent, spot, points, fill=colour)


def _draw_triangle(parent: Element, spot: Point, radius: float, colour: str) -> None:
    middle = (spot[0], spot[1] + 0.15 * radius)
    _polygon(parent, middle, [(1.15 * radius, 120 * tip) for tip in range(3)], fill=colour)


def _draw_diamond(parent: Element, spot: Point, radius: float, colour: str) -> None:
    _polygon(parent, spot, [(1.1 * radius, 90 * tip) for tip in range(4)], fill=colour)


def _draw_cross(parent: Element, spot: Point, radius: float, colour: str) -> None:
    x, y, arm = *spot, 0.72 * radius
    strokes = f"M{_short(x - arm)} {_short(y - arm)}l{_short(2 * arm)} {_short(2 * arm)}"
    strokes += f"m{_short(-2 * arm)} 0l{_short(2 * arm)} {_short(-2 * arm)}"
    for ink, width in ((EDGE, 0.42 * radius + 3.2), (colour, 0.42 * radius)):
        _add(parent, "path", d=strokes, stroke=ink, stroke_width=width, stroke_linecap="round", fill="none")


def _draw_bar(parent: Element, spot: Point, radius: float, colour: str) -> None:
    x, y = spot
    _add(parent, "rect", x=x - 1.1 * radius, y=y - 0.3 * radius, width=2.2 * radius, height=0.6 * radius,
         rx=0.15 * radius, fill=colour)  # fmt: skip


# The men of chess as outlines in a square of 100 by 100 around the centre of their cell, y downwards: what is filled
# with their colour, then what is drawn on it.  They were drawn for pysolve and have its licence.
_FOOT = "M-30 42H30V35Q29 30 20 28H-20Q-29 30-30 35Z"
_MEN: dict[str, tuple[str, str]] = {
    "pawn": ("M-20 28Q-9 14-8-4H-14V-10H-8A15 15 0 1 1 8-10H14V-4H8Q9 14 20 28Z", "M-8-4H8"),
    "rook": (
        "M-20 28-15 20-13-10-23-18V-38H-13V-30H-5V-38H5V-30H13V-38H23V-18L13-10 15 20 20 28Z",
        "M-13-10H13M-15 20H15",
    ),
    "knight": (
        "M-20 28C-20 9-1 4 1-9C-6-4-13-3-17 2C-21 7-29 6-31 0C-33-7-24-15-20-25C-17-33-12-36-8-37L-6-46 1-38"
        "C22-35 31-8 27 28Z",
        "M-13-22A1.5 1.5 0 1 1-13-21.9M1-9C3-13 3-17 2-20M8-30C18-22 20-6 19 20",
    ),
    "bishop": (
        "M-20 28Q-11 18-12 8C-23-4-17-22-4-31A6.5 6.5 0 1 1 4-31C17-22 23-4 12 8Q11 18 20 28Z",
        "M0-20V-4M-7-12H7M-12 8H12",
    ),
    "queen": (
        "M-20 28-23 4-35-24A5 5 0 1 1-29-26L-17-6-14-33A5 5 0 1 1-8-33L0-9 8-33A5 5 0 1 1 14-33L17-6 29-26"
        "A5 5 0 1 1 35-24L23 4 20 28Z",
        "M-22 8Q0 0 22 8M-21 18Q0 11 21 18",
    ),
    "king": (
        "M-20 28-19 16C-40 2-36-24-16-23C-9-23-4-20-3-15V-30H-10V-37H-3V-45H3V-37H10V-30H3V-15C4-20 9-23 16-23"
        "C36-24 40 2 19 16L20 28Z",
        "M0-14V10M-19 16Q0 7 19 16",
    ),
}


def _man(name: str) -> Callable[[Element, Point, float, str], None]:
    """How a man of chess is drawn."""
    outline, lines = _MEN[name]

    def draw_man(parent: Element, spot: Point, radius: float, colour: str) -> None:
        scale = 1.16 * radius / 50
        place = f"translate({_short(spot[0])} {_short(spot[1])}) scale({_short(scale)})"
        man = _add(parent, "g", transform=place, stroke_width=1.6 / scale, stroke_linecap="round")
        _add(man, "path", d=outline + _FOOT, fill=colour)
        ink = EDGE if contrasting(colour) == contrasting(COLOURS["white"]) else PAPER
        _add(man, "path", d=lines, fill="none", stroke=ink)

    return draw_man


_SHAPES: dict[str, Callable[[Element, Point, float, str], None]] = {
    "disc": _draw_disc, "ring": _draw_ring, "star": _draw_star, "triangle": _draw_triangle,
    "diamond": _draw_diamond, "cross": _draw_cross, "bar": _draw_bar,
    **{name: _man(name) for name in _MEN},
}  # fmt: skip


# -------------------------------------------------------------------------------------------- elements


def _disc(parent: Element, spot: Point, radius: float, **style: object) -> Element:
    return _add(parent, "circle", cx=spot[0], cy=spot[1], r=radius, **style)


def _square(parent: Element, spot: Point, half: float, round_by: float, **style: object) -> Element:
    x, y = spot
    return _add(parent, "rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=round_by, **style)


def _polygon(parent: Element, spot: Point, corners: Iterable[Point], **style: object) -> Element:
    """A polygon by distance and angle of its corners; angles go clockwise from the top, in degrees."""
    x, y = spot
    points = ((x + r * sin(radians(angle)), y - r * cos(radians(angle))) for r, angle in corners)
    return _add(parent, "polygon", points=" ".join(f"{_short(x)},{_short(y)}" for x, y in points), **style)


def _group(parent: Element, name: str, **style: object) -> Element:
    group = _add(parent, "g", **style)
    group.set("class", name)
    return group


def _add(parent: Element, tag: str, **style: object) -> Element:
    """A new element."""
    return _style(SubElement(parent, tag), **style)


def _style(element: Element, **style: object) -> Element:
    """The element with its attributes; the name stroke_width stands for stroke-width."""
    for name, value in style.items():
        element.set(name.replace("_", "-"), _short(value) if isinstance(value, float) else str(value))
    return element


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
