"""Reference rules of Provinces; its setup draws lots, so positions come from elsewhere."""

from tests.oracles.boards import CROSS, Board, Move, Outcome, Position, around, changed, flood, other, rectangle, won

PLAYERS = ("North", "South")
STRENGTH = {"Peasant": 1, "Spearman": 2, "Knight": 4}
PRICE = {"Peasant": 10, "Spearman": 20, "Knight": 40}
WAGE = {"Peasant": 2, "Spearman": 6, "Knight": 36}


def outcome(position: Position, size: int = 5) -> Outcome | None:
    last = position["mover"] if position["state"]["again"] else other(PLAYERS, position["mover"])
    return None if other(PLAYERS, last) in position["state"]["owner"].values() else won(last)


def province(position: Position, board: Board, cell: str) -> set[str]:
    land, owner = position["state"]["land"], position["state"]["owner"]

    def allied(c: str) -> list[str]:
        return [n for n in around(board, c, CROSS) if land[c] and land[n] and owner[n] == owner[c]]

    return flood(cell, allied)


def income(position: Position, board: Board, cell: str) -> int:
    cells = province(position, board, cell)
    return len(cells) - sum(WAGE.get(position["state"]["troop"][c], 0) for c in cells)


def moves(position: Position, size: int = 5) -> list[Move]:
    if outcome(position, size):
        return []
    state, board, mover = position["state"], rectangle(size, size), position["mover"]
    owner, troop, money = state["owner"], state["troop"], state["money"]
    found: list[Move] = []
    for kind in PRICE:
        for to in board:
            purse = sum(money[c] for c in province(position, board, to))
            if owner[to] == mover and troop[to] is None and purse >= PRICE[kind]:
                after = changed(
                    position, mover, troop={to: kind}, moved={to: True}, again=True,
                    money={to: max(money[to] - PRICE[kind], 0)},
                    debt={mover: min(state["debt"][mover] + PRICE[kind], 500)},
                )  # fmt: skip
                found.append(("hire", {"t": kind, "to": to}, after))
    for start in board:
        if owner[start] == mover and troop[start] is not None and not state["moved"][start]:
            cells = province(position, board, start)
            reach = cells | {n for c in cells for n in around(board, c, CROSS)}
            for to in board:
                stronger = STRENGTH[troop[start]] > STRENGTH.get(troop[to], 0)
                if to in reach and state["land"][to] and (troop[to] is None or (owner[to] != mover and stronger)):
                    after = changed(
                        position, mover, troop={start: None, to: troop[start]}, owner={to: mover},
                        moved={to: owner[to] != mover}, again=True,
                    )  # fmt: skip
                    found.append(("march", {"from": start, "to": to}, after))
    enemy = other(PLAYERS, mover)
    theirs = [c for c in board if owner[c] == enemy]
    paid = {c: min(999, max(0, money[c] + income(position, board, c))) for c in theirs}
    debt = {enemy: max(state["debt"][enemy] - 7, -500)}
    after = changed(position, enemy, money=paid, moved=dict.fromkeys(theirs, False), debt=debt, again=False)
    return [*found, ("rest", {}, after)]
