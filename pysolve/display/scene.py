"""What is seen on a board: what a picture and a terminal have in common.

In: a model and a state.  Out: for each cell the things that lie on it; where the cells lie; the coordinates
along the board.  x grows to the right and y upwards; both count cells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar

from pysolve.dsl import notation
from pysolve.dsl.language import geometry
from pysolve.dsl.language.functions import STEP
from pysolve.dsl.language.geometry import column_name
from pysolve.dsl.language.sites import KINDS
from pysolve.dsl.model import (
    UNKNOWN_WORD,
    Action,
    Aside,
    Board,
    Derived,
    Game,
    Glyph,
    Layer,
    Query,
    Rim,
    SetSort,
    Slot,
    Sort,
    Tell,
    Tie,
)
from pysolve.dsl.model.properties import free_vars, reads_position
from pysolve.dsl.notation import get, is_stack
from pysolve.engines.protocol import EngineError
from pysolve.engines.protocol import Move as Numbers
from pysolve.results import Move, Shown
from pysolve.runtime import validation

# Signs for shapes: as they are, hollow; small, both.
SHAPES = {
    "disc": "●○•◦", "ring": "○◌◦◦", "square": "■□▪▫", "diamond": "◆◇⬩⬦", "triangle": "▲△▴▵", "cross": "✚✛+⊹",
    "star": "★☆⋆⋆", "bar": "▬▭‐‐", "post": "▮▯╷╷", "king": "♚♔♚♔", "queen": "♛♕♛♕", "rook": "♜♖♜♖",
    "bishop": "♝♗♝♗", "knight": "♞♘♞♘", "pawn": "♟♙♟♙",
}  # fmt: skip
LARGE = "⁺"  # behind the sign of what is large
COLOURS = {
    "red": "#c0392b", "blue": "#2b62ad", "black": "#2a2a2a", "white": "#fbfaf6", "green": "#3c8043",
    "yellow": "#e3b92f", "orange": "#d97a2b", "purple": "#7c4a96", "grey": "#8b8b87", "brown": "#7b5233",
    "cyan": "#2c99a6", "pink": "#d97b9f",
}  # fmt: skip
AGAIN = "again"  # the state that remembers a kept turn, where the checker adds one
MOST_SAID = 2_000  # members of a set that is marked or told; a board has fewer cells
WALLS = ("bar", "post")
SIZES = ("small", "large")
DIE = 6  # the largest number on a die
LIFT, HIGHEST = 7, 24  # of things of a stack: each above the one before, and all of them, in points of a picture
FLAT, TALL, FOOT = 8, 46, -22  # the same of things that lie flat, and where the lowest one lies
NOTHING = ("", ".", "·")  # texts that show an empty cell


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a cell: a shape, a text, or both.  A colour without either colours the cell itself.

    It lies in the middle, or at an edge or a corner of the cell: `side` is ("corner", "northeast").  What has no shape
    but a colour, a size or a filling changes the shape below it, if there is one: see `composed`.
    """

    shape: str
    colour: str
    text: str
    side: tuple[str, str] | None = None
    lift: int = 0  # how far above the middle it lies, in a picture, on other things of a stack
    size: str = ""  # or small, or large
    wide: bool = False
    hollow: bool = False
    sign: str = ""  # what a terminal shows for a shape that the rules draw
    plain: bool = False  # it is seen only where nothing else has a shape

    @property
    def changes(self) -> bool:
        """True for what can change a shape below it."""
        return self.side is None and not self.shape and bool(self.colour or self.is_formed)

    @property
    def is_formed(self) -> bool:
        """True for what has a size or a filling."""
        return bool(self.size or self.wide or self.hollow)

    @property
    def is_wall(self) -> bool:
        """True for what stands between cells: a bar or a post, or a colour alone, at an edge or a corner."""
        return self.side is not None and (self.shape in WALLS or not (self.shape or self.text))

    @property
    def is_word(self) -> bool:
        """True for a text alone, or nothing."""
        return not (self.shape or self.colour)

    @property
    def is_seen(self) -> bool:
        """False for what leaves a cell as it is."""
        return bool(self.shape or self.colour or self.text or self.is_formed)

    @property
    def word(self) -> str:
        """The thing in a terminal: a sign for its shape, and its text."""
        if not self.shape:
            return self.text
        signs = SHAPES.get(self.shape)
        sign = self.sign if signs is None else signs[self.hollow + 2 * (self.size == "small")]
        return sign + (LARGE if sign and self.size == "large" else "") + self.text


UNKNOWN = Thing("", "", UNKNOWN_WORD)  # what a player does not see


