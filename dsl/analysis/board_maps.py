"""The ways to lay a board onto itself: candidates for the symmetries of a game.

In: a checked game.  Out: permutations of its cells, each with what it makes of directions, edges and corners.

    squares, hexagons   eight turns and reflections of the plane, or twelve; on a ring also what is moved along it
    graphs              automorphisms of what is linked, at most `MOST_MAPS`
    without a board     nothing is moved

They know nothing of the rules: `symmetries` proves which of them keep these.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.functions import STEP
from pysolve.dsl.language.geometry import HEX_DIRECTIONS, SQUARE_DIRECTIONS, Grid
from pysolve.dsl.language.sites import KINDS, sites_of
from pysolve.dsl.model import Game

MOST_MAPS = 2_000  # of a board
MOST_TRIED = 200_000  # cells to which another one is laid while automorphisms of a graph are sought

Images = tuple[int, ...]  # of the values 1, 2, …
Linear = tuple[int, int, int, int]


@frozen
class BoardMap:
    """Images of cells and directions, and of edges and corners, where the rules speak of them."""

    cells: Images
    directions: Images
    sites: tuple[tuple[str, Images], ...] = ()


def board_maps(game: Game) -> Iterator[BoardMap]:
    """The candidates, the identity first."""
    if game.board.form == "none":
        yield BoardMap((), ())
    elif game.board.form == "graph":
        yield from (BoardMap(cells, ()) for cells in _automorphisms(_links(game)))
    else:
        yield from _of_the_plane(game)


# ------------------------------------------------------------------------------------------- the plane


def _of_the_plane(game: Game) -> Iterator[BoardMap]:
    board = game.board
    compass = SQUARE_DIRECTIONS if board.form == "square" else HEX_DIRECTIONS
    steps = {(c, d): to for c, d, to in game.tables[STEP].rows} if STEP in game.tables else {}
    grid = Grid(board.form, board.cells, board.place, tuple(compass), steps, (), _rings(board.place, steps, compass))
    ways = list(compass.values())
    numbers = {place: number for number, place in enumerate(board.place, 1)}
    count = 0
    for linear in _linear(ways):
        directions = tuple(ways.index(_turned(linear, way)) + 1 for way in ways)
        turned = [_turned(linear, place) for place in board.place]
        for shift in _shifts(grid, turned):
            columns, rows = (
                {at: _moved(at, by, ring) for at in {place[axis] for place in turned}}
                for axis, (by, ring) in enumerate(zip(shift, grid.around, strict=True))
            )
            cells = tuple([numbers.get((columns[x], rows[y]), 0) for x, y in turned])
            if 0 in cells or len(set(cells)) < len(cells):
                continue
            yield BoardMap(cells, directions, _sites(game, grid, cells, directions))
            count += 1
            if count == MOST_MAPS:
                return


def _linear(ways: list[tuple[int, int]]) -> list[Linear]:
    """The linear maps that permute the directions, the identity first."""
    every = [(a, b, c, d) for a, b, c, d in product((-1, 0, 1), repeat=4)]
    found = [one for one in every if {_turned(one, way) for way in ways} == set(ways)]
    return sorted(found, key=lambda one: one != (1, 0, 0, 1))


def _turned(linear: Linear, way: tuple[int, int]) -> tuple[int, int]:
    a, b, c, d = linear
    return a * way[0] + b * way[1], c * way[0] + d * way[1]


def _rings(
    places: tuple[tuple[int, int], ...], steps: dict[tuple[int, int], int], compass: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    """The lengths of the rings that the columns and the rows make; 0 where a step from the last leads to none."""
    lengths = [0, 0]
    for (cell, direction), to in steps.items():
        way = list(compass.values())[direction - 1]
        for axis in (0, 1):
            if places[to - 1][axis] - places[cell - 1][axis] not in (way[axis], 0):
                lengths[axis] = max(place[axis] for place in places)
    return lengths[0], lengths[1]


def _shifts(grid: Grid, turned: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """By how much the turned board may have to be moved: on a line so that it fits, on a ring by any number."""
    spans = []
    for axis, ring in enumerate(grid.around):
        fitting = min(place[axis] for place in grid.place) - min(place[axis] for place in turned)
        spans.append(range(fitting, fitting + ring) if ring else range(fitting, fitting + 1))
    yield from product(*spans)


def _moved(at: int, by: int, ring: int) -> int:
    """Where a column or a row comes to lie; on a ring, of that length, they begin anew behind the last."""
    return (at + by - 1) % ring + 1 if ring else at + by


def _sites(game: Game, grid: Grid, cells: Images, directions: Images) -> tuple[tuple[str, Images], ...]:
    """The images of edges and corners, by those of a cell and a direction that each has."""
    if not any(kind in game.sorts for kind in KINDS):
        return ()
    found = []
    for kind, sites in sites_of(grid).items():
        if kind in game.sorts:
            images = [0] * len(sites.names)
            for (cell, direction), number in sites.of.items():
                images[number - 1] = sites.of.get((cells[cell - 1], directions[direction - 1]), 0)
            if 0 in images:  # on hexagons a corner lies between two directions: the one counter-clockwise after mirrors
                images = _corners(grid, sites.of, cells, directions)
            found.append((kind, tuple(images)))
    return tuple(found)


def _corners(grid: Grid, of: dict[tuple[int, int], int], cells: Images, directions: Images) -> list[int]:
    """The images of the corners of hexagons: each is known by the cells that have it and the directions there."""
    images = [0] * len(set(of.values()))
    count = len(grid.directions)
    for (cell, d), number in of.items():
        one, two = directions[d - 1], directions[d % count]
        first = one if two == one % count + 1 else two
        images[number - 1] = of[cells[cell - 1], first]
    return images


# -------------------------------------------------------------------------------------------- graphs


def _links(game: Game) -> list[set[int]]:
    """For each cell the numbers, from 0, of the cells that a line leads to directly."""
    near: list[set[int]] = [set() for _ in game.board.cells]
    for line in game.board.links:
        for a, b in pairwise(line):
            near[a - 1].add(b - 1)
            near[b - 1].add(a - 1)
    return near


def _automorphisms(near: list[set[int]]) -> Iterator[Images]:
    """Permutations of the cells under which links stay links, the identity first."""
    colours = _refined(near)
    order = _connected(near)
    images: dict[int, int] = {}
    used: set[int] = set()
    left = [MOST_TRIED]

    def extended(at: int) -> Iterator[Images]:
        if at == len(order):
            yield tuple(images[cell] + 1 for cell in range(len(order)))
            return
        cell = order[at]
        for image in (cell, *(other for other in range(len(order)) if other != cell)):
            left[0] -= 1
            if left[0] < 0:
                return
            if image in used or colours[image] != colours[cell]:
                continue
            if any((other in near[cell]) != (there in near[image]) for other, there in images.items()):
                continue
            images[cell] = image
            used.add(image)
            yield from extended(at + 1)
            del images[cell]
            used.discard(image)

    for count, found in enumerate(extended(0), 1):
        yield found
        if count == MOST_MAPS:
            return


def _refined(near: list[set[int]]) -> list[int]:
    """Numbers that differ for cells which no automorphism exchanges: by those of their neighbours, again and again."""
    colours = [len(cells) for cells in near]
    while True:
        seen = [(colours[cell], tuple(sorted(colours[n] for n in cells))) for cell, cells in enumerate(near)]
        numbers = {one: number for number, one in enumerate(sorted(set(seen)))}
        finer = [numbers[one] for one in seen]
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer


def _connected(near: list[set[int]]) -> list[int]:
    """The cells in an order in which each follows one that it is linked to, if there is one."""
    order: list[int] = []
    for start in range(len(near)):
        waiting = [start]
        while waiting:
            cell = waiting.pop(0)
            if cell not in order:
                order.append(cell)
                waiting += sorted(near[cell])
    return order
