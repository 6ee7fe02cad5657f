"""Reference rules of Othello; a player without a move passes, and the game ends when neither has one."""

from tests.oracles.boards import SQUARE, Move, Outcome, Position, changed, name, other, ray, rectangle, won

PLAYERS = ("Black", "White")


def initial(size: int = 8) -> Position:
    at: dict[str, str | None] = dict.fromkeys(rectangle(size, size))
    low, high = size // 2 - 1, size // 2
    at |= {name(low, low): "White", name(high, high): "White", name(low, high): "Black", name(high, low): "Black"}
    return {"mover": "Black", "state": {"at": at}}


def outcome(position: Position, size: int = 8) -> Outcome | None:
    if any(placements(position, player, size) for player in PLAYERS):
        return None
    count = [list(position["state"]["at"].values()).count(player) for player in PLAYERS]
    return won(None if count[0] == count[1] else PLAYERS[count[1] > count[0]])


def moves(position: Position, size: int = 8) -> list[Move]:
    if outcome(position, size):
        return []
    mover = position["mover"]
    found: list[Move] = [
        ("place", {"to": cell}, changed(position, other(PLAYERS, mover), at=dict.fromkeys([cell, *turned], mover)))
        for cell, turned in placements(position, mover, size)
    ]
    return found or [("pass", {}, changed(position, other(PLAYERS, mover)))]


def placements(position: Position, player: str, size: int) -> list[tuple[str, list[str]]]:
    """The empty cells where a disc of the player turns others, with those."""
    at, board, found = position["state"]["at"], rectangle(size, size), []
    for cell in board:
        turned: list[str] = []
        for way in SQUARE.values():
            held: list[str] = []
            for one in ray(board, cell, way):
                if at[one] == player:
                    turned += held
                    break
                if at[one] is None:
                    break
                held.append(one)
        if at[cell] is None and turned:
            found.append((cell, turned))
    return found
