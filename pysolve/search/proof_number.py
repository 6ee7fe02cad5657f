"""Proof-number search, depth first (df-pn): can a player force a win?

In: an engine, a state, a player, limits.  Out: whether the player wins by force, and the moves that show it.

    numbers     of a position: the work left to prove that the player wins (proof), or does not (disproof).  One move of
                the player must win, but all moves of the opponent.  For the latter the number is the greatest of the
                children plus one for each other open child (weak proof numbers): a sum would count twice what can be
                reached in two ways
    search      always continues at the child with the least work left; numbers of positions are kept in a table
    proofs      a position is proven after those that its proof needs.  So proofs are never circular
    cycles      a repeated position counts against the player: an endless game is not won
    disproofs   may then depend on the path to a position.  So a disproof counts only if it is closed: whatever the
                player does, the opponent has a move to a position that is disproven, too.  Other disproofs are
                discarded, and the search goes on

A disproof says that the opponent does not lose, not that he wins: that takes a search for the opponent.  The mover may
be the same after a move (`again`); who chooses is read from the position.  The native engine does the same in C
(dsl/to_c/runtime/proof.c), with the same number of visits.

Sources: L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, thesis, Maastricht 1994; A. Nagai,
Df-pn Algorithm for Searching AND/OR Trees and Its Applications, thesis, Tokyo 2002; T. Ueda and others, Weak
Proof-Number Search, Computers and Games 2008; on cycles, A. Kishimoto and M. Müller, A Solution to the GHI Problem for
Depth-First Proof-Number Search, Information Sciences 175 (2005).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pysolve.dsl.language.constants import INFINITE, SLACK
from pysolve.engines.protocol import (
    Engine,
    EngineError,
    State,
    refuse_chance,
    refuse_many,
    refuse_payoffs,
    refuse_secrets,
)
from pysolve.runtime import validation

Tick = Callable[[int], None]


class Known(NamedTuple):
    """The proof and disproof numbers of a position, and the index of the move that proves it."""

    proof: int
    disproof: int
    best: int = 0


UNKNOWN = Known(1, 1)
PROVEN, DISPROVEN = Known(0, INFINITE), Known(INFINITE, 0)


class TableFull(EngineError):
    """The search needs to keep more positions than allowed."""

    def __init__(self, limit: int):
        super().__init__(f"the search has reached its limit of {limit:,} positions")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search: whether the player wins by force (None: not known), and the number of visits.

    `first` is the index of a first move that achieves the result, if the player whom it favours is to move.
    """

    wins: bool | None
    visits: int
    kept: int  # positions in the table
    first: int | None = None
    gathered: Callable[[], dict[State, int]] = field(default=dict, compare=False, repr=False)

    @property
    def plan(self) -> dict[State, int]:
        """The index of the move in each position that play by it can reach: moves of the player for a win, of the
        opponent for a disproof.  Computed at each access, which may take long.
        """
        return self.gathered()


class Prover(Protocol):
    """A proof-number search that can be interrupted and continued."""

    @property
    def visits(self) -> int:
        """Positions visited so far, repeated visits included."""

    @property
    def kept(self) -> int:
        """Positions in the table."""

    def search(self, visits: int | None, until: float | None, tick: Tick | None) -> None:
        """Goes on until the root is proven or disproven, or a limit is reached; raises `TableFull`."""

    def known(self, state: State) -> Known:
        """The numbers of a position."""

    def forget(self, state: State) -> None:
        """Makes a position unknown."""


@runtime_checkable
class ProvingEngine(Protocol):
    """An engine with a proof-number search of its own."""

    def prover(self, state: State, player: int, states: int) -> Prover:
        """A new search: does `player` win by force from `state`?  It keeps at most `states` positions."""


