"""Reference rules of Breakthrough (Dan Troyka, 2000); `around`: on a cylinder."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, rectangle, won

PLAYERS = ("White", "Black")


def initial(width: int = 8, height: int = 8, around: bool = False) -> Position:
    at = {
        cell: "White" if y < 2 else "Black" if y >= height - 2 else None
        for cell, (_, y) in rectangle(width, height).items()
    }
    return {"mover": "White", "state": {"at": at}}


def outcome(position: Position, width: int = 8, height: int = 8, around: bool = False) -> Outcome | None:
    at, mover = position["state"]["at"], position["mover"]
    last = other(PLAYERS, mover)
    goal = height - 1 if last == "White" else 0
    if any(at[name(x, goal)] == last for x in range(width)) or mover not in at.values():
        return won(last)
    return None if steps(position, width, height, around) else won(last)


def moves(position: Position, width: int = 8, height: int = 8, around: bool = False) -> list[Move]:
    return [] if outcome(position, width, height, around) else steps(position, width, height, around)


def steps(position: Position, width: int, height: int, around: bool) -> list[Move]:
    at, mover = position["state"]["at"], position["mover"]
    ahead = 1 if mover == "White" else -1
    found: list[Move] = []
    for cell, (x, y) in rectangle(width, height).items():
        for column in sorted(near % width if around else near for near in (x - 1, x, x + 1)):
            if at[cell] == mover and 0 <= column < width and 0 <= y + ahead < height:
                target = name(column, y + ahead)
                if at[target] is None or (at[target] != mover and column != x):
                    after = changed(position, other(PLAYERS, mover), at={cell: None, target: mover})
                    found.append(("step", {"from": cell, "to": target}, after))
    return found
