"""Reference rules of Salvage: wrecks from a deck, and two dice."""

from itertools import combinations_with_replacement

from tests.oracles.boards import Move, Outcome, Position, changed

NAMES = ("Red", "Green", "Yellow", "Blue")
DICE = list(combinations_with_replacement(range(1, 7), 2))
FACES = {"low": 0, "high": 0, "rolls": 0}


def initial(seats: int) -> Position:
    return {
        "mover": "Red",
        "state": {
            "wreck": dict.fromkeys(("a1", "b1", "c1"), 0),
            "deck": {str(worth): 2 for worth in range(2, 13)},
            "treasure": dict.fromkeys(NAMES[:seats], 0),
            **FACES,
        },
    }


def outcome(position: Position, seats: int) -> Outcome | None:
    state = position["state"]
    if all(state["wreck"].values()) or any(state["deck"].values()):
        return None
    best = max(state["treasure"].values())
    winners = [player for player in NAMES[:seats] if state["treasure"][player] == best]
    return {"winner": None} if len(winners) == seats else {"winner": winners[0], "winners": winners}  # type: ignore[dict-item]


def liftable(position: Position, dice: int) -> list[str]:
    return [cell for cell, worth in position["state"]["wreck"].items() if 0 < worth <= dice]


def following(position: Position, seats: int) -> str:
    return NAMES[(NAMES.index(position["mover"]) + 1) % seats]


def moves(position: Position, seats: int) -> list[Move]:
    mover, state = position["mover"], position["state"]
    gaps = [cell for cell, worth in state["wreck"].items() if not worth]
    found: list[Move] = []
    if gaps:
        for worth, left in state["deck"].items():
            if left:
                after = changed(position, mover, wreck={gaps[0]: int(worth)}, deck={worth: left - 1})
                found.append(("deal", {"w": int(worth)}, after))
    elif not state["low"]:
        for low, high in DICE:
            if state["rolls"] == 1 and not liftable(position, low + high):
                after = changed(position, following(position, seats), **FACES)
            else:
                after = changed(position, mover, low=low, high=high, rolls=state["rolls"] + 1)
            found.append(("roll", {"a": low, "b": high}, after))
    else:
        for cell in liftable(position, state["low"] + state["high"]):
            after = mover if state["low"] == state["high"] else following(position, seats)
            treasure = {mover: state["treasure"][mover] + state["wreck"][cell]}
            found.append(
                ("lift", {"from": cell}, changed(position, after, wreck={cell: 0}, treasure=treasure, **FACES))
            )
        if state["rolls"] == 1:
            found.append(("roll_again", {}, changed(position, mover, low=0, high=0)))
    return found


def weights(position: Position, seats: int) -> list[int] | None:
    """How likely each move is, where chance moves."""
    state = position["state"]
    if not all(state["wreck"].values()):
        return [left for left in state["deck"].values() if left]
    return None if state["low"] else [1 if low == high else 2 for low, high in DICE]
