"""Reference rules of Hex and of Y: place stones until the sides are linked."""

from functools import cache

from tests.oracles.boards import (
    HEX,
    Board,
    Move,
    Outcome,
    Position,
    around,
    changed,
    flood,
    name,
    other,
    rectangle,
    won,
)


@cache
def triangle(side: int) -> Board:
    return {name(x, y): (x, y) for y in range(side) for x in range(side - y)}


class Connection:
    """Hex on a rhombus, or Y on a triangle."""

    def __init__(self, players: tuple[str, str], is_hex: bool):
        self.players, self.is_hex = players, is_hex

    def board(self, size: int) -> Board:
        return rectangle(size, size) if self.is_hex else triangle(size)

    def initial(self, size: int) -> Position:
        return {"mover": self.players[0], "state": {"at": dict.fromkeys(self.board(size))}}

    def outcome(self, position: Position, size: int) -> Outcome | None:
        last = other(self.players, position["mover"])
        for player in self.players if self.is_hex else (last,):
            if self.linked(position, player, size):
                return won(player)
        return None if None in position["state"]["at"].values() else won(None)

    def linked(self, position: Position, player: str, size: int) -> bool:
        at, board = position["state"]["at"], self.board(size)
        own = {cell: place for cell, place in board.items() if at[cell] == player}
        for cell in own:
            chain = [board[one] for one in flood(cell, lambda c: around(own, c, HEX))]
            xs, ys = {x for x, _ in chain}, {y for _, y in chain}
            if self.is_hex:
                touched = ys if player == self.players[0] else xs
                if {0, size - 1} <= touched:
                    return True
            elif 0 in xs and 0 in ys and any(x + y == size - 1 for x, y in chain):
                return True
        return False

    def moves(self, position: Position, size: int) -> list[Move]:
        if self.outcome(position, size):
            return []
        mover, at = position["mover"], position["state"]["at"]
        return [
            ("place", {"to": cell}, changed(position, other(self.players, mover), at={cell: mover}))
            for cell in self.board(size)
            if at[cell] is None
        ]


HEX_GAME = Connection(("Red", "Blue"), True)
Y_GAME = Connection(("Black", "White"), False)