def composed(pile: Iterable[Thing]) -> list[Thing]:
    """The things of a cell as they are seen: each shape as those above it change it, and no change by itself."""
    found = list[Thing]()
    for thing in pile:
        below = next((at for at in reversed(range(len(found))) if found[at].shape and found[at].side is None), None)
        if below is None or not thing.changes:
            found.append(thing)
            continue
        shape = found[below]
        found[below] = replace(
            shape, colour=thing.colour or shape.colour, size=thing.size or shape.size,
            wide=thing.wide or shape.wide, hollow=thing.hollow or shape.hollow,
        )  # fmt: skip
        if thing.text:
            found.append(Thing("", "", thing.text, lift=thing.lift))
    if any(thing.shape and thing.side is None and not thing.plain for thing in found):
        found = [thing for thing in found if not thing.plain]
    return [thing for thing in found if thing.shape or thing.colour or thing.text]


def on_ground(model: Game) -> list[Derived]:
    """The first lines of `show`, as long as they draw definitions that are the same in every position."""
    lines = drawn_lines(model)
    return [one for one in takewhile(lambda one: isinstance(one, Derived) and _is_table(model, one.name), lines)
            if isinstance(one, Derived)]  # fmt: skip


def ground_things(model: Game) -> list[list[Thing]]:
    """What lies on the ground of each cell, below the things that come and go."""
    piles: list[list[Thing]] = [[] for _ in model.board.cells]
    for drawn in on_ground(model):
        for cell, thing in _placed(model, drawn, _table_rows(model, drawn.name), looks_of(drawn)):
            piles[cell - 1].append(thing)
    return [[thing for thing in pile if thing.is_seen] for pile in piles]


def things(position: Shown, ground: bool = True) -> list[list[Thing]]:
    """The things on each cell, the lowest first; `ground` is false for a picture that draws what lies there by itself.

    Things drawn by definitions are included if an engine that can answer queries is available.
    """
    cells = range(1, len(position.game.model.board.cells) + 1)
    return list(things_at(position, cells, ground).values())


def things_at(position: Shown, cells: Collection[int], ground: bool = True) -> dict[int, list[Thing]]:
    """The things on each of these cells alone."""
    if not cells:
        return {}
    model = position.game.model
    lying = on_ground(model)
    piles: dict[int, list[Thing]] = {cell: [] for cell in cells}
    tops = dict.fromkeys(piles, 0)  # how far above the middle lies what comes on a stack
    for drawn in drawn_lines(model)[0 if ground else len(lying) :]:
        for cell, thing in (
            _placed(model, drawn, rows_of(position, drawn.name), looks_of(drawn))
            if isinstance(drawn, Derived)
            else _layer_things(model, position.state, drawn, piles)
        ):
            if cell not in piles:
                continue
            if isinstance(drawn, Layer) and is_stack(drawn, model.slots):
                tops[cell] = thing.lift
            elif tops[cell] and thing.side is None:
                thing = replace(thing, lift=tops[cell])
            if thing.is_seen:
                piles[cell].append(thing)
    return piles


def drawn_lines(model: Game) -> list[Layer | Derived]:
    """The lines of `show` that draw on cells, the lowest first."""
    found: list[Layer | Derived] = []
    for number in range(len(model.layers) + 1):
        found += [derived for derived in model.derived if derived.below == number]
        found += model.layers[number : number + 1]
    return found


def is_flat(layer: Layer) -> bool:
    """True if things of a stack lie flat: it grows from its foot."""
    return any("wide" in glyph.look for glyph in layer.glyphs)


