"""What `show` draws besides the values of cells: at edges and corners, lines, and what is not a state of cells."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import pysolve
from pysolve.display import scene
from pysolve.display.scene import Thing
from pysolve.display.shapes import short
from pysolve.display.terminal import NOTHING, aside_lines, coloured_board, plain_board
from pysolve.dsl import RulesError
from pysolve.dsl.check.looks import SHAPES
from pysolve.dsl.language import paths
from pysolve.engines.protocol import EngineError
from pysolve.position import Position
from tests.exported import Telling, exporting, needs_export, opened
from tests.games import load, slow_but

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

    monkeypatch.setattr(Position, "rows", missing)
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
  score(player, card): 0..9
  face(player): 0..3
  unseen: 0..9
  unseen_of(player, card): 0..9
setup
  score(White, Two) := 7
  face(White) := 2
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
  beside score: 0 "", number
  beside face: 0 "", 1 "J" white disc, 2 "Q" white disc
  unseen: ""
  beside unseen_of: ""
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
        "score: White Two: 7",
        "face: White Q",
    ]
    assert scene.beside(start) == []
    rows_of = scene.aside_rows(scene.asides(start))
    white, black = Thing("disc", "white", ""), Thing("disc", "black", "")
    assert rows_of["White"] == [(white, ""), (NOTHING, "× 40")]
    assert rows_of["Black"] == [(black, "")] * 3
    assert rows_of["hand White"] == [(Thing("star", "yellow", ""), ""), (NOTHING, "Two")]
    assert rows_of["score White"] == [(NOTHING, "Two: 7")]
    assert rows_of["face White"] == [(Thing("disc", "white", "Q"), "")]
    assert rows_of["store White"] == [(Thing("disc", "grey", ""), "")] * 2
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
    assert len([one for one in below.iter() if one.get("class") == "aside"]) == 1 + 1 + 3 + 5 + 1 + 1 + 2 + 1 + 1


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


LOOKS = """game "Looks"
players White, Black
board square 4 by 3
state
  at(cell): 0..15 or none
  bridge(cell, cell): player or none
  next(cell): cell or none
setup for c: cell: at(c) := (column(c) + 4 * row(c)) % 16
define round(c: cell) = at(c) % 2 = 1
define dark(c: cell) = at(c) // 2 % 2 = 1
define tall(c: cell) = at(c) // 4 % 2 = 1
define holed(c: cell) = at(c) // 8 = 1
define goal(c: cell) = c in {a1, b2}
define line(a, b: cell) = at(a) = none and at(b) = none and a != b
define near(c: cell) = {n in neighbours(c) where at(c) = none and column(n) > column(c)}
move take(c: cell) as "{c}"
  when at(c) != none
  do
    at(c) := none
    for n in neighbours(c) where at(n) = none: bridge(c, n) := mover
    if row(c) > 1
      next(c) := c + south
stuck draw
show
  icon hut "M3 11L12 3L21 11V21H3Z", "M10 21V15H14V21"
  icon tall "m2 12q5-8 10 0t10 0"
  ground points
  under "M1 0A1 1 0 0 1 1 2Z" yellow
  under "M1 3.8H4" red small
  under "M1 -1H2V-2Z" hollow large
  goal: true "" red hut small
  round: true "" disc, false "" square
  dark: true "" brown, false "" yellow
  tall: true "" large, false "" small
  holed: true "" hollow, false ""
  line: true "" green small
  near: "" blue
  next: "" purple large
  bridge: White "" orange, Black "" small, none ""
