"""Who sits where: the orders in which competitors take the seats of a game.

In: how many competitors and seats there are.  Out: for each round the orders in which they play, all of them with the
same opening.

    a round     each order once in which everybody has a seat: with as many competitors as seats every permutation, with
                fewer every way in which somebody has several seats, with one seat each competitor alone
    most        orders of a round.  Where there are more, a round takes one that is drawn, with all its rotations; with
                fewer competitors than seats, also with everybody in the place of everybody.  So each competitor has
                each seat equally often in a round, and in the long run each order comes
    groups      of more competitors than seats each group that fills the seats plays the round
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, count, permutations, product
from math import perm
from random import Random

from pysolve.lab.games import Job, Rules
from pysolve.players.competitors import Function

MOST_ORDERS = 24  # in a round: all of four players

Order = tuple[int, ...]  # the index of the competitor for each player of the rules


def groups(competitors: int, seats: int) -> list[Order]:
    """The groups of players that meet: all of them, or all combinations that fill the seats."""
    return list(combinations(range(competitors), min(competitors, seats)))


def round_size(competitors: int, seats: int) -> int:
    """The number of games of a group in a round."""
    every = _every(competitors, seats)
    return len(every) if every else seats * (1 if competitors == seats else competitors)


def round_of(competitors: int, seats: int, rng: Random) -> Sequence[Order]:
    """The orders of a round; only a drawn one takes something from `rng`."""
    return _every(competitors, seats) or _drawn(competitors, seats, rng)


@cache
def _every(competitors: int, seats: int) -> tuple[Order, ...]:
    """Each order in which everybody has a seat; none if there are too many."""
    everybody = range(competitors)
    if competitors == seats:
        return tuple(permutations(everybody)) if perm(seats) <= MOST_ORDERS else ()
    if competitors**seats > 1 << 16:
        return ()
    found = tuple(order for order in product(everybody, repeat=seats) if len(set(order)) == competitors)
    return found if len(found) <= MOST_ORDERS else ()


def _drawn(competitors: int, seats: int, rng: Random) -> list[Order]:
    """An order that is drawn, in which nobody has two seats more than another, and what it gives by rotation."""
    spare = rng.sample(range(competitors), seats % competitors)
    order = [*list(range(competitors)) * (seats // competitors), *spare]
    rng.shuffle(order)
    turned = [(*order[by:], *order[:by]) for by in range(seats)]
    if competitors == seats:
        return turned
    return [tuple((who + by) % competitors for who in one) for one in turned for by in range(competitors)]


def jobs(players: tuple[str | Function, ...], seats: int, seed: int, rules: Rules) -> Iterator[Job]:
    """The games of all groups of players, round by round, without end."""
    rng, number, met = Random(seed), count(1), groups(len(players), seats)
    while True:
        lots = rng.getrandbits(31)
        for group in met:
            for order in round_of(len(group), seats, rng):
                who = tuple(group[place] for place in order)
                sitting = tuple(players[one] for one in who)
                yield Job(next(number), sitting, who, lots, rng.getrandbits(32), rules)


def games_in_all(competitors: int, games: int, seats: int = 2) -> int:
    """The number of games if each group plays `games` games, rounded up to rounds."""
    size = round_size(min(competitors, seats), seats)
    return -(-games // size) * size * len(groups(competitors, seats))
