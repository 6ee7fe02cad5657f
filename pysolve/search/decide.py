"""Alpha-beta for the question who wins: does a player win by force?  Depth first, with a table of fixed size.

In: an engine, a state, a player, limits.  Out: whether the player wins by force, and moves that show it.

    values      are two: the player wins, or he does not (a null window).  A position is decided by the first move that
                is good for whoever moves, otherwise by all of its moves
    table       keeps what is decided, by whole positions, and loses what does not fit: that costs time, and changes
                no answer.  All moves are looked up in it before one is tried (A. Plaat and others, Exploiting Graph
                Properties of Game Trees, AAAI 1996)
    order       a move that wins at once; then those that have decided most often so far, everywhere (the history
                heuristic, J. Schaeffer 1989) and in answer to the same move (J. Uiterwijk, The Countermove Heuristic,
                ICCA Journal 15, 1992), that `evaluate` judges well, and that leave the opponent few moves
    cycles      a position that comes again on the way counts against the player: an endless game is not won.  That he
                does not win may then rely on a position before it; if so it is not kept, but found again in other
                games.  That he wins never relies on it.  So the search is right about any game, but quick only where
                positions seldom come again
    symmetries  of positions that are images of each other the least is kept (`pysolve.search.canonical`)

If a player does not win, and neither a draw nor a position on the way was ever met, all that he may do leads to a win
of the opponent.  Elsewhere that is the same question about the opponent.  Of the native engine the search is in C
(dsl/to_c/runtime/decide.c): it has the same answers; visits differ, since tables lose different positions, and moves
are left out there that lose to the same reply as the one before.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.language.constants import A_REPLY, ESTIMATED, MOST_LOST, RISE, TALLIED
from pysolve.dsl.player_texts import MOST_THREADS
from pysolve.engines.protocol import (
    DoesNotApply,
    Engine,
    EngineError,
    Move,
    Node,
    State,
    refuse_chance,
    refuse_many,
    refuse_payoffs,
    refuse_secrets,
)
from pysolve.runtime import validation
from pysolve.search.canonical import NONE, Renamings
from pysolve.search.proof_number import Result, Tick, checked_goal

SEARCH = "alpha-beta"
FIRST = 3  # moves that tell where a search is
NOWHERE = 1 << 62  # relies on no position on the way


class GoesRound(EngineError):
    """Positions come again, in a way that this search cannot handle."""


class Answer(NamedTuple):
    """Does the player win by force?  `best` is the index of a move that decides so, where it is good for the mover."""

    wins: bool
    best: int | None = None


class Decider(Protocol):
    """A search that may be asked several questions, and keeps what it finds for the next."""

    @property
    def visits(self) -> int:
        """Positions visited so far, repeated visits included."""

    @property
    def kept(self) -> int:
        """Positions in the table."""

    @property
    def lost(self) -> int:
        """Answers that could not be kept, since they relied on the way to a position."""

    @property
    def drawn(self) -> int:
        """How often a draw was met so far, or a position that was on the way: if never, whoever does not win loses."""

    def course(self) -> list[tuple[Move, int, int]]:
        """The first moves on the way to what is being searched, each with its number and how many there are."""

    def ask(
        self, state: State, player: int, visits: int | None = None, until: float | None = None, tick: Tick | None = None
    ) -> Answer | None:
        """Does a player win from a state?  None if that is not known after so many visits, or when the clock
        (`time.monotonic`) reaches `until`.
        """


@runtime_checkable
class DecidingEngine(Protocol):
    """An engine with such a search of its own."""

    def decider(self, states: int, symmetries: Renamings = NONE, threads: int = 1) -> Decider:
        """A new search, whose table has room for `states` positions.  The symmetries exchange no players."""


def decider_of(engine: Engine, states: int, symmetries: Renamings = NONE, threads: int = 1) -> Decider:
    """A new search, whose table has room for `states` positions; symmetries that exchange players do not apply.

    In C so many `threads` look for the answer, which stays the same; visits may then differ from run to run.
    Raises `DoesNotApply` for games that cannot be searched, `TypeError` or `ValueError` for invalid arguments.
    """
    refuse_many(validation.engine(engine), SEARCH)
    if len(engine.game.players.labels) == 1:
        raise DoesNotApply("alpha-beta is for two players: proof-number search finds the solution of a puzzle")
    refuse_chance(engine, SEARCH, "nobody can force what is rolled")
    refuse_payoffs(engine, SEARCH)
    refuse_secrets(engine.game, SEARCH)
    _, states = checked_goal(1, states)
    threads = validation.whole("threads", threads, 1, MOST_THREADS)
    if isinstance(engine, DecidingEngine):
        return engine.decider(states, symmetries.keeping_players, threads)
    return PythonDecider(engine, states, symmetries.keeping_players)


def decide(
    engine: Engine,
    state: State,
    player: int,
    states: int,
    visits: int | None = None,
    seconds: float | None = None,
    tick: Tick | None = None,
    symmetries: Renamings = NONE,
) -> Result:
    """Whether a player (1 or 2) wins by force from a state; the table has room for `states` positions.

    With `visits` alone the result is the same on every machine.  `seconds` limits everything but the gathering of a
    plan.  Raises `GoesRound`, as does that, and `TypeError`, `ValueError` or `InvalidState` for invalid arguments.
    """
    return decide_by(decider_of(engine, states, symmetries), engine, state, player, visits, seconds, tick)


def decide_by(
    searcher: Decider, engine: Engine, state: State, player: int, visits: int | None = None,
    seconds: float | None = None, tick: Tick | None = None,
) -> Result:  # fmt: skip
    """The same by a search of `decider_of` for this engine, which may have been asked before."""
    player, _ = checked_goal(player, 1)
    visits, seconds = validation.whole_or_none("visits", visits, 1), validation.seconds(seconds)
    until, before = None if seconds is None else time.monotonic() + seconds, searcher.visits
    found = searcher.ask(state, player, visits, until, validation.callback("tick", tick))
    made = searcher.visits - before
    if found is None and gives_up(searcher):
        raise GoesRound("positions come again so often here that alpha-beta is of no use: use another method")
    if found is None:
        return Result(None, made, searcher.kept)
    wins = found.wins
    return Result(wins, made, searcher.kept, found.best, lambda: _plan(engine, searcher, state, player, wins))


def gives_up(searcher: Decider) -> bool:
    """Is most of what a search finds lost, because positions come again?"""
    return searcher.lost > MOST_LOST and 2 * searcher.lost > searcher.visits


def _plan(engine: Engine, searcher: Decider, root: State, player: int, wins: bool) -> dict[State, int]:
    """The index of a move that decides, for each position where whom it favours is to move, and can be.

    Raises `GoesRound` for a win that may have no end.
    """
    favoured = player if wins else 3 - player
    plan: dict[State, int] = {}

    def after(state: State) -> Iterator[State]:
        node = engine.expand(state)
        if node.payoff is not None:
            return iter(())
        if state[0] != favoured:
            return iter(node.children())
        answer = searcher.ask(state, player)
        assert answer is not None
        assert answer.best is not None
        plan[state] = answer.best
        return iter((node.child(answer.best),))

    met, way, todo = {root}, {root}, [(root, after(root))]
    while todo:
        state, left = todo[-1]
        child = next(left, None)
        if child is None:
            way.discard(state)
            todo.pop()
        elif wins and child in way:
            raise GoesRound("positions come again here, and the moves that alpha-beta has found go round in a circle: "
                            "another method may find a proof")  # fmt: skip
        elif child not in met:
            met.add(child)
            way.add(child)
            todo.append((child, after(child)))
    return plan


# ------------------------------------------------------------------------------------------------ the search


class _Choice(NamedTuple):
    """A move of a position on the way: what it promises, its place, and what it leads to."""

    promise: float
    number: int
    move: Move
    state: State
    least: State
    node: Node


class _Closed(NamedTuple):
    """What a position is found to be, the lowest place on the way on which that relies, and a move that decides."""

    wins: bool
    relies: int = NOWHERE
    best: int | None = None


class _Level:
    """A position on the way, its moves that are not decided, and the lowest place on which a "no" would rely."""

    __slots__ = ("choices", "least", "made", "mover", "relies", "tried")

    def __init__(self, mover: int, least: State, made: Move | None, choices: list[_Choice], relies: int):
        self.mover, self.least, self.made, self.choices, self.relies = mover, least, made, choices, relies
        self.tried = 0


class PythonDecider:
    """The search in its readable form, over any engine."""

    def __init__(self, engine: Engine, states: int, symmetries: Renamings = NONE):
        self._engine = engine
        self._least = symmetries.least
        self._limit = states
        self._known: dict[tuple[State, int], bool] = {}
        self._tallies: defaultdict[object, float] = defaultdict(float)
        self._gaps = self._gap_count = 0
        self._way = list[_Level]()
        self.visits = self.lost = self.drawn = 0

    @property
    def kept(self) -> int:
        """Positions in the table."""
        return len(self._known)

    def course(self) -> list[tuple[Move, int, int]]:
        """The first moves on the way to what is being searched, each with its number and how many there are."""
        tried = ((level.choices, level.tried) for level in self._way[:FIRST])
        return [(choices[at].move, at + 1, len(choices)) for choices, at in tried if at < len(choices)]

    def ask(
        self, state: State, player: int, visits: int | None = None, until: float | None = None, tick: Tick | None = None
    ) -> Answer | None:
        """Does a player win from a state?"""
        most = None if visits is None else self.visits + visits
        way = self._way = []
        places: dict[State, int] = {}
        closed = self._enter(way, places, player, self._engine.expand(state), state, self._least(state), None)
        while way:
            late = until is not None and self.visits % 64 == 0 and time.monotonic() >= until
            if late or self.visits == most or gives_up(self):
                return None
            if tick is not None and self.visits % 1024 == 0:
                tick(1024)
            level = way[-1]
            if closed is not None:
                level.tried += 1
                level.relies = min(level.relies, closed.relies)
                good = closed.wins == (level.mover == player)
                if good or level.tried == len(level.choices):
                    way.pop()
                    del places[level.least]
                    best = level.choices[level.tried - 1].number if good else None
                    if good:
                        self._raise_last(level)
                    relies = closed.relies if good else level.relies
                    closed = self._closed(len(way), player, level.least, closed.wins, relies, best)
                    continue
            untried = range(level.tried, len(level.choices))
            at = max(untried, key=lambda place, level=level: level.choices[place].promise)  # type: ignore[misc]
            level.choices.insert(level.tried, level.choices.pop(at))
            one = level.choices[level.tried]
            closed = self._enter(way, places, player, one.node, one.state, one.least, one.move)
        assert closed is not None
        return Answer(closed.wins, closed.best)

    def _enter(
        self, way: list[_Level], places: dict[State, int], player: int, node: Node, state: State, least: State,
        made: Move | None,
    ) -> _Closed | None:  # fmt: skip
        """Goes down to a position; what it is found to be, if what is known of those after it decides."""
        self.visits += 1
        if node.payoff is not None:
            self.drawn += node.payoff[player - 1] == 0
            return _Closed(node.payoff[player - 1] == 1)
        chooses, depth = state[0] == player, len(way)
        open_, back, relies = list[_Choice](), list[tuple[int, int]](), NOWHERE
        for index, child in enumerate(node.children()):
            after = self._engine.expand(child)
            if after.payoff is not None:
                self.drawn += after.payoff[player - 1] == 0
                if (after.payoff[player - 1] == 1) == chooses:
                    return _Closed(chooses, best=index)
                continue
            open_.append(_Choice(0, index, node.moves[index], child, self._least(child), after))
        undecided = list[_Choice]()
        for one in open_:
            known = self._known.get((one.least, player))
            if known is chooses:
                return self._closed(depth, player, least, chooses, NOWHERE, one.number)
            place = depth if one.least == least else places.get(one.least)
            if known is None and place is None:
                undecided.append(one)
            elif known is None and place is not None:
                self.drawn += 1
                back.append((-place, one.number))
                relies = min(relies, place)
        if back and not chooses:
            place, best = min(back)
            return self._closed(depth, player, least, False, -place, best)
        if not undecided:
            return self._closed(depth, player, least, not chooses, relies, None)
        places[least] = depth
        way.append(_Level(state[0], least, made, self._promised(state[0], made, undecided), relies))
        return None

    def _closed(self, depth: int, player: int, least: State, wins: bool, relies: int, best: int | None) -> _Closed:
        """What the position at a depth is found to be; it is kept, unless it relies on one before it."""
        if wins or relies >= depth:
            if len(self._known) >= self._limit:
                del self._known[next(iter(self._known))]
            self._known[least, player] = wins
            return _Closed(wins, best=best)
        self.lost += 1
        return _Closed(wins, relies, best)

    def _promised(self, mover: int, made: Move | None, choices: list[_Choice]) -> list[_Choice]:
        """The same with what each of the moves promises."""
        signs = [1 if one.state[0] == mover else -1 for one in choices]
        estimates = [self._engine.estimate(one.state)[mover - 1] for one in choices]
        gaps = [estimate - sum(estimates) // len(estimates) for estimate in estimates]
        found = list[_Choice]()
        for one, sign, gap in zip(choices, signs, gaps, strict=True):
            self._gaps += abs(gap)
            self._gap_count += 1
            standing = self._tallies[mover, one.move] + self._tallies[mover, made, one.move]
            ahead = ESTIMATED * gap * self._gap_count / (self._gaps + 1)
            promise = standing + sign * A_REPLY * len(one.node) + max(-2 * ESTIMATED, min(2 * ESTIMATED, ahead))
            found.append(one._replace(promise=promise))
        return found

    def _raise_last(self, level: _Level) -> None:
        """The last move tried rises, and those before it sink, if there are any."""
        tried = level.choices[: level.tried]
        for one in tried if len(tried) > 1 else ():
            by = RISE if one is tried[-1] else -RISE // 2
            for name in ((level.mover, one.move), (level.mover, level.made, one.move)):
                self._tallies[name] += by - self._tallies[name] * abs(by) / TALLIED
