"""A search to one depth: what every searcher is asked and answers, and what those in Python have in common.

In: a state, a depth, a window of values, limits.  Out: the value, the line of best play, how many positions.  Who
searches deeper and deeper is `pysolve.search.minimax`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from pysolve.dsl.language.constants import BEYOND, DEEPEST, NOTHING, WIN
from pysolve.dsl.model import Game
from pysolve.dsl.player_texts import MOST_THREADS, Quiet
from pysolve.engines.protocol import Engine, Move, State, ending, looking
from pysolve.runtime import validation
from pysolve.runtime.cancellation import go_on

MARKS = 1 << 20  # positions of unfinished turns that are kept, a power of two
MOST_ENTRIES = 1 << 30  # the largest value of `entries`
WHOLE = (NOTHING, -NOTHING)  # a window that holds every value

Value = Callable[[State], int]  # an estimate for the player to move, smaller than WIN


def payoff_at_end(value: int) -> int:
    """The payoff, in units of the game, of an end of this value."""
    size = (abs(value) + WIN // 2) // WIN
    return size if value > 0 else -size


def moves_before_end(value: int, depth: int) -> int | None:
    """The number of steps to the forced end that a value of a search to a depth stands for; None for an estimate."""
    size = abs(payoff_at_end(value))
    later = abs(value) - size * WIN
    return depth - later if size and later >= 0 else None


def value_of_end(payoff: int, left: int) -> int:
    """The value of an end with this payoff, `left` steps before the horizon: a good one is better sooner."""
    return payoff * WIN + (left if payoff > 0 else -left if payoff else 0)


def decides(value: int, game: Game) -> bool:
    """True if a deeper search cannot change a value: somebody wins alone, or one of several players loses for sure.

    Where endings pay numbers: somebody gets, or pays, as much as the rules can pay.
    """
    unit, players = game.most_paid, 2 if game.pays else len(game.players.labels)
    return value >= unit * WIN or value <= -max(1, unit // max(1, players - 1)) * WIN


class Horizon(NamedTuple):
    """The extent of a search: the unit of depth, the moves searched beyond it, the treatment of root moves, and whether
    players play for themselves (max-n)."""

    turns: bool = False
    quiet: Quiet = Quiet()
    back: tuple[int, ...] = ()  # indices of the root moves that lead back to a position left before
    order: tuple[int, ...] = ()  # indices of all root moves in the order of the search; empty for the default order
    player: int = 0  # whose opponents are all others, where there are three players or more; 0: whoever is to move
    each: bool = False


PLAIN = Horizon()


class Visit(NamedTuple):
    """The value of a state at one depth, the line of best play, and the number of positions visited; with max-n the
    values of all players, too."""

    value: int
    line: tuple[Move, ...]
    nodes: int
    values: tuple[int, ...] = ()


class Stopped(Exception):
    """A limit was reached before a depth was finished, after `nodes` positions; `found` is the best result by then."""

    def __init__(self, nodes: int, found: Visit | None = None):
        super().__init__()
        self.nodes = nodes
        self.found = found


class Searcher(Protocol):
    """Searches one depth after another; its table, killers and history are kept between them."""

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        """Searches within a window of values.

        Raises `Stopped` after `nodes` positions, or when `time.monotonic()` is `until`, with the best line above alpha.
        Max-n has no window.
        """


def checked_table(entries: Any, threads: Any) -> tuple[int, int]:
    """The number of positions in a table and of threads, checked; raises `TypeError` or `ValueError`."""
    return validation.whole("entries", entries, 1, MOST_ENTRIES), validation.whole("threads", threads, 1, MOST_THREADS)


def checked_visit(depth: Any, alpha: Any, beta: Any, nodes: Any, until: Any) -> tuple[int | None, float | None]:
    """The limits of a visit, checked; raises `TypeError` or `ValueError`, also for the depth and the window."""
    validation.whole("depth", depth, 0, DEEPEST)
    for name, bound in (("alpha", alpha), ("beta", beta)):
        validation.whole(name, bound, -(2**62), 2**62)
    return validation.whole_or_none("nodes", nodes, 0), validation.moment(until)


E = TypeVar("E")  # what is known of a position


class PlainSearcher(Generic[E]):
    """What all searches in Python have: a table, marks on the positions of a turn, and limits."""

    def __init__(self, engine: Engine, entries: int, turns: bool):
        self._look, self._result, self._estimate = looking(engine), ending(engine), engine.estimate
        self._turns, self._entries = turns, entries
        self._shallow = 0 if turns else 1  # depths up to this are searched again faster than they are kept
        self._table: dict[State, E] = {}
        self._line: list[tuple[Move, ...]] = [()] * (DEEPEST + BEYOND + 2)
        self._begin(None, None)

    def _begin(self, nodes: int | None, until: float | None) -> None:
        """Begins a visit, which ends after so many nodes, or at this time."""
        self._nodes, self._limit, self._until, self._marked = 0, nodes, until, 0

    def _count(self) -> None:
        if self._nodes == self._limit:
            raise Stopped(self._nodes)
        self._nodes += 1
        if self._nodes % 64 == 0:
            go_on()
            if self._until is not None and time.monotonic() > self._until:
                raise Stopped(self._nodes)

    def _mark(self, state: State, met: set[State]) -> None:
        """Marks a position of a turn as visited, if there is room."""
        if self._marked < MARKS:
            met.add(state)
            self._marked += 1

    def _keep(self, state: State, entry: E) -> None:
        if len(self._table) >= self._entries and state not in self._table:
            self._table.clear()
        self._table[state] = entry


class Entry(NamedTuple):
    """What is known of a position: its value at one depth, or a bound, and the best move."""

    depth: int
    bound: int
    value: int
    best: int  # index of the best move
