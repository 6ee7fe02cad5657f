"""The syntax of a rules text: text → syntax tree.

In: a text.  Out: `Rules`, the sections in the order of the text; or `RulesError` with every section that
could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from lark import Token, Tree, UnexpectedInput, UnexpectedToken
from lark.exceptions import UnexpectedCharacters

from pysolve.dsl.errors import Problem, Report, RulesError, Source, Span
from pysolve.dsl.text.building import Builder
from pysolve.dsl.text.hints import Rewritten, Stop, before_reading, explain, stop_at
from pysolve.dsl.text.limits import too_large, too_wordy
from pysolve.dsl.text.lines import CONTINUED, lay_out
from pysolve.dsl.text.nodes import Rules, Section
from pysolve.dsl.text.parser import parser
from pysolve.dsl.text.pieces import Piece, parsed, pieces
from pysolve.dsl.text.recovery import (
    at_margin,
    is_in_example,
    section_around,
    without_body,
    without_sections,
    without_sentence,
)

DEPTH_LIMIT = 100  # phrases inside each other
REREAD = 20  # mistakes of a text whose lines are read again, as they should be
REREAD_SIZE = 20_000  # characters of a section that is read again as it should be
REREAD_TOTAL = 100_000  # characters that are read again, in all
SLIPS = 4  # of one line that are mended together


def parse(source: Source) -> Rules:
    """The sections of a rules text; raises `RulesError` with each sentence that cannot be read."""
    rules, flaws = parse_but_examples(source)
    if flaws:
        raise RulesError(flaws)
    return rules


def parse_but_examples(source: Source) -> tuple[Rules, tuple[Problem, ...]]:
    """The sections of a rules text, and what cannot be read in its examples; raises `RulesError` if more cannot."""
    report = Report()
    rules = read(source, report)
    if not all(is_in_example(source.text, problem.span.line) for problem in report.problems):
        report.stop_if_any()
    return rules, report.in_order()


def read(source: Source, report: Report) -> Rules:
    """The syntax tree of a rules text, without the sentences that cannot be read, which `report` gets.

    Raises `RulesError` if too little can be read.
    """
    if (problem := too_large(source)) is not None:
        raise RulesError([problem])
    laid_out = lay_out(source.text) + "\n"
    if (problem := too_wordy(source, laid_out)) is not None:
        raise RulesError([problem])
    text = without_sections(laid_out, before_reading(source, laid_out, report))
    known = dict[str, Piece]()  # sections that can be read, in case that there is a mistake below them
    begin, trees = 0, list[Piece]()  # of the lines before `begin` it is known that they can be read
    patience = _Patience()
    while not trees:
        try:
            trees = pieces(text, known)
        except UnexpectedInput as error:
            if len(report.problems) >= REREAD or patience.ended:
                _read_sections(source, text, begin, report)
                report.stop_if_any()
            stop = _stop(source, laid_out, error)
            problem = explain(stop)
            if len(report.problems) < REREAD:
                problem = _wholly_mended(problem, text, patience)
            report.add(problem.span, problem.message, problem.hint)
            line = stop.found.line if stop.indented else problem.span.line
            lines = text.split("\n")
            begin = section_around(lines, line)[0]
            patience.read_again(lines[begin:line])
            text = without_sentence(without_body(text, stop), line, stop.indented)
    if any(_too_deep(tree, above, source, report) for above, tree in trees):
        report.stop_if_any()
    sections: list[Section] = []
    for above, tree in trees:
        sections += Builder(source, report, above).phrase(tree)
    return Rules(source, tuple(sections))


@dataclass
class _Patience:
    """A budget of characters that may be parsed again, so that a text of many mistakes is read in linear time."""

    left: int = REREAD_TOTAL

    @property
    def ended(self) -> bool:
        return self.left < 0

    def read_again(self, lines: Iterable[str]) -> None:
        self.left -= sum(map(len, lines))


def _read_sections(source: Source, text: str, begin: int, report: Report) -> None:
    """Reports each section from line `begin` on that cannot be read: one mistake a section, in linear time."""
    lines = text.split("\n")
    starts = [number for number in range(begin, len(lines)) if at_margin(lines[number])]
    for first, last in pairwise([*starts, len(lines)]):
        try:
            parsed("\n".join([*lines[first:last], ""]))
        except UnexpectedInput:
            at = Span(source, first + 1, 1, first + 1, len(lines[first].rstrip()) + 1)
            report.add(
                at, "this section cannot be read", "the reason is reported once there are fewer mistakes above it"
            )


def _wholly_mended(problem: Problem, text: str, patience: _Patience) -> Problem:
    """The problem; where the line that its hint gives has another slip, that one is mended in it, too.

    `text` is laid out, and without the sentences whose mistakes are known.
    """
    line, lines = problem.span.line, text.split("\n")
    first, last = section_around(lines, line)
    section = lines[first:last]
    if sum(map(len, section)) > REREAD_SIZE:
        return problem
    lines = [one if first <= i < last else "" for i, one in enumerate(lines)]
    begun = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip(f" {CONTINUED}"))]
    for _ in range(SLIPS):
        if not isinstance(problem.hint, Rewritten) or patience.ended:
            break
        patience.read_again(section)
        lines[line - 1] = begun + problem.hint.line
        text = "\n".join(lines)
        mended = Source(problem.span.source.name, text.replace(CONTINUED, " "))
        try:
            parsed(text)
            break
        except UnexpectedInput as error:
            following = explain(_stop(mended, text, error))
        if following.span.line != line or not isinstance(following.hint, Rewritten):
            break
        problem = replace(problem, hint=following.hint)
    return problem


def _too_deep(tree: Tree[Token], above: int, source: Source, report: Report) -> bool:
    """Reports a phrase that is nested more deeply than the stages after this one can follow; `above` the tree are so
    many lines."""
    level = [tree]
    for _ in range(DEPTH_LIMIT):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    for node in level[:1]:
        meta = node.meta
        at = Span(source, meta.line + above, meta.column, meta.end_line + above, meta.end_column)
        report.add(at, "this phrase is nested too deeply", "name its parts with define")
    return bool(level)


def _stop(source: Source, text: str, error: UnexpectedInput) -> Stop:
    """The place of a parser error, with the tokens of the grammar as an author writes them."""
    names = {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}
    if isinstance(error, UnexpectedToken):
        token, names_wanted = error.token, error.accepts or error.expected
    else:
        assert isinstance(error, UnexpectedCharacters)
        token, names_wanted = None, error.allowed or set()
    wanted = frozenset(names.get(name, name) for name in names_wanted) - {"_BLANK", "_ALSO"}
    line, column = error.line, error.column
    if token is not None and token.type == "_INDENT":
        line, column = token.end_line or line, token.end_column or column
    elif line < 1 or (token is not None and token.type == "$END"):
        line, column = text.count("\n") + 1, 1
    return stop_at(source, text, line, column, wanted, token is not None and token.type == "_INDENT")
