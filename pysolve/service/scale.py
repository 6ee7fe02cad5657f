"""How much a lead in points says about who will win.

In: a game with an `evaluate` block.  Out: shares from 0 to 1: what a bar shows.  Points mean something else in each
game, so a lead is compared with those of random games: one as large as usual there is 73 % (1 / (1 + 1/e)), three times
as large 95 %.  It is a picture of the numbers, and no probability.  Learned values say what they expect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from pysolve.dsl.language.constants import VALUE_UNIT
from pysolve.game import Game

GAMES, MOVES = 10, 60  # random games, and moves of each, whose values are looked at
FARTHEST = 30.0  # leads beyond which the share is as good as 0 or 1


def usual_lead(game: Game) -> float:
    """The root of the mean square of `evaluate` in positions of random games; at least 1."""
    values = []
    for number in range(GAMES):
        position, dice = game.start(number), Random(number)
        for _ in range(MOVES):
            if position.is_over:
                break
            values.append(position.evaluate()[game.players[0]])
            position = position.play(position.random_move(dice))
    return max(1.0, math.sqrt(sum(value * value for value in values) / max(1, len(values))))


def shares(values: Sequence[float], lead: float) -> list[float]:
    """The leads of all players in points as parts of 1: of two players what `share` says.

    A lead is the mean of the differences to the others; e raised to a difference is the proportion of two parts.
    """
    scale = (len(values) - 1) / len(values) / lead
    grown = [math.exp(max(-FARTHEST, min(FARTHEST, value * scale))) for value in values]
    return [value / sum(grown) for value in grown]


def expected_share(value: float) -> float:
    """The share of the points that learned values expect."""
    return (1 + math.tanh(value / VALUE_UNIT)) / 2


def share(value: float, lead: float) -> float:
    """A lead in points as a share."""
    return 1 / (1 + math.exp(-max(-FARTHEST, min(FARTHEST, value / lead))))
