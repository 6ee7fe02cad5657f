"""Reference rules of Yoxii (Jeremy Partinico, 2022).

In: a position, `{"mover": "White", "state": {"token": "d4", "owner": {"c1": None, ...}, "value": {"c1": 0, ...},
"stock": {"White": {"1": 5, ...}, ...}, "step": "shifting"}}`.  Out: its outcome, and its moves with the positions
after them.

A turn is two moves of one player: the token's ("shifting"), then a piece's ("placing").

Canonical order: token moves by `to`, cells row by row from the lower left; placements by `v`, then by `to`.
"""

import random
from typing import Any

Position = dict[str, Any]
Outcome = dict[str, str | None]
Move = tuple[str, dict[str, Any], Position]

PLAYERS = ("White", "Red")
ENEMY = {"White": "Red", "Red": "White"}
STOCK = {"1": 5, "2": 5, "3": 5, "4": 3}
ROWS = ("cde", "bcdef", "abcdefg", "abcdefg", "abcdefg", "bcdef", "cde")  # from the bottom
CELLS = [f"{column}{row}" for row, columns in enumerate(ROWS, 1) for column in columns]
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def initial() -> Position:
    """The token in the middle, all pieces in hand."""
    return {
        "mover": "White",
        "state": {
            "token": "d4",
            "owner": dict.fromkeys(CELLS),
            "value": dict.fromkeys(CELLS, 0),
            "stock": {player: dict(STOCK) for player in PLAYERS},
            "step": "shifting",
        },
    }


def anything(rng: random.Random, pieces: int = 0, step: str = "") -> Position:
    """A position as after so many placements, the pieces as close around the token as chance has it."""
    pieces, step = pieces or rng.randrange(8, 36), step or rng.choice(("shifting", "placing"))
    position = initial()
    state = position["state"]
    state["token"], state["step"] = rng.choice(CELLS), step
    column, row = map(ord, state["token"])
    spread = rng.choice((0.5, 2, 9))
    cells = sorted(
        (cell for cell in CELLS if cell != state["token"]),
        key=lambda cell: (max(abs(ord(cell[0]) - column), abs(ord(cell[1]) - row)) + spread * rng.random(), cell),
    )
    for number, cell in enumerate(rng.sample(cells[:pieces], pieces)):
        player = PLAYERS[number % 2]
        hand = state["stock"][player]
        value = rng.choice([value for value in hand if hand[value]])
        hand[value] -= 1
        state["owner"][cell], state["value"][cell] = player, int(value)
    position["mover"] = PLAYERS[pieces % 2]
    return position


def outcome(position: Position) -> Outcome | None:
    """None while the player to move can; then more points win, else more pieces, else nobody."""
    if moves(position):
        return None
    white, red = (score(position, player) for player in PLAYERS)
    return {"winner": None if white == red else "White" if white > red else "Red"}


def moves(position: Position) -> list[Move]:
    """The legal moves in canonical order; none when the game is over."""
    if position["state"]["step"] == "shifting":
        targets = token_targets(position)
        return [("shift", {"to": cell}, shifted(position, cell)) for cell in CELLS if cell in targets]
    hand = position["state"]["stock"][position["mover"]]
    values = [value for value in (1, 2, 3, 4) if hand[str(value)] > 0]
    return [
        ("place", {"v": value, "to": cell}, placed(position, value, cell))
        for value in values
        for cell in open_cells(position)
    ]


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of length `depth`."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1) for _, _, child in moves(position))


def score(position: Position, player: str) -> tuple[int, int]:
    """Points and number of a player's pieces around the token."""
    state = position["state"]
    own = [cell for cell in around(state["token"]) if state["owner"][cell] == player]
    return sum(state["value"][cell] for cell in own), len(own)


def token_targets(position: Position) -> set[str]:
    """In each direction the first cell behind the mover's own pieces, of which there may be none, if it is free."""
    state, found = position["state"], set()
    for way in WAYS:
        cell = beyond(state["token"], way)
        while cell is not None and state["owner"][cell] == position["mover"]:
            cell = beyond(cell, way)
        if cell is not None and is_free(position, cell):
            found.add(cell)
    return found


def open_cells(position: Position) -> list[str]:
    """Where a piece can be placed: beside the token, or anywhere if nothing is free there."""
    free = [cell for cell in CELLS if is_free(position, cell)]
    near = around(position["state"]["token"])
    return [cell for cell in free if cell in near] or free


def is_free(position: Position, cell: str) -> bool:
    """Neither a piece nor the token is there."""
    return position["state"]["owner"][cell] is None and cell != position["state"]["token"]


def around(cell: str) -> set[str]:
    """The cells that touch `cell`."""
    return {there for way in WAYS if (there := beyond(cell, way)) is not None}


def beyond(cell: str, way: tuple[int, int]) -> str | None:
    """The next cell in a direction, or None off the board."""
    there = f"{chr(ord(cell[0]) + way[0])}{int(cell[1]) + way[1]}"
    return there if there in CELLS else None


def shifted(position: Position, cell: str) -> Position:
    """The position after the token's move; the same player goes on."""
    state = {**position["state"], "token": cell, "step": "placing"}
    return {"mover": position["mover"], "state": state}


def placed(position: Position, value: int, cell: str) -> Position:
    """The position after a piece is placed."""
    state, mover = position["state"], position["mover"]
    hand = state["stock"][mover]
    after = {
        "token": state["token"],
        "owner": {**state["owner"], cell: mover},
        "value": {**state["value"], cell: value},
        "stock": {**state["stock"], mover: {**hand, str(value): hand[str(value)] - 1}},
        "step": "shifting",
    }
    return {"mover": ENEMY[mover], "state": after}
