"""A position as rows of text, for a terminal.

In: a position, cells to mark.  Out: the board with its coordinates, as plain rows or as a `rich` text in
colour.  Plain rows have the glyphs of the rules, as diagrams have them, with [ ] round the cells of the last
move, < > round targets, { } and ( ) round what the rules mark.  In colour a shape stands for a thing that has
one, a square below other things fills its cell, and marked cells have another ground, or other edges if they
are filled or the rules mark them.  On a hex board a line joins each label to its column or row.  A large board
has one column between its cells instead of two.  What lies at an edge or a corner of a square is drawn there if
the terminal shows the board, not in a diagram.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from pysolve.display import scene, window
from pysolve.display.scene import COLOURS, Marked, Thing, contrasting, is_hex, named_by_place, place
from pysolve.dsl.model import Board, Derived, Game, Glyph, Layer, Site
from pysolve.dsl.notation import BARE, cell_text, towers
from pysolve.results import Shown

if TYPE_CHECKING:
    from rich.text import Text

MORE = Thing("", "", "…")  # what is left out of a high stack, below what is seen
WIDTH = 80  # a board keeps to this as long as it can
MARGIN = 4  # columns left of the board, for the numbers of the rows
# Colours that terminals with 256 colours have, too.
GROUND = ("#d7af87", "#af875f", "#d7af5f")  # cells, so that each differs from its neighbours
LAST, TARGET = "#ffd75f", "#87af5f"
INK = {**COLOURS, "red": "#af0000", "blue": "#0000af", "white": "#ffffff", "black": "#000000", "green": "#005f00",
       "yellow": "#ffff00", "brown": "#5f0000", "purple": "#5f005f", "cyan": "#005f87"}  # fmt: skip
# What fills a cell, in two shades: the nearest that such terminals have are shades of one colour, too.
FILLS = {
    "red": ("#d70000", "#af0000"),
    "blue": ("#0000d7", "#0000af"),
    "black": ("#3a3a3a", "#303030"),
    "white": ("#ffffff", "#e4e4e4"),
    "green": ("#87af5f", "#5faf5f"),
    "yellow": ("#ffd75f", "#ffd700"),
    "orange": ("#ff8700", "#d78700"),
    "purple": ("#875faf", "#8700af"),
    "grey": ("#8a8a8a", "#767676"),
    "brown": ("#875f00", "#5f5f00"),
    "cyan": ("#afd7ff", "#87d7ff"),
    "pink": ("#ffafd7", "#ff87af"),
}
NOTHING = Thing("", "", "")
BRACKETS = ("{}", "()", "||")  # around cells that the rules mark, where there is no colour


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one row: the column where it begins, its words, their style."""

    column: int
    text: str
    style: str = ""


Row = list[Piece]


def plain_board(
    position: Shown,
    last: Collection[str] = (),
    targets: Collection[str] = (),
    flipped: bool = False,
    cells: Collection[int] | None = None,
) -> str:
    """The board as plain text, or these of its cells alone; `flipped` shows it from the other side."""
    return "\n".join(_plain(row) for row in plain_rows(position, last, targets, flipped, cells))


def coloured_board(
    position: Shown,
    last: Collection[str] = (),
    targets: Collection[str] = (),
    flipped: bool = False,
    cells: Collection[int] | None = None,
) -> Text:
    """The board in colour, or these of its cells alone; `flipped` shows it from the other side."""
    from rich.text import Text

    return Text("\n", no_wrap=True).join(
        _coloured(row) for row in coloured_rows(position, last, targets, flipped, cells)
    )


def _seen(position: Shown, flipped: bool) -> Board:
    board = position.game.model.board
    return scene.turned(board) if flipped else board


