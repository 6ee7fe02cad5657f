"""Reference rules of ultimate tic-tac-toe: nine grids of nine numbers, and eight lines of three."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("X", "O")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
CELLS = [(x, y) for y in range(9) for x in range(9)]
Grids = list[list[str | None]]


def initial() -> Position:
    return {"mover": "X", "state": {"at": {name(*cell): None for cell in CELLS}, "next": None}}


def place(x: int, y: int) -> tuple[int, int]:
    """The grid of a cell, and the number of the cell in it."""
    return y // 3 * 3 + x // 3, y % 3 * 3 + x % 3


def middle(grid: int) -> str:
    return name(grid % 3 * 3 + 1, grid // 3 * 3 + 1)


def grids(position: Position) -> Grids:
    found: Grids = [[None] * 9 for _ in range(9)]
    for cell in CELLS:
        grid, number = place(*cell)
        found[grid][number] = position["state"]["at"][name(*cell)]
    return found


def owners(grid: list[str | None]) -> set[str]:
    """Who has a line; in a position of a game one at most."""
    return {grid[a] for a, b, c in LINES if grid[a] and grid[a] == grid[b] == grid[c]}  # type: ignore[misc]


def outcome(position: Position) -> Outcome | None:
    last = other(PLAYERS, position["mover"])
    taken = [last in owners(grid) for grid in grids(position)]
    if any(all(taken[one] for one in line) for line in LINES):
        return won(last)
    return None if moves(position) else won(None)


def moves(position: Position) -> list[Move]:
    state, now, mover = position["state"], grids(position), position["mover"]
    found: list[Move] = []
    for x, y in CELLS:
        grid, number = place(x, y)
        if now[grid][number] or owners(now[grid]) or state["next"] not in (None, middle(grid)):
            continue
        at = state["at"] | {name(x, y): mover}
        there = grids({"state": {"at": at}})[number]
        following = None if owners(there) or None not in there else middle(number)
        found.append(("place", {"to": name(x, y)},
                      changed(position, other(PLAYERS, mover), at={name(x, y): mover}, next=following)))  # fmt: skip
    return found
