"""Minimax: alpha-beta with iterative deepening, for any game.

In: an engine, a state, limits.  Out: the value for the player to move, the best line, how deep and how many positions.

    depth       moves to the horizon, where the `evaluate` block speaks; a finished game counts by its result
    turns       whole turns to the horizon: a turn ends where the mover changes.  Within a turn each position is visited
                once, however many orders of moves lead to it; after DEEPEST moves it is estimated where it stands
    quiet       beyond the horizon moves of some kinds go on, or moves that capture: who moves is content with the
                estimate, or makes such a move; where there is no other one he must
    table       what is known of positions searched at depth 2 and more, which are few and worth it; when it is full it
                is emptied, so that results never depend on its shape
    killers     for each ply the two moves that last cut off a search there
    history     how well each move has cut off, anywhere
    aspiration  the window around the last depth's value in which the next is looked for first
    threads     search the same position together: what one has found stands in the table for all, and what one of them
                is searching the others leave for later, but never the first move of a position (ABDADA)
    left        positions that the player has left before: a move back to one of them is worth less than every estimate,
                and more than a sure loss.  So a game that could go round in circles goes on
    order       the first moves are tried in this order, and of equal ones the first that is tried is the best.  Without
                it they are tried as they promise, and which of equal ones is found says nothing
    moves       where a limit ends the first turn before it is finished, moves are counted in place of turns, up to the
                end of the turn: each move is then chosen by looking a few moves ahead

The mover may be the same after a move (`again`), so the sign of a value changes only where the mover does.  The native
engine runs the same search in C (dsl/to_c/runtime/alpha_beta.c: visit), with the same value, line and number of nodes.

Sources: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975); S. G. Akl and
M. M. Newborn, The Principal Continuation and the Killer Heuristic, ACM 1977; J. Schaeffer, The History Heuristic and
Alpha-Beta Search Enhancements in Practice, IEEE PAMI 11 (1989); D. F. Beal, A Generalised Quiescence Search Algorithm,
Artificial Intelligence 43 (1990); J.-C. Weill, The ABDADA Distributed Minimax Search Algorithm, ICCA Journal 19 (1996),
in the simple form of T. Kerrigan.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dsl.model import Game
from dsl.model.move_codes import move_codes
from dsl.model.player_texts import DEEPEST, MOST_THREADS, Quiet, quiet_moves
from pysolve import doors
from pysolve.engine import Engine, Move, Node, State, ending, looking

WIN = 1_000_000  # a win now; each move later is worth one less
BACK = 1 - WIN  # a move back to a position that was left before
BEYOND = 4  # moves beyond it at most
MARKS = 1 << 20  # positions of unfinished turns that are remembered, a power of two
TABLE = 1 << 28  # bytes that the positions of a table have at most
ENTRIES = 1 << 21  # positions that it holds at most, if nobody says how many
MOST_ENTRIES = 1 << 30  # that can be asked for
HISTORY_BITS = 20  # moves whose numbers are longer have no history
WINDOW = 25  # the least width of an aspiration window, on each side
NOTHING = -4 * WIN  # less than every value
WHOLE = (NOTHING, -NOTHING)  # a window that holds every value
EXACT, LOWER, UPPER = 0, 1, 2  # what is known of a value: itself, or a bound

Value = Callable[[State], int]  # an estimate for the player to move, smaller than WIN


@dataclass(frozen=True, slots=True)
class Result:
    """What a search has found.

    `value` is for the player to move; `WIN` and more is a win for sure, -WIN and less a loss.  `line` is the best play
    for both, from the state searched; it may end before the horizon where the table knew the rest.
    """

    value: int
    line: tuple[Move, ...]
    depth: int  # of the last search that was finished; a better move may be known from the one that was not
    nodes: int  # in all of them
    seconds: float = 0.0
    by_turns: bool = False  # is the depth one of turns?

    @property
    def best(self) -> Move | None:
        """The best move; None if the game is over."""
        return self.line[0] if self.line else None

    @property
    def moves_to_end(self) -> int | None:
        """In how many moves the game ends by force; None if that is not known."""
        return None if self.by_turns else self._to_end

    @property
    def turns_to_end(self) -> int | None:
        """In how many turns the game ends by force; None if that is not known."""
        return self._to_end if self.by_turns else None

    @property
    def _to_end(self) -> int | None:
        return self.depth - (abs(self.value) - WIN) if abs(self.value) >= WIN else None


class Horizon(NamedTuple):
    """How far is looked: what is counted, which moves go on beyond, and where not at all; how first moves are tried."""

    turns: bool = False
    quiet: Quiet = Quiet()
    back: tuple[int, ...] = ()  # the places of the first moves that lead back to what was left before
    order: tuple[int, ...] = ()  # the places of all first moves as they are tried; none: as they promise


_PLAIN = Horizon()


class Visit(NamedTuple):
    """The value of a state at one depth, the line to it, and how many positions it took."""

    value: int
    line: tuple[Move, ...]
    nodes: int


class Stopped(Exception):
    """A limit was reached before a depth was finished, after so many nodes; `found` is the best till then, if any."""

    def __init__(self, nodes: int, found: Visit | None = None):
        super().__init__()
        self.nodes = nodes
        self.found = found


class Searcher(Protocol):
    """Searches to one depth after another; what it learns from one helps with the next."""

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches within a window of values.

        Raises `Stopped` after so many nodes, or at that time.monotonic(), with the best move that is better than alpha.
        """


