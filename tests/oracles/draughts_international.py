"""Reference rules of international draughts: whole captures by recursion, of which the longest count."""

from tests.oracles.boards import SLANTED, Board, Move, Outcome, Position, changed, other, ray, rectangle, step, won

PLAYERS = ("White", "Black")


def initial(size: int = 10) -> Position:
    board = rectangle(size, size)
    rows = size // 2 - 1
    owner = {
        cell: None if (x + y) % 2 or rows <= y < size - rows else "White" if y < rows else "Black"
        for cell, (x, y) in board.items()
    }
    no = dict.fromkeys(board, False)
    return {"mover": "White", "state": {"owner": owner, "king": no, "taken": no, "jumper": None, "clock": 0}}


def landings(board: Board, position: Position, cell: str) -> list[tuple[str, str]]:
    """Where a piece may land, each with the enemy that is jumped over."""
    state = position["state"]
    found = []
    for way in SLANTED.values():
        beyond = ray(board, cell, way)
        men = [one for one in beyond if state["owner"][one]]
        if not men or state["owner"][men[0]] == position["mover"] or state["taken"][men[0]]:
            continue
        first = beyond.index(men[0])
        if first and not state["king"][cell]:
            continue
        free = beyond[first + 1 : beyond.index(men[1]) if len(men) > 1 else None]
        found += [(to, men[0]) for to in (free if state["king"][cell] else free[:1])]
    return found


def jumped(board: Board, position: Position, cell: str, to: str, over: str) -> Position:
    """The position after one jump, in the middle of the capture."""
    state = position["state"]
    return changed(
        position, position["mover"], owner={cell: None, to: position["mover"]}, taken={over: True}, jumper=to,
        king={cell: False, to: state["king"][cell]}, clock=0,
    )  # fmt: skip


def longest(board: Board, position: Position, cell: str) -> int:
    """The most pieces that a piece can take from here on."""
    ways = landings(board, position, cell)
    return max((1 + longest(board, jumped(board, position, cell, to, over), to) for to, over in ways), default=0)


def outcome(position: Position, size: int = 10) -> Outcome | None:
    if position["state"]["clock"] == 50:
        return won(None)
    return None if moves(position, size) else won(other(PLAYERS, position["mover"]))


def moves(position: Position, size: int = 10) -> list[Move]:
    board, state, mover = rectangle(size, size), position["state"], position["mover"]
    jumper, enemy = state["jumper"], other(PLAYERS, position["mover"])
    last = size - 1 if mover == "White" else 0
    own = [cell for cell in board if state["owner"][cell] == mover and jumper in (None, cell)]
    jumps = [(cell, to, over) for cell in own for to, over in landings(board, position, cell)]
    if jumps:
        after = [jumped(board, position, *one) for one in jumps]
        worth = [longest(board, there, to) for there, (_, to, _) in zip(after, jumps, strict=True)]
        found = []
        for there, value, (cell, to, _) in zip(after, worth, jumps, strict=True):
            if value == max(worth):
                found.append(
                    ("jump", {"from": cell, "to": to}, there if value else landed(board, there, to, last, enemy))
                )
        order = list(board)
        return sorted(found, key=lambda one: (order.index(one[1]["from"]), order.index(one[1]["to"])))
    if jumper is not None:
        return []
    found = []
    for cell in own:
        goals = []
        for (_, dy), way in [(way, way) for way in SLANTED.values()]:
            if state["king"][cell]:
                line = ray(board, cell, way)
                stop = next((i for i, one in enumerate(line) if state["owner"][one]), len(line))
                goals += line[:stop]
            elif (dy > 0) == (mover == "White"):
                to = step(board, cell, way)
                goals += [to] if to and not state["owner"][to] else []
        for to in [one for one in board if one in goals]:
            crowned = state["king"][cell] or board[to][1] == last
            clock = state["clock"] + 1 if state["king"][cell] else 0
            found.append(("step", {"from": cell, "to": to},
                          changed(position, enemy, owner={cell: None, to: mover}, king={cell: False, to: crowned},
                                  clock=clock)))  # fmt: skip
    return found


def landed(board: Board, position: Position, cell: str, last: int, enemy: str) -> Position:
    """The position after a capture: what was taken is taken off, and who ends on the last row is crowned."""
    state = position["state"]
    off = [one for one in board if state["taken"][one]]
    king = {one: False for one in off} | {cell: state["king"][cell] or board[cell][1] == last}
    return changed(position, enemy, owner=dict.fromkeys(off), taken=dict.fromkeys(off, False), king=king, jumper=None)
