"""A position as a picture.

In: a position, the width of the picture, the last move, cells to mark.  Out: SVG: a board of any form with
its coordinates, the pieces as the `show` section of the rules describes them, and the marks.

One cell is `UNIT` wide in the picture's own measure, in which x grows to the right and y downwards; a viewer
scales it.  Every cell carries its name as `data-cell`, for programs that let people click.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, radians, sin, sqrt
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pysolve.display import scene, window
from pysolve.display.changes import Changed, last_changed
from pysolve.display.scene import COLOURS, Marked, Thing, Tied, is_hex, named_by_place
from pysolve.display.shapes import (
    CORNER,
    EDGE,
    GROUND,
    LAST,
    LAST_EDGE,
    LINE,
    PAPER,
    TARGET,
    UNIT,
    WORDS,
    Point,
    add,
    angle_of,
    beside,
    disc,
    draw_at_site,
    draw_pile,
    draw_sides,
    group,
    outline,
    short,
    styled,
)
from pysolve.dsl.errors import nearest
from pysolve.dsl.language import paths
from pysolve.dsl.model import Board, Game, Site
from pysolve.results import Move, Shown

RISE = sqrt(3) / 2  # rows of hexagons lie closer than their cells
MARGIN = 0.22 * UNIT
Box = tuple[float, float, float, float]
Spots = Mapping[str, Point]  # of cells, edges and corners
BESIDE = 0.5  # size of what lies beside the board
AROUND = 1.17  # size of the mark of a point where something is new: it is seen around a large stone
ROW = 0.62 * UNIT  # height of a row of it
LINES = {"": 3.0, "small": 1.6, "large": 6.0}  # width of what is drawn on the ground
FADED = 0.4  # of cells beyond which the board goes on
MARK_WIDTH = 0.09 * UNIT  # of the line around what the rules mark
LETTERS = 17.0  # size of what is written where there is no board
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"


def draw(
    position: Shown, size: int = 400, last: Move | None = None, targets: Sequence[str] = (), whole: bool = False
) -> str:
    """The picture, `size` points wide; `targets` are names of cells.  `whole` shows also the part of a large board that
    is not in use.

    Raises `ValueError` for a name that is none.
    """
    model, board = position.game.model, position.game.model.board
    known = scene.places_of(board)
    for name in targets:
        if name not in known:
            raise ValueError(f'the board has no cell "{name}". {nearest(name, known)}'.strip())
    if not board.cells:
        return _written(position, size)
    moved = last_changed(position, last)
    shown = window.cut(board, ()) if whole else window.shown_cells(position, [*moved.places, *targets])
    places = layout(board, shown)
    sites = site_spots(board, places)
    piles = dict(zip(board.cells, scene.things(position, ground=False), strict=True))
    at_sites = scene.site_things(model, position.state)
    rows = scene.aside_rows(scene.asides(position))
    root = _root(_with_rows(places.box, len(rows)), size)
    SubElement(root, "title").text = _title(position)
    _draw_ground(group(root, "cells"), model, places, sites, shown)
    _draw_last(root, board, moved, places.spots | sites, {**piles, **at_sites})
    for tied in scene.ties(position):
        draw_tie(root, places, tied)
    pieces = piece_group(root)
    piles = {name: piles[name] for name in places.spots}
    for name, pile in piles.items():
        draw_pile(pieces, board, places.spots[name], pile)
    draw_lines(root, board, places)
    between = piece_group(root)
    for name, pile in piles.items():
        draw_sides(between, board, places.spots[name], pile)
    for name, pile in at_sites.items():
        draw_at_site(between, board, sites[name], pile)
    for mark in scene.marks(position):
        draw_mark(root, board, places, mark)
    for name in targets:
        _draw_target(group(root, "target"), (places.spots | sites)[name], bool(piles.get(name)))
    draw_words(root, board, places)
    draw_asides(root, board, places, rows)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _draw_ground(cells: Element, model: Game, places: Layout, sites: Spots, shown: Collection[int]) -> None:
    """Draws the cells, their edges and corners, and what lies on the ground."""
    board = model.board
    draw_links(cells, board, places)
    goes_on = window.rim(board, shown)
    for number, (name, spot) in zip(shown, places.spots.items(), strict=True):
        cell = draw_cell(cells, board, number, spot)
        cell.set("data-cell", name)
        if number in goes_on:
            styled(cell, opacity=FADED)
    draw_unders(cells, board)
    draw_ground_things(cells, board, places, scene.ground_things(model))
    for site in board.sites:
        draw_site(group(cells, "site", transform=_moved(sites[site.name])), board, site).set("data-site", site.name)


def _draw_last(root: Element, board: Board, moved: Changed, spots: Spots, piles: Mapping[str, Sequence[Thing]]) -> None:
    """Marks the places that a move has left and those where something is new: the wall there, or the place itself."""
    sites = {site.name: site for site in board.sites}
    for names, strong in ((moved.left, 0.3), (moved.landed, 0.62)):
        if not names:
            continue
        marks = group(root, "last", fill=LAST, fill_opacity=strong, stroke=LAST_EDGE, stroke_width=3)
        for name in (one for one in names if one in spots):
            pile = piles.get(name, ())
            if pile and (name in sites or all(thing.side is not None for thing in pile)):
                wall = _wall_mark(marks)
                (draw_at_site if name in sites else draw_sides)(wall, board, spots[name], pile)
                _uncoloured(wall)
            elif name in sites:
                site_outline(group(marks, "site", transform=_moved(spots[name])), board, sites[name])
            else:
                outline(marks, board, spots[name], AROUND if board.ground == "points" else 0.95)


def _wall_mark(parent: Element) -> Element:
    """The group of what marks something between cells: its outline, wider than it is."""
    return group(parent, "wall", fill="none", stroke=LAST, stroke_width=9, stroke_opacity=1, stroke_linejoin="round")


def _uncoloured(root: Element) -> None:
    """Leaves to a group all colours of what is in it."""
    for element in root.iter():
        if element is not root and element.tag != "g":
            for name in ("fill", "stroke", "stroke-width", "class"):
                element.attrib.pop(name, None)


def _written(position: Shown, size: int) -> str:
    """The picture of a game without a board: what stands beside one."""
    lines, rows = scene.beside(position), scene.aside_rows(scene.asides(position))
    root = _root(written_box(lines, rows), size)
    SubElement(root, "title").text = _title(position)
    draw_written(root, position.game.model.board, lines, rows)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


Rows = Mapping[str, Sequence[tuple[Thing, str]]]  # what lies beside the board


def written_box(lines: Sequence[str], rows: Rows) -> Box:
    """The size of a picture that holds these lines, and below them these rows."""
    left, top, width, height = _lines_box(lines)
    most = max([0, *map(len, rows.values())])
    return _with_rows((left, top, max(width, _begin(left, rows) + BESIDE * UNIT * most + MARGIN), height), len(rows))


def _lines_box(lines: Sequence[str]) -> Box:
    width = 2 * MARGIN + 0.56 * LETTERS * max([10, *map(len, lines)])
    return 0.0, 0.0, width, 2 * MARGIN + 1.4 * LETTERS * len(lines)


def draw_written(root: Element, board: Board, lines: Sequence[str], rows: Rows) -> None:
    """Lines of text, and below them rows of things."""
    draw_beside(root, lines)
    _, _, width, _ = written_box(lines, rows)
    left, top, _, height = _lines_box(lines)
    draw_asides(root, board, Layout({}, [], LETTERS, (left, top, width, height)), rows)


def draw_beside(root: Element, lines: Sequence[str]) -> None:
    """Lines of text, one below the other."""
    words = group(root, "beside", fill=WORDS, font_size=LETTERS, text_anchor="start")
    for number, line in enumerate(lines):
        add(words, "text", x=MARGIN, y=MARGIN + LETTERS * (1.4 * number + 1)).text = line


def _with_rows(box: Box, count: int) -> Box:
    """A box with room for so many rows below the board."""
    left, top, width, height = box
    return left, top, width, height + ROW * count


def _begin(left: float, rows: Rows) -> float:
    """Where things begin, behind the headings of their rows."""
    return left + MARGIN + 0.56 * LETTERS * (max(map(len, rows), default=0) + 1)


def draw_asides(root: Element, board: Board, places: Layout, rows: Rows) -> None:
    """Draws what lies beside the board: a row for each heading, below the board."""
    left, top, width, height = places.box
    parent = group(root, "asides", fill=WORDS, font_size=LETTERS, text_anchor="start")
    begin = _begin(left, rows)
    for number, (label, items) in enumerate(rows.items()):
        y = top + height + ROW * (number + 0.5) - 0.5 * MARGIN
        add(parent, "text", x=left + MARGIN, y=y + 0.355 * LETTERS).text = label
        room = [max(BESIDE * UNIT, 0.56 * LETTERS * (len(text or thing.text) + 1)) for thing, text in items]
        tight = min(1.0, (left + width - MARGIN - begin) / max(1.0, sum(room)))
        x = begin
        for (thing, text), wide in zip(items, room, strict=True):
            if text:
                add(parent, "text", x=x, y=y + 0.355 * LETTERS).text = text
            else:
                spot = (
                    f"translate({short(x + 0.5 * BESIDE * UNIT)} {short(y)}) scale({short(BESIDE * max(0.4, tight))})"
                )
                one = group(piece_group(parent), "aside", transform=spot, text_anchor="middle")
                draw_pile(one, board, (0.0, 0.0), [thing])
            x += tight * wide


def _title(position: Shown) -> str:
    outcome = position.outcome
    return f"{position.game.title}: {outcome if outcome is not None else f'{position.to_move} to move'}"


# -------------------------------------------------------------------------------------------- places


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all parts of a board in its picture."""

    spots: dict[str, Point]  # the centre of each cell
    words: list[tuple[str, Point]]  # the coordinates
    font: float  # their size
    box: tuple[float, float, float, float]  # left, top, width, height


