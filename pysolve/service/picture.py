"""A board, and what lies on it, as parts that a page draws: what `pysolve svg` draws, in pieces.

In: a board; the things on a cell; a mark.  Out: parts: [tag, attributes, text, parts].  Cells and what lies on them are
drawn around 0, 0; all else in the place that it has in the picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from pysolve.display import scene, svg
from pysolve.display.scene import COLOURS, Besides, Marked, Thing, Tied
from pysolve.display.shapes import draw_at_site, draw_pile, draw_sides
from pysolve.display.svg import Layout
from pysolve.display.window import cut, rim
from pysolve.dsl.model import Game

Part = list[Any]


class Picture:
    """Draws positions of a game for a page."""

    def __init__(self, game: Game):
        board = self._board = game.board
        self._ground = scene.ground_things(game)
        self._places: Layout = svg.layout(board)
        self._look = lru_cache(maxsize=4096)(self._drawn)

    @property
    def spots(self) -> list[tuple[float, float]]:
        """The centre of each cell."""
        return list(self._places.spots.values())

    def board(self) -> dict[str, Any]:
        """The board without anything on it."""
        board, places = self._board, self._places
        below, under, between, above = Element("g"), Element("g"), Element("g"), Element("g")
        svg.draw_links(below, board, places)
        svg.draw_unders(under, board)
        svg.draw_ground_things(under, board, places, self._ground)
        svg.draw_lines(between, board, places)
        svg.draw_words(above, board, places)
        cells = []
        for number, (name, (x, y)) in enumerate(places.spots.items(), 1):
            root = Element("g")
            svg.draw_cell(root, board, number, (0.0, 0.0))
            column, row = board.place[number - 1]
            cells.append({
                "name": name, "x": x, "y": y, "column": column, "row": row, "parts": _parts(root),
                "label": _names(self._ground[number - 1]),
            })  # fmt: skip
        sites, spots = [], svg.site_spots(board, places)
        for site in board.sites:
            x, y = spots[site.name]
            root = svg.draw_site(Element("g"), board, site)
            sites.append({"name": site.name, "x": x, "y": y, "kind": site.side[0], "parts": _parts(root)})
        return {
            "box": list(places.box),
            "form": board.form,
            "points": bool(board.links) or board.ground == "points",
            "cells": cells,
            "sites": sites,
            "below": _parts(below),
            "under": _parts(under),
            "between": _parts(between),
            "above": _parts(above),
        }

    def window(self, used: Collection[int]) -> dict[str, Any] | None:
        """The part of the board that is shown while these cells are in use; none where that is all of it."""
        board = self._board
        cells = cut(board, used)
        if len(cells) == len(board.cells):
            return None
        places, above = svg.layout(board, cells), Element("g")
        svg.draw_words(above, board, places)
        goes_on = rim(board, cells)
        return {
            "box": list(places.box),
            "cells": list(places.spots),
            "rim": [name for cell, name in zip(cells, places.spots, strict=True) if cell in goes_on],
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
        return {"parts": _parts(root), "label": _names(pile)}

    def site_look(self, pile: list[Thing]) -> dict[str, Any]:
        """The drawing, around 0, 0, and the name of the things at an edge or a corner."""
        root = Element("g")
        pieces = svg.piece_group(root)
        draw_at_site(pieces, self._board, (0.0, 0.0), pile)
        named = (_name(replace(thing, side=None)) for thing in pile)
        return {"parts": _parts(root), "label": ", ".join(filter(None, named))}

    def aside(self, one: Besides) -> dict[str, Any]:
        """The drawings of what a line of the rules puts beside the board, by headings."""
        groups = [
            {
                "label": group.label,
                "player": group.player,
                "things": [
                    {"look": self.beside(item.thing), "count": item.count, "value": item.value, "note": item.note}
                    for item in group.items
                ],
            }
            for group in one.groups
        ]
        return {"title": one.title, "text": one.text, "groups": groups}

    def beside(self, thing: Thing) -> dict[str, Any]:
        """A thing beside the board; a text alone has no parts."""
        return {"parts": [], "label": thing.text} if thing.is_word else self.look([thing])

    def tie(self, tied: Tied) -> Part:
        """A line between two cells."""
        root = Element("g")
        svg.draw_tie(root, self._places, tied)
        return _part(root[0])

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


def _names(pile: Iterable[Thing]) -> str:
    """The names of the things on a cell, the lowest first."""
    return ", ".join(filter(None, map(_name, scene.composed(pile))))


def _name(thing: Thing) -> str:
    """The name of a thing on the board: `red disc`, `small hollow king`, `blue 3`, `brown bar at the edge north`."""
    formed = thing.is_formed
    shape = "" if thing.shape == "square" and not formed else thing.shape.replace("_", " ")
    place = f"at the {' '.join(thing.side)}" if thing.side else ""
    filling = (thing.size, "wide" if thing.wide else "", "hollow" if thing.hollow else "")
    return " ".join(filter(None, (*(filling if shape else ()), thing.colour, shape, thing.text, place)))


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
