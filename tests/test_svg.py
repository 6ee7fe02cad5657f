"""Pictures and terminal boards of positions, for boards of every form."""

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.text import Text

import pysolve
from pysolve.display import scene, shapes, terminal
from pysolve.display.terminal import coloured_board, plain_board
from pysolve.dsl.check.looks import COLOURS, SHAPES
from pysolve.engines.protocol import EngineError
from pysolve.position import Move, Position
from pysolve.runtime.paths import RULES
from tests.games import each

HERE = Path(__file__).parent
GAMES = [*sorted(RULES.glob("*.rules")), *sorted((HERE / "rules").glob("*.rules"))]
NAME = "{http://www.w3.org/2000/svg}"


def played(game: pysolve.Game, count: int = 8) -> tuple[Position, Move | None]:
    """A position after some moves, with the last of them."""
    chance, position, move = random.Random(1), game.start(), None
    while count and not position.is_over:
        move = position.random_move(chance)
        position, count = position.play(move), count - 1
    return position, move


def elements(picture: str, group: str) -> list[ElementTree.Element]:
    """What stands in a group of a picture, or in all groups of that name."""
    groups = ElementTree.fromstring(picture).findall(f"{NAME}g")
    return [element for one in groups if group in classes(one) for element in one]


def classes(element: ElementTree.Element) -> list[str]:
    """The classes of an element."""
    return element.get("class", "").split()


@pytest.mark.parametrize("path", each(GAMES, late=()))
def test_every_game_has_a_picture_with_all_its_cells(path: Path) -> None:
    position, move = played(pysolve.load(path))
    picture = position.svg(300, move)
    names = [e.get("data-cell") for e in ElementTree.fromstring(picture).iter() if e.get("data-cell")]
    assert names == list(position.game.cells)
    assert elements(picture, "last") or not (move and scene.cells_of(position.game.model, move))


@pytest.mark.parametrize("path", each(GAMES, late=()))
def test_every_game_has_a_board_of_eighty_columns(path: Path) -> None:
    position, move = played(pysolve.load(path))
    last = scene.cells_of(position.game.model, move) if move else set()
    for board in (plain_board(position, last), coloured_board(position, last).plain):
        assert max(len(line) for line in board.split("\n")) <= 80


def test_every_colour_and_shape_of_the_language_can_be_drawn() -> None:
    assert set(COLOURS) == set(scene.COLOURS)
    assert set(SHAPES) == set(scene.SHAPES) == {*shapes.SHAPES, "square"}


def test_every_colour_has_a_class_that_a_style_sheet_can_replace() -> None:
    root = ElementTree.fromstring(pysolve.load("chess").start().play("e2-e4").svg(targets=["d4"]))
    for element in root.iter():
        for name in ("fill", "stroke"):
            colour = element.get(name, "none")
            assert colour == "none" or any(one.startswith(f"{name}-") for one in classes(element)), colour
    knight = next(element for element in root.iter() if "fill-white" in classes(element))
    assert knight.get("fill") == scene.COLOURS["white"]


def test_words_of_the_author_are_escaped() -> None:
    text = (RULES / "zola.rules").read_text(encoding="utf-8")
    text = text.replace('"Zola"', "\"<Zola> & 'co'\"").replace('Red "R" red disc', 'Red "<&" red')
    picture = pysolve.load(text, size=4).start().svg()
    root = ElementTree.fromstring(picture)
    assert root.findtext(f"{NAME}title") == "<Zola> & 'co': Red to move"
    assert "<&" in [element.text for element in elements(picture, "pieces")]


def test_the_width_is_as_asked_for() -> None:
    root = ElementTree.fromstring(pysolve.load("zola", size=4).start().svg(123))
    assert root.get("width") == "123"


def test_the_title_says_who_has_won() -> None:
    position = pysolve.load("zola", size=4).position("..../.R../..../.... Blue")
    assert ElementTree.fromstring(position.svg()).findtext(f"{NAME}title").startswith("Zola: the winner: Red")  # type: ignore[union-attr]


def test_targets_are_dots_on_empty_cells_and_rings_round_pieces() -> None:
    position = pysolve.load("zola", size=4).position("..../.RB./..../.... Red")
    dot, ring = elements(position.svg(targets=["a4", "c3"]), "target")
    assert dot.get("fill") == shapes.TARGET
    assert ring.get("fill") == "none"


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(ValueError, match='the board has no cell "e9"'):
        pysolve.load("zola", size=4).start().svg(targets=["e9"])


def test_numbers_stand_on_the_pieces() -> None:
    position = pysolve.load("conga").start()
    words = [element.text for element in elements(position.svg(), "pieces") if element.tag == f"{NAME}text"]
    assert words == ["10", "10"]


