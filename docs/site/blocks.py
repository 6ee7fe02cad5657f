"""The fenced blocks of the documents.

What stands behind the ``` of a block says what it is: `tests/test_docs.py` lists the kinds, and tries each block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pysolve.dsl.check import variants

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@dataclass(frozen=True)
class Block:
    """A fenced block: the number of its first line within the fence, its kind, its name, its text."""

    document: Path
    line: int
    kind: str
    name: str
    text: str

    @property
    def place(self) -> str:
        """Where the block stands, for messages."""
        return f"{self.document.name}:{self.line}"

    @property
    def last_line(self) -> int:
        """The number of the line of the fence that ends it."""
        return self.line + self.text.count("\n")


def blocks(document: Path) -> list[Block]:
    """The blocks of a document, in order."""
    found, lines = [], document.read_text(encoding="utf-8").split("\n")
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("```"):
            start = number + 1
        elif start is not None and line == "```":
            kind, _, name = lines[start - 2][3:].partition(" ")
            found.append(Block(document, start, kind, name, "\n".join(lines[start - 1 : number - 1]) + "\n"))
            start = None
    return found


def put_into(text: str, part: str) -> str:
    """A rules text with sections in place of those with the same heading, or at its end."""
    found = {}
    for section in re.split(r"\n(?=\w)", f"{text.rstrip()}\n{part.rstrip()}".strip()):
        found[heading(section)] = section.rstrip()
    return "\n\n".join(found.values()) + "\n"


def heading(section: str) -> str:
    """What tells a section from others: its kind, and its name if there may be several."""
    line = section.split("\n")[0]
    kind, *name = re.findall(r"\w+", line)
    if kind in (*variants.SINGLE.values(), "state"):
        return kind
    return line if kind == "example" else f"{kind} {name[0]}"


def files_so_far(document: Path) -> Iterator[tuple[Block, dict[str, str]]]:
    """Each block that writes a rules file or adds to one, with the texts of all such files after it."""
    files: dict[str, str] = {}
    for block in blocks(document):
        if block.kind == "rules":
            files = {**files, block.name or "my.rules": block.text}
        elif block.kind == "rules-add":
            files = {**files, block.name: put_into(files.get(block.name, ""), block.text)}
        else:
            continue
        yield block, files
