"""Reference rules of Shift and place: a turn is two moves, the token's and a stone's."""

from tests.oracles.boards import SQUARE, Move, Outcome, Position, around, changed, other, rectangle, step, won

PLAYERS = ("Red", "Blue")
BOARD = {c: p for c, p in rectangle(5, 5).items() if c not in ("a1", "e1", "a5", "e5")}


def initial(stones: int = 2) -> Position:
    stock = {player: {str(v): stones for v in range(1, 5)} for player in PLAYERS}
    return {"mover": "Red", "state": {
        "token": "c3", "owner": dict.fromkeys(BOARD), "weight": dict.fromkeys(BOARD, 0), "stock": stock,
        "step": "shifting",
    }}  # fmt: skip


def outcome(position: Position, stones: int = 2) -> Outcome | None:
    if moves(position, stones):
        return None
    state = position["state"]
    near = around(BOARD, state["token"], SQUARE)
    red, blue = (
        (
            sum(state["weight"][c] for c in BOARD if state["owner"][c] == player),
            sum(state["owner"][c] == player for c in near),
        )
        for player in PLAYERS
    )
    return won(None if red == blue else "Red" if red > blue else "Blue")


def moves(position: Position, stones: int = 2) -> list[Move]:
    state, mover = position["state"], position["mover"]
    near = around(BOARD, state["token"], SQUARE)
    if state["step"] == "shifting":
        targets = {c for c in near if free(position, c)} | leaps(position)
        return [("shift", {"to": c}, changed(position, mover, token=c, step="placing")) for c in BOARD if c in targets]
    cells = [c for c in near if free(position, c)] or [c for c in BOARD if free(position, c)]
    found: list[Move] = []
    for v in range(1, 5):
        stock = dict(state["stock"][mover])
        if stock[str(v)]:
            stock[str(v)] -= 1
            for c in cells:
                after = changed(
                    position, other(PLAYERS, mover), owner={c: mover}, weight={c: v}, stock={mover: stock},
                    step="shifting",
                )  # fmt: skip
                found.append(("place", {"v": v, "to": c}, after))
    return found


def free(position: Position, cell: str) -> bool:
    return position["state"]["owner"][cell] is None and cell != position["state"]["token"]


def leaps(position: Position) -> set[str]:
    """Where the token comes by jumping over one to three stones of the mover in a row."""
    state, found = position["state"], set()
    for way in SQUARE.values():
        count = 1
        over = step(BOARD, state["token"], way)
        while over is not None and state["owner"][over] == position["mover"]:
            count += 1
            over = step(BOARD, state["token"], way, count)
        found |= {over} if over is not None and 2 <= count <= 4 and free(position, over) else set()
    return found