def lifted(count: int, flat: bool = False) -> list[int]:
    """The heights of the things of a stack above the middle of their cell, the lowest first."""
    step, highest = (FLAT, TALL) if flat else (LIFT, HIGHEST)
    whole = min(step * (count - 1), highest)
    foot = FOOT if flat else -(whole // 2)
    return [foot + whole * number // max(1, count - 1) for number in range(count)]


def _layer_things(model: Game, state: bytes, layer: Layer, cells: Iterable[int]) -> Iterator[tuple[int, Thing]]:
    """What a line draws on these cells, or things that have a place on all."""
    looks = looks_of(layer)
    slots = [model.slots[name] for name in layer.slots]
    if layer.on_cell:
        for cell in cells:
            shown = notation.shown_glyphs(layer, model.slots, state, cell)
            lies = is_stack(layer, model.slots) and shown[0].values[0] >= slots[0].sort.low  # not none
            lifts = lifted(len(shown), is_flat(layer)) if lies else [0]
            for glyph, lift in zip(shown, lifts, strict=True):
                thing = looks.get(glyph.values, UNKNOWN)
                yield cell, replace(thing, lift=lift) if lift else thing
        return
    for args, thing in looks.items():
        if (cell := get(state, slots[0], args)) > 0:
            yield cell, thing


def _placed(
    model: Game, derived: Derived, rows: list[tuple[int, ...]] | None, looks: Mapping[tuple[int, ...], T]
) -> Iterator[tuple[int, T]]:
    """The cell and the look of each thing that a definition draws, in the order of its glyphs or of the cells."""
    if derived.on_cell:
        holds = model.queries[derived.name].result is None
        values: dict[int, tuple[int, ...]] = {}
        if holds and rows is not None:
            values = dict.fromkeys(range(1, len(model.board.cells) + 1), (0,))
        values |= {row[0]: row[1:] or (1,) for row in rows or ()}
        yield from ((cell, looks[value]) for cell, value in sorted(values.items()) if value in looks)
        return
    for args, thing in looks.items():
        yield from ((row[-1], thing) for row in rows or () if row[:-1] == args)


def derived_texts(position: Shown) -> list[str]:
    """The text that definitions add to each cell in a terminal, without what lies between cells."""
    texts = ["" for _ in position.game.cells]
    for derived in position.game.model.derived:
        walls = {values: thing.is_wall for values, thing in looks_of(derived).items()}
        texts_of = {glyph.values: glyph.text for glyph in derived.glyphs}
        glyphs = {values: "" if walls[values] or text in NOTHING else text for values, text in texts_of.items()}
        for cell, text in _placed(position.game.model, derived, rows_of(position, derived.name), glyphs):
            texts[cell - 1] += text
    return texts


def looks_of(drawn: Layer | Derived | Rim | Aside | Tie) -> dict[tuple[int, ...], Thing]:
    """The thing that stands for each combination of values, or arguments, in a line of `show`."""
    return {glyph.values: thing_of(drawn, glyph) for glyph in drawn.glyphs}


def has_walls(model: Game) -> bool:
    """True if something may stand between the cells of a board of squares."""
    looks = (thing_of(line, glyph) for line in drawn_lines(model) for glyph in line.glyphs if glyph.side)
    return model.board.form == "square" and any(thing.is_wall for thing in looks)


def site_things(model: Game, state: bytes) -> dict[str, list[Thing]]:
    """The things at edges and corners, by the names of those that are not empty."""
    found: dict[str, list[Thing]] = {site.name: [] for site in model.board.sites}
    for rim in model.rims:
        sites = [site for site in model.board.sites if site.side[0] == rim.kind]
        looks = looks_of(rim)
        slots = [model.slots[name] for name in rim.slots]
        for number, site in enumerate(sites, 1):
            thing = looks.get(tuple(get(state, slot, (number,)) for slot in slots), UNKNOWN)
            if thing.is_seen:
                found[site.name].append(replace(thing, side=site.side))
    return {name: pile for name, pile in found.items() if pile}


def has_between(model: Game) -> bool:
    """True if something may lie between the cells of a board of squares."""
    return has_walls(model) or (model.board.form == "square" and bool(model.board.sites))


def thing_of(layer: Layer | Derived | Rim | Aside | Tie, glyph: Glyph) -> Thing:
    """The thing that a glyph draws, without its text if shape and colour say as much."""
    colour = next((word for word in glyph.look if word in COLOURS), "")
    size = next((word for word in glyph.look if word in SIZES), "")
    wide, hollow = "wide" in glyph.look, "hollow" in glyph.look
    shape = next((word for word in glyph.look if word not in (*COLOURS, *SIZES, "wide", "hollow")), "")
    alone = not any(
        (other.look, other.side) == (glyph.look, glyph.side) and other.text != glyph.text for other in layer.glyphs
    )
    bare = glyph.text in NOTHING
    hidden = bare or ((shape or size or wide or hollow) and alone)
    sign = "" if shape in SHAPES or not hidden else glyph.text
    plain = isinstance(layer, Layer) and layer.plain
    return Thing(shape, colour, "" if hidden else glyph.text, glyph.side, 0, size, wide, hollow, sign, plain)


# -------------------------------------------------------------------------------------------- places


def is_hex(board: Board) -> bool:
    """True if the cells of the board are hexagons."""
    return board.form not in ("square", "graph")


def place(board: Board, cell: int) -> tuple[float, int]:
    """The column and row of a cell, as a picture needs them; each row of a hex board is half a cell to the right of the
    one below."""
    x, y = board.place[cell - 1]
    return (x + y / 2 if is_hex(board) else float(x)), y


def turned(board: Board) -> Board:
    """The board seen from the other side: the same with all places negated."""
    return replace(board, place=tuple((-x, -y) for x, y in board.place))


def shade(board: Board, cell: int) -> int:
    """0, 1 or 2: orthogonal neighbours differ, on a hex board all neighbours; on a graph it is always 0."""
    x, y = board.place[cell - 1]
    if board.links or board.ground:
        return 0
    return (x - y) % 3 if is_hex(board) else (x + y + 1) % 2


def line_ends(board: Board, cell: int) -> list[tuple[float, int]]:
    """The steps from a cell to those with which lines join it, where cells are points: along rows and columns, on a hex
    board in all directions.  What lies on the other side of a cylinder or a torus is a step beyond the rim."""
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1), *(((1, -1), (-1, 1)) if is_hex(board) else ()))
    x, y = board.place[cell - 1]
    return [(dx + dy / 2 if is_hex(board) else float(dx), dy) for dx, dy in ways if (x + dx, y + dy) in board.place]


