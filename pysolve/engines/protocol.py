"""The protocol of engines: an engine answers questions about one game.  It does not search, print or remember.

A state is a string of bytes in the model's layout, the same on every engine.  A move is a tuple of numbers: its
kind, then its parameters; `pysolve.dsl.notation` turns both into words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pysolve.dsl.model import UNSEEN, Game

State = bytes
View = bytes  # a state in which the bytes that a player does not see are UNKNOWN
Move = tuple[int, ...]

UNKNOWN = UNSEEN  # no byte of a state has this value
A_SECOND = 10_000  # positions that a search by time is taken to look at
LONG = 12.0  # seconds of a search from which on it waits for a better build, which takes some four in zola

TOO_MANY = "a rule tries too many combinations; give its variables smaller ranges, or test before the next choice"


class EngineError(RuntimeError):
    """An engine cannot answer: no Prolog is found, a limit is reached, or a rule breaks its own ranges."""


class RuleMistake(EngineError):
    """An effect of the rules that cannot be carried out in some position: a mistake of their author.

    `source` and `line` say where it stands.  `place` and `value` are the state that would leave its range and the word
    of its new value; both are None where the effect needs a value that does not exist.  `move` is the move that has
    the effect, and `diagram` the position in which it was tried; they are None where they are not known.
    """

    def __init__(
        self, what: str, source: str, line: int, place: str | None = None, value: str | None = None,
        move: str | None = None, diagram: str | None = None,
    ):  # fmt: skip
        super().__init__(what, source, line, place, value, move, diagram)
        self.what = what
        self.source = source
        self.line = line
        self.place = place
        self.value = value
        self.move = move
        self.diagram = diagram

    def __str__(self) -> str:
        """The place and the mistake on the first line, then the move and a drawing of the position."""
        first = f"{self.source}:{self.line}: {self.what}"
        lines = [f"the move is  {self.move}"] if self.move is not None else []
        lines += (self.diagram or "").splitlines()
        return "\n".join([first, *(f"  {line}" for line in lines)])


class LimitReached(EngineError):
    """A question took more inferences, time or memory than it was allowed."""


class DoesNotApply(EngineError):
    """A search that does not support this number of players."""


class QueryError(ValueError):
    """A query that cannot be read, or asks for something that the rules do not have."""


class InvalidState(ValueError):
    """Bytes that are no state of the game: too few or too many, or a value out of its range."""


class Node(Protocol):
    """Everything that can be asked about one position."""

    payoff: tuple[int, ...] | None  # of each player, in parts of `payoff_unit`; None while the game goes on
    ending: int  # which ending of the rules holds, from 1; 0 while the game goes on

    @property
    def moves(self) -> Sequence[Move]:
        """Legal moves in canonical order; empty exactly when the game is over."""

    @property
    def weights(self) -> tuple[int, ...] | None:
        """A weight for each move where nobody chooses: how likely it is among their sum; None where a player does."""

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
        """Everything that can be asked about a position; raises `RuleMistake` if the effect of a legal move fails."""

    def estimate(self, state: State) -> tuple[int, ...]:
        """The `evaluate` block for each player; the values add up to zero."""

    def start(self, seed: int = 0) -> State:
        """The initial state; random draws of the setup come from the seed."""

    def view(self, state: State, player: int) -> View:
        """The state as a player sees it, who is numbered from 1 like the mover; all of it in a game without secrets."""

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        """For an ending that compares scores, the scores of all players for each compared line; else an empty list."""

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """Number and winner (0 for a draw) of the ending that holds after `turns` turns, at occurrence number `times`.

        None if no ending holds.
        """


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one demand: `part` is when or after, `number` its place there, from 1.

    `parts` are the conditions joined in it that decide why it fails; their numbers count within the demand.
    """

    part: str
    number: int
    holds: bool
    values: tuple[str, ...]
    parts: tuple[Finding, ...] = ()


class Explainer(Protocol):
    """Says of a move which demands hold, with the values that decide it."""

    def explain(self, state: State, move: Move) -> list[Finding]:
        """Each demand of the move's kind; those on the resulting position only if all others hold."""

    def explain_claim(self, state: State, number: int) -> Finding:
        """Whether what an example says, by its number in the model, holds in a position."""