def plain_rows(
    position: Shown,
    last: Collection[str],
    targets: Collection[str],
    flipped: bool = False,
    shown: Collection[int] | None = None,
) -> list[Row]:
    """The rows of the plain board from the top."""
    model, board = position.game.model, _seen(position, flipped)
    if not board.cells:
        return []
    layers = _within(model)
    texts = [cell_text(layers, model.slots, position.state, c) for c in range(1, len(board.cells) + 1)]
    if model.derived:
        texts = [_with_derived(text, pile) for text, pile in zip(texts, scene.derived_texts(position), strict=True)]
    if towers(layers, model.slots):
        texts = [_cut(text, _room(board)) for text in texts]
    widest = sum(max(len(glyph.text) for glyph in layer.glyphs) for layer in layers if layer.on_cell)
    between = scene.has_between(model)
    canvas = _Canvas(board, widest, max(map(len, texts)), between, shown)
    if between:
        canvas.put_marks(last, targets)
        canvas.put_sides(scene.things(position), coloured=False)
        canvas.put_sites(scene.site_things(model, position.state), coloured=False)
    marks = scene.marks(position)
    for cell in _marked_last(board, last, targets, marks):
        name, text = board.cells[cell - 1], texts[cell - 1]
        left, right = ("<", ">") if name in targets else ("[", "]") if name in last else _brackets(name, marks)
        canvas.put_cell(cell, [Piece(0, left + text + right)])
    return canvas.rows()


def _with_derived(text: str, derived: str) -> str:
    """The text of a cell with that of definitions behind it."""
    return (derived if text == BARE and derived else text + derived) or BARE


def _within(model: Game) -> tuple[Layer, ...]:
    """The layers that are drawn in cells, without those on edges and corners."""
    if not scene.has_walls(model):
        return model.layers
    return tuple(
        replace(layer, glyphs=tuple(_without_wall(layer, glyph) for glyph in layer.glyphs)) for layer in model.layers
    )


def _without_wall(layer: Layer, glyph: Glyph) -> Glyph:
    return replace(glyph, text="") if scene.thing_of(layer, glyph).is_wall else glyph


def _room(board: Board) -> int:
    """The columns for what lies on a cell, if the board is to be as wide as it may be."""
    spots = [place(board, cell)[0] for cell in range(1, len(board.cells) + 1)]
    pitch = int((WIDTH - MARGIN) / (max(spots) - min(spots) + 1))
    return max(3, pitch - (4 if board.links else 3 if is_hex(board) else 2))


def _cut(text: str, room: int) -> str:
    """The end of a text that is too long: of a high stack what lies on top."""
    return text if len(text) <= room else MORE.text + text[1 - room :]


def _brackets(cell: str, marks: Sequence[Marked]) -> tuple[str, str]:
    """The signs around a cell: on the left that of its first mark, on the right that of its last one."""
    its = [BRACKETS[number % len(BRACKETS)] for number, mark in enumerate(marks) if cell in mark.cells]
    return (its[0][0], its[-1][1]) if its else (" ", " ")


def legend(position: Shown, coloured: bool) -> list[Text]:
    """A line for each mark of the rules, with its sign and what it says."""
    from rich.text import Text

    lines = []
    for number, mark in enumerate(scene.marks(position)):
        sign = ("  ", f"on {INK[mark.colour]}") if coloured else " ".join(BRACKETS[number % len(BRACKETS)])
        lines.append(Text.assemble(sign, f" {mark.text}"))
    return lines


def aside_lines(position: Shown, coloured: bool) -> list[Text]:
    """The lines about what lies beside the board: in words, or in colour a row of things for each heading."""
    from rich.text import Text

    found = scene.asides(position)
    if not coloured:
        return [Text(one.text) for one in found]
    rows = scene.aside_rows(found)
    margin = max(map(len, rows), default=0) + 1
    return [Text.assemble(label.ljust(margin), *map(_beside, things)) for label, things in rows.items()]


def _beside(item: tuple[Thing, str]) -> tuple[str, str]:
    """A thing beside the board, or a text in its place, and its style."""
    thing, text = item
    ink = f"bold {INK[thing.colour]} on {GROUND[0]}" if thing.colour else ""
    return f" {text or thing.word or ' '} ", ink


def coloured_rows(
    position: Shown,
    last: Collection[str],
    targets: Collection[str],
    flipped: bool = False,
    shown: Collection[int] | None = None,
) -> list[Row]:
    """The rows of the coloured board from the top."""
    model, board = position.game.model, _seen(position, flipped)
    if not board.cells:
        return []
    between = scene.has_between(model)
    piles = [scene.composed(pile) for pile in scene.things(position)]
    cells, widest = _coloured_cells(position, piles, between)
    canvas = _Canvas(board, widest, max(len(cell.words) for cell in cells), between, shown)
    if between:
        canvas.put_marks(last, targets)
        canvas.put_sides(piles, coloured=True)
        canvas.put_sites(scene.site_things(model, position.state), coloured=True)
    marks = scene.marks(position)
    for number in _marked_last(board, last, targets, marks):
        name, cell = board.cells[number - 1], cells[number - 1]
        shade = scene.shade(board, number)
        ground = FILLS[cell.fill][shade % 2] if cell.fill else GROUND[shade]
        mark = TARGET if name in targets else LAST if name in last else ground
        its = [INK[one.colour] for one in marks if name in one.cells and mark == ground]
        edges = (its[0], its[-1]) if its else (mark, mark)
        canvas.put_cell(number, list(_inked(cell, ground if cell.fill else mark, edges, canvas.width)))
    return canvas.rows()


