"""A game with hidden information as a tree in flat arrays: every sequence of moves is a node.

In: a place to begin at, of any type, and a function that says of a place whose turn it is, what that player knows, and
what follows.  Out: a `GameTree`; `LimitReached` beyond so many nodes, and `ForgetfulPlayer` where a player does not
remember what he knew or did, for then none of what is computed of a tree would be true.

Nodes are numbered breadth first, so the children of a node lie side by side, and each node behind its parent: what goes
down the tree is a loop over the arrays, and what goes up is one from their end.  An information set is what a player
knows where he is to move; its moves are numbered through all information sets, so that a strategy is one array.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from pysolve.engines.protocol import EngineError, LimitReached
from pysolve.runtime.cancellation import go_on

NODES = 2_000_000  # of a tree at most, by default: some 50 bytes each, some hundred more while it grows
CHANCE = 0  # in the place of a player

Place = TypeVar("Place")
Tick = Callable[[int], None]


class ForgetfulPlayer(EngineError):
    """A player comes to know the same by ways on which he knew or did something else."""


class Situation(NamedTuple, Generic[Place]):
    """All that a tree has to know of a place."""

    player: int  # whose turn it is, from 1; `CHANCE` where nobody chooses, and where the game is over
    information: Hashable  # what that player knows; two places that he cannot tell apart have the same
    moves: Sequence[Hashable]  # the same in each place of an information set, and in the same order
    after: Sequence[Place]  # a place for each move
    weights: Sequence[float] | None = None  # of the moves, where nobody chooses
    payoffs: Sequence[float] | None = None  # of each player, where the game is over


class InformationSet(NamedTuple):
    """What a player knows where he is to move, and the moves between which he chooses."""

    player: int
    information: Hashable
    moves: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class GameTree:
    """A game as arrays: `i` counts nodes, `s` information sets, and `a` the moves of all information sets."""

    players: int
    first: array[int] = field(repr=False)  # children of node i: first[i] to first[i + 1] - 1; none where it is over
    mover: array[int] = field(repr=False)  # of node i: a player, or CHANCE
    chance: array[float] = field(repr=False)  # how likely chance, where it moves, is to go to node i from its parent
    place: array[int] = field(repr=False)  # the information set of node i; -1 where no player moves
    payoffs: array[float] = field(repr=False)  # of player p at node i: payoffs[i * players + p - 1]; 0 before the end
    begin: array[int] = field(repr=False)  # the moves of information set s: begin[s] to begin[s + 1] - 1
    owner: array[int] = field(repr=False)  # of information set s
    parent: array[int] = field(repr=False)  # the owner's last move a before information set s; -1 if it is his first
    sets: tuple[InformationSet, ...] = field(repr=False)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.mover)

    @property
    def moves(self) -> int:
        """The number of moves of all information sets: the length of a strategy."""
        return self.begin[-1]

    def uniform(self) -> array[float]:
        """The strategy that plays every move of an information set alike."""
        sizes = (end - start for start, end in zip(self.begin, self.begin[1:], strict=False))
        return array("d", [1 / size for size in sizes for _ in range(size)])


def grow(
    root: Place, look: Callable[[Place], Situation[Place]], players: int, nodes: int = NODES, tick: Tick | None = None
) -> GameTree:
    """The tree of all that may follow a place; `tick` hears of so many more nodes."""
    growing = _Growing(players)
    places: list[Place | None] = [root]
    lasts: list[tuple[int, ...]] = [(-1,) * players]  # the last move of each player before a node
    for number, place in enumerate(places):  # grows while it is walked
        if number % 1024 == 0:
            go_on()
            if tick is not None and number:
                tick(1024)
        assert place is not None
        situation, last = look(place), lasts[number]
        places[number], lasts[number] = None, ()
        if len(places) + len(situation.after) > nodes:
            raise LimitReached(f"the tree of the game has more than {nodes:,} nodes")
        moves = growing.node(situation, last)
        places += situation.after
        before, behind = last[: situation.player - 1], last[situation.player :]
        lasts += [(*before, move, *behind) for move in moves] if moves else [last] * len(situation.after)
    return growing.tree()


class _Growing:
    """The arrays of a tree, while they grow."""

    def __init__(self, players: int):
        self._players = players
        self._first, self._mover, self._chance = array("i", [1]), array("b"), array("d", [1.0])
        self._place, self._payoffs = array("i"), array("d")
        self._begin, self._owner, self._parent = array("i", [0]), array("b"), array("i")
        self._sets: list[InformationSet] = []
        self._numbers: dict[tuple[int, Hashable], int] = {}

    def node(self, here: Situation[Place], last: tuple[int, ...]) -> Sequence[int]:
        """Adds a node behind all others; the numbers of its moves, if a player chooses there."""
        self._mover.append(here.player)
        self._first.append(self._first[-1] + len(here.after))
        self._payoffs.extend([0.0] * self._players if here.payoffs is None else map(float, here.payoffs))
        if here.player == CHANCE:
            self._place.append(-1)
            whole = sum(here.weights or ())
            self._chance.extend(weight / whole for weight in here.weights or ())
            return ()
        self._chance.extend([1.0] * len(here.after))
        number = self._set(here, last[here.player - 1])
        self._place.append(number)
        return range(self._begin[number], self._begin[number + 1])

    def _set(self, here: Situation[Place], last: int) -> int:
        """The number of the information set of a node."""
        key = here.player, here.information
        number = self._numbers.setdefault(key, len(self._sets))
        if number == len(self._sets):
            self._sets.append(InformationSet(*key, tuple(here.moves)))
            self._owner.append(here.player)
            self._parent.append(last)
            self._begin.append(self._begin[-1] + len(here.moves))
        known = self._sets[number]
        if known.moves != tuple(here.moves):
            raise ForgetfulPlayer(
                f"player {here.player} has other legal moves where he knows the same: the moves of the mover must not "
                "depend on what he has not seen"
            )
        if self._parent[number] != last:
            raise ForgetfulPlayer(f"player {here.player} forgets what he has done: no equilibrium is computed")
        return number

    def tree(self) -> GameTree:
        """What has grown."""
        return GameTree(
            self._players, self._first, self._mover, self._chance, self._place, self._payoffs, self._begin,
            self._owner, self._parent, tuple(self._sets),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Order:
    """The nodes of a tree in the order in which a player's best response is found.

    Before his choice at an information set is known, all that follows each of its nodes has to be valued, and these may
    lie at different depths.  So nodes are sorted by how many times he has moved before them, most first; there his own
    ones come first, then the others, the deepest first.
    """

    nodes: array[int]
    own: array[int]  # of each group: where his own nodes end
    ends: array[int]  # of each group: where it ends


def order_of(tree: GameTree, player: int) -> Order:
    """The order of nodes for a player's best response."""
    level = array("i", bytes(4 * tree.nodes))
    first, mover = tree.first, tree.mover
    groups: list[tuple[list[int], list[int]]] = [([], [])]
    for node in range(tree.nodes):
        mine = mover[node] == player
        below = level[node] + mine
        if below == len(groups):
            groups.append(([], []))
        groups[level[node]][not mine].append(node)
        for child in range(first[node], first[node + 1]):
            level[child] = below
    nodes, own, ends = array("i"), array("i"), array("i")
    for his, others in reversed(groups):
        nodes.extend(his)
        own.append(len(nodes))
        nodes.extend(reversed(others))
        ends.append(len(nodes))
    return Order(nodes, own, ends)
