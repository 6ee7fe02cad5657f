"""Reference rules of Surakarta: a man walks on, and the eight loops are listed by their ends."""

from tests.oracles.boards import CROSS, SQUARE, Move, Outcome, Position, around, changed, other, rectangle, step, won

PLAYERS = ("White", "Black")
BOARD = rectangle(6, 6)
ENDS = [("a2", "b1"), ("a3", "c1"), ("f2", "e1"), ("f3", "d1"), ("a5", "b6"), ("a4", "c6"), ("f5", "e6"), ("f4", "d6")]
LOOPS = dict(ENDS) | {second: first for first, second in ENDS}
LONG = 60


def initial() -> Position:
    at = {cell: "White" if cell[1] in "12" else "Black" if cell[1] in "56" else None for cell in BOARD}
    return {"mover": "White", "state": {"at": at, "quiet": 0}}


def outcome(position: Position) -> Outcome | None:
    last = other(PLAYERS, position["mover"])
    owners = list(position["state"]["at"].values())
    if position["mover"] not in owners:
        return won(last)
    if position["state"]["quiet"] == LONG:
        lead = owners.count("White") - owners.count("Black")
        return won("White" if lead > 0 else "Black" if lead < 0 else None)
    return None if moves(position) else won(last)


def moves(position: Position) -> list[Move]:
    at, mover = position["state"]["at"], position["mover"]
    own = [cell for cell in BOARD if at[cell] == mover]

    def after(start: str, end: str, quiet: int) -> Position:
        return changed(position, other(PLAYERS, mover), at={start: None, end: mover}, quiet=quiet)

    captures: list[Move] = [
        ("capture", {"from": start, "to": end}, after(start, end, 0))
        for start in own for end in taken(at, start, mover)
    ]  # fmt: skip
    walks: list[Move] = [
        ("walk", {"from": start, "to": end}, after(start, end, position["state"]["quiet"] + 1))
        for start in own for end in around(BOARD, start, SQUARE) if at[end] is None
    ]  # fmt: skip
    return captures + walks


def taken(at: dict[str, str | None], start: str, mover: str) -> list[str]:
    """The enemies that a man takes, in canonical order."""
    found = set()
    for way in CROSS.values():
        cell, heading, looped = start, way, False
        for _ in range(24):
            ahead = step(BOARD, cell, heading)
            if ahead is None:
                if cell not in LOOPS:
                    break
                ahead, looped = LOOPS[cell], True
                heading = inward(ahead)
            cell = ahead
            if cell != start and at[cell] is not None:
                if looped and at[cell] != mover:
                    found.add(cell)
                break
    return [cell for cell in BOARD if cell in found]


def inward(end: str) -> tuple[int, int]:
    """From the end of a loop onto the board."""
    return {"a": (1, 0), "f": (-1, 0)}.get(end[0]) or {"1": (0, 1), "6": (0, -1)}[end[1]]