def layout(board: Board, shown: Collection[int] | None = None) -> Layout:
    """The places of a board, or of some of its cells."""
    board = board if shown is None else window.part(board, shown)
    spots, font = _spots(board), _font_size(board)
    words = _words(board, spots, font)
    box = _box(board, spots, [*words, *((" ", point) for point in reached(board))], font)
    return Layout(dict(zip(board.cells, spots, strict=True)), words, font, box)


def reached(board: Board) -> Iterator[Point]:
    """The points between which lies what is drawn on the ground."""
    for under in board.unders:
        yield from (_at(board, point) for stroke in under.strokes for point in stroke.points)


def site_spots(board: Board, places: Layout) -> dict[str, Point]:
    """The points of the edges and corners of a board that are drawn, by name."""
    spots = list(places.spots.values())
    found = ((site, spots[site.cell - 1], beside(board, site.side)) for site in board.sites)
    return {site.name: (x + dx, y + dy) for site, (x, y), (dx, dy) in found}


def _moved(spot: Point) -> str:
    return f"translate({short(spot[0])} {short(spot[1])})"


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


def _at(board: Board, point: Point) -> Point:
    """A place in columns and rows, as cells are named; the columns of a hex board lean to the right."""
    x, y = point
    return _point(board, x + y / 2 if is_hex(board) else x, y)


