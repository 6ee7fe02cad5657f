"""What lies on a cell, as elements of SVG.

In: the things of a cell, the lowest first, and where the cell is.  Out: elements below a given one; in a picture they
lie at the place of the cell, for a page that moves them around 0, 0.

Every colour has a name.  An element that is filled with one has the class `fill-NAME`, one whose lines have it the
class `stroke-NAME`: a style sheet can so replace the colours, in the dark for example.  x grows to the right and y
downwards; one cell is `UNIT` wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from math import cos, radians, sin, sqrt
from xml.etree.ElementTree import Element, SubElement

from pysolve.display.scene import COLOURS, Thing, composed, contrasting, is_hex
from pysolve.dsl.language import geometry, paths
from pysolve.dsl.model import Board

UNIT = 60.0
CORNER = UNIT / sqrt(3)  # of a hexagon, from its centre
PIECE = 0.37 * UNIT  # radius of a disc
SIZES = {"": 1.0, "small": 0.62, "large": 1.26}  # of a piece
TILES = {"": 0.82, "small": 0.52, "large": 0.9}  # of a square, in cells
WIDE = (1.2, 0.5)  # how what lies flat is stretched
ICON = 1 / 11  # of a step on the field of an icon, in radii
UPPER = 0.6  # size of a shape that lies on another one
ASIDE = 0.28 * UNIT  # how far it keeps off a text, to the right and up
SMALL = 0.45  # size of a shape at an edge or a corner of a cell
INSIDE = SMALL * PIECE + 0.03 * UNIT  # how far from it such a shape has its middle
THICK = 0.06 * UNIT  # half of what a wall is
SIGN = 0.31 * UNIT  # how far from the centre a sign in the corner stands, to the right and up

PAPER, LINE, WORDS, EDGE = "#fcf8f0", "#c6af85", "#857150", "#3d3423"
NEUTRAL = "#8b8b87"
GROUND = ("#f5ebd7", "#e9d9ba", "#dfcba5")
LAST, LAST_EDGE, TARGET = "#f2c94c", "#d39a12", "#3f8f55"
NAMES = {
    PAPER: "paper", LINE: "line", WORDS: "words", EDGE: "edge", NEUTRAL: "grey", LAST: "last", LAST_EDGE: "last-edge",
    TARGET: "target", **{ground: f"ground-{number}" for number, ground in enumerate(GROUND)},
    **{colour: name for name, colour in COLOURS.items()},
    **{contrasting(colour): name for colour, name in (("#000000", "light"), ("#ffffff", "dark"))},
}  # fmt: skip

Point = tuple[float, float]


# ----------------------------------------------------------------------------------------- the things


def draw_pile(parent: Element, board: Board, spot: Point, pile: Sequence[Thing]) -> None:
    """The things on one cell, each above the one before; their texts together, in the middle.

    A sign on another thing, like the ' of a piece that has acted, stands in the corner.  What lies at a side of the
    cell is drawn by `draw_sides`.
    """
    levels = groupby((thing for thing in composed(pile) if thing.side is None), key=lambda thing: thing.lift)
    for lift, level in levels:
        lifted = add(parent, "g", transform=f"translate(0 {-lift})") if lift else parent
        _draw_level(lifted, board, spot, list(level))


def _draw_level(parent: Element, board: Board, spot: Point, pile: Sequence[Thing]) -> None:
    """Draws the things of one level of a stack on a cell."""
    signs = [thing for thing in pile[1:] if thing.text and not thing.shape and not any(map(str.isalnum, thing.text))]
    words = "".join(thing.text for thing in pile if thing not in signs)
    below, covered = "", list[str]()  # the colour that the words lie on; the sizes of the shapes that lie there already
    for thing in pile:
        colour = COLOURS.get(thing.colour, NEUTRAL)
        if thing.shape == "square" or not (thing.shape or thing.text):
            _draw_tile(parent, board, spot, thing, colour)
            below = "" if thing.hollow else colour
        elif thing.shape and thing.size not in covered:
            _draw_shape(parent, board, spot, PIECE * SIZES[thing.size], thing)
            covered.append(thing.size)
            below = "" if thing.hollow else colour
        elif thing.shape:
            aside = (spot[0] + ASIDE, spot[1] - ASIDE) if words else spot
            _draw_shape(parent, board, aside, UPPER * PIECE * SIZES[thing.size], thing)
    if words:
        own = next((COLOURS[thing.colour] for thing in pile if thing.colour and thing.text), EDGE)
        size = next((SIZES[thing.size] for thing in pile if thing.text and not thing.shape), 1.0)
        _draw_text(parent, spot, words, contrasting(below) if below else own, plain=not below, scale=size)
    if signs:
        _draw_signs(parent, (spot[0] + SIGN, spot[1] - SIGN), "".join(sign.text for sign in signs))


def _draw_tile(parent: Element, board: Board, spot: Point, thing: Thing, colour: str) -> None:
    """A square, or the colour of a whole cell."""
    scale = TILES[thing.size] if thing.shape else 1.0
    tile = square if board.links or board.ground == "points" else None
    whole = [{"fill": colour, "stroke": LINE, "stroke_width": 1.2}]  # a cell that has a colour keeps its border
    for style in _styles(colour, PIECE, thing.hollow) if thing.shape else whole:
        own = scale - (0.1 if thing.hollow else 0.0)
        with_edge = style if thing.hollow else style | ({} if thing.size else {"stroke_opacity": 0.45})
        if thing.shape and thing.wide:
            x, y = own * UNIT / 2 * WIDE[0], own * UNIT / 2 * WIDE[1]
            box = {"x": spot[0] - x, "y": spot[1] - y, "width": 2 * x, "height": 2 * y}
            add(parent, "rect", **box, rx=0.06 * UNIT, **with_edge)
        elif thing.shape and tile is not None:
            tile(parent, spot, own * UNIT / 2.4, 0.06 * UNIT, **with_edge)
        else:
            outline(parent, board, spot, own, True, **with_edge)


def _styles(colour: str, radius: float, hollow: bool) -> list[dict[str, object]]:
    """How to draw an outline: filled; or, if it is hollow, its dark edge and on it its line."""
    if not hollow:
        return [{"fill": colour}]
    width = 0.3 * radius
    return [{"fill": "none", "stroke": EDGE, "stroke_width": width + 2.4},
            {"fill": "none", "stroke": colour, "stroke_width": width}]  # fmt: skip


def _draw_shape(parent: Element, board: Board, spot: Point, radius: float, thing: Thing) -> None:
    """A shape that is no square; one that is wide is stretched."""
    colour = COLOURS.get(thing.colour, NEUTRAL)
    drawing = SHAPES.get(thing.shape)
    if drawing is None:
        strokes = next(icon.strokes for icon in board.icons if icon.name == thing.shape)
        _draw_icon(parent, spot, radius, WIDE if thing.wide else (1.0, 1.0), colour, thing.hollow, strokes)
        return
    if thing.wide:
        across, down = WIDE
        place = f"translate({short(spot[0])} {short(spot[1])}) scale({short(across)} {short(down)})"
        parent, spot = add(parent, "g", transform=place, stroke_width=1.6 / sqrt(across * down)), (0.0, 0.0)
    drawing(parent, spot, radius, colour, thing.hollow)


def draw_sides(parent: Element, board: Board, spot: Point, pile: Sequence[Thing]) -> None:
    """The things at the edges and corners of one cell, each in a group of its own that lies there."""
    for thing in pile:
        if thing.side is None:
            continue
        x, y = beside(board, thing.side, 0.0 if thing.is_wall else INSIDE)
        draw_at_site(parent, board, (spot[0] + x, spot[1] + y), [thing])


def draw_at_site(parent: Element, board: Board, spot: Point, pile: Sequence[Thing]) -> None:
    """Things that lie at an edge or a corner, which is at this place."""
    for thing in pile:
        side = group(parent, "side", transform=f"translate({short(spot[0])} {short(spot[1])})")
        colour = COLOURS.get(thing.colour, NEUTRAL)
        if thing.is_wall:
            _draw_wall(side, board, thing, colour)
        elif thing.shape == "square":
            for style in _styles(colour, SMALL * PIECE, thing.hollow):
                square(side, (0.0, 0.0), SMALL * PIECE * SIZES[thing.size], 0.05 * UNIT, **style)
        elif thing.shape:
            _draw_shape(side, board, (0.0, 0.0), SMALL * PIECE * SIZES[thing.size], thing)
        if thing.text:
            below = colour if thing.shape and not thing.hollow else ""
            ink = contrasting(below) if below else COLOURS.get(thing.colour, EDGE)
            text = add(side, "text", x=0.0, y=5.0, font_size=14, font_weight=600, fill=ink, stroke="none")
            text.text = thing.text


def beside(board: Board, side: tuple[str, str], inside: float = 0.0) -> Point:
    """The middle of an edge of a cell, or a corner, seen from the centre; or a place so far inside the edges."""
    place, _ = side
    across = UNIT / 2 - inside
    if place == "corner":
        across *= 2 / sqrt(3) if is_hex(board) else sqrt(2)
    angle = radians(angle_of(board, side))
    return across * sin(angle), -across * cos(angle)


def angle_of(board: Board, side: tuple[str, str]) -> float:
    """The angle of an edge or a corner, in degrees from the top."""
    place, way = side
    ways = geometry.sides(board.form, place)
    first = {("edge", True): 30.0, ("corner", True): 0.0, ("edge", False): 0.0, ("corner", False): 45.0}
    return first[place, is_hex(board)] + 360.0 / len(ways) * ways.index(way)


def _draw_wall(parent: Element, board: Board, thing: Thing, colour: str) -> None:
    """A bar along an edge, a post across it; at a corner of squares both are two cells long."""
    place, _ = thing.side or ("", "")
    at_edge = place == "edge"
    half = (0.43 if at_edge else 0.25 if is_hex(board) else 0.92) * UNIT
    turn = (angle_of(board, thing.side) if at_edge and thing.side else 0.0) + (90.0 if thing.shape == "post" else 0.0)
    style = {"transform": f"rotate({short(turn)})"} if turn % 180 else {}
    if thing.shape == "post" and at_edge:
        half = 0.3 * UNIT
    add(parent, "rect", x=-half, y=-THICK, width=2 * half, height=2 * THICK, rx=0.5 * THICK, fill=colour, **style)


def _draw_text(parent: Element, spot: Point, words: str, ink: str, plain: bool, scale: float = 1.0) -> None:
    """A text on a cell; one without a shape below it is larger, and has an edge if it is pale."""
    size = {1: 27, 2: 25, 3: 20, 4: 16}.get(len(words), 13) + (5 if plain else 0)
    size = size if scale == 1 else round(scale * size)
    pale = contrasting(ink) == contrasting("#ffffff")
    style = {"stroke_width": 3, "paint_order": "stroke"} if plain and pale else {"stroke": "none"}
    text = add(parent, "text", x=spot[0], y=spot[1] + 0.355 * size, font_size=size, font_weight=600, fill=ink)
    text.text = words
    styled(text, **style)


def _draw_signs(parent: Element, spot: Point, signs: str) -> None:
    """Small signs on a light ground."""
    disc(parent, spot, 0.13 * UNIT, fill=PAPER, stroke_width=1.2)
    text = add(parent, "text", x=spot[0], y=spot[1] + 6.5, font_size=18, font_weight=700, fill=EDGE, stroke="none")
    text.text = signs


def _draw_disc(parent: Element, spot: Point, radius: float, colour: str, hollow: bool) -> None:
    for style in _styles(colour, radius, hollow):
        disc(parent, spot, (0.83 if hollow else 1.0) * radius, **style)
    if not hollow:
        shine = contrasting(colour)
        disc(parent, spot, 0.78 * radius, fill="none", stroke=shine, stroke_opacity=0.16, stroke_width=1.4)


def _draw_ring(parent: Element, spot: Point, radius: float, colour: str, hollow: bool) -> None:
    width = (0.2 if hollow else 0.4) * radius
    disc(parent, spot, 0.8 * radius, fill="none", stroke_width=width + 2.4)
    disc(parent, spot, 0.8 * radius, fill="none", stroke=colour, stroke_width=width)


def _draw_polygon(
    corners: Sequence[Point], lower: float, parent: Element, spot: Point, radius: float, colour: str, hollow: bool
) -> None:
    """A shape with corners, given by distance and angle; it lies a little lower."""
    scale = (0.8 if hollow else 1.0) * radius
    middle = (spot[0], spot[1] + lower * radius)
    for style in _styles(colour, radius, hollow):
        polygon(parent, middle, [(scale * distance, angle) for distance, angle in corners], **style)


def _draw_cross(parent: Element, spot: Point, radius: float, colour: str, hollow: bool) -> None:
    x, y, arm = *spot, 0.72 * radius
    strokes = f"M{short(x - arm)} {short(y - arm)}l{short(2 * arm)} {short(2 * arm)}"
    strokes += f"m{short(-2 * arm)} 0l{short(2 * arm)} {short(-2 * arm)}"
    inks = [(EDGE, 0.42 * radius + 3.2), (colour, 0.42 * radius), *([(PAPER, 0.16 * radius)] if hollow else [])]
    for ink, width in inks:
        add(parent, "path", d=strokes, stroke=ink, stroke_width=width, stroke_linecap="round", fill="none")


def _draw_block(half: Point, parent: Element, spot: Point, radius: float, colour: str, hollow: bool) -> None:
    """A bar or a post, given by half its width and height."""
    inset = 0.13 if hollow else 0.0
    (x, y), (across, down) = spot, ((half[0] - inset) * radius, (half[1] - inset) * radius)
    for style in _styles(colour, 0.5 * radius, hollow):
        add(parent, "rect", x=x - across, y=y - down, width=2 * across, height=2 * down, rx=0.15 * radius, **style)


def _draw_icon(
    parent: Element, spot: Point, radius: float, stretch: Point, colour: str, hollow: bool, strokes: paths.Strokes
) -> None:
    """A shape of the rules: what is closed is filled, the rest are lines on it, of the colour if they are all."""
    (x, y), (across, down) = spot, (radius * ICON * stretch[0], radius * ICON * stretch[1])

    def place(point: Point) -> str:
        return f"{short(x + (point[0] - 12) * across)} {short(y + (point[1] - 12) * down)}"

    body = paths.written(tuple(one for one in strokes if one.closed), place)
    lines = paths.written(tuple(one for one in strokes if not one.closed), place)
    if body:
        for style in _styles(colour, 0.6 * radius, hollow):
            add(parent, "path", d=body, **style, **({} if hollow else {"fill_rule": "evenodd"}))
    if lines and (hollow or not body):
        for style in _styles(colour, 0.6 * radius, hollow=True):
            add(parent, "path", d=lines, **style, stroke_linecap="round")
    elif lines:
        _draw_ink(parent, lines, colour, stroke_width=0.08 * radius, stroke_linecap="round")


def _draw_ink(parent: Element, lines: str, colour: str, **style: object) -> None:
    """Lines on a thing of a colour: the same whatever the board looks like."""
    pale = contrasting(colour) == contrasting(COLOURS["white"])
    drawn = add(parent, "path", d=lines, fill="none", stroke=EDGE if pale else PAPER, **style)
    drawn.set("class", f"stroke-{'dark' if pale else 'light'}")


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


def _draw_man(name: str, parent: Element, spot: Point, radius: float, colour: str, hollow: bool) -> None:
    """A chess piece; a hollow one has the inside of the board."""
    body, lines = _MEN[name]
    scale = 1.16 * radius / 50
    place = f"translate({short(spot[0])} {short(spot[1])}) scale({short(scale)})"
    man = add(parent, "g", transform=place, stroke_width=1.6 / scale, stroke_linecap="round")
    for style in _styles(colour, 0.5 * radius / scale, hollow):
        add(man, "path", d=body + _FOOT, **style)
    if not hollow:
        _draw_ink(man, lines, colour)


STAR = [(1.12 if tip % 2 == 0 else 0.47, 36.0 * tip) for tip in range(10)]
SHAPES: dict[str, Callable[[Element, Point, float, str, bool], None]] = {
    "disc": _draw_disc, "ring": _draw_ring, "cross": _draw_cross,
    "star": partial(_draw_polygon, STAR, 0.0),
    "triangle": partial(_draw_polygon, [(1.15, 120.0 * tip) for tip in range(3)], 0.15),
    "diamond": partial(_draw_polygon, [(1.1, 90.0 * tip) for tip in range(4)], 0.0),
    "bar": partial(_draw_block, (1.1, 0.3)), "post": partial(_draw_block, (0.3, 1.1)),
    **{name: partial(_draw_man, name) for name in _MEN},
}  # fmt: skip


# -------------------------------------------------------------------------------------------- elements


def outline(parent: Element, board: Board, spot: Point, scale: float, marked: bool = True, **style: object) -> Element:
    """The outline of a cell: a square, a hexagon, or where cells are points a disc, on a graph small unless it is a
    mark."""
    if board.links or (marked and board.ground == "points"):
        return disc(parent, spot, (0.51 if marked else 0.19) * UNIT * scale, **style)
    if is_hex(board):
        return polygon(parent, spot, [(CORNER * scale, 60 * corner) for corner in range(6)], **style)
    return square(parent, spot, UNIT / 2 * scale, 0.08 * UNIT if scale < 1 else 0, **style)


def disc(parent: Element, spot: Point, radius: float, **style: object) -> Element:
    """A disc around a place."""
    return add(parent, "circle", cx=spot[0], cy=spot[1], r=radius, **style)


def square(parent: Element, spot: Point, half: float, round_by: float, **style: object) -> Element:
    """A square around a place, its corners round."""
    x, y = spot
    return add(parent, "rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=round_by, **style)


def polygon(parent: Element, spot: Point, corners: Iterable[Point], **style: object) -> Element:
    """A polygon by distance and angle of its corners; angles go clockwise from the top, in degrees."""
    x, y = spot
    points = ((x + r * sin(radians(angle)), y - r * cos(radians(angle))) for r, angle in corners)
    return add(parent, "polygon", points=" ".join(f"{short(x)},{short(y)}" for x, y in points), **style)


def group(parent: Element, name: str, **style: object) -> Element:
    """A new group of a class of its own."""
    found = add(parent, "g", **style)
    found.set("class", " ".join(filter(None, (name, found.get("class")))))
    return found


def add(parent: Element, tag: str, **style: object) -> Element:
    """A new element."""
    return styled(SubElement(parent, tag), **style)


def styled(element: Element, **style: object) -> Element:
    """The element with its attributes; the name stroke_width stands for stroke-width, and colours have classes, too."""
    for name, value in style.items():
        element.set(name.replace("_", "-"), short(value) if isinstance(value, float) else str(value))
    classes = [f"{name}-{NAMES[str(style[name])]}" for name in ("fill", "stroke") if style.get(name) in NAMES]
    if classes:
        element.set("class", " ".join(classes))
    return element


def short(number: float) -> str:
    """A number of a picture: two digits are enough behind the point."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
