"""Minimax: alpha-beta with iterative deepening, for any game of one to eight players.

In: an engine, a state, limits.  Out: the value for the player to move, the best line, how deep and how many positions.

    depth       moves to the horizon, where the `evaluate` block gives the value; a finished game has its result
    turns       whole turns to the horizon: a turn ends where the mover changes.  Within a turn each position is visited
                once, however many orders of moves lead to it; after DEEPEST moves it is estimated where it stands
    quiet       quiescence: beyond the horizon only moves of some kinds, or captures, are searched; the mover may take
                the estimate instead, unless all legal moves are of these kinds
    table       a transposition table of positions searched to depth 2 and more; when it is full it is emptied, so that
                results do not depend on how it is implemented
    killers     for each ply the two moves that last caused a cutoff there
    history     how often, and how deep, each move has caused cutoffs anywhere
    aspiration  each depth is first searched in a window around the value of the depth before
    threads     search the same position together: they share the table, and each defers a move that another one is
                searching, but never the first move of a position (ABDADA)
    left        positions that the player has left before: a move back to one of them is worth less than every estimate,
                and more than a proven loss, so that play does not cycle
    order       root moves are searched in this order, and of equal ones the first is the best.  By default they are
                ordered by the table, killers and history, and the choice among equal ones is arbitrary
    moves       if the limit of nodes ends the search of the first turn, depth is counted in moves instead of turns:
                each move of the turn is then chosen by looking a few moves ahead

The mover may be the same after a move (`again`), so the sign of a value changes only where the mover does.  With three
players or more the search is paranoid: all others play as one opponent of the player who asks, so the sign changes
where that player begins or ends his turn, and a value is his.  A lone player has no opponent: the search finds the
highest value that he can reach.  The end of a game is worth WIN for each unit of its payoff (`payoffs`); with
two players that is one.  The native engine runs the same search in C (dsl/to_c/runtime: alpha_beta.c searches to one
depth, drive.c deeper and deeper), with the same value, line and number of nodes.

Sources: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975); S. G. Akl and
M. M. Newborn, The Principal Continuation and the Killer Heuristic, ACM 1977; J. Schaeffer, The History Heuristic and
Alpha-Beta Search Enhancements in Practice, IEEE PAMI 11 (1989); D. F. Beal, A Generalised Quiescence Search Algorithm,
Artificial Intelligence 43 (1990); J.-C. Weill, The ABDADA Distributed Minimax Search Algorithm, ICCA Journal 19 (1996),
in the simple form of T. Kerrigan; N. R. Sturtevant and R. E. Korf, On Pruning Techniques for Multi-Player Games,
AAAI 2000 (paranoid).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.language.constants import (
    BACK,
    BEYOND,
    DEEPEST,
    EXACT,
    HISTORY_BITS,
    LOWER,
    NOTHING,
    UPPER,
    WIN,
    WINDOW,
)  # fmt: skip
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.player_texts import quiet_moves
from pysolve.engines.protocol import Engine, Move, Node, State, await_better, refuse_secrets
from pysolve.runtime import validation
from pysolve.search.expectiminimax import ChanceSearcher
from pysolve.search.searcher import (
    MOST_ENTRIES,
    PLAIN,
    WHOLE,
    Entry,
    Horizon,
    PlainSearcher,
    Searcher,
    Stopped,
    Value,
    Visit,
    checked_table,
    checked_visit,
    decides,
    moves_before_end,
    payoff_at_end,
    value_of_end,
)

TABLE = 1 << 28  # bytes of all positions in a table, at most
ENTRIES = 1 << 21  # positions in a table by default, at most
ENTRY = 500  # bytes of a position in the table of the searcher in Python, beside the position itself

ONE_TURN = "turns are counted where two players or more take them: with one player, limit depth, nodes or seconds"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search.

    `value` is for the player to move, in points of the `evaluate` block; `WIN` and more is a forced win, -WIN and less
    a forced loss; with three players or more it is a multiple of `WIN`, one for each unit of the payoff.  `line` is the
    best play of all players; it may be shorter than `depth` where the table was used.  `values` are those of all
    players, where the search found them (max-n).
    """

    value: int
    line: tuple[Move, ...]
    depth: int  # of the last finished depth; the best move may come from the unfinished one after it
    nodes: int  # positions visited, over all depths
    seconds: float = 0.0
    by_turns: bool = False  # is the depth one of turns?
    values: tuple[int, ...] = ()

    @property
    def best(self) -> Move | None:
        """The best move; None if the game is over."""
        return self.line[0] if self.line else None

    @property
    def moves_to_end(self) -> int | None:
        """The number of moves to the forced end; None if no end is forced, or depth was counted in turns."""
        return None if self.by_turns else self._to_end

    @property
    def turns_to_end(self) -> int | None:
        """The number of turns to the forced end; None if no end is forced, or depth was counted in moves."""
        return self._to_end if self.by_turns else None

    @property
    def _to_end(self) -> int | None:
        return moves_before_end(self.value, self.depth)

    @property
    def end(self) -> int | None:
        """The payoff of the forced end for the player to move, in units of the game; None if no end is forced."""
        return None if self._to_end is None else payoff_at_end(self.value)