def lines(board: Board) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The ends of the thicker lines between the cells, from the left and from below; they run along cells."""
    if not board.lines:
        return
    sign = -1 if board.place[0][0] < 0 else 1  # seen from the other side
    for x, y in ((1, 0), (0, 1)):  # the step over a line; it runs along the other one
        across = {(abs(column * x + row * y), column * y + row * x) for column, row in board.place}
        for line in range(board.lines, max(one for one, _ in across), board.lines):
            for start, end in _runs(along for one, along in across if one in (line, line + 1)):
                ends = ((sign * (line + 0.5), start - 0.5), (sign * (line + 0.5), end + 0.5))
                yield ends if x else (ends[0][::-1], ends[1][::-1])


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of those that follow one another."""
    found = sorted(set(numbers))
    firsts = [one for one in found if one - 1 not in found]
    lasts = [one for one in found if one + 1 not in found]
    yield from zip(firsts, lasts, strict=True)


def offset(side: tuple[str, str]) -> tuple[float, float]:
    """The position of an edge or a corner of a square, relative to its middle."""
    x, y = geometry.SQUARE_DIRECTIONS[side[1]]
    return x / 2, y / 2


def lies_along(side: tuple[str, str], shape: str) -> bool:
    """True if a bar or a post at a side of a square lies from left to right."""
    place, way = side
    upright = place == "edge" and way in ("east", "west")
    return upright == (shape == "post")


@dataclass(frozen=True, slots=True)
class Label:
    """A word along the board: one step (dx, dy) away from the cell at x, y."""

    text: str
    x: float
    y: int
    dx: float
    dy: int


def labels(board: Board) -> Iterator[Label]:
    """Columns and rows along the board; the names of cells that are not named by column and row.

    On a square board letters stand below it and numbers to the left; on a hex board letters stand below to
    the left of each column and numbers to the right of each row, unless a letter stands there.
    """
    if not board.cells:
        return
    if not named_by_place(board):
        for cell, name in enumerate(board.cells, 1):
            yield Label(name, *place(board, cell), 0, -1)
        return
    upwards = sorted((y, x, cell) for cell, (x, y) in enumerate(board.place, 1))
    cells = [cell for _, _, cell in upwards]
    first_of_column = {board.place[cell - 1][0]: cell for cell in reversed(cells)}  # the lowest
    last_of_row = {board.place[cell - 1][1]: cell for cell in cells}  # the one farthest to the right
    left, bottom = min(first_of_column), min(last_of_row)
    lettered = set()
    for x, cell in sorted(first_of_column.items()):
        if is_hex(board):
            label = Label(column_name(abs(x)), *place(board, cell), -0.5, -1)
            lettered.add((label.x + label.dx, label.y + label.dy))
            yield label
        else:
            yield Label(column_name(abs(x)), x, bottom, 0, -1)
    for y, cell in sorted(last_of_row.items()):
        if is_hex(board):
            label = Label(str(abs(y)), *place(board, cell), 1, 0)
            if (label.x + label.dx, label.y + label.dy) not in lettered:
                yield label
        else:
            yield Label(str(abs(y)), left, y, -1, 0)


def named_by_place(board: Board) -> bool:
    """True if the cells are called a1, b1, … after column and row."""
    return geometry.named_by_place(board.cells, board.place)


@dataclass(frozen=True, slots=True)
class Tied:
    """A line between two cells."""

    cells: tuple[int, int]
    colour: str
    size: str


def ties(position: Shown) -> list[Tied]:
    """The lines between cells, the lowest first, as far as queries can be answered; the same one is drawn once."""
    found = list[Tied]()
    for tie in position.game.model.ties:
        numbers = {glyph.values: number for number, glyph in enumerate(tie.glyphs)}
        looks = list(looks_of(tie).values())
        pairs = set()
        for one, other, *value in (rows_of(position, tie.name) or ())[:MOST_SAID]:
            number = numbers.get(tuple(value) or (1,), numbers.get(()))  # of a condition there are the pairs alone
            if number is not None and other > 0 and one != other:
                pairs.add((min(one, other), max(one, other), number))
        found += [Tied((one, other), looks[number].colour, looks[number].size) for one, other, number in sorted(pairs)]
    return found


@dataclass(frozen=True, slots=True)
class Marked:
    """Cells that the rules mark, in a colour, and what that says."""

    cells: frozenset[str]
    colour: str
    text: str
    lasting: bool  # they are the same in every position
    depth: int = 0  # how many marks that were drawn before share a cell with this one


def marks(position: Shown) -> list[Marked]:
    """The cells that the rules mark on the board, as far as queries can be answered."""
    model = position.game.model
    found: list[Marked] = []
    for mark in model.marks:
        cells = frozenset(cell for (cell,) in _answers(position, mark.name))
        if cells:
            depth = sum(not cells.isdisjoint(other.cells) for other in found)
            found.append(Marked(cells, mark.colour, mark.text, _is_table(model, mark.name), depth))
    return found


