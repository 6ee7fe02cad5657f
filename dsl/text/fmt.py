"""The one way to lay out a rules text.

In: a text.  Out: the same text with canonical spaces: two for each level of indentation, one between words and
symbols, one empty line between sections; reasons, tables, terms and drawings stand in columns.  Comments and the
author's line breaks stay, and so does the meaning: the syntax tree is the same.  A text that cannot be read
raises `RulesError`.

A line is one of: empty; a comment of its own; a row of a drawing; a sentence; the continuation of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from pysolve.dsl.errors import Source
from pysolve.dsl.text.lines import CONTINUED, drawing_lines, lay_out
from pysolve.dsl.text.syntax import parse

REASON_COLUMN = 60  # reasons that could stand in one column stand here at the latest
STEP = "  "

_TOKEN = re.compile(r'"[^"\n]*"|\w+|:=|!=|<=|>=|//|\.\.|\S')
_REASON = re.compile(r'(.*\S) ((?:else|because) "[^"\n]*")')
_BECAUSE = re.compile(r'(.*?)(?<!\s)\s*\bbecause\s*("[^"\n]*")')
_ON_STACK = re.compile(r"\b(push|take|drop) +(?! |:?=)")  # as in grammar.lark: what follows has one of these words
_STACK_JOINT = re.compile(r"\b(?:onto|from)\b")
# After these words a bracket or a minus begins a value of its own.
_JOINTS = {"and", "or", "not", "in", "has", "where", "of", "if", "then", "else", "when", "union", "except", "intersect",
           "let", "repeat", "by"}  # fmt: skip
_BOARDS = {"square", "cylinder", "torus", "hexagon", "rhombus", "triangle", "star", "by"}
_OPERATORS = {"=", "!=", "<", "<=", ">", ">=", ":=", "+", "-", "*", "//", "%", "^", "..", ",", ":", "(", "{"}


@dataclass
class _Line:
    """One line of the text: what it is, and how it will be written."""

    kind: str  # empty, comment, row, sentence, continuation
    words: str  # without indentation and comment
    comment: str
    indent: int  # as written
    comment_column: int = 0  # as written
    level: int = 0
    head: str = ""  # the first word of the sentence
    block: str = ""  # the first word of the line that heads the block
    section: int = -1  # number of the section
    lead: str = field(default="", init=False)  # further spaces, of a slanted drawing

    @property
    def text(self) -> str:
        """The line without a comment that follows words."""
        return f"{STEP * self.level}{self.lead}{self.words or self.comment}"


def format_rules(text: str, name: str = "rules") -> str:
    """The text in canonical layout; raises `RulesError` if it is not a rules text."""
    text = text.replace("\r\n", "\n")
    parse(Source(name, text))
    lines = _read(text)
    _place(lines)
    _space(lines)
    _set_drawings(lines)
    _set_tables(lines)
    _set_terms(lines)
    _set_reasons(lines)
    _place_comments(lines)
    return "\n".join([*_with_comments(_separated(lines)), ""])


def _read(text: str) -> list[_Line]:
    """Splits a text into lines, each with its kind."""
    written = [line.rstrip() for line in text.split("\n")]
    bare = lay_out("\n".join(written)).split("\n")
    drawn = drawing_lines(written)
    lines = []
    for number, (line, code) in enumerate(zip(written, bare, strict=True)):
        indent = len(line) - len(line.lstrip(" "))
        words = code.strip(f" {CONTINUED}")
        if number in drawn:
            lines.append(_Line("row", line.strip(), "", indent))
        elif words:
            comment = line[len(code) :].strip()
            kind = "continuation" if code.startswith(CONTINUED) else "sentence"
            lines.append(_Line(kind, words, comment, indent, len(line) - len(comment)))
        else:
            lines.append(_Line("comment" if line.strip() else "empty", "", line.strip(), indent))
    return lines


def _place(lines: list[_Line]) -> None:
    """Finds the level of every sentence, continuation and row, and what they belong to."""
    section = -1
    open_: list[tuple[int, str]] = []  # indentation and first word of the sentences around the line
    inside: list[int] = []  # indentations of the continuations around the line
    for line in lines:
        if line.kind == "sentence":
            while open_ and open_[-1][0] >= line.indent:
                open_.pop()
            words = _TOKEN.findall(line.words)
            line.level, line.head = len(open_), words[words[0] in ("replace", "extend")]
            line.block = open_[-1][1] if open_ else ""
            section += line.level == 0
            open_.append((line.indent, line.head))
            inside = []
        elif line.kind == "continuation":
            while inside and inside[-1] >= line.indent:
                inside.pop()
            inside.append(line.indent)
            line.level, line.head = len(open_) - 1 + len(inside), open_[-1][1]
            line.block = open_[-2][1] if len(open_) > 1 else ""
        elif line.kind == "row":
            line.level = len(open_)
        line.section = section


# ---------------------------------------------------------------------------------------------- spaces


def _space(lines: list[_Line]) -> None:
    """Writes the words of each sentence with one space between them."""
    last = ""
    for line in lines:
        if line.kind not in ("sentence", "continuation"):
            continue
        tokens = _TOKEN.findall(line.words)
        if line.block == "example" and line.head in ("play", "legal", "illegal"):
            line.words = _moves(line)
        else:
            line.words = _spaced(tokens, line, last if line.kind == "continuation" else "")
        last = tokens[-1]


def _moves(line: _Line) -> str:
    """A list of moves; a move is left as it is."""
    words, reason = line.words, ""
    found = _BECAUSE.fullmatch(words)
    if found:
        words, reason = found.group(1), f"because {found.group(2)}"
    head = ""
    if line.kind == "sentence":
        head, words = line.head, words[len(line.head) :]
    moves = ", ".join(move.strip() for move in words.split(","))
    return " ".join(part for part in (head, moves.strip(), reason) if part)


def _spaced(tokens: list[str], line: _Line, before: str) -> str:
    """The tokens of a line with spaces where they belong; `before` ends the line that this one continues."""
    joints = _JOINTS | (_BOARDS if line.head == "board" else set())
    for one, other in pairwise(tokens):
        if one in ("reach", "steps") and other == "from":
            joints = joints | ({"from"} if one == "reach" else {"from", "to"})
    on_stack = _ON_STACK.search(line.words)
    if on_stack and _STACK_JOINT.search(line.words, on_stack.end()):
        joints = joints | {on_stack[1]}
    condition = line.head in ("holds", "never")
    joints = joints | {line.head} if condition else joints
    listed = line.block in ("table", "show", "example") and not condition  # here no minus is a difference
    text, unary = "", False
    for token in tokens:
        if text and not unary and not _tight(before, token, joints):
            text += " "
        unary = token == "-" and (listed or not before or before in _OPERATORS or before in joints)
        text += token
        before = token
    return text


def _tight(before: str, token: str, joints: set[str]) -> bool:
    """True if there is no space between two tokens."""
    if before in ("(", "{", "[", "..") or token in (")", "}", "[", "]", ",", "..", ":"):
        return True
    return token == "(" and before[0].isalpha() and before not in joints


# --------------------------------------------------------------------------------------------- columns


def _set_drawings(lines: list[_Line]) -> None:
    """Writes the rows of each drawing in columns; a slanted drawing keeps its slant."""
    for rows in _runs(lines, "row"):
        table = [row.words.split() for row in rows]
        margin = min(row.indent for row in rows)
        slanted = any(row.indent > margin for row in rows)
        widest = max(len(word) for words in table for word in words)
        count = max(len(words) for words in table)
        widths = [max(len(words[i]) for words in table if i < len(words)) for i in range(count)]
        for row, words in zip(rows, table, strict=True):
            padded = [word.ljust(widest if slanted else width) for word, width in zip(words, widths, strict=False)]
            row.lead, row.words = " " * (row.indent - margin), " ".join(padded).rstrip()


def _runs(lines: list[_Line], kind: str) -> Iterator[list[_Line]]:
    """The consecutive lines of one kind, block by block; empty lines and comments do not interrupt a block."""
    real = [line for line in lines if line.kind not in ("empty", "comment")]
    for is_kind, run in groupby(real, key=lambda line: line.kind == kind):
        if is_kind:
            yield list(run)


def _set_tables(lines: list[_Line]) -> None:
    """Writes each table in columns: names to the left, numbers to the right."""
    for header in [line for line in lines if line.kind == "sentence" and line.level == 0 and _table_words(line)]:
        rows = [line for line in lines if line.section == header.section and line.kind in ("sentence", "continuation")]
        words = [_table_words(header), *(line.words.split(" ") for line in rows[1:])]
        named = len(words[0]) > 1
        words[0] += [] if named else [""] * (len(words[-1]) - 1)  # an extended table need not name its columns
        if any(line.kind == "continuation" for line in rows) or len({len(row) for row in words}) > 1:
            continue
        columns = list(zip(*words, strict=True))
        first = max(len(columns[0][0]) * named, *(len(STEP) + len(word) for word in columns[0][1:]))
        for i, line in enumerate(rows):
            text = words[i][0].ljust(first - len(STEP) * (i > 0))
            for column in columns[1:]:
                width = max(map(len, column))
                numbers = all(re.fullmatch(r"-?\d+|none", word) for word in column[1:])
                text += STEP + (column[i].rjust(width) if numbers else column[i].ljust(width))
            line.words = text.rstrip()


def _table_words(line: _Line) -> list[str]:
    """`table unit` and the columns of a table's first line; empty if the line is none."""
    found = re.match(r"((?:(?:replace|extend) )?table \w+)(.*)", line.words)
    return [found.group(1), *found.group(2).split()] if found else []


