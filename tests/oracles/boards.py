"""Boards for the oracles: names of cells, directions and lines, as plain as possible.

A board is a dict from the name of a cell to its place (column, row), from 0 at the lower left, in canonical
order: row by row.  Directions go round clockwise from north.
"""

from functools import cache
from typing import Any

Place = tuple[int, int]
Board = dict[str, Place]
Position = dict[str, Any]
Move = tuple[str, dict[str, Any], Position]
Outcome = dict[str, str | None]

SQUARE = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
HEX = {
    "northeast": (0, 1), "east": (1, 0), "southeast": (1, -1),
    "southwest": (0, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
CROSS = {name: SQUARE[name] for name in ("north", "east", "south", "west")}
SLANTED = {name: SQUARE[name] for name in ("northeast", "southeast", "southwest", "northwest")}


def name(x: int, y: int) -> str:
    """The name of the cell in column `x` and row `y`."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[x]}{y + 1}"


@cache
def rectangle(width: int, height: int) -> Board:
    """A rectangle, or a rhombus of hexagonal cells."""
    return {name(x, y): (x, y) for y in range(height) for x in range(width)}


def step(board: Board, cell: str, way: Place, count: int = 1) -> str | None:
    """The cell `count` steps from `cell`, or None off the board."""
    x, y = board[cell][0] + count * way[0], board[cell][1] + count * way[1]
    there = name(x, y) if x in range(26) and y >= 0 else None
    return there if there in board else None


def around(board: Board, cell: str, ways: dict[str, Place]) -> list[str]:
    """The cells next to `cell`, in canonical order."""
    found = [step(board, cell, way) for way in ways.values()]
    return [one for one in board if one in found]


def ray(board: Board, cell: str, way: Place) -> list[str]:
    """The cells beyond `cell`, nearest first."""
    found: list[str] = []
    there = step(board, cell, way)
    while there is not None:
        found.append(there)
        there = step(board, there, way)
    return found


def between(board: Board, start: str, end: str) -> list[str] | None:
    """The cells between two cells on a row, column or diagonal; None if they are on none."""
    for way in SQUARE.values():
        line = ray(board, start, way)
        if end in line:
            return line[: line.index(end)]
    return None


def flood(start: str, neighbours: Any) -> set[str]:
    """What is reached from `start` over `neighbours`, itself too."""
    seen, fresh = {start}, [start]
    while fresh:
        for other in neighbours(fresh.pop()):
            if other not in seen:
                seen.add(other)
                fresh.append(other)
    return seen


def changed(position: Position, mover: str, **slots: Any) -> Position:
    """A position with another mover; a slot is replaced, or updated where a dict is given."""
    state = dict(position["state"])
    for slot, value in slots.items():
        state[slot] = {**state[slot], **value} if isinstance(value, dict) else value
    return {"mover": mover, "state": state}


def other(players: tuple[str, str], player: str) -> str:
    """The opponent."""
    return players[1 - players.index(player)]


def won(winner: str | None) -> Outcome:
    """An outcome; None is a draw."""
    return {"winner": winner}


def perft(rules: Any, position: Position, depth: int, **options: Any) -> int:
    """The number of sequences of `depth` moves."""
    if depth == 0:
        return 1
    return sum(perft(rules, child, depth - 1, **options) for _, _, child in rules.moves(position, **options))
