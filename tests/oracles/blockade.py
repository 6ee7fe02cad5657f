"""Reference rules of Blockade (football chess).

In: a position, `{"mover": "Defence", "state": {"at": {"a1": None, …, "f9": "Carrier", …}, "acted": {"a1": False,
…}}}`, and the options.  Out: the position's outcome, and its moves with the positions after them; the number of
whole turns and of the boards that they lead to.

One action of one piece is a move.  The side goes on until all its pieces have acted; then nobody has acted, and the
other side is to move.  A tackle ends the game in the middle of the turn: side and acted cells stay, the tackler's
cell among them.

Canonical order: stays, steps, pushes, tackles; among these by `from`, then by `to`, cells row by row from the lower
left.
"""

import random
from collections import Counter
from typing import Any

Position = dict[str, Any]
Outcome = dict[str, str]
Move = tuple[str, dict[str, str], Position]

OTHER = {"Offence": "Defence", "Defence": "Offence"}
SIDE = {"Carrier": "Offence", "Blocker": "Offence", "Tackler": "Defence", None: None}
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
FILES = "abcdefghijklmnopqrstuvwxyz"


def initial(
    columns: int = 10, rows: int = 10, blockers: int = 4, tacklers: int = 4, touchdown: int = 3,
    carrier_pushes: bool = False, first: str = "Defence",
) -> Position:  # fmt: skip
    """The carrier behind a row of blockers, a row of tacklers across the middle."""
    at: dict[str, str | None] = {name(x, y): None for y in range(rows) for x in range(columns)}
    at[name(columns // 2, rows - 2)] = "Carrier"
    for piece, number, y in (("Blocker", blockers, rows - 3), ("Tackler", tacklers, rows // 2 - 1)):
        left = (columns - number) // 2
        for x in range(left, left + number):
            at[name(x, y)] = piece
    return {"mover": first, "state": {"at": at, "acted": dict.fromkeys(at, False)}}


def anything(
    rng: random.Random, columns: int = 10, rows: int = 10, blockers: int = 4, tacklers: int = 4, touchdown: int = 3,
    carrier_pushes: bool = False, **_options: Any,
) -> Position:  # fmt: skip
    """A position in the middle of a turn, the pieces close together so that they meet."""
    position = initial(columns, rows, blockers, tacklers, touchdown)
    at, acted = dict.fromkeys(position["state"]["at"]), position["state"]["acted"]
    carrier = rng.choice([cell for cell in at if place(cell)[1] >= touchdown - rng.randint(0, 1)])
    x, y = place(carrier)
    near = sorted((max(abs(x - a), abs(y - b)), rng.random(), name(a, b)) for a, b in map(place, at))
    cells = [cell for _, _, cell in near[1 : 2 + rng.randint(1, 2) * (blockers + tacklers)]]
    for number, cell in enumerate(rng.sample(cells, blockers + tacklers)):
        at[cell] = "Blocker" if number < blockers else "Tackler"
    at[carrier] = "Carrier"
    mover = rng.choice(["Offence", "Defence"])
    own = [cell for cell in at if SIDE[at[cell]] == mover]
    for cell in rng.sample(own, rng.randint(0, max(0, len(own) - 1))):
        acted[cell] = True
    return {"mover": mover, "state": {"at": at, "acted": acted}}


def outcome(position: Position, touchdown: int = 3, **_options: Any) -> Outcome | None:
    """The side that has won, if one has."""
    carriers = [cell for cell, piece in position["state"]["at"].items() if piece == "Carrier"]
    if not carriers:
        return {"winner": "Defence"}
    if any(place(cell)[1] + 1 <= touchdown for cell in carriers):
        return {"winner": "Offence"}
    return None


def moves(position: Position, carrier_pushes: bool = False, **options: Any) -> list[Move]:
    """The legal moves in canonical order."""
    if outcome(position, **options):
        return []
    found: dict[str, list[Move]] = {"stay": [], "step": [], "push": [], "tackle": []}
    at, acted = position["state"]["at"], position["state"]["acted"]
    for start, piece in at.items():
        if SIDE[piece] != position["mover"] or acted[start]:
            continue
        found["stay"].append(("stay", {"from": start}, after(position, start, {})))
        x, y = place(start)
        for dx, dy in AROUND:
            to, behind = name(x + dx, y + dy), name(x + 2 * dx, y + 2 * dy)
            if to not in at:
                continue
            kind, changes = "", {start: None, to: piece}
            if at[to] is None:
                kind = "step"
            elif SIDE[at[to]] == SIDE[piece]:
                continue
            elif at[to] == "Carrier":
                beside = {name(x + dx, y), name(x, y + dy)} - {start, to}
                if not beside or any(at[cell] != "Blocker" for cell in beside):
                    kind = "tackle"
            elif (piece != "Carrier" or carrier_pushes) and behind in at and at[behind] is None:
                kind, changes = "push", {**changes, behind: at[to]}
            if kind:
                found[kind].append((kind, {"from": start, "to": to}, after(position, to, changes)))
    every = [move for kind in found.values() for move in kind]
    if not every:
        return [("pass", {}, {"mover": OTHER[position["mover"]], "state": position["state"]})]
    return every


def perft(position: Position, depth: int, **options: Any) -> int:
    """The number of move sequences of length `depth`."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1, **options) for _, _, child in moves(position, **options))


def after(position: Position, acting: str, changes: dict[str, str | None]) -> Position:
    """The position after an action; the piece that acts stands on `acting` then."""
    mover, at = position["mover"], {**position["state"]["at"], **changes}
    acted = {**position["state"]["acted"], acting: True}
    tackled = position["state"]["at"][acting] == "Carrier" and at[acting] == "Tackler"
    if not tackled and all(acted[cell] for cell, piece in at.items() if SIDE[piece] == mover):
        mover, acted = OTHER[mover], dict.fromkeys(at, False)
    return {"mover": mover, "state": {"at": at, "acted": acted}}


def turns(position: Position, backwards: bool = True, **options: Any) -> tuple[int, int]:
    """How many ways there are to play a whole turn, and how many different boards they lead to.

    Positions inside the turn are visited once, however many ways lead to them.  Without `backwards` no piece goes to
    a higher row.
    """
    known = {key(position): position}
    ways, ends = Counter({key(position): 1}), Counter[tuple[Any, ...]]()
    while ways:
        following = Counter[tuple[Any, ...]]()
        for here, number in ways.items():
            for _, params, child in moves(known[here], **options):
                if not backwards and place(params.get("to", params["from"]))[1] > place(params["from"])[1]:
                    continue
                there = key(child)
                if child["mover"] != position["mover"] or outcome(child, **options):
                    ends[there[1]] += number
                else:
                    known[there] = child
                    following[there] += number
        ways = following
    return ends.total(), len(ends)


def score(position: Position, touchdown: int = 3) -> float:
    """The points of the position for the offence, on a board of ten rows, before the touchdown."""
    at = {place(cell): piece for cell, piece in position["state"]["at"].items() if piece}
    ((kx, ky),) = [cell for cell, piece in at.items() if piece == "Carrier"]
    total = 250.0 * (9 - ky)
    for (x, y), piece in at.items():
        far = ((x - kx) ** 2 + (y - ky) ** 2) ** 0.5
        if piece == "Tackler":
            total += 20 * far
            if far < 2:
                total -= 25 if all(SIDE[at.get(cell)] == "Offence" for cell in ((kx, y), (x, ky))) else 2000
        else:
            total -= 100 * far + 15 * (y == ky + 1)
            total += 25 * (far < 2 and y == ky - 1)
    return total


def key(position: Position) -> tuple[Any, ...]:
    """The position as something that can be looked up."""
    state = position["state"]
    return position["mover"], tuple(state["at"].values()), tuple(state["acted"].values())


def place(cell: str) -> tuple[int, int]:
    """Column and row of `cell`, both from 0."""
    return FILES.index(cell[0]), int(cell[1:]) - 1


def name(x: int, y: int) -> str:
    """The name of a cell; off the board there may be none."""
    return f"{FILES[x]}{y + 1}" if 0 <= x < len(FILES) and y >= 0 else ""