class Shows(Protocol):
    """Answers the names that lines of `show` draw, mark or tell."""

    def rows(self, state: State, name: str, limit: int) -> list[tuple[int, ...]]:
        """The first answers to the query of a name with all arguments open, as numbers: the parameters, and then the
        value, or a member of the set.  Raises `LimitReached` for what takes too many steps, on any machine."""

    def outs(self, state: State) -> list[int]:
        """The numbers of the players for whom `out when` holds, each as if the turn came to them; none without it."""


@runtime_checkable
class LookingEngine(Protocol):
    """An engine that can compute the effects of moves later, where computing them takes long."""

    def look(self, state: State) -> Node:
        """The node of a state, as `expand` returns it.

        `RuleMistake` for the effect of a move may be raised only when its child is read.
        """

    def result(self, state: State) -> tuple[int, ...] | None:
        """The payoff of a position, as `expand` gives it, and nothing else."""


def looking(engine: Engine) -> Callable[[State], Node]:
    """The function for a caller who does not read the child of every move: `look` if there is one, else `expand`."""
    return engine.look if isinstance(engine, LookingEngine) else engine.expand


@runtime_checkable
class BuildingEngine(Protocol):
    """An engine of which there may be a better build, or one is under way in another process."""

    def hasten(self, positions: int = 0) -> None:
        """Makes a better build at once if that is worth its time for a question about so many positions, or if all
        questions so far have been about as many."""

    def wait_for_better(self, seconds: float) -> None:
        """Waits until it is ready, but no longer than so many seconds."""


def await_better(engine: Engine, seconds: float | None, nodes: int | None) -> float:
    """Called before a search that ends after so many seconds or positions: a long one begins with the better build,
    which looks at several times as many positions, if that is ready within a third of the time.

    Returns the moment at which the time of the search begins.  To wait is a part of it, to make a build is not: that
    happens once and takes some tenths of a second, which may be all that there is.
    """
    began = time.monotonic()
    if isinstance(engine, BuildingEngine):
        if seconds is not None and seconds >= LONG:
            engine.wait_for_better(seconds / 3)
        waited = time.monotonic()
        engine.hasten(nodes or int((seconds or 0) * A_SECOND))
        began += time.monotonic() - waited
    return began


def refuse_many(engine: Engine, search: str) -> None:
    """Raises `DoesNotApply` where more than two players play, for a search that says who wins by force."""
    players = len(engine.game.players.labels)
    if players > 2:
        raise DoesNotApply(
            f"{search} is for two players at most: {engine.game.title} has {players}, and what the others do to each "
            "other decides who wins; minimax, maxn and mcts play it"
        )


def refuse_chance(engine: Engine, search: str, instead: str) -> None:
    """Raises `DoesNotApply` in a game with chance, for a search that cannot wait for what nobody chooses."""
    if engine.game.chances:
        kinds = " and ".join(action.name for action in engine.game.actions if action.chance)
        raise DoesNotApply(f"{search} does not apply: in {engine.game.title}, {kinds} is left to chance; {instead}")


def refuse_payoffs(engine: Engine, search: str) -> None:
    """Raises `DoesNotApply` in a game whose endings pay numbers, for a search that knows only win, draw and loss."""
    if engine.game.pays:
        raise DoesNotApply(
            f"{search} does not apply: it knows who wins, and {engine.game.title} pays numbers; pysolve solve says "
            "what the first player can expect, and minimax and mcts play it"
        )


def refuse_secrets(game: Game, search: str, sees: str = "it looks at all of the position") -> None:
    """Raises `DoesNotApply` in a game with secrets, for a search, or for what else knows more than a player may."""
    if game.secret:
        raise DoesNotApply(f"{search} does not apply: {sees}, and in {game.title} no player sees all")


def ending(engine: Engine) -> Callable[[State], tuple[int, ...] | None]:
    """The function that gives the payoff of a position."""
    return engine.result if isinstance(engine, LookingEngine) else lambda state: engine.expand(state).payoff
