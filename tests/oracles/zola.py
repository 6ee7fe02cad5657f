"""Reference rules of Zola (Mark Steere, 2021).

In: a position, `{"mover": "Red", "state": {"at": {"a1": "Red", "a2": None, ...}}}`, and the option
`size`, an even number up to 10.  Out: its outcome, and its moves with the positions after them.

Canonical order: retreats, then captures; within a kind by `from`, then by `to`; cells row by row
from the lower left.
"""

import random
from typing import Any

Position = dict[str, Any]
Outcome = dict[str, str]
Move = tuple[str, dict[str, str], Position]

ENEMY = {"Red": "Blue", "Blue": "Red"}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
FILES = "abcdefghij"


def initial(size: int = 6) -> Position:
    """The full checkered board, Red on a1 and to move."""
    at = {name(x, y): "Red" if (x + y) % 2 == 0 else "Blue" for y in range(size) for x in range(size)}
    return {"mover": "Red", "state": {"at": at}}


def anything(rng: random.Random, size: int = 6) -> Position:
    """Checkers of both players anywhere; who has just moved has one."""
    cells, weights = list(initial(size)["state"]["at"]), (rng.random(), rng.random(), rng.random())
    at = dict(zip(cells, rng.choices(["Red", "Blue", None], weights, k=len(cells)), strict=True))
    mover, last = rng.sample(["Red", "Blue"], 2)
    at[rng.choice(cells)] = last
    return {"mover": mover, "state": {"at": at}}


def outcome(position: Position, size: int = 6) -> Outcome | None:
    """The winner once a player has no checkers left, else None."""
    left = set(position["state"]["at"].values())
    for player, enemy in ENEMY.items():
        if enemy not in left:
            return {"winner": player}
    return None


def moves(position: Position, size: int = 6) -> list[Move]:
    """The legal moves in canonical order; a pass only where there is no other."""
    if outcome(position, size):
        return []
    found = [
        (kind, {"from": start, "to": target}, after(position, start, target))
        for kind, targets in (("retreat", retreats), ("capture", captures))
        for start in own_cells(position)
        for target in sorted(targets(position, start, size), key=cell_order)
    ]
    return found or [("pass", {}, after(position))]


def perft(position: Position, depth: int, size: int = 6) -> int:
    """The number of move sequences of length `depth`."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1, size) for _, _, child in moves(position, size))


def own_cells(position: Position) -> list[str]:
    """The cells of the mover's checkers, in cell order."""
    at = position["state"]["at"]
    return [cell for cell in sorted(at, key=cell_order) if at[cell] == position["mover"]]


def retreats(position: Position, start: str, size: int) -> list[str]:
    """The empty neighbours of `start` that are strictly farther from the centre."""
    at = position["state"]["at"]
    neighbours = [ray[0] for ray in rays(start, size) if ray]
    return [cell for cell in neighbours if at[cell] is None and distance(cell, size) > distance(start, size)]


def captures(position: Position, start: str, size: int) -> list[str]:
    """The enemies that are first in sight of `start` and not farther from the centre."""
    at = position["state"]["at"]
    enemy = ENEMY[position["mover"]]
    found = []
    for ray in rays(start, size):
        first = next((cell for cell in ray if at[cell] is not None), None)
        if first and at[first] == enemy and distance(first, size) <= distance(start, size):
            found.append(first)
    return found


def after(position: Position, start: str | None = None, target: str | None = None) -> Position:
    """The position with the checker of `start` on `target`, or after a pass."""
    at = dict(position["state"]["at"])
    if start and target:
        at[start], at[target] = None, position["mover"]
    return {"mover": ENEMY[position["mover"]], "state": {"at": at}}


def rays(start: str, size: int) -> list[list[str]]:
    """For each direction the cells beyond `start`, nearest first."""
    x, y = coordinates(start)
    return [
        [
            name(x + dx * steps, y + dy * steps)
            for steps in range(1, size)
            if 0 <= x + dx * steps < size and 0 <= y + dy * steps < size
        ]
        for dx, dy in DIRECTIONS
    ]


def distance(cell: str, size: int) -> int:
    """Four times the squared distance of `cell` from the centre of the board."""
    x, y = coordinates(cell)
    return (2 * x - (size - 1)) ** 2 + (2 * y - (size - 1)) ** 2


def cell_order(cell: str) -> tuple[int, int]:
    """The sort key that puts cells row by row from the lower left."""
    x, y = coordinates(cell)
    return y, x


def coordinates(cell: str) -> tuple[int, int]:
    """Column and row of `cell`, both from 0."""
    return FILES.index(cell[0]), int(cell[1:]) - 1


def name(x: int, y: int) -> str:
    """The name of the cell in column `x` and row `y`."""
    return f"{FILES[x]}{y + 1}"
