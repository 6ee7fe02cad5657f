"""Max-n: every player plays for themselves, with iterative deepening.

In: an engine, a state, limits.  Out: the value for each player, the best line, how deep and how many positions.

    values      of a position: those of the move that is best for the player to move; of equal moves the first counts,
                so a result says of ties what canonical order says.  At the horizon they are the `evaluate` block, after
                the end of a game its payoffs
    turns       whole turns to the horizon, as in `minimax`
    table       positions searched to depth 2 and more; when it is full it is emptied
    pruning     the search of a position ends at a move that no other can be better than: one that wins alone at once.
                Estimates have no bound that would prune more (shallow pruning)

With two players the values are those of minimax, found without alpha-beta, which visits far more positions; it has no C
of its own there.  With other numbers of players the native engine runs the same search in C
(dsl/to_c/runtime/alpha_beta.c: visit_each), with the same values, line and nodes.

Sources: C. A. Luckhardt and K. B. Irani, An Algorithmic Solution of N-Person Games, AAAI 1986; R. E. Korf, Multi-Player
Alpha-Beta Pruning, Artificial Intelligence 48 (1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pysolve.dsl.language.constants import DEEPEST
from pysolve.engines.protocol import Engine, Node, State, refuse_chance, refuse_secrets
from pysolve.runtime import validation
from pysolve.search.minimax import (
    Report,
    Result,
    SearchingEngine,
    best_line,
    checked_limits,
    checked_order,
    most_entries,
)
from pysolve.search.searcher import (
    Horizon,
    PlainSearcher,
    Searcher,
    Stopped,
    Visit,
    checked_table,
    checked_visit,
    value_of_end,
)

Values = tuple[int, ...]  # one for each player


def maxn(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report | None = None,
    entries: int | None = None,
    interruptible: bool = True,
    turns: int | None = None,
    order: Sequence[int] = (),
) -> Result:
    """The best line of play, every player plays for themselves, deeper and deeper until a limit is reached.

    At least one of the limits `depth`, `turns`, `nodes` and `seconds` must be given; all arguments are as in `minimax`.
    The `values` of the result are those of all players; `value` is the one of the player to move.  If a limit ends a
    depth before it is finished, the result of the depth before it counts; in the first depth, the best move so far.
    """
    report = validation.callback("report", report)
    refuse_chance(validation.engine(engine), "maxn", "minimax and mcts play it")
    limits = checked_limits(engine, depth, turns, nodes, seconds, interruptible)
    checked_order(engine.expand(state), order)
    horizon = Horizon(turns is not None, order=tuple(order), each=True)
    return best_line(engine, state, each_searcher_of(engine, entries, horizon), horizon, limits, report)


def each_searcher_of(engine: Engine, entries: int | None = None, horizon: Horizon = Horizon(each=True)) -> Searcher:  # noqa: B008  a constant
    """The engine's own searcher if it has one, else the one in Python."""
    refuse_secrets(engine.game, "maxn")
    entries, _ = checked_table(most_entries(engine.game) if entries is None else entries, 1)
    if isinstance(engine, SearchingEngine) and not engine.game.pays:
        return engine.searcher(entries, 1, horizon)
    return PythonEachSearcher(engine, entries, horizon)


class _Entry(NamedTuple):
    depth: int
    values: Values


class PythonEachSearcher(PlainSearcher[_Entry]):
    """The readable reference implementation, for any engine."""

    def __init__(self, engine: Engine, entries: int, horizon: Horizon):
        super().__init__(engine, entries, horizon.turns)
        self._order = horizon.order
        self._most = engine.game.most_paid
        self._found: Values | None = None

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches to a depth (see `pysolve.search.searcher.Searcher.visit`)."""
        self._begin(*checked_visit(depth, alpha, beta, nodes, until))
        self._found = None
        try:
            self._found = self._visit(state, depth, 0, None)
        except Stopped:
            raise Stopped(self._nodes, self._visited(state)) from None
        found = self._visited(state)
        assert found is not None
        return found

    def _visited(self, state: State) -> Visit | None:
        """The values that were found, with the line; None before those of a first move."""
        values = self._found
        return None if values is None else Visit(values[state[0] - 1], self._line[0], self._nodes, values)

    def _visit(self, state: State, depth: int, ply: int, met: set[State] | None) -> Values | None:
        """The values of a state; None in a turn that never ends.

        If depth is counted in turns, `met` are the positions visited in this turn; None at its beginning.
        """
        self._line[ply] = ()
        self._count()
        within = met is not None
        known = self._table.get(state) if depth > self._shallow and not within else None
        if known is not None and known.depth == depth and ply:
            return known.values
        last = depth == 0 or ply == DEEPEST
        node = None if last else self._look(state)
        payoff = self._result(state) if node is None else node.payoff
        if payoff is not None:
            return tuple(value_of_end(one, depth - within) for one in payoff)
        if node is None:
            return self._estimate(state)
        marked = self._marked
        if self._turns and met is None:
            met = set()
            self._mark(state, met)
        values = self._best(state, node, depth, ply, met)
        if within:
            return values
        self._marked = marked
        if values is None:  # the turn never ends
            values, self._line[ply] = self._estimate(state), (node.moves[0],)
        if depth > self._shallow:
            self._keep(state, _Entry(depth, values))
        return values

    def _best(self, state: State, node: Node, depth: int, ply: int, met: set[State] | None) -> Values | None:
        """The values of the first move that is best for the player to move; None if no turn ends."""
        mover, moves, best = state[0] - 1, node.moves, None
        highest = value_of_end(self._most, depth - 1)
        for index in self._order if ply == 0 and self._order else range(len(node)):
            values = self._visit_child(state, node.child(index), depth, ply, met)
            if values is None or (best is not None and values[mover] <= best[mover]):
                continue
            best = values
            self._line[ply] = (moves[index], *self._line[ply + 1])
            if ply == 0:
                self._found = values
            if values[mover] >= highest:
                break
        return best

    def _visit_child(self, state: State, child: State, depth: int, ply: int, met: set[State] | None) -> Values | None:
        """The values of a child; None if it was visited in this turn."""
        if met is not None:
            if child in met:
                return None
            if ply + 1 < DEEPEST:
                self._mark(child, met)
        if met is None or child[0] != state[0]:
            return self._visit(child, depth - 1, ply + 1, None)
        return self._visit(child, depth, ply + 1, met)
