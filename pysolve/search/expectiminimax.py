"""Expectiminimax: best play where some moves are left to chance, for one or two players.

In: an engine, a state, limits.  Out: what `pysolve.search.minimax`, which calls this one, says of other games.  A
node of chance is worth the mean of its children by their weights, rounded down: all values are whole numbers, the same
on every engine.  Moves of chance count as moves of the depth, and the line of best play ends before them.

Star1 leaves a node of chance as soon as its other children, worth the least or the most that a position can be worth,
cannot bring the mean back into the window; each child has the window in which its value still matters.  Star2 looks
first at one move of each child, which bounds the value of the child from the side of who moves there.

Sources: B. W. Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes, Artificial Intelligence 21
(1983); T. Hauk, M. Buro and J. Schaeffer, Rediscovering *-Minimax Search, Computers and Games 2004.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pysolve.dsl.language.constants import BACK, DEEPEST, EXACT, LOWER, NOTHING, UPPER, WIN
from pysolve.engines.protocol import DoesNotApply, Engine, Node, State
from pysolve.search.searcher import Entry, Horizon, PlainSearcher, Stopped, Value, Visit, checked_visit, value_of_end


class ChanceSearcher(PlainSearcher[Entry]):
    """Searches one depth after another (see `pysolve.search.searcher.Searcher`), for any engine."""

    def __init__(self, engine: Engine, value: Value | None, entries: int, horizon: Horizon):
        for told, name in ((horizon.turns, "a depth in turns"), (any(horizon.quiet), "quiet"), (horizon.each, "maxn")):
            if told:
                raise DoesNotApply(f"{name} does not apply to games with chance; minimax:depth=4 and mcts play them")
        if len(engine.game.players.labels) > 2:
            raise DoesNotApply("minimax plays games with chance for two players at most; mcts plays this one")
        super().__init__(engine, entries, False)
        self._own_value, self._back, self._tried = value, horizon.back, horizon.order
        self._most = engine.game.most_paid * WIN + DEEPEST  # that a position can be worth

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches within a window of values (see `pysolve.search.searcher.Searcher.visit`)."""
        self._begin(*checked_visit(depth, alpha, beta, nodes, until))
        self._found: int | None = None
        try:
            value = self._visit(state, depth, alpha, beta, 0)
        except Stopped:
            found = None if self._found is None else Visit(self._found, self._line[0], self._nodes)
            raise Stopped(self._nodes, found) from None
        return Visit(value, self._line[0], self._nodes)

    def _visit(self, state: State, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a state for the player to move if it lies between alpha and beta, otherwise a bound."""
        self._line[ply] = ()
        self._count()
        known = self._table.get(state) if depth > 1 else None
        if known is not None and known.depth == depth and ply and (
            known.bound == EXACT
            or (known.bound == LOWER and known.value >= beta)
            or (known.bound == UPPER and known.value <= alpha)
        ):  # fmt: skip
            return known.value
        node = None if depth == 0 or ply == DEEPEST else self._look(state)
        payoff = self._result(state) if node is None else node.payoff
        if payoff is not None:
            return value_of_end(payoff[state[0] - 1], depth)
        if node is None:
            return self._estimate(state)[state[0] - 1] if self._own_value is None else self._own_value(state)
        weights, best = node.weights, -1
        if weights is not None:
            value = self._mean(state, node, weights, depth, alpha, beta, ply)
            self._line[ply] = ()
        else:
            value, best = self._best(state, node, depth, alpha, beta, ply, -1 if known is None else known.best)
        if depth > 1:
            bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
            self._keep(state, Entry(depth, bound, value, best))
        return value

    def _child(self, state: State, child: State, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a child for the player to move in `state`."""
        if child[0] == state[0]:
            return self._visit(child, depth - 1, alpha, beta, ply + 1)
        return -self._visit(child, depth - 1, -beta, -alpha, ply + 1)

    def _best(
        self, state: State, node: Node, depth: int, alpha: int, beta: int, ply: int, first: int
    ) -> tuple[int, int]:  # fmt: skip
        """The value where a player chooses, and the index of the best move."""
        value, best, floor = NOTHING, first, alpha
        for index in self._order(node, first, ply):
            if ply == 0 and index in self._back:
                score, self._line[1] = BACK, ()
            else:
                score = self._child(state, node.child(index), depth, floor, beta, ply)
            if score <= value:
                continue
            value, best = score, index
            if score > floor:
                floor = score
                self._line[ply] = (node.moves[index], *self._line[ply + 1])
                if ply == 0:
                    self._found = score
                if score >= beta:
                    break
        return value, best

    def _order(self, node: Node, first: int, ply: int) -> Iterator[int]:
        """The indices of the moves: one that was best before comes first, unless the root has an order of its own."""
        if ply == 0 and self._tried:
            yield from self._tried
            return
        if first >= 0:
            yield first
        yield from (index for index in range(len(node)) if index != first)

    def _mean(
        self, state: State, node: Node, weights: Sequence[int], depth: int, alpha: int, beta: int, ply: int
    ) -> int:  # fmt: skip
        """The value where chance moves: the mean, rounded down."""
        bounds = _Bounds(weights, alpha, beta, self._most)
        children = list(node.children())
        if depth > 2 and len(children) > 1:
            for number, child in enumerate(children):
                self._probe(state, child, depth, bounds, number, ply)
                if bounds.decided is not None:
                    return bounds.decided
        for number, child in enumerate(children):
            if bounds.low[number] < bounds.high[number]:
                floor, ceiling = bounds.window(number)
                bounds.found(number, self._child(state, child, depth, floor, ceiling, ply), floor, ceiling)
                if bounds.decided is not None:
                    return bounds.decided
        return bounds.mean

    def _probe(self, state: State, child: State, depth: int, bounds: _Bounds, number: int, ply: int) -> None:
        """Bounds the value of a child by one move: from below where the same player chooses, else from above."""
        node = self._look(child)
        if node.payoff is not None or node.weights is not None:
            return
        known = self._table.get(child)
        index = known.best if known is not None and known.best >= 0 else 0
        floor, ceiling = bounds.window(number)
        if child[0] == state[0]:
            value = self._child(child, node.child(index), depth - 1, floor, ceiling, ply + 1)
            if value > floor:
                bounds.raised(number, value)
        else:
            value = -self._child(child, node.child(index), depth - 1, -ceiling, -floor, ply + 1)
            if value < ceiling:
                bounds.lowered(number, value)


class _Bounds:
    """Between which values the children of a node of chance lie, and what follows from that for their mean."""

    def __init__(self, weights: Sequence[int], alpha: int, beta: int, most: int):
        self.weights, self.total = weights, sum(weights)
        self.low, self.high = [-most] * len(weights), [most] * len(weights)
        self._least, self._most = -most * self.total, most * self.total  # that the weighted values add up to
        self._wanted, self._needed = beta * self.total, (alpha + 1) * self.total

    @property
    def decided(self) -> int | None:
        """A bound of the mean, if that is certainly at or beyond the window."""
        if self._least >= self._wanted:
            return self._least // self.total
        return self._most // self.total if self._most < self._needed else None

    @property
    def mean(self) -> int:
        """The mean, as soon as all values are known."""
        return self._least // self.total

    def window(self, number: int) -> tuple[int, int]:
        """Between what values that of a child still matters: at these it decides the mean, or is known better."""
        weight, low, high = self.weights[number], self.low[number], self.high[number]
        ceiling = -((self._least - weight * low - self._wanted) // weight)
        floor = -((self._most - weight * high - self._needed) // weight) - 1
        return max(floor, low - 1), min(ceiling, high + 1)

    def found(self, number: int, value: int, floor: int, ceiling: int) -> None:
        """Takes note of what a search within a window has found."""
        if value > floor:
            self.raised(number, value)
        if value < ceiling:
            self.lowered(number, value)

    def raised(self, number: int, value: int) -> None:
        """Takes note that the value of a child is at least this."""
        if value > self.low[number]:
            self._least += self.weights[number] * (value - self.low[number])
            self.low[number] = value

    def lowered(self, number: int, value: int) -> None:
        """Takes note that the value of a child is at most this."""
        if value < self.high[number]:
            self._most -= self.weights[number] * (self.high[number] - value)
            self.high[number] = value
