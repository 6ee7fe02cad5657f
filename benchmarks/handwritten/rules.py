"""Zola on 6x6 and Conga on 4x4 (sowing adds) as fast plain Python, the peer of the Prolog files.

In: a state, in the bytes that `zola.pl` and `conga.pl` describe.  Out: a node with the winner, the
moves in canonical order, and children that are built when asked for.  A move is its action and its
parameters, all counted from 1, as in the records of the Prolog files.
"""

from collections.abc import Callable
from dataclasses import dataclass

Move = tuple[int, ...]
Target = tuple[int, Move]  # a cell, and the move that goes there

PASS: Move = (3,)


@dataclass(slots=True)
class Node:
    """What can be asked about one state."""

    state: bytes
    winner: int | None  # None while the game goes on
    moves: list[Move]
    play: Callable[[bytes, Move], bytes]

    def child(self, index: int) -> bytes:
        """The state after the move of that index."""
        return self.play(self.state, self.moves[index])


def expand_zola(state: bytes) -> Node:
    """The winner, or the retreats and captures, or the pass."""
    mover = state[0]
    enemy = 3 - mover
    if state.find(enemy, 1) < 0:
        return Node(state, mover, [], play_zola)
    if state.find(mover, 1) < 0:
        return Node(state, enemy, [], play_zola)
    retreats = []
    captures = []
    start = state.find(mover, 1)
    while start > 0:
        for target, move in OUTWARD[start]:
            if not state[target]:
                retreats.append(move)
        for ray in RAYS[start]:
            for target, move in ray:
                owner = state[target]
                if owner:
                    if owner == enemy:
                        captures.append(move)
                    break
        start = state.find(mover, start + 1)
    captures.sort()
    return Node(state, None, retreats + captures or [PASS], play_zola)


def play_zola(state: bytes, move: Move) -> bytes:
    """The state after `move`."""
    after = bytearray(state)
    after[0] = 3 - state[0]
    if move != PASS:
        _, start, target = move
        after[start] = 0
        after[target] = state[0]
    return bytes(after)


def expand_conga(state: bytes) -> Node:
    """The moves, or the enemy as the winner where there are none."""
    mover = state[0]
    enemy = 3 - mover
    moves = []
    start = state.find(mover, 1, 17)
    while start > 0:
        for target, move in SOWINGS[start]:
            if state[target] != enemy:
                moves.append(move)
        start = state.find(mover, start + 1, 17)
    return Node(state, None if moves else enemy, moves, play_conga)


def play_conga(state: bytes, move: Move) -> bytes:
    """The state after `move`: 1, 2 and the rest on up to three cells that no enemy holds."""
    _, start, direction = move
    mover = state[0]
    enemy = 3 - mover
    after = bytearray(state)
    after[0] = enemy
    after[start] = after[16 + start] = 0
    hand = state[16 + start]
    last = 0
    for portion, cell in enumerate(LINES[start, direction], 1):
        if not hand or state[cell] == enemy:
            break
        dropped = min(portion, hand)
        after[cell] = mover
        after[16 + cell] += dropped
        hand -= dropped
        last = cell
    after[16 + last] += hand
    return bytes(after)


def outward(cell: int) -> list[Target]:
    """The neighbours of `cell` that are farther from the centre, in order, with the retreats."""
    neighbours = sorted(beyond[0] for beyond in lines(6, cell) if beyond)
    return [(to, (1, cell, to)) for to in neighbours if from_centre(to) > from_centre(cell)]


def rays(cell: int) -> list[list[Target]]:
    """For each direction with any the cells not farther out, nearest first, with the captures.

    Along a line the distance falls before it rises, so no cell farther out stands before these.
    """
    found: list[list[Target]] = [
        [(to, (2, cell, to)) for to in beyond if from_centre(to) <= from_centre(cell)] for beyond in lines(6, cell)
    ]
    return [ray for ray in found if ray]


def sowings(cell: int) -> list[Target]:
    """For each direction with room the first cell beyond `cell`, with the move."""
    return [(beyond[0], (1, cell, direction)) for direction, beyond in enumerate(lines(4, cell), 1) if beyond]


def lines(size: int, cell: int) -> list[list[int]]:
    """For each direction, clockwise from north, the cells beyond `cell`, nearest first."""
    y, x = divmod(cell - 1, size)
    directions = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    return [
        [
            1 + x + steps * dx + size * (y + steps * dy)
            for steps in range(1, size)
            if 0 <= x + steps * dx < size and 0 <= y + steps * dy < size
        ]
        for dx, dy in directions
    ]


def from_centre(cell: int) -> int:
    """Four times the squared distance of `cell` from the centre of the 6x6 board."""
    y, x = divmod(cell - 1, 6)
    return (2 * x - 5) ** 2 + (2 * y - 5) ** 2


# Cells count from 1, so the tables that they index begin with an empty entry.
OUTWARD = [[], *(outward(cell) for cell in range(1, 37))]
RAYS = [[], *(rays(cell) for cell in range(1, 37))]
SOWINGS = [[], *(sowings(cell) for cell in range(1, 17))]
LINES = {(cell, direction): beyond for cell in range(1, 17) for direction, beyond in enumerate(lines(4, cell), 1)}
