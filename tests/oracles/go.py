"""Reference rules of Go: area scoring, no suicide, simple ko, two passes end the game."""

from tests.oracles.boards import CROSS, Board, Move, Outcome, Position, around, changed, flood, other, rectangle, won

PLAYERS = ("Black", "White")


def initial(size: int = 5) -> Position:
    return {"mover": "Black", "state": {"at": dict.fromkeys(rectangle(size, size)), "ko": None, "passes": 0}}


def outcome(position: Position, size: int = 5) -> Outcome | None:
    if position["state"]["passes"] < 2:
        return None
    black, white = (area(position, player, size) for player in PLAYERS)
    return won("Black" if black > white else "White")


def moves(position: Position, size: int = 5) -> list[Move]:
    if outcome(position, size):
        return []
    found: list[Move] = []
    for cell in rectangle(size, size):
        after = placed(position, cell, size)
        if after is not None:
            found.append(("place", {"to": cell}, after))
    passes = min(position["state"]["passes"] + 1, 2)
    return [*found, ("pass", {}, changed(position, other(PLAYERS, position["mover"]), ko=None, passes=passes))]


def placed(position: Position, cell: str, size: int) -> Position | None:
    """The position with a stone on `cell`, or None if that is not allowed."""
    board, mover = rectangle(size, size), position["mover"]
    at = dict(position["state"]["at"])
    if at[cell] is not None or cell == position["state"]["ko"]:
        return None
    at[cell] = mover
    taken: set[str] = set()
    for near in around(board, cell, CROSS):
        if at[near] == other(PLAYERS, mover) and not breathes(at, board, near):
            taken |= group(at, board, near)
    at |= dict.fromkeys(taken)
    if not breathes(at, board, cell):
        return None
    enemies_only = all(position["state"]["at"][n] == other(PLAYERS, mover) for n in around(board, cell, CROSS))
    ko = next(iter(taken)) if len(taken) == 1 and enemies_only else None
    return changed(position, other(PLAYERS, mover), at=at, ko=ko, passes=0)


def group(at: dict[str, str | None], board: Board, cell: str) -> set[str]:
    """The cells of the same colour, or as empty, that hang together with `cell`."""
    return flood(cell, lambda c: [n for n in around(board, c, CROSS) if at[n] == at[cell]])


def breathes(at: dict[str, str | None], board: Board, cell: str) -> bool:
    return any(at[n] is None for c in group(at, board, cell) for n in around(board, c, CROSS))


def area(position: Position, player: str, size: int) -> int:
    at, board = position["state"]["at"], rectangle(size, size)
    found = 0
    for cell in board:
        if at[cell] is None:
            border = {at[n] for c in group(at, board, cell) for n in around(board, c, CROSS)} - {None}
            found += border == {player}
        found += at[cell] == player
    return found
