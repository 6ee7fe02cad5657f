"""What learned values look at: groups of bytes of a position, found in the model alone.

In: the model of a game of two players, and its symmetries.  Out: `Patterns`: for each player who may be to move the
groups of bytes whose values together select a weight.

    each value      every state variable of one byte, at each place: of a cell all together, if that is little
    neighbours      what two neighbours hold
    lines           three, and four, cells one behind the other
    blocks          four cells that lie close together, and six: two blocks of squares side by side
    sides           the edges, or corners, of a cell together, and those of two neighbours
    tempo           who is to move

A weight depends on the stage of the game, too: how many cells, edges or corners are filled.  Groups that a symmetry
maps to each other have the same weights.  Larger groups are left out where their weights would be too many (`MOST`).

Sources: W. Jaśkowski, Systematic N-tuple Networks for Position Evaluation: Exceeding 90% in the Othello League, ICGA
Journal 37(2), 2014 (short straight tuples, shared by symmetries); M. Buro, Experiments with Multi-ProbCut and a New
High-Quality Evaluation Function for Othello, 1997 (stages).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain, combinations
from math import prod
from typing import Any, NamedTuple, Protocol

from pysolve.dsl.errors import Span
from pysolve.dsl.language.constants import MOST_PLACES, WIDEST
from pysolve.dsl.language.geometry import ORTHOGONAL
from pysolve.dsl.model import Game, Slot, Sort

STAGES = 3
MOST = 100_000  # weights of one mover and one stage, before symmetries share them
MOST_OF_ONE = 4096  # weights of one group
MOST_GROUPS = 3 * MOST_PLACES // 4  # of one mover; one that a symmetry maps to itself counts more than once


class Seen(NamedTuple):
    """A byte of a group: where it stands, and the number of its code, which says what each value counts as."""

    byte: int
    code: int


class Group(NamedTuple):
    """Bytes that are looked at together; their weights begin at `base`, the last byte's values lie side by side."""

    base: int
    seen: tuple[Seen, ...]


@dataclass(frozen=True)
class Patterns:
    """Everything that learned values look at in a position of `size` bytes."""

    size: int
    codes: tuple[tuple[int, ...], ...]  # for each value of a byte the number that stands for it
    groups: tuple[tuple[Group, ...], tuple[Group, ...]]  # where the first player, or the second, is to move
    entries: int  # weights of a stage
    filled: tuple[tuple[int, int], ...]  # from byte to byte: where cells are filled if they are not 0
    stages: tuple[int, ...]  # the stage for each number of filled cells

    def width(self, code: int) -> int:
        """How many numbers a code has."""
        return max(self.codes[code]) + 1

    @property
    def stage_count(self) -> int:
        """The number of stages."""
        return max(self.stages) + 1

    def stage(self, state: bytes) -> int:
        """The stage of a position."""
        return self.stages[sum(stop - start - state.count(0, start, stop) for start, stop in self.filled)]


class Symmetry(NamedTuple):
    """A map of positions under which the rules stay as they are, byte by byte."""

    bytes: tuple[int, ...]  # where each byte of a position goes
    values: Mapping[int, tuple[int, ...]]  # for some bytes what becomes of each of their values; others keep theirs
    swaps: bool  # do the players change sides?


class Proved(Protocol):
    """A symmetry as `pysolve.dsl.analysis.symmetries` finds it."""

    players: tuple[int, ...]

    @property
    def byte_map(self) -> tuple[Sequence[int], Sequence[bytes]]:
        """For each byte of a position the byte of its original that decides it, and the image of each number there."""


def byte_by_byte(found: Iterable[Proved]) -> list[Symmetry]:
    """Symmetries of the rules as maps of bytes."""
    maps = []
    for one in found:
        order, tables = one.byte_map
        places = [0] * len(order)
        for at, source in enumerate(order):
            places[source] = at
        values = {source: tuple(tables[at]) for at, source in enumerate(order) if tables[at] != _SAME}
        maps.append(Symmetry(tuple(places), values, one.players[0] == 2))
    return maps


