"""Files that are read as they were written, or not at all.

In: a path and bytes.  Out: the same bytes, in any later process; None if the file is missing or damaged, if it was put
there under another name, or if another user may have written it.  A file begins with a digest of its name and of all
that follows.  It is written under another name and renamed, so it is whole or not there, whenever a process is killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

DIGEST = hashlib.sha256().digest_size


def private(status: os.stat_result) -> bool:
    """True if nobody but this user can have written a file or folder."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def read_private(path: Path) -> bytes | None:
    """The bytes of a plain file that nobody else can have written; None if there is no such file."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(status.st_mode) and private(status) else None
    except (OSError, MemoryError):
        return None


def read_sealed(path: Path) -> bytes | None:
    """The bytes that `write_sealed` wrote to this path; None if the file is anything else."""
    written = read_private(path)
    if written is None or written[:DIGEST] != _digest(path, memoryview(written)[DIGEST:]):
        return None
    return written[DIGEST:]


def write_sealed(path: Path, data: bytes) -> None:
    """Writes bytes for `read_sealed`, all or nothing; raises `OSError` if nothing can be written there."""
    handle, written = tempfile.mkstemp(dir=path.parent)  # no other user can read or write it
    try:
        with open(handle, "wb") as file:
            file.write(_digest(path, data))
            file.write(data)
        os.replace(written, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(written)
        raise


def _digest(path: Path, data: bytes | memoryview) -> bytes:
    """The name belongs to it: a file that was renamed is not what is looked for."""
    digest = hashlib.sha256(os.fsencode(path.name) + b"\0")
    digest.update(data)
    return digest.digest()
