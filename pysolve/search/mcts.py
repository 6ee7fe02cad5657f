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
    proof       of every position it is known between which results the true one lies: at a finished game both are its
                result, elsewhere they are the best for the player to move of those of the moves, and an unvisited move
                may lead to any.  Where both are equal the position is proven.  The value lies between them.  Moves that
                cannot be better than what is certain are not visited again; when the root is proven the search ends
    grave       with `grave`, a position knows of every move what came of the visits in which it was played later on, by
                whoever played it there (GRAVE, generalized rapid action value estimation).  A child's value is mixed
                with that of its move, m visits of its own with p later ones as m + p * m / even to p, so `even` visits
                of its own weigh as much as any number of later ones.  Asked is the nearest position above, or the one
                itself, that has `grave` visits, else the root; it takes down later moves from half as many on.  Only
                children of which nothing is known at all come first then.  There are as many facts as there is `room`
    prior       with `prior`, the estimate of a child counts as so many visits of it before the first, so no child has
                to be visited before the others
    policy      with a learned `policy`, which says how likely each move is to be the one that is played,
                puct * share * sqrt(visits) / (child's visits + 1) is added (PUCT).  A child that was never visited is
                worth what its parent is, so no child has to be visited before the others
    tree        a position is expanded at its second visit.  If there is no room for its children, it stays a leaf, and
                before the next visit the tree is cut back: at most half of the room stays, for the children of those
                positions that were visited most, n times or more; from then on a position is expanded when it has been
                visited n / 2 times.  n is a power of two, and never falls.  So it is with facts about later moves: as
                often as there is no room for more, `grave` doubles until at most half of them stay
    reuse       one of its positions becomes the root (`advance`); everything below it is kept

The tree has a node for each sequence of moves, so endings that ask about the game so far are judged as in play.  The
mover may be the same after a move (`again`): values are for the first player, and negated where the second chooses.
With three players or more a position has a value for each of them, from loss to sole win; a player chooses by his own.
There are no bounds then: a position is proven if the player to move has a move that is proven to win alone, or if all
moves are proven; it is what the first of those that are best for him is.  With one player all values are his.

Values are whole numbers, in units of 1 / ONE, and roots and logarithms come from tables: so the native engine, which
runs the same search in C (dsl/to_c/runtime/tree_search.c: grow), makes the same visits, whatever compiler is used.

Sources: L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning, ECML 2006; M. H. M. Winands, Y. Björnsson and
J.-T. Saito, Monte-Carlo Tree Search Solver, Computers and Games 2008; G. M. J.-B. Chaslot, M. H. M. Winands, H. J. van
den Herik, J. W. H. M. Uiterwijk and B. Bouzy, Progressive Strategies for Monte-Carlo Tree Search, New Mathematics and
Natural Computation 4 (2008); D. Silver et al., Mastering the Game of Go without Human Knowledge, Nature 550, 2017
(PUCT); T. Cazenave and A. Saffidine, Score Bounded Monte-Carlo Tree Search, Computers and Games
2010; T. Cazenave, Generalized Rapid Action Value Estimation, IJCAI 2015; S. Gelly and D. Silver, Combining Online and
Offline Knowledge in UCT, ICML 2007 (of priors, and of how later moves are weighed); of values for each player, N. R.
Sturtevant, An Analysis of UCT in Multi-Player Games, Computers and Games 2008.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from operator import add
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.analysis.sampling import by_weight
from pysolve.dsl.language.constants import COUNTED, FINE, GAME_LONGEST, ONE, TREE_DEEPEST
from pysolve.dsl.model import Game
from pysolve.dsl.player_texts import EVALUATE, MAX, MEAN, MOST_PUCT, PLAYOUT
from pysolve.engines.protocol import Engine, Move, Node, State, await_better, looking, refuse_secrets
from pysolve.runtime import validation
from pysolve.runtime.cancellation import go_on
from pysolve.search.history import History, checked_history, payoff
from pysolve.search.learned import Estimating, has_estimates
from pysolve.search.playouts import PlayoutEngine, Trail, drawing, game_lots, playout
from pysolve.search.policy import Policy

EXPLORE = 0.1  # with GRAVE
EXPLORE_ALONE = 0.4  # without it
BIAS = 0.5
GRAVE = 50
EVEN = 300
PRIOR = 0
PUCT = 0.5
MOST_VISITS = 10**6  # the largest value of `grave`, `even` and `prior`
HEAVIEST = 1e6  # weights up to this can be set
ROOM = 1 << 20  # positions in a tree by default, those not visited yet included
MOST_ROOM = 1 << 30  # the largest value of `room`
EXACT = 1 << COUNTED  # counts from here on are rounded, to be looked up in a table
LOOKED_AT = 2000  # positions of a tree that are searched for the one to go on from

_NO_HISTORY = History()


class Settings(NamedTuple):
    """Parameters that control how a tree grows.

    None is for the default of a game: GRAVE where trees grow in C, because elsewhere its random games take long, and
    less exploration with it; none with a policy, which is for a game of two players without chance and payoffs.
    """

    leaf: str = PLAYOUT
    explore: float | None = None
    bias: float = BIAS
    backup: str = MEAN
    room: int = ROOM
    grave: int | None = None
    even: int = EVEN
    prior: int = PRIOR
    policy: Policy | None = None
    puct: float = PUCT


class Branch(NamedTuple):
    """A visited position of a tree, with the move that leads to it; value and proof are for the first player.

    With three players or more `values` has the value of each, and `value` is that of the player to move.  There, and
    where endings pay numbers, `proven` is 1 if the values are certain.
    """

    move: Move
    number: int  # index of the move in canonical order
    sign: int  # 1 if the first player is to move, or there are not two, otherwise -1
    visits: int
    value: int
    proven: int | None
    mover: int
    values: tuple[int, ...]  # as they are kept: of the first player, where there are one or two
    at: Any  # its node, an argument of `branches` and `advance`

    def worth(self, player: int) -> int:
        """The value for a player, given by his number."""
        if len(self.values) > 1:
            return self.values[player - 1]
        return self.value if player == 1 else -self.value

    def certain(self, player: int) -> float | None:
        """The proven result for a player, from -1 to 1, a whole number where it is one; None if nothing is proven."""
        if self.proven is None:
            return None
        worth = self.worth(player)
        return worth / ONE if worth % ONE else worth // ONE


class Tree(Protocol):
    """A search tree that grows by one visit at a time."""

    @property
    def played(self) -> int:
        """Moves of random games so far."""

    def grow(self, visits: int | None, until: float | None, seed: int, nodes: int | None = None) -> None:
        """Makes `visits` more visits, or visits until `time.monotonic()` is `until`, until the root is proven, or until
        the positions of these visits and of their random games are `nodes`.
        """

    def root(self) -> Branch:
        """The root, as a branch."""

    def branches(self, at: Any) -> list[Branch]:
        """The visited children of a node."""

    def ranked(self, at: Any) -> list[Branch]:
        """The same: proven wins, then by visits and value, then other proven ones by their results.

        If the value of the most visited child is not better than a proven result, but for a loss, that comes before it.
        """

    def mover(self, at: Any) -> int:
        """The number of the player to move at a node."""

    def advance(self, at: Any, state: State, history: History) -> None:
        """Makes a node of the tree the root and drops everything that is not below it."""


@runtime_checkable
class TreeEngine(Protocol):
    """An engine with a tree of its own."""

    def tree(self, state: State, settings: Settings, history: History) -> Tree:
        """A new tree whose root is `state`, reached by `history`."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The statistics of a move: number of visits, value from -1 to 1, and proven result (-1 to 1), or None."""

    move: Move
    visits: int
    mean: float
    proven: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search, for the player to move."""

    value: float  # from -1, a loss, to 1, a win
    proven: float | None  # the result, if it is certain: 1, 0 or -1, or the part that is shared
    line: tuple[Move, ...]  # the moves visited most
    visits: int
    moves: tuple[Tried, ...]  # those of the root, best first
    played: int  # moves of random games
    seconds: float = 0.0
    values: tuple[float, ...] = ()  # of each player

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
    nodes: int | None = None,
) -> Result:
    """The best move after `visits` visits, or as many as `nodes` and `seconds` allow.

    `nodes` are positions: one for each visit, and those of the random games; the last visit may exceed them by a game.
    `tree` is an earlier tree of this state.  With `visits` or `nodes` alone the result is the same on every engine and
    machine.  Raises `TypeError`, `ValueError` or `InvalidState` for invalid arguments.
    """
    validation.engine(engine)
    visits, seconds, seed = (
        validation.whole_or_none("visits", visits, 1),
        validation.seconds(seconds),
        validation.seed(seed),
    )
    nodes = validation.whole_or_none("nodes", nodes, 1)
    if visits is None and seconds is None and nodes is None:
        raise ValueError("a search needs a limit: visits, nodes or seconds")
    began = await_better(engine, seconds, nodes)
    tree = tree or planted(engine, state, settings, history)
    before, until = tree.played, None if seconds is None else began + seconds
    tree.grow(visits, until, seed, nodes)
    return _result(engine, state, tree, tree.played - before, time.monotonic() - began)


def planted(engine: Engine, state: State, settings: Settings, history: History = _NO_HISTORY) -> Tree:
    """A new tree that has only a root."""
    settings, history = checked_settings(settings, engine.game), checked_history(engine.game, history)
    engine.expand(state)  # refuses what is no state
    refuse_secrets(engine.game, "mcts")
    if isinstance(engine, TreeEngine) and grows_in_c(engine.game):
        return engine.tree(state, settings, history)
    return PythonTree(engine, state, settings, history)


def _result(engine: Engine, state: State, tree: Tree, played: int, seconds: float) -> Result:
    root = tree.root()
    me, players = root.mover, range(1, len(engine.game.players.labels) + 1)
    tried = tuple(
        Tried(branch.move, branch.visits, branch.worth(me) / ONE, branch.certain(me)) for branch in tree.ranked(root.at)
    )
    line, here, at = list[Move](), root, state
    while best := tree.ranked(here.at)[:1]:
        if engine.game.chances:  # what nobody chooses is no part of the best play
            node = engine.expand(at)
            if node.weights is not None:
                break
            at = node.child(best[0].number)
        here = best[0]
        line.append(here.move)
    proven = root.certain(me)
    if not line and proven is None and (not engine.game.chances or engine.expand(state).weights is None):
        line = list(engine.expand(state).moves[:1])
    values = tuple(root.worth(player) / ONE for player in players)
    return Result(values[me - 1], proven, tuple(line), root.visits, tried, played, seconds, values)


def lines_of(tree: Tree, most: int) -> list[Result]:
    """What is expected after each of the best moves of a tree, the best first: a result for the player to move."""
    me = tree.root().mover
    found = list[Result]()
    for branch in tree.ranked(tree.root().at)[:most]:
        line, here = [branch.move], branch
        while best := tree.ranked(here.at)[:1]:
            here = best[0]
            line.append(here.move)
        values = tuple(worth / ONE for worth in branch.values) if len(branch.values) > 1 else ()
        found.append(Result(branch.worth(me) / ONE, branch.certain(me), tuple(line), branch.visits, (), 0, 0.0, values))
    return found


def unproven(found: Result) -> Result:
    """The same, where what is certain in the tree is not certain in the game: it grew by other rules."""
    return replace(found, proven=None, moves=tuple(replace(one, proven=None) for one in found.moves))


def text_of(settings: Settings) -> str:
    """What differs from the default settings, as the text of a player has it."""
    default = Settings()._asdict()
    return ",".join(f"{name}={value}" for name, value in settings._asdict().items() if value != default[name])


def grows_in_c(game: Game) -> bool:
    """True if trees of a game are for C, where there is a compiler."""
    return not game.chances and not game.pays


def checked_settings(settings: Any, game: Game) -> Settings:
    """The settings, checked, without None; raises `TypeError` or `ValueError`."""
    validation.instance("settings", settings, Settings, "Settings")
    leaf, explore, bias, backup, room, grave, even, prior, policy, puct = settings
    for name, word, words in (("leaf", leaf, (PLAYOUT, EVALUATE)), ("backup", backup, (MEAN, MAX))):
        if word not in words:
            raise ValueError(f"{name} must be {' or '.join(words)}, not {validation.shown(word)}")
    grave = (GRAVE if grows_in_c(game) else 0) if grave is None else validation.whole("grave", grave, 0, MOST_VISITS)
    if policy is not None:
        policy = validation.instance("policy", policy, Policy, "Policy").checked(game)
    if explore is None:
        explore = 0 if policy else EXPLORE if grave else EXPLORE_ALONE
    explore, bias = (validation.number(n, w, 0, HEAVIEST) for n, w in (("explore", explore), ("bias", bias)))
    return Settings(
        leaf, explore, bias, backup, validation.whole("room", room, 1, MOST_ROOM),
        grave, validation.whole("even", even, 1, MOST_VISITS),
        validation.whole("prior", prior, 0, MOST_VISITS),
        policy, validation.number("puct", puct, 0, MOST_PUCT),
    )  # fmt: skip


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


def bias_of(engine: Estimating, settings: Settings) -> int:
    """The weight of the bias; 0 where there is neither an `evaluate` block nor learned values."""
    return weight(settings.bias) if has_estimates(engine) else 0


def prior_of(engine: Estimating, settings: Settings) -> int:
    """The visits for which an estimate counts; 0 where there are no estimates."""
    return settings.prior if has_estimates(engine) else 0


# ------------------------------------------------------------------------------------ the tree in Python


Values = tuple[int, ...]  # for the first player, or, where there are three or more, for each


class _Way:
    """A node of the tree: a position, reached by one sequence of moves."""

    __slots__ = (
        "children", "high", "index", "later", "low", "node", "order", "own", "priors", "proven", "shares", "sign",
        "state", "total", "value", "visits", "weights",
    )  # fmt: skip

    def __init__(self, state: State, width: int, index: int = -1):
        self.state = state
        self.index = index  # of the move that leads here
        self.sign = -1 if width == 1 and state[0] == 2 else 1  # by which the value of the player to move is negated
        self.own = 0 if width == 1 else state[0] - 1  # where it stands among the values
        self.weights: Sequence[int] | None = None  # of the moves, where chance moves
        self.node: Node | None = None  # the engine's answers, after the first visit
        self.order: list[int] = []  # indices of the moves, in the order of first visits
        self.priors: list[Values] = []  # the scaled estimates after each move
        self.shares: list[int] = []  # how likely the policy thinks each move
        self.children: list[_Way] = []  # those that were visited
        self.visits = 0
        self.total = (0,) * width  # of all visits
        self.value = (0,) * width
        self.proven: Values | None = None
        self.low, self.high = -ONE, ONE  # the true result of one or two players lies between
        self.later: dict[tuple[int, Move], list[int]] = {}  # of a move: visits in which it came later, their value

    def worth(self, values: Values) -> int:
        """The value of `values` for the player to move."""
        return self.sign * values[self.own]

    def forget(self) -> None:
        """Gives up its children, and what it knows of later moves."""
        self.order, self.priors, self.shares, self.children, self.weights, self.later = [], [], [], [], None, {}


class PythonTree:
    """The readable reference implementation, for any engine."""

    def __init__(self, engine: Engine, state: State, settings: Settings, history: History):
        self._engine = engine
        self._look = looking(engine)
        self._leaf = settings.leaf
        self._explore = weight(settings.explore or 0)
        self._bias = bias_of(engine, settings)
        self._backup = settings.backup
        self._room = settings.room
        self._grave, self._even, self._prior = settings.grave or 0, settings.even, prior_of(engine, settings)
        self._policy, self._puct = settings.policy, weight(settings.puct)
        self._identity = engine.game.identity
        self._drawn = drawing(engine.game)
        alone = isinstance(engine, PlayoutEngine) and not engine.game.remembers and not self._grave
        self._quick = engine if alone and isinstance(engine, PlayoutEngine) else None
        players = len(engine.game.players.labels)
        self._width, self._most = players if players > 2 else 1, engine.game.most_paid
        self._pays, self._differ = engine.game.pays, engine.game.others_differ
        self._roots_of_logs, self._inverse_roots = weights()
        self._sizes, self._sized = 0, 0  # the sum of the absolute values of all estimates, and their number
        self._lots: Iterator[int] = iter(())
        self._seed = 0
        self.played = 0
        self._begin(_Way(state, self._width), history)

    def _begin(self, root: _Way, history: History) -> None:
        self._root = root
        self._turns = history.turns
        self._seen = {self._identity(root.state): 1, **history.seen} if self._engine.game.remembers else {}
        self._used, self._known = _kept_below(root, 0)
        self._full = self._solid = False  # was there no room, and is there none to be made?
        self._seldom = 0  # visits from which on a position keeps its children when the tree is cut back
        self._filled = self._settled = False  # the same of facts about later moves
        self._wise = self._grave  # visits from which on a position is asked about them

    def root(self) -> Branch:
        """The root, as a branch."""
        return self._branch(self._root, ())

    def branches(self, at: _Way) -> list[Branch]:
        """The visited children of a node."""
        return [self._branch(child, at.node.moves[child.index] if at.node else ()) for child in at.children]

    def ranked(self, at: _Way) -> list[Branch]:
        """The same, the best first (see `Tree.ranked`)."""
        return ranked_branches(self.branches(at), at.state[0])

    def mover(self, at: _Way) -> int:
        """The number of the player to move at a node."""
        return at.state[0]

    def _branch(self, way: _Way, move: Move) -> Branch:
        is_result = len(way.value) == 1 and not self._pays
        proven = None if way.proven is None else way.proven[0] // ONE if is_result else 1
        value = way.value[way.own]
        return Branch(move, way.index, way.sign, way.visits, value, proven, way.state[0], way.value, way)

    def advance(self, at: _Way, state: State, history: History) -> None:
        """Makes a node of the tree the root and drops everything that is not below it; begins anew if it was proven and
        has lost its children."""
        self._begin(at if at.order or at.proven is None else _Way(at.state, self._width), history)

    def grow(self, visits: int | None, until: float | None, seed: int, nodes: int | None = None) -> None:
        """Grows the tree (see `Tree.grow`)."""
        self._lots = game_lots(~seed)
        number, played = 0, self.played
        while self._root.proven is None and number != visits:
            if nodes is not None and number + self.played - played >= nodes:
                break
            if self._full and not self._solid:
                self._cut_back()
            if self._filled and not self._settled:
                self._drop_facts()
            go_on()
            self._visit(seed + number)
            number += 1
            if until is not None and time.monotonic() > until:
                break

    def _visit(self, seed: int) -> None:
        """One visit: walks down to a leaf, and backs its value up."""
        path = [self._root]
        wise = self._root  # whom one asks of moves that are played later
        while path[-1].proven is None and path[-1].visits and self._unfold(path):
            if path[-1].visits >= self._wise:
                wise = path[-1]
            path.append(self._chosen(path[-1], wise))
        trail: Trail = []
        value = self._value(path, seed, trail)
        news = path[-1].proven is not None  # is more known of the result of the child on the path?
        for way in reversed(path):
            way.visits += 1
            way.total = tuple(map(add, way.total, value))
            if news and way.order:
                news = self._bound(way) if self._width == 1 else self._prove(way)
            way.value = self._worth(way)
        if self._grave:
            self._tell_of_later(path, trail, value)

    def _tell_of_later(self, path: list[_Way], trail: Trail, value: Values) -> None:
        """Tells the positions on a path, but for the last, what came of the moves that were played after them."""
        each = dict.fromkeys(trail)  # every move once
        for way, after in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if way.weights is None:
                assert way.node is not None
                each[way.state[0], way.node.moves[after.index]] = None
            if not self._takes_down(way):
                continue
            for mover, move in each:
                if (mover, move) not in way.later:
                    if self._known == self._room:
                        self._filled = True
                        continue
                    way.later[mover, move] = [0, 0]
                    self._known += 1
                facts = way.later[mover, move]
                facts[0] += 1
                facts[1] += value[mover - 1] if self._width > 1 else value[0] if mover == 1 else -value[0]

    def _bound(self, way: _Way) -> bool:
        """Between which results a position lies, by those of its children: true if that is news."""
        lows, highs = [child.low for child in way.children], [child.high for child in way.children]
        if len(way.children) < len(way.order):
            lows, highs = [*lows, -ONE], [*highs, ONE]
        best: Callable[[list[int]], int] = max if way.sign == 1 else min
        low, high = (min(lows), max(highs)) if way.weights is not None else (best(lows), best(highs))
        bounds = max(way.low, low), min(way.high, high)  # less may be known than before the tree was cut back
        news = bounds != (way.low, way.high)
        way.low, way.high = bounds
        if way.low == way.high:
            way.proven = (way.low,)
        return news

    def _prove(self, way: _Way) -> bool:
        """The same where three players or more have values: is a position proven by its children?"""
        way.proven = _certainty(way) if way.weights is not None else _proof(way, self._differ)
        return way.proven is not None

    def _worth(self, way: _Way) -> Values:
        if way.proven is not None:
            return way.proven
        if self._backup == MAX and way.order and way.weights is None and len(way.children) == len(way.order):
            return max((child.value for child in way.children), key=way.worth)
        mean = tuple(total // way.visits for total in way.total)
        return mean if len(mean) > 1 else (min(max(mean[0], way.low), way.high),)

    def _unfold(self, path: list[_Way]) -> bool:
        """True if the last node of a path has children; expands it if there is room."""
        way = path[-1]
        if way.order:
            return True
        if way.visits < self._seldom // 2:
            return False
        assert way.node is not None
        count = len(way.node)
        self._full |= self._used + count > self._room
        if self._used + count > self._room or len(path) >= TREE_DEEPEST:
            return False
        self._used += count
        if self._engine.game.chances:
            way.weights = way.node.weights
        if (self._bias or self._prior) and way.weights is None:
            way.priors = [self._estimated(child) for child in way.node.children()]
        if self._policy:
            way.shares = self._policy.shares(way.state, way.node.moves)
        way.order = list(range(count))
        for last in range(count - 1, 0, -1):
            at = (next(self._lots) >> 32) * (last + 1) >> 32
            way.order[at], way.order[last] = way.order[last], way.order[at]
        return True

    def _cut_back(self) -> None:
        """Makes room in a full tree: the positions that were visited most keep their children."""
        self._full, seldom = False, max(2, self._seldom)
        while 2 * _kept_below(self._root, seldom)[0] > self._room:
            if seldom > self._root.visits:
                self._solid, self._seldom = True, 0
                return
            seldom *= 2
        self._seldom, todo = seldom, [self._root]
        while todo:
            way = todo.pop()
            if way is self._root or way.visits >= seldom:
                todo += way.children
            else:
                way.forget()
        self._used, self._known = _kept_below(self._root, 0)

    def _drop_facts(self) -> None:
        """Makes room where there is none for more facts about later moves: those stay that the positions have that were
        visited most."""
        self._filled, knowing = False, [way for way in self._all() if way.later]
        while 2 * sum(len(way.later) for way in knowing if self._takes_down(way)) > self._room:
            if self._wise > 2 * self._root.visits:
                self._settled, self._wise = True, self._grave
                return
            self._wise *= 2
        for way in knowing:
            if not self._takes_down(way):
                way.later = {}
        self._used, self._known = _kept_below(self._root, 0)

    def _takes_down(self, way: _Way) -> bool:
        """Does a position take down what comes later?"""
        return way is self._root or 2 * way.visits >= self._wise

    def _all(self) -> Iterator[_Way]:
        """All visited positions."""
        todo = [self._root]
        while todo:
            way = todo.pop()
            yield way
            todo += way.children

    def _chosen(self, way: _Way, wise: _Way) -> _Way:
        """The child that the next visit goes to; `wise` knows of moves that are played later.

        Children never visited come first, in order, or the one with the best estimate, but for those of which something
        is known besides.
        """
        if way.weights is not None:
            return self._drawn_child(way, way.weights)
        opened = len(way.children)
        waits = self._prior or self._policy
        fresh = [at for at in range(opened, len(way.order)) if not waits and not self._later(way, at, wise)]
        if fresh:
            best = max(fresh, key=lambda at: way.worth(way.priors[way.order[at]])) if self._bias else fresh[0]
        else:
            open_ = (at for at in range(len(way.order)) if at >= opened or not self._is_decided(way, way.children[at]))
            best = max(open_, key=lambda at: self._promise(way, at, wise))
        return way.children[best] if best < opened else self._opened(way, best)

    def _later(self, way: _Way, at: int, wise: _Way) -> list[int] | None:
        """What is known of the move to a child that is played later; the child is the one at a place in the order."""
        assert way.node is not None
        return wise.later.get((way.state[0], way.node.moves[way.order[at]])) if self._grave else None

    def _promise(self, way: _Way, at: int, wise: _Way) -> int:
        """The value of a child with what is added for exploration and by the bias."""
        child = way.children[at] if at < len(way.children) else None
        unvisited = way.worth(way.value) if self._policy else 0
        visits, worth = (child.visits, way.worth(child.value)) if child else (0, unvisited)
        count = visits + self._prior
        estimate = way.worth(way.priors[way.order[at]]) if way.priors else 0
        if self._prior:
            worth = (visits * worth + self._prior * estimate) // count
        if later := self._later(way, at, wise):
            games, own = min(later[0], ONE), min(count, ONE)
            own += games * own // self._even
            worth = (games * (later[1] // later[0]) + own * worth) // (games + own)
        log = self._roots_of_logs[place_in_table(way.visits)]
        root = self._inverse_roots[place_in_table(max(count, 1))]
        promise = worth + (self._explore * (log * root >> 20) >> 10)
        if way.shares:
            of_visits = way.visits * self._inverse_roots[place_in_table(way.visits)]
            promise += self._puct * ((way.shares[way.order[at]] * of_visits >> 20) // (visits + 1)) // FINE
        return promise + self._bias * estimate // (FINE * (visits + 1))

    def _is_decided(self, way: _Way, child: _Way) -> bool:
        """True if a child cannot be better for the player to move than what is certain."""
        if self._width > 1:
            return child.proven is not None
        return child.high <= way.low if way.sign == 1 else child.low >= way.high

    def _drawn_child(self, way: _Way, weights: Sequence[int]) -> _Way:
        """The child that chance leads to: each as likely as its weight among their sum."""
        index = by_weight(next(self._lots), weights)
        found = next((child for child in way.children if child.index == index), None)
        if found is None:
            assert way.node is not None
            found = _Way(way.node.child(index), self._width, index)
            way.children.append(found)
        return found

    def _opened(self, way: _Way, at: int) -> _Way:
        """A child that is visited for the first time: it takes its place behind those that were visited."""
        order, opened = way.order, len(way.children)
        order[opened], order[at] = order[at], order[opened]
        assert way.node is not None
        way.children.append(_Way(way.node.child(order[opened]), self._width, order[opened]))
        return way.children[-1]

    def _value(self, path: list[_Way], seed: int, trail: Trail) -> Values:
        """The value of a leaf; `trail` takes the moves of its random game, where they are of use."""
        leaf = path[-1]
        if leaf.proven is not None:  # chance may lead there again
            return leaf.proven
        turns, seen = self._history(path)
        if leaf.node is None:
            leaf.node = self._look(leaf.state)
            result = payoff(self._engine, leaf.state, leaf.node, turns, seen.get(self._identity(leaf.state), 1))
            if result is not None:
                leaf.proven = self._paid(result)
                leaf.low = leaf.high = leaf.proven[0]
                return leaf.proven
        if self._leaf == EVALUATE:
            return self._estimated(leaf.state)
        if self._quick is not None:
            games = self._quick.playouts(leaf.state, 1, seed & (1 << 64) - 1, GAME_LONGEST)
            self.played += games.moves
            return self._paid(games.paid or (games.wins[0] - games.wins[1],))
        told = trail if self._grave else None
        found, length = playout(self._engine, leaf.state, game_lots(seed), self._drawn, GAME_LONGEST, turns, seen, told)
        self.played += length
        return (0,) * self._width if found is None else self._paid(found)

    def _paid(self, payoff: Sequence[int]) -> Values:
        """The payoffs of a result as values."""
        return tuple(one * ONE // self._most for one in payoff[: self._width])

    def _history(self, path: Sequence[_Way]) -> tuple[int, dict[State, int]]:
        """Turns played before the end of a path, and how often each state has occurred, in a game that remembers."""
        turns, seen = self._turns, dict(self._seen)
        if self._engine.game.remembers:
            for before, way in pairwise(path):
                turns += before.state[0] != way.state[0]
                known = self._identity(way.state)
                seen[known] = seen.get(known, 0) + 1
        return turns, seen

    def _estimated(self, state: State) -> Values:
        """The estimates of a state, scaled to lie between loss and win."""
        return tuple(map(self._pressed, self._engine.estimate(state)[: self._width]))

    def _pressed(self, estimate: int) -> int:
        """An estimate scaled to lie between loss and win."""
        size = abs(estimate)
        self._sizes += size
        self._sized += 1
        value = size * ONE // (size + self._sizes // self._sized) if size else 0
        return value if estimate > 0 else -value


def ranked_branches(branches: list[Branch], mover: int) -> list[Branch]:
    """The children of a node at which a player moves, the best first (see `Tree.ranked`)."""

    def rank(one: Branch) -> tuple[int, int, int, int]:
        worth = one.worth(mover)
        certain = 0 if one.proven is None else -1 if worth == ONE else 1 + ONE - worth
        return certain, -one.visits, -worth, one.number

    found = sorted(branches, key=rank)
    certain = max((one.worth(mover) for one in found if one.proven is not None), default=-ONE)
    if found and found[0].proven is None and -ONE < certain >= found[0].worth(mover):
        found.sort(key=lambda one: one.proven is None or one.worth(mover) != certain)
    return found


def _kept_below(root: _Way, seldom: int) -> tuple[int, int]:
    """How many positions there are at and below a root, those never visited included, and facts about later moves,
    where those keep their children that were visited so often."""
    used, known, todo = 1, 0, [root]
    while todo:
        way = todo.pop()
        if way is root or way.visits >= seldom:
            used += len(way.order)
            known += len(way.later)
            todo += way.children
    return used, known


def _certainty(way: _Way) -> Values | None:
    """The result that is certain behind a node of chance, because all of its children are proven, and equal."""
    results = {child.proven for child in way.children}
    return next(iter(results)) if len(results) == 1 and len(way.children) == len(way.order) else None


def _proof(way: _Way, others_differ: bool) -> Values | None:
    """The result that the children of a node prove for it; None if they prove nothing.

    Of several results that are equally good for the player to move, that of the first move in canonical order is taken,
    because the other players may get different payoffs.  A sole win needs no other move to be known, or, if the others
    differ, those before it.
    """
    known = [child for child in way.children if child.proven is not None]
    if not known:
        return None
    first = min(known, key=lambda child: (-way.worth(child.value), child.index))
    best = first.proven
    assert best is not None
    if len(known) == len(way.order):
        return best
    is_first = not others_differ or sum(child.index < first.index for child in known) == first.index
    return best if way.worth(best) == ONE and is_first else None