class Limits(NamedTuple):
    """When a search ends that goes deeper and deeper; None is no limit.  Times are those of `time.monotonic()`."""

    depth: int | None  # moves, or turns
    nodes: int | None
    until: float | None
    began: float
    interruptible: bool  # does Ctrl-C end it, too, as soon as a depth is finished?

    @property
    def passed(self) -> float:
        """The seconds since the search began."""
        return time.monotonic() - self.began


Report = Callable[[Result], None]  # hears of each depth that is finished


@runtime_checkable
class DrivingSearcher(Searcher, Protocol):
    """A searcher that goes deeper and deeper by itself, with the results of `best_line`."""

    def drive(self, state: State, limits: Limits, report: Report | None) -> Result:
        """The best line of play from a state, until a limit is reached."""


@runtime_checkable
class SearchingEngine(Protocol):
    """An engine with a searcher of its own."""

    def searcher(self, entries: int, threads: int, horizon: Horizon) -> Searcher:
        """A new searcher with a table of `entries` positions; it searches with `threads` threads (max-n with one)."""


@runtime_checkable
class SizedEngine(Protocol):
    """An engine that knows how much memory its searchers need."""

    def table_bytes(self, entries: int) -> int:
        """The memory for a table of `entries` positions."""


def minimax(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    value: Value | None = None,
    report: Report | None = None,
    entries: int | None = None,
    interruptible: bool = True,
    threads: int = 1,
    turns: int | None = None,
    quiet: Sequence[str] = (),
    left: Collection[State] = (),
    order: Sequence[int] = (),
    player: int | None = None,
) -> Result:
    """The best line of play from a state, deeper and deeper until a limit is reached.

    At least one of the limits `depth`, `turns`, `nodes` and `seconds` must be given.  `depth` counts moves, `turns`
    whole turns.  With `depth`, `turns` or `nodes` the result is the same on every engine and machine.  If a limit
    ends a depth before it is finished, a better move found in it is still used, and `depth` is the depth before it.
    `quiet` are kinds of moves that are searched beyond the horizon, because an estimate before them is unreliable;
    "captures" means all moves, of any kind, after which the opponent has fewer pieces on the board.
    `left` are positions to which the player should not return as long as there is another move.
    `order` holds the indices of all legal moves: of moves with equal values the first in this order is found.  An
    unfinished depth is then discarded, unless it is the first: the best move may be one of those not tried.
    If `nodes` ends the first depth of `turns`, the search is repeated by moves, within the same limits, and the
    result has `by_turns` false.
    `value` is an estimate for the player to move, by default the `evaluate` block; it must be the default one where
    there are three players or more.  `player` is the number of the player against whom all others play there, by
    default whoever is to move; the value is positive for him if he is to move, otherwise for the others.  The table
    holds `entries` positions, by default two million, or fewer if positions are large.  `report` is called with the
    result of each finished depth.  With several `threads`, on an engine with its own search, the value of a depth is
    the same, but line and number of nodes may differ from run to run.  Ctrl-C returns the result so far, if depth 1 is
    finished and the search is `interruptible`.  Raises `TypeError`, `ValueError` or `InvalidState` for invalid
    arguments.
    """
    value, report = validation.callback("value", value), validation.callback("report", report)
    left = frozenset(validation.sound_all(engine.game, left, "left")) if left else frozenset()
    limits = checked_limits(engine, depth, turns, nodes, seconds, interruptible)
    node = checked_order(engine.expand(state), order)
    players = len(engine.game.players.labels)
    player = validation.whole_or_none("player", player, 1, players) or state[0]
    if value is not None and players > 2:
        raise ValueError("a value of one's own compares two players: this game has more")
    back = leading_to(left, node)
    horizon = Horizon(turns is not None, quiet_moves(quiet, engine.game), back, tuple(order), player)
    found = best_line(engine, state, searcher_of(engine, entries, threads, horizon, value), horizon, limits, report)
    if found.depth or not found.by_turns or found.nodes != nodes:
        return found
    horizon, limits = horizon._replace(turns=False), limits._replace(depth=None, nodes=2 * found.nodes)
    by_moves = searcher_of(engine, entries, threads, horizon, value)
    return best_line(engine, state, by_moves, horizon, limits, report, found.nodes)


