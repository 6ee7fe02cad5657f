"""Reference rules of Pushers: every piece of a side acts once a turn, in any order."""

from tests.oracles.boards import CROSS, SQUARE, Move, Outcome, Position, around, changed, other, rectangle, step, won

PLAYERS = ("Offence", "Defence")
SIDE = {"Carrier": "Offence", "Blocker": "Offence", "Tackler": "Defence"}


def initial(pieces: int = 2, size: int = 4) -> Position:
    at = {
        cell: "Carrier" if (x, y) == (0, 0) else "Blocker" if y == 0 and x <= pieces
        else "Tackler" if y == size - 1 and x < pieces else None
        for cell, (x, y) in rectangle(size, size).items()
    }  # fmt: skip
    return {"mover": "Offence", "state": {"at": at, "acted": dict.fromkeys(at, False), "again": False}}


def outcome(position: Position, pieces: int = 2, size: int = 4) -> Outcome | None:
    at, board = position["state"]["at"], rectangle(size, size)
    last = position["mover"] if position["state"]["again"] else other(PLAYERS, position["mover"])
    carriers = [cell for cell in board if at[cell] == "Carrier"]
    if any(board[cell][1] == size - 1 for cell in carriers):
        return won("Offence")
    if not carriers:
        return won(last)
    for cell in carriers:
        if last == "Defence" and all(at[n] not in (None, "Blocker") for n in around(board, cell, SQUARE)):
            return won("Defence")
    return None


def moves(position: Position, pieces: int = 2, size: int = 4) -> list[Move]:
    if outcome(position, pieces, size):
        return []
    state, board, mover = position["state"], rectangle(size, size), position["mover"]
    at, walks, pushes, waits = state["at"], [], [], []
    for cell in board:
        if SIDE.get(at[cell]) != mover or state["acted"][cell]:
            continue
        for to in around(board, cell, SQUARE):
            if at[to] is None:
                moved = {"at": {cell: None, to: at[cell]}, "acted": {cell: False, to: True}}
                walks.append(("walk", {"from": cell, "to": to}, acted(position, moved)))
        for name, way in CROSS.items():
            to, behind = step(board, cell, way), step(board, cell, way, 2)
            if at[cell] == "Carrier" or not to or not behind or at[behind] is not None:
                continue
            if SIDE.get(at[to]) == other(PLAYERS, mover):
                moved = {
                    "at": {cell: None, to: at[cell], behind: at[to]},
                    "acted": {cell: False, to: True, behind: False},
                }
                pushes.append(("push", {"from": cell, "dir": name}, acted(position, moved)))
        waits.append(("wait", {"from": cell}, acted(position, {"acted": {cell: True}})))
    return [*walks, *pushes, *waits] or [("pass", {}, changed(position, other(PLAYERS, mover), again=False))]


def acted(position: Position, changes: dict[str, dict[str, object]]) -> Position:
    """The position after one piece has acted; when all have, the turn passes."""
    mover = position["mover"]
    after = changed(position, mover, again=True, **changes)
    at, done = after["state"]["at"], after["state"]["acted"]
    if any(SIDE.get(at[cell]) == mover and not done[cell] for cell in at):
        return after
    return changed(after, other(PLAYERS, mover), acted=dict.fromkeys(done, False), again=False)
