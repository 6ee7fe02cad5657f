"""Reference rules of Hare and hounds, the French military game: three hounds from the west against a hare."""

from tests.oracles.boards import Move, Outcome, Position, changed, other, won

PLAYERS = ("Hounds", "Hare")
ROADS = {
    "b1": "c1 a2 b2 c2", "c1": "b1 d1 c2", "d1": "c1 c2 d2 e2",
    "a2": "b1 b2 b3", "b2": "b1 a2 c2 b3", "c2": "b1 c1 d1 b2 d2 b3 c3 d3", "d2": "d1 c2 e2 d3", "e2": "d1 d2 d3",
    "b3": "a2 b2 c2 c3", "c3": "c2 b3 d3", "d3": "c2 d2 e2 c3",
}  # fmt: skip


def initial() -> Position:
    at: dict[str, str | None] = dict.fromkeys(ROADS)
    return {"mover": "Hounds", "state": {"at": at | dict.fromkeys(["a2", "b1", "b3"], "Hounds") | {"e2": "Hare"},
                                         "aside": 0}}  # fmt: skip


def outcome(position: Position) -> Outcome | None:
    at = position["state"]["at"]
    hare = next((cell for cell in ROADS if at[cell] == "Hare"), None)
    hounds = [cell for cell in ROADS if at[cell] == "Hounds"]
    if (hare and all(hound[0] >= hare[0] for hound in hounds)) or not hounds or position["state"]["aside"] == 10:
        return won("Hare")
    return None if steps(position) else won(other(PLAYERS, position["mover"]))


def moves(position: Position) -> list[Move]:
    return [] if outcome(position) else steps(position)


def steps(position: Position) -> list[Move]:
    at, mover, aside = position["state"]["at"], position["mover"], position["state"]["aside"]
    found: list[Move] = []
    for start in ROADS:
        for goal in ROADS[start].split():
            if at[start] == mover and at[goal] is None and (mover == "Hare" or goal[0] >= start[0]):
                count = aside if mover == "Hare" else aside + 1 if goal[0] == start[0] else 0
                after = changed(position, other(PLAYERS, mover), at={start: None, goal: mover})
                after["state"]["aside"] = count
                found.append(("go", {"from": start, "to": goal}, after))
    return found
