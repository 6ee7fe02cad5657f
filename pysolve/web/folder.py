"""The rules files that the page may read and write: those of one folder, and of the folders in it.

In: names such as "mine.rules" or "old/mine.rules".  Out: texts with their digests; `Failed` for a name that leads out
of the folder, by `..` or over a link, for a file that is not a rules file, and for one that somebody else has changed.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pysolve.dsl.text.limits import TEXT_LIMIT
from pysolve.dsl.text.sources import SUFFIX, stays_inside
from pysolve.runtime.files import write_whole
from pysolve.runtime.wire import Failed

MOST_FILES = 300  # that are listed
MOST_ENTRIES = 20_000  # of folders that are looked through
DEEPEST = 4  # folders within folders
LONGEST_NAME = 400  # characters
LONGEST_PART = 240  # bytes of the name of a file, or of a folder


@dataclass(frozen=True, slots=True)
class File:
    """A rules file as it is on disk; the digest is that of its bytes."""

    name: str
    text: str
    digest: str

    def to_dict(self) -> dict[str, str]:
        """The file as the page gets it."""
        return {"name": self.name, "text": self.text, "digest": self.digest}


Stamp = tuple[int, int, int]  # when a file was written (ns), its size, its number on the disk


class Folder:
    """A folder with rules files; files in folders below it are listed down to `deepest`."""

    def __init__(self, root: Path, deepest: int = DEEPEST):
        self.root = root.resolve()
        self._deepest = deepest
        self._saving = threading.Lock()

    def names(self) -> list[str]:
        """The names of its rules files, sorted; not those in hidden folders, nor behind links that lead out."""
        found: list[str] = []
        for entry in self._entries():
            if entry.name.endswith(SUFFIX) and len(found) < MOST_FILES:
                name = Path(entry.path).relative_to(self.root).as_posix()
                if self._inside(Path(entry.path)) and entry.is_file():
                    found.append(name)
        return sorted(found, key=lambda name: (name.count("/"), name))

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        """Files of the folder and of the folders in it, as far as the limits allow."""
        waiting, seen = [(self.root, 0)], 0
        while waiting:
            at, depth = waiting.pop(0)
            try:
                entries = sorted(os.scandir(at), key=lambda entry: entry.name)
            except OSError:
                continue  # nobody may look into it
            for entry in entries:
                seen += 1
                if seen > MOST_ENTRIES:
                    return
                if entry.name.startswith(".") or entry.name in ("node_modules", "__pycache__"):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif depth < self._deepest:
                    waiting.append((Path(entry.path), depth + 1))

    def read(self, name: object) -> File:
        """A file; raises `Failed`."""
        path = self._path(name)
        data = self._data(path)
        if data is None:
            raise Failed("asked", f'there is no file "{name}"')
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise Failed("asked", f'"{name}" is not UTF-8 text') from None
        return File(str(name), text, _digest(data))

    def save(self, name: object, text: object, digest: object, force: object = False) -> str:
        """Writes a file, whole or not at all; returns its digest.

        Raises `Failed`: as `changed` if the file is not as `digest` says, unless `force` is set.  A new file has the
        digest "".  Line ends are those that the file had.
        """
        path = self._path(name)
        if not isinstance(text, str) or not isinstance(digest, str) or not isinstance(force, bool):
            raise Failed("asked", 'save takes {"name": text, "text": text, "digest": text, "force": true or false}')
        with self._saving:
            before = self._data(path)
            now = "" if before is None else _digest(before)
            if now != digest and not force:
                how = "has been deleted" if before is None else "has changed on disk" if digest else "is there already"
                raise Failed("changed", f'"{name}" {how}')
            if before is not None and b"\r\n" in before:
                text = text.replace("\n", "\r\n")
            return self._written(path, text)

    def _written(self, path: Path, text: str) -> str:
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            raise Failed("asked", "the text has characters that UTF-8 cannot write") from None
        if len(data) > TEXT_LIMIT:
            raise Failed("asked", f"a rules text has at most {TEXT_LIMIT:,} bytes; this one has {len(data):,}")
        try:
            write_whole(path, text)
        except OSError as error:
            raise Failed("asked", f"{path.name} cannot be written: {error.strerror}") from None
        return _digest(data)

    def stamp(self, name: object) -> Stamp | None:
        """A value that changes whenever the file is written; None while there is no such file. Raises `Failed`."""
        try:
            status = self._path(name).stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _path(self, name: object) -> Path:
        """The path of a rules file in the folder, there or not."""
        if not isinstance(name, str) or not name.endswith(SUFFIX) or len(name) > LONGEST_NAME or not name.isprintable():
            raise Failed("asked", f"a file of the folder has a name that ends in {SUFFIX}")
        if any(len(os.fsencode(part)) > LONGEST_PART for part in Path(name).parts):
            raise Failed("asked", f"the name of a file has at most {LONGEST_PART} bytes: choose a shorter one")
        path = self.root / name
        hidden = any(part.startswith(".") for part in Path(name).parts)
        if not stays_inside(name) or "\\" in name or hidden or not self._inside(path):
            raise Failed("asked", f'"{name}" is not in the folder {self.root.name}')
        return path.resolve()

    def _inside(self, path: Path) -> bool:
        """True if a path lies in the folder and names a rules file, with all links followed."""
        try:
            real = path.resolve()
        except (OSError, ValueError, RuntimeError):  # links in a circle
            return False
        return real.is_relative_to(self.root) and real.name.endswith(SUFFIX)

    def _data(self, path: Path) -> bytes | None:
        """The bytes of a file; None if there is none.  Raises `Failed`."""
        if path.exists() and not path.is_file():
            raise Failed("asked", f"{path.name} is not a file")
        try:
            with path.open("rb") as file:
                data = file.read(TEXT_LIMIT + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Failed("asked", f"{path.name} cannot be read: {error.strerror}") from None
        if len(data) > TEXT_LIMIT:
            raise Failed("asked", f"{path.name} is larger than a rules text may be: {TEXT_LIMIT:,} bytes")
        return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
