"""Files that commands read and write: what is wrong with one is said in words, and at once.

In: names of files.  Out: texts; nothing for a file that can be written, otherwise an `OSError` with its name.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from pysolve.notation import pgn
from pysolve.notation.record import Record, read, write
from pysolve.runtime.files import write_whole


@contextmanager
def text_file(name: str | Path) -> Iterator[TextIO]:
    """A text to be read; `-` is stdin."""
    try:
        if name == "-":
            yield standard_input()
        else:
            with Path(name).open(encoding="utf-8-sig") as file:
                yield file
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "the file is not UTF-8 text", str(name)) from None


def standard_input() -> TextIO:
    """stdin; raises `OSError` if whoever started the program closed it."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "the file is closed", "stdin")
    return sys.stdin


def record_of(path: Path) -> Record:
    """The game record in a file, which may be PGN; raises `RecordError` and `OSError`.

    A record names its rules file, and the name of a file need not be UTF-8.
    """
    found = b"" if str(path) == "-" else path.read_bytes()
    if found.startswith(b"[Game "):
        return read(found.decode(errors="surrogateescape"))
    text = text_of(path)
    return pgn.read(text) if pgn.is_pgn(text) else read(text)


def save_record(path: Path, record: Record) -> None:
    """Writes a record in one go, so that what was there stays until the new one is complete."""
    write_whole(path, write(record))


def text_of(name: str | Path) -> str:
    """All of a text; `-` is stdin."""
    with text_file(name) as file:
        return file.read()


def check_writable(path: Path, force: bool) -> None:
    """Complains, before anything is done, of a file that is there, or could not be written in the end."""
    if path.exists() and not force:
        raise FileExistsError(errno.EEXIST, "the file exists; choose another one, or use --force", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "it cannot be written; choose another file", str(path))
