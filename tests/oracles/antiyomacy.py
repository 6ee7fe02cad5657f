"""Reference rules of Antiyomacy, a game of provinces, units, buildings and money.

In: a position, `{"mover": "Red", "state": {"land": {"a1": True, ...}, "owner": {"a1": None, ...}, "unit": ...,
"building": ..., "money": {"a1": 0, ...}, "acted": {"a1": False, ...}, "conquests": {"Red": 0, "Blue": 0}, ...}}`, and
three options: `size` of the board, `reach` of a displacement, `border_only`.  Out: the position's outcome, and its
moves with the positions after them.  What else a state holds is handed on as it is, but for `again`, which says that
the player to move has moved before in this turn.

One move is what one province does; provinces act in the order of their first cells, counted row by row from the top
left.  What a province has is the sum of `money` over its cells.  Where it lies: a province that acts gathers all of it
on its lowest cell, the leftmost of these (a1 before b1 before a2), after it has grown and paid; a part of an invaded
province gets its share on that cell, and so does every province at the end of a round.  All cells of a province that
has acted are `acted` until the turn ends.

`border_only`: a unit or tower may be put on an own cell only if that touches a cell of the board that is not of the
province.

Canonical order: displace, buy_unit, buy_building, rest; then by the parameters as they are declared, cells row by row
from the lower left, things in the order of the tables below.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

Position = dict[str, Any]
Outcome = dict[str, str]
Move = tuple[str, dict[str, str], Position]
Cells = frozenset[str]

FILES = "abcdefghijklmnop"
ENEMY = {"Red": "Blue", "Blue": "Red"}


class Unit(NamedTuple):
    strength: int
    protection: int
    cost: int
    income: int


class Building(NamedTuple):
    protection: int
    cost: int
    income: int


UNITS = {
    "Peasant": Unit(1, 1, 10, -2),
    "Spearman": Unit(2, 2, 20, -6),
    "Baron": Unit(3, 3, 30, -18),
    "Knight": Unit(4, 3, 40, -36),
}
BUILDINGS = {"Farm": Building(0, 12, 4), "Tower": Building(2, 15, -1), "StrongTower": Building(3, 35, -6)}


def outcome(position: Position, size: int = 8, reach: int = 2, border_only: bool = False) -> Outcome | None:
    """The player whose turn has just ended, if he has won by it, else None."""
    state, last = position["state"], ENEMY[position["mover"]]
    if any(state["acted"].values()):  # within a turn
        return None
    return {"winner": last} if won(state, last) else None


def moves(position: Position, size: int = 8, reach: int = 2, border_only: bool = False) -> list[Move]:
    """The legal moves in canonical order."""
    if outcome(position, size):
        return []
    province, state, mover = to_act(position, size), position["state"], position["mover"]
    coast = {c for own in province for c in around(own, size) if state["land"][c]} - province
    targets = in_order(province | coast)
    found: list[Move] = []
    for start in in_order(province):
        name = state["unit"][start]
        for to in targets if name else ():
            if 0 < walk(start, to) <= reach and may_enter(state, mover, name, to, size, border_only):
                found.append(("displace", {"from": start, "to": to}, after(position, size, to, start=start)))
    purse = sum(state["money"][c] for c in province)
    for name, unit in UNITS.items():
        for to in targets:
            if unit.cost <= purse and may_enter(state, mover, name, to, size, border_only):
                found.append(("buy_unit", {"kind": name, "to": to}, after(position, size, to, unit=name)))
    farms = [c for c in province if state["building"][c] == "Farm"]
    for name, building in BUILDINGS.items():
        price = building.cost + (2 * len(farms) if name == "Farm" else 0)
        for to in in_order(province):
            if price > purse or state["unit"][to] or state["building"][to]:
                continue
            if name == "Farm":
                if farms and not any(farm in around(to, size) for farm in farms):
                    continue
            elif border_only and not on_border(state, to, size):
                continue
            found.append(
                ("buy_building", {"kind": name, "to": to}, after(position, size, to, building=name, pay=price))
            )
    anywhere = in_order(province)[0]
    return [*found, ("rest", {}, after(position, size, anywhere))]


def won(state: Any, player: str) -> bool:
    """Whether a player whose turn ends has four fifths of the land, or no enemy."""
    owners = list(state["owner"].values())
    land = sum(state["land"].values())
    return 10 * owners.count(player) >= 8 * land or ENEMY[player] not in owners


def score(position: Position, size: int = 8) -> float:
    """What a position is worth to Blue, a win or loss apart."""
    state, sides = position["state"], {}
    for player in ENEMY:
        own = [c for c, owner in state["owner"].items() if owner == player]
        units = [state["unit"][c] for c in own]
        buildings = [state["building"][c] for c in own]
        purse = -1 if sum(state["money"][c] for c in own) > 40 else 1
        earned = sum(income(state, p) for p in provinces(state, size) if state["owner"][next(iter(p))] == player)
        force = [
            units.count(name) * worth for name, worth in (("Peasant", 1), ("Spearman", 3), ("Baron", 8), ("Knight", 20))
        ]
        defence = 8 * buildings.count("Tower") + 24 * buildings.count("StrongTower")
        sides[player] = 3 * state["conquests"][player] + purse + earned + len(own) + sum(force) + 0.15 * defence
    return sides["Blue"] - sides["Red"]


def to_act(position: Position, size: int) -> Cells:
    """The province whose turn it is."""
    state = position["state"]
    for y in reversed(range(size)):
        for x in range(size):
            cell = name_of(x, y)
            if state["owner"][cell] == position["mover"] and not state["acted"][cell]:
                return province_of(state, cell, size)
    raise ValueError("no province is left to act")


def may_enter(state: Any, mover: str, name: str, to: str, size: int, border_only: bool) -> bool:
    """Whether a unit of the mover may be put on a cell of its province or beside it."""
    strength = UNITS[name].strength
    unit, building = state["unit"][to], state["building"][to]
    if state["owner"][to] == mover:
        if building:
            return False
        if unit and strength + UNITS[unit].strength > 4:
            return False
        if border_only and not on_border(state, to, size):
            return False
    elif state["owner"][to]:
        if unit and UNITS[unit].protection >= strength:
            return False
        if building and BUILDINGS[building].protection >= strength:
            return False
    for cell, tower in state["building"].items():
        if state["owner"][cell] == ENEMY[mover]:
            away = king_steps(cell, to)
            if tower == "Tower" and away <= 1 and strength <= 2:
                return False
            if tower == "StrongTower" and away <= 2 and strength <= 3:
                return False
    return True


def on_border(state: Any, cell: str, size: int) -> bool:
    """Whether a cell touches one that is not of its province."""
    return any(state["owner"][c] != state["owner"][cell] for c in around(cell, size))


def after(
    position: Position, size: int, to: str, start: str | None = None, unit: str | None = None,
    building: str | None = None, pay: int = 0,
) -> Position:  # fmt: skip
    """The position after the province to act has displaced or bought something, or has rested."""
    mover = position["mover"]
    state = {slot: dict(held) if isinstance(held, dict) else held for slot, held in position["state"].items()}
    if unit:
        pay = UNITS[unit].cost
    if start:
        unit, state["unit"][start] = state["unit"][start], None
    if unit:
        if state["owner"][to] == mover and state["unit"][to]:
            together = UNITS[unit].strength + UNITS[state["unit"][to]].strength
            unit = next(name for name, one in UNITS.items() if one.strength == together)
        elif state["owner"][to] == ENEMY[mover]:
            invade(state, mover, to, size)
        state["owner"][to], state["unit"][to], state["building"][to] = mover, unit, None
    if building:
        state["building"][to] = building
    province = province_of(state, to, size)
    gather(state, province, sum(state["money"][c] for c in province) - pay)
    for cell in province:
        state["acted"][cell] = True
    state["again"] = any(o == mover and not state["acted"][c] for c, o in state["owner"].items())
    if state["again"]:
        return {"mover": mover, "state": state}
    state["acted"] = dict.fromkeys(state["acted"], False)
    if mover == "Blue" and not won(state, mover):
        for owned in provinces(state, size):
            pay_income(state, owned)
    return {"mover": ENEMY[mover], "state": state}


def invade(state: Any, mover: str, to: str, size: int) -> None:
    """Takes an enemy's cell away from its province, which falls apart."""
    province = province_of(state, to, size)
    money = sum(state["money"][c] for c in province)
    gather(state, province, 0)
    state["conquests"][mover] += 1
    state["owner"][to] = None
    rest = set(province - {to})
    while rest:
        part = province_of(state, next(iter(rest)), size)
        rest -= part
        if len(part) == 1:
            (lost,) = part
            state["owner"][lost] = state["unit"][lost] = state["building"][lost] = None
        else:
            gather(state, part, len(part) * money // (len(province) - 1))


def pay_income(state: Any, province: Cells) -> None:
    """The income of a province at the end of a round; units that cannot be paid die."""
    money = sum(state["money"][c] for c in province) + income(state, province)
    gather(state, province, max(money, 0))
    if money < 0:
        for cell in province:
            state["unit"][cell] = None


def income(state: Any, province: Cells) -> int:
    """Half of what cells, units and buildings bring, rounded away from zero."""
    twice = len(province)
    for cell in province:
        if state["unit"][cell]:
            twice += UNITS[state["unit"][cell]].income
        if state["building"][cell]:
            twice += BUILDINGS[state["building"][cell]].income
    half = (abs(twice) + 1) // 2
    return half if twice > 0 else -half


def gather(state: Any, province: Cells, money: int) -> None:
    """Lays the money of a province on its first cell."""
    for cell in province:
        state["money"][cell] = 0
    state["money"][in_order(province)[0]] = money


# -------------------------------------------------------------------------------------------- boards


@cache
def name_of(x: int, y: int) -> str:
    """The name of the cell in column `x` and row `y`, both from 0."""
    return f"{FILES[x]}{y + 1}"


@cache
def place_of(cell: str) -> tuple[int, int]:
    """Column and row of a cell, both from 0."""
    return FILES.index(cell[0]), int(cell[1:]) - 1


def cells(size: int) -> list[str]:
    """All cells, row by row from the lower left."""
    return [name_of(x, y) for y in range(size) for x in range(size)]


def in_order(some: Any) -> list[str]:
    """Cells, row by row from the lower left."""
    return sorted(some, key=lambda cell: place_of(cell)[::-1])


@cache
def around(cell: str, size: int) -> frozenset[str]:
    """The up to eight cells that touch one."""
    return frozenset(other for other in cells(size) if king_steps(cell, other) == 1)


def walk(a: str, b: str) -> int:
    """Steps between two cells along rows and columns."""
    (x, y), (i, j) = place_of(a), place_of(b)
    return abs(x - i) + abs(y - j)


def king_steps(a: str, b: str) -> int:
    """Steps between two cells if diagonal ones count as one."""
    (x, y), (i, j) = place_of(a), place_of(b)
    return max(abs(x - i), abs(y - j))


def province_of(state: Any, cell: str, size: int) -> Cells:
    """The cells of the same player that hang together with one of his."""
    found, fresh = {cell}, [cell]
    while fresh:
        for other in around(fresh.pop(), size):
            if other not in found and state["owner"][other] == state["owner"][cell]:
                found.add(other)
                fresh.append(other)
    return frozenset(found)


def provinces(state: Any, size: int) -> list[Cells]:
    """All provinces of both players."""
    found: list[Cells] = []
    for cell, owner in state["owner"].items():
        if owner and not any(cell in province for province in found):
            found.append(province_of(state, cell, size))
    return found


# --------------------------------------------------------------------------------------- any position


def anything(rng: random.Random, size: int = 8, crowd: float = 0, **_options: Any) -> Position:
    """A position that might occur: a map, provinces with things and money, some of which have acted.

    `crowd` is how much of the land has owners, at random where it is not given.
    """
    crowd = crowd or rng.choice((0.1, 0.2, 0.5, 1, 4)) * 8 / size
    every = cells(size)
    land = grown(rng, every, rng.randint(size * size // 3, size * size), size)
    owner: dict[str, str | None] = dict.fromkeys(every)
    for _ in range(rng.randint(2, 2 + size // 2)):
        free = [c for c in every if c in land and not owner[c]]
        part = grown(rng, free, rng.randint(2, 2 + round(crowd * len(land) / 4)), size) if free else set()
        owner |= dict.fromkeys(part, rng.choice(["Red", "Blue"]))
    state: dict[str, Any] = {"land": {c: c in land for c in every}, "owner": owner}
    for lost in [c for c in every if len(province_of(state, c, size)) == 1]:
        owner[lost] = None
    state |= {slot: dict.fromkeys(every) for slot in ("unit", "building")}
    state |= {"money": dict.fromkeys(every, 0), "acted": dict.fromkeys(every, False), "walker": None}
    for cell in every:
        if owner[cell] and rng.random() < 0.5:
            slot, names = rng.choice([("unit", UNITS), ("building", BUILDINGS)])
            state[slot][cell] = rng.choice(list(names))
    state["conquests"] = {player: rng.randint(0, 9) for player in ENEMY}
    owned = provinces(state, size)
    for province in owned:
        for cell in rng.sample(in_order(province), rng.randint(1, 2)):  # wherever: it is the sum that counts
            state["money"][cell] = rng.choice([rng.randint(0, 60), rng.randint(0, 9)])
    mover = rng.choice([owner[next(iter(province))] for province in owned] or ["Red"])
    mine = [province for province in owned if owner[next(iter(province))] == mover]
    for province in rng.sample(mine, rng.choice([0, rng.randint(0, max(0, len(mine) - 1))])):
        state["acted"] |= dict.fromkeys(province, True)
    state["again"] = any(state["acted"].values())
    return {"mover": mover, "state": state}


def grown(rng: random.Random, among: list[str], count: int, size: int) -> set[str]:
    """Up to `count` cells that hang together."""
    found = {rng.choice(among)}
    while len(found) < count:
        edge = [c for c in among if c not in found and found.intersection(around(c, size))]
        if not edge:
            break
        found.add(rng.choice(edge))
    return found
