"""Positions as planes of numbers, which programs that learn look at.

In: a game.  Out: `Planes`: what each plane shows, and how the bytes of a state become planes.

A plane has a number from 0 to 255 for each column and row of the board, row 1 first.  The planes are, in this order:

    you NAME         one for each player, all ones for the player who looks and zeros else (not in a game for one)
    then each state variable, in the order of the rules:
    at = you         a variable of each cell whose values are players: one plane for each player, who looks first, then
    at = next        the others in turn order (next, next 2, …)
    kind = king      one whose values are words: one plane for each word; of a condition, one plane (land)
    value            one of numbers: a plane of the numbers, less the lowest; with more than 256 of them a second plane
    value / 256      has what is above 255
    token            a variable whose value is a cell: a one on that cell
    step = placing   a variable without a cell: the same planes, with the same number everywhere

    at = ?           behind the planes of a variable that not all players see: a one where its value is not seen

Values called `none` have no plane.  Other parameters of a variable make planes of their own, players in the order
above: stock(you, 3).  A variable with more than eight such combinations of values and no cell, as there are many edges
of a board, is written into a plane from its first place on, row by row, and goes on in further planes if need be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.model import UNKNOWN_WORD, Game, Slot, Sort
from pysolve.engines.protocol import UNKNOWN
from pysolve.runtime import validation
from pysolve.runtime.optional import needed

np: Any = needed("numpy", "batch", "a position as planes of numbers")

FEW = 8  # combinations of parameters of a variable without a cell that have planes of their own
WORDS = 64  # a variable with more named values than that is one of numbers
PLAYER, CELL, BOOL = "player", "cell", "bool"


@dataclass(frozen=True)
class Part:
    """The way in which some values of a state are written to planes, as `Part` in dsl/to_c/runtime/games.c."""

    places: tuple[int, ...]  # of the values in the state
    targets: tuple[int, ...]  # where each is written, of all pixels of all planes
    marks: tuple[int, ...] | None  # by value: how much further on a one is written, or -1; None: the value is written
    width: int  # bytes of a value
    low: int  # what is taken from a value that is written
    split: bool  # does what is above 255 stand in the next plane?
    wide: int  # how many places are written

    @property
    def run(self) -> bool:
        """True if bytes that lie side by side are marked side by side, and so can be read many at once."""
        side_by_side = all(list(one) == list(range(one[0], one[0] + len(one))) for one in (self.places, self.targets))
        return self.marks is not None and self.width == self.wide == 1 and len(self.places) > 1 and side_by_side


class Planes:
    """The planes of a game."""

    def __init__(self, game: Game):
        self.game = game
        self.width = max((x for x, _ in game.board.place), default=1)
        self.height = max((y for _, y in game.board.place), default=1)
        self.players = len(game.players.labels)
        drawn = [_Drawing(self, viewer) for viewer in range(self.players)]
        self.names: tuple[str, ...] = tuple(drawn[0].names)
        self.parts: tuple[tuple[Part, ...], ...] = tuple(tuple(one.parts) for one in drawn)  # for each player who looks
        self.highest = tuple(drawn[0].highest)

    @property
    def area(self) -> int:
        """The numbers of one plane."""
        return self.width * self.height

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows, columns."""
        return len(self.names), self.height, self.width

    @cached_property
    def scale(self) -> Any:
        """The factors, in the shape of an observation, that turn bytes into numbers from 0 to 1."""
        highest = np.array(self.highest, np.float32)
        return (1 / highest).astype(np.float32)[:, None, None]

    def observe(self, state: bytes, player: int) -> Any:
        """The planes of a state as bytes, as the player of this number (from 0) looks at it.

        In a game with secrets give the view of that player (`Engine.view`): a state shows all that is in it.
        """
        out = np.zeros(self.area * len(self.names), np.uint8)
        data = np.frombuffer(self._sound(state), np.uint8)
        for part in self.parts[validation.place(player, self.players, "player")]:
            _write(part, data, self.area, out)
        return out.reshape(self.shape)

    def _sound(self, state: bytes) -> bytes:
        """A state, or a view, that has been checked as if what is not seen had the first value of its type."""
        if not self.game.secret or not isinstance(state, bytes) or len(state) != self.game.size:
            return validation.sound(self.game, state)
        filled = bytearray(state)
        for slot in self.game.slots.values():
            if slot.seen:
                for at in range(slot.offset, slot.offset + slot.count * slot.width):
                    filled[at] = self._blank[at] if state[at] == UNKNOWN else state[at]
        validation.sound(self.game, bytes(filled))
        return state

    @cached_property
    def _blank(self) -> bytes:
        return notation.blank(self.game)

    def scaled(self, state: bytes, player: int) -> Any:
        """The observation as numbers from 0 to 1: that of `observe` times `scale`."""
        return self.observe(state, player) * self.scale


def _write(part: Part, state: Any, area: int, out: Any) -> None:
    places, targets = np.array(part.places), np.array(part.targets)
    values = state[places].astype(np.int32)
    if part.width == 2:
        values = 255 * values + state[places + 1]
    known = state[places] != UNKNOWN
    pixels = np.arange(part.wide)
    if part.marks is not None:
        marks = np.array(part.marks)
        further = np.where(values < len(marks), marks[np.minimum(values, len(marks) - 1)], -1)
        seen = further >= 0
        out[(targets + further)[seen][:, None] + pixels] = 1
        return
    values = np.where(known, values - part.low, 0)
    out[targets[:, None] + pixels] = (values & 255)[:, None]
    if part.split:
        out[targets[:, None] + area + pixels] = (values >> 8)[:, None]


