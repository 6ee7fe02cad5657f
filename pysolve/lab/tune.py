"""Weights of the `evaluate` block, learned from games that a program plays against itself.

In: a game and games that were played by its rules.  Out: the weights that predict the results best, and a
variant file with them.

A position is a row: the value of each term of the block for the first player.  A logistic function of the weighted sum
of a row is the probability that the first player wins; the weights minimise the cross-entropy of the results (Texel's
method).  The weights of the file are a normal prior: moving away from them has a cost, which matters less the more
games there are.

Sources: P. Österlund, Texel's Tuning Method, Chess Programming Wiki (2014); M. Buro, From Simple Features to
Sophisticated Evaluation Functions, Computers and Games 1998 (weights by logistic regression of results).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from pysolve.dsl import fits_in_text
from pysolve.engines.protocol import Engine, EngineError, State
from pysolve.game import Game
from pysolve.lab.balance import balance_jobs
from pysolve.lab.games import STANDARD, Played, Rules, distinct
from pysolve.lab.start import start_workers
from pysolve.lab.workers import NamedGame, in_order
from pysolve.notation import record as records
from pysolve.runtime.optional import needed

ROUNDS = 3
LOYALTY = 0.5 / math.log(2)  # bits, for a weight that is off by a factor of e in chances (a normal distribution)
STEEPEST = (0.0, 3.0)  # what a usual estimate says, as a logarithm of chances
FINE = 0.05  # a weight is rounded by no more than this part of it
FACTORS = (1, 10, 100)  # by which weights may be multiplied so that they can be rounded
MOST = 100_000  # points that an estimate may have


class NothingToTune(EngineError):
    """A game without weights, or games that say nothing about them."""


class Row(NamedTuple):
    """A position as values of the terms."""

    terms: tuple[int, ...]  # the value of each for the first player
    points: float  # the result for the first player: 1, 0.5 or 0
    share: float  # the weight of the row: those of one game add up to 1


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted weights."""

    weights: dict[str, int]
    before: float  # cross-entropy of the results under the old weights, in bits per game
    after: float
    rows: int


def weights_of(game: Game) -> dict[str, int]:
    """The weights of the `evaluate` block, by the names of its terms."""
    return {term.name: term.weight for term in game.model.terms}


def weighted(game: Game, weights: Mapping[str, int]) -> Game:
    """A copy of the game with other weights in its `evaluate` block."""
    terms = tuple(replace(term, weight=weights[term.name]) for term in game.model.terms)
    digest = hashlib.sha256(f"{game.model.digest} {sorted(weights.items())}".encode()).hexdigest()[:16]
    return Game(replace(game.model, terms=terms, digest=digest), game.engine_name)


class Terms:
    """The value of each term of a position, for the first player of the rules."""

    def __init__(self, game: Game):
        names, players = [term.name for term in game.model.terms], len(game.players)
        if players != 2:
            raise NothingToTune(f"weights are learned from games of two players: {game.title} has {players}")
        if len(names) < 2:
            raise NothingToTune(f"{game.title} has {_how_many(names)}: weights compare several terms")
        alone = [{name: int(name == one) for name in names} for one in names]
        self._engines = [_estimating(weighted(game, weights)) for weights in alone]

    def of(self, state: State) -> tuple[int, ...]:
        """The value of each term in a position, for the first player."""
        return tuple(engine.estimate(state)[0] for engine in self._engines)


def _estimating(game: Game) -> Engine:
    """An engine for weights that are used once: Prolog, which compiles nothing, or C if there is no Prolog."""
    try:
        return game.prolog
    except EngineError:
        return game.engine


def _how_many(names: Sequence[str]) -> str:
    return f"only one term, {names[0]}" if names else "no evaluate block"


def rows(game: Game, played: Sequence[Played], terms: Terms) -> Iterator[Row]:
    """The positions of games: those after the opening, in which somebody is to move."""
    for one in distinct(played):
        points = 0.5 if one.winner is None else float(one.winner == 0)
        states = list(_states(game, one))[one.opening :]  # whoever opened, it was not a program
        for state in states:
            yield Row(terms.of(state), points, 1 / len(states))


def _states(game: Game, one: Played) -> Iterable[State]:
    """The positions of a game in which somebody was to move."""
    yield one.start
    for _, position in records.replay(one.record, game):
        if not position.is_over:
            yield position.state


