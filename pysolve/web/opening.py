"""What the page shows first.

In: the command line.  Out: the same in another process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pysolve.web.folder import DEEPEST, Folder


@dataclass(frozen=True, slots=True)
class Opening:
    """The folder, the game or file, and the options with which the page starts."""

    folder: Path
    below: bool = False  # files of the folders in it are listed, too
    first: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    engine: str = "auto"

    def files(self) -> Folder:
        """The files that the page may read and write."""
        return Folder(self.folder, DEEPEST if self.below else 0)

    def to_json(self) -> str:
        """One word that `from_json` reads, for another process."""
        return json.dumps({**asdict(self), "folder": str(self.folder)})

    @classmethod
    def from_json(cls, text: str) -> Opening:
        """The opening from the JSON that `to_json` returns."""
        told = json.loads(text)
        return cls(**{**told, "folder": Path(told["folder"])})
