"""Equilibria: how to play a game with secrets so that nobody gains by playing otherwise.

In: a game, limits.  Out: a `Solved`: a strategy, what it is worth to each player, how far it is from an equilibrium.

    cfr      CFR+ over the whole tree of the game (`pysolve.search.hidden.cfr`): as close as wished
    mccfr    external-sampling MCCFR (`pysolve.search.hidden.mccfr`), for trees that do not fit: how close is not known

It begins where the game does: what a player should do depends on what might have happened before, not on one position.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pysolve.dsl.notation import move_text
from pysolve.engines.protocol import DoesNotApply, LimitReached
from pysolve.game import Game
from pysolve.notation.record import option_words
from pysolve.players.strategies import Moves, Strategy
from pysolve.runtime.validation import LARGEST
from pysolve.search.hidden.cfr import Equilibrium, equilibrium, regrets_of, simplest_between
from pysolve.search.hidden.knowledge import Knowledge
from pysolve.search.hidden.mccfr import Full, Sampling
from pysolve.search.hidden.rules import tree_of
from pysolve.search.hidden.tree import NODES, GameTree, InformationSet
from pysolve.search.information import in_brief, in_words

CFR, MCCFR = "cfr", "mccfr"
CLOSE = 1e-5  # times the largest payoff: exploitability at which CFR+ ends by default
FIRST = 64  # iterations after which one looks for the first time how close they are; then after twice as many
SAMPLED = 1_000_000  # positions that MCCFR looks at without a limit
STRIKING = Fraction(1, 20)  # chance, about, that a range as narrow has a fraction as simple by accident

Tick = Callable[[int], None]
Begun = Callable[[str], None]


class Limits(NamedTuple):
    """Limits: nodes of the tree, iterations, seconds, and exploitability at which CFR+ ends."""

    nodes: int = NODES  # and information sets of MCCFR
    iterations: int | None = None
    seconds: float | None = None
    close: float | None = None


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Solved:
    """A strategy for all players of a game, and what is known of it."""

    game: Game
    method: str
    iterations: int
    positions: int  # nodes of the tree; of MCCFR positions that were looked at
    seconds: float
    rows: tuple[tuple[InformationSet, tuple[float, ...]], ...] = field(repr=False)  # with the probability of each move
    knowledge: Knowledge = field(repr=False)
    found: Equilibrium | None = None  # of CFR+

    @property
    def worth(self) -> dict[str, float] | None:
        """The expected payoff of each player; None where it is not known."""
        return None if self.found is None else dict(zip(self.game.players, self.found.worth, strict=True))

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between these the value of the game for the first of two players lies; None where they are not known."""
        return self.found.bounds if self.found is not None and len(self.game.players) == 2 else None

    @property
    def fraction(self) -> Fraction | None:
        """The simplest fraction between the bounds, where it is so simple that it is no accident; else None."""
        if self.bounds is None:
            return None
        low, high = map(Fraction, self.bounds)
        found = simplest_between(low, high)
        return found if found.denominator**2 * (high - low) <= STRIKING else None

    def brief(self, one: InformationSet) -> str:
        """What the player of an information set knows, on one line."""
        return in_brief(self.game.model, self.knowledge.information(_number(one)))

    def moves(self, one: InformationSet, parts: tuple[float, ...]) -> Moves:
        """The probability of each move of an information set, by its text."""
        found: Moves = {}
        for move, part in zip(one.moves, parts, strict=True):
            text = move_text(self.game.model, move)  # type: ignore[arg-type]
            found[text] = found.get(text, 0.0) + part
        return found

    def strategy(self, name: str) -> Strategy:
        """The strategy, to be written to a file; `name` is an argument for `load`."""
        model, close = self.game.model, None if self.found is None else self.found.exploitability
        words, players = option_words(self.game), self.game.players
        sets = {
            (players[one.player - 1], in_words(model, self.knowledge.information(_number(one)))): self.moves(one, parts)
            for one, parts in self.rows
        }
        return Strategy(name, words, model.digest, self.method, self.iterations, self.worth, close, sets)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        close = {} if self.found is None else {
            "exploitability": self.found.exploitability, "nash_conv": self.found.nash_conv,
            "responses": dict(zip(self.game.players, self.found.responses, strict=True)),
        }  # fmt: skip
        return {
            "method": self.method, "worth": self.worth, "bounds": self.bounds,
            "fraction": None if self.fraction is None else str(self.fraction), **close,
            "iterations": self.iterations, "sets": len(self.rows), "positions": self.positions,
            "seconds": round(self.seconds, 3),
        }  # fmt: skip


