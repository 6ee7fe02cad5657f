"""Typed expressions: what the checker makes of the syntax before it decides an order.

Three families: terms are values, conditions hold or not, sets have members.  A term may have no value (the
cell off the board, the first of nothing); then the condition around it is false.

Out of a tree of these, order.py makes the flat steps of the model; static.py computes what does not read
the position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import prod
from typing import Any, TypeVar, cast

from pysolve.dsl.errors import Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language import functions
from pysolve.dsl.language.aggregates import AGGREGATES, Kind
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model import BOOL, INT, Sort, Table, Var, fields_of


class Tree:
    """An expression; it remembers what is asked again and again about it."""

    __slots__ = (
        "_bound", "_free", "_hash", "_parts", "_players", "_reads", "_total", "_weight", "_wholes", "_work", "_written",
    )  # fmt: skip

    def __init_subclass__(cls) -> None:
        cls.__hash__ = Tree.__hash__  # type: ignore[method-assign]  # that of a dataclass looks at the whole tree

    def __hash__(self) -> int:
        found: int | None = getattr(self, "_hash", None)
        if found is None:
            kind: Any = type(self)
            found = hash(fields_of(kind)(self))
            object.__setattr__(self, "_hash", found)
        return found


# ---------------------------------------------------------------------------------------------- terms


@frozen
class TConst(Tree):
    """A constant."""

    value: int
    sort: Sort


@frozen
class TVar(Tree):
    """A variable with one value."""

    var: Var

    @property
    def sort(self) -> Sort:
        """The sort of the variable."""
        assert isinstance(self.var.sort, Sort)
        return self.var.sort


@frozen
class TRead(Tree):
    """A state variable as it stands in the position; `mover` is one."""

    slot: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class TLookup(Tree):
    """The last column of a table, the others given."""

    table: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class TRule(Tree):
    """The value of a rule."""

    rule: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class TOp(Tree):
    """An arithmetic operator or function."""

    op: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class TIf(Tree):
    """One of two values."""

    test: Cond
    then: Term
    otherwise: Term
    sort: Sort


@frozen
class TFold(Tree):
    """An aggregate over the members of sets."""

    kind: Kind
    binders: tuple[tuple[Var, TSet], ...]
    where: Cond
    of: Term
    sort: Sort


@frozen
class TReify(Tree):
    """A condition as a value: true or false."""

    cond: Cond
    sort: Sort = BOOL


@frozen
class TNarrow(Tree):
    """A term restricted to the values of `sort`: it has no value elsewhere, as where a cell is `none`."""

    of: Term
    sort: Sort


@frozen
class TMobility(Tree):
    """The number of moves that a player would have."""

    player: Term
    sort: Sort = INT


@frozen
class TSteps(Tree):
    """The least number of steps from `start` to `goal`; a step leads from `near` to `next` where `cond` holds."""

    start: TSet
    goal: TSet
    near: Var
    next: Var
    cond: Cond
    sort: Sort


Term = TConst | TVar | TRead | TLookup | TRule | TOp | TIf | TFold | TReify | TNarrow | TMobility | TSteps

# ----------------------------------------------------------------------------------------- conditions


@frozen
class CTruth(Tree):
    """Always, or never."""

    holds: bool


@frozen
class CCompare(Tree):
    """A comparison of two terms."""

    op: str
    left: Term
    right: Term


@frozen
class CIn(Tree):
    """Membership."""

    item: Term
    within: TSet


@frozen
class CRelation(Tree):
    """A row of a table."""

    table: str
    args: tuple[Term, ...]


@frozen
class CRule(Tree):
    """The condition that a definition without a result holds for some arguments: `rule(args)`."""

    rule: str
    args: tuple[Term, ...]


@frozen
class CNot(Tree):
    """Negation."""

    of: Cond


@frozen
class CAnd(Tree):
    """Conjunction, in the order of the text."""

    parts: tuple[Cond, ...]


@frozen
class COr(Tree):
    """Disjunction, in the order of the text."""

    parts: tuple[Cond, ...]


@frozen
class CSome(Tree):
    """Some way to choose the binders satisfies the condition."""

    binders: tuple[tuple[Var, TSet], ...]
    cond: Cond


@frozen
class CPossible(Tree):
    """A kind of moves has a legal move."""

    action: str


ALWAYS, NEVER = CTruth(True), CTruth(False)
Cond = CTruth | CCompare | CIn | CRelation | CRule | CNot | CAnd | COr | CSome | CPossible

# ----------------------------------------------------------------------------------------------- sets


@frozen
class SSort(Tree):
    """All values of a sort."""

    sort: Sort


@frozen
class SInterval(Tree):
    """The integers between two terms."""

    low: Term
    high: Term
    sort: Sort


@frozen
class SItems(Tree):
    """Listed members."""

    items: tuple[Term, ...]
    sort: Sort


@frozen
class STable(Tree):
    """The last column of the rows that begin with the arguments."""

    table: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class SWhere(Tree):
    """The members of a set that satisfy a condition."""

    var: Var
    base: TSet
    cond: Cond
    sort: Sort


@frozen
class SOp(Tree):
    """union, except or intersect."""

    op: str
    left: TSet
    right: TSet
    sort: Sort


@frozen
class SRule(Tree):
    """The set that a rule gives."""

    rule: str
    args: tuple[Term, ...]
    sort: Sort


@frozen
class SReach(Tree):
    """The set reached from `start` by any number of steps; a step leads from `near` to `next` where `cond` holds."""

    start: TSet
    near: Var
    next: Var
    cond: Cond
    sort: Sort


TSet = SSort | SInterval | SItems | STable | SWhere | SOp | SRule | SReach

TERMS = (TConst, TVar, TRead, TLookup, TRule, TOp, TIf, TFold, TReify, TNarrow, TMobility, TSteps)
CONDS = (CTruth, CCompare, CIn, CRelation, CRule, CNot, CAnd, COr, CSome, CPossible)
SETS = (SSort, SInterval, SItems, STable, SWhere, SOp, SRule, SReach)

FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in (*TERMS, *CONDS, *SETS)
}
FAMILIES = ("Term", "Cond", "TSet")  # in the types of fields
INNER = {  # fields that hold expressions
    kind: tuple(field.name for field in fields(kind) if any(family in str(field.type) for family in FAMILIES))
    for kind in FIELDS
}

Typed = Term | Cond | TSet
N = TypeVar("N")
A = TypeVar("A")
NOTHING = frozenset[Var]()


def remembered(ask: Callable[[Typed], A]) -> Callable[[Typed], A]:
    """A question that an expression answers once: it keeps the answer itself, as long as it exists."""
    place = f"_{ask.__name__}"

    def answer(node: Typed) -> A:
        found: A | None = getattr(node, place, None)
        if found is None:
            found = ask(node)
            object.__setattr__(node, place, found)
        return found

    return answer


@remembered
def parts(node: Typed) -> tuple[Typed, ...]:
    """The expressions directly inside one."""
    found: list[Typed] = []
    for name in INNER[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            found += [item[1] if type(item) is tuple else item for item in value]  # of a binder, its set
        else:
            found.append(value)
    return tuple(found)


@remembered
def weight(node: Typed) -> int:
    """The number of nodes of a tree; a shared node counts each time that it occurs."""
    return 1 + sum(map(weight, parts(node)))


@remembered
def free(node: Typed) -> frozenset[Var]:
    """The variables that a tree uses and does not bind itself."""
    if isinstance(node, TVar):
        return frozenset({node.var})
    if not parts(node):
        return NOTHING
    found = NOTHING.union(*map(free, parts(node)))
    match node:
        case CSome(binders, _) | TFold(binders=binders):
            return found - {var for var, _ in binders}
        case SWhere(var=var):
            return found - {var}
        case SReach(near=near, next=following) | TSteps(near=near, next=following):
            return found - {near, following}
    return found


@remembered
def reads(node: Typed) -> bool:
    """True if the value depends on the position.  (A rule that did not would have become a table.)"""
    if isinstance(node, (TRead, TMobility, CPossible)):
        return True
    if isinstance(node, (TRule, CRule, SRule)):
        return True
    return any(map(reads, parts(node)))


def total(term: Term, tables: Mapping[str, Table]) -> bool:
    """True if a term certainly has a value."""
    known: bool | None = getattr(term, "_total", None)
    if known is None:  # a term may stand in others many times
        known = _total(term, tables)
        object.__setattr__(term, "_total", known)
    return known


def _total(term: Term, tables: Mapping[str, Table]) -> bool:
    match term:
        case TConst() | TVar() | TReify() | TMobility():
            return True
        case TRead(_, args, _):
            there = True
        case TLookup(table, args, _):
            rows = tables[table]
            there = len(rows.rows) == prod(sort.size for sort in rows.sorts[:-1])
        case TOp(op, args, _):
            there = OPERATORS[op].needs is None
        case TIf(_, then, otherwise, _):
            there, args = True, (then, otherwise)
        case TFold(kind):
            return AGGREGATES[kind].adds
        case _:
            return False
    return there and all(total(arg, tables) for arg in args)


@remembered
def bound(node: Typed) -> frozenset[Var]:
    """The variables that are bound somewhere inside a tree."""
    found = NOTHING.union(*map(bound, parts(node)))
    match node:
        case CSome(binders, _) | TFold(binders=binders):
            return found | {var for var, _ in binders}
        case SWhere(var=var):
            return found | {var}
        case SReach(near=near, next=following) | TSteps(near=near, next=following):
            return found | {near, following}
    return found


@remembered
def wholes(node: Typed) -> tuple[SRule | SReach, ...]:
    """The sets in a tree that are always computed as a whole, without those inside of others."""
    if isinstance(node, (SRule, SReach)):
        return (node,)
    return tuple(dict.fromkeys(found for part in parts(node) for found in wholes(part)))


@remembered
def players(node: Typed) -> tuple[TRead | TLookup, ...]:
    """The nodes of a tree that ask for the mover or the opponent."""
    match node:
        case TRead("mover") | TLookup(functions.OPPONENT):
            return (node,)
    return tuple(dict.fromkeys(found for part in parts(node) for found in players(part)))


def as_written(node: N, spans: tuple[Span, ...]) -> N:
    """The node, of which is known where it is written."""
    if spans:
        object.__setattr__(node, "_written", spans)
    return node


def written_at(node: object) -> tuple[Span, ...]:
    """The spans of an operation and its operands, or of an aggregate; empty for other expressions."""
    found: tuple[Span, ...] = getattr(node, "_written", ())
    return found


def renamed(node: N, names: dict[Var, Var]) -> N:
    """The tree with other variables in place of some."""
    return rebuilt(node, lambda part: names.get(part, part) if isinstance(part, Var) else None)


def rebuilt(node: N, change: Callable[[object], object | None]) -> N:
    """The tree with some parts replaced: by what `change` gives for them, unless that is None."""

    def put(part: object) -> object:
        new = change(part)
        if new is not None:
            return new
        if isinstance(part, tuple):
            return tuple(put(item) for item in part)
        if type(part) in FIELDS:
            build: Callable[..., object] = type(part)
            return as_written(build(*(put(getattr(part, name)) for name in FIELDS[type(part)])), written_at(part))
        return part

    return cast(N, put(node))


def empty(within: TSet) -> bool:
    """True if a set certainly has no member."""
    match within:
        case SInterval(low, high):
            return low.sort.low > high.sort.high and INT not in (low.sort, high.sort)
        case SItems(items):
            return not items
        case SWhere(_, base, cond):
            return cond == NEVER or empty(base)
        case SOp("union", left, right):
            return empty(left) and empty(right)
        case SOp("intersect", left, right):
            return empty(left) or empty(right)
        case SOp(_, left):
            return empty(left)
    return False


def conjuncts(cond: Cond) -> list[Cond]:
    """The conditions that together are the condition."""
    match cond:
        case CAnd(parts):
            return [inner for part in parts for inner in conjuncts(part)]
        case CTruth(True):
            return []
    return [cond]


def both(*conds: Cond) -> Cond:
    """All of the conditions, without those that always hold."""
    found = [inner for cond in conds for inner in conjuncts(cond)]
    if NEVER in found:
        return NEVER
    return CAnd(tuple(found)) if len(found) > 1 else found[0] if found else ALWAYS


def negated(cond: Cond) -> Cond:
    """The opposite of a condition."""
    match cond:
        case CTruth(holds):
            return NEVER if holds else ALWAYS
        case CNot(of):
            return of
        case _:
            return CNot(cond)
