"""What a result is worth to each player: payoffs, places, and who shares the first place.

A result is one number, as the engines give it: `DRAW`, the number of the player who alone wins, `SHARED` with a bit for
each player who shares the first place (the others lose), or `RANKED` with the place of each player. A lone player wins
(1), draws, or loses (`SHARED` with nobody).  From `AMOUNTS` on it holds the payoffs that the rules have computed: of
all players but the last, who gets what is left, or of a lone one.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm

from pysolve.dsl.language.constants import AMOUNTS, MOST_PAID, PAID_IN_ALL, PLACE_BITS, RANKED, SHARED

MOST_PLAYERS = 8

DRAW = 0
AND = " and "  # between the names of those who share the first place
LOST = "lost"  # of a lone player

_PLACE_MASK = (1 << PLACE_BITS) - 1


def shared(players: frozenset[int]) -> int:
    """The result in which these players (numbers from 1) share the first place."""
    return SHARED | sum(1 << player - 1 for player in players)


def ranked(places: tuple[int, ...]) -> int:
    """The result in which each player has this place (1 is the first)."""
    return RANKED | sum(place - 1 << PLACE_BITS * index for index, place in enumerate(places))


def paid_bits(players: int) -> int:
    """The bits of a result that hold the payoff of one player."""
    return min(MOST_PAID.bit_length() + 1, PAID_IN_ALL // max(1, players - 1))


def most_paid(players: int) -> int:
    """The largest number that an ending can pay to a player, or take from him."""
    return int(min(MOST_PAID, (1 << paid_bits(players) - 1) - 1))


def paid(values: tuple[int, ...]) -> int:
    """The result that pays this to each player; with several players the values add up to zero."""
    if not any(values):
        return DRAW
    bits = paid_bits(len(values))
    held = values[:-1] or values
    return AMOUNTS + sum(value + (1 << bits - 1) << bits * at for at, value in enumerate(held))


def _values_paid(result: int, players: int) -> tuple[int, ...]:
    bits = paid_bits(players)
    held = [(result - AMOUNTS >> bits * at & (1 << bits) - 1) - (1 << bits - 1) for at in range(max(1, players - 1))]
    return tuple(held) if players == 1 else (*held, -sum(held))


def winners(result: int, players: int) -> tuple[int, ...]:
    """The players (numbers from 1) who share the first place; nobody in a draw of all."""
    if result == DRAW:
        return ()
    if result >= AMOUNTS:
        values = _values_paid(result, players)
        return tuple(at for at, value in enumerate(values, 1) if value == max(values) > 0)
    if result & SHARED:
        return tuple(player for player in range(1, players + 1) if result >> player - 1 & 1)
    return tuple(index + 1 for index, place in enumerate(places(result, players)) if place == 1)


def places(result: int, players: int) -> tuple[int, ...]:
    """The place of each player: 1 is the first, equal ones have the same, and the next place counts all before it."""
    if result == DRAW:
        return (1,) * players
    if result >= AMOUNTS:
        values = _values_paid(result, players)
        return tuple(1 + sum(other > value for other in values) for value in values)
    if result & RANKED:
        return tuple((result >> PLACE_BITS * index & _PLACE_MASK) + 1 for index in range(players))
    first = winners(result, players) if result & SHARED else (result,)
    return tuple(1 if player in first else len(first) + 1 for player in range(1, players + 1))


@lru_cache(maxsize=10_000)
def payoffs(result: int, players: int) -> tuple[int, ...]:
    """The payoff of each player for a result, in parts of `Game.payoff_unit`; with several players the sum is zero."""
    if result >= AMOUNTS:
        return _values_paid(result, players)
    unit = payoff_unit(players)
    return tuple(int(value * unit) for value in _values(result, players))


def told_payoffs(paid: Mapping[str, int | Fraction]) -> str:
    """The payoffs that rules have computed, as the result of a game is told: `White 2, Black -2`."""
    return ", ".join(f"{name} {amount}" for name, amount in paid.items())


@cache
def payoff_unit(players: int) -> int:
    """The least number by which all payoffs become whole where results are places.

    Where the rules say what they pay it is 1 (`Game.payoff_unit`): of three players or more none then simply wins.
    """
    if players <= 2:
        return 1
    sharing = [_of_winner(count, players) for count in range(1, players)]
    ranking = [Fraction(2, players - 1), Fraction(1, players - 1)]
    return lcm(*(value.denominator for value in sharing + ranking))


def _values(result: int, players: int) -> list[Fraction]:
    if result == DRAW:
        return [Fraction(0)] * players
    if players == 1:
        return [Fraction(1 if winners(result, players) else -1)]
    by_place = places(result, players)
    if result & RANKED:
        return [_of_rank(place, by_place.count(place), players) for place in by_place]
    first = by_place.count(1)
    return [_of_winner(first, players) if place == 1 else Fraction(-1, players - 1) for place in by_place]


def _of_winner(first: int, players: int) -> Fraction:
    """The payoff of each of `first` players who share the first place."""
    return Fraction(players - first, first * (players - 1))


def _of_rank(place: int, equals: int, players: int) -> Fraction:
    """The mean of what the places from this one pay to as many players as are equal there."""
    return 1 - Fraction(2 * (place - 1) + equals - 1, players - 1)
