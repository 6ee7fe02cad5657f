"""Reference rules of Amazons (Walter Zamkauskas, 1988), a turn being two moves: walk, then shoot."""

from tests.oracles.boards import SQUARE, Move, Outcome, Position, changed, name, other, ray, rectangle, won

PLAYERS = ("White", "Black")


def initial(size: int = 10) -> Position:
    owner: dict[str, str | None] = dict.fromkeys(rectangle(size, size))
    near, far = (size + 2) // 3 - 1, size - (size + 2) // 3
    for x, y in ((near, 0), (far, 0), (0, near), (size - 1, near)):
        owner[name(x, y)], owner[name(x, size - 1 - y)] = "White", "Black"
    return {"mover": "White", "state": {"owner": owner, "arrow": dict.fromkeys(owner, False), "shooter": None}}


def outcome(position: Position, size: int = 10) -> Outcome | None:
    return None if moves(position, size) else won(other(PLAYERS, position["mover"]))


def moves(position: Position, size: int = 10) -> list[Move]:
    state, mover = position["state"], position["mover"]
    if state["shooter"] is not None:
        return [
            ("shoot", {"to": to}, changed(position, other(PLAYERS, mover), arrow={to: True}, shooter=None))
            for to in reached(position, state["shooter"], size)
        ]
    return [
        ("walk", {"from": cell, "to": to}, changed(position, mover, owner={cell: None, to: mover}, shooter=to))
        for cell in rectangle(size, size)
        if state["owner"][cell] == mover
        for to in reached(position, cell, size)
    ]


def reached(position: Position, cell: str, size: int) -> list[str]:
    """The cells a queen reaches from `cell` over free ones, in canonical order."""
    state, board = position["state"], rectangle(size, size)
    found = set()
    for way in SQUARE.values():
        for one in ray(board, cell, way):
            if state["owner"][one] is not None or state["arrow"][one]:
                break
            found.add(one)
    return [one for one in board if one in found]
