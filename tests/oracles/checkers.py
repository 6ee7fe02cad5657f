"""Reference rules of English draughts; a capture of several pieces is several moves of one player."""

from tests.oracles.boards import SLANTED, Move, Outcome, Position, changed, other, rectangle, step, won

PLAYERS = ("Black", "White")


def initial(size: int = 8, rows: int = 3) -> Position:
    board = rectangle(size, size)
    owner = {
        cell: None if (x + y) % 2 else "Black" if y < rows else "White" if y >= size - rows else None
        for cell, (x, y) in board.items()
    }
    return {"mover": "Black", "state": {"owner": owner, "rank_of": dict.fromkeys(board, "Man"), "jumper": None}}


def outcome(position: Position, size: int = 8, rows: int = 3) -> Outcome | None:
    return None if moves(position, size) else won(other(PLAYERS, position["mover"]))


def moves(position: Position, size: int = 8, rows: int = 3) -> list[Move]:
    state, board, mover = position["state"], rectangle(size, size), position["mover"]
    jumps = [
        ("jump", {"from": cell, "to": to}, jumped(position, cell, over, to, size))
        for cell in board
        if state["owner"][cell] == mover and state["jumper"] in (None, cell)
        for over, to in leaps(position, cell, size)
    ]
    if jumps or state["jumper"] is not None:
        return jumps
    return [
        ("step", {"from": cell, "to": to}, moved(position, cell, to, size))
        for cell in board
        if state["owner"][cell] == mover
        for to in board
        if state["owner"][to] is None and to in [step(board, cell, way) for way in ways(position, cell)]
    ]


def ways(position: Position, cell: str) -> list[tuple[int, int]]:
    """The directions in which the piece of `cell` may go."""
    ahead = 1 if position["state"]["owner"][cell] == "Black" else -1
    king = position["state"]["rank_of"][cell] == "King"
    return [(dx, dy) for dx, dy in SLANTED.values() if king or dy == ahead]


def leaps(position: Position, cell: str, size: int) -> list[tuple[str, str]]:
    """The captures of one piece: what is jumped over, and the end, in canonical order of the ends."""
    owner, board, found = position["state"]["owner"], rectangle(size, size), {}
    for way in ways(position, cell):
        over, to = step(board, cell, way), step(board, cell, way, 2)
        if over and to and owner[over] == other(PLAYERS, position["mover"]) and owner[to] is None:
            found[to] = over
    return [(found[to], to) for to in board if to in found]


def moved(position: Position, cell: str, to: str, size: int) -> Position:
    """The position with a piece on another cell, crowned on the last row, and the turn passed on."""
    mover, was = position["mover"], position["state"]["rank_of"][cell]
    last = size - 1 if mover == "Black" else 0
    rank = "King" if rectangle(size, size)[to][1] == last else was
    return changed(
        position, other(PLAYERS, mover), owner={cell: None, to: mover}, rank_of={cell: "Man", to: rank}, jumper=None
    )


def jumped(position: Position, cell: str, over: str, to: str, size: int) -> Position:
    mover, was = position["mover"], position["state"]["rank_of"][cell]
    after = changed(moved(position, cell, to, size), mover, owner={over: None}, rank_of={over: "Man"})
    crowned = after["state"]["rank_of"][to] != was
    if not crowned and leaps(after, to, size):
        return changed(after, mover, jumper=to)
    return changed(after, other(PLAYERS, mover))