def _coloured_cells(position: Shown, piles: list[list[Thing]], between: bool) -> tuple[list[_Cell], int]:
    """What is written on each cell, and the columns that the widest one of any position needs."""
    model = position.game.model
    drawn: list[Layer | Derived] = [*model.layers, *model.derived]
    drawn = [layer for layer in drawn if layer.on_cell]
    layered = len(drawn) > 1

    def written(things: Iterable[Thing]) -> list[Thing]:
        return [thing for thing in things if not (between and thing.is_wall)]

    cells = [_Cell.of(written(pile), layered) for pile in piles]
    if towers(model.layers, model.slots):
        cells = [cell.cut(_room(model.board)) for cell in cells]
    looks = [written(scene.thing_of(layer, glyph) for glyph in layer.glyphs) or [NOTHING] for layer in drawn]
    words = [[len(thing.word) for thing in things if not _fills(thing, layered)] for things in looks]
    return cells, sum(max(lengths, default=0) for lengths in words)  # a definition may only colour cells


def _marked_last(board: Board, last: Collection[str], targets: Collection[str], marks: Sequence[Marked]) -> list[int]:
    """The cells, those with a mark last: where cells share a column it is theirs."""
    marked, first = {*last, *targets}, frozenset[str]().union(*(mark.cells for mark in marks))
    names = board.cells
    return sorted(range(1, len(names) + 1), key=lambda cell: (names[cell - 1] in marked, names[cell - 1] in first))


@dataclass(frozen=True, slots=True)
class _Cell:
    """The colour that fills a cell, if one does, and the things that lie on it."""

    fill: str
    upper: tuple[Thing, ...]

    @staticmethod
    def of(pile: Sequence[Thing], layered: bool) -> _Cell:
        """The last of several colours is seen, as that of an owner on land."""
        filling = list(takewhile(lambda thing: _fills(thing, layered), pile))
        return _Cell(filling[-1].colour if filling else "", tuple(pile[len(filling) :]))

    def cut(self, room: int) -> _Cell:
        """This cell limited to so many columns; of a high stack, the top is kept."""
        upper = list(self.upper)
        while len("".join(thing.word for thing in upper)) > room and len(upper) > 1:
            del upper[:2]
            upper.insert(0, MORE)
        return _Cell(self.fill, tuple(upper))

    @property
    def words(self) -> str:
        """The words of the pieces above the filling, without separators."""
        return "".join(thing.word for thing in self.upper)


def _fills(thing: Thing, layered: bool) -> bool:
    """True if a thing is a colour of its cell: one without shape and text, or a square where cells have layers."""
    filling = not thing.shape or (thing.shape == "square" and layered and not thing.is_formed)
    return bool(thing.colour) and not thing.text and filling


def _inked(cell: _Cell, ground: str, edges: tuple[str, str], width: int) -> Iterator[Piece]:
    """The coloured pieces of one cell, as wide as the cell: the things on it, between its edges."""
    yield Piece(0, " ", f"on {edges[0]}")
    column, ink = 1, contrasting(ground)
    for thing in cell.upper:
        if thing.colour and thing.colour != cell.fill:
            ink = INK[thing.colour]
        yield Piece(column, thing.word, f"bold {ink} on {ground}")
        column += len(thing.word)
    yield Piece(column, " " * (width - 1 - column), f"on {ground}")
    yield Piece(width - 1, " ", f"on {edges[1]}")


# --------------------------------------------------------------------------------------------- layout


