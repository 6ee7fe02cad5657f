"""The `evaluate` block as learned values, in their unit: what a position is expected to come to.

In: a game with such a block.  Out: values that say nothing else.  By how much its points are multiplied, the results of
some games say: so that they are the likeliest (least log loss).

Source: P. Österlund, Texel's Tuning Method, Chess Programming Wiki (2014).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from contextlib import closing
from itertools import islice

from pysolve.dsl.analysis.patterns import inputs, play_digest, tempo
from pysolve.dsl.language.constants import LINE_UNIT, VALUE_UNIT
from pysolve.dsl.player_texts import refuse_values
from pysolve.engines.protocol import DoesNotApply
from pysolve.game import Game
from pysolve.lab.balance import balance_jobs
from pysolve.lab.games import Played, states_of
from pysolve.lab.start import start_workers
from pysolve.lab.workers import NamedGame, in_order
from pysolve.notation.record import option_words
from pysolve.players.values import ValuesFile
from pysolve.search.learned import LARGEST_LINE, Values

SCALED_GAMES, SCALED_NODES = 200, 300  # of the games: how many, and by how many positions a move


def from_evaluate(game: Game, seed: int, processes: int, tick: Callable[[Played], None] = lambda _: None) -> ValuesFile:
    """Values that say what the `evaluate` block says, in the unit of learned values, as results of games show it.

    Raises `UnknownPlayer` for a game of another kind, `DoesNotApply` for one without an `evaluate` block.
    """
    refuse_values("values", game.model)
    if not game.model.terms:
        raise DoesNotApply(f"{game.title} has no evaluate block to begin with: learn values first, with pysolve learn")
    jobs = islice(balance_jobs(game, f"minimax:nodes={SCALED_NODES}", seed), SCALED_GAMES)
    said = list[tuple[int, float]]()  # estimates with the results, from -1 to 1
    with closing(start_workers([NamedGame(game, game.name)], processes)) as workers:
        for one in in_order(workers, 0, jobs, arrived=tick):
            result = 0.0 if one.winner is None else 1.0 if one.winner == 0 else -1.0
            said += [(game.engine.estimate(state)[0], result) for state in states_of(game, one)]
    scale = VALUE_UNIT * _steepness(said)
    patterns = tempo(inputs(game.model))
    lines = [max(-LARGEST_LINE, min(LARGEST_LINE, round(term.weight * scale * LINE_UNIT))) for term in game.model.terms]
    stages = patterns.stage_count
    values = Values(patterns, array("h", [0] * stages), (tuple(lines),) * stages)
    names = tuple(term.name for term in game.model.terms)
    return ValuesFile(game.name, option_words(game), play_digest(game.model), values, names, {"evaluate": scale})


def _steepness(said: list[tuple[int, float]]) -> float:
    """The factor of estimates whose hyperbolic tangents say the results best: with the least log loss."""
    usual = sum(abs(one) for one, _ in said) / max(1, len(said)) or 1.0

    def loss(power: float) -> float:
        factor = 2 * math.exp(power) / usual
        return sum(math.log1p(math.exp(-abs(odds))) + (abs(odds) - odds * result) / 2
                   for odds, result in ((factor * one, result) for one, result in said))  # fmt: skip

    low, high = -4.0, 4.0
    for _ in range(30):  # the loss is convex in the factor
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if loss(one) < loss(other) else (one, high)
    return math.exp((low + high) / 2) / usual
