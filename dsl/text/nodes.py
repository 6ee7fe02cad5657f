"""The syntax tree of a rules text: one value per phrase of grammar.lark, each with its span.

Nothing is looked up here: a name is a name, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from pysolve.dsl.errors import Source, Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.aggregates import Kind

# ---------------------------------------------------------------------------------------- expressions


@frozen
class Node:
    """A phrase; the fields of each kind are what it says besides its span."""

    __slots__: ClassVar[tuple[str, ...]]  # what a phrase says, besides its span
    span: Span


@frozen
class Number(Node):
    """A number, as `12`."""

    value: int


@frozen
class Name(Node):
    """A name alone: a variable, constant, option, or definition without parameters."""

    name: str


@frozen
class NoneWord(Node):
    """The word `none`."""


@frozen
class Call(Node):
    """A name with arguments, as `distance(to)`."""

    name: str
    args: tuple[Expr, ...]


@frozen
class Item(Node):
    """`stack[at]`: what lies at a place of a stack, counted from below."""

    stack: Name | Call
    at: Expr


@frozen
class Minus(Node):
    """`- of`."""

    of: Expr


@frozen
class Not(Node):
    """`not of`."""

    of: Expr


@frozen
class And(Node):
    """`left and right`."""

    left: Expr
    right: Expr


@frozen
class Or(Node):
    """`left or right`."""

    left: Expr
    right: Expr


@frozen
class Binary(Node):
    """Two expressions and an operator: arithmetic, or a comparison."""

    op: str
    left: Expr
    right: Expr


@frozen
class Member(Node):
    """`item in within`, or `item not in within`."""

    item: Expr
    within: Expr
    negated: bool


@frozen
class Interval(Node):
    """`low..high`."""

    low: Expr
    high: Expr


@frozen
class SetOf(Node):
    """Members in braces, as `{a1, b2}`."""

    items: tuple[Expr, ...]


@frozen
class Binder(Node):
    """`x, y: type` or `x in set`: exactly one of `type` and `within` is given.

    `where` is a condition on what is chosen so far; that of the last binder is the condition of the phrase.
    """

    names: tuple[Name, ...]
    type: TypeExpr | None
    within: Expr | None
    where: Expr | None = None


@frozen
class SetWhere(Node):
    """The members of a set, or of a type, that satisfy a condition."""

    binder: Binder
    where: Expr | None


@frozen
class Quantified(Node):
    """`some`, `every` or `no` … `where` … `has` body."""

    kind: str  # some, every, no
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr


@frozen
class Aggregate(Node):
    """An aggregate (`dsl.language.aggregates`) over all ways to choose the binders."""

    kind: Kind
    binders: tuple[Binder, ...]
    where: Expr | None
    of: Expr | None


@frozen
class Conditional(Node):
    """`if test then … else …` as an expression."""

    test: Expr
    then: Expr
    otherwise: Expr


@frozen
class Reach(Node):
    """`reach from start by relation`: the closure of a relation, with its leading arguments."""

    start: Expr
    relation: str
    args: tuple[Expr, ...]
    relation_span: Span


@frozen
class Steps(Node):
    """`steps from start to goal by relation(args)`: the two ends of a step are the relation's last parameters."""

    start: Expr
    goal: Expr
    relation: str
    args: tuple[Expr, ...]
    relation_span: Span


@frozen
class Repeated(Node):
    """The position has now stood for the `count`th time, whatever these states, or `mover`, are."""

    count: int
    ignoring: tuple[Name, ...] = ()


