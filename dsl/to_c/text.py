"""Writing C: lines with their indentation, and names that are safe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Part:
    """Lines of C in their order, and parts that stand among them, which may still grow."""

    lines: list[str | Part] = field(default_factory=list)

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            if isinstance(line, Part):
                yield from line
            else:
                yield line


@dataclass
class Writer:
    """Lines of C, indented by the blocks that are open."""

    written: Part = field(default_factory=Part)  # what is being written
    depth: int = 0
    numbers: int = 0
    bounded: bool = False  # is every turn of a loop counted?
    may_fail: bool = False  # may an effect break the ranges of the rules?

    def line(self, text: str) -> None:
        """Appends a line, indented by the depth of the open blocks."""
        self.written.lines.append("    " * self.depth + text)

    def place(self) -> Part:
        """A part that stands here, for lines that are found out later."""
        part = Part()
        self.written.lines.append(part)
        return part

    @contextmanager
    def apart(self, depth: int | None = None) -> Iterator[Part]:
        """A context: text that is written within it forms a part of its own, which is printed only where it is
        added; it is indented as here, or for some open blocks."""
        part, before = Part(), (self.written, self.depth)
        self.written, self.depth = part, self.depth if depth is None else depth
        try:
            yield part
        finally:
            self.written, self.depth = before

    def add(self, part: Part) -> None:
        """A part that was written apart stands here."""
        self.written.lines.append(part)

    def fail(self, condition: str, code: int, line: int, slot: int = 0, value: str = "0") -> None:
        """Ends the question with a mistake in a line of the rules, where a condition holds."""
        self.may_fail = True
        self.line(f"if ({condition}) return fail(e, {code}, {line}, {slot}, {value});")

    def block(self, head: str, end: str = "") -> Block:
        """A head with its braces, and what stands behind them; what is written inside stands between them."""
        return Block(self, head, end=end)

    def loop(self, head: str) -> Block:
        """A loop over choices of the rules: where steps are counted it ends when there are none left."""
        return Block(self, head, "if (spent(c)) break;" if self.bounded else "")

    @property
    def control(self) -> str:
        """The last argument of what the rules ask, behind which the count of steps is."""
        return ", c" if self.bounded else ""

    def fresh(self, wish: str) -> str:
        """A name that nothing else has."""
        self.numbers += 1
        return f"{wish}{self.numbers}"

    def text(self) -> str:
        """The program as text."""
        return "\n".join(self.written) + "\n"


class Block:
    """A context: the C text between two braces. (A class, since there are thousands, and contextlib takes longer.)"""

    def __init__(self, out: Writer, head: str, first: str = "", end: str = ""):
        self.out, self.head, self.first, self.end = out, head, first, end

    def __enter__(self) -> None:
        self.out.line(f"{self.head} {{" if self.head else "{")
        self.out.depth += 1
        if self.first:
            self.out.line(self.first)

    def __exit__(self, *failure: object) -> None:
        self.out.depth -= 1
        self.out.line(f"}}{self.end}")


def identifier(name: str) -> str:
    """A name of the rules as part of a C name: letters, digits and underscores alone."""
    return re.sub(r"[^A-Za-z0-9_]", lambda found: f"_{ord(found[0]):x}_", name)


def number_type(low: int, high: int) -> str:
    """The smallest type of C that holds every number in a range."""
    if low >= 0:
        return "u8" if high < 2**8 else "u16" if high < 2**16 else "u32" if high < 2**32 else "I"
    limit = max(-low, high + 1)
    return "i8" if limit <= 2**7 else "i16" if limit <= 2**15 else "i32" if limit <= 2**31 else "I"


def array(name: str, kind: str, values: list[int]) -> str:
    """A constant array, some numbers a line."""
    lines = [values[i : i + 24] for i in range(0, len(values), 24)] or [[0]]
    if kind == "u64":
        rows = [", ".join(f"{value:#x}ULL" for value in line) for line in lines]
    else:
        rows = [repr(line)[1:-1] for line in lines]  # without its brackets a list of Python is one of C
    inner = ",\n    ".join(rows)
    return f"static UNUSED const {kind} {name}[{max(1, len(values))}] = {{\n    {inner}\n}};"
