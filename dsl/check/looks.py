"""How a glyph looks in a picture, and what else `show` says of pictures alone.

In: the words behind a glyph, the lines of `show`, and the Symbols.  Out: colours and shapes, the place of a glyph
within its cell, thicker lines between the cells.
"""

from __future__ import annotations

from pysolve.dsl.check.elaborate import Scope
from pysolve.dsl.check.symbols import Symbols, attempt
from pysolve.dsl.errors import choices, listed
from pysolve.dsl.model import geometry
from pysolve.dsl.text import nodes

MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")  # of chess
SHAPES = ("disc", "ring", "square", "diamond", "triangle", "cross", "star", "bar", "post", *MEN)
COLOURS = ("red", "blue", "black", "white", "green", "yellow", "orange", "purple", "grey", "brown", "cyan", "pink")
PLACES = ("edge", "corner")  # of a cell

Look = tuple[str, ...]
Side = tuple[str, str]


def look_of(symbols: Symbols, words: tuple[nodes.Name, ...]) -> tuple[Look, Side | None]:
    """Colours and shapes, and where on its cell the glyph stands: in the middle, unless they say `edge north`."""
    look, side = list[str](), None
    left = list(words)
    while left:
        word = left.pop(0)
        if word.name in PLACES:
            if side is not None:
                raise symbols.reject(word.span, "a glyph stands at one place only", "leave one of the two out")
            way = left.pop(0) if left else None
            side = _side(symbols, word, way)
        elif word.name in (*SHAPES, *COLOURS):
            look.append(word.name)
        else:
            raise symbols.reject(word.span, f'"{word.name}" is not a colour or a shape',
                                 symbols.report.nearest(word.name, (*SHAPES, *COLOURS, *PLACES))
                                 or f"colours are {listed(COLOURS)}; shapes are {listed(SHAPES)}")  # fmt: skip
    return tuple(look), side


def _side(symbols: Symbols, place: nodes.Name, way: nodes.Name | None) -> Side:
    form = symbols.grid.form
    ways = geometry.sides(form, place.name)
    if not ways:
        raise symbols.reject(place.span, f"the cells of a graph have no {place.name}s")
    if way is None or way.name not in ways:
        hint = symbols.report.nearest(way.name, ways) if way is not None else ""
        raise symbols.reject((way or place).span, f"{place.name} is followed by {choices(ways)}",
                             hint or f"for example:  {place.name} {ways[0]}")  # fmt: skip
    return place.name, way.name


def lines_of(symbols: Symbols, node: nodes.Show | None) -> int:
    """Every how many cells a line is thicker; 0 if none is."""
    found = [line for line in node.lines if isinstance(line, nodes.Lines)] if node is not None else []
    for extra in found[1:]:
        symbols.report.add(extra.span, "a second “lines”: a board has only one", "leave one of the two out")
    return attempt(_every, symbols, found[0]) or 0 if found else 0


def _every(symbols: Symbols, node: nodes.Lines) -> int:
    grid = symbols.grid
    if grid.form != "square":
        raise symbols.reject(node.span, "only square boards have lines between their cells")
    every = Scope(symbols, place="show").constant(node.every)
    most = max(max(place) for place in grid.place) - 1
    if not 1 <= every <= most:
        raise symbols.reject(node.every.span, f"on this board lines are drawn every 1 to {most} cells, not {every}")
    return every
