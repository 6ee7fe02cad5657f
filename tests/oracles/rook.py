"""Reference rules of king and rook against king; no move may leave one's own king in check."""

from tests.oracles.boards import Move, Outcome, Position, between, changed, name, other, rectangle, won

PLAYERS = ("White", "Black")
OWNER = {"WhiteKing": "White", "WhiteRook": "White", "BlackKing": "Black"}


def initial(size: int = 5) -> Position:
    at: dict[str, str | None] = dict.fromkeys(rectangle(size, size))
    at |= {"a1": "WhiteKing", "c1": "WhiteRook", name(size - 1, size - 2): "BlackKing"}
    return {"mover": "White", "state": {"at": at}}


def outcome(position: Position, size: int = 5) -> Outcome | None:
    mover = position["mover"]
    if "WhiteRook" not in position["state"]["at"].values():
        return won(None)
    if legal(position, size):
        return None
    ours, theirs = (checked(position, player, size) for player in (mover, other(PLAYERS, mover)))
    return won(None if ours == theirs else mover if theirs else other(PLAYERS, mover))


def moves(position: Position, size: int = 5) -> list[Move]:
    return [] if outcome(position, size) else legal(position, size)


def legal(position: Position, size: int) -> list[Move]:
    at, mover = position["state"]["at"], position["mover"]
    found: list[Move] = []
    for start in at:
        for end in at:
            if OWNER.get(at[start]) == mover != OWNER.get(at[end]) and reaches(position, start, end, size):
                after = changed(position, other(PLAYERS, mover), at={start: None, end: at[start]})
                if not checked(after, mover, size):
                    found.append(("go", {"from": start, "to": end}, after))
    return found


def reaches(position: Position, start: str, end: str, size: int) -> bool:
    at, board = position["state"]["at"], rectangle(size, size)
    line = between(board, start, end)
    if line is None:
        return False
    if at[start] != "WhiteRook":
        return not line
    straight = board[start][0] == board[end][0] or board[start][1] == board[end][1]
    return straight and all(at[cell] is None for cell in line)


def checked(position: Position, player: str, size: int) -> bool:
    at = position["state"]["at"]
    kings = [cell for cell in at if at[cell] == f"{player}King"]
    enemies = [cell for cell in at if OWNER.get(at[cell]) == other(PLAYERS, player)]
    return any(reaches(position, enemy, king, size) for king in kings for enemy in enemies)
