"""Places in a text, as Python counts them and as an editor does.

In: lines and columns.  Out: positions and ranges of the protocol.  Python counts characters; an editor counts what it
has agreed upon with the server, most often units of UTF-16.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp


class Codec:
    """Counts as an editor does."""

    def __init__(self, encoding: str | None):
        self.encoding = {"utf-8": "utf-8", "utf-32": "utf-32-le"}.get(str(encoding or ""), "utf-16-le")
        self.width = {"utf-8": 1, "utf-32-le": 4, "utf-16-le": 2}[self.encoding]

    def units(self, line: str, column: int) -> int:
        """The column of a line in the units of the editor."""
        before = line[:column]
        return column if line.isascii() else len(before.encode(self.encoding, "surrogatepass")) // self.width

    def column(self, line: str, units: int) -> int:
        """The column of a line that an editor calls so; a place behind the line is its end."""
        if line.isascii():
            return min(units, len(line))
        data = line.encode(self.encoding, "surrogatepass")[: units * self.width]
        return len(data.decode(self.encoding, "ignore"))

    def place(self, lines: Sequence[str], position: lsp.Position) -> tuple[int, int]:
        """Line and column of a position; one behind the text is its end."""
        if position.line >= len(lines):
            return len(lines) - 1, len(lines[-1])
        return position.line, self.column(lines[position.line], position.character)

    def position(self, lines: Sequence[str], line: int, column: int) -> lsp.Position:
        """The position of a line and a column."""
        if line >= len(lines):
            return lsp.Position(len(lines), 0)
        return lsp.Position(line, self.units(lines[line], column))

    def range(self, lines: Sequence[str], line: int, start: int, end: int) -> lsp.Range:
        """A stretch of one line."""
        return lsp.Range(self.position(lines, line, start), self.position(lines, line, end))

    def span(self, lines: Sequence[str], line: int, column: int, end_line: int, end_column: int) -> lsp.Range:
        """A stretch of a text; line and column count from 0."""
        return lsp.Range(self.position(lines, line, column), self.position(lines, end_line, end_column))
