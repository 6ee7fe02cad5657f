"""What pysolve keeps for the next time: a folder that is private to the user, and small things in it.

In: a name, with an ending that says of what kind it is, and a value.  Out: the value, in any later process; None if it
is not there, or is damaged, or may have been written by somebody else.  Libraries of C lie in the same folder
(`pysolve.engines.build`).
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from pysolve.dsl.gc_pause import gc_paused
from pysolve.dsl.model import fields_of
from pysolve.dsl.sealed import private, read_sealed, write_sealed

GAME, PARENTS, PRINTED, LIBRARY, WASM = ".model", ".parents", ".printed", ".library", ".wasm"  # what a value is
LARGEST = 50_000_000  # bytes of all that is kept; the oldest goes first
UNSEEN = 50  # a process looks how much there is whenever it has kept the 50th part of that: to look takes time


def cache_folder() -> Path:
    """The path of the cache: a folder that no other user can write to."""
    wished = os.environ.get("PYSOLVE_CACHE")
    folder = Path(wished) if wished else _usual()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if private(folder.stat()):
            return folder
    except OSError:
        pass
    return _temporary()


def _usual() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("pysolve") / "native"


@functools.cache
def _temporary() -> Path:
    return Path(tempfile.mkdtemp(prefix="pysolve-"))


def kept(name: str) -> Any:
    """The object that was kept under a name; None if there is none that can be trusted."""
    data = read_sealed(cache_folder() / name)
    if data is None:
        return None
    try:
        with gc_paused():
            return pickle.loads(data)
    except Exception:  # whole, but of another version of pysolve: an unpickler may raise anything
        return None


def keep(name: str, value: Any) -> None:
    """Keeps a value, whole or not at all; where nothing can be written, nothing is kept."""
    data = _pickled(value)
    with contextlib.suppress(OSError):
        folder = cache_folder()
        _growth.prune(folder, len(data))
        write_sealed(folder / name, data)


def _pickled(value: Any) -> bytes:
    file = io.BytesIO()
    with gc_paused():
        _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


Reduce = Callable[[Any], tuple[type, tuple[object, ...]]]


class _Records(dict[type, Reduce]):
    """Writes a record as its kind and its fields: half the work of the usual way, there and back."""

    def __missing__(self, kind: type) -> Reduce:
        if not (hasattr(kind, "__slots__") and is_dataclass(kind)):
            raise KeyError(kind)
        fields = fields_of(kind)
        self[kind] = lambda thing: (kind, fields(thing))
        return self[kind]


class _Pickler(pickle.Pickler):
    dispatch_table = _Records()  # quicker than to be asked for each thing


class _Growth:
    """What this process has kept in a folder since it last looked how much there is."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.size = 0  # bytes

    def prune(self, folder: Path, size: int) -> None:
        """Before so many bytes are kept: throws the oldest away if there is too much, and it is time to look."""
        self.size += size
        if folder != self.folder or self.size > LARGEST // UNSEEN:
            _prune(folder)
            self.folder, self.size = folder, 0


_growth = _Growth()


def _prune(folder: Path) -> None:
    """Throws the oldest away if there is too much."""
    found = [(status.st_mtime, status.st_size, file) for file in _files(folder) if (status := file.stat())]
    total = sum(size for _, size, _ in found)
    for _, size, file in sorted(found) if total > LARGEST else ():
        file.unlink(missing_ok=True)
        total -= size
        if total <= LARGEST // 2:
            return


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.suffix in (GAME, PARENTS, PRINTED, LIBRARY, WASM))


def kept_games() -> tuple[int, int]:
    """The number of games that are kept, and the total size in bytes of everything that is kept by name."""
    files = list(_files(cache_folder()))
    return sum(file.suffix == GAME for file in files), sum(file.stat().st_size for file in files)


def forget() -> int:
    """Throws all away that was kept by name; how many games there were."""
    number, _ = kept_games()
    for file in _files(cache_folder()):
        file.unlink(missing_ok=True)
    return number
