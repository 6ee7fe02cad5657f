"""Reference rules of Dots and Boxes: each box is listed with its four lines, which other boxes may call otherwise."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, rectangle, won

PLAYERS = ("White", "Black")


def sides(width: int, height: int) -> dict[str, list[str]]:
    """The lines round each box clockwise from above, by the name of the box."""
    found: dict[str, list[str]] = {}
    for y in range(height):
        for x in range(width):
            box, left, below = name(x, y), name(x - 1, y) if x else "", name(x, y - 1) if y else ""
            found[box] = [f"{box}n", f"{box}e", f"{below}n" if below else f"{box}s", f"{left}e" if left else f"{box}w"]
    return found


def lines(width: int, height: int) -> list[str]:
    return list(dict.fromkeys(line for around in sides(width, height).values() for line in around))


def initial(width: int = 4, height: int = 4) -> Position:
    return {"mover": "White", "state": {"line": dict.fromkeys(lines(width, height), False),
                                        "owner": dict.fromkeys(rectangle(width, height))}}  # fmt: skip


def outcome(position: Position, width: int = 4, height: int = 4) -> Outcome | None:
    if not all(position["state"]["line"].values()):
        return None
    found = [*position["state"]["owner"].values()]
    lead = found.count("White") - found.count("Black")
    return won("White" if lead > 0 else "Black" if lead < 0 else None)


def moves(position: Position, width: int = 4, height: int = 4) -> list[Move]:
    drawn, mover = position["state"]["line"], position["mover"]
    found: list[Move] = []
    for line in lines(width, height):
        if not drawn[line]:
            boxes = sides(width, height).items()
            closed = [box for box, around in boxes if [one for one in around if not drawn[one]] == [line]]
            after = changed(position, mover if closed else other(PLAYERS, mover),
                            line={line: True}, owner=dict.fromkeys(closed, mover))  # fmt: skip
            found.append(("draw", {"side": line}, after))
    return found