def told(position: Shown, tells: Sequence[Tell] | None = None) -> list[str]:
    """The lines of text that the rules tell: `income: 3`, `prices: Peasant 10, Knight 40`, `too dear: Knight`."""
    lines = []
    for tell in position.game.model.tells if tells is None else tells:
        values = [" ".join(answer) for answer in _answers(position, tell.name)]
        if values:
            lines.append(f"{tell.text}: {', '.join(values)}")
    return lines


def _is_table(model: Game, name: str) -> bool:
    return model.queries[name].kind == "table"


def _table_rows(model: Game, name: str) -> list[tuple[int, ...]]:
    asked = model.queries[name]
    return [row[: len(asked.sorts)] for row in model.tables[asked.target].rows]


def _answers(position: Shown, name: str) -> list[tuple[str, ...]]:
    """Each member of a set, or a value alone; behind the parameters, if there are some.

    Nothing where there is no value, or nobody to be asked.
    """
    sorts = position.game.model.queries[name].sorts
    return [tuple(sort.label(value) for sort, value in zip(sorts, row, strict=True))
            for row in _asked(position, name) or ()]  # fmt: skip


def rows_of(position: Shown, name: str, unknown: bool = False) -> list[tuple[int, ...]] | None:
    """The answers to a query of a name as numbers; None if no engine can answer queries.

    `unknown` includes the values of a state that a player does not see: they are above the highest one.
    """
    model = position.game.model
    asked = model.queries[name]
    if _is_table(model, name):
        return _table_rows(model, name)
    if asked.kind == "slot":
        slot = model.slots[asked.target]
        rows = [(*args, get(position.state, slot, args)) for args in notation.arguments(slot)]
        return [row for row in rows if unknown or row[-1] <= slot.sort.high]
    return _asked(position, name)


def _asked(position: Shown, name: str) -> list[tuple[int, ...]] | None:
    """Each answer, as numbers; None where there is nobody to be asked."""
    if _is_table(position.game.model, name):
        return _table_rows(position.game.model, name)
    try:
        return position.rows(name, MOST_SAID)
    except (EngineError, ValueError):
        return None


def beside(position: Shown, drawn_between: bool = True) -> list[str]:
    """What the board does not show, a line for each state: `step: placing`, `stock: White 1: 5, 2: 4; Red 1: 5, 2: 5`.

    Values that are none or false are left out, and on cells also those that cells have by themselves.  Where the rules
    have words for a value they stand alone.  Who is out comes first, what the rules tell last.
    `drawn_between` is false for a board that does not show what lies at edges and corners.
    """
    out = players_out(position)
    lines = [f"out: {', '.join(out)}"] if out else []
    return [*lines, *(line for _, line in _state_lines(position, drawn_between)), *told(position)]


def players_out(position: Shown) -> tuple[str, ...]:
    """The players who are out, as far as somebody can be asked."""
    if position.game.model.out is None:
        return ()
    try:
        return position.players_out()
    except (EngineError, ValueError):
        return ()


def said(position: Shown) -> list[str]:
    """What the author has words for: values of states, and what the rules tell and `shops` does not."""
    model = position.game.model
    lines = [line for has_words, line in _state_lines(position) if has_words]
    return [*lines, *told(position, [tell for tell in model.tells if not is_shop(model, tell)])]


def facts(position: Shown) -> list[str]:
    """What no line of the rules says or draws, in the words of states: `clock: 3`."""
    return [line for has_words, line in _state_lines(position) if not has_words]


def _state_lines(position: Shown, drawn_between: bool = True) -> Iterator[tuple[bool, str]]:
    """The lines about states that the board does not show, and whether they are the author's own words."""
    model = position.game.model
    drawn = notation.drawn_slots(model.layers) | (slots_between(model) if drawn_between else set())
    drawn |= {aside.name for aside in model.asides}
    words = {saying.slot: saying.texts for saying in model.sayings}
    for slot in notation.visible(model):
        if slot.name in words:
            value = notation.get(position.state, slot)
            if value <= slot.sort.high and (text := words[slot.name][value - slot.sort.lowest]):
                yield True, text
            continue
        if slot.name in drawn or slot.name == AGAIN:
            continue
        if text := "; ".join(_grouped(model.slots, slot, position.state)):
            yield False, f"{slot.name}: {text}"


