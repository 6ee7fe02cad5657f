"""Information set Monte Carlo tree search, with a tree for each player (multiple observers).

In: an engine, what a player knows (`pysolve.search.information`), limits, a seed.  Out: the best move, and how good it
seems.  The true state is not asked for.

    guess       each visit begins in a state that agrees with what the player knows, drawn by weight (`belief`)
    selection   whoever is to move chooses by the statistics of what he knows there: the move with the highest
                value + explore * sqrt(ln(visits) / the move's visits), values between the least and the most that any
                game paid to him; moves never tried come first, in random order.  Chance moves by weight
    leaf        the first information set that is new; a game of random moves follows
    backup      the payoff of each player counts for the moves that he chose

The information sets of others are told apart by all that they know, from before the search, too: nobody in the search
knows more than he would in the game.  A finished search plays the move that was tried most.

Endings that ask about the game so far (`repeated`, `turns`) are not seen.

Source: P. I. Cowling, E. J. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on
Computational Intelligence and AI in Games 4 (2012), algorithm 3.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from pysolve.dsl.analysis.sampling import by_weight
from pysolve.dsl.language.constants import GAME_LONGEST
from pysolve.engines.protocol import Move, State
from pysolve.runtime import validation
from pysolve.runtime.cancellation import go_on
from pysolve.search.hidden.belief import Belief, Guess
from pysolve.search.playouts import PlayoutEngine, drawing, game_lots, playout

EXPLORE = 0.7


@dataclass(frozen=True, slots=True)
class Tried:
    """The statistics of a move of the player to move: visits, and the mean of what it paid, in parts of 1."""

    move: Move
    visits: int
    mean: float


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search, for the player to move; nothing was tried where no state agrees with what he knows."""

    moves: tuple[Tried, ...]  # those that were tried most first
    visits: int
    positions: int  # looked at, those of random games included
    guesses: int  # states among which visits began

    @property
    def best(self) -> Move | None:
        """The move that was tried most."""
        return self.moves[0].move if self.moves else None


def ismcts(
    belief: Belief,
    information: bytes,
    visits: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    explore: float = EXPLORE,
) -> Found:
    """Searches for the best move of a player who knows this, until a limit is reached.

    `belief` is the player's, and may have been used for earlier moves of the same game.
    """
    lots = game_lots(validation.seed(seed))
    guesses = belief.guesses(information, next(lots))
    search = _Search(belief, guesses, explore, lots)
    until = None if seconds is None else time.monotonic() + seconds
    number = 0
    while guesses and number != visits:
        if (nodes is not None and search.positions >= nodes) or (until is not None and time.monotonic() > until):
            break
        search.visit()
        number += 1
    return search.found(number)


class _Set:
    """The statistics of an information set."""

    __slots__ = ("order", "totals", "visits")

    def __init__(self, order: list[int]):
        self.order = order  # of the moves that were not tried yet
        self.visits = [0] * len(order)
        self.totals = [0.0] * len(order)


class _Search:
    """The trees of all players."""

    def __init__(self, belief: Belief, guesses: list[Guess], explore: float, lots: Iterator[int]):
        self._guesses, self._bounds = guesses, list(accumulate(guess.weight for guess in guesses))
        self._knowledge, self._engine = belief.knowledge, belief.engine
        self._player, self._explore, self._lots = belief.player, explore, lots
        game = self._engine.game
        players = len(game.players.labels)
        self._unit = game.payoff_unit
        self._drawn = drawing(game)
        alone = isinstance(self._engine, PlayoutEngine) and not game.remembers
        self._quick = self._engine if alone and isinstance(self._engine, PlayoutEngine) else None
        self._sets: dict[tuple[int, int], _Set] = {}
        self._least, self._most = [math.inf] * players, [-math.inf] * players
        self.positions = 0

    def visit(self) -> None:
        """One visit, from a guess that is drawn by weight."""
        go_on()
        lot = (next(self._lots) >> 11) / (1 << 53) * self._bounds[-1]
        path: list[tuple[int, _Set, int]] = []
        paid = self._walk(self._guesses[bisect_right(self._bounds, lot, 0, len(self._bounds) - 1)], path)
        for player, value in enumerate(paid):
            self._least[player] = min(self._least[player], value)
            self._most[player] = max(self._most[player], value)
        for player, one, number in path:
            one.visits[number] += 1
            one.totals[number] += paid[player - 1]

    def _walk(self, guess: Guess, path: list[tuple[int, _Set, int]]) -> list[float]:
        """The payoffs of a game from a guess on; adds the choices that count to the path."""
        state, known, _ = guess
        while True:
            node = self._engine.expand(state)
            self.positions += 1
            if node.payoff is not None:
                return [one / self._unit for one in node.payoff]
            if node.weights is not None:
                number, new = by_weight(next(self._lots), node.weights), False
            else:
                one, new = self._set(state[0], known[state[0] - 1], len(node))
                number = self._chosen(one, state[0])
                path.append((state[0], one, number))
            child = node.child(number)
            if new:
                return self._played(child)
            known = self._knowledge.after(known, state, node.moves[number], child)
            state = child

    def _set(self, player: int, known: int, count: int) -> tuple[_Set, bool]:
        """The information set of a player, and whether it is new."""
        found = self._sets.get((player, known))
        if found is not None:
            return found, False
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            at = (next(self._lots) >> 32) * (last + 1) >> 32
            order[at], order[last] = order[last], order[at]
        found = self._sets[player, known] = _Set(order)
        return found, True

    def _chosen(self, one: _Set, player: int) -> int:
        """The move that a visit tries."""
        if one.order:
            return one.order.pop()
        least = self._least[player - 1]
        span = self._most[player - 1] - least or 1.0
        log = math.log(sum(one.visits))

        def promise(number: int) -> float:
            visits = one.visits[number]
            return (one.totals[number] / visits - least) / span + self._explore * math.sqrt(log / visits)

        return max(range(len(one.visits)), key=promise)

    def _played(self, state: State) -> list[float]:
        """The payoffs of a game of random moves."""
        if self._quick is not None:
            games = self._quick.playouts(state, 1, next(self._lots), GAME_LONGEST)
            self.positions += games.moves
            won = games.wins[0] - games.wins[-1]
            return [one / self._unit for one in games.paid or (won, -won)]
        found, length = playout(self._engine, state, game_lots(next(self._lots)), self._drawn, GAME_LONGEST)
        self.positions += length
        return [one / self._unit for one in found or (0,) * len(self._least)]

    def found(self, visits: int) -> Found:
        """What was found for the player to move."""
        if not self._guesses:
            return Found((), visits, self.positions, 0)
        state, known, _ = self._guesses[0]
        moves = self._engine.expand(state).moves
        root, _ = self._set(self._player, known[self._player - 1], len(moves))
        tried = [
            Tried(move, count, total / count if count else 0.0)
            for move, count, total in zip(moves, root.visits, root.totals, strict=True)
        ]
        tried.sort(key=lambda one: -one.visits)
        return Found(tuple(tried), visits, self.positions, len(self._guesses))
