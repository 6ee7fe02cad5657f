"""Reference rules of Tak: towers as lists of owners from below, and what the stone on top of each is."""

from itertools import product

from tests.oracles.boards import CROSS, Board, Move, Outcome, Position, changed, flood, other, rectangle, step, won

PLAYERS = ("White", "Black")
STONES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}  # flat ones and capstones of a player
KINDS = ("flat", "wall", "cap")


def initial(size: int = 5) -> Position:
    board, (flats, caps) = rectangle(size, size), STONES[size]
    stock = {player: {"flat": flats, "wall": 0, "cap": caps} for player in PLAYERS}
    return {"mover": "White", "state": {"pile": {cell: [] for cell in board}, "form": dict.fromkeys(board, "flat"),
                                        "stock": stock}}  # fmt: skip


def outcome(position: Position, size: int = 5) -> Outcome | None:
    board, state = rectangle(size, size), position["state"]
    last = other(PLAYERS, position["mover"])
    for player in (last, position["mover"]):
        if has_road(board, size, state, player):
            return won(player)
    full = all(state["pile"][cell] for cell in board)
    spent = any(stock["flat"] + stock["cap"] == 0 for stock in state["stock"].values())
    if not (full or spent):
        return None
    white, black = (
        sum(1 for cell in board if state["form"][cell] == "flat" and state["pile"][cell][-1:] == [player])
        for player in PLAYERS
    )
    return won(None if white == black else "White" if white > black else "Black")


def has_road(board: Board, size: int, state: dict, player: str) -> bool:
    """Does a chain of flat stones and capstones join two opposite sides?"""
    own = {cell for cell in board if state["pile"][cell][-1:] == [player] and state["form"][cell] != "wall"}
    for cell in own:
        chain = flood(cell, lambda one: [there for way in CROSS.values() if (there := step(board, one, way)) in own])
        for axis in (0, 1):
            if {0, size - 1} <= {board[one][axis] for one in chain}:
                return True
    return False


def moves(position: Position, size: int = 5) -> list[Move]:
    if outcome(position, size):
        return []
    first = position["state"]["stock"][other(PLAYERS, position["mover"])]["flat"] == STONES[size][0]
    return placings(position, size, first) + ([] if first else slides(position, size))


def placings(position: Position, size: int, first: bool) -> list[Move]:
    state, mover = position["state"], position["mover"]
    enemy, found = other(PLAYERS, mover), []
    owner = enemy if first else mover
    for kind in KINDS[:1] if first else KINDS:
        source = "cap" if kind == "cap" else "flat"
        if state["stock"][mover][source] == 0:
            continue
        left = {**state["stock"][owner], source: state["stock"][owner][source] - 1}
        for cell in rectangle(size, size):
            if not state["pile"][cell]:
                after = changed(position, enemy, pile={cell: [owner]}, form={cell: kind}, stock={owner: left})
                found.append(("place", {"s": kind, "to": cell}, after))
    return found


def ways_to_drop(size: int) -> list[tuple[int, ...]]:
    """How many stones may be left on each cell of a slide, as their digits are ordered."""
    found = [drops for length in range(1, size) for drops in product(range(1, size + 1), repeat=length)]
    return sorted((drops for drops in found if sum(drops) <= size), key=lambda drops: int("".join(map(str, drops))))


def slides(position: Position, size: int) -> list[Move]:
    board, state, mover = rectangle(size, size), position["state"], position["mover"]
    found = []
    for cell, (name, way), drops in product(board, CROSS.items(), ways_to_drop(size)):
        tower, carried = state["pile"][cell], sum(drops)
        path = [step(board, cell, way, count) for count in range(1, len(drops) + 1)]
        if tower[-1:] != [mover] or carried > len(tower) or None in path:
            continue
        forms = [state["form"][there] for there in path]
        flattens = forms[-1] == "wall" and state["form"][cell] == "cap" and drops[-1] == 1
        if any(form != "flat" for form in forms[:-1]) or not (forms[-1] == "flat" or flattens):
            continue
        hand, pile = tower[len(tower) - carried :], {cell: tower[: len(tower) - carried]}
        for there, count in zip(path, drops, strict=True):
            pile[there], hand = state["pile"][there] + hand[:count], hand[count:]
        form = {cell: "flat", path[-1]: state["form"][cell]}
        number = int("".join(map(str, drops)))
        after = changed(position, other(PLAYERS, mover), pile=pile, form=form)
        found.append(("go", {"from": cell, "d": name, "n": number}, after))
    return found