def test_a_square_board_has_its_coordinates_below_and_to_the_left() -> None:
    position = pysolve.load("conga").start().play("a4 east")
    assert plain_board(position, ["a4"], ["b3"]) == (
        "  4 [.]   b1   b2   b7\n"
        "  3  .   <.>   .    .\n"
        "  2  .    .    .    .\n"
        "  1  .    .    .    w10\n"
        "     a    b    c    d"
    )


def board(form: str, cell: str = "a1") -> pysolve.Game:
    """A game of placing stones on a board."""
    return pysolve.load(
        f'game "B"\nplayers White, Black\nboard {form}\nstate\n  at(cell): player or none\n'
        'move place(to: cell) as "{to}"\n  when\n    at(to) = none\n  do\n    at(to) := mover\nstuck\n  draw\n'
        f'show\n  at: White "w" white disc, Black "b" black disc, none "."\nexample "x"\n  legal {cell}\n'
    )


def test_a_target_is_marked_as_such_though_the_last_move_went_there() -> None:
    assert "<R>" in plain_board(pysolve.load("zola", size=4).start(), ["a1"], ["a1"])


MAP = """\
game "Map"
players Red, Blue
board square 16 by 16
type unit = Peasant, Knight
type building = Farm, Tower
state
  land(cell): bool
  owner(cell): player or none
  unit(cell): unit or none
  building(cell): building or none
  acted(cell): bool
setup
  for c: cell where column(c) > 2: land(c) := true
move rest
stuck
  draw
show
  land: true "", false "~" cyan square
  owner: Red "r" red square, Blue "b" blue square, none "."
  unit: Peasant "1", Knight "4" yellow star, none ""
  building: Farm "F", Tower "T", none ""
  acted: true "'", false ""
"""


@pytest.fixture
def map_of_layers() -> Position:
    game = pysolve.load(MAP.replace("~", "#"))
    facts = {"owner": {"d3": "Red", "e3": "Blue", "d4": "Red"}, "unit": {"d3": "Knight", "e3": "Peasant"},
             "building": {"d4": "Tower"}, "acted": {"d3": True}}  # fmt: skip
    return game.from_dict({"state": facts})


def test_a_map_of_many_layers_keeps_to_eighty_columns(map_of_layers: Position) -> None:
    everywhere = {"land": True, "owner": "Red", "unit": "Peasant", "acted": True}
    state = {slot: dict.fromkeys(map_of_layers.game.cells, value) for slot, value in everywhere.items()}
    crowded = map_of_layers.game.from_dict({"state": state})
    for position in (map_of_layers, crowded):
        last, targets = ["d3"], ["e3", "p16"]
        for text in (plain_board(position, last, targets), coloured_board(position, last, targets).plain):
            assert max(map(len, text.split("\n"))) <= 80
    rows = plain_board(crowded, ["d3"], ["e3", "p16"]).split("\n")
    assert rows[13].startswith("  3  r1' r1' r1'[r1'<r1'>r1' r1'")
    assert rows[0].endswith(" r1'<r1'>")


def ground(text: Text, row: int, column: int) -> str:
    """The background of a sign of a coloured board."""
    spans = text.split("\n")[row].spans
    return next(str(span.style).split("on ")[-1] for span in spans if span.start <= column < span.end)


def test_a_square_below_other_things_fills_its_cell(map_of_layers: Position) -> None:
    text = coloured_board(map_of_layers, [], [])
    rows = text.plain.split("\n")
    assert "■" not in text.plain
    assert rows[13].split() == ["3", "★'", "1"]
    column = rows[13].index("★")
    red, blue = terminal.FILLS["red"], terminal.FILLS["blue"]
    assert {ground(text, 13, column), ground(text, 12, column)} == set(red)
    assert ground(text, 13, rows[13].index("1")) in blue


def test_a_mark_on_a_filled_cell_leaves_its_colour(map_of_layers: Position) -> None:
    text = coloured_board(map_of_layers, ["d3"], ["e3"])
    column = text.plain.split("\n")[13].index("★")
    assert ground(text, 13, column - 1) == terminal.LAST
    assert ground(text, 13, column) in terminal.FILLS["red"]
    assert terminal.TARGET in {ground(text, 13, c) for c in range(column + 2, column + 5)}


def test_a_sign_on_a_piece_stands_in_the_corner(map_of_layers: Position) -> None:
    pieces = elements(map_of_layers.svg(), "pieces")
    words = {element.text: element for element in pieces if element.tag == f"{NAME}text"}
    assert set(words) == {"'", "1", "T"}
    star = next(e for e in pieces if e.tag == f"{NAME}polygon")
    assert float(words["'"].get("x", "0")) > max(float(p.split(",")[0]) - 12 for p in star.get("points", "").split())


