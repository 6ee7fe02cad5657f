"""Monte Carlo tree search: UCT, with proofs.

In: an engine, a state, limits, a seed.  Out: the best move, how good it seems, and whether that is proven.

    selection   from the root down the child with the highest  value + explore * sqrt(ln(visits) / child's visits), with
                values from 0 to 1 for the player to move; children never visited come first, in random order
    bias        bias * h / (child's visits + 1) is added, where h is the scaled estimate of the child, so it matters
                while visits are few; children never visited come in the order of h
    leaf        the result of a game of random moves (`playout`), or the estimate of the `evaluate` block (`evaluate`),
                scaled to lie between loss and win by the mean absolute value of all estimates so far
    backup      the value of a position is the mean of all visits (`mean`), or, as soon as all its children have been
                visited, that of the best of them (`max`)
    proof       a finished game is proven; so is a position with a move that is proven won, or whose moves are all
                proven.  Proven positions are not visited again; when the root is proven the search ends.  A position
                whose mover has a proven draw is worth at least a draw
    tree        a position is expanded at its second visit; if there is no room for its children, it stays a leaf
    reuse       one of its positions becomes the root (`advance`); everything below it is kept

The tree has a node for each sequence of moves, so endings that ask about the game so far are judged as in play.  The
mover may be the same after a move (`again`): values are for the first player, and negated where the second chooses.

Values are whole numbers, in units of 1 / ONE, and roots and logarithms come from tables: so the native engine, which
runs the same search in C (dsl/to_c/runtime/tree_search.c: grow), makes the same visits, whatever compiler is used.

Sources: L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning, ECML 2006; M. H. M. Winands, Y. Björnsson and
J.-T. Saito, Monte-Carlo Tree Search Solver, Computers and Games 2008; G. M. J.-B. Chaslot, M. H. M. Winands, H. J. van
den Herik, J. W. H. M. Uiterwijk and B. Bouzy, Progressive Strategies for Monte-Carlo Tree Search, New Mathematics and
Natural Computation 4 (2008).
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dsl.model import Game
from dsl.model.player_texts import EVALUATE, MAX, MEAN, PLAYOUT
from pysolve import doors
from pysolve.engine import Engine, Move, Node, State, looking
from pysolve.search.history import History, checked_history, payoff
from pysolve.search.playouts import drawing, game_lots, playout
from pysolve.stopping import go_on

EXPLORE = 1.0
BIAS = 0.5
LONGEST = 1000  # moves after which a random game counts as a draw
HEAVIEST = 1e6  # weights up to this can be set
ROOM = 1 << 20  # positions in a tree by default, those not visited yet included
MOST_ROOM = 1 << 30  # the largest value of `room`
DEEPEST = 512  # positions on the way to a leaf
ONE = 1 << 20  # a win
FINE = 1 << 10  # the weights `explore` and `bias` are kept in units of 1 / FINE
EXACT = 1 << 10  # counts from here on are rounded, to be looked up in a table
LOOKED_AT = 2000  # positions of a tree that are searched for the one to go on from

_NO_HISTORY = History()


class Settings(NamedTuple):
    """How a tree grows."""

    leaf: str = PLAYOUT
    explore: float = EXPLORE
    bias: float = BIAS
    backup: str = MEAN
    room: int = ROOM


class Branch(NamedTuple):
    """A visited position of a tree, with the move that leads to it; value and proof are for the first player."""

    move: Move
    number: int  # index of the move in canonical order
    sign: int  # 1 if the first player is to move, otherwise -1
    visits: int
    value: int
    proven: int | None
    at: Any  # its node, an argument of `branches` and `advance`


class Tree(Protocol):
    """A search that goes on visit by visit."""

    played: int  # moves of random games so far

    def grow(self, visits: int | None, until: float | None, seed: int) -> None:
        """Makes `visits` more visits, or visits until `time.monotonic()` is `until`, or until the root is proven."""

    def root(self) -> Branch:
        """The root, as a branch."""

    def branches(self, at: Any) -> list[Branch]:
        """The visited children of a node."""

    def advance(self, at: Any, state: State, history: History) -> None:
        """Makes a node of the tree the root and drops everything that is not below it."""


@runtime_checkable
class TreeEngine(Protocol):
    """An engine with a tree of its own."""

    def tree(self, state: State, settings: Settings, history: History) -> Tree:
        """A new tree whose root is `state`, reached by `history`."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What is known of a move: number of visits, value from -1 to 1, and result (-1, 0 or 1) if proven, else None."""

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
    played: int  # moves of random games
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
    settings: Settings = Settings(),  # noqa: B008  a constant
    history: History = _NO_HISTORY,
    tree: Tree | None = None,
) -> Result:
    """The best move after `visits` visits, or as many as `seconds` allow; `tree` is an earlier tree of this state.

    With `visits` alone the result is the same on every engine and machine.  Raises `TypeError`, `ValueError` or
    `InvalidState` for invalid arguments.
    """
    doors.engine(engine)
    visits, seconds, seed = doors.whole_or_none("visits", visits, 1), doors.seconds(seconds), doors.seed(seed)
    if visits is None and seconds is None:
        raise ValueError("a search needs a limit: visits or seconds")
    began = time.monotonic()
    tree = tree or planted(engine, state, settings, history)
    before = tree.played
    tree.grow(visits, None if seconds is None else began + seconds, seed)
    return _result(engine, state, tree, tree.played - before, time.monotonic() - began)