Expr = (
    Number | Name | NoneWord | Call | Item | Minus | Not | And | Or | Binary | Member | Interval | SetOf
    | SetWhere | Quantified | Aggregate | Conditional | Reach | Steps | Repeated
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- types


@frozen
class NamedType(Node):
    """A type by its name, as `cell`."""

    name: str


@frozen
class RangeType(Node):
    """The integers `low..high`."""

    low: Expr
    high: Expr


@frozen
class StackType(Node):
    """A stack of values, of which at most `most` lie on each other; only the state has it."""

    of: TypeExpr
    most: Expr


@frozen
class SetType(Node):
    """A set of another type; only definitions have it."""

    of: TypeExpr


@frozen
class OptionalType(Node):
    """`of or none`."""

    of: TypeExpr


@frozen
class NamesType(Node):
    """New names, listed where a type is expected."""

    names: tuple[Name, ...]


TypeExpr = NamedType | RangeType | SetType | OptionalType | NamesType | StackType


@frozen
class Param(Node):
    """A parameter of a definition, an effect or a kind of moves: `x: type`, or `x in set`."""

    name: str
    type: TypeExpr | None
    within: Expr | None


# --------------------------------------------------------------------------------------------- effects


@frozen
class Assign(Node):
    """`place := value`."""

    place: Name | Call
    value: Expr


@frozen
class Push(Node):
    """`push value onto stack`."""

    value: Expr
    onto: Name | Call


@frozen
class Take(Node):
    """`take count from stack onto another`, or, where `onto` is None, `drop count from stack`."""

    count: Expr
    stack: Name | Call
    onto: Name | Call | None


@frozen
class CallEffect(Node):
    """A named effect with its arguments."""

    call: Call


@frozen
class Let(Node):
    """Names for values, for the statements or demands that follow."""

    bindings: tuple[tuple[Name, Expr], ...]


@frozen
class IfBlock(Node):
    """`if` and `else` with statements."""

    test: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@frozen
class ForBlock(Node):
    """Statements for every way to choose the binders."""

    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Statement, ...]


@frozen
class Then(Node):
    """Statements of the next round."""

    body: tuple[Statement, ...]


@frozen
class Again(Node):
    """`again`: the same player moves once more."""


@frozen
class TurnTo(Node):
    """`turn to who`: that player moves next."""

    who: Expr


@frozen
class Pick(Node):
    """A random choice, in the setup."""

    binder: Binder
    where: Expr | None


@frozen
class Repeat(Node):
    """Statements that the setup carries out so many times."""

    times: Expr
    body: tuple[Statement, ...]


@frozen
class Drawing(Node):
    """A board drawn in characters: its rows, and the condition on the options under which it counts."""

    lines: tuple[tuple[Span, str], ...]
    when: Expr | None = None


Statement = (
    Assign | Push | Take | CallEffect | Let | IfBlock | ForBlock | Then | Again | TurnTo | Pick | Repeat | Drawing
)

# -------------------------------------------------------------------------------------------- sections


@frozen
class About(Node):
    """`about "…"`: a paragraph for people, under the title, an option or a kind of move."""

    text: str


@frozen
class Game(Node):
    """The head of a text: title, parent, properties such as `about`."""

    name: str
    extends: str | None
    properties: tuple[tuple[str, str], ...]
    extends_span: Span | None = None
    about: tuple[About, ...] = ()


@frozen
class Option(Node):
    """`option name = default in domain`."""

    names: tuple[Name, ...]
    default: Expr
    domain: Expr | None
    about: tuple[About, ...] = ()

    @property
    def name(self) -> Name:
        """The first name; the checker takes options of several names apart."""
        return self.names[0]


@frozen
class Players(Node):
    """The players, in the order in which they move: the first `count` of the names, and when one of them is out."""

    names: tuple[Name, ...]
    count: Expr | None = None
    out: Expr | None = None


@frozen
class Board(Node):
    """The board: its form, and what the form needs."""

    form: str  # square, cylinder, torus, hexagon, rhombus, triangle, star, graph
    sizes: tuple[Expr, ...]
    shapes: tuple[Drawing, ...]  # the first whose condition is true counts
    lines: tuple[tuple[tuple[Name, ...], ...], ...]  # for each line of the text, the lines of cells on it


@frozen
class Type(Node):
    """A type with a name of its own."""

    name: Name
    body: TypeExpr


