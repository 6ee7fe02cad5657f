"""Connections, as far as the server can bear them.

In: what clients send, however slowly.  Out: requests to the application.

* A request head, and a body, must be complete after some seconds, however regularly a byte of it comes.
* An answer must be taken: a client that reads nothing for some seconds is cut off.
* There are only so many connections at a time.  One more takes the place of the one that has waited longest without
  asking anything; where all are being answered, it hears 503.

uvicorn's own limits do not do this: `timeout_keep_alive` begins after the first answer, and `limit_concurrency` counts
only requests, so that silent connections use up all descriptors.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 100  # connections
FEWEST = 8
AT_ONCE = 8  # connections that are accepted before those that are too many are closed
BACKLOG = 128  # connections that the system keeps until they are accepted
KEPT = 72  # descriptors that connections leave to processes, files, and those that are just being refused
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"connection: close\r\n\r\npysolve: too many questions are being answered; try again in a moment\n"
)


@dataclass(frozen=True, slots=True)
class Seconds:
    """The time limits for a client, in seconds."""

    head: float = 10.0  # from its connection, or its next request, to the end of the head
    body: float = 20.0  # from there to the end of the body
    answer: float = 30.0  # without reading anything of an answer
    idle: float = 60.0  # between two requests


def most_connections() -> int:
    """The number of connections that this process can have with its limit of file descriptors."""
    if sys.platform == "win32":
        return MOST
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if allowed == resource.RLIM_INFINITY else max(FEWEST, min(MOST, allowed - KEPT))


@dataclass
class Crowd:
    """All connections, the oldest first, and what limits them."""

    most: int = MOST
    seconds: Seconds = field(default_factory=Seconds)
    there: dict[Connection, None] = field(default_factory=dict)

    def admits(self, new: Connection) -> bool:
        """Takes a connection in, for which another one may have to go; False if all are being answered."""
        if len(self.there) >= self.most:
            silent = next((one for one in self.there if one.is_silent), None)
            if silent is None:
                return False
            silent.cut()
        self.there[new] = None
        return True

    def leave(self) -> None:
        """Cuts off those that do not read: nobody waits for them at the end."""
        for one in list(self.there):
            if one.is_stuck:
                one.cut()


class Connection(H11Protocol):
    """One connection of uvicorn, with limits."""

    def __init__(self, crowd: Crowd, *of_uvicorn: Any, **more: Any):
        super().__init__(*of_uvicorn, **more)
        self._crowd = crowd
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for = ""
        self._writing: asyncio.TimerHandle | None = None

    @property
    def is_silent(self) -> bool:
        """True if it has asked nothing yet, or nothing since the last answer."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_stuck(self) -> bool:
        """True if it does not read its answer."""
        return self._writing is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins, or is refused."""
        super().connection_made(transport)
        if self._crowd.admits(self):
            self._wait("head")
        else:
            transport.write(BUSY)
            self.cut()

    def data_received(self, data: bytes) -> None:
        """Reads on; times go on while a part is not complete."""
        if not self.transport.is_closing():
            super().data_received(data)
            self._look()

    def on_response_complete(self) -> None:
        """Is ready for the next request, which may be there already."""
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """Waits for what the client owes now."""
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._wait("body")
        elif state is h11.IDLE:
            self._wait("head" if self.conn.trailing_data[0] else "idle")
        else:
            self._wait("")

    def _wait(self, what: str) -> None:
        """Gives the client the time for something; if it is waited for already, the time goes on."""
        if what == self._waits_for:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._waits_for = what
        seconds = getattr(self._crowd.seconds, what) if what else 0
        self._timer = self.loop.call_later(seconds, self.cut) if what else None

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._writing = self.loop.call_later(self._crowd.seconds.answer, self.cut)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def cut(self) -> None:
        """Ends the connection at once; what was written is sent if the client takes it at once."""
        self._crowd.there.pop(self, None)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends."""
        self._crowd.there.pop(self, None)
        self._wait("")
        super().connection_lost(exc)
        self.resume_writing()


def connections(crowd: Crowd) -> type[Connection]:
    """A class of connections that belong to a crowd, for uvicorn."""

    class OfCrowd(Connection):
        def __init__(self, *of_uvicorn: Any, **more: Any):
            super().__init__(crowd, *of_uvicorn, **more)

    return OfCrowd
