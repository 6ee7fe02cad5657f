"""The cards of the rules files in a folder.

In: the folder, a lane in which each file has a time.  Out: a card for each file: the one of its game, or a plain one
that says why there is no more: mistakes, or that reading it takes too long.

Whoever asks waits a few seconds for all files together.  Those that are not read by then are read all the same, and
are known when somebody asks again.
"""

from __future__ import annotations

import asyncio
import json

from pysolve.runtime.lane import Asked, Lane
from pysolve.runtime.wire import Failed
from pysolve.web.folder import Folder
from pysolve.web.plain import CARD, Card, plain_card

BESIDE = 2  # files that are read at a time: a slow one does not hold up the others
PATIENCE = 4.0  # seconds for which a page waits for the files that have not been read yet

Key = tuple[str, str]  # the name and the digest of a file


class Listing:
    """The cards of a folder, each made once as long as its file stays the same."""

    def __init__(self, folder: Folder, lane: Lane):
        self._folder = folder
        self._lane = lane
        self._known: dict[Key, Card] = {}
        self._one_at_a_time = asyncio.Lock()
        self._readings: set[asyncio.Task[None]] = set()

    async def cards(self) -> list[Card]:
        """The cards of all files."""
        there = await asyncio.to_thread(self._there)
        self._known = {key: card for key, card in self._known.items() if key in there}
        if any(key not in self._known for key in there):
            await asyncio.wait({self._begun(list(there))}, timeout=PATIENCE)
        return [self._known.get(key, card) for key, card in there.items()]

    def _there(self) -> dict[Key, Card]:
        """A card for each file of the folder, made without parsing it."""
        found = {}
        for name in self._folder.names():
            try:
                file = self._folder.read(name)
            except Failed:  # it is no text, or was deleted meanwhile
                continue
            found[name, file.digest] = plain_card(file, "not read yet")
        return found

    def _begun(self, keys: list[Key]) -> asyncio.Task[None]:
        reading = asyncio.create_task(self._read_all(keys))
        self._readings.add(reading)
        reading.add_done_callback(self._readings.discard)
        return reading

    async def _read_all(self, keys: list[Key]) -> None:
        waiting = iter(keys)

        async def read_some() -> None:
            for key in waiting:
                if key not in self._known:
                    await self._read(key)

        async with self._one_at_a_time:
            await asyncio.gather(*(read_some() for _ in range(BESIDE)))

    async def _read(self, key: Key) -> None:
        name, digest = key
        try:
            file = await asyncio.to_thread(self._folder.read, name)
        except Failed:
            return
        if file.digest != digest:
            return  # it has changed since: it is listed anew when somebody asks again
        told = json.loads(await self._lane.ask(Asked(CARD, {"name": name, "text": file.text})))
        self._known[key] = told["answer"] if "answer" in told else plain_card(file, told["failure"]["message"])

    async def close(self) -> None:
        """Stops reading."""
        for reading in list(self._readings):
            reading.cancel()
        await asyncio.gather(*self._readings, return_exceptions=True)