@frozen
class Table(Node):
    """A table of constants: columns and rows."""

    name: Name
    columns: tuple[Name, ...]
    rows: tuple[tuple[Span, tuple[Expr, ...]], ...]


@frozen
class Sight(Node):
    """`seen by who`, a player or a set of players; `seen by all where …`; `seen by nobody`, without an expression."""

    who: Expr | None
    all: bool  # is the expression a condition, under which all see it?


@frozen
class StateEntry(Node):
    """A variable of the position, with the types of its parameters, their names, and who sees it."""

    name: Name
    params: tuple[TypeExpr, ...]
    type: TypeExpr
    names: tuple[Name | None, ...] = ()
    sight: Sight | None = None  # None: all see it


@frozen
class State(Node):
    """All variables of the position."""

    entries: tuple[StateEntry, ...]


@frozen
class Setup(Node):
    """The initial position, as statements."""

    body: tuple[Statement, ...]


@frozen
class Define(Node):
    """A definition: a condition, value or set with a name."""

    name: Name
    params: tuple[Param, ...]
    type: TypeExpr | None
    body: Expr


@frozen
class Effect(Node):
    """A named effect."""

    name: Name
    params: tuple[Param, ...]
    body: tuple[Statement, ...]


@frozen
class Demand(Node):
    """A line under `when` or `after`, with its reason for people."""

    condition: Expr
    reason: str | None


@frozen
class Prefer(Node):
    """`prefer most value`: what a move is worth, of which the most must be chosen; with its reason for people."""

    value: Expr
    reason: str | None


@frozen
class Move(Node):
    """A kind of moves; with `chance` one that nobody chooses."""

    name: Name
    params: tuple[Param, ...]
    text: str | None
    text_span: Span | None
    when: tuple[Demand | Let, ...]
    do: tuple[Statement, ...]
    after: tuple[Demand, ...]
    prefer: Prefer | None = None
    about: tuple[About, ...] = ()
    weight: Expr | None = None  # of chance: how likely each of these moves is
    chance: bool = False  # does nobody choose them?
    seen: str | None = None  # the text that others read
    seen_span: Span | None = None


@frozen
class Wins(Node):
    """`who wins`, or `who loses`."""

    who: Expr  # mover, opponent or a player by name; under `end` also a player who is computed
    loses: bool


@frozen
class Draw(Node):
    """`draw`."""


@frozen
class Together(Node):
    """The players who share the first place; only an example says so."""

    who: tuple[Name, ...]


@frozen
class Contest(Node):
    """The player with the most, or the least, of a definition wins; further lines break ties.

    With `ranks` each place counts, not only the first.
    """

    rankings: tuple[tuple[str, Name], ...]  # (most or least, definition)
    otherwise: Result | None
    ranks: bool = False


@frozen
class Pay(Node):
    """`pay definition`: each player gets the number that it has for him."""

    name: Name


@frozen
class Pays(Node):
    """`pays White 2, Black -2`: what each player gets; only an example says so."""

    amounts: tuple[tuple[Name, int], ...]


@frozen
class Pass(Node):
    """`pass`: a player without a move passes."""


Result = Wins | Draw | Contest | Pay


@frozen
class Stuck(Node):
    """`stuck`: the result for a player without a legal move."""

    result: Result | Pass
    reason: str | None = None


@frozen
class Ending(Node):
    """A result, the condition for it, and its reason for people."""

    result: Result
    condition: Expr
    reason: str | None


@frozen
class End(Node):
    """All endings, in the order in which they are tried."""

    endings: tuple[Ending, ...]


@frozen
class Term(Node):
    """A term of the evaluation: its name, weight and value."""

    name: Name
    weight: int
    value: Expr


@frozen
class Evaluate(Node):
    """The evaluation of positions."""

    terms: tuple[Term, ...]


@frozen
class Level(Node):
    """A named player of this game."""

    name: Name
    player: str
    player_span: Span


@frozen
class ShowCase(Node):
    """Values, and how they look."""

    values: tuple[Expr, ...]
    glyph: str | None  # None: the number itself
    look: tuple[Name, ...]