def checked_limits(engine: Engine, depth: Any, turns: Any, nodes: Any, seconds: Any, interruptible: bool) -> Limits:
    """The limits of a search that begins now; raises `TypeError` or `ValueError`."""
    validation.engine(engine)
    depth, turns = validation.whole_or_none("depth", depth, 1), validation.whole_or_none("turns", turns, 1)
    nodes, seconds = validation.whole_or_none("nodes", nodes, 1), validation.seconds(seconds)
    if depth is None and turns is None and nodes is None and seconds is None:
        raise ValueError("a search needs a limit: depth, turns, nodes or seconds")
    if depth is not None and turns is not None:
        raise ValueError("depth and turns cannot both be given: a search counts moves or turns")
    if turns is not None and len(engine.game.players.labels) == 1:
        raise ValueError(ONE_TURN)
    began = await_better(engine, seconds, nodes)
    until = None if seconds is None else began + seconds
    return Limits(turns if depth is None else depth, nodes, until, began, interruptible)


def checked_order(node: Node, order: Sequence[int]) -> Node:
    """The node; raises `ValueError` unless an order holds each of its moves once, or nothing."""
    if order and sorted(order) != list(range(len(node))):
        raise ValueError(f"order must hold each index of the {len(node)} legal moves once")
    return node


def best_line(
    engine: Engine, state: State, searcher: Searcher, horizon: Horizon, limits: Limits, report: Report | None,
    total: int = 0,
) -> Result:  # fmt: skip
    """The best line of play by a searcher, deeper and deeper, after `total` positions that were visited before."""
    if isinstance(searcher, DrivingSearcher):
        return searcher.drive(state, limits, report)
    node = engine.expand(state)
    me, side = horizon.player or state[0], -1 if horizon.player not in (0, state[0]) else 1
    if node.payoff is not None:
        values = tuple(payoff * WIN for payoff in node.payoff)
        return Result(side * values[me - 1], (), 0, 1, 0.0, horizon.turns, values if horizon.each else ())
    values = engine.estimate(state) if horizon.each else ()
    chosen = not engine.game.chances or node.weights is None
    found = Result(values[me - 1] if values else 0, tuple(node.moves[: int(chosen)]), 0, 0, 0.0, horizon.turns, values)
    for now in range(1, min(limits.depth or DEEPEST, DEEPEST) + 1):
        try:
            visit, total = _deepen(searcher, state, now, found, total, limits, horizon.each)
        except (Stopped, KeyboardInterrupt) as stop:
            if isinstance(stop, Stopped):
                total, found = stop.nodes, _better(found, stop.found, now, horizon, engine.game.most_paid * WIN)
            elif not (found.depth and limits.interruptible):
                raise
            break
        found = Result(visit.value, visit.line, now, total, limits.passed, horizon.turns, visit.values)
        if report is not None:
            report(found)
        if decides(side * found.value, engine.game) or (len(node) == 1 and limits.depth is None):
            break  # a proven result or an only move needs no deeper search
    return replace(found, nodes=total, seconds=limits.passed)


def most_entries(game: Game) -> int:
    """The default number of positions in a table: a power of two."""
    return min(ENTRIES, TABLE >> (game.size - 1).bit_length())


def table_bytes(engine: Engine, entries: int) -> int:
    """The memory for a table of so many positions; of the searcher in Python it is an estimate."""
    entries, _ = checked_table(entries, 1)
    if isinstance(engine, SizedEngine) and not engine.game.pays:
        return engine.table_bytes(entries)
    return entries * (ENTRY + engine.game.size)


def entries_within(engine: Engine, size: int) -> int:
    """The number of positions, a power of two, of the largest table that needs at most `size` bytes, and at least 1."""
    entries = 1
    while 2 * entries <= MOST_ENTRIES and table_bytes(engine, 2 * entries) <= size:
        entries *= 2
    return entries