def planted(engine: Engine, state: State, settings: Settings, history: History = _NO_HISTORY) -> Tree:
    """A new tree that has only a root."""
    settings, history = checked_settings(settings), checked_history(engine.game, history)
    engine.expand(state)  # refuses what is no state
    if isinstance(engine, TreeEngine):
        return engine.tree(state, settings, history)
    return PythonTree(engine, state, settings, history)


def _result(engine: Engine, state: State, tree: Tree, played: int, seconds: float) -> Result:
    root = tree.root()
    tried = []
    for branch in ranked(tree, root):
        certain = None if branch.proven is None else root.sign * branch.proven
        tried.append(Tried(branch.move, branch.visits, root.sign * branch.value / ONE, certain))
    line, here = list[Move](), root
    while best := ranked(tree, here)[:1]:
        here = best[0]
        line.append(here.move)
    proven = None if root.proven is None else root.sign * root.proven
    if not line and proven is None:
        line = list(engine.expand(state).moves[:1])
    return Result(root.sign * root.value / ONE, proven, tuple(line), root.visits, tuple(tried), played, seconds)


def ranked(tree: Tree, branch: Branch) -> list[Branch]:
    """The visited children of a branch: proven wins, then by visits and value, then proven draws, proven losses last.

    If the value of the most visited child is worse than a draw, a proven draw comes before it.
    """
    sign = branch.sign

    def rank(one: Branch) -> tuple[int, int, int, int]:
        certain = 0 if one.proven is None else {1: -1, 0: 1, -1: 2}[sign * one.proven]
        return certain, -one.visits, -sign * one.value, one.number

    found = sorted(tree.branches(branch.at), key=rank)
    if found and found[0].proven is None and sign * found[0].value < 0:
        found.sort(key=lambda one: one.proven != 0)
    return found


def checked_settings(settings: Any) -> Settings:
    """The settings, checked; raises `TypeError` or `ValueError`."""
    doors.instance("settings", settings, Settings, "Settings")
    leaf, explore, bias, backup, room = settings
    for name, word, words in (("leaf", leaf, (PLAYOUT, EVALUATE)), ("backup", backup, (MEAN, MAX))):
        if word not in words:
            raise ValueError(f"{name} must be {' or '.join(words)}, not {doors.shown(word)}")
    explore, bias = (doors.number(n, w, 0, HEAVIEST) for n, w in (("explore", explore), ("bias", bias)))
    return Settings(leaf, explore, bias, backup, doors.whole("room", room, 1, MOST_ROOM))


def place_of(engine: Engine, tree: Tree, branch: Branch, state: State, goal: State, met: Counter[State]) -> Any | None:
    """The nearest node for the state `goal` at or below a branch, which leads to `state`; None if there is none.

    In a game that remembers, the states on the way, as `repeated` compares them, must be those that were `met`.
    """
    identity = engine.game.identity
    todo: deque[tuple[State, Branch, tuple[State, ...]]] = deque([(state, branch, ())])
    for _ in range(LOOKED_AT):
        if not todo:
            break
        here, branch, way = todo.popleft()
        if here == goal and (not engine.game.remembers or Counter(way) == met):
            return branch.at
        known = tree.branches(branch.at)
        node = engine.expand(here) if known else None
        for one in known:
            assert node is not None
            child = node.child(one.number)
            todo.append((child, one, (*way, identity(child))))
    return None


