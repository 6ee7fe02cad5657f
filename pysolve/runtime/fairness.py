"""Whose turn it is where only a few can be served at a time.

In: the names of those who ask.  Out: places, one after the other, to whoever has waited longest and has less than its
share: many questions of one delay no other.
"""

from __future__ import annotations

import asyncio
from collections import Counter


class Full(Exception):
    """Too many wait already."""


class Turns:
    """Some places, of which each asker has at most `share`; at most `waiting` wait, and so many of one asker."""

    def __init__(self, places: int, share: int, waiting: int, waiting_of_one: int):
        self._free = places
        self._share = share
        self._most = waiting
        self._most_of_one = waiting_of_one
        self._taken = Counter[str]()
        self._queue: list[tuple[str, asyncio.Future[None]]] = []

    async def take(self, asker: str) -> None:
        """Returns when the asker has a place, which it gives back; raises `Full`."""
        if self._may(asker):  # nobody who may is ever left waiting, so nobody is overtaken
            self._take(asker)
            return
        if len(self._queue) >= self._most or sum(one == asker for one, _ in self._queue) >= self._most_of_one:
            raise Full
        called = asyncio.get_running_loop().create_future()
        self._queue.append((asker, called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():  # it was called, and is not coming
                self.give_back(asker)
            else:
                self._queue.remove((asker, called))
            raise

    def give_back(self, asker: str) -> None:
        """Somebody else may have the place."""
        self._free += 1
        self._taken -= Counter([asker])  # and forgets those that have none
        self._call()

    def _call(self) -> None:
        for asker, called in list(self._queue):
            if self._may(asker) and not called.done():
                self._queue.remove((asker, called))
                self._take(asker)
                called.set_result(None)

    def _may(self, asker: str) -> bool:
        return self._free > 0 and self._taken[asker] < self._share

    def _take(self, asker: str) -> None:
        self._free -= 1
        self._taken[asker] += 1
