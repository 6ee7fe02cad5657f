"""Reference rules of Lasca: columns as lists of men from below."""

from tests.oracles.boards import SLANTED, Board, Move, Outcome, Place, Position, changed, other, rectangle, step, won

PLAYERS = ("White", "Black")
BOARD: Board = {cell: (x, y) for cell, (x, y) in rectangle(7, 7).items() if (x + y) % 2 == 0}


def initial() -> Position:
    pile = {cell: ["WhiteSoldier"] if y < 3 else ["BlackSoldier"] if y > 3 else [] for cell, (_, y) in BOARD.items()}
    return {"mover": "White", "state": {"pile": pile, "jumper": None, "jumped": dict.fromkeys(BOARD, False)}}


def outcome(position: Position) -> Outcome | None:
    return None if moves(position) else won(other(PLAYERS, position["mover"]))


def moves(position: Position) -> list[Move]:
    state = position["state"]
    jumps = [found for cell in BOARD if state["jumper"] in (None, cell) for found in jumps_of(position, cell)]
    if jumps or state["jumper"] is not None:
        return jumps
    return [found for cell in BOARD for found in steps_of(position, cell)]


def ways(column: list[str], mover: str) -> list[Place]:
    """Where a column may go; none if another player's man is on top."""
    if not column or not column[-1].startswith(mover):
        return []
    ahead = 1 if mover == "White" else -1
    return [way for way in SLANTED.values() if column[-1].endswith("Officer") or way[1] == ahead]


def arrived(position: Position, column: list[str], end: str) -> list[str]:
    """The column where it has come to; a soldier becomes an officer in the last row."""
    last = 6 if position["mover"] == "White" else 0
    return [*column[:-1], f"{position['mover']}Officer"] if BOARD[end][1] == last else column


def steps_of(position: Position, cell: str) -> list[Move]:
    state, mover = position["state"], position["mover"]
    ends = [step(BOARD, cell, way) for way in ways(state["pile"][cell], mover)]
    return [
        ("step", {"from": cell, "to": end}, changed(
            position, other(PLAYERS, mover), pile={cell: [], end: arrived(position, state["pile"][cell], end)}))
        for end in BOARD if end in ends and not state["pile"][end]
    ]  # fmt: skip


def jumps_of(position: Position, cell: str) -> list[Move]:
    state, mover = position["state"], position["mover"]
    ends = {}
    for way in ways(state["pile"][cell], mover):
        over, end = step(BOARD, cell, way), step(BOARD, cell, way, 2)
        if end is None or state["pile"][end] or state["jumped"][over]:
            continue
        if state["pile"][over] and not state["pile"][over][-1].startswith(mover):
            ends[end] = over
    return [("jump", {"from": cell, "to": end}, jump(position, cell, ends[end], end)) for end in BOARD if end in ends]


def jump(position: Position, cell: str, over: str, end: str) -> Position:
    state, mover = position["state"], position["mover"]
    column = state["pile"][cell]
    *left, taken = state["pile"][over]
    after = changed(position, mover, pile={cell: [], over: left, end: arrived(position, [taken, *column], end)},
                    jumped={over: True}, jumper=end)  # fmt: skip
    crowned = after["state"]["pile"][end][-1] != column[-1]
    if not crowned and jumps_of(after, end):
        return after
    return changed(after, other(PLAYERS, mover), jumped=dict.fromkeys(BOARD, False), jumper=None)
