"""uvicorn, told what to do when it begins and when it ends.

In: an application.  Out: a server for it, which Ctrl-C and SIGTERM end.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import ASGIApp


class Listening(uvicorn.Server):
    """A server; `begun` is called when it listens, `ending` before it waits for its open requests."""

    def __init__(self, app: ASGIApp, begun: Callable[[], None], ending: Callable[[], Awaitable[None]]):
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", access_log=False, lifespan="off", ws="none", server_header=False,
                timeout_graceful_shutdown=2,
            )
        )  # fmt: skip
        self._begun = begun
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen."""
        await super().startup(sockets)
        self._begun()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the requests, then the server."""
        await self._ending()
        await super().shutdown(sockets)
