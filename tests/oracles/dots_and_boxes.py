"""Reference rules of Dots and Boxes: each box is listed with its four lines."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, rectangle, won

PLAYERS = ("White", "Black")


def cells(width: int, height: int) -> list[str]:
    return list(rectangle(2 * width + 1, 2 * height + 1))


def sides(width: int, height: int) -> dict[str, set[str]]:
    """The lines round each box, by the name of the box."""
    return {
        name(2 * x + 1, 2 * y + 1): {
            name(2 * x + 1, 2 * y), name(2 * x + 1, 2 * y + 2), name(2 * x, 2 * y + 1), name(2 * x + 2, 2 * y + 1)
        }
        for x in range(width) for y in range(height)
    }  # fmt: skip


def initial(width: int = 4, height: int = 4) -> Position:
    dots = {name(2 * x, 2 * y): "dot" for x in range(width + 1) for y in range(height + 1)}
    nothing = dict.fromkeys(cells(width, height))
    return {"mover": "White", "state": {"at": {**nothing, **dots}}}


def outcome(position: Position, width: int = 4, height: int = 4) -> Outcome | None:
    found = [position["state"]["at"][box] for box in sides(width, height)]
    if None in found:
        return None if moves(position, width, height) else won(None)
    lead = found.count("light") - found.count("dark")
    return won("White" if lead > 0 else "Black" if lead < 0 else None)


def moves(position: Position, width: int = 4, height: int = 4) -> list[Move]:
    at, mover = position["state"]["at"], position["mover"]
    boxes = sides(width, height)
    lines = set.union(*boxes.values())
    found: list[Move] = []
    for cell in cells(width, height):
        if cell in lines and at[cell] is None:
            drawn = "h" if int(cell[1:]) % 2 else "v"
            closed = [box for box, around in boxes.items() if [one for one in around if at[one] is None] == [cell]]
            colour = "light" if mover == "White" else "dark"
            new = {cell: drawn, **dict.fromkeys(closed, colour)}
            after = changed(position, mover if closed else other(PLAYERS, mover), at=new)
            found.append(("draw", {"line": cell}, after))
    return found
