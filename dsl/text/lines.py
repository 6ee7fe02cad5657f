"""The shape of a rules text: comments, drawings, and lines that go on.

In: the text as written.  Out: a text of the same lines and columns that the grammar can read: comments
are blank, and a line break inside a sentence is marked, so that every position an error names is the
author's own.

A drawing (the indented lines under `shape` or `position`) is left as it is: there `#` is a glyph.  Its rows
may be slanted, as those of a hex board are; the spaces that slant them are marked, so that they are no blocks.
A sentence goes on over a line break
  * inside brackets,
  * after a line that ends with an operator, a comma, or a word that needs more (`and`, `has`, …),
  * before a line that begins with `and`, `or`, `else …`, `then …` or `because`.
"""

from __future__ import annotations

import re

DRAWN = ("shape", "position")  # what is indented under a line with one of these words is a picture
CONTINUED = "\x01"  # stands for the first space of a line that continues the one before
SLANTED = "\x02"  # stands for each space by which a drawn row is indented more than the others

TEXT = r'"[^"\n]*"'
_TEXT = re.compile(TEXT)
_COMMENT = re.compile(f"{TEXT}|#")
_OPEN_END = re.compile(r"(?:[-+*/%^<>=,]|\.\.|\b(?:and|or|not|has|where|of|in))$")
_OPEN_WIDTH = len("where")  # so far back an open end begins at most
_GOES_ON = re.compile(r"(?:and|or|has|where|of|because)\b|else\s+(?!if\b)\S|else\s+if\b.*\bthen\b|then\s+\S")


def lay_out(text: str) -> str:
    """The text with comments replaced by spaces and continued lines marked; lines and columns unchanged."""
    lines = text.split("\n")
    drawn = drawing_lines(lines)
    _mark_slanted(lines, drawn)
    bare = [line if i in drawn else without_comment(line) for i, line in enumerate(lines)]
    depth, ends_open, before_drawn = 0, False, True
    for i, line in enumerate(bare):
        if i in drawn:
            depth, ends_open, before_drawn = 0, False, True
            continue
        words = line.strip()
        if not words:
            continue
        indented = line[0] == " "
        goes_on = depth > 0 or ends_open or (not before_drawn and bool(_GOES_ON.match(words)))
        if indented and goes_on:
            bare[i] = CONTINUED + line[1:]
            _join_over_empty_lines(bare, i)
        else:
            depth = 0
        depth = max(0, depth + _bracket_balance(line))
        ends_open = bool(_OPEN_END.search(words, len(words) - _OPEN_WIDTH))
        before_drawn = False
    return "\n".join(bare)


def _mark_slanted(lines: list[str], drawn: set[int]) -> None:
    """Marks the spaces by which the rows of a drawing are indented more than the row furthest left."""
    drawing: list[int] = []
    for i, line in enumerate([*lines, "end"]):
        if i in drawn:
            drawing.append(i)
        elif drawing and line.strip() and not line.lstrip(" ").startswith("#"):
            margin = min(_indent(lines[row]) for row in drawing)
            for row in drawing:
                extra = _indent(lines[row]) - margin
                lines[row] = " " * margin + SLANTED * extra + lines[row].lstrip(" ")
            drawing = []


def drawing_lines(lines: list[str]) -> set[int]:
    """Numbers of the lines, from 0, that belong to a drawing."""
    drawn: set[int] = set()
    margin: int | None = None
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        indent = _indent(line)
        if margin is not None and indent > margin:
            drawn.add(i)
            continue
        if line.lstrip(" ").startswith("#"):
            continue
        margin = indent if line.split()[0] in DRAWN else None
    return drawn


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def without_comment(line: str) -> str:
    """A line up to its comment, if it has one."""
    for found in _COMMENT.finditer(line) if "#" in line else ():
        if found.group() == "#":
            return line[: found.start()].rstrip()
    return line.rstrip()


def _bracket_balance(line: str) -> int:
    bare = _TEXT.sub("", line) if '"' in line else line
    return bare.count("(") + bare.count("{") - bare.count(")") - bare.count("}")


def _join_over_empty_lines(lines: list[str], i: int) -> None:
    """Marks the empty lines before line `i` too, so that they do not end the sentence."""
    while i > 0 and not lines[i - 1].strip():
        i -= 1
        lines[i] = CONTINUED
