"""A position as a small picture for a list of games.

In: a position.  Out: SVG of a few kilobytes, complete in itself, without coordinates: cells of one colour are one path,
and what lies on several cells is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

from pysolve.display import scene, svg
from pysolve.display.scene import Thing, is_hex
from pysolve.display.shapes import CORNER, GROUND, LINE, UNIT, add, draw_at_site, draw_pile, draw_sides, short
from pysolve.dsl.model import Board
from pysolve.results import Shown

MARGIN = 4.0


def thumbnail(position: Shown) -> str:
    """The picture of a position; empty where nothing is drawn, since values in words are no picture."""
    model = position.game.model
    board, places = model.board, svg.layout(model.board)
    spots = list(places.spots.values())
    if not board.cells:
        rows = scene.aside_rows(scene.asides(position))
        return _lying(board, rows) if any(thing.is_seen for row in rows.values() for thing, _ in row) else ""
    half, high = UNIT / 2 + MARGIN, (CORNER if is_hex(board) else UNIT / 2) + MARGIN
    sides = [(x - half, x + half, y - high, y + high) for x, y in spots]
    sides += [(x - MARGIN, x + MARGIN, y - MARGIN, y + MARGIN) for x, y in svg.reached(board)]
    left, top = min(side[0] for side in sides), min(side[2] for side in sides)
    width, height = max(side[1] for side in sides) - left, max(side[3] for side in sides) - top
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": " ".join(map(short, (left, top, width, height))),
        "font-family": "sans-serif", "text-anchor": "middle",
    })  # fmt: skip
    svg.draw_links(root, board, places)
    _draw_cells(root, board, spots)
    svg.draw_unders(root, board)
    svg.draw_ground_things(root, board, places, scene.ground_things(model))
    for tied in scene.ties(position):
        svg.draw_tie(root, places, tied)
    piles = scene.things(position, ground=False)
    _draw_things(svg.piece_group(root), board, spots, piles)
    svg.draw_lines(root, board, places)
    between = svg.piece_group(root)
    for spot, things in zip(spots, piles, strict=True):
        draw_sides(between, board, spot, things)
    site_spots = svg.site_spots(board, places)
    for name, pile in scene.site_things(model, position.state).items():
        draw_at_site(between, board, site_spots[name], pile)
    for mark in scene.marks(position):
        if mark.lasting:
            svg.draw_mark(root, board, places, mark)
    for element in root.iter():
        element.attrib.pop("class", None)
    return tostring(root, encoding="unicode")


def _lying(board: Board, rows: svg.Rows) -> str:
    """A picture of what lies beside the board, for a game without a board, on a ground as boards have."""
    x, y, width, height = box = svg.written_box([], rows)
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": " ".join(map(short, box)), "font-family": "sans-serif",
    })  # fmt: skip
    add(root, "rect", x=x, y=y, width=width, height=height, rx=8, fill=GROUND[0])
    svg.draw_written(root, board, [], rows)
    for element in root.iter():
        element.attrib.pop("class", None)
    return tostring(root, encoding="unicode")


def _draw_cells(root: Element, board: Board, spots: list[tuple[float, float]]) -> None:
    """The cells, those of one colour as one path."""
    if board.ground == "points":
        for number, spot in enumerate(spots, 1):
            svg.draw_cell(root, board, number, spot)
        return
    outline = _outline(board)
    for shade, ground in enumerate(GROUND):
        centres = [spot for cell, spot in enumerate(spots, 1) if scene.shade(board, cell) == shade]
        if centres:
            path = "".join(f"M{short(x)} {short(y)}{outline}" for x, y in centres)
            add(root, "path", d=path, fill=ground, stroke=LINE, stroke_width=1.2)


def _outline(board: Board) -> str:
    """The outline of a cell as a path that begins at its centre."""
    if board.links:
        radius, across = short(0.19 * UNIT), short(0.38 * UNIT)
        arc = f"a{radius} {radius} 0 1 0"
        return f"m-{radius} 0{arc} {across} 0{arc} -{across} 0z"
    half = UNIT / 2
    if is_hex(board):
        side, low = short(half), short(CORNER / 2)
        return f"m0 {short(-CORNER)}l{side} {low}v{short(CORNER)}l-{side} {low}l-{side} -{low}v{short(-CORNER)}z"
    return f"m{short(-half)} {short(-half)}h{short(UNIT)}v{short(UNIT)}h{short(-UNIT)}z"


def _draw_things(
    root: Element, board: Board, spots: Iterable[tuple[float, float]], piles: Iterable[list[Thing]]
) -> None:
    """Draws the things on the cells; each distinct pile is defined once and used several times."""
    places: dict[tuple[Thing, ...], list[tuple[float, float]]] = {}
    for spot, things in zip(spots, piles, strict=True):
        here = [thing for thing in things if thing.side is None]
        if here:
            places.setdefault(tuple(here), []).append(spot)
    for number, (pile, where) in enumerate(places.items()):
        if len(where) == 1:
            draw_pile(root, board, where[0], pile)
            continue
        first, *others = where
        drawn = add(root, "g", id=f"p{number}")
        draw_pile(drawn, board, first, pile)
        for x, y in others:
            add(root, "use", href=f"#p{number}", x=x - first[0], y=y - first[1])
