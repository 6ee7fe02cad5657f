"""Reference rules of Zoo, which is no game but a collection of phrases; see tests/rules/zoo.rules.

Off the board there is no cell (None here): a comparison with it is false, and its negation true.
"""

from itertools import product
from typing import Any

from tests.oracles.boards import CROSS, SQUARE, Move, Outcome, Position, around, changed, other, rectangle, step, won

PLAYERS = ("Ann", "Bob")
TINTS = ("red", "green", "blue")
SMALL = range(-2, 4)
HOME = {"Ann": "a1", "Bob": "b2"}


def initial(size: int = 3, speed: str = "slow", bonus: int = 2, polite: bool = True, shift: int = -3) -> Position:
    heat = {t: {str(i): -5 for i in SMALL} for t in TINTS}
    for t in TINTS:
        heat[t]["-2"] = -5 if t == "green" else 5
    flag = {p: dict.fromkeys(rectangle(size, 2), False) for p in PLAYERS}
    flag["Bob"]["a2"] = polite
    return {"mover": "Ann", "state": {
        "heat": heat, "best": None, "worst": {"Ann": -3, "Bob": None}, "wide": {"-1": 0, "0": 500, "1": 1000},
        "far": shift, "flag": flag, "mark": "blue", "spot": None, "n": -2,
        "mode": "wild" if speed == "fast" else "calm", "again": False,
    }}  # fmt: skip