class _Canvas:
    """Rows that are filled cell by cell.

    A cell is `width` columns wide, its text begins in the second; from one cell to the next it is `pitch`, which
    is one less on a large board: there the last column of a cell is the first of the next one.  It is one more, and so
    is the height of a row, where things may lie between the cells.
    """

    def __init__(self, board: Board, widest: int, needed: int, between: bool, shown: Collection[int] | None):
        self._whole = board
        self._shown = frozenset(range(1, len(board.cells) + 1) if shown is None else shown)
        board = self._board = window.part(board, self._shown)
        self._between = int(between)
        spots = [place(board, cell) for cell in range(1, len(board.cells) + 1)]
        self._left = min(x for x, _ in spots)
        self._top = max(y for _, y in spots)
        self._gap = 2 if board.links or between else 1  # rows from one cell to the next
        lines = [] if between else list(scene.lines(board))
        self._crossed = {x for (x, _), (other, _) in lines if x == other}, {y for (_, y), (_, o) in lines if y == o}
        across = max(x for x, _ in spots) - self._left + 1
        self._measure(max(widest, needed, 1))
        if MARGIN + self.pitch * across > WIDTH:
            self._measure(max(needed, 1))
        if MARGIN + self.pitch * across > WIDTH and board.form == "square" and not between and not board.lines:
            self.pitch -= 1
        self._pieces: dict[int, Row] = defaultdict(list)
        self._put_links()
        self._put_lines()
        self._put_labels()

    def _measure(self, text: int) -> None:
        """Sets the widths for texts so wide."""
        named = 0 if named_by_place(self._board) else max(map(len, self._board.cells)) - 1
        self.width = max(text, named) + 2
        if is_hex(self._board):
            self.width += self.width % 2  # half a cell is a whole number of columns
        self.pitch = self.width + (2 if self._board.links else self._between)

    def _column(self, x: float) -> int:
        crossed = sum(line < x for line in self._crossed[0])
        return MARGIN + self._between + round((x - self._left) * self.pitch) + crossed

    def _row(self, y: float) -> int:
        crossed = sum(line > y for line in self._crossed[1])
        return self._between + round((self._top - y) * self._gap) + crossed

    def put_cell(self, cell: int, pieces: Row) -> None:
        """Puts the pieces of a cell that is shown, whose columns count from its left side."""
        if cell not in self._shown:
            return
        x, y = place(self._whole, cell)
        start = self._column(x)
        self._pieces[self._row(y)] += [Piece(start + p.column, p.text, p.style) for p in pieces]

    def _put_labels(self) -> None:
        for label in scene.labels(self._board):
            start = self._column(label.x + label.dx) + 1
            if label.dx == -1:
                start = self._column(label.x) - 1 - len(label.text) - self._between
            row = self._row(label.y) - round(label.dy * (1 + self._between))
            self._pieces[row].append(Piece(start, label.text, "dim"))
            if is_hex(self._board):  # a letter stands in a row of cells: a line to its column tells it from a stone
                at, sign = (start - 1, "─") if label.dy == 0 else (start + len(label.text), "╱")
                self._pieces[row].append(Piece(at, sign, "dim"))

    def _put_lines(self) -> None:
        """The thicker lines between the cells."""
        lines = list(scene.lines(self._board))
        upright = [(one, other) for one, other in lines if one[0] == other[0]]
        for (x, low), (_, high) in upright:
            for row in range(self._row(high - 0.5), self._row(low + 0.5) + 1):
                self._pieces[row].append(Piece(self._column(x - 0.5) + self.width, "│", "dim"))
        columns = {self._column(x - 0.5) + self.width for (x, _), _ in upright}
        for (left, y), (right, _) in lines:
            if left == right:
                continue
            first, last = self._column(left + 0.5), self._column(right - 0.5) + self.width
            signs = "".join("┼" if column in columns else "─" for column in range(first, last))
            self._pieces[self._row(y + 0.5) + 1].append(Piece(first, signs, "dim"))

    def put_sides(self, piles: Sequence[Sequence[Thing]], coloured: bool) -> None:
        """Puts the things at the edges and corners of the cells."""
        for cell, pile in enumerate(piles, 1):
            for thing in pile:
                if thing.side is not None and thing.is_wall:
                    self._put_side(cell, thing, thing.side, coloured)

    def put_marks(self, last: Collection[str], targets: Collection[str]) -> None:
        """Marks the edges and corners of the last move, and those to which moves lead, where nothing lies on them."""
        for site in self._board.sites:
            sign = "•" if site.name in targets else "×" if site.name in last else ""
            if sign:
                self._put_sign(site, sign, "")

    def put_sites(self, piles: dict[str, list[Thing]], coloured: bool) -> None:
        """Puts what lies at edges and corners, of several things the last one."""
        for site in self._board.sites:
            for thing in piles.get(site.name, []):
                if thing.is_wall:
                    self._put_side(site.cell, thing, site.side, coloured)
                else:
                    style = f"bold {FILLS[thing.colour][0]}" if coloured and thing.colour else ""
                    self._put_sign(site, thing.text if thing.text and not coloured else thing.word, style)

    def _put_sign(self, site: Site, sign: str, style: str) -> None:
        column, row = self._between_cells(site.cell, site.side)
        self._pieces[row].append(Piece(column, sign, style))

    def _between_cells(self, cell: int, side: tuple[str, str]) -> tuple[int, int]:
        """The column and the row of an edge or a corner."""
        x, y = place(self._board, cell)
        turn = -1 if self._board.place[0][0] < 0 else 1
        dx, dy = (turn * step for step in scene.offset(side))
        column = self._column(x + dx - 0.5) + self.width if dx else self._column(x) + self.width // 2
        return column, self._row(y + dy + 0.5) + 1 if dy else self._row(y)

    def _put_side(self, cell: int, thing: Thing, side: tuple[str, str], coloured: bool) -> None:
        x, y = place(self._board, cell)
        turn = -1 if self._board.place[0][0] < 0 else 1
        dx, dy = (turn * step for step in scene.offset(side))
        style = f"bold {FILLS[thing.colour][0]}" if coloured and thing.colour else ""
        if scene.lies_along(side, thing.shape):
            first, last = self._column(x + dx - abs(dx)), self._column(x + dx + abs(dx)) + self.width
            row = self._row(y + dy + 0.5) + 1 if dy else self._row(y)
            self._pieces[row].append(Piece(first, "━" * (last - first), style))
            return
        column = self._column(x + dx - 0.5) + self.width if dx else self._column(x) + self.width // 2
        for row in range(self._row(y + dy + abs(dy)), self._row(y + dy - abs(dy)) + 1):
            self._pieces[row].append(Piece(column, "┃", style))

    def _put_links(self) -> None:
        """Draws the lines of a graph board, except where they would run through other cells."""
        spots = {cell: place(self._board, cell) for line in self._board.links for cell in line}
        in_a_row = not named_by_place(self._board)
        for line in self._board.links:
            for one, other in pairwise(line):
                if not in_a_row or abs(one - other) == 1:
                    self._put_link(*sorted((spots[one], spots[other]), key=lambda spot: -spot[1]))

    def _put_link(self, upper: tuple[float, int], lower: tuple[float, int]) -> None:
        """A line between two places."""
        top, bottom = self._row(upper[1]), self._row(lower[1])
        start, end = self._column(upper[0]) + 1, self._column(lower[0]) + 1
        if top == bottom:
            self._pieces[top].append(Piece(min(start, end), "─" * abs(end - start), "dim"))
            return
        sign = "│" if start == end else "╲" if start < end else "╱"
        for row in range(top + 1, bottom):
            column = start + round((end - start) * (row - top) / (bottom - top))
            self._pieces[row].append(Piece(column, sign, "dim"))

    def rows(self) -> list[Row]:
        """All rows from the top, their pieces from the left; what was put later lies above."""
        return [_flat(self._pieces[row]) for row in range(min(self._pieces), max(self._pieces) + 1)]


def _flat(pieces: Row) -> Row:
    """The pieces of a row side by side, with blanks between them and none behind."""
    signs: dict[int, tuple[str, str]] = {}
    for piece in pieces:
        signs.update({piece.column + i: (sign, piece.style) for i, sign in enumerate(piece.text)})
    flat: Row = []
    for column in range(max(signs, default=-1) + 1):
        sign, style = signs.get(column, (" ", ""))
        if flat and flat[-1].style == style:
            flat[-1] = Piece(flat[-1].column, flat[-1].text + sign, style)
        else:
            flat.append(Piece(column, sign, style))
    return flat


def _plain(row: Row) -> str:
    return "".join(piece.text for piece in row).rstrip()


def _coloured(row: Row) -> Text:
    from rich.text import Text

    return Text.assemble(*((piece.text, piece.style) for piece in row), no_wrap=True)