"""


def test_looks_compose() -> None:
    """A look without a shape changes the shape below it; the numbers of the default lines are for texts alone."""
    position = pysolve.load(LOOKS).start()
    piles = dict(zip(position.game.cells, scene.things(position, ground=False), strict=True))
    seen = {cell: scene.composed(pile) for cell, pile in piles.items()}
    assert seen["a1"] == [Thing("disc", "yellow", "", size="large")]
    assert seen["d3"] == [Thing("square", "yellow", "", size="small")]
    assert seen["c3"] == [Thing("disc", "brown", "", size="large", hollow=True)]
    assert position.line().startswith("13,14,15,0/9,10,11,12/5,6,7,8 ")
    assert position.game.position(position.line()) == position
    shown = rows(coloured_board(position).plain)
    assert "○⁺" in shown[0]
    assert "▪" in shown[0]
    assert "13" not in shown[0]
    assert not any("h" in row for row in shown)  # in a terminal, huts have their glyph, which is empty


def test_a_look_without_a_shape_colours_what_has_none() -> None:
    things = [Thing("", "red", ""), Thing("disc", "white", ""), Thing("", "", "3"), Thing("", "blue", "x")]
    assert scene.composed(things) == [
        Thing("", "red", ""),
        Thing("disc", "blue", ""),
        Thing("", "", "3"),
        Thing("", "", "x"),
    ]
    assert scene.composed([Thing("", "", "", size="large")]) == []
    side = Thing("bar", "red", "", ("edge", "north"))
    assert scene.composed([side, Thing("", "blue", "")]) == [side, Thing("", "blue", "")]


def test_the_ground_lies_below_what_comes_and_goes() -> None:
    position = pysolve.load(LOOKS).start()
    assert [len(pile) for pile in scene.ground_things(position.game.model)] == [1, *[0] * 4, 1, *[0] * 6]
    root = ElementTree.fromstring(position.svg())
    cells = next(one for one in root.iter() if one.get("class") == "cells")
    paths = [one for one in cells if one.tag.endswith("}path")]
    assert [(one.get("d"), one.get("fill")) for one in paths[-3:]][1] == ("M60 -228L240 -228", "none")
    assert paths[-3].get("class") == "fill-yellow"
    assert (paths[-1].get("fill"), paths[-1].get("stroke-width")) == ("none", "6")
    assert min(float(one) for one in root.get("viewBox", "").split()[:2]) < -228  # it is in the picture
    assert len([one for one in paths if one.get("stroke-width") == "1.6"]) == 12 + 1  # lines through the cells
    huts = [one for one in cells.iter() if one.get("fill-rule") == "evenodd" and one.get("class") == "fill-red"]
    assert len(huts) == 2


def test_lines_join_cells() -> None:
    position = pysolve.load(LOOKS).start().play("b2").play("b3")
    colours = {(tied.cells, tied.colour, tied.size) for tied in scene.ties(position)}
    assert ((6, 10), "green", "small") in colours
    assert ((6, 10), "", "small") in colours  # the bridge of Black
    assert ((6, 10), "purple", "large") in colours
    assert ((6, 7), "blue", "") in colours
    assert ((2, 6), "purple", "large") in colours
    assert position.line().endswith("bridge(b3,b2)=Black next(b2)=b1 next(b3)=b2")
    assert not [line for line in scene.beside(position) if line.startswith(("bridge", "next"))]
    drawn = [one.attrib for one in ElementTree.fromstring(position.svg()).iter() if one.tag.endswith("}line")]
    assert {one["class"] for one in drawn} == {"stroke-green", "stroke-blue", "stroke-purple", "stroke-edge"}
    assert len(drawn) == len(colours)


FLAT = """game "Flat"
players White, Black
board square 3 by 1
state
  pile(cell): stack of player up to 4
  busy(cell): bool
setup
  push White onto pile(a1)
  push Black onto pile(a1)
  push White onto pile(b1)
move go(from, to: cell) as "{from}-{to}"
  when height(pile(from)) > 0 and from != to
  do
    take 1 from pile(from) onto pile(to)
    busy(to) := not busy(to)
stuck draw
show
  pile: White "w" white disc wide, Black "b" black disc wide, none "."
  busy: true "'" ring, false ""
"""


def test_flat_things_lie_on_each_other_from_the_foot_of_their_cell() -> None:
    seen = scene_of(pysolve.load(FLAT).start().play("b1-c1"))
    assert [[thing.lift for thing in pile] for pile in seen.values()] == [[scene.FOOT, scene.FOOT + 8], [], [-22, -22]]
    assert [scene.lifted(count, flat=True)[-1] for count in (1, 2, 9)] == [-22, -14, 24]


DRESSED = """game "Dressed"
players White, Black
board square 2 by 2
type piece = 0..3
state
  at(cell): piece or none
  given: piece
  spare(piece): bool
setup
  at(a1) := 3
  spare(2) := true
define round(p: piece) = p >= 2
define dark(p: piece): player = if p % 2 = 0 then White else Black
move go(c: cell, p: piece) as "{c} {p}"
  do at(c) := p
