"""Reference rules of Conga (Martin Franke, 1995).

In: a position, `{"mover": "Black", "state": {"owner": {"a1": None, ...}, "stones": {"a1": 0,
...}}}`, and four options: `size` of the board, `pile` (each player's stones), `sowing` and
`four_equal`.  Out: the position's outcome, and its moves with the positions after them.

`sowing="add"`: own stones on the way stay, and the sown ones are added.  `sowing="sweep"`: they are
picked up and carried on, except on the last cell of the move.  `four_equal`: the player who makes four
equal piles in a row, side by side along a line, wins as well, whoever owns the piles.

Canonical order: by `from`, cells row by row from the lower left; then by `dir`, clockwise from
north.
"""

import random
from typing import Any

Position = dict[str, Any]
Outcome = dict[str, str]
Move = tuple[str, dict[str, str], Position]

ENEMY = {"Black": "White", "White": "Black"}
DIRECTIONS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
FILES = "abcdefghij"


def initial(size: int = 4, pile: int = 10, sowing: str = "add", four_equal: bool = False) -> Position:
    """Black's pile in the upper left corner, White's in the lower right; Black to move."""
    owner: dict[str, str | None] = {cell: None for cell in cells(size)}
    stones = {cell: 0 for cell in cells(size)}
    for cell, player in ((name(0, size - 1), "Black"), (name(size - 1, 0), "White")):
        owner[cell], stones[cell] = player, pile
    return {"mover": "Black", "state": {"owner": owner, "stones": stones}}


def anything(rng: random.Random, size: int = 4, pile: int = 10, **_options: Any) -> Position:
    """The stones of both players lie anywhere."""
    position = initial(size, pile)
    state = position["state"]
    cells = rng.sample(list(state["owner"]), rng.randint(2, size * size))
    state["owner"], state["stones"] = dict.fromkeys(state["owner"]), dict.fromkeys(state["stones"], 0)
    split = rng.randint(1, len(cells) - 1)
    for player, own in (("Black", cells[:split]), ("White", cells[split:])):
        for cell in rng.choices(own, k=pile):
            state["owner"][cell] = player
            state["stones"][cell] += 1
    return {"mover": rng.choice(["Black", "White"]), "state": state}


def outcome(
    position: Position,
    size: int = 4,
    pile: int = 10,
    sowing: str = "add",
    four_equal: bool = False,
) -> Outcome | None:
    """The player who has just moved, if he has won by it, else None."""
    won = four_equal and any_line_is_equal(position, size)
    if won or not choices(position, size):
        return {"winner": ENEMY[position["mover"]]}
    return None


def moves(
    position: Position,
    size: int = 4,
    pile: int = 10,
    sowing: str = "add",
    four_equal: bool = False,
) -> list[Move]:
    """The legal moves in canonical order."""
    if outcome(position, size, pile, sowing, four_equal):
        return []
    return [
        ("sow", {"from": start, "dir": direction}, after(position, start, line, sowing))
        for start, direction, line in choices(position, size)
    ]


