"""Reference rules of Chinese checkers: the star as two triangles, by three coordinates of which the sum is 0."""

from tests.oracles.boards import HEX, Move, Outcome, Position, around, changed, name, step, won

NAMES = ("Red", "Orange", "Yellow", "Green", "Blue", "Purple")
LIMIT = 8  # columns and rows from the middle
AROUND = {
    name(x + LIMIT, y + LIMIT): (x + LIMIT, y + LIMIT)
    for y in range(-LIMIT, LIMIT + 1)
    for x in range(-LIMIT, LIMIT + 1)
}  # fmt: skip


def lies(cell: str) -> tuple[int, int, int]:
    x, y = AROUND[cell][0] - LIMIT, AROUND[cell][1] - LIMIT
    return x, y, -x - y


BOARD = {cell: at for cell, at in AROUND.items() if min(lies(cell)) >= -4 or max(lies(cell)) <= 4}
# Clockwise from the north: which coordinate is beyond the hexagon, and on which side.
POINTS = [(1, 1), (2, -1), (0, 1), (1, -1), (2, 1), (0, -1)]
PLACED = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}


def point(number: int) -> set[str]:
    which, side = POINTS[number % 6]
    return {cell for cell in BOARD if lies(cell)[which] * side > 4}


def kept(who: str | None, seats: int) -> str | bool | None:
    """What a position remembers of the move before it: who has kept the turn; of two players, whether."""
    return who is not None if seats == 2 else who


def initial(seats: int) -> Position:
    at = dict.fromkeys(BOARD) | {
        cell: who for who, number in zip(NAMES, PLACED[seats], strict=False) for cell in point(number)
    }
    return {"mover": "Red", "state": {"at": at, "visited": dict.fromkeys(BOARD, False), "again": kept(None, seats)}}


def outcome(position: Position, seats: int) -> Outcome | None:
    """Who moved before has arrived, unless he is still hopping."""
    number = (NAMES.index(position["mover"]) - 1) % seats
    goal = point(PLACED[seats][number] + 3)
    arrived = all(position["state"]["at"][cell] == NAMES[number] for cell in goal)
    return won(NAMES[number]) if arrived and not any(position["state"]["visited"].values()) else None


def hops(position: Position, cell: str) -> list[str]:
    at, visited = position["state"]["at"], position["state"]["visited"]
    found = set()
    for way in HEX.values():
        over, to = step(BOARD, cell, way), step(BOARD, cell, way, 2)
        if over and to and at[over] and not at[to] and not visited[to]:
            found.add(to)
    return [one for one in BOARD if one in found]


def moves(position: Position, seats: int) -> list[Move]:
    if outcome(position, seats):
        return []
    state, mover = position["state"], position["mover"]
    after = NAMES[(NAMES.index(mover) + 1) % seats]
    still = dict.fromkeys(BOARD, False)
    hopping = any(state["visited"].values())
    own = [cell for cell in BOARD if state["at"][cell] == mover]
    found: list[Move] = []
    passed = kept(None, seats)
    for cell in own if not hopping else ():
        for to in around(BOARD, cell, HEX):
            if not state["at"][to]:
                stepped = changed(position, after, again=passed, at={cell: None, to: mover})
                found.append(("step", {"from": cell, "to": to}, stepped))
    for cell in own:
        for to in hops(position, cell) if not hopping or state["visited"][cell] else ():
            landed = changed(
                position, mover, again=kept(mover, seats), at={cell: None, to: mover}, visited={cell: True, to: True}
            )
            goes_on = bool(hops(landed, to))
            resting = changed(landed, after, again=passed, visited=still)
            found.append(("hop", {"from": cell, "to": to}, landed if goes_on else resting))
    if hopping:
        found.append(("stop", {}, changed(position, after, again=passed, visited=still)))
    return found or [("pass", {}, changed(position, after, again=passed))]
