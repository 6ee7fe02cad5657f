"""Reference rules of Antiyomacy for two to five players: what differs from the game of two.

In and out: as in antiyomacy.py, with an option `seats`.  Everybody else is an enemy.  Who owns nothing is passed over,
also at the end of a round, which is the turn of the last who owns something.  `again` names the player who has moved,
where he is not the one before the player to move.
"""

from __future__ import annotations

import random
from typing import Any

from tests.oracles import antiyomacy as two
from tests.oracles.antiyomacy import BUILDINGS, UNITS, Cells, Move, Position

NAMES = ("Red", "Blue", "Green", "Orange", "Purple")


def players(state: Any) -> tuple[str, ...]:
    """Those who play."""
    return tuple(state["conquests"])


def outcome(position: Position, size: int = 8, reach: int = 2, border_only: bool = False, seats: int = 3) -> Any:
    """The player whose turn has just ended, if he has won by it, else None."""
    state, everybody = position["state"], players(position["state"])
    last = state["again"] or everybody[everybody.index(position["mover"]) - 1]
    return {"winner": last} if not any(state["acted"].values()) and won(state, last) else None


def won(state: Any, player: str) -> bool:
    """Whether a player whose turn ends has four fifths of the land, or is alone on it."""
    owners = [owner for owner in state["owner"].values() if owner]
    return 5 * owners.count(player) >= 4 * sum(state["land"].values()) or set(owners) <= {player}


def moves(position: Position, size: int = 8, reach: int = 2, border_only: bool = False, seats: int = 3) -> list[Move]:
    """The legal moves in canonical order."""
    state, mover = position["state"], position["mover"]
    if not any(owner == mover and not state["acted"][c] for c, owner in state["owner"].items()):
        return [("rest", {}, None)]  # nobody comes here
    province = two.to_act(position, size)
    near = {c for own in province for c in two.around(own, size) if state["land"][c]}
    targets = two.in_order(province | near)
    found: list[Move] = []
    for start in two.in_order(province):
        for to in targets if state["unit"][start] else ():
            unit = state["unit"][start]
            if 0 < two.walk(start, to) <= reach and may_enter(state, mover, unit, to, size, border_only):
                found.append(("displace", {"from": start, "to": to}, after(position, size, to, unit, start=start)))
    purse = sum(state["money"][c] for c in province)
    for unit, about in UNITS.items():
        for to in targets:
            if about.cost <= purse and may_enter(state, mover, unit, to, size, border_only):
                found.append(("buy_unit", {"kind": unit, "to": to}, after(position, size, to, unit, about.cost)))
    farms = [c for c in province if state["building"][c] == "Farm"]
    for building, bought in BUILDINGS.items():
        price = bought.cost + 2 * len(farms) * (building == "Farm")
        for to in two.in_order(province):
            if price > purse or state["unit"][to] or state["building"][to]:
                continue
            beside_farm = not farms or any(farm in two.around(to, size) for farm in farms)
            if beside_farm if building == "Farm" else not border_only or two.on_border(state, to, size):
                made = after(position, size, to, None, price, building=building)
                found.append(("buy_building", {"kind": building, "to": to}, made))
    return [*found, ("rest", {}, after(position, size, two.in_order(province)[0], None))]


def may_enter(state: Any, mover: str, name: str, to: str, size: int, border_only: bool) -> bool:
    """Whether a unit of the mover may be put on a cell of its province or beside it."""
    strength, unit, building = UNITS[name].strength, state["unit"][to], state["building"][to]
    if state["owner"][to] == mover:
        too_strong = unit is not None and strength + UNITS[unit].strength > 4
        if building or too_strong or (border_only and not two.on_border(state, to, size)):
            return False
    elif state["owner"][to] is not None:
        if unit and UNITS[unit].protection >= strength:
            return False
        if building and BUILDINGS[building].protection >= strength:
            return False
    towers = {"Tower": (1, 2), "StrongTower": (2, 3)}  # how far it watches, and up to which strength
    for cell, tower in state["building"].items():
        if tower in towers and state["owner"][cell] not in (None, mover):
            far, strong = towers[tower]
            if two.king_steps(cell, to) <= far and strength <= strong:
                return False
    return True


def after(
    position: Position, size: int, to: str, unit: str | None, pay: int = 0, building: str | None = None,
    start: str | None = None,
) -> Position:  # fmt: skip
    """The position after the province to act has displaced or bought something, or has rested."""
    mover = position["mover"]
    state = {slot: dict(held) if isinstance(held, dict) else held for slot, held in position["state"].items()}
    if start is not None:
        state["unit"][start] = None
    if unit is not None:
        if state["owner"][to] == mover and state["unit"][to]:
            together = UNITS[unit].strength + UNITS[state["unit"][to]].strength
            unit = next(name for name, one in UNITS.items() if one.strength == together)
        elif state["owner"][to] is not None and state["owner"][to] != mover:
            two.invade(state, mover, to, size)
        state["owner"][to], state["unit"][to], state["building"][to] = mover, unit, None
    if building is not None:
        state["building"][to] = building
    province: Cells = two.province_of(state, to, size)
    two.gather(state, province, sum(state["money"][c] for c in province) - pay)
    state["acted"] |= dict.fromkeys(province, True)
    everybody, owners = players(state), set(state["owner"].values())
    if any(owner == mover and not state["acted"][c] for c, owner in state["owner"].items()):
        following = mover
    else:
        state["acted"] = dict.fromkeys(state["acted"], False)
        later = everybody[everybody.index(mover) + 1 :]
        if not won(state, mover) and owners.isdisjoint(later):
            for owned in two.provinces(state, size):
                two.pay_income(state, owned)
        around = [*later, *everybody[: everybody.index(mover)]]
        following = next((one for one in around if one in owners), mover)
    state["again"] = None if following == everybody[(everybody.index(mover) + 1) % len(everybody)] else mover
    return {"mover": following, "state": state}


def anything(rng: random.Random, size: int = 8, seats: int = 3, **_options: Any) -> Position:
    """A position that might occur, made from one of two players: their provinces are dealt out to all."""
    position = two.anything(rng, size)
    state, everybody = position["state"], NAMES[:seats]
    for province in two.provinces(state, size):
        owner = rng.choice(everybody)
        for cell in province:
            state["owner"][cell] = owner
    state["acted"] = dict.fromkeys(state["acted"], False)
    state["conquests"] = {player: rng.randint(0, 9) for player in everybody}
    owners = {owner for owner in state["owner"].values() if owner}
    state["again"] = None
    return {"mover": rng.choice(sorted(owners) or everybody), "state": state}
