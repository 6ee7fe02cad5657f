"""The syntax tree of a rules text: one value per phrase of grammar.lark, each with its span.

In: a text.  Out: `Rules`, the sections in the order of the text; or `RulesError` with every section that
could not be read.  Nothing is looked up here: a name is a name, right or wrong.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import Any, ClassVar

from lark import Token, Tree, UnexpectedInput, UnexpectedToken
from lark.exceptions import UnexpectedCharacters

from dsl.errors import Problem, Report, RulesError, Source, Span
from dsl.intake import NAME_LIMIT, too_large
from dsl.layout import CONTINUED, SLANTED, lay_out
from dsl.parser import parser
from dsl.slips import BLOCKS, RESERVED, SECTIONS, Rewritten, Stop, before_reading, explain, outside, stop_at
from dsl.slips import EXAMPLE_LINES as EXAMPLE_LINES  # for who reads the tree
from dsl.values import frozen

# ---------------------------------------------------------------------------------------- expressions


@frozen
class Node:
    __slots__: ClassVar[tuple[str, ...]]  # what a phrase says, besides its span
    span: Span


@frozen
class Number(Node):
    value: int


@frozen
class Name(Node):
    name: str


@frozen
class NoneWord(Node):
    pass


@frozen
class Call(Node):
    name: str
    args: tuple[Expr, ...]


@frozen
class Minus(Node):
    of: Expr


@frozen
class Not(Node):
    of: Expr


@frozen
class And(Node):
    left: Expr
    right: Expr


@frozen
class Or(Node):
    left: Expr
    right: Expr


@frozen
class Binary(Node):
    op: str
    left: Expr
    right: Expr


@frozen
class Member(Node):
    item: Expr
    within: Expr
    negated: bool


@frozen
class Interval(Node):
    low: Expr
    high: Expr


@frozen
class SetOf(Node):
    items: tuple[Expr, ...]


@frozen
class Binder(Node):
    """`x, y: type` or `x in set`: exactly one of `type` and `within` is given."""

    names: tuple[Name, ...]
    type: TypeExpr | None
    within: Expr | None


@frozen
class SetWhere(Node):
    binder: Binder
    where: Expr | None


@frozen
class Quantified(Node):
    kind: str  # some, every, no
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr


@frozen
class Aggregate(Node):
    kind: str  # count, sum, most, least, first
    binders: tuple[Binder, ...]
    where: Expr | None
    of: Expr | None


@frozen
class Conditional(Node):
    test: Expr
    then: Expr
    otherwise: Expr


@frozen
class Reach(Node):
    start: Expr
    relation: str
    args: tuple[Expr, ...]


@frozen
class Repeated(Node):
    """The position has now stood for the `count`th time, whatever these states, or `mover`, are."""

    count: int
    ignoring: tuple[Name, ...] = ()


Expr = (
    Number | Name | NoneWord | Call | Minus | Not | And | Or | Binary | Member | Interval | SetOf
    | SetWhere | Quantified | Aggregate | Conditional | Reach | Repeated
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- types


@frozen
class NamedType(Node):
    name: str


@frozen
class RangeType(Node):
    low: Expr
    high: Expr


@frozen
class SetType(Node):
    of: TypeExpr


@frozen
class OptionalType(Node):
    of: TypeExpr


@frozen
class NamesType(Node):
    names: tuple[Name, ...]


TypeExpr = NamedType | RangeType | SetType | OptionalType | NamesType


@frozen
class Param(Node):
    name: str
    type: TypeExpr | None  # None: the type of the parameter after it


# --------------------------------------------------------------------------------------------- effects


@frozen
class Assign(Node):
    place: Name | Call
    value: Expr


@frozen
class CallEffect(Node):
    call: Call


@frozen
class Let(Node):
    bindings: tuple[tuple[Name, Expr], ...]


@frozen
class IfBlock(Node):
    test: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@frozen
class ForBlock(Node):
    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Statement, ...]


@frozen
class Then(Node):
    body: tuple[Statement, ...]


@frozen
class Again(Node):
    pass


@frozen
class Pick(Node):
    binder: Binder
    where: Expr | None


@frozen
class Repeat(Node):
    times: Expr
    body: tuple[Statement, ...]


@frozen
class Drawing(Node):
    lines: tuple[tuple[Span, str], ...]


Statement = Assign | CallEffect | Let | IfBlock | ForBlock | Then | Again | Pick | Repeat | Drawing

# -------------------------------------------------------------------------------------------- sections


@frozen
class Game(Node):
    name: str
    extends: str | None
    properties: tuple[tuple[str, str], ...]
    extends_span: Span | None = None


@frozen
class Option(Node):
    names: tuple[Name, ...]
    default: Expr
    domain: Expr | None

    @property
    def name(self) -> Name:
        """The first name; the checker takes options of several names apart."""
        return self.names[0]


@frozen
class Players(Node):
    names: tuple[Name, ...]


@frozen
class Board(Node):
    form: str  # square, cylinder, torus, hexagon, rhombus, triangle, graph
    sizes: tuple[Expr, ...]
    shape: Drawing | None
    lines: tuple[tuple[tuple[Name, ...], ...], ...]  # for each line of the text, the lines of cells on it


@frozen
class Type(Node):
    name: Name
    body: TypeExpr


@frozen
class Table(Node):
    name: Name
    columns: tuple[Name, ...]
    rows: tuple[tuple[Span, tuple[Expr, ...]], ...]


@frozen
class StateEntry(Node):
    name: Name
    params: tuple[TypeExpr, ...]
    type: TypeExpr


@frozen
class State(Node):
    entries: tuple[StateEntry, ...]


@frozen
class Setup(Node):
    body: tuple[Statement, ...]


@frozen
class Define(Node):
    name: Name
    params: tuple[Param, ...]
    type: TypeExpr | None
    body: Expr


@frozen
class Effect(Node):
    name: Name
    params: tuple[Param, ...]
    body: tuple[Statement, ...]


@frozen
class Demand(Node):
    condition: Expr
    reason: str | None


@frozen
class Move(Node):
    name: Name
    params: tuple[Param, ...]
    text: str | None
    text_span: Span | None
    when: tuple[Demand, ...]
    do: tuple[Statement, ...]
    after: tuple[Demand, ...]


@frozen
class Wins(Node):
    who: Name
    loses: bool


@frozen
class Draw(Node):
    pass


@frozen
class Contest(Node):
    rankings: tuple[tuple[str, Name], ...]  # (most or least, definition)
    otherwise: Result | None


@frozen
class Pass(Node):
    pass


Result = Wins | Draw | Contest


@frozen
class Stuck(Node):
    result: Result | Pass
    reason: str | None = None


@frozen
class Ending(Node):
    result: Result
    condition: Expr
    reason: str | None


@frozen
class End(Node):
    endings: tuple[Ending, ...]


@frozen
class Term(Node):
    name: Name
    weight: int
    value: Expr


@frozen
class Evaluate(Node):
    terms: tuple[Term, ...]


@frozen
class Level(Node):
    name: Name
    player: str
    player_span: Span


@frozen
class ShowCase(Node):
    values: tuple[Expr, ...]
    glyph: str | None  # None: the number itself
    look: tuple[Name, ...]


@frozen
class ShowLine(Node):
    slots: tuple[Name, ...]
    cases: tuple[ShowCase, ...]


@frozen
class Never(Node):
    """What the values on a cell never are together."""

    condition: Expr


@frozen
class Show(Node):
    lines: tuple[ShowLine | Never, ...]


@frozen
class Mark(Node):
    """Cells that are marked on the board, by the name of a definition."""

    name: Name
    look: tuple[Name, ...]
    text: str


@frozen
class Tell(Node):
    """A value that is told beside the board, by the name of a definition."""

    name: Name
    text: str


@frozen
class Given(Node):
    """An option that an example plays with."""

    name: Name
    value: Expr


@frozen
class Fact(Node):
    place: Name | Call
    value: Expr


@frozen
class Position(Node):
    mover: Name | None
    facts: tuple[Fact, ...]
    drawing: Drawing | None


@frozen
class Play(Node):
    moves: tuple[tuple[Span, str], ...]


@frozen
class Legal(Node):
    moves: tuple[tuple[Span, str], ...]


@frozen
class Illegal(Node):
    moves: tuple[tuple[Span, str], ...]
    reason: str | None


@frozen
class Outcome(Node):
    result: Result
    reason: str | None


@frozen
class Mobility(Node):
    count: int


@frozen
class Holds(Node):
    """A condition that is true in the position of an example."""

    condition: Expr


@frozen
class Perft(Node):
    counts: tuple[tuple[Span, int, int], ...]  # depth, count


ExampleLine = Given | Position | Play | Legal | Illegal | Outcome | Mobility | Holds | Perft


@frozen
class Example(Node):
    name: str
    lines: tuple[ExampleLine, ...]


@frozen
class Remove(Node):
    kind: str
    name: Name


@frozen
class Replace(Node):
    section: Section


@frozen
class Rename(Node):
    """Another word for a name of the parent, or another text for one of its texts."""

    old: str
    new: str
    old_span: Span
    new_span: Span
    is_text: bool


Section = (
    Game | Option | Players | Board | Type | Table | State | Setup | Define | Effect | Move | Stuck
    | End | Evaluate | Level | Show | Mark | Tell | Example | Replace | Remove | Rename
)  # fmt: skip


@frozen
class Rules:
    """One rules text, read."""

    source: Source
    sections: tuple[Section, ...]


# -------------------------------------------------------------------------------------------- reading


_PARSING = Lock()  # the parser keeps count of blocks: one text at a time
DEPTH_LIMIT = 100  # phrases inside each other
REREAD = 20  # mistakes of a text whose lines are read again, as they should be
REREAD_SIZE = 20_000  # characters of a section that is read again
SLIPS = 4  # of one line that are mended together


def parse(source: Source) -> Rules:
    """The sections of a rules text; raises `RulesError` with each sentence that cannot be read."""
    if (problem := too_large(source)) is not None:
        raise RulesError([problem])
    report = Report()
    laid_out = lay_out(source.text) + "\n"
    text = _without_sections(laid_out, before_reading(source, laid_out, report))
    begin, tree = 0, None  # of the lines before `begin` it is known that they can be read
    while tree is None:
        try:
            with _PARSING:
                tree = parser().parse(_from_line(text, begin))
                tree = parser().parse(text) if begin else tree
        except UnexpectedInput as error:
            if len(report.problems) >= REREAD:
                _read_sections(source, text, begin, report)
                report.stop_if_any()
            stop = _stop(source, laid_out, error)
            problem = explain(stop)
            if len(report.problems) < REREAD:
                problem = _wholly_mended(problem, text)
            report.add(problem.span, problem.message, problem.hint)
            line = stop.found.line if stop.indented else problem.span.line
            begin = _section(text.split("\n"), line)[0]
            text = _without_sentence(_without_body(text, stop), line, stop.indented)
    if _too_deep(tree, source, report):
        report.stop_if_any()
    sections: tuple[Section, ...] = _ToSyntax(source, report).phrase(tree)
    report.stop_if_any()
    return Rules(source, sections)


def _from_line(text: str, begin: int) -> str:
    """The text with empty lines in place of the first `begin` ones."""
    return "\n" * begin + "\n".join(text.split("\n")[begin:]) if begin else text


def _read_sections(source: Source, text: str, begin: int, report: Report) -> None:
    """Reports each section from line `begin` on that cannot be read: one mistake a section, in linear time."""
    lines = text.split("\n")
    starts = [number for number in range(begin, len(lines)) if _at_margin(lines[number])]
    for first, last in pairwise([*starts, len(lines)]):
        try:
            with _PARSING:
                parser().parse("\n".join([*lines[first:last], ""]))
        except UnexpectedInput:
            at = Span(source, first + 1, 1, first + 1, len(lines[first].rstrip()) + 1)
            report.add(at, "this section cannot be read", "it is explained when fewer mistakes stand before it")


def _wholly_mended(problem: Problem, text: str) -> Problem:
    """The problem; where the line that its hint gives has another slip, that one is mended in it, too.

    `text` is laid out, and without the sentences whose mistakes are known.
    """
    line, lines = problem.span.line, text.split("\n")
    first, last = _section(lines, line)
    if sum(map(len, lines[first:last])) > REREAD_SIZE:
        return problem
    lines = [one if first <= i < last else "" for i, one in enumerate(lines)]
    begun = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip(f" {CONTINUED}"))]
    for _ in range(SLIPS):
        if not isinstance(problem.hint, Rewritten):
            break
        lines[line - 1] = begun + problem.hint.line
        text = "\n".join(lines)
        mended = Source(problem.span.source.name, text.replace(CONTINUED, " "))
        try:
            with _PARSING:
                parser().parse(text)
            break
        except UnexpectedInput as error:
            following = explain(_stop(mended, text, error))
        if following.span.line != line or not isinstance(following.hint, Rewritten):
            break
        problem = replace(problem, hint=following.hint)
    return problem


def _too_deep(tree: Tree[Token], source: Source, report: Report) -> bool:
    """Reports a phrase that is nested more deeply than the stages after this one can follow."""
    level = [tree]
    for _ in range(DEPTH_LIMIT):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    for node in level[:1]:
        at = Span(source, node.meta.line, node.meta.column, node.meta.end_line, node.meta.end_column)
        report.add(at, "this phrase is nested too deeply", "name its parts with define")
    return bool(level)


def _stop(source: Source, text: str, error: UnexpectedInput) -> Stop:
    """Where the parser stopped, in words of the grammar as they are written."""
    names = {t.name: t.pattern.value for t in parser().lark.terminals if t.pattern.type == "str"}
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


def _without_body(text: str, stop: Stop) -> str:
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


def _without_sentence(text: str, line: int, indented: bool) -> str:
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
        return _without_sentence(text, heading + 1, False)
    return "\n".join("" if first <= i <= last else one for i, one in enumerate(lines))


def _is_else(line: str, margin: int) -> bool:
    return _margin(line) == margin and line.split()[0] == "else"


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _at_margin(line: str) -> bool:
    return bool(line[:1].strip(CONTINUED).strip())


def _section(lines: list[str], line: int) -> tuple[int, int]:
    """The first line of the section around `line`, from 0, and the line behind its last."""
    first = min(line, len(lines)) - 1
    while first > 0 and not _at_margin(lines[first]):
        first -= 1
    last = first + 1
    while last < len(lines) and not _at_margin(lines[last]):
        last += 1
    return first, last


def _without_sections(text: str, numbers: Iterable[int]) -> str:
    """The text without the sections around some lines."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if _at_margin(line)]
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
    first, last = _section(lines, line)
    return "\n".join("" if first <= i < last else one for i, one in enumerate(lines))


