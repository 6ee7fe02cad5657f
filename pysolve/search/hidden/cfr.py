"""CFR+: an equilibrium of a game with hidden information, by counterfactual regrets.

In: the tree of a game.  Out: an `Equilibrium`: a strategy, what it is worth, and what a best response to it would gain.

    regret      of a move: how much more it would have been worth than what was played, summed over all iterations;
                never less than 0 (regret matching+)
    strategy    of an iteration: each move as likely as its regret, all alike where there is none
    update      players in turn, each against the newest strategies of the others
    average     of all iterations, iteration number t counting t times, as likely as the player's own moves lead there

With two players whose payoffs add up to zero the average comes to an equilibrium, and the value of the game lies
certainly between what best responses leave to each.  With more there is no such promise: the strategy is one to look
at, and how much each player could gain by leaving it is told.

The native engine does the same in C (dsl/to_c/runtime/regrets.c), with the same numbers to the last bit.

Sources: O. Tammelin, Solving Large Imperfect Information Games Using CFR+, arXiv:1407.5042 (2014); M. Zinkevich,
M. Johanson, M. Bowling and C. Piccione, Regret Minimization in Games with Incomplete Information, NIPS 2007;
M. Johanson, K. Waugh, M. Bowling and M. Zinkevich, Accelerating Best Response Calculation in Large Extensive Games,
IJCAI 2011.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Protocol, runtime_checkable

from pysolve.engines.protocol import Engine
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.tree import CHANCE, GameTree, Order, order_of

Tick = Callable[[int], None]


class Regrets(Protocol):
    """The regrets of a tree, and sums over its nodes.  A strategy has the probability of each move of `GameTree`."""

    tree: GameTree
    iterations: int  # that were made

    def go_on(self, iterations: int, tick: Tick | None = None, until: float | None = None) -> None:
        """Makes so many more iterations, or those that are made until `time.monotonic()` is `until`.

        `tick` hears of each.  After an exception, as `KeyboardInterrupt`, `iterations` says how many were made by then.
        """

    def average(self) -> array[float]:
        """The average strategy."""

    def worth(self, strategy: array[float], player: int) -> float:
        """The expected payoff of a player where all play this strategy."""

    def response(self, strategy: array[float], player: int) -> tuple[float, array[int]]:
        """The most that a player can get against the others' strategy, and his moves for it: see `best_response`."""


@runtime_checkable
class RegretsEngine(Protocol):
    """An engine that computes regrets faster."""

    def regrets(self, tree: GameTree) -> Regrets:
        """The regrets of a tree, before the first iteration."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A strategy for all players, and how far it is from an equilibrium."""

    tree: GameTree
    strategy: array[float] = field(repr=False)  # the probability of each move of the tree
    iterations: int
    worth: tuple[float, ...]  # the expected payoff of each player
    responses: tuple[float, ...]  # the most that each can get against the strategies of the others

    @property
    def nash_conv(self) -> float:
        """The sum of what each player could gain by leaving the strategy alone; 0 in an equilibrium."""
        return sum(self.responses) - sum(self.worth)

    @property
    def exploitability(self) -> float:
        """What a player could gain by leaving the strategy alone, in the mean of all players."""
        return self.nash_conv / self.tree.players

    @property
    def bounds(self) -> tuple[float, float]:
        """What the game is worth to the first of two players whose payoffs add up to zero: certainly between these."""
        return -self.responses[1], self.responses[0]


def regrets_of(tree: GameTree, engine: Engine | None = None) -> Regrets:
    """The regrets of a tree, before the first iteration; by the engine if it is faster at it."""
    return engine.regrets(tree) if isinstance(engine, RegretsEngine) else PythonRegrets(tree)


def equilibrium(regrets: Regrets) -> Equilibrium:
    """What the iterations have come to."""
    tree, strategy = regrets.tree, regrets.average()
    players = range(1, tree.players + 1)
    worth = tuple(regrets.worth(strategy, player) for player in players)
    responses = tuple(regrets.response(strategy, player)[0] for player in players)
    return Equilibrium(tree, strategy, regrets.iterations, worth, responses)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the least denominator from `low` to `high` (by continued fractions)."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    part = whole - 1
    return part + 1 / simplest_between(1 / (high - part), 1 / (low - part))


# ------------------------------------------------------------------------------------------ in Python