@runtime_checkable
class SearchingEngine(Protocol):
    """An engine that brings a searcher of its own."""

    def searcher(self, entries: int, threads: int, horizon: Horizon) -> Searcher:
        """A new searcher with a table of `entries` positions; it searches with `threads` threads."""


def minimax(
    engine: Engine,
    state: State,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    value: Value | None = None,
    report: Callable[[Result], None] | None = None,
    entries: int | None = None,
    interruptible: bool = True,
    threads: int = 1,
    turns: int | None = None,
    quiet: Sequence[str] = (),
    left: Collection[State] = (),
    order: Sequence[int] = (),
) -> Result:
    """The best line of play from a state, deeper and deeper until a limit is reached.

    At least one of the limits `depth`, `turns`, `nodes` and `seconds` must be given.  `depth` counts moves, `turns`
    whole turns.  With `depth`, `turns` or `nodes` the result is the same on every engine and machine.  Where a limit
    ends a depth before it is finished, a move that it has found better by then is the best, and `depth` is the one
    before.  `quiet` are kinds of moves that go on beyond the horizon, because an estimate before them says little;
    "captures" stands for all moves after which the opponent has fewer men on the board, of whatever kind.
    `left` are positions that the player would rather not come back to; it counts only while another move is there.
    `order` holds the indices of all legal moves: of moves with equal values the one that stands first in it is found.
    A depth that a limit has ended is then left out, unless it is the first: the best move may be among those not tried.
    Where a limit ends the first turn of `turns`, the search is made again by moves, within the same limits, and the
    result has `by_turns` false.
    `value` is an estimate for the player to move, by default the `evaluate` block.  A table holds so many `entries`, by
    default two million, or less where positions are large.
    `report` hears of each depth that is finished.  With several `threads`, on an engine that has its own search, the
    value of a depth is the same, but line and number of nodes may differ from run to run.  Ctrl-C ends the search with
    what it has found so far, if it has finished depth 1 and is `interruptible`.  Raises `TypeError`, `ValueError` or
    `InvalidState` for arguments that are none.
    """
    doors.engine(engine)
    depth = doors.whole_or_none("depth", depth, 1)
    turns = doors.whole_or_none("turns", turns, 1)
    nodes = doors.whole_or_none("nodes", nodes, 1)
    seconds = doors.seconds(seconds)
    value, report = doors.callback("value", value), doors.callback("report", report)
    left = frozenset(doors.sound_all(engine.game, left, "left")) if left else frozenset()
    if depth is None and turns is None and nodes is None and seconds is None:
        raise ValueError("a search needs a limit: depth, turns, nodes or seconds")
    if depth is not None and turns is not None:
        raise ValueError("depth and turns cannot both be given: a search counts moves or turns")
    node = engine.expand(state)
    if order and sorted(order) != list(range(len(node))):
        raise ValueError(f"order must hold each index of the {len(node)} legal moves once")
    horizon = Horizon(turns is not None, quiet_moves(quiet, engine.game), _leading_to(left, node), tuple(order))
    deepest = min(depth or turns or DEEPEST, DEEPEST)
    searcher = searcher_of(engine, entries, threads, horizon, value)
    began = time.monotonic()
    until = None if seconds is None else began + seconds
    if node.payoff is not None:
        return Result(node.payoff[state[0] - 1] * WIN, (), 0, 1, by_turns=horizon.turns)
    found, total = Result(0, tuple(node.moves[:1]), 0, 0, by_turns=horizon.turns), 0
    for now in range(1, deepest + 1):
        try:
            visit, total = _deepen(searcher, state, now, found, total, nodes, until)
        except (Stopped, KeyboardInterrupt) as stop:
            if isinstance(stop, Stopped):
                total, found = stop.nodes, _better(found, stop.found, now, bool(order))
            elif not (found.depth and interruptible):
                raise
            break
        found = Result(visit.value, visit.line, now, total, time.monotonic() - began, horizon.turns)
        if report is not None:
            report(found)
        if abs(found.value) >= WIN or (len(node) == 1 and depth is None and turns is None):
            break  # what is certain, or forced, needs no deeper look
    found = replace(found, nodes=total, seconds=time.monotonic() - began)
    if found.depth or not horizon.turns or total != nodes:
        return found
    by_moves = minimax(
        engine, state, None, nodes, None if seconds is None else max(0.0, seconds - found.seconds), value, report,
        entries, interruptible, threads, None, quiet, left, order,
    )  # fmt: skip
    return replace(by_moves, nodes=total + by_moves.nodes, seconds=time.monotonic() - began)