@frozen
class ShowLine(Node):
    """State variables that are shown together."""

    slots: tuple[Name, ...]
    cases: tuple[ShowCase, ...]


@frozen
class Never(Node):
    """A `never` line of `show`: values that a cell never has together."""

    condition: Expr


@frozen
class Lines(Node):
    """Thicker lines between the cells of a board, every so many of them."""

    every: Expr


@frozen
class Beside(Node):
    """A `beside` line of `show`: a state or definition that is drawn beside the board."""

    name: Name
    cases: tuple[ShowCase, ...]


@frozen
class Icon(Node):
    """An `icon` line of `show`: a shape by its name and the path that draws it, in one text or several."""

    name: Name
    path: tuple[tuple[Span, str], ...]


@frozen
class Ground(Node):
    """The `ground` line of `show`: what the cells look like."""

    form: Name


@frozen
class Under(Node):
    """An `under` line of `show`: a path that is drawn once, below everything, and how it looks."""

    path: tuple[tuple[Span, str], ...]
    look: tuple[Name, ...]


ShowPart = ShowLine | Never | Lines | Beside | Icon | Ground | Under


@frozen
class Show(Node):
    """The section `show`: how positions are drawn and written."""

    lines: tuple[ShowPart, ...]


@frozen
class Mark(Node):
    """Cells that are marked on the board, by the name of a definition."""

    name: Name
    look: tuple[Name, ...]
    text: str


@frozen
class Tell(Node):
    """A `tell` line: a definition or a column of a table whose value is shown beside the board."""

    name: Name
    text: str


@frozen
class Given(Node):
    """An option that an example plays with."""

    name: Name
    value: Expr


@frozen
class Fact(Node):
    """A place of an example's position, and its value."""

    place: Name | Call
    value: Expr
    above: tuple[Expr, ...] = ()  # of a stack: what lies on the first value


@frozen
class Position(Node):
    """The position of an example, drawn or as facts."""

    mover: Name | None
    facts: tuple[Fact, ...]
    drawing: Drawing | None


@frozen
class Play(Node):
    """Moves that an example plays."""

    moves: tuple[tuple[Span, str], ...]


@frozen
class Legal(Node):
    """Moves that an example expects to be legal."""

    moves: tuple[tuple[Span, str], ...]


@frozen
class Illegal(Node):
    """Moves that an example expects to be illegal, with the expected reason."""

    moves: tuple[tuple[Span, str], ...]
    reason: str | None


@frozen
class Outcome(Node):
    """The result that an example expects."""

    result: Result | Together | Pays
    reason: str | None


@frozen
class Mobility(Node):
    """The number of legal moves that an example expects."""

    count: int


@frozen
class Holds(Node):
    """A condition that is true in the position of an example."""

    condition: Expr


@frozen
class Perft(Node):
    """Numbers of sequences of moves that an example expects, by depth."""

    counts: tuple[tuple[Span, int, int], ...]  # depth, count


ExampleLine = Given | Position | Play | Legal | Illegal | Outcome | Mobility | Holds | Perft


@frozen
class Example(Node):
    """An example, which `check` carries out."""

    name: str
    lines: tuple[ExampleLine, ...]


@frozen
class Remove(Node):
    """A section of the parent that a variant does without."""

    kind: str
    name: Name


@frozen
class Replace(Node):
    """A section that a variant has in place of its parent's."""

    section: Section


@frozen
class Extend(Node):
    """What a variant adds to a section of its parent."""

    section: Section


@frozen
class Rename(Node):
    """A `rename` line of a variant: a new name for a name of the parent, or a new text for one of its texts."""

    old: str
    new: str
    old_span: Span
    new_span: Span
    is_text: bool


Section = (
    Game | Option | Players | Board | Type | Table | State | Setup | Define | Effect | Move | Stuck
    | End | Evaluate | Level | Show | Mark | Tell | Example | Replace | Extend | Remove | Rename
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