# ------------------------------------------------------------------------------------------- weights


def place_in_table(count: int) -> int:
    """The index of a count in the tables of `weights`; from EXACT on only its ten highest bits matter."""
    more = max(0, count.bit_length() - EXACT.bit_length() + 1)
    return EXACT // 2 * more + (count >> more)


@cache
def weights() -> tuple[list[int], list[int]]:
    """sqrt(ln n) and 1 / sqrt(n) for counts n, by `place_in_table`, in units of 1 / ONE."""
    counts = list(range(1, EXACT))
    for more in range(1, 32):
        counts += [top << more for top in range(EXACT // 2, EXACT)]
    roots_of_logs = [0] + [round(ONE * math.sqrt(math.log(count))) for count in counts]
    return roots_of_logs, [0] + [round(ONE / math.sqrt(count)) for count in counts]


def weight(setting: float) -> int:
    """A weight in the units of the search, doubled because values range from -1 to 1."""
    return round(2 * setting * FINE)


def bias_of(game: Game, settings: Settings) -> int:
    """The weight of the bias; 0 in a game without an `evaluate` block."""
    return weight(settings.bias) if game.terms else 0


# ------------------------------------------------------------------------------------ the tree in Python


class _Way:
    """A node of the tree: a position, reached by one sequence of moves."""

    __slots__ = (
        "children", "drawn", "index", "node", "order", "priors", "proven", "state", "total", "value", "visits",
    )  # fmt: skip

    def __init__(self, state: State, index: int = -1):
        self.state = state
        self.index = index  # of the move that leads here
        self.node: Node | None = None  # the engine's answers, after the first visit
        self.order: list[int] = []  # indices of the moves, in the order of first visits
        self.priors: list[int] = []  # the scaled estimate after each move
        self.children: list[_Way] = []  # those that were visited
        self.visits = 0
        self.total = 0  # of all visits, for the first player, like all values here
        self.value = 0
        self.proven: int | None = None
        self.drawn = False  # is a child proven to be a draw?

    @property
    def sign(self) -> int:
        """1 if the first player is to move, otherwise -1."""
        return 1 if self.state[0] == 1 else -1


class PythonTree:
    """The readable reference implementation, for any engine."""

    def __init__(self, engine: Engine, state: State, settings: Settings, history: History):
        self._engine = engine
        self._look = looking(engine)
        self._leaf = settings.leaf
        self._explore = weight(settings.explore)
        self._bias = bias_of(engine.game, settings)
        self._backup = settings.backup
        self._room = settings.room
        self._identity = engine.game.identity
        self._drawn = drawing(engine.game)
        self._roots_of_logs, self._inverse_roots = weights()
        self._sizes, self._sized = 0, 0  # the sum of the absolute values of all estimates, and their number
        self._lots: Iterator[int] = iter(())
        self._seed = 0
        self.played = 0
        self._begin(_Way(state), history)

    def _begin(self, root: _Way, history: History) -> None:
        self._root = root
        self._turns = history.turns
        self._seen = {self._identity(root.state): 1, **history.seen} if self._engine.game.remembers else {}
        self._used = 1 + _children_below(root)

    def root(self) -> Branch:
        """The root, as a branch."""
        return self._branch(self._root, ())

    def branches(self, at: _Way) -> list[Branch]:
        """The visited children of a node."""
        return [self._branch(child, at.node.moves[child.index] if at.node else ()) for child in at.children]

    @staticmethod
    def _branch(way: _Way, move: Move) -> Branch:
        return Branch(move, way.index, way.sign, way.visits, way.value, way.proven, way)

    def advance(self, at: _Way, state: State, history: History) -> None:
        """Makes a node of the tree the root and drops everything that is not below it."""
        self._begin(at, history)

    def grow(self, visits: int | None, until: float | None, seed: int) -> None:
        """Visits until `visits` are made, the clock (`time.monotonic`) passes `until`, or the root is proven."""
        self._lots = game_lots(~seed)
        number = 0
        while self._root.proven is None and number != visits:
            go_on()
            self._visit(seed + number)
            number += 1
            if until is not None and time.monotonic() > until:
                break

    def _visit(self, seed: int) -> None:
        """One visit: walks down to a leaf, and backs its value up."""
        path = [self._root]
        while path[-1].proven is None and path[-1].visits and self._unfold(path):
            path.append(self._chosen(path[-1]))
        value = self._value(path, seed)
        proven: int | None = None  # the proven result of the child on the path
        for way in reversed(path):
            way.visits += 1
            way.total += value
            if proven is not None:
                way.drawn = way.drawn or proven == 0
                way.proven = _proof(way)
            proven = way.proven
            way.value = self._worth(way)

    def _worth(self, way: _Way) -> int:
        if way.proven is not None:
            return way.proven * ONE
        if self._backup == MAX and way.order and len(way.children) == len(way.order):
            return way.sign * max(way.sign * child.value for child in way.children)
        mean = way.total // way.visits
        return way.sign * max(0, way.sign * mean) if way.drawn else mean

    def _unfold(self, path: list[_Way]) -> bool:
        """True if the last node of a path has children; expands it if there is room."""
        way = path[-1]
        if way.order:
            return True
        assert way.node is not None
        count = len(way.node)
        if self._used + count > self._room or len(path) >= DEEPEST:
            return False
        self._used += count
        if self._bias:
            way.priors = [self._pressed(self._engine.estimate(child)[0]) for child in way.node.children()]
        way.order = list(range(count))
        for last in range(count - 1, 0, -1):
            at = (next(self._lots) >> 32) * (last + 1) >> 32
            way.order[at], way.order[last] = way.order[last], way.order[at]
        return True

    def _chosen(self, way: _Way) -> _Way:
        """The child that the next visit goes to."""
        sign, opened = way.sign, len(way.children)
        if opened < len(way.order):
            return self._fresh(way)
        log = self._roots_of_logs[place_in_table(way.visits)]
        best, highest = way.children[0], -(1 << 62)
        for child in way.children:
            if child.proven is not None:
                continue
            root = self._inverse_roots[place_in_table(child.visits)]
            promise = sign * child.value + (self._explore * (log * root >> 20) >> 10)
            if self._bias:
                promise += self._bias * sign * way.priors[child.index] // (FINE * (child.visits + 1))
            if promise > highest:
                best, highest = child, promise
        return best

    def _fresh(self, way: _Way) -> _Way:
        """A child never visited before: the next in order, or the one with the best estimate."""
        order, opened, sign = way.order, len(way.children), way.sign
        if self._bias:
            at = max(range(opened, len(order)), key=lambda at: sign * way.priors[order[at]])
            order[opened], order[at] = order[at], order[opened]
        assert way.node is not None
        way.children.append(_Way(way.node.child(order[opened]), order[opened]))
        return way.children[-1]

    def _value(self, path: list[_Way], seed: int) -> int:
        """The value of a leaf."""
        leaf = path[-1]
        turns, seen = self._history(path)
        if leaf.node is None:
            leaf.node = self._look(leaf.state)
            result = payoff(self._engine, leaf.state, leaf.node, turns, seen.get(self._identity(leaf.state), 1))
            if result is not None:
                leaf.proven = result[0]
                return result[0] * ONE
        if self._leaf == EVALUATE:
            return self._pressed(self._engine.estimate(leaf.state)[0])
        found, length = playout(self._engine, leaf.state, game_lots(seed), self._drawn, LONGEST, turns, seen)
        self.played += length
        return 0 if found is None else found[0] * ONE

    def _history(self, path: Sequence[_Way]) -> tuple[int, dict[State, int]]:
        """Turns played before the end of a path, and how often each state has occurred, in a game that remembers."""
        turns, seen = self._turns, dict(self._seen)
        if self._engine.game.remembers:
            for before, way in pairwise(path):
                turns += before.state[0] != way.state[0]
                known = self._identity(way.state)
                seen[known] = seen.get(known, 0) + 1
        return turns, seen

    def _pressed(self, estimate: int) -> int:
        """An estimate scaled to lie between loss and win."""
        size = abs(estimate)
        self._sizes += size
        self._sized += 1
        value = size * ONE // (size + self._sizes // self._sized) if size else 0
        return value if estimate > 0 else -value


def _children_below(root: _Way) -> int:
    """The number of children of all nodes at and below a root, those never visited included."""
    count, todo = 0, [root]
    while todo:
        way = todo.pop()
        count += len(way.order)
        todo += way.children
    return count


def _proof(way: _Way) -> int | None:
    """The result for the first player that the children of a node prove; None if they prove none."""
    sign = way.sign
    known = [sign * child.proven for child in way.children if child.proven is not None]
    if 1 in known:
        return sign
    return sign * max(known) if len(known) == len(way.order) else None
