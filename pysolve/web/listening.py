"""uvicorn, told what to do when it begins and when it ends, and how much it may bear.

In: an application.  Out: a server for it, which Ctrl-C and SIGTERM end.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import ASGIApp

from pysolve.web.connections import AT_ONCE, BACKLOG, Crowd, connections, most_connections

LARGEST_HEAD = 16_384  # bytes


class Listening(uvicorn.Server):
    """A server; `begun` is called when it listens, `ending` before it waits for its open requests."""

    def __init__(
        self, app: ASGIApp, begun: Callable[[], None], ending: Callable[[], Awaitable[None]], crowd: Crowd | None = None
    ):
        self.crowd = Crowd(most_connections()) if crowd is None else crowd
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", access_log=False, lifespan="off", ws="none", interface="asgi3",
                proxy_headers=False, server_header=False, timeout_graceful_shutdown=2,
                http=connections(self.crowd), backlog=AT_ONCE, h11_max_incomplete_event_size=LARGEST_HEAD,
                timeout_keep_alive=round(self.crowd.seconds.idle),
            )
        )  # fmt: skip
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # a stranger's bad request is no news
        self._begun = begun
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(BACKLOG)  # asyncio takes one number for both, and accepts that many without looking at them
        self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the requests, then the server."""
        await self._ending()
        self.crowd.leave()
        await super().shutdown(sockets)