class PythonRegrets:
    """The readable reference implementation, for any engine."""

    def __init__(self, tree: GameTree):
        self.tree = tree
        self.iterations = 0
        self._regret = [0.0] * tree.moves
        self._total = [0.0] * tree.moves  # the sum of the strategies
        self._now = list(tree.uniform())  # the strategy of this iteration
        self._orders: dict[int, Order] = {}

    def go_on(self, iterations: int, tick: Tick | None = None, until: float | None = None) -> None:
        """Makes so many more iterations (see `Regrets`)."""
        for _ in range(iterations):
            go_on()
            if until is not None and time.monotonic() >= until:
                break
            for player in range(1, self.tree.players + 1):
                self._update(player, self.iterations + 1)
            self.iterations += 1
            if tick is not None:
                tick(1)

    def _update(self, player: int, weight: int) -> None:
        """One iteration of one player."""
        tree, now, regret = self.tree, self._now, self._regret
        others, value = likely_by_others(tree, now, player), [0.0] * tree.nodes
        for node in range(tree.nodes - 1, -1, -1):
            here = value[node] = mean(tree, now, player, node, value)
            if tree.mover[node] == player:
                move = tree.begin[tree.place[node]]
                for child in range(tree.first[node], tree.first[node + 1]):
                    regret[move] += others[node] * (value[child] - here)
                    move += 1
        self._average(player, weight)
        self._match(player)

    def _average(self, player: int, weight: int) -> None:
        """Adds the strategy of this iteration to the sum."""
        tree, likely = self.tree, [0.0] * self.tree.moves  # as the player's own moves lead there
        for one in range(len(tree.owner)):
            if tree.owner[one] == player:
                reach = 1.0 if tree.parent[one] < 0 else likely[tree.parent[one]]
                for move in range(tree.begin[one], tree.begin[one + 1]):
                    likely[move] = reach * self._now[move]
                    self._total[move] += weight * likely[move]

    def _match(self, player: int) -> None:
        """The strategy of the next iteration, by the regrets."""
        tree, regret = self.tree, self._regret
        for one in range(len(tree.owner)):
            if tree.owner[one] == player:
                moves = range(tree.begin[one], tree.begin[one + 1])
                whole = 0.0
                for move in moves:
                    regret[move] = max(regret[move], 0.0)
                    whole += regret[move]
                for move in moves:
                    self._now[move] = regret[move] / whole if whole > 0 else 1.0 / len(moves)

    def average(self) -> array[float]:
        """The average strategy."""
        return shares(self.tree, self._total)

    def worth(self, strategy: array[float], player: int) -> float:
        """The expected payoff of a player where all play this strategy."""
        value = [0.0] * self.tree.nodes
        for node in range(self.tree.nodes - 1, -1, -1):
            value[node] = mean(self.tree, strategy, player, node, value)
        return value[0]

    def response(self, strategy: array[float], player: int) -> tuple[float, array[int]]:
        """The most that a player can get against the others' strategy, and his moves for it."""
        if player not in self._orders:
            self._orders[player] = order_of(self.tree, player)
        return best_response(self.tree, strategy, player, self._orders[player])


Numbers = Sequence[float]


def shares(tree: GameTree, sums: Numbers) -> array[float]:
    """Each number as its part of the sum of its information set; equal parts where that is 0."""
    found = tree.uniform()
    for begin, end in zip(tree.begin, tree.begin[1:], strict=False):
        whole = sum(sums[begin:end])
        if whole > 0:
            for move in range(begin, end):
                found[move] = sums[move] / whole
    return found


def likely_by_others(tree: GameTree, strategy: Numbers, player: int) -> list[float]:
    """How likely each node is by the moves of all but one player, and of chance."""
    likely = [1.0] * tree.nodes
    for node, mover in enumerate(tree.mover):
        here, children = likely[node], range(tree.first[node], tree.first[node + 1])
        if mover == player:
            for child in children:
                likely[child] = here
        elif mover == CHANCE:
            for child in children:
                likely[child] = here * tree.chance[child]
        else:
            for move, child in enumerate(children, tree.begin[tree.place[node]]):
                likely[child] = here * strategy[move]
    return likely


def mean(tree: GameTree, strategy: Numbers, player: int, node: int, value: list[float]) -> float:
    """What a node is worth to a player by a strategy, where the values of its children are known."""
    children = range(tree.first[node], tree.first[node + 1])
    found = 0.0
    if not children:
        return tree.payoffs[node * tree.players + player - 1]
    if tree.mover[node] == CHANCE:
        for child in children:
            found += tree.chance[child] * value[child]
    else:
        for move, child in enumerate(children, tree.begin[tree.place[node]]):
            found += strategy[move] * value[child]
    return found


def best_response(tree: GameTree, strategy: Numbers, player: int, order: Order) -> tuple[float, array[int]]:
    """The most that a player can get against the others' strategy, and his moves for it.

    For each information set of the tree the number of a move among its own, from 0: of equal ones the first, and 0 in
    those of the others.
    """
    others = likely_by_others(tree, strategy, player)
    value, gain = [0.0] * tree.nodes, [0.0] * tree.moves
    choice = array("i", bytes(4 * len(tree.owner)))
    start = 0
    for own, end in zip(order.own, order.ends, strict=True):
        for node in order.nodes[start:own]:
            for move, child in enumerate(range(tree.first[node], tree.first[node + 1]), tree.begin[tree.place[node]]):
                gain[move] += others[node] * value[child]
        for node in order.nodes[start:own]:
            one = tree.place[node]
            best, most = 0, -inf
            for number, move in enumerate(range(tree.begin[one], tree.begin[one + 1])):
                if gain[move] > most:
                    best, most = number, gain[move]
            choice[one] = best
            value[node] = value[tree.first[node] + best]
        for node in order.nodes[own:end]:
            value[node] = mean(tree, strategy, player, node, value)
        start = end
    return value[0], choice
