"""What a learned policy looks at in a move: found in the model alone.

In: the model of a game of two players, and its symmetries.  Out: `MovePatterns`: for each kind of moves some looks.
Each of these selects a weight, and the sum of the weights says how likely the move is to be chosen.

    the move        the move itself; where there are too many, each of its parameters alone
    around a cell   for each parameter that is a cell: what it and its neighbours hold, all together; where these are
                    too many, the cell together with each neighbour.  This is the same wherever the cell lies

The first and the second player have weights of their own.  What a symmetry maps to each other has the same weight.

Sources: R. Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, ICGA Journal 30(4), 2007; D. J. N. J.
Soemers, É. Piette and C. Browne, Biasing MCTS with Features for General Games, CEC 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, Protocol

from pysolve.dsl.analysis.patterns import Proved, on_cells, steps_of
from pysolve.dsl.language.constants import MOST_LOOKED
from pysolve.dsl.model import Game, Slot, Sort
from pysolve.dsl.model.move_codes import Codes, move_codes

MOST_CONTENTS = 100  # what a cell may hold, as far as it is told apart
MOST_AROUND = 1 << 18  # weights of one look
MOST_MOVES = 1 << 16  # codes of moves with weights of their own
MOST_SYMMETRIES = 64


class Look(NamedTuple):
    """What is looked at in moves of a kind: bits of the code, or the cells around the one that they name.

    `shift` and `mask` take the number out of the code.  Without `near` it is looked at itself.  With it, the number and
    `low` is a cell, from 1, none below; `near[cell - 1]` are the cells that are looked at, from 0, and beyond the board
    the number of cells.  The first counts most.
    """

    kind: int
    param: int  # the parameter; -1: all
    shift: int
    mask: int
    low: int
    base: int  # of its weights
    size: int
    near: tuple[tuple[int, ...], ...] = ()
    ways: tuple[int, ...] = ()  # where each of them lies: the number of a direction, from 0, or -1: the cell itself


class Symmetry(Proved, Protocol):
    """A symmetry of moves, too, as `pysolve.dsl.analysis.symmetries` has it."""

    places: tuple[int, ...]
    slots: dict[str, str]

    @property
    def move_kinds(self) -> Sequence[Any]:
        """For each kind of moves its image, which has a `name`."""

    def move(self, move: tuple[int, ...]) -> tuple[int, ...]:
        """The image of a move: its kind and parameters."""


class _Image(NamedTuple):
    """A symmetry, as far as looks have images."""

    symmetry: Symmetry
    swaps: bool
    ways: tuple[int, ...]  # where each direction goes
    contents: tuple[int, ...]  # what becomes of what a cell holds


@dataclass(frozen=True)
class MovePatterns:
    """Everything that a policy looks at in moves.

    What a cell holds is a number: the values of `slots` there, the first counts most; `radix` - 1 is beyond the board.
    """

    game: Game
    codes: Codes
    slots: tuple[Slot, ...]
    radix: int
    looks: tuple[Look, ...]
    size: int  # weights of a mover
    _images: tuple[_Image, ...]

    @cached_property
    def of_kind(self) -> tuple[tuple[Look, ...], ...]:
        """The looks of each kind of moves."""
        return tuple(tuple(one for one in self.looks if one.kind == kind) for kind in range(len(self.game.actions)))

    def contents(self, state: bytes) -> list[int]:
        """What each cell holds, and behind it what is beyond the board."""
        found = [0] * len(self.game.board.cells)
        for slot in self.slots:
            values = state[slot.offset : slot.offset + slot.count]
            found = [held * slot.stored.stop + value for held, value in zip(found, values, strict=True)]
        return [*found, self.radix - 1]

    def places(self, contents: Sequence[int], move: Sequence[int]) -> Iterator[int]:
        """The weights that a move selects where cells hold this."""
        if move[0] >= len(self.game.actions):  # a pass that the rules do not name
            return
        code = self.codes.encode(move)
        for look in self.of_kind[move[0]]:
            number = code >> look.shift & look.mask
            if not look.near:
                yield look.base + number
            elif number + look.low > 0:
                at = 0
                for cell in look.near[number + look.low - 1]:
                    at = at * self.radix + contents[cell]
                yield look.base + at

    def alike(self, mover: int, place: int) -> set[tuple[int, int]]:
        """Movers, from 0, and places that have the same weight as these."""
        look = next(one for one in self.looks if one.base <= place < one.base + one.size)
        number = place - look.base
        found = {(mover, place)}
        for image in self._images:
            at = self._image(image, look, number)
            if at is not None:
                found.add((mover ^ image.swaps, at))
        return found

    def _image(self, image: _Image, look: Look, number: int) -> int | None:
        """The place to which a symmetry moves what a look has seen; None for what no move can have."""
        if not look.near:
            return self._image_of_move(image.symmetry, look, number)
        kind = self._kind(image.symmetry, look.kind)
        ways = [-1 if way < 0 else image.ways[way] for way in look.ways]
        seen = dict(zip(reversed(ways), _digits(number, self.radix, len(ways)), strict=True))
        for other in self.of_kind[kind]:
            if other.near and other.param == look.param and set(other.ways) == set(ways):
                at = 0
                for way in other.ways:
                    at = at * self.radix + image.contents[seen[way]]
                return other.base + at
        return None

    def _image_of_move(self, symmetry: Symmetry, look: Look, number: int) -> int | None:
        params = self.game.actions[look.kind].params
        values = list(self.codes.decode(look.kind << self.codes.kind_shift | number << look.shift))
        for param, value in zip(params, values[1:], strict=True):
            assert isinstance(param.sort, Sort)
            if not param.sort.lowest <= value <= param.sort.high:
                return None
        move = symmetry.move(tuple(values))
        code = self.codes.encode(move)
        other = next(one for one in self.of_kind[move[0]] if not one.near and one.param == look.param)
        return other.base + (code >> other.shift & other.mask)

    def _kind(self, symmetry: Symmetry, kind: int) -> int:
        if kind >= len(symmetry.move_kinds):
            return kind
        return [action.name for action in self.game.actions].index(symmetry.move_kinds[kind].name)


def _digits(number: int, radix: int, count: int) -> Iterator[int]:
    """The last digit first."""
    for _ in range(count):
        number, digit = divmod(number, radix)
        yield digit


def move_patterns(game: Game, symmetries: Iterable[Symmetry] = ()) -> MovePatterns:
    """What a policy looks at; `symmetries` are all of them, a group."""
    slots, contents = list[Slot](), 1
    for slot in on_cells(game):
        if contents * slot.stored.stop <= MOST_CONTENTS:
            slots.append(slot)
            contents *= slot.stored.stop
    radix = contents + 1
    codes = move_codes(game)
    looks = list(_looks(game, codes, radix if slots else 0))
    size = looks[-1].base + looks[-1].size if looks else 0
    group = list(symmetries)
    images = [_image_of(game, slots, one) for one in (group if len(group) <= MOST_SYMMETRIES else ())]
    whole = all(one is not None for one in images)
    kept = tuple(one for one in images if one is not None) if whole else ()
    return MovePatterns(game, codes, tuple(slots), radix, tuple(looks), size, kept)


def _looks(game: Game, codes: Codes, radix: int) -> Iterator[Look]:
    base = 0
    whole = len(game.actions) << codes.kind_shift <= MOST_MOVES
    steps, sort = steps_of(game)
    ways = [] if sort is None else list(sort.values())
    cells = range(1, len(game.board.cells) + 1)
    around = [-1, *range(len(ways))]
    spots = sum(_is_cell(param.sort) for action in game.actions for param in action.params)
    together = radix ** len(around) <= MOST_AROUND and spots * radix ** len(around) <= MOST_LOOKED // 2
    shapes = [around] if together else [[-1, way] for way in around[1:]] or [[-1]]
    for kind, action in enumerate(game.actions):
        fields = codes.fields[kind]
        if whole:
            size = 1 << codes.kind_shift
            yield Look(kind, -1, 0, size - 1, 0, base, size)
            base += size
        for number, (param, field) in enumerate(zip(action.params, fields, strict=True)):
            mask = (1 << field.bits) - 1
            if not whole and base + mask + 1 <= MOST_LOOKED:
                yield Look(kind, number, field.shift, mask, 0, base, mask + 1)
                base += mask + 1
            for shape in shapes if radix and _is_cell(param.sort) else ():
                size = radix ** len(shape)
                if base + size > MOST_LOOKED:
                    continue
                near = tuple(
                    tuple(cell - 1 if way < 0 else steps.get((cell, ways[way]), len(cells) + 1) - 1 for way in shape)
                    for cell in cells
                )
                yield Look(kind, number, field.shift, mask, field.low, base, size, near, tuple(shape))
                base += size


def _is_cell(sort: object) -> bool:
    return isinstance(sort, Sort) and sort.name == "cell"


def _image_of(game: Game, slots: Sequence[Slot], symmetry: Symmetry) -> _Image | None:
    """A symmetry, as far as looks have images; None if it does not turn all of the board alike."""
    steps, sort = steps_of(game)
    ways = [] if sort is None else list(sort.values())
    places = symmetry.places or tuple(range(1, len(game.board.cells) + 1))
    turned = dict[int, int]()
    there = {(places[cell - 1], places[to - 1]): ways.index(way) for (cell, way), to in steps.items()}
    for (cell, way), to in steps.items():
        at = there.get((cell, to))
        if at is None or turned.setdefault(at, ways.index(way)) != ways.index(way):
            return None
    tables = symmetry.byte_map[1]
    if any(symmetry.slots.get(slot.name, slot.name) != slot.name for slot in slots):
        return None
    maps = [tables[slot.offset] for slot in slots]
    if any(tables[slot.offset + i] != one for slot, one in zip(slots, maps, strict=True) for i in range(slot.count)):
        return None
    radices = [slot.stored.stop for slot in slots]
    contents = list[int]()
    for number in range(prod(radices)):
        rest, held, stride = number, 0, 1
        for radix, image in zip(reversed(radices), reversed(maps), strict=True):
            rest, value = divmod(rest, radix)
            held, stride = held + image[value] * stride, stride * radix
        contents.append(held)
    return _Image(
        symmetry, symmetry.players[0] == 2, tuple(turned.get(way, way) for way in range(len(ways))),
        (*contents, len(contents)),
    )  # fmt: skip