def _words(board: Board, spots: Sequence[Point], font: float) -> list[tuple[str, Point]]:
    """The coordinates and where they stand: two digits fit beside a cell."""
    beside = 0.58 + 0.62 * font / UNIT
    if board.links and not named_by_place(board):
        return [(name, (x, y + 0.62 * UNIT)) for name, (x, y) in zip(board.cells, spots, strict=True)]
    steps = ((label, beside * label.dx, beside * label.dy) for label in scene.labels(board))
    return [(label.text, _point(board, label.x + dx, label.y + dy)) for label, dx, dy in steps]


def _font_size(board: Board) -> float:
    """The size of coordinates; cells of a large board are small in the picture, and coordinates less so."""
    columns = [x for x, _ in board.place] or [0]
    across = max(columns) - min(columns) + 1
    return 17.0 if board.links else min(28.0, max(17.0, 1.8 * across))


def _box(
    board: Board, spots: Iterable[Point], words: Iterable[tuple[str, Point]], font: float
) -> tuple[float, float, float, float]:
    """Left, top, width and height of a picture that is large enough for cells and coordinates."""
    half, high = UNIT / 2, CORNER if is_hex(board) else UNIT / 2
    sides = [(x - half, x + half, y - high, y + high) for x, y in spots]
    half, high = 0.3 * font, 0.55 * font
    sides += [(x - half * len(word), x + half * len(word), y - high, y + high) for word, (x, y) in words]
    if not sides:
        return written_box((), {})
    left, top = min(side[0] for side in sides) - MARGIN, min(side[2] for side in sides) - MARGIN
    width = max(side[1] for side in sides) + MARGIN - left
    height = max(side[3] for side in sides) + MARGIN - top
    return left, top, width, height


