"""Moves as numbers.

In: a game.  Out: how a move of each kind is one number: its kind, then its parameters, each less the lowest value of
its sort, in as many bits as it needs.  So moves in canonical order are numbers in ascending order.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Game, Sort


class TooLarge(Exception):
    """A game that does not fit into the numbers and arrays that C is given."""


@frozen
class Field:
    """The bits of a parameter in the code of a move."""

    shift: int
    bits: int
    low: int


@frozen
class Codes:
    """The layout of moves as codes: the kind from bit `kind_shift` on, below it the fields of its parameters; `bits` in
    all."""

    kind_shift: int
    fields: tuple[tuple[Field, ...], ...]
    bits: int

    def encode(self, move: Sequence[int]) -> int:
        """The number of a move: its kind and parameters."""
        code = move[0] << self.kind_shift
        if move[0] < len(self.fields):
            for field, value in zip(self.fields[move[0]], move[1:], strict=True):
                code |= value - field.low << field.shift
        return code

    def decode(self, code: int) -> tuple[int, ...]:
        """The kind and the parameters of a move."""
        kind = code >> self.kind_shift
        if kind >= len(self.fields):
            return (kind,)
        return (kind, *((code >> field.shift & (1 << field.bits) - 1) + field.low for field in self.fields[kind]))


def move_codes(game: Game) -> Codes:
    """The layout of codes for the moves of a game."""
    fields, widest = [], 0
    for action in game.actions:
        at, found = 0, []
        for param in reversed(action.params):
            assert isinstance(param.sort, Sort)
            bits = (param.sort.high - param.sort.lowest).bit_length()
            found.append(Field(at, bits, param.sort.lowest))
            at += bits
        widest = max(widest, at)
        fields.append(tuple(reversed(found)))
    return Codes(widest, tuple(fields), widest + len(game.actions).bit_length())
