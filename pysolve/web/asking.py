"""POST /ask/QUESTION: who answers which question, and until when.

In: a question with a JSON object.  Out: lines of JSON, as `pysolve.runtime.wire` writes them; `web/src/protocol.ts`
says what they hold.  When the page ends the request, the question is cancelled.

Files are read and written here; all other questions go to processes: those that a person waits for to some, long ones
to others.  The questions of one page are answered one after the other, those of different pages beside each other.

An answer that comes in one line is compressed if it is large; where lines come before it, each is sent as it is, at
once.

Bodies are read only as far as there is room for them: see `Room`.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from pysolve.dsl.text.sources import SUFFIX
from pysolve.runtime import wire
from pysolve.runtime.lane import Asked, Heard, Lane
from pysolve.runtime.wire import Failed
from pysolve.web.folder import Folder, Stamp
from pysolve.web.listing import Listing
from pysolve.web.tables import TRUTHS, Tables, concerns

LARGEST_BODY = 2_000_000  # bytes
LARGEST_BODIES = 16_000_000  # of all questions that are being read or answered
LEAST_PACKED = 2_000  # bytes of an answer that is compressed: a smaller one is one or two packets anyway
PACKING = 5  # of 9: a list of all games takes some milliseconds, and a fifteenth of its size
LONGEST_PAGE = 40  # characters of the name that a page has given itself
MOST_WATCHES = 50
POLL = 0.5  # seconds between two looks at a file
YOUNG = 2_000_000_000  # ns


class _Unreadable(Exception):
    """A request that asks nothing; `status` is that of HTTP."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class Asking:
    """Answers questions about games and about the files of a folder."""

    def __init__(self, folder: Folder, quick: Lane, long: Lane, listing: Listing):
        self._folder = folder
        self._listing = listing
        self._quick = quick
        self._long = long
        self._watches = 0
        self._room = Room(LARGEST_BODIES)
        self._tables = Tables()
        self._running: set[asyncio.Task[bytes]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        with self._room.used() as room:
            request = Request(scope, receive)
            reply = _Reply(send, "gzip" in request.headers.get("accept-encoding", ""))
            try:
                asked = await _asked(request, room)
            except ClientDisconnect:
                return
            except _Unreadable as unreadable:
                await reply.last(wire.failure("asked", str(unreadable)), unreadable.status)
                return
            last = await self._answered(asked, _page(request), receive, reply)
            if last is not None:
                await reply.last(last)

    async def _answered(self, asked: Asked, page: str, receive: Receive, reply: _Reply) -> bytes | None:
        """The last line for a question; None if the page has gone meanwhile."""
        work = asyncio.create_task(self.answer(asked, reply.part, page))
        gone = asyncio.create_task(_disconnected(receive))
        self._running.add(work)
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not gone.done():
                return await work
        except asyncio.CancelledError:
            if not work.cancelled():  # it is this request that ends
                raise
            return wire.failure("cancelled", "pysolve web has ended")
        finally:
            self._running.discard(work)
            work.cancel()
            gone.cancel()
        return None

    async def answer(self, asked: Asked, heard: Heard, page: str = "") -> bytes:
        """The last line for a question of a page."""
        if TRUTHS in asked.about:
            return wire.failure("asked", f"{asked.question} has no {TRUTHS}")
        try:
            match asked.question:
                case "save":
                    return await self._saved(asked.about)
                case "watch":
                    await self._watch(asked.about.get("name"), heard)
                case "open" if str(asked.about.get("name")).endswith(SUFFIX):
                    file = await asyncio.to_thread(self._folder.read, asked.about["name"])
                    return wire.answer(file.to_dict())
                case "games":
                    return await self._games(asked, page)
            lane = self._long if asked.question in wire.LONG else self._quick
            if concerns(asked):
                return await self._tables.answered(asked, lambda about: lane.ask(about, heard, page))
            return await lane.ask(asked, heard, page)
        except Failed as failed:
            return wire.failure(failed.kind, failed.message)
        except OSError as error:  # no process can be started, for instance
            return wire.failure("internal", f"the server cannot answer: {error.strerror or error}")

    async def _saved(self, about: Mapping[str, Any]) -> bytes:
        asked = (about.get("name"), about.get("text"), about.get("digest"), about.get("force", False))
        return wire.answer({"digest": await asyncio.to_thread(self._folder.save, *asked)})

    async def _games(self, asked: Asked, page: str) -> bytes:
        """The shipped games, and the files of the folder."""
        line = await self._quick.ask(asked, asker=page)
        if wire.failure_kind(line) is not None:
            return line
        shipped = json.loads(line)["answer"]["games"]
        return wire.answer({"games": [*shipped, *await self._listing.cards()]})

    async def _watch(self, name: object, heard: Heard) -> NoReturn:
        """Reports a file at once, and again whenever it has changed, until nobody listens."""
        if self._watches >= MOST_WATCHES:
            raise Failed("limit", f"at most {MOST_WATCHES} files are watched at a time")
        self._watches += 1
        try:
            stamp, digest = None, ""
            while True:
                before, stamp = stamp, await asyncio.to_thread(self._folder.stamp, name)
                if stamp is not None and (stamp != before or _is_young(stamp)):
                    with suppress(Failed):  # it is being written, or is no text just now
                        file = await asyncio.to_thread(self._folder.read, name)
                        if file.digest != digest:
                            digest = file.digest
                            await heard(wire.part(file.to_dict()))
                await asyncio.sleep(POLL)
        finally:
            self._watches -= 1

    async def close(self) -> None:
        """Cancels all questions, and returns when they have ended."""
        running = list(self._running)
        for work in running:
            work.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _is_young(stamp: Stamp) -> bool:
    """True if the file may be written again in the same tick of its clock, which its stamp would not show."""
    return time.time_ns() - stamp[0] < YOUNG


class Room:
    """A limit on the bytes of questions that are held at a time."""

    def __init__(self, most: int):
        self._left = most

    @contextmanager
    def used(self) -> Iterator[Callable[[int], bool]]:
        """Takes room, if there is so much, until the end."""
        taken = 0

        def take(size: int) -> bool:
            nonlocal taken
            if size > self._left:
                return False
            taken += size
            self._left -= size
            return True

        try:
            yield take
        finally:
            self._left += taken


def _page(request: Request) -> str:
    """Who asks: the name that a page has given itself, or else the connection."""
    name, client = request.headers.get("x-page", ""), request.client
    return name if 0 < len(name) <= LONGEST_PAGE else f"{client.host}:{client.port}" if client else ""


async def _asked(request: Request, take: Callable[[int], bool]) -> Asked:
    """The question of a request; raises `_Unreadable`, and `ClientDisconnect`."""
    question = request.path_params["question"]
    if not re.fullmatch("[a-z]{1,30}", question):
        raise _Unreadable(404, "this is not a question")
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise _Unreadable(415, "a question has the content type application/json")
    body = await _body(request, take)
    try:
        about = json.loads(body, parse_constant=_no_number)
    except RecursionError:
        raise _Unreadable(400, "the question cannot be read as JSON: it is nested too deeply") from None
    except ValueError as error:
        raise _Unreadable(400, f"the question cannot be read as JSON: {error}") from None
    if not isinstance(about, dict):
        raise _Unreadable(400, "a question is a JSON object")
    return Asked(question, about)


async def _body(request: Request, take: Callable[[int], bool]) -> bytes:
    """The body of a request, none of which is read if its length is told and too large."""
    told = request.headers.get("content-length", "")
    too_large = _Unreadable(413, f"a question has at most {LARGEST_BODY:,} bytes")
    if told.isdecimal() and (len(told) > 9 or int(told) > LARGEST_BODY):
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > LARGEST_BODY:
            raise too_large
        if not take(len(chunk)):
            raise _Unreadable(503, "the server is busy with other questions: ask again in a moment")
        body += chunk
    return bytes(body)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


async def _disconnected(receive: Receive) -> None:
    """Returns when the page has ended the request."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _Reply:
    """The lines of one question on their way to a page, which may understand gzip."""

    def __init__(self, send: Send, packs: bool):
        self._send = send
        self._packs = packs
        self._begun = False

    async def part(self, line: bytes) -> None:
        """A line before the last one."""
        await self._begin(200)
        await self._send({"type": "http.response.body", "body": line, "more_body": True})

    async def last(self, line: bytes, status: int = 200) -> None:
        """The last line; the status counts where there was none before."""
        if self._packs and not self._begun and len(line) >= LEAST_PACKED:
            line = await asyncio.to_thread(gzip.compress, line, PACKING, mtime=0)
            await self._begin(status, (b"content-encoding", b"gzip"))
        await self._begin(status)
        await self._send({"type": "http.response.body", "body": line})

    async def _begin(self, status: int, *more: tuple[bytes, bytes]) -> None:
        if not self._begun:
            self._begun = True
            headers = [(b"content-type", b"application/x-ndjson"), (b"x-accel-buffering", b"no"), *more]
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