def perft(position: Position, depth: int, **options: Any) -> int:
    """The number of move sequences of length `depth`."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1, **options) for _, _, child in moves(position, **options))


def choices(position: Position, size: int) -> list[tuple[str, str, list[str]]]:
    """Each own cell and direction with room to sow, and the one to three cells sown into."""
    owner = position["state"]["owner"]
    found = []
    for start in cells(size):
        if owner[start] == position["mover"]:
            for direction in DIRECTIONS:
                line = open_line(position, start, direction, size)
                if line:
                    found.append((start, direction, line))
    return found


def open_line(position: Position, start: str, direction: str, size: int) -> list[str]:
    """The cells sown into from `start`: up to the edge or the first enemy, three at most.

    A pile of one or two stones gets no farther than that many cells.
    """
    x, y = coordinates(start)
    dx, dy = DIRECTIONS[direction]
    line: list[str] = []
    for _ in range(min(position["state"]["stones"][start], 3)):
        x, y = x + dx, y + dy
        if not (0 <= x < size and 0 <= y < size):
            break
        if position["state"]["owner"][name(x, y)] == ENEMY[position["mover"]]:
            break
        line.append(name(x, y))
    return line


def after(position: Position, start: str, line: list[str], sowing: str) -> Position:
    """The position after the pile of `start` has been sown along `line`."""
    mover = position["mover"]
    owner, stones = dict(position["state"]["owner"]), dict(position["state"]["stones"])
    piles = sown(stones[start], [stones[cell] for cell in line], sowing)
    owner[start], stones[start] = None, 0
    for cell, pile in zip(line, piles, strict=True):
        owner[cell], stones[cell] = mover if pile else None, pile
    return {"mover": ENEMY[mover], "state": {"owner": owner, "stones": stones}}


def sown(hand: int, piles: list[int], sowing: str) -> list[int]:
    """The piles of a line after `hand` stones were sown over it: 1, 2, and the rest on the last."""
    left = []
    for portion, pile in zip((1, 2), piles[:-1], strict=False):
        if sowing == "sweep":
            hand, pile = hand + pile, 0
        dropped = min(portion, hand)
        hand -= dropped
        left.append(pile + dropped)
    return [*left, piles[-1] + hand]


def evaluation(position: Position, player: str, size: int) -> int:
    """What programs think of a position, for one player: his worth minus that of the other."""
    return worth(position, player, size) - worth(position, ENEMY[player], size)


def worth(position: Position, player: str, size: int) -> int:
    """What the cells that a player holds are worth, by their ways out, and 40 for each cell that he can get to."""
    stones = position["state"]["stones"]
    held = [cell for cell in cells(size) if position["state"]["owner"][cell] == player]
    room, todo = set(held), list(held)
    while todo:
        fresh = [cell for cell in ways_out(position, todo.pop(), player, size) if cell not in room]
        room.update(fresh)
        todo += fresh
    total = 40 * len(room)
    for cell in held:
        ways, around = len(ways_out(position, cell, player, size)), len(beside(cell, size))
        total += {0: 30, 1: 52, 2: 54}.get(ways, 40 + 2 * ways) + 2 * around + (5 if around == 3 else 0)
        total -= stones[cell] ** 2 + (20 * stones[cell] if ways == 1 else 0)
    return total


def simple_evaluation(position: Position, player: str, size: int) -> int:
    """The first program's: moves, and own cells beside those of the enemy, against other cells beside them."""
    return simple_worth(position, player, size) - simple_worth(position, ENEMY[player], size)


def simple_worth(position: Position, player: str, size: int) -> int:
    owner, total = position["state"]["owner"], 0
    for cell in cells(size):
        if owner[cell] == player:
            total += len(ways_out(position, cell, player, size))
        if owner[cell] == ENEMY[player]:
            total += sum(1 if owner[other] == player else -1 for other in beside(cell, size))
    return total


def ways_out(position: Position, cell: str, player: str, size: int) -> list[str]:
    """The cells beside a cell that the enemy of a player does not hold."""
    return [other for other in beside(cell, size) if position["state"]["owner"][other] != ENEMY[player]]


def beside(cell: str, size: int) -> list[str]:
    x, y = coordinates(cell)
    near = [(x + dx, y + dy) for dx, dy in DIRECTIONS.values()]
    return [name(*one) for one in near if 0 <= one[0] < size and 0 <= one[1] < size]


def any_line_is_equal(position: Position, size: int) -> bool:
    """Whether four cells side by side along a line have as many stones each, and some."""
    stones = position["state"]["stones"]
    for x, y in map(coordinates, cells(size)):
        for dx, dy in DIRECTIONS.values():
            if 0 <= x + 3 * dx < size and 0 <= y + 3 * dy < size:
                four = {stones[name(x + k * dx, y + k * dy)] for k in range(4)}
                if len(four) == 1 and four != {0}:
                    return True
    return False


def cells(size: int) -> list[str]:
    """All cells, row by row from the lower left."""
    return [name(x, y) for y in range(size) for x in range(size)]


def coordinates(cell: str) -> tuple[int, int]:
    """Column and row of `cell`, both from 0."""
    return FILES.index(cell[0]), int(cell[1:]) - 1


def name(x: int, y: int) -> str:
    """The name of the cell in column `x` and row `y`."""
    return f"{FILES[x]}{y + 1}"
