"""Edges and corners of cells as data.

In: a `Grid` of squares or hexagons.  Out: its edges and its corners: as numbers 1..n with names, where they lie, which
one a cell has in a direction, and where one step leads from each.

An edge is a side of a cell, also one at the rim of the board or of a hole; two cells share the edge between them.
A corner is where edges meet.  Both are called after the first cell that has them, and the direction in which they
lie from its middle: `b2n` is the northern edge of b2, `b2ne` its northeastern corner.  They are numbered in the order
of these cells, and clockwise around each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pysolve.dsl.language.geometry import HEX_DIRECTIONS, SQUARE_DIRECTIONS, Grid

SHORT = {
    "north": "n", "northeast": "ne", "east": "e", "southeast": "se",
    "south": "s", "southwest": "sw", "west": "w", "northwest": "nw",
}  # fmt: skip
# On hexagons a corner lies between a direction and the next one clockwise.
BEHIND = {"northeast": "ene", "east": "ese", "southeast": "s", "southwest": "wsw", "west": "wnw", "northwest": "n"}
KINDS = ("edge", "corner")

Way = tuple[int, int]


@dataclass(frozen=True)
class Sites:
    """The edges of a board, or its corners.  Like cells they are numbers from 1."""

    kind: str
    names: tuple[str, ...]
    of: dict[tuple[int, int], int]  # a cell and a direction to what lies there
    steps: dict[tuple[int, int], int]  # one of them and a direction to the next one that lies like it

    @property
    def numbers(self) -> range:
        """The numbers of all of them, from 1."""
        return range(1, len(self.names) + 1)

    @cached_property
    def first(self) -> dict[int, tuple[int, int]]:
        """The first cell that has each of them, and the direction in which it lies there."""
        found: dict[int, tuple[int, int]] = {}
        for cell_and_way, number in self.of.items():
            found.setdefault(number, cell_and_way)
        return found

    @cached_property
    def cells(self) -> dict[int, list[int]]:
        """The cells that have each of them, ascending."""
        found: dict[int, set[int]] = {number: set() for number in self.numbers}
        for (cell, _), number in self.of.items():
            found[number].add(cell)
        return {number: sorted(cells) for number, cells in found.items()}


def sites_of(grid: Grid) -> dict[str, Sites]:
    """The edges and the corners of a board; none of a graph, whose cells have no sides."""
    if not grid.directions:
        return {}
    hexagons = grid.form != "square"
    compass = HEX_DIRECTIONS if hexagons else SQUARE_DIRECTIONS
    ways = [compass[name] for name in grid.directions]
    sides = {d: ways[d - 1] for d in grid.orthogonals()}
    if hexagons:
        after = [*ways[1:], ways[0]]
        ends = {d: (one[0] + two[0], one[1] + two[1]) for d, (one, two) in enumerate(zip(ways, after, strict=True), 1)}
        words = BEHIND
    else:
        ends, words = {d: ways[d - 1] for d in grid.diagonals()}, SHORT
    return {
        "edge": _sites(grid, "edge", sides, 2, SHORT, ways),
        "corner": _sites(grid, "corner", ends, 3 if hexagons else 2, words, ways),
    }


def ends_of(grid: Grid, sites: Mapping[str, Sites]) -> dict[int, list[int]]:
    """The two corners of each edge, ascending."""
    edges, corners, turns = sites["edge"].of, sites["corner"].of, len(grid.directions)
    before = 1 if grid.form == "square" else 0  # of a side, the corner clockwise has its own direction on a hexagon
    found: dict[int, list[int]] = {}
    for (cell, d), edge in edges.items():
        both = (d - 2) % turns + 1, (d - 1 + before) % turns + 1
        found.setdefault(edge, sorted({corners[cell, end] for end in both}))
    return found


def _sites(grid: Grid, kind: str, lie: dict[int, Way], parts: int, words: dict[str, str], ways: list[Way]) -> Sites:
    """The edges or corners of all cells: the places of a grid `parts` times as fine, in these ways from the cells."""
    numbers: dict[Way, int] = {}
    of: dict[tuple[int, int], int] = {}
    names: list[str] = []
    for cell, (x, y) in enumerate(grid.place, 1):
        for d, (dx, dy) in lie.items():
            spot = _around(grid, parts, (parts * x + dx, parts * y + dy))
            if spot not in numbers:
                numbers[spot] = len(numbers) + 1
                names.append(grid.cells[cell - 1] + words[grid.directions[d - 1]])
            of[cell, d] = numbers[spot]
    steps: dict[tuple[int, int], int] = {}
    for spot, number in numbers.items():
        for d, (dx, dy) in enumerate(ways, 1):
            there = numbers.get(_around(grid, parts, (spot[0] + parts * dx, spot[1] + parts * dy)), number)
            if there != number:
                steps[number, d] = there
    return Sites(kind, tuple(names), of, steps)


def _around(grid: Grid, parts: int, spot: Way) -> Way:
    """A place of the finer grid, with its coordinates taken modulo the length of a ring."""
    x, y = (at % (parts * ring) if ring else at for at, ring in zip(spot, grid.around, strict=True))
    return x, y
