"""What `show` draws besides the values of cells: at edges and corners, lines, and what is not a state of cells."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import pysolve
from pysolve import scene
from pysolve.dsl.check.looks import SHAPES
from pysolve.engine import EngineError
from pysolve.position import Position
from pysolve.scene import Thing
from pysolve.terminal import NOTHING, aside_lines, coloured_board, plain_board
from tests.exported import Telling, exporting, needs_export, opened
from tests.games import slow_but

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
    return dict(zip(position.game.cells, scene.things(position), strict=True))


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
    assert lines[0].get("class") == "stroke-edge"


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
    assert [place for place, _ in sides(ring.svg())] == ["translate(78.21 -138.21)"]  # within its cell


SEEN = """game "Seen"
players White, Black
board square 3 by 2
state
  at(cell): player or none
  pawn(player): cell
  wall(cell): bool
setup
  pawn(White) := a1
  pawn(Black) := c2
define threatened(c: cell) = at(c) != none and some n in neighbours(c) has at(n) != none and at(n) != at(c)
define count_of(c: cell): 0..8 = count n in neighbours(c) where at(n) != none
define goal(p: player): cell = if p = White then c1 else a2
define taken(p: player) = {c: cell where at(c) = p}
define free = {c: cell where at(c) = none}
define left = edge(west)
move place(to: cell) as "{to}"
  when at(to) = none
  do
    at(to) := mover
    wall(to) := true
    pawn(mover) := to
stuck draw
mark left red "the left"
tell free "free"
show
  threatened: true "!" red, false "" grey
  at: White "w" white disc, Black "b" black disc, none "."
  count_of: 0 "", number corner southwest
  pawn: White "W" blue post edge east, Black "B" blue ring
  goal: White "g" yellow star, Black "h" pink star edge north
  taken: White "t" green bar corner northwest
  wall: true "|" brown bar corner northeast, false ""
  free: "f" cyan edge south
  lines every 1
"""


def test_definitions_are_drawn() -> None:
    position = pysolve.load(SEEN).start().play("b1").play("b2")
    seen = scene_of(position)
    assert [thing.colour for thing in seen["b1"] if thing == Thing("", "red", "!")] == ["red"]
    assert seen["a1"][0] == Thing("", "grey", "")
    assert Thing("", "", "2", ("corner", "southwest")) in seen["a1"]
    assert Thing("star", "yellow", "") in seen["c1"]
    assert Thing("bar", "green", "", ("corner", "northwest")) in seen["b1"]
    assert [cell for cell, pile in seen.items() if any(thing.text == "f" for thing in pile)] == ["a1", "c1", "a2", "c2"]
    assert "free" not in position.line()
    assert position.game.position(position.line()) == position
    board = plain_board(position)
    assert "!" in board
    assert "!" in coloured_board(position).plain


def test_without_prolog_definitions_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = pysolve.load(SEEN, engine="native").start()

    def missing(*_: object, **__: object) -> None:
        raise EngineError("no Prolog here")

    monkeypatch.setattr(Position, "query", missing)
    assert [thing.shape for thing in scene_of(position)["a1"]] == ["post"]
    assert position.svg()


@pytest.mark.slow
@needs_export
def test_an_exported_game_draws_all_of_it(tmp_path: Path) -> None:
    game = opened("seen", text=SEEN)
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        for seed in range(4):
            assert node.ask(game=seed, longest=20)["told"] == list(telling.played(seed, 20))


HANDS = """game "Hands"
players White, Black
board square 2 by 2
type card = Ace, King_of_Hearts, Two
state
  at(cell): player or none
  stock(player): 0..40
  bag: 0..20
  holder(card): player or none
  used(card): bool
  store(player, card): 0..30
  known(player, card): bool
  next_card: card or none
  last: 0..9
setup
  for p: player: stock(p) := if p = White then 40 else 3
  bag := 5
  holder(Ace) := White
  holder(Two) := White
  used(King_of_Hearts) := true
  next_card := Two
  store(White, Two) := 2
  known(Black, Ace) := true
  known(Black, Two) := true
