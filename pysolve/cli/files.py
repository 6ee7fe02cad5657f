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


@contextmanager
def text_file(name: str | Path) -> Iterator[TextIO]:
    """A text to be read; `-` is stdin."""
    try:
        if name == "-":
            yield sys.stdin
        else:
            with Path(name).open(encoding="utf-8-sig") as file:
                yield file
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "this is no text in UTF-8", str(name)) from None


def text_of(name: str | Path) -> str:
    """All of a text; `-` is stdin."""
    with text_file(name) as file:
        return file.read()


def check_writable(path: Path, force: bool) -> None:
    """Complains, before anything is done, of a file that is there, or could not be written in the end."""
    if path.exists() and not force:
        raise FileExistsError(errno.EEXIST, "the file exists; choose another one, or --force", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "nothing can be written there; choose another file", str(path))