stuck draw
show
  round: true "" disc, false "" square
  dark: Black "" brown large, White "" yellow
  at: none ".", 0 "o" red, 1 "i" star small, number
  beside given
  beside spare
"""


def test_definitions_of_values_give_them_looks_wherever_they_are() -> None:
    start = pysolve.load(DRESSED).start()
    assert start.line() == "../3. White"
    assert scene_of(start)["a1"] == [Thing("disc", "brown", "", size="large")]
    assert scene_of(start.play("a2 0").play("b2 1"))["a2"] == [Thing("square", "red", "")]
    assert scene_of(start.play("a2 0").play("b2 1"))["b2"] == [Thing("star", "brown", "", size="small")]
    things = {one.title: [item.thing for item in one.groups[0].items] for one in scene.asides(start)}
    assert things == {"given": [Thing("square", "yellow", "")], "spare": [Thing("disc", "yellow", "")]}


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("m2 2l3 3 4 4zm1 1h2", "M2 2L5 5L9 9ZM3 3L5 3"),
        ("M0 0Q1 1 2 0T4 0C1 1 2 2 3 3S5 5 6 6", "M0 0Q1 1 2 0Q3 -1 4 0C1 1 2 2 3 3C4 4 5 5 6 6"),
        ("M4 0A4 4 0 01-4 0", "M4 0C4 2.21 2.21 4 0 4C-2.21 4 -4 2.21 -4 0"),
        ("M0-4a4 4 0 1 0 4 4", "M0 -4C-2.21 -4 -4 -2.21 -4 0C-4 2.21 -2.21 4 0 4C2.21 4 4 2.21 4 0"),
        ("M1 1v2 2,V-.5Z L 3 3", "M1 1L1 3L1 5L1 -0.5ZM1 1L3 3"),
    ],
)
def test_a_path_becomes_lines_and_curves(text: str, drawn: str) -> None:
    strokes = paths.strokes(text)
    assert paths.written(strokes, lambda point: f"{short(point[0])} {short(point[1])}") == drawn


@pytest.mark.slow
def test_dice_are_numbers_that_never_run_out() -> None:
    def rolled(name: str) -> dict[str, bool]:
        return {one.name: scene.shows_dice(one) for one in load(name).model.actions if one.chance}

    assert rolled("backgammon") == {"begin": True, "roll": True}
    assert rolled("salvage") == {"deal": False, "roll": True}
    assert (rolled("pig"), rolled("kuhn_poker")) == ({"die": True}, {"deal": False})


SIDED = """\
game "Sided"
option sides = 6 in 2..6
players Ann, Bob
state die: 1..sides
move turn(n: 1..sides) as "{n}"
  do die := n
stuck draw
show
  beside die: 1 "a", 2 "b", 3 "c", 4 "d", 5 "e", 6 "f"
"""


@pytest.mark.slow
def test_a_number_that_an_option_takes_away_may_have_a_glyph() -> None:
    for sides in range(2, 7):
        assert len(pysolve.load(SIDED, sides=sides).model.asides[0].glyphs) == sides
    with pytest.raises(RulesError, match="goes from 1 to 6 here; this is 7"):
        pysolve.load(SIDED.replace('6 "f"', '6 "f", 7 "g"'))


def test_a_variant_adds_to_what_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "looks.rules").write_text(LOOKS, encoding="utf-8")
    drawn = 'show\n  icon hat "M3 3H9V9Z"\n  high: true "" hat hollow, false "" tall\n'
    variant = f'game "More" extends "looks"\nrename tall as high\n{drawn}'
    (tmp_path / "more.rules").write_text(variant, encoding="utf-8")
    model = pysolve.load(tmp_path / "more.rules").model
    assert [icon.name for icon in model.board.icons] == ["hut", "tall", "hat"]
    assert [one.glyphs[-1].look for one in model.derived if one.name == "high"] == [("large",), ("hat", "hollow")]
    assert (model.board.ground, len(model.board.unders)) == ("points", 3)


@pytest.mark.slow
@needs_export
def test_an_exported_game_composes_looks_and_joins_cells(tmp_path: Path) -> None:
    for name, text in {"looks": LOOKS, "dressed": DRESSED, "flat": FLAT}.items():
        game = opened(name, text=text)
        telling = Telling(game)
        with exporting(game, tmp_path) as node:
            for seed in range(3):
                assert node.ask(game=seed, longest=12)["told"] == list(telling.played(seed, 12))
