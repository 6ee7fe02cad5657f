"""Edges and corners of cells: how many a board has, how they hang together, what rules and texts say of them."""

from xml.etree import ElementTree

import pytest

import pysolve
from pysolve.display.scene import beside, has_between
from pysolve.display.terminal import plain_board
from pysolve.dsl.language import geometry
from pysolve.dsl.language.geometry import Grid
from pysolve.dsl.language.sites import ends_of, sites_of
from pysolve.position import IllegalMove, Position

# A board, its edges and corners as they are counted by hand, and corners - edges + cells: 1 without holes or rings.
BOARDS = [
    (geometry.square(1, 1), 4, 4, 1),
    (geometry.square(4, 3), 31, 20, 1),
    (geometry.square(3, 3, holes=[(2, 2)]), 24, 16, 0),
    (geometry.square(3, 2, holes=[(2, 2)]), 16, 12, 1),
    (geometry.square(2, 2, holes=[(1, 2), (2, 1)]), 8, 7, 1),  # two cells that share a corner alone
    (geometry.square(5, 3, around=True), 35, 20, 0),
    (geometry.square(4, 3, around=True, over=True), 24, 12, 0),
    (geometry.hexagon(1), 6, 6, 1),
    (geometry.hexagon(2), 30, 24, 1),
    (geometry.hexagon(3), 72, 54, 1),
    (geometry.rhombus(3, 2), 27, 22, 1),
    (geometry.triangle(2), 15, 13, 1),
]


@pytest.mark.parametrize(("grid", "edges", "corners", "euler"), BOARDS)
def test_edges_and_corners_are_as_many_as_there_are(grid: Grid, edges: int, corners: int, euler: int) -> None:
    sites = sites_of(grid)
    assert (len(sites["edge"].names), len(sites["corner"].names)) == (edges, corners)
    assert corners - edges + len(grid.cells) == euler
    names = (*sites["edge"].names, *sites["corner"].names, *grid.cells)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("grid", "edges", "corners", "euler"), BOARDS)
def test_edges_end_in_corners_of_their_cells(grid: Grid, edges: int, corners: int, euler: int) -> None:
    sites = sites_of(grid)
    ends = ends_of(grid, sites)
    assert sorted(ends) == [*sites["edge"].numbers]
    assert {end for both in ends.values() for end in both} == {*sites["corner"].numbers}
    for edge, both in ends.items():
        assert len(both) == 2
        assert all({*sites["edge"].cells[edge]} <= {*sites["corner"].cells[end]} for end in both)
        assert 1 <= len(sites["edge"].cells[edge]) <= 2


@pytest.mark.parametrize(("grid", "edges", "corners", "euler"), BOARDS)
def test_a_step_is_taken_back_by_the_opposite_one(grid: Grid, edges: int, corners: int, euler: int) -> None:
    for sites in sites_of(grid).values():
        for (one, direction), there in sites.steps.items():
            assert sites.steps[there, grid.opposite(direction)] == one
        for (cell, direction), one in sites.of.items():
            for way in range(1, len(grid.directions) + 1):
                if (cell, way) in grid.steps and grid.form != "square":
                    assert sites.steps[one, way] == sites.of[grid.steps[cell, way], direction]


def test_a_graph_has_none() -> None:
    assert sites_of(geometry.graph([("a1", "b1")])) == {}


def test_they_are_called_after_their_first_cell_and_listed_in_its_order() -> None:
    sites = sites_of(geometry.square(2, 2))
    assert sites["edge"].names == ("a1n", "a1e", "a1s", "a1w", "b1n", "b1e", "b1s", "a2n", "a2e", "a2w", "b2n", "b2e")
    assert sites["corner"].names == ("a1ne", "a1se", "a1sw", "a1nw", "b1ne", "b1se", "a2ne", "a2nw", "b2ne")
    sites = sites_of(geometry.rhombus(2, 1))
    assert sites["corner"].names[:6] == ("a1ene", "a1ese", "a1s", "a1wsw", "a1wnw", "a1n")
    assert sites["corner"].names[6:] == ("b1ene", "b1ese", "b1s", "b1n")


RULES = """
game "Edges"
players Red, Blue
board {board}
state
  fence(edge): player or none
  peg(corner): bool
  gate: edge or none
{definitions}
move build(side: edge) as "{{side}}"
  when fence(side) = none else "there is a fence"
  do
    fence(side) := mover
    gate := side
move post(k: corner, n: 1..2) as "{{k}} {{n}}"
  when not peg(k)
  do
    peg(k) := true
    for e in edges(k): fence(e) := mover
stuck draw
"""


def rules(board: str = "square 2 by 2", *definitions: str) -> pysolve.Game:
    """A game with edges and corners, and definitions without parameters."""
    return pysolve.load(RULES.format(board=board, definitions="\n".join(f"define {one}" for one in definitions)))