def searcher_of(
    engine: Engine, entries: int | None = None, threads: int = 1, horizon: Horizon = PLAIN, value: Value | None = None
) -> Searcher:
    """The engine's own searcher if it has one; with a `value` function of the caller, the searcher in Python."""
    validation.instance("horizon", horizon, Horizon, "a Horizon")
    refuse_secrets(engine.game, "minimax")
    entries, threads = checked_table(most_entries(engine.game) if entries is None else entries, threads)
    if engine.game.chances:
        return ChanceSearcher(engine, value, entries, horizon)
    if isinstance(engine, SearchingEngine) and value is None and not engine.game.pays:
        return engine.searcher(entries, threads, horizon)
    return PythonSearcher(engine, value, entries, horizon)


def leading_to(left: Collection[State], node: Node) -> tuple[int, ...]:
    """Indices of the moves that lead to one of these positions; none if all moves do."""
    if not left or node.payoff is not None:
        return ()
    found = tuple(index for index, child in enumerate(node.children()) if child in left)
    return found if len(found) < len(node) else ()


def _better(found: Result, later: Visit | None, depth: int, horizon: Horizon, won: int) -> Result:
    """The result of a depth, or that of the stopped search of the next depth, if that had found a better move.

    If root moves have an order, the best one so far is not searched first, so only a win counts; with max-n nothing
    does, as soon as a depth is finished.
    """
    if later is None or not later.line or (found.depth if horizon.each else later.value <= BACK):
        return found
    wins = later.value >= won and not horizon.each
    if not (wins or horizon.each) and (later.line[0] == found.best or (horizon.order and found.depth)):
        return found
    return replace(found, value=later.value, line=later.line, depth=depth if wins else found.depth, values=later.values)


def _deepen(
    searcher: Searcher, state: State, depth: int, before: Result, total: int, limits: Limits, each: bool
) -> tuple[Visit, int]:
    """Searches one depth, first in a window around the last value, then, if the value lies outside, without one."""
    margin = WINDOW + abs(before.value) // 8
    windows = [(before.value - margin, before.value + margin), WHOLE] if depth > 1 and not each else [WHOLE]
    found = None
    for alpha, beta in windows:
        left = None if limits.nodes is None else limits.nodes - total
        try:
            visit = searcher.visit(state, depth, alpha, beta, left, limits.until)
        except Stopped as stop:
            raise Stopped(stop.nodes + total, stop.found or found) from None
        total += visit.nodes
        if alpha < visit.value < beta:
            break
        found = visit if visit.value >= beta else None
    return visit, total