def _number(one: InformationSet) -> int:
    number = one.information
    assert isinstance(number, int)
    return number


def solve_secret(
    game: Game,
    method: str | None = None,
    limits: Limits = DEFAULT,
    seed: int = 0,
    tick: Tick = lambda _: None,
    begun: Begun = lambda _: None,
) -> Solved:
    """A strategy for a game with secrets: by CFR+ if its tree fits, otherwise by MCCFR, unless a method is given.

    Ctrl-C ends the iterations, and what was found until then counts.  `tick` hears of so many more steps of the stage
    that `begun` has named.  Raises `LimitReached` where the tree of CFR+ does not fit, and `DoesNotApply`.
    """
    if game.model.draws_lots:
        raise DoesNotApply(
            f"no equilibrium is computed of {game.title}: its setup draws lots; let moves of chance draw them"
        )
    began = time.monotonic()
    until = None if limits.seconds is None else began + limits.seconds
    share = 1 if method == CFR else 0.5  # of the time, for the tree

    def grown(count: int) -> None:
        tick(count)
        if limits.seconds is not None and time.monotonic() - began > share * limits.seconds:
            raise LimitReached("the time was over before the tree of the game had grown")

    if method != MCCFR:
        try:
            begun("nodes of the tree")
            tree, knowledge = tree_of(game.engine, game.start().state, limits.nodes, grown)
        except LimitReached as error:
            if method == CFR:
                raise LimitReached(f"{error}: allow more (--states, --time), or use --method {MCCFR}") from None
        else:
            begun("iterations of CFR+")
            solved = _iterated(game, tree, limits, until, tick)
            rows, seconds = tuple(_rows(solved)), time.monotonic() - began
            return Solved(game, CFR, solved.iterations, tree.nodes, seconds, rows, knowledge, solved)
    begun("iterations of MCCFR")
    sampling = Sampling(game.engine, game.start().state, seed, limits.nodes)
    with suppress(Full):
        _until_stopped(lambda: _sampled(sampling, limits, until, tick))
    seconds, known = time.monotonic() - began, sampling.knowledge
    found = sorted(sampling.strategy(), key=lambda row: len(known.information(_number(row[0]))))
    rows = tuple((one, tuple(parts)) for one, parts in found)
    return Solved(game, MCCFR, sampling.iterations, sampling.positions, seconds, rows, known)


def _sampled(sampling: Sampling, limits: Limits, until: float | None, tick: Tick) -> None:
    """Samples until a limit is reached; without one, until so many positions were looked at."""
    if limits.iterations is not None or until is not None:
        sampling.go_on(limits.iterations or LARGEST, tick, until)
    while limits.iterations is None and until is None and sampling.positions < SAMPLED:
        sampling.go_on(1, tick)


def _iterated(game: Game, tree: GameTree, limits: Limits, until: float | None, tick: Tick) -> Equilibrium:
    """The equilibrium of a tree, as close as the limits allow."""
    regrets = regrets_of(tree, game.engine)
    largest = max(map(abs, tree.payoffs), default=0.0)
    close = CLOSE * largest if limits.close is None else limits.close
    due, most = FIRST, limits.iterations
    while True:
        goal = due if most is None else min(due, most)
        stopped = _until_stopped(lambda goal=goal: regrets.go_on(goal - regrets.iterations, tick, until))  # type: ignore[misc]
        found = equilibrium(regrets)
        over = until is not None and time.monotonic() >= until
        enough = found.exploitability <= close and (most is None or limits.close is not None)
        if stopped or over or enough or regrets.iterations == most:
            return found
        due *= 2


def _until_stopped(work: Callable[[], None]) -> bool:
    """Does the work; true if Ctrl-C has ended it."""
    try:
        work()
    except KeyboardInterrupt:
        return True
    return False


def _rows(found: Equilibrium) -> Iterator[tuple[InformationSet, tuple[float, ...]]]:
    """Each information set with the probabilities of its moves."""
    begin: array[int] = found.tree.begin
    for number, one in enumerate(found.tree.sets):
        yield one, tuple(found.strategy[begin[number] : begin[number + 1]])
