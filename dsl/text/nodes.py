"""The syntax tree of a rules text: one value per phrase of grammar.lark, each with its span.

Nothing is looked up here: a name is a name, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from dsl.errors import Source, Span
from dsl.frozen import frozen

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
    """What is told beside the board, by the name of a definition or of a column of a table."""

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
