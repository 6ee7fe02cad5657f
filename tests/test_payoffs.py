"""Payoffs of results, compared with values computed by hand and with what must hold for each of them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest

from pysolve.dsl.language.constants import SHARED
from pysolve.dsl.model.payoffs import DRAW, payoff_unit, payoffs, places, ranked, shared, winners


def _orders(players: int) -> Iterator[tuple[int, ...]]:
    """Every order of the players with equal ones: each scores 0..n-1, places follow."""
    for scores in set(product(range(min(players, 4)), repeat=players)):
        yield tuple(1 + sum(other > score for other in scores) for score in scores)


def _results(players: int) -> Iterator[int]:
    yield DRAW
    yield from range(1, players + 1)
    for count in range(2, players):
        for chosen in combinations(range(1, players + 1), count):
            yield shared(frozenset(chosen))
    for order in set(_orders(players)):
        yield ranked(order)


@pytest.mark.parametrize("players", range(2, 7))
def test_payoffs_add_up_to_zero_and_follow_the_places(players: int) -> None:
    for result in _results(players):
        paid = payoffs(result, players)
        by_place = places(result, players)
        assert sum(paid) == 0
        assert max(paid) <= payoff_unit(players)
        assert min(paid) >= -payoff_unit(players)
        pairs = list(zip(by_place, paid, strict=True))
        assert all((a[0] < b[0]) == (a[1] > b[1]) for a in pairs for b in pairs)


@pytest.mark.parametrize(
    ("result", "players", "expected"),
    [
        (DRAW, 2, ("0", "0")),
        (1, 2, ("1", "-1")),
        (2, 2, ("-1", "1")),
        (2, 3, ("-1/2", "1", "-1/2")),
        (shared(frozenset({1, 3})), 3, ("1/4", "-1/2", "1/4")),
        (shared(frozenset({1, 2, 4})), 4, ("1/9", "1/9", "-1/3", "1/9")),
        (shared(frozenset({7, 8})), 8, ("-1/7",) * 6 + ("3/7", "3/7")),
        (ranked((1, 2, 3)), 3, ("1", "0", "-1")),
        (ranked((1, 2, 2, 4)), 4, ("1", "0", "0", "-1")),
        (ranked((3, 1, 1)), 3, ("-1", "1/2", "1/2")),
        (1, 1, ("1",)),
        (SHARED, 1, ("-1",)),
        (DRAW, 1, ("0",)),
    ],
)
def test_payoffs_by_hand(result: int, players: int, expected: tuple[str, ...]) -> None:
    unit = payoff_unit(players)
    assert [Fraction(value, unit) for value in payoffs(result, players)] == [Fraction(value) for value in expected]


def test_winners_and_places() -> None:
    assert winners(DRAW, 3) == ()
    assert winners(2, 3) == (2,)
    assert winners(shared(frozenset({1, 3})), 3) == (1, 3)
    assert winners(ranked((2, 1, 2)), 3) == (2,)
    assert winners(ranked((3, 1, 1)), 3) == (2, 3)
    assert winners(SHARED, 1) == ()
    assert winners(1, 1) == (1,)
    assert places(DRAW, 3) == (1, 1, 1)
    assert places(3, 3) == (2, 2, 1)
    assert places(shared(frozenset({1, 3})), 4) == (1, 3, 1, 3)
    assert places(ranked((1, 2, 2, 4)), 4) == (1, 2, 2, 4)


def test_the_unit_is_the_least_that_makes_payoffs_whole() -> None:
    assert [payoff_unit(players) for players in range(1, 9)] == [1, 1, 4, 9, 48, 50, 360, 735]
