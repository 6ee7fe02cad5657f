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

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, runtime_checkable

from pysolve import doors
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.dsl.model.player_texts import DEEPEST
from pysolve.engine import Engine, Move, Node, State, ending, looking
from pysolve.search.minimax import (
    MARKS,
    ONE_TURN,
    WIN,
    Result,
    Stopped,
    checked_table,
    decides,
    most_entries,
    value_of_end,
)
from pysolve.stopping import go_on

Values = tuple[int, ...]  # one for each player


class Found(NamedTuple):
    """The values of a state at one depth, the line of best play, and the number of positions visited."""

    values: Values
    line: tuple[Move, ...]
    nodes: int


class StoppedEach(Stopped):
    """A limit was reached before a depth was finished; `each` is the best first move by then, with its values."""

    def __init__(self, nodes: int, each: Found | None = None):
        super().__init__(nodes)
        self.each = each


class EachSearcher(Protocol):
    """Searches one depth after another; its table is kept between them."""

    def values(self, state: State, depth: int, nodes: int | None, until: float | None) -> Found:
        """Searches to a depth; raises `StoppedEach` after `nodes` positions, or when `time.monotonic()` is `until`."""


@runtime_checkable
class EachEngine(Protocol):
    """An engine with a max-n searcher of its own."""

    def each_searcher(self, entries: int, turns: bool, order: Sequence[int]) -> EachSearcher:
        """A new searcher with a table of `entries` positions; `order` is that of the first moves."""


def maxn(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Callable[[Result], None] | None = None,
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
    doors.engine(engine)
    depth = doors.whole_or_none("depth", depth, 1)
    turns = doors.whole_or_none("turns", turns, 1)
    nodes = doors.whole_or_none("nodes", nodes, 1)
    seconds, report = doors.seconds(seconds), doors.callback("report", report)
    if depth is None and turns is None and nodes is None and seconds is None:
        raise ValueError("a search needs a limit: depth, turns, nodes or seconds")
    if depth is not None and turns is not None:
        raise ValueError("depth and turns cannot both be given: a search counts moves or turns")
    node, players = engine.expand(state), len(engine.game.players.labels)
    if order and sorted(order) != list(range(len(node))):
        raise ValueError(f"order must hold each index of the {len(node)} legal moves once")
    if turns is not None and players == 1:
        raise ValueError(ONE_TURN)
    by_turns, began = turns is not None, time.monotonic()
    until = None if seconds is None else began + seconds
    searcher = each_searcher_of(engine, entries, by_turns, order)
    if node.payoff is not None:
        values = tuple(payoff * WIN for payoff in node.payoff)
        return Result(values[state[0] - 1], (), 0, 1, by_turns=by_turns, values=values)
    estimates = engine.estimate(state)
    found = Result(estimates[state[0] - 1], tuple(node.moves[:1]), 0, 0, by_turns=by_turns, values=estimates)
    total = 0
    for now in range(1, min(depth or turns or DEEPEST, DEEPEST) + 1):
        try:
            made = searcher.values(state, now, None if nodes is None else nodes - total, until)
        except StoppedEach as stop:
            total += stop.nodes
            if stop.each is not None and not found.depth:
                found = replace(
                    found, value=stop.each.values[state[0] - 1], line=stop.each.line, values=stop.each.values
                )
            break
        except KeyboardInterrupt:
            if not (found.depth and interruptible):
                raise
            break
        total += made.nodes
        passed = time.monotonic() - began
        found = Result(made.values[state[0] - 1], made.line, now, total, passed, by_turns, made.values)
        if report is not None:
            report(found)
        if decides(found.value, players) or (len(node) == 1 and depth is None and turns is None):
            break  # a decided game or an only move needs no deeper search
    return replace(found, nodes=total, seconds=time.monotonic() - began)


def each_searcher_of(
    engine: Engine, entries: int | None = None, turns: bool = False, order: Sequence[int] = ()
) -> EachSearcher:
    """The engine's own searcher if it has one, else the one in Python."""
    entries, _ = checked_table(most_entries(engine.game) if entries is None else entries, 1)
    if isinstance(engine, EachEngine):
        return engine.each_searcher(entries, turns, order)
    return PythonEachSearcher(engine, entries, turns, order)


class _Entry(NamedTuple):
    depth: int
    values: Values


class PythonEachSearcher:
    """The readable reference implementation, for any engine."""

    def __init__(self, engine: Engine, entries: int, turns: bool = False, order: Sequence[int] = ()):
        self._look, self._result, self._estimate = looking(engine), ending(engine), engine.estimate
        self._turns, self._order, self._entries = turns, tuple(order), entries
        self._shallow = 0 if turns else 1  # depths up to this are searched again faster than they are kept
        self._most = payoff_unit(len(engine.game.players.labels))
        self._table: dict[State, _Entry] = {}
        self._line: list[tuple[Move, ...]] = [()] * (DEEPEST + 2)
        self._nodes, self._marked = 0, 0
        self._limit: int | None = None
        self._until: float | None = None
        self._found: Values | None = None

    def values(self, state: State, depth: int, nodes: int | None, until: float | None) -> Found:
        """Searches to a depth (see `EachSearcher.values`)."""
        doors.whole("depth", depth, 0, DEEPEST)
        self._nodes, self._limit, self._until = 0, doors.whole_or_none("nodes", nodes, 0), doors.moment(until)
        self._marked, self._found = 0, None
        try:
            values = self._visit(state, depth, 0, None)
        except Stopped:
            each = None if self._found is None else Found(self._found, self._line[0], self._nodes)
            raise StoppedEach(self._nodes, each) from None
        assert values is not None
        return Found(values, self._line[0], self._nodes)

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

    def _mark(self, state: State, met: set[State]) -> None:
        """Marks a position of a turn as visited, if there is room."""
        if self._marked < MARKS:
            met.add(state)
            self._marked += 1

    def _count(self) -> None:
        if self._nodes == self._limit:
            raise Stopped(self._nodes)
        self._nodes += 1
        if self._nodes % 64 == 0:
            go_on()
            if self._until is not None and time.monotonic() > self._until:
                raise Stopped(self._nodes)

    def _keep(self, state: State, entry: _Entry) -> None:
        if len(self._table) >= self._entries and state not in self._table:
            self._table.clear()
        self._table[state] = entry