define hand(p: player) = {k: card where holder(k) = p}
define spare(k: card) = holder(k) = none
define free = {c: cell where at(c) = none}
move place(to: cell) as "{to}"
  when at(to) = none
  do
    at(to) := mover
    stock(mover) := stock(mover) - 1
    bag := bag - 1
    holder(Two) := mover
    next_card := none
stuck draw
show
  at: White "w" white disc, Black "b" black disc, none "."
  beside stock: White "w" white disc, Black "b" black disc
  beside bag: "o" red disc
  beside hand: Ace "A" yellow star
  beside spare: King_of_Hearts "K" red king
  beside used
  beside next_card: Ace ""
  beside last: number green square
  beside holder: White "", Black "", none ""
  beside free
  beside store: Ace "A" yellow star, Two "" grey disc
  beside known: Ace "A" yellow star
"""


def test_what_lies_beside_the_board_is_said_and_drawn() -> None:
    start = pysolve.load(HANDS).start()
    assert [one.text for one in scene.asides(start)] == [
        "stock: White 40, Black 3",
        "bag: 5",
        "hand: White Ace, Two",
        "spare: King_of_Hearts",
        "used: King_of_Hearts",
        "next card: Two",
        "last: 0",
        "free: a1, b1, a2, b2",
        "store: White Ace 0, King_of_Hearts 0, Two 2; Black Ace 0, King_of_Hearts 0, Two 0",
        "known: Black Ace, Two",
    ]
    assert scene.beside(start) == []
    rows_of = scene.aside_rows(scene.asides(start))
    white, black = Thing("disc", "white", ""), Thing("disc", "black", "")
    assert rows_of["White"] == [
        (white, ""),
        (NOTHING, "× 40"),
        (Thing("star", "yellow", ""), ""),
        (NOTHING, "Two"),
        *[(Thing("disc", "grey", ""), "")] * 2,
    ]
    assert rows_of["Black"] == [*[(black, "")] * 3, (Thing("star", "yellow", ""), ""), (NOTHING, "Two")]
    assert rows_of["bag"] == [(Thing("disc", "red", ""), "")] * 5
    after = start.play("a1").play("b1")
    assert [one.text for one in scene.asides(after)][:3] == [
        "stock: White 39, Black 2",
        "bag: 3",
        "hand: White Ace; Black Two",
    ]
    assert "next card" not in scene.aside_rows(scene.asides(after))
    words = [text.plain.strip() for text in aside_lines(start, coloured=True)]
    assert words[0].startswith("White")
    assert [text.plain for text in aside_lines(start, coloured=False)][1] == "bag: 5"


def test_a_picture_has_a_row_for_each_heading_below_the_board() -> None:
    start = pysolve.load(HANDS).start()
    root = ElementTree.fromstring(start.svg())
    below = next(one for one in root.iter() if one.get("class") == "asides fill-words")
    assert [one.text for one in below if one.tag.endswith("}text")][:1] == ["White"]
    assert len([one for one in below.iter() if one.get("class") == "aside"]) == 1 + 1 + 3 + 5 + 1 + 1 + 2 + 1


@pytest.mark.slow
@needs_export
def test_an_exported_game_says_what_lies_beside_the_board(tmp_path: Path) -> None:
    game = opened("hands", text=HANDS)
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        assert node.ask(game=1, longest=12)["told"] == list(telling.played(1, 12))


@pytest.mark.slow
@pytest.mark.parametrize("place", slow_but([""], ["", " edge north", " corner southeast"]))
def test_every_shape_can_be_drawn_everywhere_and_beside_the_board(place: str) -> None:
    for shape in SHAPES:
        text = HANDS.replace('white disc, Black "b" black disc, none', f'white {shape}{place}, Black "b" {shape}, none')
        text = text.replace('"o" red disc', f'"o" red {shape}')
        assert pysolve.load(text).start().play("a1").play("b1").svg()
