"""Monte Carlo tree search: UCT, with proofs.

In: an engine, a state, limits, a seed.  Out: the best move, how good it seems, and whether that is proven.

    selection   from the root down the child with the highest  mean + explore * sqrt(ln(visits) / child's visits), with
                means from 0 to 1 for the player to move; children never visited come first, in an order by lot
    leaf        a game of random moves (`playout`), or what the `evaluate` block says of the position (`evaluate`),
                pressed between loss and win by the average size of such values so far
    proof       a finished game is proven; so is a position with a move that is proven won, or whose moves are all
                proven.  What is proven lost is visited no more, and when the root is proven the search ends

The tree has a node for each way, so endings that ask about the game so far are judged as in play.  The mover may be the
same after a move (`again`): values are kept for the first player and turned for whoever chooses.

Sources: L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning, ECML 2006; M. H. M. Winands, Y. Björnsson and
J.-T. Saito, Monte-Carlo Tree Search Solver, Computers and Games 2008.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from dsl.players import EVALUATE, PLAYOUT
from pysolve.engine import Engine, Move, Node, State
from pysolve.search.past import Past, payoff
from pysolve.search.playouts import game_lots, playout, playouts

EXPLORE = 1.0
LONGEST = 1000  # moves after which a random game counts as a draw

_NO_PAST = Past()


@dataclass(frozen=True, slots=True)
class Tried:
    """What is known of a move: how often it was visited, its mean from -1 to 1, and its result, if proven."""

    move: Move
    visits: int
    mean: float
    proven: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """What a search has found, for the player to move."""

    value: float  # from -1, a loss, to 1, a win
    proven: int | None  # 1, 0 or -1 if that is certain
    line: tuple[Move, ...]  # the moves visited most
    visits: int
    moves: tuple[Tried, ...]  # those of the root, best first
    seconds: float = 0.0

    @property
    def best(self) -> Move | None:
        """The best move; None if the game is over."""
        return self.line[0] if self.line else None


def mcts(
    engine: Engine,
    state: State,
    visits: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    leaf: str = PLAYOUT,
    explore: float = EXPLORE,
    past: Past = _NO_PAST,
) -> Result:
    """The best move by so many visits of leaves, or as many as there is time for.

    With `visits` alone the result is the same on every engine and machine.
    """
    if visits is None and seconds is None:
        raise ValueError("a search needs a limit: visits or seconds")
    began = time.monotonic()
    until = math.inf if seconds is None else began + seconds
    tree = _Tree(engine, state, seed, leaf, explore, past)
    while tree.root.proven is None and (visits is None or tree.root.visits < visits):
        tree.grow()
        if time.monotonic() > until:
            break
    return tree.result(time.monotonic() - began)


class _Way:
    """A node of the tree: a position as it is reached by one way."""

    __slots__ = ("children", "fresh", "node", "proven", "state", "total", "visits")

    def __init__(self, state: State):
        self.state = state
        self.node: Node | None = None  # the engine's answers, after the first visit
        self.children: list[tuple[int, _Way]] = []  # visited ones, with the numbers of their moves
        self.fresh: list[int] = []  # numbers of moves that were never visited
        self.visits = 0
        self.total = 0.0  # of all visits, for the first player
        self.proven: int | None = None  # for the first player

    @property
    def sign(self) -> int:
        """1 if the first player is to move, otherwise -1."""
        return 1 if self.state[0] == 1 else -1

    def value(self, sign: int) -> float:
        """How good it seems to the player of that sign."""
        return sign * (self.total / max(1, self.visits) if self.proven is None else self.proven)


class _Tree:
    """A search that goes on visit by visit."""

    def __init__(self, engine: Engine, state: State, seed: int, leaf: str, explore: float, past: Past):
        self._engine = engine
        self._seed = seed
        self._leaf = leaf
        self._explore = explore
        self._past = past
        self._chance = Random(seed)
        self._remembers = engine.game.remembers
        self._identity = engine.game.identity
        self._size, self._sized = 0, 0  # the sum of the sizes of estimates, and how many they were
        self.root = _Way(state)

    def grow(self) -> None:
        """One visit: down to a leaf, and its value back up."""
        path = [self.root]
        while path[-1].proven is None and path[-1].node is not None:
            path.append(self._chosen(path[-1]))
        leaf = path[-1]
        value = self._visit(path) if leaf.proven is None else float(leaf.proven)
        proven = False  # whether the node below has been
        for way in reversed(path):
            way.visits += 1
            way.total += value
            if proven and way.proven is None:
                way.proven = _proof(way)
            proven = way.proven is not None

    def _chosen(self, way: _Way) -> _Way:
        """The child that the next visit goes to."""
        if way.fresh:
            at = self._chance.randrange(len(way.fresh))
            way.fresh[at], way.fresh[-1] = way.fresh[-1], way.fresh[at]
            index = way.fresh.pop()
            assert way.node is not None
            child = _Way(way.node.child(index))
            way.children.append((index, child))
            return child
        sign, log = way.sign, math.log(way.visits)
        best, highest = way.children[0][1], -math.inf
        for _, child in way.children:
            if child.proven == -sign:
                continue
            promise = child.value(sign) / 2 + self._explore * math.sqrt(log / child.visits)
            if promise > highest:
                best, highest = child, promise
        return best

    def _visit(self, path: list[_Way]) -> float:
        """The value, for the first player, of a leaf that is visited for the first time."""
        leaf = path[-1]
        node = self._engine.expand(leaf.state)
        turns, seen = self._history(path)
        result = payoff(self._engine, leaf.state, node, turns, seen.get(self._identity(leaf.state), 1))
        if result is not None:
            leaf.proven = result[0]
            return leaf.proven
        leaf.node, leaf.fresh = node, list(range(len(node)))
        if self._leaf == EVALUATE:
            return self._estimate(leaf.state)
        seed = self._seed + self.root.visits
        if self._remembers:
            found, _ = playout(self._engine, leaf.state, game_lots(seed), LONGEST, turns, seen)
            return found[0] if found is not None else 0.0
        wins = playouts(self._engine, leaf.state, 1, seed, LONGEST).wins
        return wins[0] - sum(wins[1:])

    def _history(self, path: list[_Way]) -> tuple[int, dict[State, int]]:
        """Turns played before the end of a path, and how often each state has occurred, in a game that remembers."""
        if not self._remembers:
            return 0, {}
        turns, seen = self._past.turns, dict(self._past.seen)
        for before, way in pairwise(path):
            turns += before.state[0] != way.state[0]
            known = self._identity(way.state)
            seen[known] = seen.get(known, 0) + 1
        return turns, seen

    def _estimate(self, state: State) -> float:
        value = self._engine.estimate(state)[0]
        self._size += abs(value)
        self._sized += 1
        return value / (abs(value) + self._size / self._sized) if value else 0.0

    def result(self, seconds: float) -> Result:
        """What has been found so far."""
        root, sign = self.root, self.root.sign
        tried = []
        for index, child in _ranked(root):
            certain = None if child.proven is None else sign * child.proven
            tried.append(Tried(_move(root, index), child.visits, child.value(sign), certain))
        line, way = list[Move](), root
        while way.children:
            index, child = _ranked(way)[0]
            line.append(_move(way, index))
            way = child
        if not line and root.node is not None:
            line = list(root.node.moves[:1])
        proven = None if root.proven is None else sign * root.proven
        return Result(root.value(sign), proven, tuple(line), root.visits, tuple(tried), seconds)


def _proof(way: _Way) -> int | None:
    """What a position is proven to be, by its children, for the first player."""
    sign = way.sign
    known = [sign * child.proven for _, child in way.children if child.proven is not None]
    if 1 in known:
        return sign
    return sign * max(known) if not way.fresh and len(known) == len(way.children) else None


def _ranked(way: _Way) -> list[tuple[int, _Way]]:
    """The children, best first: proven wins, then by visits and value, proven losses last; of equal ones the first."""
    sign = way.sign

    def rank(one: tuple[int, _Way]) -> tuple[int, int, float, int]:
        index, child = one
        certain = 0 if child.proven is None else sign * child.proven
        return -certain, -child.visits, -child.value(sign), index

    return sorted(way.children, key=rank)


def _move(way: _Way, index: int) -> Move:
    assert way.node is not None
    return way.node.moves[index]
