"""A text with mistakes → the same text without the sentences that hold them, so that the others can still be read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from pysolve.dsl.text.hints import BLOCKS, SECTIONS, Stop, outside
from pysolve.dsl.text.lines import CONTINUED


def without_body(text: str, stop: Stop) -> str:
    """The text without the lines that should have been indented under a heading, so that they are no mistakes."""
    head = stop.before[0] if stop.before else stop.above
    if stop.wanted != {"_INDENT"} or head is None or head.text not in (*SECTIONS, *BLOCKS):
        return text
    lines = text.split("\n")
    row = head.line
    while row < len(lines) and (
        not lines[row].strip() or lines[row].startswith(CONTINUED)
        or _margin(lines[row]) >= head.column or outside(lines[row], head.column - 1)
    ):  # fmt: skip
        lines[row] = ""
        row += 1
    return "\n".join(lines)


def without_sentence(text: str, line: int, indented: bool) -> str:
    """The text without the sentence at `line` and what hangs on it, so that the others can still be read.

    A heading that would be left without lines goes too.  If the line is indented for nothing, all that stands
    in its column or further in goes.
    """
    lines = text.split("\n")
    first = last = min(line, len(lines)) - 1
    while first > 0 and lines[first].startswith(CONTINUED):
        first -= 1
    margin = _margin(lines[first])
    if margin == 0 or not lines[first].strip():
        return _without_section(text, line)
    while last + 1 < len(lines) and (
        not lines[last + 1].strip() or lines[last + 1].startswith(CONTINUED)
        or _margin(lines[last + 1]) >= margin + (not indented) or _is_else(lines[last + 1], margin)
    ):  # fmt: skip
        last += 1
    heading = first - 1
    while heading > 0 and (lines[heading].startswith(CONTINUED) or not lines[heading].strip()
                           or _margin(lines[heading]) > margin):  # fmt: skip
        heading -= 1
    below = lines[last + 1] if last + 1 < len(lines) else ""
    alone = _margin(lines[heading]) < margin and _margin(below) != margin
    if alone and not indented:
        return without_sentence(text, heading + 1, False)
    return "\n".join("" if first <= i <= last else one for i, one in enumerate(lines))


def _is_else(line: str, margin: int) -> bool:
    return _margin(line) == margin and line.split()[0] == "else"


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def at_margin(line: str) -> bool:
    """True if a line is not empty, not indented and continues no other line."""
    return bool(line[:1].strip(CONTINUED).strip())


def section_around(lines: list[str], line: int) -> tuple[int, int]:
    """The first line of the section around `line`, from 0, and the line behind its last."""
    first = min(line, len(lines)) - 1
    while first > 0 and not at_margin(lines[first]):
        first -= 1
    last = first + 1
    while last < len(lines) and not at_margin(lines[last]):
        last += 1
    return first, last


def is_in_example(text: str, line: int) -> bool:
    """True if a line belongs to an example, as the text is written."""
    lines = text.split("\n")[:line]
    heading = next((one for one in reversed(lines) if one[:1].strip() and not one.startswith("#")), "")
    return re.match(r"example\b", heading) is not None


def without_sections(text: str, numbers: Iterable[int]) -> str:
    """The text without the sections around some lines."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if at_margin(line)]
    left_out = {bisect_right(starts, min(number, len(lines)) - 1) for number in numbers}
    if not left_out:
        return text
    ends = [0, *starts, len(lines)]
    for section in left_out:
        lines[ends[section] : ends[section + 1]] = [""] * (ends[section + 1] - ends[section])
    return "\n".join(lines)


def _without_section(text: str, line: int) -> str:
    """The text without the section around `line`."""
    lines = text.split("\n")
    first, last = section_around(lines, line)
    return "\n".join("" if first <= i < last else one for i, one in enumerate(lines))