@pytest.mark.slow
def test_coordinates_of_a_large_board_are_larger_in_its_measure() -> None:
    sizes = [elements(board(form).start().svg(), "coordinates")[0].get("font-size") for form in (
        "square 4 by 4", "square 12 by 12", "square 19 by 19")]  # fmt: skip
    assert sizes == ["17", "21.6", "28"]


@pytest.mark.parametrize(
    ("name", "move", "goal"),
    [("zola", "a1xb1", "b1"), ("conga", "a4 southeast", "b3"), ("tictactoe", "b2", "b2")],
)
def test_a_move_leads_to_the_last_cell_that_it_names_or_in_a_direction_from_there(
    name: str, move: str, goal: str
) -> None:
    position = pysolve.load(next(path for path in GAMES if path.stem == name)).start()
    assert scene.goal_of(position.game.model, position.parse(move)) == goal


def test_a_move_without_cells_leads_nowhere() -> None:
    position = pysolve.load("zola", size=4).position("R.../..B./..../.... Red")
    assert scene.goal_of(position.game.model, position.parse("pass")) is None
    assert scene.targets_of(position, None) == []


def test_a_hex_board_is_slanted_with_letters_below_and_numbers_to_the_right() -> None:
    assert plain_board(board("hex hexagon 2", "b1").start().play("b1")) == (
        "       .   .  ─3\n"
        "     .   .   .  ─2\n"
        "   a╱  w   .  ─1\n"
        "     b╱  c╱"
    )  # fmt: skip


def test_a_triangle_stands_on_its_broad_side() -> None:
    assert plain_board(board("hex triangle 3").start()) == (
        "         .  ─3\n"
        "       .   .  ─2\n"
        "     .   .   .  ─1\n"
        "   a╱  b╱  c╱"
    )  # fmt: skip


def test_a_row_of_a_star_has_no_number_where_a_letter_stands() -> None:
    assert plain_board(board("hex star 1", "c3").start()) == (
        "           .  ─5\n"
        "     .   .   .   .  ─4\n"
        "   a╱  .   .   .  ─3\n"
        "     .   .   .   .  ─2\n"
        "   b╱  c╱  .   e╱\n"
        "         d╱"
    )  # fmt: skip


def test_the_lines_of_a_graph_are_drawn() -> None:
    position = board("graph\n  line a1 b2 c3\n  line c1 b2 a3\n  line a1 c1\n  line a1 a3").start()
    assert plain_board(position) == (
        "  3  .         .\n     │ ╲     ╱\n  2  │    .\n     │  ╱   ╲\n  1  . ─────── .\n     a    b    c"
    )


def test_cells_with_names_have_them_below() -> None:
    position = board("graph\n  line home shop work\n  line home work", "home").start()
    assert plain_board(position).split("\n")[-1].split() == ["home", "shop", "work"]
    words = [element.text for element in elements(position.svg(), "coordinates")]
    assert words == ["home", "shop", "work"]


def test_in_colour_a_shape_stands_for_a_thing_that_has_one() -> None:
    assert coloured_board(pysolve.load("conga").start()).plain.split("\n")[0].split() == ["4", "●10"]


def test_a_letter_is_shown_where_shape_and_colour_do_not_say_it() -> None:
    text = (RULES / "zola.rules").read_text(encoding="utf-8").replace('Blue "B" blue disc', 'Blue "B" red disc')
    position = pysolve.load(text, size=4).start()
    assert "●B" in coloured_board(position).plain
    assert "B" in [element.text for element in elements(position.svg(), "pieces")]


@pytest.mark.parametrize(("colour", "ink"), [("#ffffff", "#1b1b1b"), ("#2a2a2a", "#ffffff"), ("#e3b92f", "#1b1b1b")])
def test_words_contrast_with_what_they_lie_on(colour: str, ink: str) -> None:
    assert scene.contrasting(colour) == ink


# --------------------------------------------------------------------------------------------- marks

TUG = """\
game "Tug"
players White, Black
board square 5 by 1
state
  knot: cell
  step: early, late
setup
  knot := c1
define ends = edge(west) union edge(east)
define near = neighbours(knot)
define place = column(knot)
mark ends red "the ends"
mark near blue "near the knot"
tell place "column"
move pull(to: cell) as "{to}"
  when to in near
  do
    knot := to
    step := late
stuck draw
show
  knot: "K"
  step: early "", late "both grow tired"
"""


