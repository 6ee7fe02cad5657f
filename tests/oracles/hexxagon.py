"""Reference rules of Hexxagon on a hexagon of side 3."""

from tests.oracles.boards import HEX, Move, Outcome, Position, around, changed, name, other, won

PLAYERS = ("Ruby", "Pearl")
BOARD = {name(x, y): (x, y) for y in range(5) for x in range(5) if 2 <= x + y <= 6}


def initial(moving: str = "both") -> Position:
    at: dict[str, str | None] = dict.fromkeys(BOARD)
    at |= {"c1": "Ruby", "e1": "Pearl", "a3": "Pearl", "e3": "Ruby", "a5": "Ruby", "c5": "Pearl"}
    return {"mover": "Ruby", "state": {"at": at}}


def outcome(position: Position, moving: str = "both") -> Outcome | None:
    count = {player: list(position["state"]["at"].values()).count(player) for player in PLAYERS}
    last = other(PLAYERS, position["mover"])
    if not count[position["mover"]]:
        return won(last)
    if any(choices(position, player, moving) for player in PLAYERS):
        return None
    best = [player for player in PLAYERS if count[player] == max(count.values())]
    return won(best[0] if len(best) == 1 else None)


def moves(position: Position, moving: str = "both") -> list[Move]:
    if outcome(position, moving):
        return []
    mover = position["mover"]
    return choices(position, mover, moving) or [("pass", {}, changed(position, other(PLAYERS, mover)))]


def choices(position: Position, player: str, moving: str) -> list[Move]:
    at = position["state"]["at"]
    empty = [cell for cell in BOARD if at[cell] is None]
    grown: list[Move] = [
        ("grow", {"to": cell}, settled(position, player, cell, {}))
        for cell in empty
        if player in [at[n] for n in around(BOARD, cell, HEX)]
    ]
    if moving == "growing":
        return grown
    return grown + [
        ("jump", {"from": start, "to": cell}, settled(position, player, cell, {start: None}))
        for start in BOARD
        if at[start] == player
        for cell in empty
        if distance(start, cell) == 2
    ]


def settled(position: Position, player: str, cell: str, left: dict[str, None]) -> Position:
    at = position["state"]["at"]
    turned = [n for n in around(BOARD, cell, HEX) if at[n] == other(PLAYERS, player)]
    return changed(position, other(PLAYERS, player), at={**left, **dict.fromkeys([cell, *turned], player)})


def distance(a: str, b: str) -> int:
    dx, dy = BOARD[a][0] - BOARD[b][0], BOARD[a][1] - BOARD[b][1]
    return max(abs(dx), abs(dy), abs(dx + dy))
