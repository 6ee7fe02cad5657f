"""What an engine is: it answers questions about one game.  It does not search, print or remember.

A state is a string of bytes in the model's layout, the same on every engine.  A move is a tuple of numbers: its
kind, then its parameters; `dsl.notation` turns both into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from dsl.model import Game

State = bytes
Move = tuple[int, ...]


class EngineError(RuntimeError):
    """The machine's fault or ours: no Prolog found, a limit hit, a rule that breaks its own ranges."""


class LimitReached(EngineError):
    """A question took more inferences, time or memory than it was allowed."""


class Node(Protocol):
    """All that can be asked about one position."""

    payoff: tuple[int, ...] | None  # 1, 0 or -1 for each player; None while the game goes on
    ending: int  # which ending of the rules holds, from 1; 0 while the game goes on

    @property
    def moves(self) -> Sequence[Move]:
        """Legal moves in canonical order; empty exactly when the game is over."""

    def child(self, index: int) -> State:
        """The state after move number `index`; built when asked for."""

    def children(self) -> Iterator[State]:
        """The states after all moves, in order, each built when it is reached."""

    def __len__(self) -> int:
        """How many legal moves there are."""


class Engine(Protocol):
    """Answers for one game."""

    game: Game

    def expand(self, state: State) -> Node:
        """All that can be asked about a position; a mistake in what a move changes is told here."""

    def estimate(self, state: State) -> tuple[int, ...]:
        """The `evaluate` block for each player; the values add up to zero."""

    def start(self, seed: int = 0) -> State:
        """The initial state; where the setup draws lots, they come from the seed."""

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """Ending and winner (0 for a draw) after so many turns, the position having occurred so many times."""


@runtime_checkable
class LookingEngine(Protocol):
    """An engine that can leave it for later what moves change, where it takes long to find out."""

    def look(self, state: State) -> Node:
        """What `expand` answers; a mistake in what a move changes may be told as late as its child is asked for."""

    def result(self, state: State) -> tuple[int, ...] | None:
        """The payoff of a position, as `expand` gives it, and nothing else."""


def looking(engine: Engine) -> Callable[[State], Node]:
    """How to ask about a position for somebody who will not follow every move."""
    return engine.look if isinstance(engine, LookingEngine) else engine.expand


def ending(engine: Engine) -> Callable[[State], tuple[int, ...] | None]:
    """How to ask for the payoff of a position alone."""
    return engine.result if isinstance(engine, LookingEngine) else lambda state: engine.expand(state).payoff
