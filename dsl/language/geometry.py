"""Boards as data.

In: the form of a board, its sizes, a drawn shape or the lines of a graph.  Out: a `Grid`: cells as numbers
1..n with names, column and row of each (from 1 at the lower left), where one step in each direction leads,
and the straight lines.

Cells are numbered row by row from the lower left: a1, b1, c1, …, a2, b2, …; directions go round clockwise
from north.  On a hex board a row lies half a cell to the right of the row below, so that the cell above to
the left is one row up and one column back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

SQUARE_DIRECTIONS = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
HEX_DIRECTIONS = {
    "northeast": (0, 1), "east": (1, 0), "southeast": (1, -1),
    "southwest": (0, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
# Where the edges and corners of a cell lie, clockwise from the top.
SQUARE_SIDES = {
    "edge": ("north", "east", "south", "west"),
    "corner": ("northeast", "southeast", "southwest", "northwest"),
}
HEX_SIDES = {
    "edge": ("northeast", "east", "southeast", "southwest", "west", "northwest"),
    "corner": ("north", "northeast", "southeast", "south", "southwest", "northwest"),
}


def sides(form: str, place: str) -> tuple[str, ...]:
    """The edges or the corners of a cell, clockwise; those of a board of this form."""
    if form == "graph":
        return ()
    return (SQUARE_SIDES if form == "square" else HEX_SIDES)[place]


PLACED = 3  # digits of the row in the name of a cell that lies at that place
ORTHOGONAL = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Grid:
    """A board.  Cells and directions are numbers from 1; `steps[cell, direction]` is the next cell."""

    form: str
    cells: tuple[str, ...]
    place: tuple[tuple[int, int], ...]  # column, row
    directions: tuple[str, ...]
    steps: dict[tuple[int, int], int]
    links: tuple[tuple[int, ...], ...]  # a graph board: its lines, each from end to end
    around: tuple[int, int] = (0, 0)  # after so many columns, or rows, the first one follows again; 0: none does

    @property
    def numbers(self) -> range:
        """The numbers of all cells, from 1."""
        return range(1, len(self.cells) + 1)

    @property
    def ways(self) -> range:
        """The numbers of all directions, from 1."""
        return range(1, len(self.directions) + 1)

    def neighbours(self, cell: int) -> list[int]:
        """The cells one step away, ascending."""
        found = {self.steps[cell, d] for d in self.ways if (cell, d) in self.steps}
        return sorted(found | self._linked.get(cell, set()))

    @cached_property
    def _linked(self) -> dict[int, set[int]]:
        """On a graph board the cells that a line leads to directly."""
        found: dict[int, set[int]] = defaultdict(set)
        for line in self.links:
            for a, b in pairwise(line):
                found[a].add(b)
                found[b].add(a)
        return found

    @cached_property
    def _lines_through(self) -> dict[int, list[tuple[int, ...]]]:
        """On a graph board the lines through a cell, in the order of the rules."""
        found: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for line in self.links:
            for cell in dict.fromkeys(line):
                found[cell].append(line)
        return found

    def ray(self, cell: int, direction: int) -> list[int]:
        """The cells beyond `cell` in a direction, nearest first; on a ring, once around."""
        return ray(self.steps, cell, direction)

    @property
    def several_ways(self) -> bool:
        """True if there may be two straight ways from a cell to another."""
        return any(self.around) or self.form == "graph"

    def lines_from(self, cell: int) -> list[list[int]]:
        """All rays from `cell`: by direction, then along the lines of a graph board."""
        rays = [self.ray(cell, d) for d in self.ways]
        for line in self._lines_through.get(cell, ()):
            at = line.index(cell)
            rays += [list(reversed(line[:at])), list(line[at + 1 :])]
        return [ray for ray in rays if ray]

    @cached_property
    def between(self) -> dict[tuple[int, int], list[int]]:
        """For each pair of cells on one line, the cells between them; of several lines the shortest.  All ascending."""
        found: dict[tuple[int, int], list[int]] = {}
        for cell in self.numbers:
            ways: dict[int, list[int]] = {}
            for ray in self.lines_from(cell):
                for i, other in enumerate(ray):
                    if other not in ways or i < len(ways[other]):
                        ways[other] = ray[:i]
            found |= {(cell, other): sorted(ways[other]) for other in sorted(ways)}
        return found

    def edge(self, direction: int) -> list[int]:
        """The cells from which no step leads in a direction."""
        return [cell for cell in self.numbers if (cell, direction) not in self.steps]

    def corners(self) -> list[int]:
        """The cells with fewer neighbours than any cell beside them."""
        beside = {cell: self.neighbours(cell) for cell in self.numbers}
        return [c for c, near in beside.items() if all(len(near) < len(beside[n]) for n in near)]

    def opposite(self, direction: int) -> int:
        """The opposite direction; on boards with directions their number is even."""
        count = len(self.directions)
        return (direction - 1 + count // 2) % count + 1

    def orthogonals(self) -> list[int]:
        """On a square board the four directions along rows and columns; on a hex board all six."""
        if self.form != "square":
            return list(self.ways)
        return [i for i, name in enumerate(self.directions, 1) if name in ORTHOGONAL]

    def diagonals(self) -> list[int]:
        """The directions that are not orthogonal; none on a hex board."""
        ours = set(self.orthogonals())
        return [d for d in self.ways if d not in ours]

    @property
    def rows(self) -> tuple[tuple[int | None, ...], ...]:
        """The rows of a diagram from the top: the cells by column, None for a hole."""
        if not self.cells:
            return ()
        numbers = {place: i for i, place in enumerate(self.place, 1)}
        columns = [column for column, _ in self.place]
        heights = sorted({row for _, row in self.place}, reverse=True)
        span = range(min(columns), max(columns) + 1)
        if self.form == "square" or self.form == "graph":
            return tuple(tuple(numbers.get((x, y)) for x in span) for y in heights)
        return tuple(tuple(numbers[x, y] for x in span if (x, y) in numbers) for y in heights)

    @property
    def slant(self) -> tuple[int, ...]:
        """By how many half cells each row of the diagram is shifted to the right."""
        if self.form in ("square", "graph", "none"):
            return (0,) * len(self.rows)
        first = [min(x for x, y in self.place if y == row) for row in self._heights]
        shifts = [2 * x + y for x, y in zip(first, self._heights, strict=True)]
        return tuple(shift - min(shifts) for shift in shifts)

    @property
    def _heights(self) -> list[int]:
        return sorted({row for _, row in self.place}, reverse=True)


def ray(steps: Mapping[tuple[int, int], int], start: int, direction: int) -> list[int]:
    """What lies beyond a place in a direction, nearest first, if `steps` lead on; on a ring, once around."""
    found: list[int] = []
    there = steps.get((start, direction), start)
    while there != start:
        found.append(there)
        there = steps.get((there, direction), start)
    return found


def column_name(column: int) -> str:
    """a, b, …, z, aa, ab, … for 1, 2, …"""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def named_by_place(cells: Iterable[str], places: Iterable[tuple[int, int]]) -> bool:
    """True if the cells are called a1, b1, … after column and row."""
    return all(name == f"{column_name(abs(x))}{abs(y)}" for name, (x, y) in zip(cells, places, strict=True))


def square(
    width: int, height: int, holes: Iterable[tuple[int, int]] = (), around: bool = False, over: bool = False
) -> Grid:
    """A board of squares with eight directions; the last column may lie beside the first, the last row below it."""
    missing = set(holes)
    places = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    rings = (width if around else 0, height if over else 0)
    return _grid("square", [p for p in places if p not in missing], SQUARE_DIRECTIONS, rings)


def hexagon(side: int) -> Grid:
    """A hexagon of hexagonal cells, `side` cells along each side."""
    size = 2 * side - 1
    places = [(x, y) for y in range(1, size + 1) for x in range(1, size + 1) if side + 1 <= x + y <= 3 * side - 1]
    return _grid("hexagon", places, HEX_DIRECTIONS)


def rhombus(width: int, height: int, holes: Iterable[tuple[int, int]] = ()) -> Grid:
    """A rhombus of hexagonal cells, each row half a cell to the right of the one below."""
    missing = set(holes)
    places = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]
    return _grid("rhombus", [p for p in places if p not in missing], HEX_DIRECTIONS)


def triangle(side: int) -> Grid:
    """A triangle of hexagonal cells standing on its broad side."""
    places = [(x, y) for y in range(1, side + 1) for x in range(1, side + 2 - y)]
    return _grid("triangle", places, HEX_DIRECTIONS)


def star(side: int) -> Grid:
    """A star with six points, each a triangle with a base of `side` cells on one side of a hexagon."""
    size, middle = 4 * side + 1, 2 * side + 1
    around = [(x - middle, y - middle) for y in range(1, size + 1) for x in range(1, size + 1)]
    up = {(x, y) for x, y in around if min(x, y, -x - y) >= -side}
    down = {(x, y) for x, y in around if max(x, y, -x - y) <= side}
    return _grid("star", [(x + middle, y + middle) for x, y in around if (x, y) in up | down], HEX_DIRECTIONS)


def graph(lines: list[tuple[str, ...]]) -> Grid:
    """Cells and links: along each line, neighbouring names are linked.  There are no directions.

    Cells named like a1 lie at that place of a square grid; other names lie in one row, as they come.
    """
    names = list(dict.fromkeys(name for line in lines for name in line))
    places: dict[str, tuple[int, int]] = {}
    for name in names:
        letters, number = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        if len(letters) != 1 or not 0 < len(number) <= PLACED or int(number) == 0:
            places = {other: (i, 1) for i, other in enumerate(names, 1)}
            break
        places[name] = (ord(letters.lower()) - ord("a") + 1, int(number))
    names.sort(key=lambda name: (places[name][1], places[name][0]))
    numbers = {name: i for i, name in enumerate(names, 1)}
    links = tuple(tuple(numbers[name] for name in line) for line in lines)
    return Grid("graph", tuple(names), tuple(places[n] for n in names), (), {}, links)


def nowhere() -> Grid:
    """The grid of a game without a board: it has no cells."""
    return Grid("none", (), (), (), {}, ())


def _grid(
    form: str, places: list[tuple[int, int]], compass: dict[str, tuple[int, int]], rings: tuple[int, int] = (0, 0)
) -> Grid:
    """A grid of places; after so many columns, or rows, as `rings` says the first one follows again (0: none does)."""
    numbers = {place: i for i, place in enumerate(places, 1)}
    steps: dict[tuple[int, int], int] = {}
    for (x, y), cell in numbers.items():
        for d, (dx, dy) in enumerate(compass.values(), 1):
            there = (_within(x + dx, rings[0]), _within(y + dy, rings[1]))
            if there in numbers and numbers[there] != cell:
                steps[cell, d] = numbers[there]
    names = tuple(f"{column_name(x)}{y}" for x, y in places)
    return Grid(form, names, tuple(places), tuple(compass), steps, (), rings)


def _within(place: int, ring: int) -> int:
    """A column, or row, from 1 on a ring of so many; the same if there is none."""
    return (place - 1) % ring + 1 if ring else place
