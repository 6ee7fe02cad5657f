"""Reference rules of Kalah: South has row 1 and sows to the right, North row 2 and sows to the left."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, won

PLAYERS = ("South", "North")


def initial(pits: int = 6, seeds: int = 4) -> Position:
    in_pit = {name(x, y): seeds for y in (0, 1) for x in range(pits)}
    return {"mover": "South", "state": {"in_pit": in_pit, "store": dict.fromkeys(PLAYERS, 0)}}


def side(player: str, pits: int) -> list[str]:
    """The pits of a player in the order of sowing."""
    row = [name(x, PLAYERS.index(player)) for x in range(pits)]
    return row if player == "South" else row[::-1]


def outcome(position: Position, pits: int = 6, seeds: int = 4) -> Outcome | None:
    state = position["state"]
    rest = {player: sum(state["in_pit"][c] for c in side(player, pits)) for player in PLAYERS}
    if all(rest.values()):
        return None
    south, north = (state["store"][player] + rest[player] for player in PLAYERS)
    return won(None if south == north else "South" if south > north else "North")


def moves(position: Position, pits: int = 6, seeds: int = 4) -> list[Move]:
    if outcome(position, pits, seeds):
        return []
    own = side(position["mover"], pits)
    return [
        ("sow", {"from": cell}, sown(position, cell, pits))
        for cell in position["state"]["in_pit"]
        if cell in own and position["state"]["in_pit"][cell]
    ]


def sown(position: Position, cell: str, pits: int) -> Position:
    """Sows one by one round the board."""
    mover, state = position["mover"], position["state"]
    enemy = other(PLAYERS, mover)
    own = side(mover, pits)
    ring = [*own, "store", *side(enemy, pits)]
    in_pit = {**state["in_pit"], "store": state["store"][mover]}
    hand, in_pit[cell], at = in_pit[cell], 0, ring.index(cell)
    for _ in range(hand):
        at = (at + 1) % len(ring)
        in_pit[ring[at]] += 1
    last = ring[at]
    if last in own and in_pit[last] == 1:
        facing = name("abcdefgh".index(last[0]), 1 - PLAYERS.index(mover))
        if in_pit[facing]:
            in_pit["store"] += 1 + in_pit[facing]
            in_pit[last] = in_pit[facing] = 0
    store = in_pit.pop("store")
    return changed(position, mover if last == "store" else enemy, in_pit=in_pit, store={mover: store})
