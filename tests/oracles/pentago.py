"""Reference rules of Pentago: four small boards as rows of cells, which are turned as wholes."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("White", "Black")
CELLS = [name(x, y) for y in range(6) for x in range(6)]
WAYS = [(1, 0), (0, 1), (1, 1), (1, -1)]
FIVES = [
    [name(x + i * dx, y + i * dy) for i in range(5)]
    for x in range(6) for y in range(6) for dx, dy in WAYS
    if x + 4 * dx in range(6) and y + 4 * dy in range(6)
]  # fmt: skip


def initial() -> Position:
    return {"mover": "White", "state": {"at": dict.fromkeys(CELLS), "placed": False, "again": False}}


def outcome(position: Position) -> Outcome | None:
    state = position["state"]
    last = position["mover"] if state["again"] else other(PLAYERS, position["mover"])
    having = {player for player in PLAYERS for five in FIVES if all(state["at"][cell] == player for cell in five)}
    if state["placed"]:  # only his marble can have made five
        return won(last) if last in having else None
    if having:
        return won(having.pop() if len(having) == 1 else None)
    return None if None in state["at"].values() else won(None)


def turned(at: dict[str, str | None], left: int, low: int, way: str) -> dict[str, str | None]:
    """The cells of the small board with this lower left corner, after a turn."""
    rows = [[at[name(left + x, low + y)] for x in range(3)] for y in (2, 1, 0)]  # from the top
    if way == "right":
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    else:
        rows = [list(column) for column in zip(*rows, strict=True)][::-1]
    return {name(left + x, low + 2 - y): rows[y][x] for y in range(3) for x in range(3)}


def moves(position: Position) -> list[Move]:
    state, mover = position["state"], position["mover"]
    if not state["placed"]:
        return [("place", {"to": cell}, changed(position, mover, at={cell: mover}, placed=True, again=True))
                for cell in CELLS if state["at"][cell] is None]  # fmt: skip
    return [
        ("turn", {"m": name(left + 1, low + 1), "way": way},
         changed(position, other(PLAYERS, mover), at=turned(state["at"], left, low, way), placed=False, again=False))
        for low in (0, 3) for left in (0, 3) for way in ("left", "right")
    ]  # fmt: skip
