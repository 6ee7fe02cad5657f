"""What `show` draws besides the values of cells: at edges and corners, lines, and what is not a state of cells."""

from xml.etree import ElementTree

import pysolve
from pysolve import scene
from pysolve.position import Position
from pysolve.scene import Thing
from pysolve.terminal import coloured_board, plain_board

HEAD = """game "Walls"
players White, Black
board square 4 by 2
type way = h, v
state
  at(cell): player or none
  wall(cell): way or none
  door(cell): bool
move place(to: cell) as "{to}"
  when at(to) = none
  do at(to) := mover
stuck draw
show
  at: White "w" white disc, Black "b" black disc, none "."
"""
WALLS = (
    HEAD
    + """\
  wall: h "-" brown bar corner northeast, v "|" brown post corner northeast, none ""
  door: true "d" red bar edge west, false ""
"""
)
LINES = HEAD + "  lines every 2\n"


def sides(picture: str) -> list[tuple[str, list[dict[str, str]]]]:
    """Where groups at edges and corners lie, and the attributes of what is in them."""
    root = ElementTree.fromstring(picture)
    return [
        (one.get("transform", ""), [inside.attrib for inside in one])
        for one in root.iter()
        if one.get("class") == "side"
    ]


def scene_of(position: Position) -> dict[str, list[Thing]]:
    """What lies on each cell."""
    return dict(zip(position.game.cells, scene.things(position.game.model, position.state), strict=True))


def rows(text: str) -> list[str]:
    """The rows of a board as the terminal shows it."""
    return [row.rstrip() for row in text.splitlines()]


def test_walls_stand_at_edges_and_corners_in_a_picture() -> None:
    game = pysolve.load(WALLS)
    position = game.position("position White, wall(a1) = h, door(c2) = true")
    (place, (wall,)), (other, (door,)) = sides(position.svg())
    assert place == "translate(90 -90)"  # a1 is around 60, -60, and a cell is 60 wide
    assert float(wall["width"]) > 100  # two cells
    assert "transform" not in wall
    assert other == "translate(150 -120)"
    assert (float(door["width"]) < 60, door["transform"]) == (True, "rotate(270)")


def test_walls_stand_between_the_cells_in_a_terminal_and_in_the_cells_of_a_diagram() -> None:
    position = pysolve.load(WALLS).position(
        "position White, wall(a1) = h, wall(b1) = v, door(d1) = true\n w . . .\n . . . b"
    )
    assert position.diagram().splitlines()[1:] == ["  w  .  .  .", "  .- .| .  bd"]
    board = rows(plain_board(position))
    assert board == [
        "  2   w   . ┃ .   .",
        "     ━━━━━━━┃",
        "  1   .   . ┃ . ┃ b",
        "",
        "      a   b   c   d",
    ]
    assert rows(plain_board(position, flipped=True)) == [
        "  1   b ┃ . ┃ .   .",
        "            ┃━━━━━━━",
        "  2   .   . ┃ .   w",
        "",
        "      d   c   b   a",
    ]
    assert "━━━━━━━┃" in coloured_board(position).plain
    assert pysolve.load(WALLS).position(position.diagram()) == position


def test_lines_part_the_board() -> None:
    position = pysolve.load(LINES).start()
    assert rows(plain_board(position)) == ["  2  .  . │ .  .", "  1  .  . │ .  .", "     a  b   c  d"]
    assert rows(plain_board(position, flipped=True)) == ["  1  .  . │ .  .", "  2  .  . │ .  .", "     d  c   b  a"]
    lines = [one for one in ElementTree.fromstring(position.svg()).iter() if one.tag.endswith("}line")]
    assert [(line.get("x1"), line.get("x2")) for line in lines] == [("150", "150")]
    assert lines[0].get("class") == "stroke-words"


PAWNS = """game "Pawns"
players White, Black
board square 3 by 2
type token = Crown, Ring
state
  pawn(player): cell
  at(token): cell or none
  dug(cell): bool
setup
  pawn(White) := a1
  pawn(Black) := c2
  at(Crown) := b1
move step(to: cell) as "{to}"
  when to in neighbours(pawn(mover))
  do
    dug(pawn(mover)) := true
    pawn(mover) := to
stuck draw
show
  dug: true "x" brown square, false "."
  pawn: White "W" white pawn, Black "B" black pawn
  at: Crown "c" yellow star, Ring "o" red ring corner northeast
"""


def test_states_whose_values_are_cells_lie_there() -> None:
    start = pysolve.load(PAWNS).start()
    assert start.diagram().splitlines() == ["position White", "  . . B", "  W c ."]
    after = start.play("b1").play("b2").play("a1")
    assert after.diagram().splitlines() == ["position Black, dug(a1) = true, dug(b1) = true", "  . B x", "  W c ."]
    assert pysolve.load(PAWNS).position(after.diagram()) == after
    assert scene_of(after)["a1"] == [Thing("square", "brown", ""), Thing("pawn", "white", "")]
    over = start.play("b1")  # the crown below it is where it was at first
    assert over.line() == "..B/xW. Black"
    assert start.game.position(over.line()) == over
    assert [thing.shape for thing in scene_of(over)["b1"]] == ["pawn", "star"]


def test_what_lies_nowhere_is_told() -> None:
    game = pysolve.load(PAWNS)
    gone = game.position("position White, at(Crown) = none")
    assert gone.line() == "..B/W.. White at(Crown)=none"
    assert game.position(gone.line()) == gone
    ring = game.position("position White, at(Ring) = a2")
    assert ring.line() == "o.B/Wc. White"
    assert [place for place, _ in sides(ring.svg())] == ["translate(90 -150)"]
