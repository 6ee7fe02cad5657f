"""Reference rules of games that place stones until some stand in a line: tic-tac-toe, connect four, gomoku."""

from typing import Any

from tests.oracles.boards import (
    SQUARE,
    Board,
    Move,
    Outcome,
    Place,
    Position,
    changed,
    name,
    rectangle,
    step,
    won,
)


class InLine:
    """`length` stones in a line win; with `falling` a stone needs something below it, or the floor.

    `rings` says whether rows, and columns, come back to where they began.
    """

    def __init__(
        self, players: tuple[str, ...], length: int, falling: bool = False, rings: tuple[bool, bool] = (False, False)
    ):
        self.players, self.length, self.falling, self.rings = players, length, falling, rings

    def initial(self, width: int, height: int, **_options: Any) -> Position:
        return {"mover": self.players[0], "state": {"at": dict.fromkeys(rectangle(width, height))}}

    def outcome(
        self, position: Position, width: int, height: int, exact: bool = False, **_options: Any
    ) -> Outcome | None:
        last = self.players[self.players.index(position["mover"]) - 1]
        if self.has_line(position, last, width, height, exact):
            return won(last)
        return None if None in position["state"]["at"].values() else won(None)

    def has_line(self, position: Position, player: str, width: int, height: int, exact: bool) -> bool:
        board, at = rectangle(width, height), position["state"]["at"]
        for cell in board:
            for way in SQUARE.values():
                *line, end, start = (self.on(board, cell, way, k) for k in (*range(self.length + 1), -1))
                if all(one is not None and at[one] == player for one in line):
                    ends = [start, end]
                    if not (exact and any(end is not None and at[end] == player for end in ends)):
                        return True
        return False

    def on(self, board: Board, cell: str, way: Place, count: int) -> str | None:
        """The cell so many steps on, perhaps round the board."""
        width, height = (1 + max(place[i] for place in board.values()) for i in (0, 1))
        x, y = board[cell][0] + count * way[0], board[cell][1] + count * way[1]
        x, y = x % width if self.rings[0] else x, y % height if self.rings[1] else y
        return name(x, y) if x in range(width) and y in range(height) else None

    def moves(self, position: Position, width: int, height: int, **options: Any) -> list[Move]:
        if self.outcome(position, width, height, **options):
            return []
        board, at, mover = rectangle(width, height), position["state"]["at"], position["mover"]
        found = []
        for cell in board:
            below = step(board, cell, SQUARE["south"])
            if at[cell] is None and not (self.falling and below is not None and at[below] is None):
                kind = "drop" if self.falling else "place"
                following = self.players[(self.players.index(mover) + 1) % len(self.players)]
                after = changed(position, following, at={cell: mover})
                found.append((kind, {"to": cell}, after))
        return found


TIC_TAC_TOE = InLine(("X", "O"), 3)
CONNECT_FOUR = InLine(("Yellow", "Red"), 4, falling=True)
CONNECT_FOUR_OF_THREE = InLine(("Yellow", "Red", "Blue"), 4, falling=True)
GOMOKU = InLine(("Black", "White"), 5)
CONNECT_FOUR_ROUND = InLine(("Yellow", "Red"), 4, falling=True, rings=(True, False))
GOMOKU_ROUND = InLine(("Black", "White"), 5, rings=(True, True))
