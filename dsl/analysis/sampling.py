"""Which of the legal moves a random game takes: a rule that every engine follows, however it finds the moves.

In: a game, and a lot, which is a random number of 64 bits.  Out: what the lot makes of its moves.

    by number   the lot says the how many-th move in canonical order it is
    by rank     the lot gives every move a rank, and the legal move with the least one is drawn

    by weight   where nobody chooses: the lot says which of the weights, laid side by side, it falls on

The first two are uniform.  By number is quicker where legal moves are found quickly.  By rank is quicker where it takes
long to find out whether a move is legal: moves can be tried in the order of their ranks, and the first that is legal is
drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.dsl.analysis.costs import looks_around
from pysolve.dsl.language.constants import MIX, ODD
from pysolve.dsl.model import Game, all_steps, body_vars
from pysolve.dsl.model.properties import properties

_MASK = 0xFFFFFFFFFFFFFFFF


def draws_by_rank(game: Game) -> bool:
    """Does it take long to find out whether a move is legal?

    So it seems if a kind of moves demands something of the position after it, asks whether there are moves, or counts
    or reaches something anew for each of its moves.
    """
    for action in game.actions:
        for step in all_steps(action.body):
            own = set(action.params) & set(body_vars((step,)))
            if properties(step).moves or (own and looks_around(game, [step])):
                return True
    return any(action.after for action in game.actions)


def by_weight(lot: int, weights: Sequence[int]) -> int:
    """The place of the weight on which a lot falls, where they lie side by side."""
    left = (lot >> 32) * sum(weights) >> 32
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise ValueError("there is no weight")


def rank(lot: int, code: int) -> int:
    """The rank of a move, given as its code: another one for each move, and anything below 2**64."""
    z = (lot + code) * ODD & _MASK
    return (z ^ z >> 32) * MIX & _MASK
