"""Reference rules of Quarto: a piece is a set of traits, and ten lines of four cells are looked at."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("White", "Black")
TRAITS = ("hollow", "round", "dark", "tall")
CELLS = [name(x, y) for y in range(4) for x in range(4)]
LINES = [
    *([name(x, y) for x in range(4)] for y in range(4)),
    *([name(x, y) for y in range(4)] for x in range(4)),
    [name(x, x) for x in range(4)],
    [name(x, 3 - x) for x in range(4)],
]  # fmt: skip


def initial() -> Position:
    return {"mover": "White", "state": {"at": dict.fromkeys(CELLS), "given": None, "again": False}}


def traits(piece: int) -> set[str]:
    return {trait if f"{piece:04b}"[3 - i] == "1" else f"not {trait}" for i, trait in enumerate(TRAITS)}


def outcome(position: Position) -> Outcome | None:
    at = position["state"]["at"]
    for line in LINES:
        pieces = [at[cell] for cell in line]
        if None not in pieces and set.intersection(*map(traits, pieces)):
            return won(just_moved(position))
    return None if moves(position) else won(None)


def just_moved(position: Position) -> str:
    """Who has placed a piece stays on turn: he gives the next one."""
    mover: str = position["mover"]
    return mover if position["state"]["again"] else other(PLAYERS, mover)


def moves(position: Position) -> list[Move]:
    state, mover = position["state"], position["mover"]
    if state["given"] is None:
        rest = [piece for piece in range(16) if piece not in state["at"].values()]
        return [
            ("give", {"p": piece}, changed(position, other(PLAYERS, mover), given=piece, again=False)) for piece in rest
        ]
    free = [cell for cell in CELLS if state["at"][cell] is None]
    return [("place", {"to": cell}, changed(position, mover, at={cell: state["given"]}, given=None, again=True))
            for cell in free]  # fmt: skip
