"""How a glyph looks in a picture, and what else `show` says of pictures alone.

In: the words behind a glyph, the lines of `show`, and the Symbols.  Out: colours, shapes, sizes and filling, the place
of a glyph within its cell, shapes that the rules draw, the ground and what is drawn on it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from pysolve.dsl.check.elaborate import Scope
from pysolve.dsl.check.symbols import Symbols, attempt
from pysolve.dsl.errors import Span, choices, listed
from pysolve.dsl.language import geometry, paths
from pysolve.dsl.model import Icon, Under
from pysolve.dsl.text import nodes

MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")  # of chess
SHAPES = ("disc", "ring", "square", "diamond", "triangle", "cross", "star", "bar", "post", *MEN)
COLOURS = ("red", "blue", "black", "white", "green", "yellow", "orange", "purple", "grey", "brown", "cyan", "pink")
SIZES = ("small", "large")
FORMS = (*SIZES, "wide", "hollow")  # what changes a shape
PLACES = ("edge", "corner")  # of a cell
GROUNDS = ("points", "plain")
FIELD = 24  # width and height of the field on which a shape is drawn
MOST_DRAWN = 64  # icons of a game, and paths on its ground

Look = tuple[str, ...]
Side = tuple[str, str]
Line = TypeVar("Line", bound=nodes.Node)


def look_of(symbols: Symbols, words: tuple[nodes.Name, ...]) -> tuple[Look, Side | None]:
    """Colour, shape, size and filling, and where on its cell the glyph stands: in the middle, unless they say
    `edge north`."""
    look, side = list[str](), None
    shapes = (*SHAPES, *symbols.icons)
    left = list(words)
    while left:
        word = left.pop(0)
        if word.name in PLACES:
            if side is not None:
                raise symbols.reject(word.span, "a glyph stands at one place only", "leave one of the two out")
            way = left.pop(0) if left else None
            side = _side(symbols, word, way)
            continue
        if word.name not in (*shapes, *COLOURS, *FORMS):
            raise symbols.reject(word.span, f'"{word.name}" is not a colour or a shape',
                                 symbols.report.nearest(word.name, (*shapes, *COLOURS, *FORMS, *PLACES))
                                 or f"colours are {listed(COLOURS)}; shapes are {listed(shapes)}")  # fmt: skip
        for what, group in (("shape", shapes), ("colour", COLOURS), ("size", SIZES)):
            if word.name in group and any(said in group for said in look):
                raise symbols.reject(word.span, f"a look has only one {what}", "leave one of the two out")
        look.append(word.name)
    return tuple(look), side


def over(look: Look, below: Look) -> Look:
    """A look that lies over another one: what it leaves open is as below."""
    single = [group for group in (COLOURS, SIZES) if any(word in group for word in look)]
    shaped = any(is_shape(word) for word in look)
    kept = (word for word in below if not any(word in group for group in single) and not (shaped and is_shape(word)))
    return tuple(dict.fromkeys((*kept, *look)))


def is_shape(word: str) -> bool:
    """True for the word of a look that is a shape, be it one of the rules."""
    return word not in (*COLOURS, *FORMS)


def look_without(symbols: Symbols, words: tuple[nodes.Name, ...], refused: tuple[str, ...], why: str) -> Look:
    """The look of what is drawn as a line or an area: it has no place on a cell, and none of the words refused."""
    look, _ = look_of(symbols, words)
    wrong = next((word for word in words if word.name in (*refused, *SHAPES, *symbols.icons, *PLACES)), None)
    if wrong is not None:
        raise symbols.reject(wrong.span, f"{why} has no {wrong.name}", "leave it out")
    return look


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


# ------------------------------------------------------------------------------- what is said of the board


def lines_of(symbols: Symbols, node: nodes.Show | None) -> int:
    """Every how many cells a line is thicker; 0 if none is."""
    found = _only_one(symbols, node, nodes.Lines, "lines")
    return attempt(_every, symbols, found) or 0 if found is not None else 0


def _every(symbols: Symbols, node: nodes.Lines) -> int:
    grid = symbols.grid
    if grid.form != "square":
        raise symbols.reject(node.span, "only square boards have lines between their cells")
    every = Scope(symbols, place="show").constant(node.every)
    most = max(max(place) for place in grid.place) - 1
    if not 1 <= every <= most:
        raise symbols.reject(node.every.span, f"on this board lines are drawn every 1 to {most} cells, not {every}")
    return every


def ground_of(symbols: Symbols, node: nodes.Show | None) -> str:
    """What the cells look like: empty, where each differs from its neighbours."""
    found = _only_one(symbols, node, nodes.Ground, "ground")
    return attempt(_ground, symbols, found) or "" if found is not None else ""


def _ground(symbols: Symbols, node: nodes.Ground) -> str:
    form = node.form
    if form.name not in GROUNDS:
        hint = symbols.report.nearest(form.name, GROUNDS) or "without this line the cells are chequered"
        raise symbols.reject(form.span, f"ground is followed by {choices(GROUNDS)}", hint)
    if symbols.grid.form == "graph":
        raise symbols.reject(node.span, "the cells of a graph are points already", "leave this line out")
    return form.name


def icons_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Icon, ...]:
    """The shapes that the rules draw; the Symbols know them from now on."""
    found = [attempt(_icon, symbols, line) for line in _lines(symbols, node, nodes.Icon, "icon")]
    return tuple(filter(None, found))


def _icon(symbols: Symbols, node: nodes.Icon) -> Icon:
    name = node.name
    if name.name in (*SHAPES, *COLOURS, *FORMS, *PLACES):
        raise symbols.reject(name.span, f'"{name.name}" is a word of looks already', "choose another name")
    if name.name in symbols.icons:
        raise symbols.reject(name.span, f'there is already an icon "{name.name}"', "choose another name")
    symbols.icons[name.name] = ()  # no message about its uses follows from a mistake in it
    strokes = _strokes(symbols, node.path)
    ends = (number for stroke in strokes for end in stroke.ends for number in end)
    wrong = next((number for number in ends if not 0 <= number <= FIELD), None)
    if wrong is not None:
        raise symbols.reject(node.path[0][0], f"this path leaves the field of an icon: it comes to {wrong:g}",
                             f"x and y go from 0 to {FIELD}, y from the top down")  # fmt: skip
    symbols.icons[name.name] = strokes
    return Icon(name.name, strokes)


def unders_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Under, ...]:
    """What is drawn once, below everything."""
    found = [attempt(_under, symbols, line) for line in _lines(symbols, node, nodes.Under, "under")]
    return tuple(filter(None, found))


def _under(symbols: Symbols, node: nodes.Under) -> Under:
    if not symbols.grid.cells or not geometry.named_by_place(symbols.grid.cells, symbols.grid.place):
        raise symbols.reject(node.span, "this board has no columns and rows to draw on",
                             "cells of a graph have them if they are named like a1")  # fmt: skip
    look = look_without(symbols, node.look, ("wide",), "what is drawn on the ground")
    return Under(_strokes(symbols, node.path), look)


def _strokes(symbols: Symbols, texts: tuple[tuple[Span, str], ...]) -> paths.Strokes:
    """The strokes of a path that stands in one text or several."""
    try:
        strokes = paths.strokes(" ".join(text for _, text in texts))
    except paths.PathError as error:
        raise symbols.reject(_at(texts, error.at), str(error), error.hint) from None
    if not strokes:
        raise symbols.reject(texts[0][0], "this path draws nothing", "for example:  M4 4H20V20H4Z")
    return strokes


def _at(texts: tuple[tuple[Span, str], ...], at: int) -> Span:
    """The character of a path at which something is wrong."""
    for span, text in texts:
        if at < len(text):
            column = span.column + 1 + at
            return replace(span, column=column, end_line=span.line, end_column=column + 1)
        at -= len(text) + 1
    return texts[-1][0]


def _lines(symbols: Symbols, node: nodes.Show | None, kind: type[Line], word: str) -> list[Line]:
    """The lines of `show` of one kind; too many are refused."""
    found: list[Line] = [line for line in node.lines if isinstance(line, kind)] if node is not None else []
    for extra in found[MOST_DRAWN:][:1]:
        symbols.report.add(extra.span, f"show has at most {MOST_DRAWN} lines of “{word}”", "join some of them")
    return found[:MOST_DRAWN]


def _only_one(symbols: Symbols, node: nodes.Show | None, kind: type[Line], word: str) -> Line | None:
    found: list[Line] = [line for line in node.lines if isinstance(line, kind)] if node is not None else []
    for extra in found[1:]:
        symbols.report.add(extra.span, f"a second “{word}”: a board has only one", "leave one of the two out")
    return found[0] if found else None
