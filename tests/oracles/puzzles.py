"""Reference rules of three puzzles: peg solitaire, sliding tiles, Sokoban.

In: a position as `notation.to_dict` gives it.  Out: how it has ended, and its moves with the positions after them, in
canonical order.  Squares are pairs of column and row, both from 1; a step north goes one row up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Position = dict[str, Any]
Square = tuple[int, int]
Move = tuple[str, dict[str, str], Position]

STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def named(square: Square) -> str:
    """The name of a square, as c4."""
    return f"{chr(96 + square[0])}{square[1]}"


def square_of(name: str) -> Square:
    """The square of a name."""
    return ord(name[0]) - 96, int(name[1:])


def beyond(square: Square, step: str, times: int = 1) -> Square:
    """Where some steps lead."""
    across, up = STEPS[step]
    return square[0] + times * across, square[1] + times * up


class Pegs:
    """Peg solitaire on the English board of 33 holes."""

    holes = frozenset((x, y) for x in range(1, 8) for y in range(1, 8) if 3 <= x <= 5 or 3 <= y <= 5)

    def initial(self) -> Position:
        """All holes are full but the one in the middle."""
        return self._position(self.holes - {(4, 4)})

    def _position(self, pegs: frozenset[Square]) -> Position:
        places = sorted(self.holes, key=lambda square: square[::-1])
        return {"mover": "Solver", "state": {"peg": {named(one): one in pegs for one in places}}}

    def _after(self, position: Position) -> Iterator[tuple[dict[str, str], frozenset[Square]]]:
        held = position["state"]["peg"]
        pegs = frozenset(square_of(name) for name, full in held.items() if full)
        for start in sorted(pegs, key=lambda square: square[::-1]):
            for step in STEPS:
                over, to = beyond(start, step), beyond(start, step, 2)
                if over in pegs and to in self.holes - pegs:
                    yield {"from": named(start), "dir": step}, pegs - {start, over} | {to}

    def outcome(self, position: Position) -> dict[str, Any] | None:
        """Won with one peg in the middle, lost where none can jump."""
        full = [name for name, held in position["state"]["peg"].items() if held]
        if full == ["d4"]:
            return {"winner": "Solver"}
        return None if any(True for _ in self._after(position)) else {"winner": None}

    def moves(self, position: Position) -> list[Move]:
        """All jumps."""
        return [("jump", chosen, self._position(pegs)) for chosen, pegs in self._after(position)]


@dataclass(frozen=True)
class Tiles:
    """Sliding tiles on a board of some width and height."""

    width: int = 3
    height: int = 3

    @property
    def squares(self) -> list[Square]:
        """All squares, from the lower left."""
        return [(x, y) for y in range(1, self.height + 1) for x in range(1, self.width + 1)]

    @property
    def order(self) -> dict[str, int]:
        """The tiles in order, from the top left; the gap is 0, and last."""
        reading = [(x, y) for y in range(self.height, 0, -1) for x in range(1, self.width + 1)]
        where = {square: number for number, square in enumerate(reading, 1)}
        where[reading[-1]] = 0
        return {named(square): where[square] for square in self.squares}

    def outcome(self, position: Position, **options: Any) -> dict[str, Any] | None:
        """Won in order."""
        return {"winner": "Solver"} if position["state"]["tile"] == self.order else None

    def moves(self, position: Position, **options: Any) -> list[Move]:
        """The tiles beside the gap, each of which slides."""
        tiles = position["state"]["tile"]
        gap = next(name for name, tile in tiles.items() if not tile)
        found = []
        for name in map(named, self.squares):
            if square_of(gap) in [beyond(square_of(name), step) for step in STEPS]:
                state = {"tile": tiles | {gap: tiles[name], name: 0}}
                found.append(("slide", {"from": name}, {"mover": "Solver", "state": state}))
        return found

    def distances(self) -> dict[tuple[int, ...], int]:
        """How many slides each arrangement takes, counted backwards from the order."""
        first = tuple(self.order.values())
        found, layer = {first: 0}, [first]
        names = [named(square) for square in self.squares]
        while layer:
            further = []
            for tiles in layer:
                position = {"mover": "Solver", "state": {"tile": dict(zip(names, tiles, strict=True))}}
                for _, _, after in self.moves(position):
                    arranged = tuple(after["state"]["tile"].values())
                    if arranged not in found:
                        found[arranged] = found[tiles] + 1
                        further.append(arranged)
            layer = further
        return found


class Boxes:
    """The level of Sokoban that is shipped, drawn with # walls, $ boxes, @ the keeper and x places."""

    drawn = ("....###", "..$.$..", "#..#..@", "xx..$.#", ".x#...#")

    def __init__(self) -> None:
        rows = dict(zip(range(5, 0, -1), self.drawn, strict=True))
        marks = {(x, y): mark for y, row in rows.items() for x, mark in enumerate(row, 1)}
        self.floor = {square for square, mark in marks.items() if mark != "#"}
        self.places = {square for square, mark in marks.items() if mark == "x"}
        self.begin = {mark: frozenset(square for square, one in marks.items() if one == mark) for mark in "$@"}

    def initial(self) -> Position:
        """The level as it is drawn."""
        (keeper,) = self.begin["@"]
        return self._position(self.begin["$"], keeper)

    def _position(self, boxes: frozenset[Square], keeper: Square) -> Position:
        floor = sorted(self.floor, key=lambda square: square[::-1])
        state = {"box": {named(one): one in boxes for one in floor}, "keeper": named(keeper)}
        return {"mover": "Keeper", "state": state}

    def _after(self, position: Position) -> Iterator[tuple[str, frozenset[Square], Square]]:
        state = position["state"]
        boxes, keeper = frozenset(square_of(name) for name, here in state["box"].items() if here), state["keeper"]
        for step in STEPS:
            to, behind = beyond(square_of(keeper), step), beyond(square_of(keeper), step, 2)
            if to in self.floor and to not in boxes:
                yield step, boxes, to
            elif to in boxes and behind in self.floor - boxes:
                yield step, boxes - {to} | {behind}, to

    def outcome(self, position: Position) -> dict[str, Any] | None:
        """Won with a box on each place, lost where the keeper is shut in."""
        boxes = {square_of(name) for name, here in position["state"]["box"].items() if here}
        if self.places <= boxes:
            return {"winner": "Keeper"}
        return None if any(True for _ in self._after(position)) else {"winner": None}

    def moves(self, position: Position) -> list[Move]:
        """The steps of the keeper."""
        return [("go", {"dir": step}, self._position(boxes, to)) for step, boxes, to in self._after(position)]


PEGS, BOXES = Pegs(), Boxes()
