"""Opens the user's browser at an address that other users must not see.

In: an address with a token.  Out: nothing.

All users of a machine can read the words with which a program was started.  So the browser is not given the address
but a file that leads there, and that only this user can read.
"""

from __future__ import annotations

import atexit
import platform
import sys
import tempfile
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path

SNAPS = Path("/snap/bin")
_LEADS = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={}"><title>pysolve</title>\n'


def show(address: str) -> None:
    """Opens an address, as far as there is a browser."""
    webbrowser.open(_leading_to(address).as_uri() if _reads_files() else address)


def _reads_files() -> bool:
    """False where the browser may have no access to the files of this system: in a snap, or outside of WSL."""
    snaps = any((SNAPS / name).exists() for name in ("firefox", "chromium", "brave", "opera"))
    return not (sys.platform == "linux" and (snaps or "microsoft" in platform.release().lower()))


def _leading_to(address: str) -> Path:
    """A file for this user alone, which is deleted when the program ends."""
    with tempfile.NamedTemporaryFile("w", prefix="pysolve-", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(_LEADS.format(escape(address)))
    atexit.register(_delete, path := Path(file.name))
    return path


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