_SAME = bytes(range(256))


def patterns(game: Game, symmetries: Sequence[Symmetry] = ()) -> Patterns:
    """What learned values look at in a game; `symmetries` are all of them, the identity is not needed."""
    return _patterns(game, symmetries)


def _patterns(game: Game, symmetries: Sequence[Symmetry], alone: bool = False) -> Patterns:
    cells = on_cells(game)
    numbers = _beside(game, cells)
    sites = [slot for slot in numbers if [one.name for one in slot.params] in (["edge"], ["corner"])]
    shapes = _shapes(game)
    codes = _Codes()
    radix = {slot.name: slot.stored.stop for slot in (*cells, *numbers)}

    def at(shape: Sequence[int], slots: Sequence[Slot]) -> tuple[Seen, ...]:
        return tuple(Seen(slot.offset + place - 1, codes.plain(radix[slot.name])) for place in shape for slot in slots)

    found: list[tuple[Seen, ...]] = [()]  # tempo
    used = 1
    for slot in numbers:
        some: list[tuple[Seen, ...]] = [
            (Seen(slot.offset + i, codes.plain(radix[slot.name])),) for i in range(slot.count)
        ]
        found, used = found + some, used + slot.count * radix[slot.name]
    around = ((kind, [slot]) for slot in sites for kind in _around(game, slot))
    for kind, there in ((shapes[0], cells), *(() if alone else (*((kind, cells) for kind in shapes[1:]), *around))):
        slots = _fitting(kind, there, radix, MOST - used) if len(found) + len(kind) <= MOST_GROUPS else []
        size = prod(radix[slot.name] for slot in slots)
        if slots:
            found += [at(shape, slots) for shape in kind]
            used += sum(size ** len(shape) for shape in kind)
        if kind is shapes[0]:  # what stands in no group with the others is looked at alone
            left = [slot for slot in cells if slot not in slots]
            found += [at([cell], [slot]) for slot in left for cell in range(1, slot.count + 1)]
    filled = next((slot for slot in (*sites, *cells) if slot.stored.start == 0), None)
    groups, entries = _shared(found, codes, symmetries)
    ranges = () if filled is None else ((filled.offset, filled.offset + filled.count),)
    count = 0 if filled is None else filled.count
    stages = tuple(number * STAGES // (count + 1) for number in range(count + 1))
    return Patterns(game.size, tuple(codes.all), groups, entries, ranges, stages)


def tempo(patterns: Patterns) -> Patterns:
    """Who is to move alone, in the same stages: what tables look at where a net looks at all the rest."""
    groups = ((Group(0, ()),), (Group(0, ()),))
    return replace(patterns, codes=(), groups=groups, entries=1)


def inputs(game: Game, symmetries: Sequence[Symmetry] = ()) -> Patterns:
    """What a net looks at: each value alone, of a cell all together.

    A symmetry under which the players change sides makes the second player's inputs those of the first.  The others
    are left to whoever fits the net: units that look the same from all sides would know less.
    """
    swap = next((one for one in symmetries if one.swaps), None)
    return _patterns(game, [] if swap is None else [swap], alone=True)


def on_cells(game: Game) -> list[Slot]:
    """The state variables that hold one byte for each cell."""
    count = len(game.board.cells)
    return [slot for slot in game.slots.values()
            if len(slot.params) == 1 and slot.params[0].name == "cell" and slot.count == count and slot.width == 1
            and slot.stored.stop <= MOST_OF_ONE]  # fmt: skip


def _beside(game: Game, cells: Sequence[Slot]) -> list[Slot]:
    """The other state variables of one byte a value, as far as their weights have room; not the mover."""
    found, used = list[Slot](), 0
    for slot in game.slots.values():
        size = slot.count * slot.stored.stop
        if slot.offset and slot not in cells and slot.width == 1 and used + size <= MOST // 2:
            found.append(slot)
            used += size
    return found


def _fitting(kind: Sequence[Sequence[int]], cells: Sequence[Slot], radix: Mapping[str, int], room: int) -> list[Slot]:
    """The state variables, as many as possible, with whose values the groups of a kind have room."""
    for count in range(len(cells), 0, -1):
        size = prod(radix[slot.name] for slot in cells[:count])
        longest = max((len(shape) for shape in kind), default=0)
        fits = size**longest <= MOST_OF_ONE and count * longest <= WIDEST
        if kind and fits and sum(size ** len(shape) for shape in kind) <= room:
            return list(cells[:count])
    return []


# ------------------------------------------------------------------------------------------- shapes


def _shapes(game: Game) -> list[list[tuple[int, ...]]]:
    """Groups of cells, by kind: single ones, neighbours, lines of three, lines of four, blocks, pairs of blocks."""
    singles: list[tuple[int, ...]] = [(cell,) for cell in range(1, len(game.board.cells) + 1)]
    return [singles, *(_once(_lines(game, length)) for length in (2, 3, 4)), _once(_blocks(game)), _once(_pairs(game))]


def steps_of(game: Game) -> tuple[Mapping[tuple[int, int], int], Sort | None]:
    """For a cell and a direction the neighbour there, and the type of directions; nothing on a graph board."""
    table = game.tables.get("board_step")
    if table is None:
        return {}, None
    return {(cell, way): to for cell, way, to in table.rows}, table.sorts[1]


def _lines(game: Game, length: int) -> Iterator[tuple[int, ...]]:
    """Straight lines of so many cells, by direction; on a graph board along its lines."""
    steps, ways = steps_of(game)
    for way in () if ways is None else ways.values():
        for cell in range(1, len(game.board.cells) + 1):
            line = [cell]
            while len(line) < length and (line[-1], way) in steps:
                line.append(steps[line[-1], way])
            if len(line) == length:
                yield tuple(line)
    for link in game.board.links:
        for at in range(len(link) - length + 1):
            yield link[at : at + length]


def _blocks(game: Game) -> Iterator[tuple[int, ...]]:
    """Four cells that lie close together: a square, or a rhombus of hexagons."""
    steps, ways = steps_of(game)
    if ways is None:
        return
    names = [ways.label(way) for way in ways.values()]
    square = [way for way in ways.values() if ways.label(way) in ORTHOGONAL] if "north" in names else [*ways.values()]
    for one, other in zip(square, [*square[1:], *square[:1]], strict=True):
        for cell in range(1, len(game.board.cells) + 1):
            side, up = steps.get((cell, one)), steps.get((cell, other))
            if side is None or up is None or steps.get((side, other)) is None:
                continue
            if steps[side, other] == steps.get((up, one)):
                yield cell, side, up, steps[side, other]


def _pairs(game: Game) -> Iterator[tuple[int, ...]]:
    """Six cells of a square board: two blocks that share a side."""
    steps, ways = steps_of(game)
    square = [] if ways is None else [way for way in ways.values() if ways.label(way) in ORTHOGONAL]
    if len(square) != len(ORTHOGONAL):
        return
    for one, other in zip(square, [*square[1:], *square[:1]], strict=True):
        for cell in range(1, len(game.board.cells) + 1):
            low = [cell]
            while len(low) < 3 and (low[-1], one) in steps:
                low.append(steps[low[-1], one])
            high = [steps[each, other] for each in low if (each, other) in steps]
            if len(low) == len(high) == 3:
                yield (*low, *high)


def _around(game: Game, slot: Slot) -> list[list[tuple[int, ...]]]:
    """Groups of edges, or of corners, by kind: those of a cell or a corner, and those of two that share one."""
    rings = []
    for name, table in game.tables.items():
        if name.startswith("board_") and len(table.sorts) == 2 and table.sorts[1].name == slot.params[0].name:
            of: dict[int, list[int]] = {}
            for place, site in table.rows:
                of.setdefault(place, []).append(site)
            rings.append([tuple(one) for one in of.values() if len(one) > 1])
    both = (
        tuple(dict.fromkeys((*one, *other)))
        for kind in rings for one, other in combinations(kind, 2) if len({*one} & {*other}) == 1
    )  # fmt: skip
    return [_once(chain.from_iterable(rings)), _once(both)]


def _once(shapes: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Each set of different cells once, as it comes first."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for shape in shapes:
        if len(set(shape)) == len(shape):
            found.setdefault(frozenset(shape), shape)
    return list(found.values())


# ------------------------------------------------------------------------------------------ sharing


class _Codes:
    """Codes, each once, by numbers."""

    def __init__(self) -> None:
        self.all: list[tuple[int, ...]] = []
        self._known: dict[tuple[int, ...], int] = {}

    def number(self, code: tuple[int, ...]) -> int:
        if code not in self._known:
            self._known[code] = len(self.all)
            self.all.append(code)
        return self._known[code]

    def plain(self, radix: int) -> int:
        return self.number(tuple(range(radix)))


def _shared(
    found: Sequence[tuple[Seen, ...]], codes: _Codes, symmetries: Sequence[Symmetry]
) -> tuple[tuple[tuple[Group, ...], tuple[Group, ...]], int]:
    """Groups for both movers, those that symmetries map to each other with the same weights; how many weights."""
    groups: tuple[list[Group], list[Group]] = ([], [])
    done: set[tuple[int, frozenset[int]]] = set()
    entries = 0
    for mover in (0, 1):
        for seen in found:
            if (mover, frozenset(one.byte for one in seen)) in done:
                continue
            images = [(mover, seen)]
            images += [(mover ^ one.swaps, tuple(_image(one, part, codes) for part in seen)) for one in symmetries]
            for where, image in dict.fromkeys(images):  # one that is mapped to itself in another order counts so, too
                done.add((where, frozenset(one.byte for one in image)))
                groups[where].append(Group(entries, image))
            entries += prod(max(codes.all[part.code]) + 1 for part in seen)
    return (tuple(groups[0]), tuple(groups[1])), entries


def _image(symmetry: Symmetry, part: Seen, codes: _Codes) -> Seen:
    """Where a symmetry moves a byte to, with the code by which the value there counts as it did before."""
    byte, change = symmetry.bytes[part.byte], symmetry.values.get(part.byte)
    if change is None:
        return Seen(byte, part.code)
    code = codes.all[part.code]
    moved = list(range(len(code)))
    for value, number in enumerate(code):
        moved[change[value]] = number
    return Seen(byte, codes.number(tuple(moved)))


# ------------------------------------------------------------------------------------------- digest


def play_digest(game: Game) -> str:
    """A digest of all that decides how a game is played and what `evaluate` says: options, moves, endings, setup.

    Titles, texts, reasons, levels, pictures and examples are no part of it, nor are the weights of `evaluate`.
    """
    told = hashlib.sha256()
    parts = (
        game.size, game.players, game.slots, game.tables, game.rules,
        [(one.name, one.params, one.body, one.rounds, one.after, one.ordered, one.worth) for one in game.actions],
        game.setup, game.stuck, game.out,
        [(one.result, one.body, one.repeated, one.ignoring, one.turns) for one in game.endings],
        [(one.name, one.rule, one.only) for one in game.terms],
    )  # fmt: skip
    for word in _words(parts):
        told.update(f"{word}\n".encode("utf-8", "surrogatepass"))
    return told.hexdigest()[:16]


_UNTOLD = ("span", "text", "labels", "reason", "probes", "counter", "counter_probes", "trail", "copied")


def _words(value: Any) -> Iterator[str]:
    """A value word by word, without what is there for readers alone."""
    match value:
        case Span():
            return
        case dict():
            for key, one in value.items():
                yield str(key)
                yield from _words(one)
        case tuple() | list():
            yield f"({len(value)}"
            for one in value:
                yield from _words(one)
        case _ if is_dataclass(value):
            yield type(value).__name__
            for field in fields(value):
                if field.name not in _UNTOLD:
                    yield from _words(getattr(value, field.name))
        case _:
            yield str(value)
