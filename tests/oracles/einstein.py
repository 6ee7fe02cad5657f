"""Reference rules of EinStein würfelt nicht!, for positions in which no cube stands twice."""

import random

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, rectangle, won

PLAYERS = ("White", "Black")
CELLS = rectangle(5, 5)
GOAL = {"White": "a5", "Black": "e1"}
FORWARD = {"White": (-1, 1), "Black": (1, -1)}  # a step along the columns, and one along the rows
CORNER = {"White": {"c1", "d1", "e1", "d2", "e2", "e3"}, "Black": {"c5", "b5", "a5", "b4", "a4", "a3"}}


def is_initial(position: Position) -> bool:
    """The six cubes of each side fill its corner, and the die is to be rolled."""
    for player, corner in CORNER.items():
        standing = {number: place for number, place in cubes(position, player)}
        if standing.keys() != set(range(1, 7)) or set(standing.values()) != corner:
            return False
    return position["mover"] == "White" and position["state"]["die"] == 0


def anything(rng: random.Random) -> Position:
    """Some cubes anywhere; in the far corner only one of who has just moved."""
    rolled = rng.random() < 0.5
    mover = rng.choice(PLAYERS)
    last = mover if rolled else other(PLAYERS, mover)
    at: dict[str, str | None] = dict.fromkeys(CELLS)
    for player in PLAYERS:
        for number in rng.sample(range(1, 7), rng.choice([0, 1, 2, 3, 4, 6])):
            cell = rng.choice(list(CELLS))
            if at[cell] is None and (cell != GOAL[player] or player == last):
                at[cell] = f"{player[0]}{number}"
    return {"mover": mover, "state": {"at": at, "die": rng.randint(1, 6) if rolled else 0, "again": rolled}}


def cubes(position: Position, player: str) -> list[tuple[int, str]]:
    """The numbers of a player's cubes, each with its cell."""
    standing = position["state"]["at"].items()
    return [(int(cube[1]), cell) for cell, cube in standing if cube is not None and cube[0] == player[0]]


def outcome(position: Position) -> Outcome | None:
    last = position["mover"] if position["state"]["again"] else other(PLAYERS, position["mover"])
    rival = other(PLAYERS, last)
    if any(cell == GOAL[last] for _, cell in cubes(position, last)) or not cubes(position, rival):
        return won(last)
    return None if cubes(position, last) else won(rival)


def moves(position: Position) -> list[Move]:
    mover, die = position["mover"], position["state"]["die"]
    if die == 0:
        return [("roll", {"n": n}, changed(position, mover, die=n, again=True)) for n in range(1, 7)]
    numbers = [number for number, _ in cubes(position, mover)]
    movable = {max((n for n in numbers if n <= die), default=0), min((n for n in numbers if n >= die), default=0)}
    x_way, y_way = FORWARD[mover]
    found: list[Move] = []
    for number, cell in cubes(position, mover):
        x, y = CELLS[cell]
        steps = [(x + x_way, y), (x, y + y_way), (x + x_way, y + y_way)] if number in movable else []
        targets = [name(*step) for step in steps if step in CELLS.values()]
        for target in sorted(targets, key=list(CELLS).index):
            at = {cell: None, target: position["state"]["at"][cell]}
            after = changed(position, other(PLAYERS, mover), at=at, die=0, again=False)
            found.append(("go", {"from": cell, "to": target}, after))
    return found


def weights(position: Position) -> list[int] | None:
    """All numbers of the die are alike."""
    return None if position["state"]["die"] else [1] * 6
