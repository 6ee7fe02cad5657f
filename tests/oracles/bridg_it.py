"""Reference rules of Bridg-It: two grids of points, each a quarter turn of the other; a place joins two of either."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("White", "Black")
Spot = tuple[int, int]


def all_edges(size: int) -> list[str]:
    """Every edge after the first cell that has it, as rows are read from below."""
    found: list[str] = []
    for y in range(size):
        for x in range(size + 1):
            found += [name(x, y) + side for side in "nesw" if side in "ne" or (side == "s" and not y)
                      or (side == "w" and not x)]  # fmt: skip
    return found


def places(size: int) -> dict[str, tuple[tuple[Spot, Spot], tuple[Spot, Spot]]]:
    """The points that White, and those that Black, joins at each place; White's lie half a step below and left."""
    found = {}
    for y in range(size):
        for x in range(size + 1):
            if x < size:
                found[name(x, y) + "e"] = ((x + 1, y), (x + 1, y + 1)), ((x, y), (x + 1, y))
            if y < size - 1 and 0 < x < size:
                found[name(x, y) + "n"] = ((x, y + 1), (x + 1, y + 1)), ((x, y), (x, y + 1))
    return found


def initial(size: int = 5) -> Position:
    return {"mover": "White", "state": {"link": dict.fromkeys(all_edges(size))}}


def joined(position: Position, player: str, size: int) -> bool:
    """Has a player joined his two sides?"""
    who = PLAYERS.index(player)
    beside: dict[Spot, list[Spot]] = {}
    for place, points in places(size).items():
        if position["state"]["link"][place] == player:
            one, two = points[who]
            beside.setdefault(one, []).append(two)
            beside.setdefault(two, []).append(one)
    along = 1 - who  # White goes up, Black to the right
    rest = [point for point in beside if point[along] == 0]
    met = {*rest}
    while rest:
        for there in beside[rest.pop()]:
            if there not in met:
                met.add(there)
                rest.append(there)
    return any(point[along] == size for point in met)


def outcome(position: Position, size: int = 5) -> Outcome | None:
    winner = next((player for player in PLAYERS if joined(position, player, size)), None)
    return won(winner) if winner or not moves(position, size) else None


def moves(position: Position, size: int = 5) -> list[Move]:
    mover, link = position["mover"], position["state"]["link"]
    free = [edge for edge in all_edges(size) if edge in places(size) and link[edge] is None]
    return [("draw", {"e": edge}, changed(position, other(PLAYERS, mover), link={edge: mover})) for edge in free]
