"""Reference rules of Santorini without gods: workers as a list of cells for each player, towers as numbers."""

from tests.oracles.boards import SQUARE, Move, Outcome, Position, around, changed, other, rectangle, won

PLAYERS = ("White", "Black")
BOARD = rectangle(5, 5)
TOP, DOME = 3, 4


def initial() -> Position:
    return {"mover": "White", "state": {"at": dict.fromkeys(BOARD), "height": dict.fromkeys(BOARD, 0),
                                        "builder": None, "again": False}}  # fmt: skip


def of(position: Position, player: str) -> list[str]:
    """Where the workers of a player stand."""
    return [cell for cell, worker in position["state"]["at"].items() if worker == player]


def outcome(position: Position) -> Outcome | None:
    last = position["mover"] if position["state"]["again"] else other(PLAYERS, position["mover"])
    if any(position["state"]["height"][cell] == TOP for cell in of(position, last)):
        return won(last)
    return None if moves(position) else won(other(PLAYERS, position["mover"]))


def moves(position: Position) -> list[Move]:
    all_placed = len(of(position, "White")) + len(of(position, "Black")) == 4
    return [*([] if all_placed else placings(position)), *(walks(position) if all_placed else []), *builds(position)]


def placings(position: Position) -> list[Move]:
    """The first and the third worker have a second one placed after them by the same player."""
    state, mover = position["state"], position["mover"]
    placed = len(of(position, "White") + of(position, "Black"))
    if placed > 4:
        return []
    after = mover if placed in (0, 2) else other(PLAYERS, mover)
    return [("place", {"to": cell}, changed(position, after, at={cell: mover}, again=after == mover))
            for cell in BOARD if state["at"][cell] is None]  # fmt: skip


def walks(position: Position) -> list[Move]:
    state, mover = position["state"], position["mover"]
    if state["builder"] is not None:
        return []
    return [
        ("walk", {"from": start, "to": end},
         changed(position, mover, at={start: None, end: mover}, builder=end, again=True))
        for start in of(position, mover) for end in around(BOARD, start, SQUARE)
        if state["at"][end] is None and state["height"][end] != DOME
        and state["height"][end] - state["height"][start] < 2
    ]  # fmt: skip


def builds(position: Position) -> list[Move]:
    state = position["state"]
    if state["builder"] is None:
        return []
    return [
        ("build", {"spot": cell},
         changed(position, other(PLAYERS, position["mover"]), height={cell: state["height"][cell] + 1},
                 builder=None, again=False))
        for cell in around(BOARD, state["builder"], SQUARE)
        if state["at"][cell] is None and state["height"][cell] != DOME
    ]  # fmt: skip