class _Drawing:
    """The planes as one player looks at them, in the making."""

    def __init__(self, planes: Planes, viewer: int):
        self.planes, self.viewer = planes, viewer
        self.names: list[str] = []
        self.highest: list[int] = []
        self.parts: list[Part] = []
        game = planes.game
        if planes.players > 1:
            self._seats(game)
        for slot in game.slots.values():
            if slot.name != "mover":
                self._slot(slot)

    def _seats(self, game: Game) -> None:
        first = self._add([f"you {name}" for name in game.players.labels])
        here = first + self.viewer * self.planes.area
        self.parts.append(Part((0,), (here,), (0,) * (self.planes.players + 1), 1, 0, False, self.planes.area))

    def _add(self, names: Sequence[str], highest: int = 1) -> int:
        """Adds planes, and says where the first of them begins."""
        begin = len(self.names) * self.planes.area
        self.names += names
        self.highest += [highest] * len(names)
        return begin

    def _slot(self, slot: Slot) -> None:
        cells = [at for at, sort in enumerate(slot.params) if sort.name == CELL]
        others = [sort for at, sort in enumerate(slot.params) if at not in cells[:1]]
        combinations = list(product(*map(self._order, others)))
        if not cells and len(combinations) > FEW:
            self._packed(slot, [slot.index(values) for values in combinations])
            return
        for values in combinations:
            inside = ", ".join(self._word(sort, value) for sort, value in zip(others, values, strict=True))
            name = f"{slot.name}({inside})" if inside else slot.name
            if cells:
                self._values(slot, name, [
                    (slot.index((*values[: cells[0]], cell, *values[cells[0] :])), pixel)
                    for cell, pixel in self._pixels(slot.params[cells[0]])
                ], 1)  # fmt: skip
            else:
                self._values(slot, name, [(slot.index(values), 0)], self.planes.area)

    def _packed(self, slot: Slot, indices: list[int]) -> None:
        """A variable of something that is no cell: its values fill planes row by row, one run of them after another."""
        area = self.planes.area
        for begin in range(0, len(indices), area):
            name = f"{slot.name}({begin} …)" if len(indices) > area else slot.name
            run = indices[begin : begin + area]
            self._values(slot, name, [(index, pixel) for pixel, index in enumerate(run)], 1)

    def _values(self, slot: Slot, name: str, sources: list[tuple[int, int]], wide: int) -> None:
        """Planes of values: of these indices in the variable, each at its pixel."""
        sort, whole = slot.sort, wide > 1
        named = self._named(sort, whole)
        split = False
        if named is None:
            most = sort.high - sort.lowest
            split = most > 255
            first = self._add([name], min(most, 255) or 1)
            if split:
                self._add([f"{name} / 256"], most >> 8)
            marks = None
        else:
            words, marks = named
            first = self._add([f"{name} = {word}" if word else name for word in words])
        if sort.name == CELL and wide > 1:
            wide = 1  # the mark itself is the place
        targets = tuple(first + pixel for _, pixel in sources)
        places = tuple(slot.offset + index * slot.width for index, _ in sources)
        self.parts.append(Part(places, targets, marks, slot.width, slot.stored[0], split, wide))
        if slot.seen:
            self._unknown(name, places, [pixel for _, pixel in sources], self.planes.area if whole else 1)

    def _unknown(self, name: str, places: tuple[int, ...], pixels: list[int], wide: int) -> None:
        """A plane that says where values are not seen: the first byte of such a value is `UNKNOWN`, and of no other."""
        first = self._add([f"{name} = {UNKNOWN_WORD}"])
        marks = (-1,) * UNKNOWN + (0,)
        self.parts.append(Part(places, tuple(first + pixel for pixel in pixels), marks, 1, 0, False, wide))

    def _named(self, sort: Sort, whole: bool) -> tuple[list[str], tuple[int, ...]] | None:
        """The planes of values that are words, and for each value how far its plane is; None for numbers."""
        area = self.planes.area
        marks = [-1] * (sort.high + max(0, -sort.lowest) + 1)
        shift = max(0, -sort.lowest)
        if sort.name == CELL:
            if not whole:
                return None
            for cell, pixel in self._pixels(sort):
                marks[cell + shift] = pixel
            return [""], tuple(marks)
        if sort.name == BOOL:
            marks[sort.high + shift] = 0
            return [""], tuple(marks)
        if not sort.labels or len(sort.labels) > WORDS:
            return None
        order = self._order(sort)
        for at, value in enumerate(order):
            marks[value + shift] = at * area
        return [self._word(sort, value) for value in order], tuple(marks)

    def _order(self, sort: Sort) -> list[int]:
        """The values of a type: players from the one who looks on, the others as they are."""
        values = list(sort.values())
        if sort.name == PLAYER and len(values) == self.planes.players:
            return values[self.viewer :] + values[: self.viewer]
        return values

    def _word(self, sort: Sort, value: int) -> str:
        if sort.name == PLAYER and sort.size - sort.optional == self.planes.players:
            far = (value - sort.low - self.viewer) % self.planes.players
            return ("you", "next")[far] if far < 2 else f"next {far}"
        return sort.label(value)

    def _pixels(self, sort: Sort) -> Iterator[tuple[int, int]]:
        """Each cell with the place on a plane where it lies."""
        for cell in sort.values():
            x, y = self.planes.game.board.place[cell - sort.low]
            yield cell, (y - 1) * self.planes.width + x - 1


__all__ = ["Part", "Planes"]