def prove(
    engine: Engine,
    state: State,
    player: int,
    states: int,
    visits: int | None = None,
    seconds: float | None = None,
    tick: Tick | None = None,
) -> Result:
    """Whether a player (1 or 2) wins by force from a state; `states` positions are kept at most.

    With `visits` alone the result is the same on every engine and machine.  `seconds` limits everything but the
    gathering of a plan.  Raises `TableFull`, and `TypeError`, `ValueError` or `InvalidState` for invalid arguments.
    """
    refuse_many(validation.engine(engine), "proof-number search")
    refuse_chance(engine, "proof-number search", "nobody can force what is rolled")
    refuse_payoffs(engine, "proof-number search")
    refuse_secrets(engine.game, "proof-number search")
    player, states = checked_goal(player, states)
    visits, seconds = validation.whole_or_none("visits", visits, 1), validation.seconds(seconds)
    tick = validation.callback("tick", tick)
    prover: Prover = (
        engine.prover(state, player, states)
        if isinstance(engine, ProvingEngine)
        else PythonProver(engine, state, player, states)
    )
    until = None if seconds is None else time.monotonic() + seconds
    while True:
        prover.search(visits, until, tick)
        found = prover.known(state)
        if not found.proof:
            first = found.best if state[0] == player else None
            return Result(True, prover.visits, prover.kept, first, lambda: _proof(engine, prover, state, player))
        if found.disproof:
            return Result(None, prover.visits, prover.kept)
        try:
            plan = _disproof(engine, prover, state, player, until)
        except _TimeOver:
            return Result(None, prover.visits, prover.kept)
        if plan is not None:
            return Result(False, prover.visits, prover.kept, plan.get(state), plan.copy)


class _TimeOver(Exception):
    """The time limit of a search is reached."""


def _on_time(until: float | None, states: Iterable[State]) -> Iterator[State]:
    """Yields the states; raises `_TimeOver` when the time is over."""
    for state in states:
        if until is not None and time.monotonic() >= until:
            raise _TimeOver
        yield state


def _popped(todo: list[State]) -> Iterator[State]:
    """Pops the states from a stack that may grow meanwhile, until it is empty."""
    while todo:
        yield todo.pop()


def checked_goal(player: Any, states: Any) -> tuple[int, int]:
    """The player and the number of positions kept, checked; raises `TypeError` or `ValueError`."""
    return validation.whole("player", player, 1, 2), validation.whole("states", states, 1)


def _proof(engine: Engine, prover: Prover, state: State, player: int) -> dict[State, int]:
    """The player's move in each position that a proof needs."""
    plan: dict[State, int] = {}
    met, todo = {state}, [state]
    while todo:
        state = todo.pop()
        node = engine.expand(state)
        if node.payoff is not None:
            continue
        children = list(node.children())
        if state[0] == player:
            plan[state] = prover.known(state).best
            children = [children[plan[state]]]
        todo += [child for child in children if child not in met]
        met.update(children)
    return plan


def _disproof(engine: Engine, prover: Prover, root: State, player: int, until: float | None) -> dict[State, int] | None:
    """The opponent's move in each position that a disproof needs.

    If no set of such moves is closed, returns None, and the results that the disproof rested on are forgotten.
    """
    holds: dict[State, dict[int, State]] = {}  # the moves that stay within what is disproven
    before: dict[State, list[State]] = {}
    met, todo, gone = {root}, [root], list[State]()
    for state in _on_time(until, _popped(todo)):
        node = engine.expand(state)
        holds[state] = {i: child for i, child in enumerate(node.children()) if not prover.known(child).disproof}
        if len(holds[state]) < (len(node) if state[0] == player else min(1, len(node))):
            gone.append(state)
        for child in holds[state].values():
            before.setdefault(child, []).append(state)
        todo += [child for child in dict.fromkeys(holds[state].values()) if child not in met]
        met.update(holds[state].values())
    lost = set(gone)
    for state in _on_time(until, gone):  # grows: what needs a position that is gone goes, too
        for parent in before.get(state, ()):
            if parent not in lost and (parent[0] == player or lost.issuperset(holds[parent].values())):
                lost.add(parent)
                gone.append(parent)
    if root in lost:
        for state in lost:
            prover.forget(state)
        return None
    return _within(holds, lost, root, player, until)


