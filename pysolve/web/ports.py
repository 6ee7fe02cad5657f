"""At which port the page of a folder is.

In: a folder.  Out: the ports to try, the best one first; afterwards the one that was taken is known.

A browser keeps games and texts by the address of the page, port included.  So each folder has a port of its own, which
is tried first whenever the page of this folder is started; another folder gets another one as long as there are any.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from pysolve.dsl.sealed import read_sealed, write_sealed
from pysolve.runtime.cache import cache_folder

FILE = "web-ports"
FIRST, COUNT = 8000, 100  # the ports that are tried
MOST_FOLDERS = 50  # that are known; those that were used longest ago are forgotten


def usual_port(folder: Path) -> int | None:
    """The port at which the page of a folder was before."""
    return _known().get(_key(folder))


def ports(folder: Path) -> list[int]:
    """The ports to try for a folder: its own, then those that no other folder has, then the others."""
    known = _known()
    own = known.get(_key(folder))
    others = {port for name, port in known.items() if port != own and os.path.isdir(name)}
    every = range(FIRST, FIRST + COUNT)
    return [
        *([] if own is None else [own]),
        *(port for port in every if port not in others and port != own),
        *(port for port in every if port in others),
    ]


def remember(folder: Path, port: int) -> None:
    """Notes that the page of a folder is at a port, unless it has one: it may be there again next time."""
    known = _known()
    own = known.pop(_key(folder), port)
    latest = [*known.items(), (_key(folder), own)][-MOST_FOLDERS:]
    with suppress(OSError):  # then it is known until the server ends
        write_sealed(cache_folder() / FILE, json.dumps(dict(latest)).encode())


def _key(folder: Path) -> str:
    return str(folder.resolve())


def _known() -> dict[str, int]:
    """The ports of folders, those that were used last at the end."""
    data = read_sealed(cache_folder() / FILE)
    found = json.loads(data) if data is not None else {}
    return {name: port for name, port in found.items() if FIRST <= port < FIRST + COUNT}