def _set_terms(lines: list[_Line]) -> None:
    """Writes the names and weights of the terms under `evaluate`, or of several lines of it, in columns."""
    for _, block in groupby(lines, key=_evaluation):
        terms = [line for line in block if "evaluate" in (line.block, line.head) and ":" in line.words
                 and line.kind == "sentence"]  # fmt: skip
        parts = [
            re.fullmatch(r"((?:(?:(?:replace|extend) )?evaluate )?\w+) (-? ?\d+): (.*)", line.words) for line in terms
        ]
        if not terms or not all(parts):
            continue
        found = [(p.group(1), p.group(2).replace(" ", ""), p.group(3)) for p in parts if p is not None]
        names, weights = (max(len(part[i]) for part in found) for i in (0, 1))
        for line, (name, weight, value) in zip(terms, found, strict=True):
            line.words = f"{name.ljust(names)} {weight.rjust(weights)} : {value}"


def _evaluation(line: _Line) -> int:
    """The section of a line; the same for all lines of `evaluate`."""
    return -2 if "evaluate" in (line.block, line.head) or line.kind in ("comment", "empty") else line.section


def _set_reasons(lines: list[_Line]) -> None:
    """Writes the reasons of the demands, or endings, of one block in a column."""
    demands: list[tuple[_Line, str, str]] = []
    for line in [*lines, _Line("sentence", "", "", 0, head="end")]:
        if line.kind == "sentence" and line.block not in ("when", "after", "end"):
            _set_column(demands)
            demands = []
        elif line.block in ("when", "after", "end"):
            found = _REASON.fullmatch(line.words)
            if found:
                demands.append((line, found.group(1), found.group(2)))