class PythonSearcher(PlainSearcher[Entry]):
    """The readable reference implementation, for any engine."""

    def __init__(self, engine: Engine, value: Value | None, entries: int, horizon: Horizon = PLAIN):
        super().__init__(engine, entries, horizon.turns)
        _, self._quiet, self._back, self._tried, self._asks, _ = horizon
        self._me = 0
        self._men_at = engine.game.men
        self._players = range(1, len(engine.game.players.labels) + 1)
        self._own_value = value
        self._killers: list[list[Move | None]] = [[None, None] for _ in range(DEEPEST + BEYOND + 1)]
        self._history: dict[Move, int] = {}
        self._ordered = move_codes(engine.game).bits <= HISTORY_BITS

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches within a window of values (see `Searcher.visit`)."""
        self._begin(*checked_visit(depth, alpha, beta, nodes, until))
        self._me = self._asks or state[0]
        self._found: int | None = None
        try:
            value = self._visit(state, depth, alpha, beta, 0)
        except Stopped:
            found = None if self._found is None else Visit(self._found, self._line[0], self._nodes)
            raise Stopped(self._nodes, found) from None
        return Visit(value, self._line[0], self._nodes)

    def _sign(self, state: State) -> int:
        """1 if the player who asks is to move, else -1."""
        return 1 if state[0] == self._me else -1

    def _value(self, state: State) -> int:
        """The estimate for the side to move."""
        if self._own_value is not None:
            return self._own_value(state)
        return self._sign(state) * self._estimate(state)[self._me - 1]

    def _visit(self, state: State, depth: int, alpha: int, beta: int, ply: int, met: set[State] | None = None) -> int:
        """The value of a state for the player to move if it lies between alpha and beta, otherwise a bound.

        If depth is counted in turns, `met` are the positions visited in this turn, those after it included; None at
        its beginning.
        """
        if depth == 0 and any(self._quiet):
            return self._beyond(state, alpha, beta, ply, BEYOND)
        self._line[ply] = ()
        self._count()
        best, within = -1, met is not None
        known = self._table.get(state) if depth > self._shallow else None
        if known is not None:
            best = known.best
            if known.depth == depth and ply and (
                known.bound == EXACT
                or (known.bound == LOWER and known.value >= beta)
                or (known.bound == UPPER and known.value <= alpha)
            ):  # fmt: skip
                return known.value
        last = depth == 0 or ply == DEEPEST
        node = None if last else self._look(state)
        payoff = self._result(state) if node is None else node.payoff
        if payoff is not None:
            return value_of_end(self._sign(state) * payoff[self._me - 1], depth - within)
        if node is None:
            return self._value(state)
        marked = self._marked
        if self._turns and met is None:
            met = set()
            self._mark(state, met)
        value, floor, moves = NOTHING, alpha, node.moves
        for index in self._order(node, best, ply):
            if ply == 0 and index in self._back:
                score, self._line[1] = BACK, ()
            else:
                score = self._visit_child(state, node.child(index), depth, floor, beta, ply, met)
            if score <= value:
                continue
            value, best = score, index
            if score > floor:
                floor = score
                self._line[ply] = (moves[index], *self._line[ply + 1])
                if ply == 0:
                    self._found = score
                if score >= beta:
                    self._cuts_off(moves[index], depth, ply)
                    break
        if within:  # values are kept for the beginning of a turn only; here the best move suffices
            if depth > 1 and value > alpha:
                self._keep(state, Entry(0, EXACT, 0, best))
            return value
        self._marked = marked
        if value == NOTHING:  # the turn never ends
            value, best, self._line[ply] = self._value(state), 0, (moves[0],)
        bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        if depth > self._shallow:
            self._keep(state, Entry(depth, bound, value, best))
        return value

    def _visit_child(
        self, state: State, child: State, depth: int, alpha: int, beta: int, ply: int, met: set[State] | None
    ) -> int:
        """The value of a child for the player to move; NOTHING if it was visited in this turn."""
        if met is not None:
            if child in met:
                return NOTHING
            if ply + 1 < DEEPEST:
                self._mark(child, met)
        if self._sign(child) != self._sign(state):
            return -self._visit(child, depth - 1, -beta, -alpha, ply + 1)
        if met is None or child[0] != state[0]:
            return self._visit(child, depth - 1, alpha, beta, ply + 1)
        return self._visit(child, depth, alpha, beta, ply + 1, met)

    def _beyond(self, state: State, alpha: int, beta: int, ply: int, left: int) -> int:
        """The value beyond the horizon, where only quiet moves are searched, at most `left` more plies."""
        self._line[ply] = ()
        self._count()
        node = self._look(state)
        if node.payoff is not None:
            return value_of_end(self._sign(state) * node.payoff[self._me - 1], left - BEYOND)
        moves = node.moves
        value, floor = NOTHING, alpha
        if not left or not all(self._goes_on(state, node, index) for index in range(len(moves))):
            # the mover may also make another move
            value = self._value(state)
            floor = max(alpha, value)
            if value >= beta:
                return value
        for index in self._order(node, -1, ply) if left else ():
            if not self._goes_on(state, node, index):
                continue
            child = node.child(index)
            if self._sign(child) == self._sign(state):
                score = self._beyond(child, floor, beta, ply + 1, left - 1)
            else:
                score = -self._beyond(child, -beta, -floor, ply + 1, left - 1)
            if score <= value:
                continue
            value = score
            if score > floor:
                floor = score
                self._line[ply] = (moves[index], *self._line[ply + 1])
                if score >= beta:
                    break
        return value

    def _goes_on(self, state: State, node: Node, index: int) -> bool:
        """True if a move is searched beyond the horizon."""
        kinds, captures = self._quiet
        if node.moves[index][0] in kinds:
            return True
        return captures and self._men(node.child(index), state[0]) < self._men(state, state[0])

    def _men(self, state: State, player: int) -> int:
        """The number of pieces that the others than a player have on the board."""
        others = [other for other in self._players if other != player]
        return sum(state.count(other, part.start, part.stop) for other in others for part in self._men_at)

    def _order(self, node: Node, best: int, ply: int) -> list[int]:
        """Indices of the moves: the best one of the table, killers, by history, the rest in canonical order."""
        if ply == 0 and self._tried:
            return list(self._tried)
        first, second = self._killers[ply]
        promise = []
        for index, move in enumerate(node.moves):
            if index == best:
                promise.append(3 << 61)
            elif move == first:
                promise.append(2 << 61)
            elif move == second:
                promise.append(1 << 61)
            else:
                promise.append(self._history.get(move, 0) if self._ordered else 0)
        return sorted(range(len(promise)), key=lambda index: -promise[index])

    def _cuts_off(self, move: Move, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != move:
            killers[:] = [move, killers[0]]
        self._history[move] = self._history.get(move, 0) + depth * depth
