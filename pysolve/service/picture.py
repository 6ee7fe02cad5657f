"""A board, and what lies on it, as parts that a page draws: what `pysolve svg` draws, in pieces.

In: a board; the things on a cell; a mark.  Out: parts: [tag, attributes, text, parts].  Cells and what lies on them are
drawn around 0, 0; all else in the place that it has in the picture.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from pysolve import svg
from pysolve.dsl.model import Board
from pysolve.figures import draw_at_site, draw_pile, draw_sides
from pysolve.scene import COLOURS, Besides, Marked, Thing
from pysolve.svg import Layout

Part = list[Any]


class Picture:
    """Draws positions of a game for a page."""

    def __init__(self, board: Board):
        self._board = board
        self._places: Layout = svg.layout(board)
        self._look = lru_cache(maxsize=4096)(self._drawn)

    def board(self) -> dict[str, Any]:
        """The board without anything on it."""
        board, places = self._board, self._places
        below, between, above = Element("g"), Element("g"), Element("g")
        svg.draw_links(below, board, places)
        svg.draw_lines(between, board, places)
        svg.draw_words(above, board, places)
        cells = []
        for number, (name, (x, y)) in enumerate(places.spots.items(), 1):
            root = Element("g")
            svg.draw_cell(root, board, number, (0.0, 0.0))
            column, row = board.place[number - 1]
            cells.append({"name": name, "x": x, "y": y, "column": column, "row": row, "parts": _parts(root)})
        sites, spots = [], svg.site_spots(board, places)
        for site in board.sites:
            x, y = spots[site.name]
            root = svg.draw_site(Element("g"), board, site)
            sites.append({"name": site.name, "x": x, "y": y, "kind": site.side[0], "parts": _parts(root)})
        return {
            "box": list(places.box),
            "form": board.form,
            "cells": cells,
            "sites": sites,
            "below": _parts(below),
            "between": _parts(between),
            "above": _parts(above),
        }

    def look(self, pile: list[Thing]) -> dict[str, Any]:
        """The drawing and the name of the things on a cell, the lowest first."""
        return self._look(tuple(pile))

    def _drawn(self, pile: tuple[Thing, ...]) -> dict[str, Any]:
        root = Element("g")
        pieces = svg.piece_group(root)
        draw_pile(pieces, self._board, (0.0, 0.0), pile)
        draw_sides(pieces, self._board, (0.0, 0.0), pile)
        return {"parts": _parts(root), "label": ", ".join(filter(None, map(_name, pile)))}

    def site_look(self, pile: list[Thing]) -> dict[str, Any]:
        """The drawing, around 0, 0, and the name of the things at an edge or a corner."""
        root = Element("g")
        pieces = svg.piece_group(root)
        draw_at_site(pieces, self._board, (0.0, 0.0), pile)
        named = (_name(replace(thing, side=None)) for thing in pile)
        return {"parts": _parts(root), "label": ", ".join(filter(None, named))}

    def aside(self, one: Besides) -> dict[str, Any]:
        """The drawings of what a `beside` line puts beside the board, by headings."""
        groups = [
            {
                "label": group.label,
                "things": [{"look": self.beside(thing), "count": count} for thing, count in group.things],
            }
            for group in one.groups
        ]
        return {"title": one.title, "text": one.text, "groups": groups}

    def beside(self, thing: Thing) -> dict[str, Any]:
        """A thing beside the board; a text alone has no parts."""
        return {"parts": [], "label": thing.text} if thing.is_word else self.look([thing])

    def mark(self, mark: Marked) -> dict[str, Any]:
        """Cells that the rules mark."""
        root = Element("g")
        svg.draw_mark(root, self._board, self._places, mark)
        return {
            "cells": [cell for cell in self._board.cells if cell in mark.cells],
            "colour": COLOURS[mark.colour],
            "text": mark.text,
            "lasting": mark.lasting,
            "parts": _parts(root),
        }


def _name(thing: Thing) -> str:
    """The name of a thing on the board: `red disc`, `white king`, `blue 3`, `brown bar at the edge north`."""
    shape = "" if thing.shape == "square" else thing.shape
    place = f"at the {' '.join(thing.side)}" if thing.side else ""
    return " ".join(filter(None, (thing.colour, shape, thing.text, place)))


def _parts(root: Element) -> list[Part]:
    """The children of an element as parts, for JSON."""
    return [_part(element) for element in root]


def _part(element: Element) -> Part:
    part: Part = [element.tag, dict(element.attrib)]
    if element.text or len(element):
        part.append(element.text or "")
    if len(element):
        part.append(_parts(element))
    return part