def _text(token: Token | None) -> str | None:
    return None if token is None else str(token)[1:-1]


class _ToSyntax:
    """Lark's tree to ours, phrase by phrase; methods are named after the rules of the grammar."""

    def __init__(self, source: Source, report: Report):
        self.source = source
        self.report = report

    def phrase(self, tree: Tree[Token]) -> Any:
        """What a tree says; its words say themselves."""
        parts = [self.phrase(part) if isinstance(part, Tree) else part for part in tree.children]
        return getattr(self, tree.data)(tree.meta, *parts)

    # -- helpers

    def _span(self, place: Any) -> Span:
        return Span(self.source, place.line, place.column, place.end_line, place.end_column)

    def _name(self, token: Token) -> Name:
        if len(token) > NAME_LIMIT:
            self.report.add(self._span(token), f"this name is too long: it has {len(token):,} characters",
                            f"a name has at most {NAME_LIMIT}")  # fmt: skip
        return Name(self._span(token), str(token))

    def _names(self, tokens: Any) -> tuple[Name, ...]:
        return tuple(self._name(token) for token in tokens)

    def _new(self, token: Token) -> Name:
        """A name that is given here; it must not be a word of the language."""
        name = self._name(token)
        if name.name in RESERVED:
            self.report.add(name.span, f"“{name.name}” is a word of the language; no name can be “{name.name}”",
                            "choose another name")  # fmt: skip
        return name

    def _news(self, tokens: Any) -> tuple[Name, ...]:
        return tuple(self._new(token) for token in tokens)

    def _int(self, token: Token) -> int:
        if len(token) > 15:
            self.report.add(self._span(token), "this number is too large", "numbers have up to 15 digits")
            return 0
        return int(token)

    # -- sections

    def start(self, meta: Any, *sections: Section) -> tuple[Section, ...]:
        return sections

    def game(self, meta: Any, name: Token, extends: Token | None, *properties: Any) -> Game:
        given = tuple(p for p in properties if p is not None)
        parent = None if extends is None else self._span(extends)
        return Game(self._span(name), _text(name) or "", _text(extends), given, parent)

    def property(self, meta: Any, key: Token, value: Token) -> tuple[str, str]:
        return str(key), str(value).strip('"')

    def replace(self, meta: Any, section: Section) -> Replace:
        return Replace(self._span(meta), section)

    def remove(self, meta: Any, kind: Token, name: Token) -> Remove:
        return Remove(self._span(meta), str(kind), self._name(name))

    def option(self, meta: Any, *parts: Any) -> Option:
        *names, _eq, default, domain = parts
        return Option(self._span(meta), self._news(names), default, domain)

    def players(self, meta: Any, *names: Token) -> Players:
        return Players(self._span(meta), self._news(names))

    def board(self, meta: Any, form: tuple[str, tuple[Expr, ...]], *lines: Any) -> Board:
        shapes = [line for line in lines if isinstance(line, Drawing)]
        links = tuple(line for line in lines if isinstance(line, tuple))
        return Board(self._span(meta), form[0], form[1], shapes[0] if shapes else None, links)

    def square(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "square", sizes

    def cylinder(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "cylinder", sizes

    def torus(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "torus", sizes

    def hexagon(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "hexagon", sizes

    def rhombus(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "rhombus", sizes

    def triangle(self, meta: Any, *sizes: Expr) -> tuple[str, tuple[Expr, ...]]:
        return "triangle", sizes

    def graph(self, meta: Any) -> tuple[str, tuple[Expr, ...]]:
        return "graph", ()

    def shape(self, meta: Any, *lines: Token) -> Drawing:
        return Drawing(self._span(meta), self._rows(lines))

    def _rows(self, lines: Iterable[Token]) -> tuple[tuple[Span, str], ...]:
        """The rows of a drawing, without the blanks that slant it."""
        rows = []
        for line in lines:
            text = line.lstrip(SLANTED)
            span = self._span(line)
            rows.append((replace(span, column=span.end_column - len(text)), text.rstrip()))
        return tuple(rows)

    def line(self, meta: Any, *lines: tuple[Name, ...]) -> tuple[tuple[Name, ...], ...]:
        return lines

    def linked(self, meta: Any, *cells: Token) -> tuple[Name, ...]:
        return self._names(cells)

    def type(self, meta: Any, name: Token, _eq: Token, body: TypeExpr) -> Type:
        return Type(self._span(meta), self._new(name), body)

    def names_list(self, meta: Any, *names: Token) -> NamesType:
        return NamesType(self._span(meta), self._news(names))

    def table(self, meta: Any, name: Token, *rest: Any) -> Table:
        columns = self._news(item for item in rest if isinstance(item, Token))
        rows = tuple(item for item in rest if isinstance(item, tuple))
        return Table(self._span(meta), self._name(name), columns, rows)

    def row(self, meta: Any, *entries: Expr) -> tuple[Span, tuple[Expr, ...]]:
        return self._span(meta), entries

    def optional_type(self, meta: Any, of: TypeExpr) -> OptionalType:
        return OptionalType(self._span(meta), of)

    def named_type(self, meta: Any, name: Token) -> NamedType:
        return NamedType(self._span(meta), str(name))

    def range_type(self, meta: Any, low: Expr, high: Expr) -> RangeType:
        return RangeType(self._span(meta), low, high)

    def set_type(self, meta: Any, of: TypeExpr) -> SetType:
        return SetType(self._span(meta), of)

    def params(self, meta: Any, *params: Param) -> tuple[Param, ...]:
        typed: list[Param] = []
        later: TypeExpr | None = None
        for param in reversed(params):
            later = param.type or later
            typed.append(Param(param.span, param.name, later))
        return tuple(reversed(typed))

    def param(self, meta: Any, name: Token, type: TypeExpr | None) -> Param:
        return Param(self._span(name), self._new(name).name, type)

    def state(self, meta: Any, *entries: StateEntry) -> State:
        return State(self._span(meta), entries)

    def state_entry(self, meta: Any, name: Token, params: Any, type: TypeExpr) -> StateEntry:
        return StateEntry(self._span(meta), self._new(name), params or (), type)

    def slot_params(self, meta: Any, *types: TypeExpr) -> tuple[TypeExpr, ...]:
        return types

    def setup(self, meta: Any, *body: Statement) -> Setup:
        return Setup(self._span(meta), body)

    def define(self, meta: Any, name: Token, params: Any, type: Any, _eq: Token, body: Expr) -> Define:
        return Define(self._span(meta), self._new(name), params or (), type, body)

    def effect(self, meta: Any, name: Token, params: Any, *body: Statement) -> Effect:
        return Effect(self._span(meta), self._new(name), params or (), body)

    def move(self, meta: Any, name: Token, params: Any, text: Token | None, *parts: Any) -> Move:
        found: dict[str, tuple[Any, ...]] = {"when": (), "do": (), "after": ()}
        for part in parts:
            if isinstance(part, Then):
                found["do"] += (part,)
            elif part is not None:
                found[part[0]] += part[1]
        return Move(
            self._span(meta), self._name(name), params or (), _text(text),
            None if text is None else self._span(text),
            found["when"], found["do"], found["after"],
        )  # fmt: skip

    def when(self, meta: Any, *demands: Demand) -> tuple[str, tuple[Demand, ...]]:
        return "when", demands

    def after(self, meta: Any, *demands: Demand) -> tuple[str, tuple[Demand, ...]]:
        return "after", demands

    def do(self, meta: Any, *body: Statement) -> tuple[str, tuple[Statement, ...]]:
        return "do", body

    def demand(self, meta: Any, condition: Expr, reason: Token | None) -> Demand:
        return Demand(condition.span, condition, _text(reason))

    # -- statements

    def assign(self, meta: Any, place: Name | Call, value: Expr) -> Assign:
        return Assign(self._span(meta), place, value)

    def call_effect(self, meta: Any, called: Call | Name) -> CallEffect:
        call = Call(called.span, called.name, ()) if isinstance(called, Name) else called
        return CallEffect(call.span, call)

    def let(self, meta: Any, *bindings: tuple[Name, Expr]) -> Let:
        return Let(self._span(meta), bindings)

    def binding(self, meta: Any, name: Token, _eq: Token, value: Expr) -> tuple[Name, Expr]:
        return self._new(name), value

    def if_block(self, meta: Any, test: Expr, *rest: Any) -> IfBlock:
        body = tuple(item for item in rest if item is not None and not isinstance(item, tuple))
        otherwise = next((item for item in rest if isinstance(item, tuple)), ())
        return IfBlock(test.span, test, body, otherwise)

    def else_block(self, meta: Any, *body: Statement) -> tuple[Statement, ...]:
        return body

    def for_block(self, meta: Any, binders: tuple[Binder, ...], where: Expr | None, *body: Statement) -> ForBlock:
        return ForBlock(binders[0].span, binders, where, body)

    def then(self, meta: Any, *body: Statement) -> Then:
        return Then(self._span(meta), body)

    def again(self, meta: Any) -> Again:
        return Again(self._span(meta))

    def pick(self, meta: Any, binder: Binder, where: Expr | None) -> Pick:
        return Pick(self._span(meta), binder, where)

    def repeat(self, meta: Any, times: Expr, *body: Statement) -> Repeat:
        return Repeat(self._span(meta), times, body)

    drawn = shape

    # -- endings, evaluate, show

    def stuck(self, meta: Any, result: Result | Pass, reason: Token | None = None) -> Stuck:
        return Stuck(self._span(meta), result, _text(reason))

    def sit_out(self, meta: Any) -> Pass:
        return Pass(self._span(meta))

    def end(self, meta: Any, *endings: Ending) -> End:
        return End(self._span(meta), endings)

    def ending(self, meta: Any, result: Result, condition: Expr, reason: Token | None) -> Ending:
        return Ending(self._span(meta), result, condition, _text(reason))

    def wins(self, meta: Any, who: Token) -> Wins:
        return Wins(self._span(meta), self._name(who), False)

    def loses(self, meta: Any, who: Token) -> Wins:
        return Wins(self._span(meta), self._name(who), True)

    def draw(self, meta: Any) -> Draw:
        return Draw(self._span(meta))

    def contest(self, meta: Any, *parts: Any) -> Contest:
        rankings = tuple(part for part in parts if isinstance(part, tuple))
        otherwise = next((p for p in parts if p is not None and not isinstance(p, tuple)), None)
        return Contest(self._span(meta), rankings, otherwise)

    def ranking(self, meta: Any, kind: Token, name: Token) -> tuple[str, Name]:
        return str(kind), self._name(name)

    def evaluate(self, meta: Any, *terms: Term) -> Evaluate:
        return Evaluate(self._span(meta), terms)

    def term(self, meta: Any, name: Token, weight: Number, value: Expr) -> Term:
        return Term(self._span(name), self._name(name), weight.value, value)

    def level(self, meta: Any, name: Token, player: Token) -> Level:
        return Level(self._span(meta), self._new(name), _text(player) or "", self._span(player))

    def mark(self, meta: Any, name: Token, look: Any, text: Token) -> Mark:
        return Mark(self._span(meta), self._name(name), look, _text(text) or "")

    def tell(self, meta: Any, name: Token, text: Token) -> Tell:
        return Tell(self._span(meta), self._name(name), _text(text) or "")

    def rename(self, meta: Any, old: Token, new: Token) -> Rename:
        is_text = old.type == "STRING"
        words = (_text(old) or "", _text(new) or "") if is_text else (str(old), str(new))
        return Rename(self._span(meta), *words, self._span(old), self._span(new), is_text)

    def show(self, meta: Any, *lines: ShowLine | Never) -> Show:
        return Show(self._span(meta), lines)

    def never(self, meta: Any, condition: Expr) -> Never:
        return Never(self._span(meta), condition)

    def show_line(self, meta: Any, *parts: Any) -> ShowLine:
        names = self._names(part for part in parts if isinstance(part, Token))
        cases = tuple(part for part in parts if isinstance(part, ShowCase))
        return ShowLine(self._span(meta), names, cases)

    def show_case(self, meta: Any, values: Any, glyph: Token, look: Any) -> ShowCase:
        return ShowCase(self._span(meta), values, _text(glyph), look)

    def show_number(self, meta: Any, look: Any) -> ShowCase:
        return ShowCase(self._span(meta), (), None, look)

    def show_values(self, meta: Any, *values: Expr) -> tuple[Expr, ...]:
        return values

    def look(self, meta: Any, *words: Token) -> tuple[Name, ...]:
        return self._names(words)

    # -- examples

    def example(self, meta: Any, name: Token, *lines: ExampleLine) -> Example:
        return Example(self._span(name), _text(name) or "", lines)

    def given(self, meta: Any, name: Token, value: Expr) -> Given:
        return Given(self._span(meta), self._name(name), value)

    def position(self, meta: Any, mover: Token | None, *parts: Any) -> Position:
        facts = tuple(part for part in parts if isinstance(part, Fact))
        drawn = self._rows(part for part in parts if isinstance(part, Token))
        drawing = Drawing(self._span(meta), drawn) if drawn else None
        return Position(self._span(meta), None if mover is None else self._name(mover), facts, drawing)

    def fact(self, meta: Any, place: Name | Call, _eq: Token, value: Expr) -> Fact:
        return Fact(self._span(meta), place, value)

    def _moves(self, tokens: Any) -> tuple[tuple[Span, str], ...]:
        return tuple((self._span(t), str(t)) for t in tokens if t is not None and t.type == "MOVE")

    def play(self, meta: Any, *moves: Token) -> Play:
        return Play(self._span(meta), self._moves(moves))

    def legal(self, meta: Any, *moves: Token) -> Legal:
        return Legal(self._span(meta), self._moves(moves))

    def illegal(self, meta: Any, *parts: Token | None) -> Illegal:
        return Illegal(self._span(meta), self._moves(parts), _text(parts[-1]))

    def outcome(self, meta: Any, result: Result, reason: Token | None) -> Outcome:
        return Outcome(self._span(meta), result, _text(reason))

    def mobility(self, meta: Any, count: Token) -> Mobility:
        return Mobility(self._span(meta), self._int(count))

    def holds(self, meta: Any, condition: Expr) -> Holds:
        return Holds(self._span(meta), condition)

    def perft(self, meta: Any, *counts: tuple[Span, int, int]) -> Perft:
        return Perft(self._span(meta), counts)

    def count_at(self, meta: Any, depth: Token, _eq: Token, count: Token) -> tuple[Span, int, int]:
        return self._span(meta), self._int(depth), self._int(count)

    # -- expressions

    def number(self, meta: Any, digits: Token) -> Number:
        return Number(self._span(meta), self._int(digits))

    def negative(self, meta: Any, digits: Token) -> Number:
        return Number(self._span(meta), -self._int(digits))

    def name(self, meta: Any, token: Token) -> Name:
        return self._name(token)

    def none(self, meta: Any) -> NoneWord:
        return NoneWord(self._span(meta))

    def call(self, meta: Any, name: Token, *args: Expr) -> Call:
        return Call(self._span(meta), str(name), args)

    def minus(self, meta: Any, of: Expr) -> Minus:
        return Minus(self._span(meta), of)

    def not_(self, meta: Any, of: Expr) -> Not:
        return Not(self._span(meta), of)

    def and_(self, meta: Any, left: Expr, right: Expr) -> And:
        return And(self._span(meta), left, right)

    def or_(self, meta: Any, left: Expr, right: Expr) -> Or:
        return Or(self._span(meta), left, right)

    def binary(self, meta: Any, left: Expr, op: Token, right: Expr) -> Binary:
        return Binary(self._span(meta), str(op), left, right)

    def member(self, meta: Any, item: Expr, within: Expr) -> Member:
        return Member(self._span(meta), item, within, False)

    def not_member(self, meta: Any, item: Expr, within: Expr) -> Member:
        return Member(self._span(meta), item, within, True)

    def interval(self, meta: Any, low: Expr, high: Expr) -> Interval:
        return Interval(self._span(meta), low, high)

    def set_of(self, meta: Any, *items: Expr) -> SetOf:
        return SetOf(self._span(meta), items)

    def set_where_type(self, meta: Any, name: Token, type: TypeExpr, where: Expr | None) -> SetWhere:
        binder = Binder(self._span(name), (self._new(name),), type, None)
        return SetWhere(self._span(meta), binder, where)

    def set_where_in(self, meta: Any, name: Token, within: Expr, where: Expr | None) -> SetWhere:
        binder = Binder(self._span(name), (self._new(name),), None, within)
        return SetWhere(self._span(meta), binder, where)

    def binder_type(self, meta: Any, *parts: Any) -> Binder:
        return Binder(self._span(meta), self._news(parts[:-1]), parts[-1], None)

    def binder_in(self, meta: Any, *parts: Any) -> Binder:
        return Binder(self._span(meta), self._news(parts[:-1]), None, parts[-1])

    def binders(self, meta: Any, *binders: Binder) -> tuple[Binder, ...]:
        return binders

    def quantified(
        self, meta: Any, kind: Token, binders: tuple[Binder, ...], where: Expr | None, body: Expr
    ) -> Quantified:
        return Quantified(self._span(meta), str(kind), binders, where, body)

    def aggregate(
        self, meta: Any, kind: Token, binders: tuple[Binder, ...], where: Expr | None = None, of: Expr | None = None
    ) -> Aggregate:
        return Aggregate(self._span(meta), str(kind), binders, where, of)

    def conditional(self, meta: Any, test: Expr, then: Expr, otherwise: Expr) -> Conditional:
        return Conditional(self._span(meta), test, then, otherwise)

    def repeated(self, meta: Any, count: Token, *ignoring: Token | None) -> Repeated:
        return Repeated(self._span(meta), self._int(count), self._names(name for name in ignoring if name is not None))

    def reach(self, meta: Any, start: Expr, by: Token | Call) -> Reach:
        if isinstance(by, Call):
            return Reach(self._span(meta), start, by.name, by.args)
        return Reach(self._span(meta), start, str(by), ())


def outline(node: Any, indent: str = "") -> Iterator[str]:
    """The tree as indented lines, for `pysolve show --stage syntax`."""
    if isinstance(node, Span):
        return
    if is_dataclass(node):
        plain: list[tuple[str, Any]] = []
        nested: list[tuple[str, Any]] = []
        for part in fields(node):
            if part.name.endswith("span") or part.name == "source":
                continue
            value = getattr(node, part.name)
            deep = is_dataclass(value) or (isinstance(value, tuple) and value)
            (nested if deep else plain).append((part.name, value))
        words = "".join(f" {name}={value!r}" for name, value in plain if value not in (None, ()))
        yield f"{indent}{type(node).__name__}{words}"
        for _name, value in nested:
            yield from outline(value, indent + "  ")
    elif isinstance(node, tuple):
        for item in node:
            yield from outline(item, indent)
    else:
        yield f"{indent}{node!r}"
