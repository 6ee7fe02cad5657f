"""Reference rules of six men's morris; taking a man is a move of its own."""

from tests.oracles.boards import Move, Outcome, Position, changed, other, won

PLAYERS = ("White", "Black")
LINES = [
    "a1 c1 e1", "b2 c2 d2", "a3 b3", "d3 e3", "b4 c4 d4", "a5 c5 e5",
    "a1 a3 a5", "b2 b3 b4", "c1 c2", "c4 c5", "d2 d3 d4", "e1 e3 e5",
]  # fmt: skip
CELLS = sorted({cell for line in LINES for cell in line.split()}, key=lambda cell: (cell[1], cell[0]))


def initial(men: int = 6) -> Position:
    state = {"at": dict.fromkeys(CELLS), "hand": dict.fromkeys(PLAYERS, men), "now": "moving", "again": False}
    return {"mover": "White", "state": state}


def outcome(position: Position, men: int = 6) -> Outcome | None:
    last = position["mover"] if position["state"]["again"] else other(PLAYERS, position["mover"])
    if left(position, other(PLAYERS, last)) < 3:
        return won(last)
    return None if choices(position) else won(other(PLAYERS, position["mover"]))


def moves(position: Position, men: int = 6) -> list[Move]:
    return [] if outcome(position, men) else choices(position)


def left(position: Position, player: str) -> int:
    return position["state"]["hand"][player] + list(position["state"]["at"].values()).count(player)


def choices(position: Position) -> list[Move]:
    state, mover = position["state"], position["mover"]
    at, hand, enemy = state["at"], state["hand"][mover], other(PLAYERS, mover)
    if state["now"] == "taking":
        free = [c for c in CELLS if at[c] == enemy and not mill(at, c)] or [c for c in CELLS if at[c] == enemy]
        return [("take", {"c": c}, changed(position, enemy, at={c: None}, now="moving", again=False)) for c in free]
    if hand:
        return [
            ("put", {"to": c}, settled(changed(position, enemy, at={c: mover}, hand={mover: hand - 1}), c))
            for c in CELLS
            if at[c] is None
        ]
    return [
        ("slide", {"from": c, "to": to}, settled(changed(position, enemy, at={c: None, to: mover}), to))
        for c in CELLS
        for to in CELLS
        if at[c] == mover and at[to] is None and linked(c, to)
    ]


def settled(position: Position, cell: str) -> Position:
    """The position after a man has come to `cell`: with a mill its owner goes on."""
    if mill(position["state"]["at"], cell):
        return changed(position, position["state"]["at"][cell], now="taking", again=True)
    return changed(position, position["mover"], again=False)


def mill(at: dict[str, str | None], cell: str) -> bool:
    lines = [line.split() for line in LINES if cell in line]
    return any(len(line) == 3 and len({at[c] for c in line}) == 1 for line in lines)


def linked(a: str, b: str) -> bool:
    return any(f"{a} {b}" in line or f"{b} {a}" in line for line in LINES)
