"""Reference rules of Abalone: groups of marbles are moved as sets, and the tail of a line names its push."""

from tests.oracles.boards import HEX, Move, Outcome, Place, Position, changed, name, other, won

PLAYERS = ("Black", "White")
CELLS = {name(x, y): (x, y) for y in range(9) for x in range(9) if 4 <= x + y <= 12}
NAMES = {place: cell for cell, place in CELLS.items()}
HALF = ("northeast", "east", "southeast")
Marbles = dict[Place, str]


def initial() -> Position:
    start = {
        "Black": "e1 f1 g1 h1 i1 d2 e2 f2 g2 h2 i2 e3 f3 g3",
        "White": "a9 b9 c9 d9 e9 a8 b8 c8 d8 e8 f8 c7 d7 e7",
    }
    owners = {cell: player for player, cells in start.items() for cell in cells.split()}
    return {"mover": "Black", "state": {"at": {cell: owners.get(cell) for cell in CELLS}}}


def outcome(position: Position) -> Outcome | None:
    last = other(PLAYERS, position["mover"])
    owners = list(position["state"]["at"].values())
    if owners.count(position["mover"]) <= 14 - 6 or not moves(position):
        return won(last)
    return None


def beyond(place: Place, way: str) -> Place:
    return place[0] + HEX[way][0], place[1] + HEX[way][1]


def moves(position: Position) -> list[Move]:
    marbles = {place: position["state"]["at"][cell] for cell, place in CELLS.items() if position["state"]["at"][cell]}
    return [*pushes(position, marbles), *sides(position, marbles)]


def after(position: Position, old: Marbles, new: Marbles) -> Position:
    """The position with some marbles taken up and others put down; those off the board are lost."""
    at = {NAMES[place]: None for place in old} | {NAMES[place]: one for place, one in new.items() if place in NAMES}
    return changed(position, other(PLAYERS, position["mover"]), at=at)


def pushes(position: Position, marbles: Marbles) -> list[Move]:
    mover = position["mover"]
    found: list[Move] = []
    for cell, place in CELLS.items():
        for way in HEX:
            row = {}  # all marbles from the tail on
            while place in marbles:
                row[place] = marbles[place]
                place = beyond(place, way)
            place = CELLS[cell]
            if moved := strongest(list(row), list(row.values()), mover):
                left = {spot: row[spot] for spot in row if spot in moved}
                pushed = {beyond(spot, way): one for spot, one in left.items()}
                ahead = beyond(moved[-1], way)
                if ahead in marbles or (ahead not in NAMES and left[moved[-1]] == mover):
                    continue
                found.append(("push", {"from": cell, "d": way}, after(position, left, pushed)))
    return found


def strongest(places: list[Place], owners: list[str], mover: str) -> list[Place]:
    """The marbles that a push from the tail moves: up to three of the mover's, then fewer of the opponent's."""
    for own in (1, 2, 3):
        for others in range(own):
            count = own + others
            if owners[:count] == [mover] * own + [other(PLAYERS, mover)] * others:
                if owners[own : own + 1] == [mover]:
                    continue  # the next marble of the mover goes along
                if owners[count : count + 1] == [other(PLAYERS, mover)]:
                    continue
                return places[:count]
    return []


def sides(position: Position, marbles: Marbles) -> list[Move]:
    mover = position["mover"]
    found: list[tuple[int, int, int, Move]] = []
    order = list(CELLS)
    for cell, place in CELLS.items():
        for along in HALF:
            line = [place]
            while len(line) < 3 and marbles.get(line[-1]) == mover:
                line.append(beyond(line[-1], along))
                if any(marbles.get(spot) != mover for spot in line):
                    break
                for number, way in enumerate(HEX):
                    there = {beyond(spot, way): mover for spot in line}
                    if all(spot in NAMES and spot not in marbles for spot in there):
                        end = NAMES[line[-1]]
                        move = ("side", {"from": cell, "to": end, "d": way},
                                after(position, dict.fromkeys(line, mover), there))  # fmt: skip
                        found.append((order.index(cell), order.index(end), number, move))
    return [move for *_, move in sorted(found, key=lambda entry: entry[:3])]
