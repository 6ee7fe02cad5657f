"""Points: what a game pays, as parts of one point that its players divide.

In: payoffs, from -1 to 1 or as the rules pay.  Out: parts from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.dsl.model import Game


def divided(payoffs: Sequence[float], ranks: bool) -> tuple[float, ...]:
    """The point of a game, as payoffs divide it among the players: equal ones have 1/n each, who wins alone has it all.

    If an ending `ranks`, each place has its part, the last nothing.  One who plays alone has 1, 1/2 or 0.
    """
    players = len(payoffs)
    if players == 1 or ranks:
        return tuple((1 + paid) / max(2, players) for paid in payoffs)
    return tuple((1 + (players - 1) * paid) / players for paid in payoffs)


def points_of(model: Game, payoffs: Sequence[float]) -> tuple[float, ...]:
    """The point of a game, as its payoffs divide it: where endings pay numbers, in proportion to what can be lost.

    Who loses the most that the rules can take has nothing, and who is paid nothing has 1/n.
    """
    if model.pays:
        return divided([paid / max(1, model.most_paid) for paid in payoffs], ranks=True)
    return divided(payoffs, model.ranks)