def most_entries(game: Game) -> int:
    """How many positions a table holds, if nothing else is said: a power of two."""
    return min(ENTRIES, TABLE >> (game.size - 1).bit_length())


def searcher_of(
    engine: Engine, entries: int | None = None, threads: int = 1, horizon: Horizon = _PLAIN, value: Value | None = None
) -> Searcher:
    """The engine's own searcher where it has one; an estimate of the caller's is asked by the one in Python."""
    entries, threads = checked_table(most_entries(engine.game) if entries is None else entries, threads)
    if isinstance(engine, SearchingEngine) and value is None:
        return engine.searcher(entries, threads, horizon)
    return PythonSearcher(engine, value or _estimate_of(engine), entries, horizon)


def checked_table(entries: Any, threads: Any) -> tuple[int, int]:
    """How many positions a table may hold, and how many threads search."""
    return doors.whole("entries", entries, 1, MOST_ENTRIES), doors.whole("threads", threads, 1, MOST_THREADS)


def checked_visit(depth: Any, alpha: Any, beta: Any, nodes: Any, until: Any) -> tuple[int | None, float | None]:
    """The limits of a visit; raises what is to be said of them, of the depth and of the window."""
    doors.whole("depth", depth, 0, DEEPEST)
    for name, bound in (("alpha", alpha), ("beta", beta)):
        doors.whole(name, bound, -(2**62), 2**62)
    return doors.whole_or_none("nodes", nodes, 0), doors.moment(until)


def _leading_to(left: Collection[State], node: Node) -> tuple[int, ...]:
    """The places of the moves that lead to one of these positions; none if all moves do."""
    if not left or node.payoff is not None:
        return ()
    found = tuple(index for index, child in enumerate(node.children()) if child in left)
    return found if len(found) < len(node) else ()


def _better(found: Result, later: Visit | None, depth: int, ordered: bool) -> Result:
    """The result of a depth, or what a deeper search found before it was stopped, if it had time to change its mind.

    Where the first moves are `ordered`, the best one so far is not tried first, so less than a win says nothing.
    """
    if later is None or later.value <= BACK or (later.line[0] == found.best and later.value < WIN):
        return found
    if ordered and found.depth and later.value < WIN:
        return found
    return replace(found, value=later.value, line=later.line, depth=depth if later.value >= WIN else found.depth)


def _deepen(
    searcher: Searcher, state: State, depth: int, before: Result, total: int, nodes: int | None, until: float | None
) -> tuple[Visit, int]:
    """One depth: first in a window around the last value, then, if the value lies outside, in the whole range."""
    margin = WINDOW + abs(before.value) // 8
    windows = [(before.value - margin, before.value + margin), WHOLE] if depth > 1 else [WHOLE]
    found = None
    for alpha, beta in windows:
        try:
            visit = searcher.visit(state, depth, alpha, beta, None if nodes is None else nodes - total, until)
        except Stopped as stop:
            raise Stopped(stop.nodes + total, stop.found or found) from None
        total += visit.nodes
        if alpha < visit.value < beta:
            break
        found = visit if visit.value >= beta else None
    return visit, total


def _estimate_of(engine: Engine) -> Value:
    return lambda state: engine.estimate(state)[state[0] - 1]


class _Entry(NamedTuple):
    depth: int
    bound: int
    value: int
    best: int  # the place of the best move