STALL = TUG.replace(
    "state\n",
    """\
type ware = Rope, Glove, Boot
table ware  price  worn_by
  Rope          3  none
  Glove         1  White
  Boot          2  Black
define dear(w: ware) = price(w) > place
define left_over(w: ware): 0..1 = place - price(w)
define far = {c: cell where c != knot} except near
define nowhere = {c: cell where false}
define nothing(w: ware) = false
tell price "prices"
tell worn_by "worn by"
tell dear "too dear"
tell left_over "what is left of it"
tell far "far away"
tell nowhere "nowhere"
tell nothing "nothing"
state
""",
    1,
)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_sets_and_the_values_of_a_parameter_are_told(engine: str) -> None:
    start = pysolve.load(STALL, engine=engine).start()
    assert scene.told(start) == [
        "prices: Rope 3, Glove 1, Boot 2",
        "worn by: Rope none, Glove White, Boot Black",
        "what is left of it: Rope 0, Boot 1",
        "far away: a1, e1",
        "column: 3",
    ]
    assert scene.told(start.play("b1"))[2:] == [
        "too dear: Rope",
        "what is left of it: Glove 1, Boot 0",
        "far away: d1, e1",
        "column: 2",
    ]


def test_what_never_changes_is_told_without_prolog(monkeypatch: pytest.MonkeyPatch) -> None:
    start = pysolve.load(STALL).start()
    monkeypatch.setattr(type(start), "rows", no_query)
    assert scene.told(start)[:1] == ["prices: Rope 3, Glove 1, Boot 2"]


def no_query(*_: object, **__: object) -> None:
    raise EngineError("there is no Prolog")


def test_what_the_rules_mark_is_seen_on_a_plain_board() -> None:
    start = pysolve.load(TUG).start()
    assert terminal.plain_board(start) == "  1 {.}(.) K (.){.}\n     a  b  c  d  e"
    assert terminal.plain_board(start.play("b1")).startswith("  1 {.) K (.) . {.}\n")
    assert [line.plain for line in terminal.legend(start, False)] == ["{ } the ends", "( ) near the knot"]


def test_the_last_move_and_targets_hide_marks() -> None:
    assert terminal.plain_board(pysolve.load(TUG).start(), {"b1"}, {"a1"}).startswith("  1 <.>[.] K (.){.}")


def test_marks_have_colours_and_lines() -> None:
    start = pysolve.load(TUG).start()
    edges = [piece.style for piece in terminal.coloured_rows(start, (), ())[0] if piece.text == " "]
    assert any(terminal.INK["red"] in style for style in edges)
    assert any(terminal.INK["blue"] in style for style in edges)
    drawn = start.svg()
    assert drawn.count('class="mark ') == 2
    assert "<title>near the knot</title>" in drawn


def test_what_never_changes_is_marked_along_the_edge_alone() -> None:
    picture = ElementTree.fromstring(pysolve.load("hex", size=3).start().svg())
    red, blue = (group for group in picture if "mark" in classes(group))
    lines = f"{{{red.tag[1:].split('}')[0]}}}line"
    # Three cells on each of two edges: two sides are outside, three in one corner, four in the other.
    assert [len(group.findall(lines)) for group in (red, blue)] == [2 * (4 + 2 + 3), 2 * (4 + 2 + 3)]


def test_what_is_beside_the_board_is_in_the_words_of_the_rules() -> None:
    start = pysolve.load(TUG).start()
    assert scene.beside(start) == ["column: 3"]
    assert scene.beside(start.play("b1")) == ["both grow tired", "column: 2"]


def test_nobody_sees_that_a_turn_was_kept() -> None:
    game = pysolve.load("draughts")
    assert not any("again" in line for line in scene.beside(game.start()))


def test_every_game_can_be_marked_without_prolog(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise pysolve.EngineError("no Prolog here")

    monkeypatch.setattr(pysolve.Position, "rows", nobody)
    start = pysolve.load(TUG).start()
    assert [mark.text for mark in scene.marks(start)] == ["the ends"]
    assert scene.told(start) == []


def test_a_terminal_shows_a_definition_that_only_colours_cells() -> None:
    game = pysolve.load("""
game "Coloured"
players White, Black
board square 2 by 1
state at(cell): player or none
define mine(c: cell) = at(c) = White
move place(to: cell) as "{to}"
  when at(to) = none
  do at(to) := mover
stuck draw
show
  at: White "w", Black "b", none "."
  mine: true "" red
""")
    lines = coloured_board(game.start().play("a1")).plain.split("\n")
    assert lines == ["  1  w    ", "     a  b"]


def test_the_cards_of_onitama_are_drawn_as_the_table_has_their_moves() -> None:
    model = pysolve.load("onitama").model
    drawn = {icon.name: [stroke.start for stroke in icon.strokes[3:]] for icon in model.board.icons}  # behind the frame
    columns = [model.tables[f"table_{column}"] for column in ("one", "two", "three", "four")]
    none = {min(value for _, value in column.rows) for column in columns[2:]}
    for number, card in enumerate(model.sorts["card"].labels, 1):
        ways = {column.lookup[number,][0] for column in columns} - none
        assert {10 * round(x - 10) // 4 + round(10 - y) // 4 for x, y in drawn[card.lower()]} == ways, card