@pytest.mark.parametrize("engine", ["prolog", "native"])
def test_moves_on_edges_and_corners_are_played_by_their_names(engine: str) -> None:
    if engine == "native":
        pytest.importorskip("pysolve.engines.native")
    game = pysolve.load(RULES.format(board="square 2 by 2", definitions=""), engine=engine)
    position = game.start().play("b1n").play("B2NE 2").play("A1N")
    assert {name: player for name, player in position.to_dict()["state"]["fence"].items() if player} == {
        "a1n": "Red", "b1n": "Red", "b2n": "Blue", "b2e": "Blue",
    }  # fmt: skip
    assert position.to_dict()["state"]["gate"] == "a1n"
    with pytest.raises(IllegalMove, match="there is a fence"):
        position.play("b1n")
    for text in (position.diagram(), position.line()):
        assert game.position(text).state == position.state
    assert "fence(b2e) = Blue" in position.diagram()


@pytest.mark.parametrize(("board", "definition", "expected"), [
    ("square 2 by 2", "found = edges(a1)", ["a1n", "a1e", "a1s", "a1w"]),
    ("square 2 by 2", "found = edges(a1ne)", ["a1n", "a1e", "b1n", "a2e"]),
    ("square 2 by 2", "found = cells(a1ne)", ["a1", "b1", "a2", "b2"]),
    ("square 2 by 2", "found = cells(edge(b2, north))", ["b2"]),
    ("square 2 by 2", "found = corners(b1n)", ["a1ne", "b1ne"]),
    ("square 2 by 2", "found = {edge(b2, south), edge(a1, northeast), edge(a1, north) + 2 * north}", ["b1n"]),
    ("hex hexagon 2", "found = cells(corner(b2, west))", ["a2", "b2", "a3"]),
    ("hex hexagon 2", "found = corners(edge(b2, east))", ["c1n", "b2ene"]),
    ("torus 3 by 3", "found = {edge(a1, west), edge(c1, east), a1n - north}", ["a1s", "a1w"]),
    ("square 3 by 3\n  shape\n    # # #\n    # . #\n    # # #", "found = {a2n + east, a2n + 2 * east}", ["c2n", "b3s"]),
])  # fmt: skip
def test_what_hangs_together(board: str, definition: str, expected: list[str]) -> None:
    position = rules(board, definition).start()
    assert [answer["X"] for answer in position.query("found(X)")] == expected


SHOWN = (
    RULES
    + """
show
  fence: Red "r" red, Blue "b" blue, none ""
  peg: true "o" black, false "."
"""
)


def shown(board: str) -> Position:
    """Some moves played, on a board that shows what lies at edges and corners."""
    position = pysolve.load(SHOWN.format(board=board, definitions="")).start()
    first = position.legal_moves[0].text
    return position.play(first).play("a1e")


def elements(picture: str, name: str) -> list[ElementTree.Element]:
    """The elements of a picture of a class."""
    return [one for one in ElementTree.fromstring(picture).iter() if name in one.get("class", "").split()]


@pytest.mark.parametrize(("board", "edges", "corners"), [("square 3 by 2", 17, 12), ("hex rhombus 3 by 2", 27, 22)])
def test_a_picture_shows_what_lies_between_cells(board: str, edges: int, corners: int) -> None:
    position = shown(board)
    picture = position.svg()
    names = [one.get("data-site") for one in elements(picture, "site")]
    assert [name for name in names if name] == [site.name for site in position.game.model.board.sites]
    assert len(names) == edges + corners
    walls = [one for side in elements(picture, "side") for one in side]
    assert sorted(one.get("class", "") for one in walls) == ["fill-blue", "fill-red"]
    last = position.svg(last=shown(board).legal_moves[0])
    assert (len(elements(last, "site")), len(elements(last, "wall"))) == (edges + corners, 1)
    assert 'cx="' in position.svg(targets=["a1e"])
    with pytest.raises(ValueError, match='the board has no cell "a1x"'):
        position.svg(targets=["a1x"])


def test_a_terminal_shows_what_lies_between_squares_and_tells_it_of_hexagons() -> None:
    board = plain_board(shown("square 2 by 1"), targets=["b1n"])
    assert board.split("\n")[:4] == ["     ━━━  •", "  1   . ┃ .", "", "      a   b"]
    assert beside(shown("square 2 by 1"), has_between(shown("square 2 by 1").game.model)) == ["gate: a1e"]
    hexagons = shown("hex rhombus 2 by 1")
    assert beside(hexagons, has_between(hexagons.game.model)) == ["fence: a1ne Red, a1e Blue", "gate: a1e"]
