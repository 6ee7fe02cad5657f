"""Files that are written whole or not at all.

In: the path of a file, and what will stand in it.  Out: that file; or an `OSError` with its name, the file as it was
before, and nothing else left behind.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Writes a text, or its parts, in UTF-8; names of files that are not UTF-8 stay the bytes that they are."""
    parts = [text] if isinstance(text, str) else text
    write_bytes(path, (part.encode(errors="surrogateescape") for part in parts))


def write_bytes(path: Path, parts: Iterable[bytes]) -> None:
    """Writes beside the file, and gives it the name when all is there; a pipe or a device is written as it is."""
    with _named(path):
        path = Path(os.path.realpath(path))  # a link stays one
        before = path.stat().st_mode if path.exists() else None
        if before is not None and not stat.S_ISREG(before):
            with path.open("wb") as file:
                file.writelines(parts)
            return
        beside = path.with_name(f".{path.name[:200]}.{os.getpid()}.new")
        try:
            with beside.open("wb") as file:
                file.writelines(parts)
            if before is not None:
                beside.chmod(stat.S_IMODE(before))
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """A full disk does not say which file it is full for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
