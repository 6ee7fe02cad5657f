"""The server: its address, its start and its end.

In: the folder whose rules the page edits, what it opens first, a port.  Out: nothing, until Ctrl-C.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pysolve.runtime import wire
from pysolve.runtime.lane import Asked, Checks, Lane, Together
from pysolve.runtime.paths import PAGE
from pysolve.runtime.processes import python
from pysolve.web.listing import BESIDE, Listing
from pysolve.web.opening import Opening
from pysolve.web.ports import ports, remember

HOST = "127.0.0.1"
QUICK_SECONDS, LONG_SECONDS = 20.0, 3700.0  # an hour is the most that a search may ask for
FILE_SECONDS = 5.0  # for each file of the list
QUICK_PROCESSES, LONG_PROCESSES = 4, 4
QUICK_SHARE, LONG_SHARE = 1, 2  # processes that one page has at a time
QUICK_WAITING, LONG_WAITING = 100, 16  # questions that may wait for a process


def serve(opening: Opening, port: int | None, begun: Callable[[str], None]) -> None:
    """Answers until Ctrl-C, which raises `KeyboardInterrupt`; `begun` gets the address as soon as it can be opened.

    Raises `OSError` if the port is in use.
    """
    with _bound(opening.folder, port) as listening:
        asyncio.run(_serve(opening, listening, begun))


def _bound(folder: Path, port: int | None) -> socket.socket:
    """A socket at a port, or at that of the folder, or at the first one that is free."""
    if port is not None:
        return _bound_to(port)
    for candidate in ports(folder):
        try:
            found = _bound_to(candidate)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
        else:
            remember(folder, candidate)
            return found
    return _bound_to(0)


def _bound_to(port: int) -> socket.socket:
    found = socket.socket()
    try:
        if sys.platform != "win32":  # there it would let two programs share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen()  # at once: until somebody listens, others may bind to the port, too
    except OSError as error:
        found.close()
        in_use = error.errno == errno.EADDRINUSE
        why = "the port is in use; choose another one with --port" if in_use else error.strerror
        raise OSError(error.errno, why, f"{HOST}:{port}") from None
    return found


@dataclass(frozen=True, slots=True)
class Lanes:
    """The processes that answer: quick questions, long ones, and those about the files of the list."""

    quick: Lane
    long: Lane
    listed: Lane

    @classmethod
    def about(cls, opening: Opening) -> Lanes:
        """The lanes of an opening, none of them started."""
        command = python("pysolve.web.home", opening.to_json())
        lane = partial(Lane, command, Checks(), together=Together())
        return cls(
            lane(QUICK_PROCESSES, QUICK_WAITING, QUICK_SECONDS, share=QUICK_SHARE),
            lane(LONG_PROCESSES, LONG_WAITING, LONG_SECONDS, patient=True, share=LONG_SHARE, kept=0),
            lane(BESIDE, BESIDE, FILE_SECONDS, patient=True, kept=0),
        )

    async def close(self) -> None:
        """Ends all processes."""
        for lane in (self.quick, self.long, self.listed):
            await lane.close()


async def _serve(opening: Opening, listening: socket.socket, begun: Callable[[str], None]) -> None:
    lanes = Lanes.about(opening)
    await lanes.quick.ready()
    warming = asyncio.create_task(_warm(lanes))
    try:
        await _listen(opening, listening, lanes, begun)
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await lanes.close()


async def _warm(lanes: Lanes) -> None:
    """Reads the first game while the browser starts."""
    hello = await lanes.quick.ask(Asked("hello", {}))
    if wire.failure_kind(hello) is None:
        first = json.loads(hello)["answer"]["first"]
        await lanes.quick.ask(Asked("check", {name: first[name] for name in ("name", "text", "options")}))
    await lanes.long.ready()


async def _listen(opening: Opening, listening: socket.socket, lanes: Lanes, begun: Callable[[str], None]) -> None:
    # These take a while to import, in which the first process has started already.
    from pysolve.web.asking import Asking
    from pysolve.web.key import Key, kept_secret
    from pysolve.web.listening import Listening
    from pysolve.web.pages import application

    port, files = listening.getsockname()[1], opening.files()
    listing = Listing(files, lanes.listed)
    asking = Asking(files, lanes.quick, lanes.long, listing)

    async def ending() -> None:
        await asking.close()
        await listing.close()
        await lanes.close()

    key = Key(port, kept_secret())
    app = application(PAGE, asking, port, key)
    await Listening(app, lambda: begun(key.address(f"http://{HOST}:{port}/")), ending).serve(sockets=[listening])


def has_screen() -> bool:
    """True if a browser with windows can be opened; on a plain terminal a browser would take the terminal itself."""
    known = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in known)
