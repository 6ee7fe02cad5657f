"""Moves as the numbers from 0 on, for programs that choose from a fixed set.

In: a game.  Out: a number for each combination of a kind of moves and its parameters, whether such a move is ever legal
or not.  Kinds follow in the order of the rules, a forced pass last; within a kind the last parameter grows fastest.  So
the numbers depend on the types of the parameters alone, and moves in canonical order have ascending numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model.game import Game
from pysolve.dsl.model.values import Sort

MOST = 1 << 20  # numbers that a game may have


class TooManyMoves(ValueError):
    """A game whose moves have too many combinations of parameters to be numbered."""


@frozen
class Kind:
    """The numbers of a kind of moves: the first of them, the values of its parameters, and how many there are."""

    first: int
    params: tuple[range, ...]
    count: int


@frozen
class MoveNumbers:
    """The numbering of all combinations of a kind of moves and its parameters, from 0 to `count` - 1."""

    kinds: tuple[Kind, ...]
    count: int

    def encode(self, move: Sequence[int]) -> int:
        """The number of a move: of its kind and parameters."""
        kind = self.kinds[move[0]]
        number = 0
        for values, value in zip(kind.params, move[1:], strict=True):
            number = number * len(values) + values.index(value)
        return kind.first + number

    def decode(self, number: int) -> tuple[int, ...]:
        """The kind and the parameters of the move that has a number."""
        if not 0 <= number < self.count:
            raise IndexError(f"there is no move {number}: there are {self.count:,}, numbered from 0")
        place = next(i for i, kind in enumerate(self.kinds) if number < kind.first + kind.count)
        kind, found = self.kinds[place], []
        number -= kind.first
        for values in reversed(kind.params):
            number, index = divmod(number, len(values))
            found.append(values[index])
        return (place, *reversed(found))


def move_numbers(game: Game) -> MoveNumbers:
    """The numbers of the moves of a game; raises `TooManyMoves`."""
    kinds: list[Kind] = []
    first = 0
    params = [tuple(_values(param.sort) for param in action.params) for action in game.actions]
    for values in [*params, *[()] * (game.stuck is None)]:
        kinds.append(Kind(first, values, prod(map(len, values))))
        first += kinds[-1].count
    if first > MOST:
        widest = max(range(len(params)), key=lambda at: kinds[at].count)
        raise TooManyMoves(
            f"the moves of {game.title} cannot be numbered: there are {first:,} combinations of kinds and parameters, "
            f"{kinds[widest].count:,} of them of {game.actions[widest].name}, and at most {MOST:,} are allowed; "
            "let a kind of moves choose less at once, and continue with `again`"
        )
    return MoveNumbers(tuple(kinds), first)


def _values(sort: object) -> range:
    assert isinstance(sort, Sort)
    return sort.all_values()
