"""Workers that play games, and the one that is always there: this process.

In: games, and jobs for them.  Out: the played games in the order of the jobs; `arrived` is called with each as soon as
it is over.  Jobs are taken from their iterator only when a worker can begin them soon, so the iterator may be infinite.

The same jobs give the same games on all kinds of workers: `pysolve.lab.processes`, `pysolve.lab.cluster`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain
from typing import NamedTuple, Protocol

from pysolve.engines.protocol import EngineError
from pysolve.game import Game
from pysolve.lab.games import Job, Played, play_game

Playing = Generator[Played, None, None]
AHEAD = 2  # jobs queued at a process, so that it never waits for the next one


class NamedGame(NamedTuple):
    """A table: the game that is played at it, and its name in records."""

    game: Game
    name: str


class WorkerError(EngineError):
    """Games could not be played because processes or machines failed."""


class Workers(Protocol):
    """Plays jobs at some tables."""

    def play(self, place: int, jobs: Iterable[Job]) -> Playing:
        """The games of jobs at one of the tables, as soon as each is over."""

    def close(self) -> None:
        """Ends what is still being played."""


def processors() -> int:
    """The number of processors that this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    workers: Workers,
    place: int,
    jobs: Iterable[Job],
    kept: Mapping[int, Played] = {},
    arrived: Callable[[Played], None] = lambda _: None,
) -> Playing:
    """The games in the order of their jobs; those in `kept` are not played again.

    After Ctrl-C all finished games are yielded, even if earlier ones are missing; then `KeyboardInterrupt` is raised.
    """
    todo = iter(jobs)
    for job in todo:
        if job.number not in kept:
            yield from _played_in_order(workers, place, chain([job], todo), dict(kept), arrived)
            return
        yield kept[job.number]


def _played_in_order(
    workers: Workers, place: int, jobs: Iterable[Job], there: dict[int, Played], arrived: Callable[[Played], None]
) -> Playing:
    begun = deque[int]()

    def missing() -> Iterator[Job]:
        for job in jobs:
            begun.append(job.number)
            if job.number not in there:
                yield job

    with closing(workers.play(place, missing())) as playing:
        try:
            for one in playing:
                arrived(one)
                there[one.number] = one
                while begun and begun[0] in there:
                    yield there.pop(begun.popleft())
        except KeyboardInterrupt:  # those that are over although one before them is not
            yield from (there[number] for number in begun if number in there)
            raise
        yield from (there[number] for number in begun)


class ThisProcess:
    """Plays in this process."""

    def __init__(self, tables: Sequence[NamedGame]):
        self._tables = tables

    def play(self, place: int, jobs: Iterable[Job]) -> Playing:
        """Plays the jobs one after the other and yields each game."""
        table = self._tables[place]
        for job in jobs:
            yield play_game(table.game, job, table.name)

    def close(self) -> None:
        """Does nothing: no game is played in the background."""
