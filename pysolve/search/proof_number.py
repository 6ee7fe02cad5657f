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

    symmetries  of positions that are images of each other the least stands for all (`pysolve.search.canonical`); the
                search is for one player, so players stay who they are.  What it finds is told for every position, its
                move being the one that leads to an image of what the found move leads to

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
from functools import partial
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
from pysolve.search.canonical import NONE, Renamings

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

    `first` is the index of a first move that achieves the result, if the player whom it favours is to move and the game
    is not over.
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
        """The numbers of a position, and the index of a move of the least of its images."""

    def least(self, state: State) -> State:
        """The least of the images of a position."""

    def forget(self, state: State) -> None:
        """Makes a position unknown."""


@runtime_checkable
class ProvingEngine(Protocol):
    """An engine with a proof-number search of its own."""

    def prover(self, state: State, player: int, states: int, symmetries: Renamings = NONE) -> Prover:
        """A new search: does `player` win by force from `state`?  It keeps at most `states` positions.

        The symmetries exchange no players.
        """


def prove(
    engine: Engine,
    state: State,
    player: int,
    states: int,
    visits: int | None = None,
    seconds: float | None = None,
    tick: Tick | None = None,
    symmetries: Renamings = NONE,
) -> Result:
    """Whether a player (1 or 2) wins by force from a state; `states` positions are kept at most.

    Of images by `symmetries` only one is kept; those that exchange players do not apply.
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
    make = engine.prover if isinstance(engine, ProvingEngine) else partial(PythonProver, engine)
    prover: Prover = make(state, player, states, symmetries.keeping_players)
    until = None if seconds is None else time.monotonic() + seconds
    while True:
        prover.search(visits, until, tick)
        found = prover.known(state)
        if not found.proof:
            goes_on = state[0] == player and engine.expand(state).payoff is None
            first = _best(engine, prover, state) if goes_on else None
            return Result(True, prover.visits, prover.kept, first, lambda: _proof(engine, prover, state, player))
        if found.disproof:
            return Result(None, prover.visits, prover.kept)
        try:
            plan = _disproof(engine, prover, state, player, until)
        except _TimeOver:
            return Result(None, prover.visits, prover.kept)
        if plan is not None:
            first = plan.move(state) if state[0] != player else None
            return Result(False, prover.visits, prover.kept, first, plan.gathered)


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
            plan[state] = _best(engine, prover, state)
            children = [children[plan[state]]]
        todo += [child for child in children if child not in met]
        met.update(children)
    return plan


def _best(engine: Engine, prover: Prover, state: State) -> int:
    """The index of the move that proves a position: one to an image of what the least image leads to.

    Any other proven position would not do: that may have been proven later, and so play could go in a circle.
    """
    least, best = prover.least(state), prover.known(state).best
    if state == least:
        return best
    goal = prover.least(engine.expand(least).child(best))
    return list(map(prover.least, engine.expand(state).children())).index(goal)


def _disproof(engine: Engine, prover: Prover, root: State, player: int, until: float | None) -> _Held | None:
    """The opponent's moves that a disproof needs.

    If no set of such moves is closed, returns None, and the results that the disproof rested on are forgotten.
    """
    start, root = root, prover.least(root)
    holds: dict[State, set[State]] = {}  # the positions after a move that are disproven, each the least of its images
    before: dict[State, list[State]] = {}
    met, todo, gone = {root}, [root], list[State]()
    for state in _on_time(until, _popped(todo)):
        after = list(map(prover.least, engine.expand(state).children()))
        held = dict.fromkeys(child for child in after if not prover.known(child).disproof)
        holds[state] = set(held)
        if len(held) < (len(set(after)) if state[0] == player else min(1, len(after))):
            gone.append(state)
        for child in held:
            before.setdefault(child, []).append(state)
        todo += [child for child in held if child not in met]
        met.update(held)
    lost = set(gone)
    for state in _on_time(until, gone):  # grows: what needs a position that is gone goes, too
        for parent in before.get(state, ()):
            if parent not in lost and (parent[0] == player or lost.issuperset(holds[parent])):
                lost.add(parent)
                gone.append(parent)
    if root in lost:
        for state in lost:
            prover.forget(state)
        return None
    return _Held(engine, prover, player, start, {state: held - lost for state, held in holds.items()})


@dataclass(frozen=True, slots=True)
class _Held:
    """What keeps a disproof: to which positions the opponent may move, each the least of its images."""

    engine: Engine
    prover: Prover
    player: int
    root: State
    held: dict[State, set[State]]

    def move(self, state: State) -> int | None:
        """The index of the opponent's first move that keeps it; None where the game is over."""
        held = self.held[self.prover.least(state)]
        children = self.engine.expand(state).children()
        return next((index for index, child in enumerate(children) if self.prover.least(child) in held), None)

    def gathered(self) -> dict[State, int]:
        """That move in each position that can be reached by such moves."""
        plan: dict[State, int] = {}
        met, todo = {self.root}, [self.root]
        while todo:
            state = todo.pop()
            children = list(self.engine.expand(state).children())
            if state[0] != self.player and (move := self.move(state)) is not None:
                plan[state] = move
                children = [children[move]]
            todo += [child for child in dict.fromkeys(children) if child not in met]
            met.update(children)
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

    def __init__(self, engine: Engine, state: State, player: int, states: int, symmetries: Renamings = NONE):
        self._engine = engine
        self.least = symmetries.least
        self._player = player
        self._limit = states
        self._table: dict[State, Known] = {}
        self._root = symmetries.least(state)
        self.visits = 0

    @property
    def kept(self) -> int:
        """Positions in the table."""
        return len(self._table)

    def known(self, state: State) -> Known:
        """The numbers of a position."""
        return self._table.get(self.least(state), UNKNOWN)

    def forget(self, state: State) -> None:
        """Makes a position unknown."""
        self._table[self.least(state)] = UNKNOWN

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
        """Goes down to a position, the least of its images; notes the result of a game that has ended there."""
        node = self._engine.expand(state)
        if node.payoff is not None:
            self._keep(state, PROVEN if node.payoff[self._player - 1] == 1 else DISPROVEN)
            return
        self._keep(state, self._table.get(state, UNKNOWN))
        path.append(_Frame(state, list(map(self.least, node.children())), proof, disproof))
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
