"""A rule sheet as text: lines for a terminal, or Markdown.

In: a sheet.  Out: lines with what they are; a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pysolve.authoring.sheet import Item, Section, Sheet

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~])")  # that Markdown or HTML would obey
_BULLET = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")


class Line(NamedTuple):
    """A line of a sheet: its indent, and what it is: title, heading, name, drawing, soft or nothing of these."""

    text: str
    indent: int = 0
    kind: str = ""


def lines(sheet: Sheet) -> Iterator[Line]:
    """The sheet as lines, long ones not broken; an empty line stands before each heading."""
    yield Line(sheet.title, kind="title")
    if sheet.author:
        yield Line(sheet.author, kind="soft")
    yield from (Line(one.text) for one in sheet.about)
    for section in sheet.sections:
        yield Line("")
        yield Line(section.heading, kind="heading")
        yield from _section(section)


def _section(section: Section) -> Iterator[Line]:
    yield from (Line(one.text, 2) for one in section.paragraphs)
    yield from (Line(row, 2, "drawing") for row in section.drawing.split("\n") if section.drawing)
    for item in section.items:
        if not item.answers and len(item.paragraphs) == 1:
            yield Line(f"{_named(item)}: {item.paragraphs[0].text}", 2)
            continue
        yield Line(_named(item), 2, "name")
        yield from (Line(one.text, 4) for one in item.paragraphs)
        if item.answers:
            yield Line(item.lead, 4, "soft")
        yield from (Line(f"- {one.text}", 6) for one in item.answers)


def _named(item: Item) -> str:
    return f"{item.name} ({item.note})" if item.note else item.name


def markdown(sheet: Sheet) -> str:
    """The sheet as Markdown, in which texts of authors are nothing but text."""
    parts = [f"# {_plain(sheet.title)}"]
    if sheet.author:
        parts.append(f"*{_plain(sheet.author)}*")
    parts += [_plain(one.text) for one in sheet.about]
    for section in sheet.sections:
        parts.append(f"## {_plain(section.heading)}")
        parts += [_plain(one.text) for one in section.paragraphs]
        if section.drawing:
            parts.append("\n".join(f"    {row}" for row in section.drawing.split("\n")))
        short = all(not item.answers and len(item.paragraphs) < 2 for item in section.items)
        if short and section.items:
            parts.append("\n".join(map(_row, section.items)))
        else:
            parts += [_told(item) for item in section.items]
    return "\n\n".join(parts) + "\n"


def _row(item: Item) -> str:
    said = " ".join(_plain(one.text) for one in item.paragraphs)
    return f"- **{_plain(_named(item))}**{f': {said}' if said else ''}"


def _told(item: Item) -> str:
    parts = [f"### {_plain(_named(item))}", *(_plain(one.text) for one in item.paragraphs)]
    if item.answers:
        parts += [_plain(item.lead), "\n".join(f"- {_plain(one.text)}" for one in item.answers)]
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """A text in which no sign means anything to Markdown, or to the HTML that is made of it."""
    escaped = _SIGNS.sub(r"\\\1", text.replace("&", "&amp;"))
    return _BULLET.sub(r"\1\\\2", escaped)