def _root(box: tuple[float, float, float, float], size: int) -> Element:
    """An empty picture."""
    left, top, width, height = box
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "font-family": FONT, "text-anchor": "middle",
        "viewBox": " ".join(map(short, box)), "width": str(size), "height": str(round(size * height / width)),
    })  # fmt: skip
    add(root, "rect", x=left, y=top, width=width, height=height, rx=10, fill=PAPER)
    return root


# ---------------------------------------------------------------------------------------- the board


def draw_links(parent: Element, board: Board, places: Layout) -> None:
    """Draws the lines between the cells of a graph board."""
    points = list(places.spots.values())
    for line in board.links:
        for one, other in pairwise(line):
            (x1, y1), (x2, y2) = points[one - 1], points[other - 1]
            add(parent, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=LINE, stroke_width=3)


def draw_cell(parent: Element, board: Board, number: int, spot: Point) -> Element:
    """An empty cell; where pieces stand on points, with lines to those beside it."""
    ground = GROUND[scene.shade(board, number)]
    if board.ground != "points":
        return outline(parent, board, spot, 1.0, False, fill=ground, stroke=LINE, stroke_width=1.2)
    cell = outline(parent, board, spot, 1.0, False, fill=ground, stroke=ground, stroke_width=0.8)
    ways = scene.line_ends(board, number)
    path = "".join(f"M{short(spot[0])} {short(spot[1])}l{short(dx)} {short(dy)}"
                   for dx, dy in (_point(board, x / 2, y / 2) for x, y in ways))  # fmt: skip
    if path:
        add(parent, "path", d=path, fill="none", stroke=WORDS, stroke_width=1.6, stroke_linecap="round")
    return cell


def draw_unders(parent: Element, board: Board) -> None:
    """What the rules draw once on the ground: what is closed is filled, unless it is hollow, all else are lines."""
    for under in board.unders:
        colour = next((COLOURS[word] for word in under.look if word in COLOURS), WORDS)
        width = next((LINES[word] for word in under.look if word in LINES), LINES[""])
        for closed in (True, False):
            strokes = tuple(stroke for stroke in under.strokes if stroke.closed is closed)
            path = paths.written(strokes, lambda point: " ".join(map(short, _at(board, point))))
            if path and closed and "hollow" not in under.look:
                add(parent, "path", d=path, fill=colour, fill_rule="evenodd")
            elif path:
                add(parent, "path", d=path, fill="none", stroke=colour, stroke_width=width,
                    stroke_linecap="round", stroke_linejoin="round")  # fmt: skip


def draw_ground_things(parent: Element, board: Board, places: Layout, piles: Iterable[Sequence[Thing]]) -> None:
    """What never changes, below what comes and goes."""
    lying = piece_group(Element("g"))
    for name, pile in zip(board.cells, piles, strict=True):
        if not pile:
            continue
        spot = places.spots[name]
        draw_pile(lying, board, spot, pile)
        draw_sides(lying, board, spot, pile)
    if len(lying):
        parent.append(lying)


def draw_tie(parent: Element, places: Layout, tied: Tied) -> None:
    """A line between two cells."""
    spots = list(places.spots.values())
    (x1, y1), (x2, y2) = (spots[cell - 1] for cell in tied.cells)
    add(parent, "line", x1=x1, y1=y1, x2=x2, y2=y2, **tie_style(tied))


def tie_style(tied: Tied) -> dict[str, object]:
    """What a line between two cells looks like."""
    width = 2 * LINES[tied.size]
    return {"stroke": COLOURS.get(tied.colour, EDGE), "stroke_width": width, "stroke_linecap": "round"}