class PythonSearcher:
    """The search in its readable form, over any engine."""

    def __init__(self, engine: Engine, value: Value, entries: int, horizon: Horizon = _PLAIN):
        self._turns, self._quiet, self._back, self._tried = horizon
        self._shallow = 0 if self._turns else 1  # what is not deeper is quicker to find out again than to keep
        self._marked = 0
        self._look, self._result = looking(engine), ending(engine)
        self._men_at = engine.game.men
        self._value = value
        self._entries = entries
        self._table: dict[State, _Entry] = {}
        self._killers: list[list[Move | None]] = [[None, None] for _ in range(DEEPEST + BEYOND + 1)]
        self._history: dict[Move, int] = {}
        self._ordered = move_codes(engine.game).bits <= HISTORY_BITS
        self._line: list[tuple[Move, ...]] = [()] * (DEEPEST + BEYOND + 2)
        self._nodes = 0
        self._limit: int | None = None
        self._until: float | None = None

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches within a window of values (see `Searcher.visit`)."""
        nodes, until = checked_visit(depth, alpha, beta, nodes, until)
        self._nodes, self._limit, self._until, self._marked = 0, nodes, until, 0
        self._found: int | None = None
        try:
            value = self._visit(state, depth, alpha, beta, 0)
        except Stopped:
            found = None if self._found is None else Visit(self._found, self._line[0], self._nodes)
            raise Stopped(self._nodes, found) from None
        return Visit(value, self._line[0], self._nodes)

    def _visit(self, state: State, depth: int, alpha: int, beta: int, ply: int, met: set[State] | None = None) -> int:
        """The value of a state for the player to move, as far as it lies between alpha and beta.

        Where turns are counted, `met` are the positions of this turn that were visited, those after it included; None
        where it begins.
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
            return payoff[state[0] - 1] * (WIN + depth - within)
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
        if within:  # a turn has a value where it begins; here it is enough to remember a good move
            if depth > 1 and value > alpha:
                self._keep(state, _Entry(0, EXACT, 0, best))
            return value
        self._marked = marked
        if value == NOTHING:  # the turn never ends
            value, best, self._line[ply] = self._value(state), 0, (moves[0],)
        bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
        if depth > self._shallow:
            self._keep(state, _Entry(depth, bound, value, best))
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
        if child[0] != state[0]:
            return -self._visit(child, depth - 1, -beta, -alpha, ply + 1)
        if met is None:
            return self._visit(child, depth - 1, alpha, beta, ply + 1)
        return self._visit(child, depth, alpha, beta, ply + 1, met)

    def _mark(self, state: State, met: set[State]) -> None:
        """Notes that a position of a turn is visited, if there is room."""
        if self._marked < MARKS:
            met.add(state)
            self._marked += 1

    def _beyond(self, state: State, alpha: int, beta: int, ply: int, left: int) -> int:
        """The value beyond the horizon, where only some kinds of moves go on, `left` of them at most."""
        self._line[ply] = ()
        self._count()
        node = self._look(state)
        if node.payoff is not None:
            return node.payoff[state[0] - 1] * (WIN - (BEYOND - left))
        moves = node.moves
        value, floor = NOTHING, alpha
        if not left or not all(self._goes_on(state, node, index) for index in range(len(moves))):
            # there is something else to do
            value = self._value(state)
            floor = max(alpha, value)
            if value >= beta:
                return value
        for index in self._order(node, -1, ply) if left else ():
            if not self._goes_on(state, node, index):
                continue
            child = node.child(index)
            if child[0] == state[0]:
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
        """Is a move one of those that go on beyond the horizon?"""
        kinds, captures = self._quiet
        if node.moves[index][0] in kinds:
            return True
        opponent = 3 - state[0]
        return captures and self._men(node.child(index), opponent) < self._men(state, opponent)

    def _men(self, state: State, player: int) -> int:
        """How many men of a player are on the board."""
        return sum(state.count(player, part.start, part.stop) for part in self._men_at)

    def _count(self) -> None:
        if self._nodes == self._limit:
            raise Stopped(self._nodes)
        self._nodes += 1
        if self._until is not None and self._nodes % 64 == 0 and time.monotonic() > self._until:
            raise Stopped(self._nodes)

    def _order(self, node: Node, best: int, ply: int) -> list[int]:
        """The places of the moves: what the table says, killers, by history, and the rest as they come."""
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

    def _keep(self, state: State, entry: _Entry) -> None:
        if len(self._table) >= self._entries and state not in self._table:
            self._table.clear()
        self._table[state] = entry
