"""Typed expressions: what the checker makes of the syntax before it decides an order.

Three families: terms are values, conditions hold or not, sets have members.  A term may have no value (the
cell off the board, the first of nothing); then the condition around it is false.

Out of a tree of these, order.py makes the flat steps of the model; static.py computes what does not read
the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TypeVar, cast

from dsl.model import BOOL, INT, Sort, Var

# ---------------------------------------------------------------------------------------------- terms


@dataclass(frozen=True, slots=True)
class TConst:
    value: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class TVar:
    var: Var

    @property
    def sort(self) -> Sort:
        assert isinstance(self.var.sort, Sort)
        return self.var.sort


@dataclass(frozen=True, slots=True)
class TRead:
    """A state variable as it stands in the position; `mover` is one."""

    slot: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class TLookup:
    """The last column of a table, the others given."""

    table: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class TRule:
    rule: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class TOp:
    op: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class TIf:
    test: Cond
    then: Term
    otherwise: Term
    sort: Sort


@dataclass(frozen=True, slots=True)
class TFold:
    """count, sum, most, least or first over the members of sets."""

    kind: str
    binders: tuple[tuple[Var, TSet], ...]
    where: Cond
    of: Term
    sort: Sort


@dataclass(frozen=True, slots=True)
class TReify:
    """A condition as a value: true or false."""

    cond: Cond
    sort: Sort = BOOL


@dataclass(frozen=True, slots=True)
class TNarrow:
    """The same value, but only where it lies in `sort`: `none`, say, is no cell."""

    of: Term
    sort: Sort


@dataclass(frozen=True, slots=True)
class TMobility:
    player: Term
    sort: Sort = INT


Term = TConst | TVar | TRead | TLookup | TRule | TOp | TIf | TFold | TReify | TNarrow | TMobility

# ----------------------------------------------------------------------------------------- conditions


@dataclass(frozen=True, slots=True)
class CTruth:
    """Always, or never."""

    holds: bool


@dataclass(frozen=True, slots=True)
class CCompare:
    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class CIn:
    item: Term
    within: TSet


@dataclass(frozen=True, slots=True)
class CRelation:
    """A row of a table."""

    table: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CRule:
    rule: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CNot:
    of: Cond


@dataclass(frozen=True, slots=True)
class CAnd:
    parts: tuple[Cond, ...]


@dataclass(frozen=True, slots=True)
class COr:
    parts: tuple[Cond, ...]


@dataclass(frozen=True, slots=True)
class CSome:
    binders: tuple[tuple[Var, TSet], ...]
    cond: Cond


@dataclass(frozen=True, slots=True)
class CPossible:
    action: str


Cond = CTruth | CCompare | CIn | CRelation | CRule | CNot | CAnd | COr | CSome | CPossible

# ----------------------------------------------------------------------------------------------- sets


@dataclass(frozen=True, slots=True)
class SSort:
    sort: Sort


@dataclass(frozen=True, slots=True)
class SInterval:
    low: Term
    high: Term
    sort: Sort


@dataclass(frozen=True, slots=True)
class SItems:
    items: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class STable:
    """The last column of the rows that begin with the arguments."""

    table: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class SWhere:
    var: Var
    base: TSet
    cond: Cond
    sort: Sort


@dataclass(frozen=True, slots=True)
class SOp:
    """union, except or intersect."""

    op: str
    left: TSet
    right: TSet
    sort: Sort


@dataclass(frozen=True, slots=True)
class SRule:
    rule: str
    args: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class SReach:
    """What is reached from `start` by steps from `near` to `next` for which `cond` holds."""

    start: TSet
    near: Var
    next: Var
    cond: Cond
    sort: Sort


TSet = SSort | SInterval | SItems | STable | SWhere | SOp | SRule | SReach

TERMS = (TConst, TVar, TRead, TLookup, TRule, TOp, TIf, TFold, TReify, TNarrow, TMobility)
CONDS = (CTruth, CCompare, CIn, CRelation, CRule, CNot, CAnd, COr, CSome, CPossible)
SETS = (SSort, SInterval, SItems, STable, SWhere, SOp, SRule, SReach)

FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in (*TERMS, *CONDS, *SETS)
}

Typed = Term | Cond | TSet
N = TypeVar("N")


def parts(node: Typed) -> Iterator[Typed]:
    """The expressions directly inside one."""
    for name in FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) in FIELDS:
            yield value
        elif isinstance(value, tuple):
            for item in value:
                if type(item) in FIELDS:
                    yield item
                elif isinstance(item, tuple):  # a binder
                    yield item[1]


@lru_cache(maxsize=20_000)
def free(node: Typed) -> frozenset[Var]:
    """The variables that a tree uses and does not bind itself."""
    if isinstance(node, TVar):
        return frozenset({node.var})
    found = frozenset[Var]().union(*(free(part) for part in parts(node)))
    match node:
        case CSome(binders, _) | TFold(binders=binders):
            return found - {var for var, _ in binders}
        case SWhere(var=var):
            return found - {var}
        case SReach(near=near, next=following):
            return found - {near, following}
    return found


@lru_cache(maxsize=20_000)
def reads(node: Typed) -> bool:
    """True if the value depends on the position.  (A rule that did not would have become a table.)"""
    if isinstance(node, (TRead, TMobility, CPossible)):
        return True
    if isinstance(node, (TRule, CRule, SRule)):
        return True
    return any(reads(part) for part in parts(node))


def bound(node: Typed) -> set[Var]:
    """The variables that are bound somewhere inside a tree."""
    found = set().union(*(bound(part) for part in parts(node)))
    match node:
        case CSome(binders, _) | TFold(binders=binders):
            found |= {var for var, _ in binders}
        case SWhere(var=var):
            found.add(var)
        case SReach(near=near, next=following):
            found |= {near, following}
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
            return build(*(put(getattr(part, name)) for name in FIELDS[type(part)]))
        return part

    return cast(N, put(node))


def conjuncts(cond: Cond) -> list[Cond]:
    """The conditions that together are the condition."""
    if isinstance(cond, CAnd):
        return [inner for part in cond.parts for inner in conjuncts(part)]
    return [] if cond == CTruth(True) else [cond]


def both(*conds: Cond) -> Cond:
    """All of the conditions, without those that always hold."""
    found = [inner for cond in conds for inner in conjuncts(cond)]
    if any(cond == CTruth(False) for cond in found):
        return CTruth(False)
    return CAnd(tuple(found)) if len(found) > 1 else found[0] if found else CTruth(True)


def negated(cond: Cond) -> Cond:
    """The opposite of a condition."""
    match cond:
        case CTruth(holds):
            return CTruth(not holds)
        case CNot(of):
            return of
        case _:
            return CNot(cond)
