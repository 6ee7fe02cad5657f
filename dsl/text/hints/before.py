"""What no grammar can read: strange characters, open texts and brackets, lines in no column, loose drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from pysolve.dsl.errors import Problem, Report, Source, Span, choices
from pysolve.dsl.text.hints.stop import Word, indent, no_section, spaces
from pysolve.dsl.text.hints.words import BLOCKS, SECTIONS
from pysolve.dsl.text.lines import CONTINUED, DRAWN, TEXT, drawing_lines


def before_reading(source: Source, text: str, report: Report) -> Iterator[int]:
    """Reports what no grammar can read; gives the lines, from 1, whose sections are to be left out."""
    lines = text.split("\n")
    drawn = drawing_lines(source.text.split("\n"))
    loose = _loose_rows(lines, drawn)
    tabbed = [section for section in _whole_sections(lines) if any("\t" in lines[i] for i in section if i not in drawn)]
    unknown = {i for section in tabbed for i in section}  # lines whose columns mean nothing
    checks = [check(source, lines, drawn | loose) for check in (_characters, _texts, _brackets, _sections)]
    for problem in chain(*checks, _indentation(source, lines, drawn | loose | unknown), _rows(source, lines, loose)):
        report.add(problem.span, problem.message, problem.hint)
        yield problem.span.line
    yield from (section[0] + 1 for section in tabbed)  # of the tabs only the first is reported


def _whole_sections(lines: list[str]) -> Iterator[range]:
    """The line numbers, from 0, of each section; lines before the first section are one, too."""
    first = 0
    for number, line in enumerate([*lines, "end"]):
        if line[:1].strip(f"{CONTINUED} \t") and number > first:
            yield range(first, number)
            first = number


def _at(source: Source, line: int, column: int, width: int, message: str, hint: str = "") -> Problem:
    return Problem(Span(source, line, column, line, column + width), message, hint)


def _characters(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Tabs and characters that cannot be seen."""
    tabs = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        shown = line if number - 1 in drawn else line[: len(lines[number - 1])]
        for column, char in enumerate(shown if not shown.isprintable() else "", 1):
            if char == "\t":
                tabs += 1
                if tabs == 1:
                    yield _at(source, number, column, 1, "this is a tab; blocks are indented with spaces",
                              "two spaces for each level")  # fmt: skip
            elif not char.isprintable():
                yield _at(source, number, column, 1, f"this character is not allowed (U+{ord(char):04X})",
                          "write a plain space" if char.isspace() and char != "\r" else "")  # fmt: skip
            else:
                continue
            break


def _texts(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Texts whose closing quote is missing."""
    for number, line in enumerate(lines, 1):
        if number - 1 not in drawn and line.count('"') % 2:
            yield _at(source, number, line.rindex('"') + 1, 1, "this string has no closing quote",
                      f'write  {line.strip(f" {CONTINUED}")}"')  # fmt: skip


_WORD = re.compile("[A-Za-z]\\w*")
_BRACKET = re.compile(rf"{TEXT}|\(|\)|\{{|\}}")


def _brackets(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Brackets that are not closed before the next section or drawing begins."""
    open_: list[Word] = []
    for number, line in enumerate([*lines, "end"], 1):
        if number - 1 in drawn or (line.strip() and not line.startswith((" ", CONTINUED))):
            for word in open_[:1]:
                yield _at(source, word.line, word.column, 1, f'this "{word.text}" is never closed')
            open_ = []
        if number - 1 in drawn:
            continue
        for found in _BRACKET.finditer(line):
            text, column = found.group(), found.start() + 1
            if text in ("(", "{"):
                open_.append(Word(text, number, column))
            elif text in (")", "}") and open_:
                opened = open_.pop()
                if opened.text + text not in ("()", "{}"):
                    right = ")" if opened.text == "(" else "}"
                    yield _at(source, number, column, 1, f'"{right}" is expected here: it closes the '
                              f'"{opened.text}" in column {opened.column}')  # fmt: skip
                    open_ = []


def _sections(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Words at the margin that only begin like a section: `moves` would be read as `move s`."""
    for number, line in enumerate(lines, 1):
        found = None if number - 1 in drawn else _WORD.match(line)
        if found and found.group() not in SECTIONS and found.group().startswith(SECTIONS):
            yield _at(source, number, 1, found.end(), *no_section(found.group()))


def _loose_rows(lines: list[str], drawn: set[int]) -> set[int]:
    """Numbers of the lines, from 0, that look like rows of a drawing and stand in none: `. w . b`."""
    found: set[int] = set()
    group: list[int] = []
    for number, line in enumerate([*lines, ""]):
        words = line.strip(f" {CONTINUED}").split()
        if len(words) > 1 and number not in drawn and all(len(word) < 4 for word in words) and not (
            {"=", ":="} & set(words)):  # fmt: skip
            group.append(number)
            continue
        found |= set(group) if any("." in lines[row].split() for row in group) else set()
        group = []
    return found


def _rows(source: Source, lines: list[str], loose: set[int]) -> Iterator[Problem]:
    """Drawings that do not stand under their heading; the first row of each is reported."""
    for row in sorted(loose):
        if row - 1 in loose:
            continue
        above = next((line.split()[0] for line in reversed(lines[:row]) if line.strip()), "")
        text = lines[row].strip(f" {CONTINUED}")
        hint = "two spaces further in than this word" if above in DRAWN else ""
        yield _at(source, row + 1, lines[row].index(text) + 1, len(text),
                  f"the rows of a drawing are indented under the word {above if above in DRAWN else 'position'}",
                  hint)  # fmt: skip


def _indentation(source: Source, lines: list[str], drawn: set[int]) -> Iterator[Problem]:
    """Lines that stand in no column of the blocks around them."""
    margins, heads, opened = [0], [0], [0]  # columns of the blocks, their headings, and their first lines
    above = 0
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(CONTINUED) or number - 1 in drawn:
            continue
        own = indent(line)
        while margins[-1] > own and len(margins) > 1 and margins[-2] >= own:
            margins.pop()
            heads.pop()
            opened.pop()
        if own > margins[-1]:
            margins.append(own)
            heads.append(above)
            opened.append(number)
        elif own < margins[-1] and len(margins) == 2 and (word := lines[heads[-1] - 1].strip()) in BLOCKS[:5]:
            yield _at(source, heads[-1], 1, len(word), f"“{word}” belongs inside a section, two spaces further in "
                      "than its heading")  # fmt: skip
        elif own < margins[-1] and margins[-1] % 2 and not own % 2 and own > margins[-2]:
            yield _at(source, opened[-1], 1, margins[-1], f"this line is indented by {spaces(margins[-1])}; the lines "
                      f"below it by {own}", "two spaces for each level")  # fmt: skip
            margins[-1] = own
        elif own < margins[-1]:
            either = choices([str(margin) for margin in margins[-2:]])
            yield _at(source, number, 1, own, f"this line is indented by {spaces(own)}; the lines "
                      f"around it by {either}")  # fmt: skip
        above = number
