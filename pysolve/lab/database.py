"""A SQLite file that a command writes as it goes on, so that it can be interrupted and resumed.

In: a path, and the kind of file.  Out: the file, open for writing, and sentences about what SQLite says.

What is written in one transaction, in WAL mode, is there whole or not at all, whenever the program is killed.  A file
is checked before it is opened for writing: one that is damaged stays as it is.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

PATIENCE = 30  # seconds to wait for another process to finish writing

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)  # what SQLite says on a full disk

_BUSY = "is in use: another program writes to it; wait for that program, or choose another file"
_UNWRITTEN = "cannot be written: the file or its folder is read-only; choose another file, or change its permissions"
_PROBLEMS = {  # by the primary result code of SQLite
    sqlite3.SQLITE_NOTADB: "is not a {name}; choose another file",
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _UNWRITTEN,
    sqlite3.SQLITE_PERM: _UNWRITTEN,
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full; the {rows} in it are kept",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk is full or fails; the {rows} in it are kept",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: its folder must exist and be writable",
}


class DatabaseError(ValueError):
    """A file is not of the kind that it should be, or it cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file is, and what is in it."""

    name: str  # such as: store of games
    rows: str  # games
    mark: int  # SQLite's application id
    version: int  # of the tables
    tables: Mapping[str, str]  # how SQL defines each, by name


class Database:
    """A file of one kind; raises its kind of `DatabaseError` for a file that cannot be used."""

    kind: ClassVar[Kind]
    error: ClassVar[type[DatabaseError]] = DatabaseError

    def __init__(self, path: Path, create: bool = True):
        if not create and not path.exists():
            raise FileNotFoundError(2, "there is no such file", str(path))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, f"this is a folder, and no {self.kind.name}", str(path))
        self.path = path
        new = not path.exists()
        if not new:
            self._refuse_damaged()
        try:
            self._file = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        except sqlite3.Error as error:
            raise self._wrong(error) from None
        try:
            self._prepare(create)
        except sqlite3.Error as error:
            self._file.close()
            if new and error.sqlite_errorcode & 0xFF in _NO_ROOM:
                remove(path)
            raise self._wrong(error) from None

    def _refuse_damaged(self) -> None:
        """Raises an error for a damaged file.  It is opened for reading alone, so that nothing in it changes."""
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", PATIENCE, uri=True)) as file:
                (found,) = file.execute("PRAGMA quick_check(1)").fetchone()
                (mark,) = file.execute("PRAGMA application_id").fetchone()
                missing = self.kind.tables.keys() - {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
        except sqlite3.Error as error:
            raise self._wrong(error) from None
        if found != "ok":
            raise self.damaged(found.strip().split("\n")[-1])
        if mark == self.kind.mark and missing:
            raise self.damaged(f"it has no table {min(missing)}")

    def damaged(self, what: str) -> DatabaseError:
        """The error to be raised for a damaged file."""
        return self.error(
            f"{self.path} is damaged: {what}. Nothing in it was changed. Use a copy of it, or another file; the SQLite "
            f"command  sqlite3 {self.path.name} .recover  prints what can still be read"
        )

    def _prepare(self, create: bool) -> None:
        self._file.execute("PRAGMA foreign_keys = ON")
        (tables,) = self._file.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        (mark,) = self._file.execute("PRAGMA application_id").fetchone()
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        kind = self.kind
        if tables and mark != kind.mark:
            raise self.error(f"{self.path} is a database, but not a {kind.name}; choose another file")
        if not tables and not create:
            raise self.error(f"{self.path} is empty, not a {kind.name}")
        if version > kind.version:
            raise self.error(f"{self.path} was written by a newer pysolve; this one reads version {kind.version}")
        if not tables:
            made = " ".join(f"CREATE TABLE {name} {how};" for name, how in kind.tables.items())
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.executescript(
                f"BEGIN; PRAGMA application_id = {kind.mark}; PRAGMA user_version = {kind.version}; {made} COMMIT;"
            )
        self._file.execute("PRAGMA synchronous = NORMAL")

    def _wrong(self, error: sqlite3.Error) -> DatabaseError:
        """What an error of SQLite means to the user."""
        code = getattr(error, "sqlite_errorcode", None)  # none for text that is not UTF-8
        primary = None if code is None else code & 0xFF
        if primary == sqlite3.SQLITE_CORRUPT or (primary is None and isinstance(error, sqlite3.OperationalError)):
            return self.damaged(str(error))
        problem = _PROBLEMS.get(primary or 0)
        said = problem.format(name=self.kind.name, rows=self.kind.rows) if problem else f"cannot be used: {error}"
        return self.error(f"{self.path} {said}")

    def do(self, sql: str, values: tuple[object, ...] = ()) -> None:
        """Runs a statement that changes something; raises an error for one of SQLite."""
        for _ in self.rows(sql, values):
            pass

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement; raises an error for one of SQLite, also while they are read."""
        try:
            for row in self._file.execute(sql, values):  # noqa: UP028  (`yield from` closes cursors of a closed file)
                yield row
        except sqlite3.Error as error:
            raise self._wrong(error) from None

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def remove(path: Path) -> None:
    """Removes a file, if it is there, and those that SQLite has put beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + end).unlink(missing_ok=True)