class Zoo:
    """A position, and what the definitions say of it."""

    def __init__(self, position: Position, size: int, bonus: int, polite: bool):
        self.position, self.state, self.mover = position, position["state"], position["mover"]
        self.opponent = other(PLAYERS, self.mover)
        self.board = rectangle(size, 2)
        self.size, self.bonus, self.polite = size, bonus, polite

    def heat(self, tint: str, i: int) -> int:
        return self.state["heat"][tint][str(i)]  # type: ignore[no-any-return]

    def warm(self, tint: str) -> bool:
        return any(self.heat(tint, i) > 0 for i in SMALL if i > self.state["n"])

    def first_warm(self) -> int | None:
        return next((i for i in SMALL if any(self.heat(t, i) > 0 for t in TINTS)), None)

    def flagged(self, player: str) -> list[str]:
        return [cell for cell in self.board if self.state["flag"][player][cell]]

    def both(self) -> list[str]:
        return [cell for cell in self.flagged("Ann") if cell in self.flagged("Bob")]

    def touched(self) -> list[str]:
        found = {*self.flagged(self.mover), HOME[self.mover]} - set(self.both())
        return [cell for cell in self.board if cell in found]

    def score(self, player: str) -> int:
        return len(self.flagged(player)) * 10 + (self.state["worst"][player] or 0)

    def spread(self, player: str) -> int:
        places = [self.board[cell] for cell in self.flagged(player)]
        return max((abs(a - c) + abs(b - d) for (a, b), (c, d) in product(places, places)), default=-1)

    def level(self, player: str, tint: str) -> int:
        if not self.warm(tint):
            return 0
        return 1 if self.state["worst"][player] is None else 2

    def parity(self, cell: str) -> int:
        return sum(self.board[cell]) % 2

    def corner(self, cell: str) -> bool:
        """A cell with fewer neighbours than each of its neighbours."""
        near = around(self.board, cell, SQUARE)
        return all(len(near) < len(around(self.board, n, SQUARE)) for n in near)

    def near(self, cell: str) -> list[str]:
        ends = [c for c in self.board if self.board[c][0] in (0, self.size - 1)]
        return [c for c in self.board if c == cell or (c in ends and c in around(self.board, cell, SQUARE))]

    def after(self, again: bool = False, **slots: Any) -> Position:
        return changed(self.position, self.mover if again else self.opponent, again=again, **slots)

    def heat_up(self, tint: str, by: int) -> Position | None:
        n = self.state["n"]
        heat = self.heat(tint, n) + by
        if by == 0 or not -5 <= heat <= 5 or not (by > 0 or self.polite):
            return None
        far = self.heat(tint, n) * 60 if self.state["best"] is None else None
        row = {**self.state["heat"][tint], str(n): heat}
        return self.after(heat={tint: row}, mark=tint, best=by if by > 0 else None, far=far)

    def raise_flag(self, cell: str) -> Position | None:
        state = self.state
        if state["flag"][self.mover][cell] or cell in self.both():
            return None
        if state["spot"] is not None and cell not in self.near(state["spot"]):
            return None
        worst = self.parity(cell) - 3 if state["worst"][self.mover] is None else None
        row = {**state["flag"][self.mover], cell: True}
        mode = "wild" if state["mode"] == "calm" else "calm"
        return self.after(flag={self.mover: row}, spot=cell, worst={self.mover: worst}, mode=mode)

    def step(self, to: str) -> Position | None:
        spot = self.state["spot"]
        if spot is None or to not in around(self.board, spot, CROSS):
            return None
        key = str(self.parity(to))
        wide = max(0, self.state["wide"][key] - self.bonus)
        return self.after(again=self.state["mode"] == "wild", spot=to, wide={key: wide})

    def turn(self, i: int) -> Position | None:
        n = self.state["n"]
        if i == n or not (i == -n - 1 or i == self.first_warm() or i in (n + 1, n + 5)):
            return None
        home = HOME[self.mover]
        beside = step(self.board, home, SQUARE["east"])
        return self.after(n=i, spot=None if beside is not None and beside == self.state["spot"] else home)

    def edge(self, direction: str) -> Position | None:
        state, way = self.state, SQUARE[direction]
        touched, spot = self.touched(), state["spot"]
        beside = step(self.board, spot, way) if spot is not None else None
        if beside is not None and beside in touched:
            return None
        free = spot is None or not any(step(self.board, c, way) == spot for c in touched)
        if not free and not (state["n"] + 2 != 0 and state["wide"]["0"] // (state["n"] + 2) > 100):
            return None
        high = "1" if state["wide"]["1"] > 600 else "-1"
        flags = {**state["flag"][self.opponent], **{c: False for c in self.both() if self.corner(c)}}
        heat = {
            t: {
                str(i): min(5, self.heat(t, i) + len(touched) // 2)
                if self.level(self.mover, t) == 2 and -1 <= i <= state["n"] else self.heat(t, i)
                for i in SMALL
            }
            for t in TINTS
        }  # fmt: skip
        return self.after(wide={high: 1000 - state["wide"][high]}, flag={self.opponent: flags}, heat=heat)

    def choices(self) -> list[Move]:
        tried: list[tuple[str, dict[str, Any], Position | None]] = [
            *(("heat_up", {"t": t, "by": by}, self.heat_up(t, by)) for t in TINTS for by in range(-2, 3)),
            *(("flag", {"c": c}, self.raise_flag(c)) for c in self.board),
            *(("step", {"to": c}, self.step(c)) for c in self.board),
            *(("turn", {"i": i}, self.turn(i)) for i in SMALL),
            *(("edge", {"d": d}, self.edge(d)) for d in CROSS),
        ]
        return [(kind, params, after) for kind, params, after in tried if after is not None]


def most(values: dict[str, int], least: bool = False) -> list[str]:
    """The players with the largest (or smallest) value."""
    best = min(values.values()) if least else max(values.values())
    return [player for player in PLAYERS if values[player] == best]


def outcome(
    position: Position, size: int = 3, speed: str = "slow", bonus: int = 2, polite: bool = True, shift: int = -3
) -> Outcome | None:
    zoo, state = Zoo(position, size, bonus, polite), position["state"]
    last = position["mover"] if state["again"] else other(PLAYERS, position["mover"])
    if all(len({zoo.heat(t, i) for i in SMALL}) == 1 for t in TINTS) and state["n"] == 3:
        return won("Ann")
    if state["wide"]["-1"] == 777:
        return won(other(PLAYERS, last))
    scores = {player: zoo.score(player) for player in PLAYERS}
    if zoo.flagged("Ann") == zoo.flagged("Bob") and state["n"] > 0 and zoo.flagged("Ann"):
        ahead = most(scores)
        if len(ahead) > 1:
            worst = state["worst"]
            ahead = most({p: -9 if worst[p] is None else worst[p] for p in PLAYERS}, least=True)
        return won(ahead[0] if len(ahead) == 1 else None)
    if zoo.choices():
        return None
    ahead = most(scores, least=True)
    if len(ahead) > 1:
        ahead = most({p: zoo.spread(p) for p in PLAYERS})
    return won(ahead[0] if len(ahead) == 1 else "Bob")


def moves(
    position: Position, size: int = 3, speed: str = "slow", bonus: int = 2, polite: bool = True, shift: int = -3
) -> list[Move]:
    if outcome(position, size, speed, bonus, polite, shift):
        return []
    return Zoo(position, size, bonus, polite).choices()


def estimate(position: Position, size: int = 3, bonus: int = 2, polite: bool = True) -> int:
    """The value of a position for Ann; `moves(me)` is what a player could do as the mover."""
    zoo = Zoo(position, size, bonus, polite)

    def terms(me: str) -> int:
        moves_ = len(Zoo({**position, "mover": me}, size, bonus, polite).choices())
        spot = int(HOME[me] == zoo.state["spot"])
        coldest = min(zoo.heat("red", i) for i in SMALL)
        hate = sum(zoo.state["flag"][other(PLAYERS, me)][c] for c in zoo.touched())
        return 3 * (zoo.score(me) - coldest) - 2 * hate + moves_ + 5 * spot

    return terms("Ann") - terms("Bob")