def _within(
    holds: dict[State, dict[int, State]], lost: set[State], root: State, player: int, until: float | None
) -> dict[State, int]:
    """The opponent's first move that keeps the disproof, for each position that can be reached by such moves."""
    plan: dict[State, int] = {}
    met, todo = {root}, [root]
    for state in _on_time(until, _popped(todo)):
        children = holds[state]
        if state[0] != player and children:
            plan[state] = next(index for index, child in children.items() if child not in lost)
            children = {0: children[plan[state]]}
        todo += [child for child in dict.fromkeys(children.values()) if child not in met]
        met.update(children.values())
    return plan


# ------------------------------------------------------------------------------------------------ the search


class _Frame:
    """A position on the way down, and the numbers at which the search leaves it."""

    __slots__ = ("children", "disproof", "proof", "state")

    def __init__(self, state: State, children: list[State], proof: int, disproof: int):
        self.state = state
        self.children = children
        self.proof = proof
        self.disproof = disproof


class PythonProver:
    """The search in its readable form, over any engine."""

    def __init__(self, engine: Engine, state: State, player: int, states: int):
        self._engine = engine
        self._player = player
        self._limit = states
        self._table: dict[State, Known] = {}
        self._root = state
        self.visits = 0

    @property
    def kept(self) -> int:
        """Positions in the table."""
        return len(self._table)

    def known(self, state: State) -> Known:
        """The numbers of a position."""
        return self._table.get(state, UNKNOWN)

    def forget(self, state: State) -> None:
        """Makes a position unknown."""
        self._table[state] = UNKNOWN

    def search(self, visits: int | None, until: float | None, tick: Tick | None) -> None:
        """Goes on until the root is proven or disproven, or a limit is reached; raises `TableFull`."""
        path: list[_Frame] = []
        on_path: set[State] = set()
        self._enter(path, on_path, self._root, INFINITE, INFINITE)
        while path:
            if self.visits == visits or (until is not None and self.visits % 64 == 0 and time.monotonic() > until):
                return
            self.visits += 1
            if tick is not None and self.visits % 1024 == 0:
                tick(1024)
            frame = path[-1]
            numbers, index, rival, rest = self._summed(frame, on_path)
            if numbers.proof >= frame.proof or numbers.disproof >= frame.disproof:
                self._keep(frame.state, numbers)
                on_path.discard(frame.state)
                path.pop()
                continue
            if frame.state[0] == self._player:
                proof, disproof = min(frame.proof, rival), frame.disproof - rest
            else:
                proof, disproof = frame.proof - rest, min(frame.disproof, rival)
            self._enter(path, on_path, frame.children[index], proof, disproof)

    def _enter(self, path: list[_Frame], on_path: set[State], state: State, proof: int, disproof: int) -> None:
        """Goes down to a position; notes the result of a game that has ended there."""
        node = self._engine.expand(state)
        if node.payoff is not None:
            self._keep(state, PROVEN if node.payoff[self._player - 1] == 1 else DISPROVEN)
            return
        self._keep(state, self.known(state))
        path.append(_Frame(state, list(node.children()), proof, disproof))
        on_path.add(state)

    def _summed(self, frame: _Frame, on_path: set[State]) -> tuple[Known, int, int, int]:
        """The numbers of a position by those of its children; the child where least is missing.

        Of that child, also the number at which another one becomes better, and the sum over the others.
        """
        chooses = frame.state[0] == self._player
        least = second = INFINITE
        index, most, open_ = 0, 0, 0
        for place, child in enumerate(frame.children):
            numbers = DISPROVEN if child in on_path else self._table.get(child, UNKNOWN)
            own, other = (numbers.proof, numbers.disproof) if chooses else (numbers.disproof, numbers.proof)
            most = max(most, other)
            open_ += other > 0
            if own < least:
                least, second, index = own, least, place
            elif own < second:
                second = own
        rest = max(0, open_ - 1)
        total = min(most + rest, INFINITE)
        rival = min(second + 1 + second // SLACK, INFINITE)
        numbers = Known(least, total, index) if chooses else Known(total, least, index)
        return numbers, index, rival, rest

    def _keep(self, state: State, numbers: Known) -> None:
        if len(self._table) >= self._limit and state not in self._table:
            raise TableFull(self._limit)
        self._table[state] = numbers