@dataclass(frozen=True, slots=True)
class Item:
    """A thing beside the board, and how many there are of it.

    `value` names what it stands for as `values_of` does for a move, or is empty; `note` is written behind, as a price.
    """

    thing: Thing
    count: int
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Things beside the board that belong together, such as those of a player."""

    label: str
    items: tuple[Item, ...]
    player: str = ""  # whose they are


@dataclass(frozen=True, slots=True)
class Besides:
    """The things that a line of `show` puts beside the board, by headings."""

    title: str
    text: str  # all of it in words
    groups: tuple[Group, ...]


def asides(position: Shown) -> list[Besides]:
    """The things beside the board, for each line of `show`, as far as queries can be answered."""
    model, found = position.game.model, list[Besides]()
    for one in model.asides:
        single = one.kind == "each" and len(model.queries[one.name].params) < 2
        found.append(_aside(model, one, rows_of(position, one.name, unknown=single) or []))
    return [one for one in found if one.groups]


MOST_DRAWN = 12  # of one thing beside the board; of more there is one, with their number


def aside_rows(found: Iterable[Besides]) -> dict[str, list[tuple[Thing, str]]]:
    """Each thing to be drawn beside the board, or in its place a text, in rows: one for each heading or title.

    A heading that an earlier line has stands behind the title.
    """
    rows: dict[str, list[tuple[Thing, str]]] = {}
    for one in found:
        for group in one.groups:
            label = group.label or one.title
            row = rows.setdefault(f"{one.title} {label}" if label in rows else label, [])
            for thing, count in ((item.thing, item.count) for item in group.items):
                if thing.is_word:
                    said = [word for word in (thing.text, f"× {count}" if thing.text else str(count)) if word]
                    row.append((Thing("", "", ""), " ".join(said[: 1 if count == 1 else 2])))
                elif count > MOST_DRAWN:
                    row += [(thing, ""), (Thing("", "", ""), f"× {count}")]
                else:
                    row += [(thing, "")] * count
    return rows


def _aside(model: Game, aside: Aside, rows: list[tuple[int, ...]]) -> Besides:
    asked, looks = model.queries[aside.name], looks_of(aside)
    groups: dict[str, list[Item]] = {}
    words: dict[str, list[str]] = {}
    sort, headed = named_beside(model, aside), is_headed(asked, aside)
    for row in rows:
        key, count, name = _beside_one(asked, aside, row)
        if count < 0 or (key in looks and not looks[key].is_seen):
            continue  # it is not there, or is not to be seen
        head = asked.params[0].label(row[0]) if headed else ""
        word = f"{name} {row[-1]}".strip() if aside.kind == "count" else name
        words.setdefault(head, []).append(word)
        items = groups.setdefault(head, [])
        if count:
            if aside.kind == "each" and row[-1] > asked.sorts[-1].high:
                items.append(Item(_face_down(looks.values()), 1, ""))
                continue
            written = aside.kind == "each" and len(asked.params) > 1
            thing = Thing("", "", name) if written else looks.get(key, Thing("", "", name))
            items.append(Item(thing, count, value_name(sort, key[0]) if sort is not None else ""))
    title, joint = aside.name.replace("_", " "), ", " if aside.kind == "count" and len(asked.params) < 2 else "; "
    parts = (" ".join(filter(None, (head, ", ".join(said)))) for head, said in words.items())
    whose = headed and asked.params[0].name == "player"
    its = tuple(Group(head, tuple(items), head if whose else "") for head, items in groups.items())
    return Besides(title, f"{title}: {joint.join(parts)}", its)


def shops(position: Shown) -> list[Besides]:
    """What the rules tell of values that a move can name, as things with a note: `Peasant 10, Knight 40`."""
    model, found = position.game.model, list[Besides]()
    for tell in model.tells:
        asked = model.queries[tell.name]
        if is_shop(model, tell) and (rows := rows_of(position, tell.name)):
            sort = asked.sorts[0]
            notes = [asked.sorts[1].label(row[1]) if len(row) > 1 else "" for row in rows]
            items = tuple(
                Item(look_of(model, sort, row[0]), 1, value_name(sort, row[0]), note)
                for row, note in zip(rows, notes, strict=True)
            )
            words = (" ".join(filter(None, (sort.label(row[0]), note))) for row, note in zip(rows, notes, strict=True))
            found.append(Besides(tell.text, f"{tell.text}: {', '.join(words)}", (Group("", items),)))
    return found


def is_shop(model: Game, tell: Tell) -> bool:
    """True for a line that tells of values which a parameter of a move can have: each is a thing to be clicked."""
    sorts = model.queries[tell.name].sorts
    return 1 <= len(sorts) <= 2 and bool(sorts[0].labels) and type_name(sorts[0]) in _named_types(model)


def look_of(model: Game, sort: Sort, value: int) -> Thing:
    """The thing as which `show` draws a value of a type on cells, with its word where nothing else says it."""
    for layer in model.layers:
        if layer.on_cell and len(layer.slots) == 1 and model.slots[layer.slots[0]].sort.name == sort.name:
            thing = looks_of(layer).get((value,))
            if thing is not None and thing.is_seen:
                return thing
    return Thing("", "", sort.label(value))


def type_name(sort: Sort) -> str:
    """The name of a type, or its range of numbers."""
    return sort.name if sort.labels else f"{sort.low}..{sort.high}"


def value_name(sort: Sort, value: int) -> str:
    """A value of a type, so that no other type has it: `card Tiger`."""
    return f"{type_name(sort)} {sort.label(value)}"


def value_params(model: Game, action: Action) -> list[int]:
    """The places of the parameters of a kind of move that can lie beside the board, in the order of its text."""
    lying = {named_beside(model, aside) for aside in model.asides}
    lying |= {model.queries[tell.name].sorts[0] for tell in model.tells if is_shop(model, tell)}
    types = {type_name(sort) for sort in lying if sort is not None}
    places = [
        place
        for place, param in enumerate(action.params)
        if isinstance(param.sort, Sort) and not is_place(model, param.sort) and type_name(param.sort) in types
    ]
    return sorted(places, key=lambda place: _written_at(action, action.params[place].name))


def values_of(model: Game, move: Numbers, places: Iterable[int]) -> list[str]:
    """The values of a move at these places of its parameters."""
    kind, *values = move
    sorts = [param.sort for param in model.actions[kind].params] if values else []
    return [value_name(sort, values[at]) for at in places if isinstance(sort := sorts[at], Sort)]


def _named_types(model: Game) -> set[str]:
    """The types of the parameters of moves that are no places and no directions."""
    sorts = [param.sort for action in model.actions for param in action.params if isinstance(param.sort, Sort)]
    return {type_name(sort) for sort in sorts if not is_place(model, sort) and sort.name != "direction"}


def is_headed(asked: Query, aside: Aside) -> bool:
    """True if the first argument of what lies beside the board is a heading."""
    return len(asked.params) > (aside.kind == "holds")


def sort_beside(asked: Query, kind: str) -> Sort | None:
    """The type of what a line puts beside the board; none for a number alone."""
    if kind == "each":
        return asked.sorts[-1]
    return asked.params[-1] if asked.params else None


def named_beside(model: Game, aside: Aside) -> Sort | None:
    """The type of what a line puts beside the board, if a parameter of some move has it."""
    sort = sort_beside(model.queries[aside.name], aside.kind)
    return sort if sort is not None and type_name(sort) in _named_types(model) else None


def _face_down(looks: Iterable[Thing]) -> Thing:
    """What a player does not see, beside the board: a `?`, on the shape of its line if that has only one."""
    shapes = {replace(thing, text=UNKNOWN_WORD) for thing in looks if thing.is_seen}
    return shapes.pop() if len(shapes) == 1 else UNKNOWN


def _beside_one(asked: Query, aside: Aside, row: tuple[int, ...]) -> tuple[tuple[int, ...], int, str]:
    """The parts of an answer for a line beside the board: the values whose glyph it has, its count, and its name.

    The count is -1 if the value is `none`; what is counted under its heading alone has no name.  A number is named by
    its glyph, behind its second parameter if it has one.
    """
    value, kind, named = asked.sorts[-1], aside.kind, names_of(asked, aside)
    if kind == "count":
        names = [named.get(one, sort.label(one)) for sort, one in zip(asked.params[1:], row[1:-1], strict=True)]
        return row[:-1][-1:], max(0, row[-1]) if row[-1] >= value.low else -1, " ".join(names)
    if kind == "holds":
        last = len(asked.params) - 1
        return (
            (row[last],),
            1 if asked.result is None or row[-1] else -1,
            named.get(row[last], asked.params[last].label(row[last])),
        )
    name = UNKNOWN_WORD if row[-1] > value.high else named.get(row[-1], value.label(row[-1]))
    if len(row) > 2:
        name = f"{asked.params[1].label(row[1])}: {name}"
    return row[-1:], 1 if row[-1] >= value.low else -1, name


def names_of(asked: Query, aside: Aside) -> dict[int, str]:
    """The names of numbers that a line draws beside the board: their glyphs, where they have some."""
    sort = sort_beside(asked, aside.kind)
    own = aside.glyphs if sort is not None and not sort.labels else ()
    return {glyph.values[0]: glyph.text for glyph in own if glyph.text}


def slots_between(model: Game) -> set[str]:
    """Names of the states that are drawn at edges and corners, or as lines between cells."""
    return {name for rim in model.rims for name in rim.slots} | {tie.name for tie in model.ties}


def _grouped(slots: Mapping[str, Slot], slot: Slot, state: bytes) -> Iterator[str]:
    """The values of a state, those with the same arguments but the last one together."""
    on_cells = any(sort.name in ("cell", *KINDS) for sort in slot.params)
    groups: dict[tuple[int, ...], list[str]] = {}
    for args in notation.arguments(slot):
        value = notation.get(state, slot, args)
        said = notation.plain(slot.sort, value)
        if slot.stack is not None and said is not None:
            said = notation.stack_text(slot, notation.stacked(slots, state, slot, args))
        if said is None or said is False or (on_cells and value == slot.default):
            continue
        words = [slot.params[-1].label(args[-1])] if args else []
        if not (words and said is True):
            words.append(said if isinstance(said, str) else slot.sort.label(value))
        groups.setdefault(args[:-1], []).append((": " if len(args) > 1 else " ").join(words))
    for head, values in groups.items():
        if slot.seen and len(values) > 1 and notation.all_unknown(slot, state, head):
            values = [UNKNOWN_WORD]
        yield " ".join([*(sort.label(one) for sort, one in zip(slot.params, head, strict=False)), ", ".join(values)])


def is_cell(sort: Sort | SetSort) -> bool:
    """True for the cells of the board, whatever else the rules call this type."""
    return isinstance(sort, Sort) and sort.name == "cell"


def is_place(model: Game, sort: Sort | SetSort) -> bool:
    """True for the cells, and for edges and corners of cells."""
    return is_cell(sort) or (isinstance(sort, Sort) and sort.name in {site.side[0] for site in model.board.sites})


def places_of(board: Board) -> tuple[str, ...]:
    """The names of all cells, and of the edges and corners that are seen."""
    return (*board.cells, *(site.name for site in board.sites))


def cells_of(model: Game, move: Move) -> set[str]:
    """The cells that a move names, and the edges and corners."""
    kinds = {action.name: action.params for action in model.actions}
    return {str(move.params[p.name]) for p in kinds.get(move.kind, ()) if is_place(model, p.sort)}


def named_cells(model: Game, move: Move) -> list[str]:
    """The cells, edges and corners that a move names, in the order of its text; those that are not in the text come
    last."""
    action = next((action for action in model.actions if action.name == move.kind), None)
    return [] if action is None else [str(move.params[name]) for name in cell_params(model, action)]


def cell_params(model: Game, action: Action) -> list[str]:
    """Names of the parameters of a kind of move that are cells, edges or corners, in the order of its text."""
    names = [p.name for p in action.params if is_place(model, p.sort)]
    return sorted(names, key=lambda name: _written_at(action, name))


def _written_at(action: Action, name: str) -> int:
    """The place of a parameter in the text of its moves; those that it leaves out come last."""
    written = re.findall(r"\{(\w+)\}", action.text)
    return written.index(name) if name in written else len(written)


def goal_of(model: Game, move: Move) -> str | None:
    """The place to which a move leads: the last one that it names, or one step from a cell if a direction follows."""
    return goal_of_numbers(model, move.numbers)


def goal_of_numbers(model: Game, numbers: Numbers) -> str | None:
    """The place to which a move leads, given as its kind and the values of its parameters; it need not be legal."""
    kind, *values = numbers
    goal: tuple[Sort, int] | None = None
    way = 0
    for param, value in zip(model.actions[kind].params if values else (), values, strict=True):
        if isinstance(param.sort, Sort) and is_place(model, param.sort):
            goal, way = (param.sort, value), 0
        elif isinstance(param.sort, Sort) and param.sort.name == "direction":
            way = value
    if goal is None:
        return None
    sort, number = goal
    if way and is_cell(sort):
        number, *_ = model.tables[STEP].lookup.get((number, way), (number,))
    return sort.label(number)


def moves_of(position: Shown, cell: str) -> list[Move]:
    """The legal moves that name a cell."""
    return [move for move in position.legal_moves if cell in cells_of(position.game.model, move)]


def targets_of(position: Shown, cell: str | None) -> list[str]:
    """The places that the moves of a cell name or lead to, without itself; where all moves lead if it is None."""
    validation.instance("position", position, Shown, "a Position")
    model = position.game.model
    if cell is None:
        found = {goal_of(model, move) for move in position.legal_moves}
    else:
        moves = moves_of(position, cell)
        found = {name for move in moves for name in (*cells_of(model, move), goal_of(model, move)) if name != cell}
    return [name for name in places_of(model.board) if name in found]


def faces(model: Game, move: Move) -> list[int]:
    """What the dice show by which a move is written: its numbers, if it has nothing else and a die has all of them."""
    action = next(action for action in model.actions if action.name == move.kind)
    return list(move.numbers[1:]) if shows_dice(action) else []


def shows_dice(action: Action) -> bool:
    """True if all parameters of a kind of moves are numbers that a die has, whatever the position: cards run out."""
    sorts, params = [param.sort for param in action.params], set(action.params)
    return all(
        not isinstance(sort, SetSort) and not sort.labels and sort.low >= 1 and sort.high <= DIE for sort in sorts
    ) and not any(reads_position((step,)) and params.intersection(free_vars((step,))) for step in action.body)


def contrasting(colour: str) -> str:
    """Black or white, whichever is seen better on a colour like #cfae78."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#1b1b1b" if 299 * red + 587 * green + 114 * blue > 140_000 else "#ffffff"