def site_outline(parent: Element, board: Board, site: Site, **style: object) -> Element:
    """The outline of an edge or a corner, around 0, 0."""
    if site.side[0] == "corner":
        return disc(parent, (0.0, 0.0), 0.15 * UNIT, **style)
    turn = angle_of(board, site.side)
    half, thick = (CORNER / 2 if is_hex(board) else UNIT / 2) - 0.12 * UNIT, 0.1 * UNIT
    return add(parent, "rect", x=-half, y=-thick, width=2 * half, height=2 * thick, rx=thick,
               transform=f"rotate({short(turn)})", **style)  # fmt: skip


def draw_site(parent: Element, board: Board, site: Site) -> Element:
    """An edge or a corner on which nothing lies: its outline, which is not seen, and a point for a corner."""
    site_outline(parent, board, site, fill="none", stroke="none")
    if site.side[0] == "corner":
        disc(parent, (0.0, 0.0), 0.05 * UNIT, fill=WORDS)
    return parent


def draw_lines(parent: Element, board: Board, places: Layout) -> None:
    """The thicker lines between the cells of a board that has some."""
    for (x1, y1), (x2, y2) in scene.lines(board):
        (left, low), (right, high) = _point(board, x1, y1), _point(board, x2, y2)
        add(parent, "line", x1=left, y1=low, x2=right, y2=high, stroke=EDGE, stroke_width=4, stroke_opacity=0.75)


def piece_group(parent: Element) -> Element:
    """The group in which things lie on cells; their lines are its."""
    return group(parent, "pieces", stroke=EDGE, stroke_width=1.6, stroke_linejoin="round")


def draw_mark(root: Element, board: Board, places: Layout, mark: Marked) -> None:
    """The sides of marked cells behind which nothing is marked.

    What is marked along the edge of the board for good, as the sides in Hex, has a line there and nowhere else.
    """
    parent, spots = group(root, "mark", stroke=COLOURS[mark.colour], stroke_linecap="round"), places.spots
    SubElement(parent, "title").text = mark.text
    by_place = dict(zip(board.place, board.cells, strict=True))
    inset = MARK_WIDTH * (0.6 + 1.1 * mark.depth)  # marks of one cell lie side by side
    sides = [] if board.links else list(sides_of(board, inset))
    behind = {
        name: [by_place.get((x + dx, y + dy)) for (dx, dy), _, _ in sides]
        for name, (x, y) in zip(board.cells, board.place, strict=True)
        if name in mark.cells
    }
    edge_alone = mark.lasting and all(None in cells for cells in behind.values())
    for name, cells in behind.items():
        cx, cy = spots[name]
        if board.links:
            disc(parent, spots[name], 0.5 * UNIT + inset, fill="none", stroke_width=MARK_WIDTH)
        for (_, (x1, y1), (x2, y2)), cell in zip(sides, cells, strict=True):
            if cell is None or not (edge_alone or cell in mark.cells):
                add(parent, "line", x1=cx + x1, y1=cy + y1, x2=cx + x2, y2=cy + y2, stroke_width=MARK_WIDTH)


def sides_of(board: Board, inset: float) -> Iterator[tuple[tuple[int, int], Point, Point]]:
    """For each side of a cell the step to the cell behind it, and its ends, seen from the centre."""
    square, hexagon = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    steps = hexagon if is_hex(board) else square
    turn = 360 / len(steps)
    first = 0.0 if is_hex(board) else -45.0
    radius = CORNER - inset / cos(pi / 6) if is_hex(board) else (UNIT / 2 - inset) * sqrt(2)
    ends = [radians(first + turn * corner) for corner in range(len(steps) + 1)]
    for step, one, other in zip(steps, ends, ends[1:], strict=False):
        yield step, (radius * sin(one), -radius * cos(one)), (radius * sin(other), -radius * cos(other))


def draw_words(root: Element, board: Board, places: Layout) -> None:
    """The coordinates."""
    halo = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"} if board.links else {}
    parent, font = group(root, "coordinates", fill=WORDS, **halo), places.font
    for word, (x, y) in places.words:
        add(parent, "text", x=x, y=y + 0.355 * font, font_size=font).text = word


def _draw_target(parent: Element, spot: Point, occupied: bool) -> None:
    """A dot on an empty cell, a ring round a piece."""
    if occupied:
        disc(parent, spot, 0.43 * UNIT, fill="none", stroke=TARGET, stroke_width=4, stroke_opacity=0.85)
    else:
        disc(parent, spot, 0.14 * UNIT, fill=TARGET, fill_opacity=0.8)
