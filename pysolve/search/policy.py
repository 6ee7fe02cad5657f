"""A learned policy: how likely each move of a position is to be the one that is played.

In: a position of a game of two players, and its moves.  Out: a share for each, a whole number.  All shares together are
ONE, but for what rounding takes away.

A move has the sum of the weights that its patterns select (`pysolve.dsl.analysis.move_patterns`), and is e times as
likely as one whose sum is SHARE_UNIT less.  All numbers are whole, so C has the same shares
(dsl/to_c/runtime/policy.c).  `pysolve.lab.policies` learns the weights.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Self

from pysolve.dsl.analysis.move_patterns import MovePatterns
from pysolve.dsl.language.constants import ONE, SHARE_UNIT, UNLIKELY
from pysolve.dsl.model import Game
from pysolve.engines.protocol import Move, State


class Policy:
    """Weights of a game, for both movers: place -> weight, of 16 bits.  What is not named weighs nothing."""

    def __init__(self, patterns: MovePatterns, weights: tuple[Mapping[int, int], Mapping[int, int]]):
        self.patterns, self.weights = patterns, weights
        self.tables = tuple(array("h", bytes(2 * patterns.size)) for _ in range(2))
        for table, known in zip(self.tables, weights, strict=True):
            for place, weight in known.items():
                table[place] = weight

    @cached_property
    def digest(self) -> str:
        """Says which policy this is."""
        told = hashlib.sha256(repr(self.patterns.looks).encode())
        for table in self.tables:
            told.update(table.tobytes())
        return told.hexdigest()[:16]

    def checked(self, game: Game) -> Self:
        """This policy; raises `ValueError` if it is not of a game, whatever judges its positions."""
        own = self.patterns.game
        if len(game.players.labels) != 2 or (own.size, own.actions, own.slots) != (game.size, game.actions, game.slots):
            raise ValueError(f"policy must be one of {game.title}, not of {self.patterns.game.title}")
        return self

    def sums(self, state: State, moves: Iterable[Move]) -> list[int]:
        """The weight of each move."""
        held, table = self.patterns.contents(state), self.tables[state[0] - 1]
        return [sum(table[at] for at in self.patterns.places(held, move)) for move in moves]

    def shares(self, state: State, moves: Iterable[Move]) -> list[int]:
        """How likely each move is, in units of 1 / ONE."""
        return shared(self.sums(state, moves))


def shared(sums: Sequence[int]) -> list[int]:
    """How likely moves of these weights are, in units of 1 / ONE."""
    best, table = max(sums, default=0), likely()
    parts = [table[min(best - one, UNLIKELY - 1)] for one in sums]
    whole = sum(parts)
    return [part * ONE // whole for part in parts]


@cache
def likely() -> list[int]:
    """How likely a move is whose weight is so much less than that of the best, which is ONE."""
    return [round(ONE * math.exp(-less / SHARE_UNIT)) for less in range(UNLIKELY)]
