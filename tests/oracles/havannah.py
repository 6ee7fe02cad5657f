"""Reference rules of Havannah: each chain by itself, its ring as what it cuts off from outside the board."""

from functools import cache

from tests.oracles.boards import HEX, Board, Move, Outcome, Position, around, changed, flood, name, other, won

PLAYERS = ("White", "Black")


@cache
def hexagon(side: int) -> Board:
    wide = 2 * side - 1
    return {name(x, y): (x, y) for y in range(wide) for x in range(wide) if side - 1 <= x + y <= 3 * side - 3}


def initial(size: int) -> Position:
    return {"mover": "White", "state": {"at": dict.fromkeys(hexagon(size))}}


def touched(place: tuple[int, int], size: int) -> set[str]:
    """The sides on which a cell lies; two for a corner."""
    x, y = place
    ends = {"south": y, "west": x, "north": 2 * size - 2 - y, "east": 2 * size - 2 - x,
            "southwest": x + y - size + 1, "northeast": 3 * size - 3 - x - y}  # fmt: skip
    return {side for side, away in ends.items() if away == 0}


def has_ring(chain: list[str], size: int) -> bool:
    """Is there a cell that no way leads from out of the board, round the chain; or one in the middle of it?"""
    board = hexagon(size)
    rest = {cell: place for cell, place in board.items() if cell not in chain}
    seen: set[str] = set()
    for cell in rest:
        if cell not in seen:
            area = flood(cell, lambda c: around(rest, c, HEX))
            seen |= set(area)
            if not any(touched(board[one], size) for one in area):
                return True
    own = {cell: board[cell] for cell in chain}
    return any(len(around(own, cell, HEX)) == 6 for cell in chain)


def outcome(position: Position, size: int) -> Outcome | None:
    at, board = position["state"]["at"], hexagon(size)
    last = other(PLAYERS, position["mover"])
    own = {cell: place for cell, place in board.items() if at[cell] == last}
    seen: set[str] = set()
    for cell in own:
        if cell in seen:
            continue
        chain = flood(cell, lambda c: around(own, c, HEX))
        seen |= set(chain)
        ends = [touched(board[one], size) for one in chain]
        corners = [sides for sides in ends if len(sides) == 2]
        sides = set().union(*(sides for sides in ends if len(sides) == 1))
        if len(corners) > 1 or len(sides) > 2 or has_ring(list(chain), size):
            return won(last)
    return None if None in at.values() else won(None)


def moves(position: Position, size: int) -> list[Move]:
    if outcome(position, size):
        return []
    mover, at = position["mover"], position["state"]["at"]
    return [
        ("place", {"to": cell}, changed(position, other(PLAYERS, mover), at={cell: mover}))
        for cell in hexagon(size)
        if at[cell] is None
    ]