def _set_column(demands: list[tuple[_Line, str, str]]) -> None:
    ends = [len(STEP * line.level) + len(condition) for line, condition, _ in demands]
    column = max((end for end in ends if end + len(STEP) <= REASON_COLUMN), default=0) + len(STEP)
    for (line, condition, reason), end in zip(demands, ends, strict=True):
        line.words = f"{condition}{' ' * max(len(STEP), column - end)}{reason}"


# -------------------------------------------------------------------------------- comments, empty lines


def _place_comments(lines: list[_Line]) -> None:
    """Indents a comment like the line after it.

    If an empty line or another section follows, it is indented like what stands in its column.
    """
    for i in range(len(lines) - 1, -1, -1):
        line = lines[i]
        if line.kind != "comment":
            continue
        ends_section = i + 1 < len(lines) and lines[i + 1].indent == 0 < line.indent
        if i + 1 < len(lines) and lines[i + 1].kind != "empty" and not ends_section:
            line.level = lines[i + 1].level - (lines[i + 1].kind == "row")  # no comment is indented like a row
            continue
        after = next((other for other in lines[i + 1 :] if other.kind != "empty"), None)
        before = next((other for other in reversed(lines[:i]) if other.kind == "sentence"), None)
        beside = next((other for other in (after, before) if other and other.indent == line.indent), before)
        line.level = beside.level if beside and line.indent > 0 else 0


def _separated(lines: list[_Line]) -> list[_Line]:
    """Puts one empty line between sections, and removes double ones."""
    found: list[_Line] = []
    previous: _Line | None = None  # the first line of the section before
    for line in lines:
        if line.kind == "empty":
            if found and found[-1].kind != "empty":
                found.append(line)
            continue
        if line.kind == "sentence" and line.level == 0:
            if previous is not None and not _may_touch(lines, previous, line):
                _separate(found)
            previous = line
        found.append(line)
    while found and found[-1].kind == "empty":
        found.pop()
    return found


def _may_touch(lines: list[_Line], first: _Line, second: _Line) -> bool:
    """True for two sections of one kind that are a sentence each."""
    own = [line for line in lines if line.section in (first.section, second.section)]
    return first.head == second.head and all(
        line.level == 0 or line.kind in ("continuation", "comment", "empty") for line in own)  # fmt: skip


def _separate(found: list[_Line]) -> None:
    """Puts an empty line before the comments that stand over the line to come."""
    place = len(found)
    while place > 0 and found[place - 1].kind == "comment" and found[place - 1].level == 0:
        place -= 1
    if place > 0 and found[place - 1].kind != "empty":
        found.insert(place, _Line("empty", "", "", 0))


def _with_comments(lines: list[_Line]) -> Iterator[str]:
    """The lines as text; trailing comments that were aligned in a column are aligned again."""
    for commented, run in groupby(lines, key=lambda line: bool(line.words and line.comment)):
        group = list(run)
        if not commented:
            yield from (line.text for line in group)
            continue
        aligned = len({line.comment_column for line in group}) == 1
        column = max(len(line.text) for line in group)
        for line in group:
            yield f"{line.text.ljust(column) if aligned else line.text}{STEP}{line.comment}"


__all__ = ["format_rules"]
