"""Reference rules of Ludo: a walk around the board, of which each player has his own part and his own way home."""

from functools import cache

from tests.oracles.boards import SQUARE, Move, Outcome, Position, changed, name, won

NAMES = ("Red", "Green", "Yellow", "Blue")
WALK = [
    ("east", 4), ("northeast", 1), ("north", 5), ("east", 2), ("south", 5), ("southeast", 1), ("east", 5), ("south", 2),
    ("west", 5), ("southwest", 1), ("south", 5), ("west", 2), ("north", 5), ("northwest", 1), ("west", 5), ("north", 2),
    ("east", 1),
]  # fmt: skip
INWARDS = ("east", "south", "west", "north")  # the way home of each quarter
CORNERS = ((2, 11), (11, 11), (11, 2), (2, 2))  # where men wait: the lower left of four cells


@cache
def ring() -> list[tuple[int, int]]:
    """The squares that all players share, from where Red begins."""
    at, found = (1, 8), []
    for way, count in WALK:
        for _ in range(count):
            found.append(at)
            at = (at[0] + SQUARE[way][0], at[1] + SQUARE[way][1])
    return found


@cache
def route(player: str, seats: int) -> list[str]:
    """All squares of a player, the last one at home."""
    quarter = NAMES.index(player) * (2 if seats == 2 else 1)
    squares = [ring()[(13 * quarter + k) % 52] for k in range(51)]
    way = SQUARE[INWARDS[quarter]]
    for _ in range(6):
        squares.append((squares[-1][0] + way[0], squares[-1][1] + way[1]))
    return [name(*at) for at in squares]


@cache
def yard(player: str, seats: int) -> list[str]:
    x, y = CORNERS[NAMES.index(player) * (2 if seats == 2 else 1)]
    return [name(x, y), name(x + 1, y), name(x, y + 1), name(x + 1, y + 1)]


@cache
def cells() -> list[str]:
    squares = [one for q in range(4) for one in route(NAMES[q], 4) + yard(NAMES[q], 4)]
    return [name(x, y) for y in range(15) for x in range(15) if name(x, y) in squares]


def initial(seats: int) -> Position:
    waiting = {cell: player for player in NAMES[:seats] for cell in yard(player, seats)}
    return {
        "mover": "Red",
        "state": {
            "side": {cell: waiting.get(cell) for cell in cells()},
            "men": {cell: int(cell in waiting) for cell in cells()},
            "die": 0, "sixes": 0, "again": None,
        },
    }  # fmt: skip


def outcome(position: Position, seats: int) -> Outcome | None:
    for player in NAMES[:seats]:
        if position["state"]["men"][route(player, seats)[-1]] == 4:
            return won(player)
    return None


def turn(position: Position, seats: int, after: str, **slots: object) -> Position:
    """The position in which another player is to move, and what it remembers of who has moved."""
    mover = position["mover"]
    before = NAMES[(NAMES.index(after) - 1) % seats]
    return changed(position, after, again=None if before == mover else mover, **slots)


def following(position: Position, seats: int, die: int, sixes: int) -> tuple[str, int]:
    """Who rolls after this die, and how many sixes he has rolled."""
    mover = position["mover"]
    return (mover, sixes + 1) if die == 6 else (NAMES[(NAMES.index(mover) + 1) % seats], 0)


def played(position: Position, seats: int, die: int) -> list[Move]:
    """The moves with a die."""
    mover, state = position["mover"], position["state"]
    side, men, way = state["side"], state["men"], route(mover, seats)

    def free(cell: str) -> bool:
        return side[cell] in (None, mover) or men[cell] == 1

    def landed(start: str, to: str) -> Position:
        new_side, new_men = dict(side), dict(men)
        new_men[start] -= 1
        if not new_men[start]:
            new_side[start] = None
        if side[to] in (None, mover):
            new_men[to] += 1
        else:
            back = next(cell for cell in yard(side[to], seats) if not men[cell])
            new_side[back], new_men[back] = side[to], 1
        new_side[to] = mover
        after, sixes = following(position, seats, die, state["sixes"])
        return turn(position, seats, after, side=new_side, men=new_men, die=0, sixes=sixes)

    found: list[Move] = []
    waiting = [cell for cell in yard(mover, seats) if men[cell]]
    if die == 6 and waiting and free(way[0]):
        found.append(("enter", {}, landed(waiting[0], way[0])))
    for cell in cells():
        if side[cell] == mover and cell in way:
            ahead = way[way.index(cell) + 1 :][:die]
            if len(ahead) == die and all(map(free, ahead)):
                found.append(("go", {"from": cell}, landed(cell, ahead[-1])))
    return found


def moves(position: Position, seats: int) -> list[Move]:
    state, mover = position["state"], position["mover"]
    if state["die"]:
        return played(position, seats, state["die"])
    found: list[Move] = []
    for die in range(1, 7):
        if die == 6 and state["sixes"] == 2:
            after = turn(position, seats, NAMES[(NAMES.index(mover) + 1) % seats], sixes=0)
        elif played(position, seats, die):
            after = turn(position, seats, mover, die=die)
        else:
            who, sixes = following(position, seats, die, state["sixes"])
            after = turn(position, seats, who, sixes=sixes)
        found.append(("roll", {"n": die}, after))
    return found


def weights(position: Position, seats: int) -> list[int] | None:
    """How likely each move is, where chance moves."""
    return None if position["state"]["die"] else [1] * 6
