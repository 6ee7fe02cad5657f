"""A small game for one to eight players, by hand: an engine that shares no code with the others.

Players put men on a board of four columns and three rows; three in a row win; who puts a man on a1 moves again.  When
the board is full, most pairs of neighbours win, and equal ones share.  `RULES` says the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pysolve
from pysolve.dsl.model.payoffs import payoffs
from pysolve.engines.protocol import Move, State

COLUMNS, ROWS = 4, 3
NAMES = ("Red", "Blue", "Green", "Yellow", "Black", "White", "Brown", "Grey")

RULES = """game "Threes"

players {players}

board square 4 by 3

state at(cell): player or none

define three(c: cell, d: direction) = every k in 0..2 has at(c + k * d) = mover
define pairs(p: player) = count c: cell, d in {{north, east}} where at(c) = p and at(c + d) = p

move place(to: cell) as "{{to}}"
  when at(to) = none
  do
    at(to) := mover
    if to = a1
      again

stuck most pairs
end mover wins when some c: cell, d in {{north, northeast, east, southeast}} has three(c, d)

evaluate
  pairs 7 : pairs(me)
  edge  3 : count c: cell where at(c) = me and row(c) = 1
"""

# A game of three in which men are captured.
HUNT = """game "Hunt"

players Red, Blue, Green
  out when no c: cell has at(c) = mover

board square 5 by 5

state at(cell): player or none

define home(p: player) = if p = Red then 1 else if p = Blue then 5 else 3
setup for p: player, c: cell where row(c) = home(p): at(c) := p

move step(from, to: cell) as "{from}{to}"
  when
    at(from) = mover
    at(to) != mover
    some d: direction has from + d = to
  do
    at(from) := none
    at(to) := mover

define men(p: player) = count c: cell where at(c) = p

stuck pass

end
  mover wins when no c: cell has at(c) in opponents
  rank men when turns >= 60

evaluate men 9 : men(me)
"""


@cache
def game(players: int) -> pysolve.Game:
    """The game by its rules, for so many players; one has nobody to compare with."""
    text = RULES.format(players=", ".join(NAMES[:players]))
    return pysolve.load(text if players > 1 else text.replace("stuck most pairs", "stuck draw"))


class Threes:
    """The game by hand."""

    name = "by hand"

    def __init__(self, players: int):
        self.game = game(players).model
        self._players = players

    def expand(self, state: State) -> Place:
        return Place(state, self._players)

    def estimate(self, state: State) -> tuple[int, ...]:
        everybody = range(1, self._players + 1)
        pairs, edge = ([count(state, one) for one in everybody] for count in (pairs_of, edge_of))
        return tuple(_line(7, pairs, me) + _line(3, edge, me) for me in range(self._players))

    def start(self, seed: int = 0) -> State:
        return bytes([1] + [0] * (self.game.size - 1))

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        return []

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        return None


def _line(weight: int, values: list[int], me: int) -> int:
    total = weight * sum(values[me] - value for value in values)
    size = abs(total) // max(1, len(values) - 1) if len(values) > 1 else abs(weight * values[0])
    return size if total >= 0 else -size


def lines(length: int, *steps: tuple[int, int]) -> list[tuple[int, ...]]:
    """The bytes of so many squares in a line, for each line on the board."""
    found = []
    for column, row, (dx, dy) in product(range(COLUMNS), range(ROWS), steps):
        squares = [(column + k * dx, row + k * dy) for k in range(length)]
        if all(x in range(COLUMNS) and y in range(ROWS) for x, y in squares):
            found.append(tuple(1 + x + COLUMNS * y for x, y in squares))
    return found


THREES = lines(3, (0, 1), (1, 1), (1, 0), (1, -1))
NEIGHBOURS = lines(2, (0, 1), (1, 0))


def pairs_of(state: State, player: int) -> int:
    return sum(state[one] == player == state[other] for one, other in NEIGHBOURS)


def edge_of(state: State, player: int) -> int:
    return state[1 : 1 + COLUMNS].count(player)


class Place:
    """The answers about one position."""

    def __init__(self, state: State, players: int):
        self._state, self._players = state, players
        self.payoff: tuple[int, ...] | None = None
        self.ending = 0
        won = [state[one] for one, two, three in THREES if state[one] and state[one] == state[two] == state[three]]
        free = [place for place in range(1, 1 + COLUMNS * ROWS) if not state[place]]
        if won:  # a row is made by who has just moved
            self.payoff, self.ending = payoffs(won[0], players), 1
        elif not free:
            pairs = [pairs_of(state, player) for player in range(1, players + 1)]
            first = [number == max(pairs) for number in pairs]
            self.payoff, self.ending = self._shared(first), 2
        self.moves: list[Move] = [] if self.ending else [(0, place) for place in free]

    def _shared(self, first: list[bool]) -> tuple[int, ...]:
        """Equal ones share; that all are equal is a draw."""
        number, of = sum(first), len(first)
        if number == of:
            return (0,) * of
        if number == 1:
            return payoffs(1 + first.index(True), of)
        return payoffs(1 << 24 | sum(1 << place for place, one in enumerate(first) if one), of)

    def child(self, index: int) -> State:
        _, place = self.moves[index]
        mover = self._state[0]
        after = bytearray(self._state)
        after[place] = mover
        following = mover % self._players + 1
        after[0] = mover if place == 1 else following
        if self._players > 1:  # the last byte says who has moved, where that is not the player before
            after[-1] = 0 if after[0] == following else 1 if self._players == 2 else mover
        return bytes(after)

    def children(self) -> Iterator[State]:
        return map(self.child, range(len(self.moves)))

    def __len__(self) -> int:
        return len(self.moves)
