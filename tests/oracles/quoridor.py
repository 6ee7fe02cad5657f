"""Reference rules of Quoridor: edges of a grid that walls cut, and a walk for each pawn."""

from collections.abc import Iterator

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("White", "Black")
Spot = tuple[int, int]


def initial(size: int = 9, walls: int = 10) -> Position:
    middle = size // 2
    cells = [name(x, y) for y in range(size) for x in range(size)]
    pawn = {"White": name(middle, 0), "Black": name(middle, size - 1)}
    return {"mover": "White", "state": {"pawn": pawn, "wall": dict.fromkeys(cells),
                                        "stock": dict.fromkeys(PLAYERS, walls)}}  # fmt: skip


def spots(size: int) -> dict[str, Spot]:
    return {name(x, y): (x, y) for y in range(size) for x in range(size)}


def cuts(walls: dict[str, str | None], size: int) -> set[frozenset[Spot]]:
    """The pairs of neighbours that walls separate."""
    found = set()
    for cell, (x, y) in spots(size).items():
        if walls[cell] == "h":
            found |= {frozenset({(x, y), (x, y + 1)}), frozenset({(x + 1, y), (x + 1, y + 1)})}
        if walls[cell] == "v":
            found |= {frozenset({(x, y), (x + 1, y)}), frozenset({(x, y + 1), (x + 1, y + 1)})}
    return found


def beside(spot: Spot, cut: set[frozenset[Spot]], size: int) -> Iterator[Spot]:
    x, y = spot
    for there in ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)):
        if 0 <= there[0] < size and 0 <= there[1] < size and frozenset({spot, there}) not in cut:
            yield there


def arrives(spot: Spot, goal: int, cut: set[frozenset[Spot]], size: int) -> bool:
    """Is there a way to the row, whoever stands on it?"""
    met, rest = {spot}, [spot]
    while rest:
        for there in beside(rest.pop(), cut, size):
            if there not in met:
                met.add(there)
                rest.append(there)
    return any(y == goal for _, y in met)


def pawns(position: Position, size: int) -> dict[str, Spot]:
    return {player: spots(size)[cell] for player, cell in position["state"]["pawn"].items()}


def outcome(position: Position, size: int = 9, walls: int = 10) -> Outcome | None:
    just_moved = other(PLAYERS, position["mover"])
    goal = size - 1 if just_moved == "White" else 0
    return won(just_moved) if pawns(position, size)[just_moved][1] == goal else None


def steps(position: Position, size: int) -> set[Spot]:
    """Where the pawn of the mover may go."""
    mover, cut, stand = position["mover"], cuts(position["state"]["wall"], size), pawns(position, size)
    here, enemy = stand[mover], stand[other(PLAYERS, mover)]
    found = set(beside(here, cut, size))
    if enemy in found:
        found.remove(enemy)
        beyond = 2 * enemy[0] - here[0], 2 * enemy[1] - here[1]
        around = set(beside(enemy, cut, size)) - {here}
        found |= {beyond} if beyond in around else around
    return found


def fits(walls: dict[str, str | None], x: int, y: int, way: str) -> bool:
    if walls[name(x, y)]:
        return False
    ends = [(x - 1, y), (x + 1, y)] if way == "h" else [(x, y - 1), (x, y + 1)]
    return all(walls.get(name(*end)) != way for end in ends if min(end) >= 0)


def moves(position: Position, size: int = 9, walls: int = 10) -> list[Move]:
    if outcome(position, size, walls):
        return []
    mover, state, places = position["mover"], position["state"], spots(size)
    stand = pawns(position, size)
    found: list[Move] = []
    for cell, spot in places.items():
        if spot in steps(position, size):
            after = changed(position, other(PLAYERS, mover), pawn={mover: cell})
            found.append(("step", {"to": cell}, after))
    for cell, (x, y) in places.items():
        for way in ("h", "v"):
            if not state["stock"][mover] or size - 1 in (x, y) or not fits(state["wall"], x, y, way):
                continue
            cut = cuts(state["wall"] | {cell: way}, size)
            if arrives(stand["White"], size - 1, cut, size) and arrives(stand["Black"], 0, cut, size):
                stock = {mover: state["stock"][mover] - 1}
                after = changed(position, other(PLAYERS, mover), wall={cell: way}, stock=stock)
                found.append(("build", {"c": cell, "way": way}, after))
    return found or [("pass", {}, changed(position, other(PLAYERS, mover)))]
