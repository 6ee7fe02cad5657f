"""The functions of the language: one row for each way to call one.

Most look their value up in a table of the game, which the row makes of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.geometry import Grid
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.language.sites import KINDS, Sites, ends_of

Games = Literal["all", "sites", "stacks"]  # whose rules speak of edges and corners; that have a stack
Rows = Iterable[tuple[int, ...]]

# Tables that other stages know, too.  Those of players are not made of a board.
STEP, OPPOSITE, ALIGNED, BETWEEN = "board_step", "board_opposite", "board_aligned", "board_between"
OPPONENT, OPPONENTS, NEXT = "opponent", "opponents", "next"
ABSENT = "absent"  # which has no row for a player who does not play
# Those of `place + direction` and `place + number * direction`, by the type of the place.
STEPS = {kind: f"board_{kind}_step" for kind in KINDS} | {"cell": STEP}
LEAPS = {kind: f"board_{kind}_leap" for kind in KINDS} | {"cell": "board_leap"}


@frozen
class Boards:
    """The boards that have something; on the others the reason says that they do not."""

    have: Callable[[Grid], bool]
    reason: str = ""
    hint: str = ""


EVERY_BOARD = Boards(lambda grid: True)
WITH_DIRECTIONS = Boards(
    lambda grid: bool(grid.directions), "this board has no directions", "a graph board has lines only"
)
WITH_EDGES = Boards(
    lambda grid: any(grid.edge(d) for d in grid.ways), "no cell of this board lies at an edge",
    "on a torus each step leads to another cell",
)  # fmt: skip
WITH_LINES = Boards(
    lambda grid: bool(grid.directions) or any(grid.between.values()), "no line of this board has three cells",
    "a step to a cell that is linked is  b in neighbours(a)",
)  # fmt: skip


@frozen
class Function:
    """One way to call a function: kinds of arguments, and the type of its `value`, or of the `members` of a set.

    A kind is a type, or `number`, `move` for a kind of moves, `stack`.  What has a table and neither value nor members
    is a condition.  `manual` finds the sentence about it: the words that only this sentence holds, or with which only
    this row of a table begins.

    `rows` makes the table of a board, and of its edges and corners: arguments, then the value or one member.
    """

    name: str
    params: tuple[str, ...]
    manual: str
    table: str = ""
    value: str = ""
    members: str = ""
    rows: Callable[[Grid, Mapping[str, Sites]], Rows] | None = None
    boards: Boards = EVERY_BOARD  # which have its table
    useful: Boards = EVERY_BOARD  # of these those where rules may ask for it: elsewhere it says nothing
    games: Games = "all"  # in which the word has this meaning
    kept: bool = False  # is the table there for queries, even if no rule asks for it?
    note: str = ""

    @property
    def form(self) -> str:
        """How it is called, as `ray(cell, direction)`."""
        return f"{self.name}({', '.join(self.params)}){self.note}"


# ------------------------------------------------------------------------------------------ their tables


def _of_sites(name: str, param: str, manual: str, rows: Callable[[Grid, Mapping[str, Sites]], Rows]) -> Function:
    """`edges(cell)`: what lies at a cell, an edge or a corner."""
    return Function(name, (param,), manual, f"board_{param}_{name}", members=name[:-1], rows=rows, games="sites")


def _site(kind: str, manual: str) -> Function:
    """`edge(cell, direction)`, `corner(cell, direction)`."""
    return Function(kind, ("cell", "direction"), manual, f"board_cell_{kind}", value=kind, games="sites",
                    rows=lambda _, sites: ((*at, one) for at, one in sites[kind].of.items()))  # fmt: skip


_ROWS = (
    Function("column", ("cell",), "| `column(c)`", "board_column", value="number", kept=True,
             rows=lambda grid, _: ((c, grid.place[c - 1][0]) for c in grid.numbers)),
    Function("row", ("cell",), "| `column(c)`", "board_row", value="number", kept=True,
             rows=lambda grid, _: ((c, grid.place[c - 1][1]) for c in grid.numbers)),
    Function("neighbours", ("cell",), "| `neighbours(c)` ", "board_neighbour", members="cell", kept=True,
             rows=lambda grid, _: ((c, near) for c in grid.numbers for near in grid.neighbours(c))),
    Function("aligned", ("cell", "cell"), "| `aligned(a, b)`", ALIGNED, kept=True,
             useful=WITH_LINES, rows=lambda grid, _: grid.between),
    Function("between", ("cell", "cell"), "| `between(a, b)`", BETWEEN, members="cell", kept=True,
             useful=WITH_LINES,
             rows=lambda grid, _: ((*ends, c) for ends, cells in grid.between.items() for c in cells)),
    Function("edge", ("direction",), "| `edge(d)`", "board_edge", members="cell", kept=True, boards=WITH_DIRECTIONS,
             useful=WITH_EDGES,
             rows=lambda grid, _: ((d, c) for d in grid.ways for c in grid.edge(d))),
    Function("ray", ("cell", "direction"), "| `ray(c, d)`", "board_ray", members="cell", boards=WITH_DIRECTIONS,
             rows=lambda grid, _: ((c, d, far) for c in grid.numbers for d in grid.ways for far in grid.ray(c, d))),
    Function("opposite", ("direction",), "| `opposite(d)`", OPPOSITE, value="direction", kept=True,
             boards=WITH_DIRECTIONS, rows=lambda grid, _: ((d, grid.opposite(d)) for d in grid.ways)),
    Function("clockwise", ("direction",), "| `opposite(d)`", "board_clockwise", value="direction", kept=True,
             boards=WITH_DIRECTIONS, rows=lambda grid, _: ((d, d % len(grid.directions) + 1) for d in grid.ways)),
    *(Function(row.name, ("number",) * row.arity, row.manual, note=row.note) for row in OPERATORS.values()
      if row.manual),
    Function("possible", ("move",), "`possible(kind)` tests"),
    Function("moves", ("player",), "| `moves(p)`"),
    Function("next", ("player",), "| `next(p)`", NEXT, value="player"),
    Function("top", ("stack",), "`top(pile(c))` is the value on top", games="stacks"),
    Function("height", ("stack",), "`top(pile(c))` is the value on top", games="stacks"),
    _of_sites("edges", "cell", "| `edges(c)`, `edges(k)`",
              lambda _, sites: ((c, one) for (c, _), one in sites["edge"].of.items())),
    _of_sites("edges", "corner", "| `edges(c)`, `edges(k)`",
              lambda grid, sites: ((end, one) for one, both in ends_of(grid, sites).items() for end in both)),
    _of_sites("corners", "cell", "| `corners(c)`, `corners(e)`",
              lambda _, sites: ((c, one) for (c, _), one in sites["corner"].of.items())),
    _of_sites("corners", "edge", "| `corners(c)`, `corners(e)`",
              lambda grid, sites: ((one, end) for one, both in ends_of(grid, sites).items() for end in both)),
    _of_sites("cells", "edge", "| `cells(e)`, `cells(k)`",
              lambda _, sites: ((one, c) for (c, _), one in sites["edge"].of.items())),
    _of_sites("cells", "corner", "| `cells(e)`, `cells(k)`",
              lambda _, sites: ((one, c) for (c, _), one in sites["corner"].of.items())),
    _site("edge", "| `edge(c, d)`, `corner(c, d)`"),
    _site("corner", "| `edge(c, d)`, `corner(c, d)`"),
)  # fmt: skip

FUNCTIONS: dict[str, tuple[Function, ...]] = {
    name: tuple(row for row in _ROWS if row.name == name) for name in dict.fromkeys(row.name for row in _ROWS)
}
BOARD_FUNCTIONS = [row for row in _ROWS if row.rows and row.games == "all"]  # without edges and corners


def functions_in(games: Games) -> list[str]:
    """The names of the functions that have a meaning in some games, and no other meaning elsewhere."""
    return [name for name, rows in FUNCTIONS.items() if rows[0].games == games]