def fit(found: Sequence[Row], weights: Mapping[str, int]) -> Fit:
    """The weights that minimise the cross-entropy of the results, as integers."""
    optimize, numpy = _libraries()
    if not found:
        raise NothingToTune("the games do not determine the weights: play more games")
    terms = numpy.array([row.terms for row in found], dtype=float)
    points, shares = numpy.array([row.points for row in found]), numpy.array([row.share for row in found])
    games = shares.sum()
    shares = shares / games
    old = numpy.array(list(weights.values()), dtype=float)

    spread = numpy.sqrt(shares @ terms**2)  # how much each term usually says
    known = spread > 0
    said = terms / numpy.where(known, spread, 1)

    def surprise(weights: Any) -> float:
        estimates = said @ weights
        bits = numpy.logaddexp(0, -estimates) + (1 - points) * estimates  # minus the logarithm of the chance
        return float(shares @ bits / math.log(2))

    plain = old * spread / max(1e-9, _usual(numpy, shares, terms @ old))  # estimates that are usually 1
    steep = optimize.minimize_scalar(lambda steep: surprise(steep * plain), bounds=STEEPEST, method="bounded").x
    before = steep * plain
    best = optimize.minimize(
        lambda weights: surprise(weights) + LOYALTY / games * float(((weights - before) ** 2).sum()), before
    ).x
    new = numpy.where(known, best / numpy.where(known, spread, 1), old)
    usual, larger = _usual(numpy, shares, terms @ old), _usual(numpy, shares, terms @ new)
    new = numpy.where(known, new * usual / max(1e-9, larger), old)  # estimates as large as they were
    whole = _rounded(new, float(numpy.abs(terms @ new).max(initial=1.0)))
    named = {name: int(weight) for name, weight in zip(weights, whole, strict=True)}
    return Fit(named, surprise(before), surprise(best), len(found))


def _libraries() -> tuple[Any, Any]:
    return needed("scipy.optimize", "lab", "tuning"), needed("numpy", "lab", "tuning")


def _usual(numpy: Any, shares: Any, estimates: Any) -> float:
    """The usual size of estimates."""
    return float(numpy.sqrt(shares @ estimates**2))


def tune(
    game: Game,
    player: str,
    games: int,
    rounds: int = ROUNDS,
    seed: int = 1,
    rules: Rules = STANDARD,
    processes: int = 1,
    arrived: Callable[[Played], None] = lambda _: None,
) -> Iterator[Fit]:
    """Plays `games` games per round with the latest weights, and fits the weights to all games so far."""
    weights, terms, found = weights_of(game), Terms(game), list[Row]()
    _libraries()  # raises for a missing library before anything is played
    for number in range(rounds):
        workers = start_workers([NamedGame(weighted(game, weights), game.name)], processes)
        jobs = islice(balance_jobs(game, player, seed + number, rules), games)
        with closing(workers):
            played = list(in_order(workers, 0, jobs, arrived=arrived))
        found += rows(game, played, terms)
        made = fit(found, weights_of(game))
        weights = made.weights
        yield made


def _rounded(weights: Any, largest: float) -> list[int]:
    """Integer weights in the same proportion, scaled up if rounding would change them too much."""
    kept: list[int] = []
    for factor in FACTORS:
        if kept and largest * factor > MOST:
            break
        wanted = [float(weight) * factor for weight in weights]
        kept = [round(weight) for weight in wanted]
        if all(abs(one - weight) <= FINE * abs(weight) for one, weight in zip(kept, wanted, strict=True)):
            break
    return kept


def variant(game: Game, weights: Mapping[str, int], parent: str, about: str) -> str:
    """A rules text: the same game with other weights.  Raises `ValueError` if `parent` cannot stand in a text."""
    title = f"{game.title}, tuned"
    width, digits = max(map(len, weights)), max(len(str(weight)) for weight in weights.values())
    if not fits_in_text(parent):
        raise ValueError(f"{parent!r} cannot be written in quotes in rules; rename the file")
    words = "".join(sign if fits_in_text(sign) else "?" for sign in about)
    lines = [f'game "{title}" extends "{parent}"', f'  about "{words}"', "", "replace evaluate"]
    for term in game.model.terms:
        text = game.model.rules[term.rule].text
        lines.append(f"  {term.name:{width}} {weights[term.name]:{digits}} : {text}")
    return "\n".join(lines) + "\n"
