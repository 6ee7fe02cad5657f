"""The labels of a refining in a file, so that it can be interrupted and resumed.

In: a path, and what the labels depend on.  Out: the labels that are there, portion by portion; others are added as soon
as they are found.

A file has the labels of one refining.  Each portion is those of so many games, in the order of the games.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pysolve.lab.database import Database, DatabaseError, Kind


class Labels(Database):
    """A file of labels."""

    kind = Kind(
        name="file of labels",
        rows="labels",
        mark=0x7079534C,  # pySL
        version=1,
        tables={
            "refining": "(told TEXT NOT NULL)",  # what the labels depend on, as JSON
            "portions": "(number INTEGER PRIMARY KEY, labels BLOB NOT NULL)",  # from 0; as C has them, by zlib
        },
    )

    def __init__(self, path: Path, key: dict[str, Any]):
        """Raises `DatabaseError` for the labels of another refining than that of this key, too."""
        super().__init__(path)
        told = json.dumps(key)
        try:
            self.do("INSERT INTO refining SELECT ? WHERE NOT EXISTS (SELECT 1 FROM refining)", (told,))
            others = [one for (one,) in self.rows("SELECT told FROM refining") if one != told]
            if others:
                raise self.error(
                    f"{path} has the labels of another refining, of other rules or values, another choice of --seed, "
                    "--nodes, --net or --no-evaluate, or by another pysolve: remove it, or choose another -o"
                )
        except DatabaseError:
            self.close()
            raise

    def damaged(self, what: str) -> DatabaseError:
        """The error to be raised for a file that cannot be gone on from."""
        return self.error(f"{self.path} is damaged: {what}. Remove it, or choose another -o")

    @property
    def count(self) -> int:
        """How many portions there are."""
        ((found,),) = self.rows("SELECT COUNT(*) FROM portions")
        return int(found)

    def portions(self, largest: int) -> Iterator[bytes]:
        """The portions, in their order, each of so many bytes at most."""
        for expected, (number, packed) in enumerate(self.rows("SELECT number, labels FROM portions ORDER BY number")):
            unpacking = zlib.decompressobj()
            try:
                found = unpacking.decompress(packed, largest + 1)
            except (zlib.error, TypeError):
                raise self.damaged(f"portion {number} cannot be read") from None
            if number != expected or len(found) > largest or not unpacking.eof:
                raise self.damaged(f"portion {number} is not what it should be")
            yield found

    def add(self, number: int, labels: bytes) -> None:
        """Adds a portion; one of this number that is there is not changed."""
        self.do("INSERT OR IGNORE INTO portions VALUES (?, ?)", (number, zlib.compress(labels, 1)))
