"""Reference rules of Onitama: cards as drawings, seen by Red at the bottom."""

from tests.oracles.boards import Move, Outcome, Position, changed, name, other, rectangle, step, won

PLAYERS = ("Red", "Blue")
TEMPLE = {"Red": "c1", "Blue": "c5"}
RED_STAMPS = ("Dragon", "Frog", "Elephant", "Rooster", "Mantis", "Horse", "Boar", "Cobra")
# Three rows, seen by who moves: ahead, beside, behind; the piece stands in the middle of each row of five.
CARDS = {
    "Tiger": "....., ....., ..#..", "Dragon": "#...#, ....., .#.#.", "Frog": ".#..., #...., ...#.",
    "Rabbit": "...#., ....#, .#...", "Crab": "..#.., #...#, .....", "Elephant": ".#.#., .#.#., .....",
    "Goose": ".#..., .#.#., ...#.", "Rooster": "...#., .#.#., .#...", "Monkey": ".#.#., ....., .#.#.",
    "Mantis": ".#.#., ....., ..#..", "Horse": "..#.., .#..., ..#..", "Ox": "..#.., ...#., ..#..",
    "Crane": "..#.., ....., .#.#.", "Boar": "..#.., .#.#., .....", "Eel": ".#..., ...#., .#...",
    "Cobra": "...#., .#..., ...#.",
}  # fmt: skip
BOARD = rectangle(5, 5)
DEFAULTS = {"red_one": "Tiger", "red_two": "Crab", "blue_one": "Monkey", "blue_two": "Crane", "fifth": "Dragon"}


def ways(card: str, mover: str) -> list[tuple[int, int]]:
    found = [
        (x - 2, 1 - row) for row, signs in enumerate(CARDS[card].split(", ")) for x, sign in enumerate(signs)
        if sign == "#"
    ]  # fmt: skip
    found += [(0, 2)] if card == "Tiger" else []
    return [(x, y) if mover == "Red" else (-x, -y) for x, y in found]


def initial(**chosen: str) -> Position:
    cards = DEFAULTS | chosen
    at = {name(x, y): PLAYERS[y > 0] if y in (0, 4) else None for x, y in BOARD.values()}
    holder = dict.fromkeys(CARDS) | {cards[f"{who.lower()}_{n}"]: who for who in PLAYERS for n in ("one", "two")}
    state = {"at": at, "master": {c: c in ("c1", "c5") for c in BOARD}, "holder": holder, "spare": cards["fifth"]}
    return {"mover": "Red" if cards["fifth"] in RED_STAMPS else "Blue", "state": state}


def outcome(position: Position, **chosen: str) -> Outcome | None:
    state, mover = position["state"], position["mover"]
    last = other(PLAYERS, mover)
    masters = [cell for cell in BOARD if state["master"][cell]]
    if all(state["at"][cell] != mover for cell in masters):
        return won(last)
    if TEMPLE[mover] in masters and state["at"][TEMPLE[mover]] == last:
        return won(last)
    return None if mover in state["holder"].values() else won(None)  # no card is a position that nobody reaches


def moves(position: Position, **chosen: str) -> list[Move]:
    if outcome(position):
        return []
    state, mover = position["state"], position["mover"]
    hand = [card for card in CARDS if state["holder"][card] == mover]
    found: list[Move] = []
    for card in hand:
        cards = {state["spare"]: mover, card: None}
        for cell in BOARD:
            goals = {step(BOARD, cell, way) for way in ways(card, mover)} if state["at"][cell] == mover else set()
            for goal in [one for one in BOARD if one in goals and state["at"][one] != mover]:
                master = {cell: False, goal: state["master"][cell]}
                after = changed(position, other(PLAYERS, mover), at={cell: None, goal: mover}, master=master,
                                holder=cards, spare=card)  # fmt: skip
                found.append(("go", {"k": card, "from": cell, "to": goal}, after))
    if not found:
        for card in hand:
            cards = {state["spare"]: mover, card: None}
            found.append(("lay", {"k": card}, changed(position, other(PLAYERS, mover), holder=cards, spare=card)))
    return found
