"""Pairs of games with the seats swapped, from random openings, and the sequential test of their points.

In: a game and the texts of two players.  Out: the standing of the first after each pair (`pysolve.lab.sprt`).  Where
there are more than two seats, somebody has several, and in the second game of a pair every seat has the other player.

Players whose limit is a number of nodes may be given as many as cost the same time of the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from pysolve.game import Game
from pysolve.lab.games import Job, Rules, states_of
from pysolve.lab.match import match_jobs, play_match, standing
from pysolve.lab.orders import round_size
from pysolve.lab.sprt import Sprt
from pysolve.lab.start import start_workers
from pysolve.lab.workers import NamedGame, in_order
from pysolve.search.canonical import renamings_of

OPENING = 6  # random moves
LONGEST = 400  # moves of a game
MEASURED, ROUNDS = 12, 3  # games in which time is measured, and how often


def paired(
    game: Game, first: str, second: str, games: int, seed: int, processes: int, test: Sprt | None = None
) -> Iterator[Sprt]:
    """The standing after each pair of games whose openings are random, in a `test` that has other bounds than usual.

    A pair that was played before, or one that a symmetry of the rules makes of it, does not count.
    """
    jobs = match_jobs(game, first, second, seed, Rules(OPENING, LONGEST))
    test, seen, group = test or Sprt(), set[Any](), renamings_of(game.model).keeping_players
    with closing(start_workers([NamedGame(game, game.name)], processes)) as workers:
        pairs = _swapping(jobs, round_size(2, len(game.players)))
        played = in_order(workers, 0, islice(pairs, 2 * (games // 2)))
        for pair in zip(played, played, strict=False):  # two at a time
            key = group.least_course(state for one in pair for state in states_of(game, one))
            if key not in seen:
                seen.add(key)
                test = test.after(sum(one.points(0) for one in pair))
            yield test


def nodes_in_time(game: Game, tried: Callable[[int], str], usual: Callable[[int], str], nodes: int, seed: int) -> int:
    """How many nodes a move cost `tried` as much time of the processor as `nodes` cost `usual`, about.

    Both make the text of a player of a number of nodes.  The two play games for that, as what is at the end of a game
    may take another time than what is at its beginning.
    """
    found = nodes
    for number in range(ROUNDS):
        players = tried(found), usual(nodes)
        spent = standing(game, list(play_match(game, *players, MEASURED, seed + number, OPENING, LONGEST))).processor
        if spent and min(spent) > 0:
            found = max(1, round(found * spent[1] / spent[0]))
    return found


def _swapping(jobs: Iterator[Job], size: int) -> Iterator[Job]:
    """The games of each round of this size, each before the one in which all seats are swapped."""
    while True:
        sitting = {job.seats: job for job in islice(jobs, size)}
        for seats, job in sitting.items():
            if seats[0] == 0:
                yield job
                yield sitting[tuple(1 - who for who in seats)]
