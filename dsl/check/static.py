"""The value of what does not read the position: computed once, when the rules are read.

In: a typed expression, values for its free variables, the tables so far.  Out: a number, or None where there
is no value; a truth value; or the ascending members of a set.  `Rows` computes the same for many values of the
variables at once, which is several times faster than one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, compress, product, repeat
from math import prod

from pysolve.dsl.check.terms import (
    CAnd,
    CCompare,
    CIn,
    CNot,
    Cond,
    COr,
    CRelation,
    CSome,
    CTruth,
    SInterval,
    SItems,
    SOp,
    SReach,
    SSort,
    STable,
    SWhere,
    TConst,
    Term,
    TFold,
    TIf,
    TLookup,
    TNarrow,
    TOp,
    TReify,
    TSet,
    TSteps,
    TVar,
    Typed,
    free,
    parts,
    remembered,
)  # fmt: skip
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model import BOOL, Sort, Table, Var

Env = dict[Var, int]
Row = tuple[int, ...]
Tables = dict[str, Table]
Column = list[int | None]  # a value, or whether something holds, for each of many rows


def value(term: Term, env: Env, tables: Tables) -> int | None:
    """The value of a term that does not read the position; None where there is none."""
    match term:
        case TConst(number, _):
            return number
        case TVar(var):
            return env[var]
        case TLookup(name, args, _):
            key = [value(arg, env, tables) for arg in args]
            found = tables[name].lookup.get(tuple(key))  # type: ignore[arg-type]
            return found[0] if found else None
        case TOp(op, args, _):
            operands = [value(arg, env, tables) for arg in args]
            if None in operands:
                return None
            result = OPERATORS[op].evaluate(*operands)
            return None if result is None else int(result)
        case TIf(test, then, otherwise, _):
            return value(then if holds(test, env, tables) else otherwise, env, tables)
        case TReify(cond):
            return int(holds(cond, env, tables))
        case TNarrow(of, sort):
            inner = value(of, env, tables)
            if inner is None or (of.sort.optional and not sort.optional and inner == of.sort.none):
                return None
            return inner if sort.lowest <= inner <= sort.high else None
        case TFold():
            return _fold(term, env, tables)
        case TSteps(start, goal, near, following, cond, _):
            reached = _spread(members(start, env, tables), near, following, cond, env, tables)
            return min((reached[one] for one in members(goal, env, tables) if one in reached), default=None)
    raise AssertionError(f"{term} reads the position")


def _fold(term: TFold, env: Env, tables: Tables) -> int | None:
    ways = (inner for inner in bindings(term.binders, env, tables) if holds(term.where, inner, tables))
    values = (value(term.of, inner, tables) for inner in ways)
    return AGGREGATES[term.kind].evaluate(one for one in values if one is not None)


def bindings(binders: tuple[tuple[Var, TSet], ...], env: Env, tables: Tables) -> Iterator[Env]:
    """The environment with the bound variables added, in every way, in order."""
    if not binders:
        yield env
        return
    (var, within), *rest = binders
    for member in members(within, env, tables):
        yield from bindings(tuple(rest), {**env, var: member}, tables)


@remembered
def work(node: Typed) -> int:
    """About how many steps it takes to compute what does not read the position."""
    inside = 1 + sum(map(work, parts(node)))
    match node:
        case CSome(binders, _) | TFold(binders=binders):
            return inside * prod(base.sort.size for _, base in binders)
        case SWhere(base=base):
            return inside * base.sort.size
        case SReach(near=near) | TSteps(near=near):
            assert isinstance(near.sort, Sort)
            return inside * near.sort.size**2
        case SSort(sort) | SInterval(sort=sort):
            return sort.size
    return inside


def holds(cond: Cond, env: Env, tables: Tables) -> bool:
    """True if a condition that does not read the position holds."""
    match cond:
        case CTruth(truth):
            return truth
        case CCompare(op, left, right):
            a, b = value(left, env, tables), value(right, env, tables)
            return a is not None and b is not None and bool(OPERATORS[op].evaluate(a, b))
        case CIn(item, within):
            a = value(item, env, tables)
            return a is not None and a in members(within, env, tables)
        case CRelation(name, args):
            key = [value(arg, env, tables) for arg in args]
            return tuple(key) in tables[name].lookup
        case CNot(of):
            return not holds(of, env, tables)
        case CAnd(parts):
            return all(holds(part, env, tables) for part in parts)
        case COr(parts):
            return any(holds(part, env, tables) for part in parts)
        case CSome(binders, inner):
            return any(holds(inner, one, tables) for one in bindings(binders, env, tables))
    raise AssertionError(f"{cond} reads the position")


def members(within: TSet, env: Env, tables: Tables) -> list[int]:
    """The members of a set that does not read the position, ascending."""
    match within:
        case SSort(sort):
            return list(sort.values())
        case SInterval(low, high, _):
            a, b = value(low, env, tables), value(high, env, tables)
            return [] if a is None or b is None else list(range(a, b + 1))
        case SItems(items, _):
            found = {value(item, env, tables) for item in items}
            return sorted(member for member in found if member is not None)
        case STable(name, args, _):
            key = tuple(value(arg, env, tables) for arg in args)
            return tables[name].by_prefix.get(key, [])  # type: ignore[arg-type]
        case SWhere(var, base, cond, _):
            return [m for m in members(base, env, tables) if holds(cond, {**env, var: m}, tables)]
        case SOp(op, left, right, _):
            ours, theirs = set(members(left, env, tables)), set(members(right, env, tables))
            return sorted(ours | theirs if op == "union" else ours - theirs if op == "except" else ours & theirs)
        case SReach(start, near, following, cond, sort):
            return sorted(_spread(members(start, env, tables), near, following, cond, env, tables))
    raise AssertionError(f"{within} reads the position")


def _spread(start: list[int], near: Var, following: Var, cond: Cond, env: Env, tables: Tables) -> dict[int, int]:
    """The values reached from `start`, each with the least number of steps."""
    assert isinstance(following.sort, Sort)
    found = dict.fromkeys(start, 0)
    for here in (waiting := [*found]):
        for other in following.sort.values():
            if other not in found and holds(cond, {**env, near: here, following: other}, tables):
                found[other] = found[here] + 1
                waiting.append(other)
    return found


class Rows:
    """Rows of values for some variables, and what expressions are for each of them: lists as long as the rows."""

    def __init__(self, variables: tuple[Var, ...], rows: Iterable[Row], tables: Tables):
        self.variables = variables
        self.given = rows
        self.tables = tables

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows as a list, computed when first needed."""
        return list(self.given)

    def where(self, cond: Cond) -> Rows:
        """The rows for which a condition holds."""
        return Rows(self.variables, compress(self.rows, self.holds(cond)), self.tables)

    @cached_property
    def columns(self) -> dict[Var, list[int]]:
        """The values of each variable, in the order of the rows."""
        if not self.rows:
            return {var: [] for var in self.variables}
        return dict(zip(self.variables, map(list, zip(*self.rows, strict=True)), strict=True))

    @cached_property
    def envs(self) -> list[Env]:
        """Each row as a dict from variable to value."""
        return [dict(zip(self.variables, row, strict=True)) for row in self.rows]

    def value(self, term: Term) -> Column:
        """The value of a term in each row."""
        match term:
            case TConst(number, _):
                return [number] * len(self)
            case TVar(var):
                return [*self.columns[var]]
            case TLookup(name, (arg,), _):
                return list(map(self.tables[name].by_first.get, self.value(arg)))  # type: ignore[arg-type]
            case TLookup(name, args, _):
                found = map(self.tables[name].lookup.get, self.keys(args))  # type: ignore[arg-type]
                return [None if rest is None else rest[0] for rest in found]
            case TOp(op, args, _):
                operands = [self.value(arg) for arg in args]
                evaluate = OPERATORS[op].evaluate
                if any(None in column for column in operands):
                    return [None if None in row else evaluate(*row) for row in zip(*operands, strict=True)]
                return list(map(evaluate, *operands))
        return [value(term, env, self.tables) for env in self.envs]

    def holds(self, cond: Cond) -> Column:
        """Whether a condition holds in each row; where something in it has no value, it does not."""
        match cond:
            case CTruth(truth):
                return [truth] * len(self)
            case CCompare(op, left, right):
                return self.value(TOp(op, (left, right), BOOL))
            case CIn(item, SSort(sort)):
                return list(map(sort.values().__contains__, self.value(item)))
            case CIn(item, SInterval(TConst(first), TConst(last), _)):
                return list(map(range(first, last + 1).__contains__, self.value(item)))
            case CIn(item, SInterval(low, high, _)):
                ends = zip(self.value(item), self.value(low), self.value(high), strict=True)
                return [n is not None and a is not None and b is not None and a <= n <= b for n, a, b in ends]
            case CIn(item, SItems(items, _)) if items:
                rows = zip(self.value(item), self.keys(items), strict=True)
                return [n is not None and n in row for n, row in rows]
            case CIn(item, STable(name, args, _)):
                return list(map(set(self.tables[name].rows).__contains__, self.keys((*args, item))))
            case CRelation(name, args):
                return list(map(self.tables[name].lookup.__contains__, self.keys(args)))
            case CNot(of):
                return [not truth for truth in self.holds(of)]
            case CAnd(parts):
                return [all(truths) for truths in zip(*map(self.holds, parts), strict=True)]
            case COr(parts):
                return [any(truths) for truths in zip(*map(self.holds, parts), strict=True)]
        return [holds(cond, env, self.tables) for env in self.envs]

    def members(self, within: TSet) -> list[Row]:
        """Each row with each member of a set, ascending."""
        match within:
            case SWhere(var, base, cond, _):
                return Rows((*self.variables, var), self.members(base), self.tables).where(cond).rows
            case SItems(items, _):
                found: Iterable[list[int]] = (sorted(n for n in {*row} if n is not None) for row in self.keys(items))
            case _:
                found = (members(within, env, self.tables) for env in self.envs)
        return [(*row, member) for row, every in zip(self.rows, found, strict=True) for member in every]

    def keys(self, args: tuple[Term, ...]) -> Iterator[tuple[int | None, ...]]:
        """The values of some terms in each row."""
        return zip(*map(self.value, args), strict=True) if args else repeat((), len(self))


class Product(Rows):
    """Every combination of some values of each variable.  What speaks of few of them is computed for these alone."""

    def __init__(self, ranges: dict[Var, Sequence[int]], tables: Tables):
        super().__init__(tuple(ranges), product(*ranges.values()), tables)
        self.ranges = ranges

    def __len__(self) -> int:
        return prod(map(len, self.ranges.values()))

    def where(self, cond: Cond) -> Rows:
        """The rows for which a condition holds; a condition on one variable only narrows its range."""
        used = free(cond)
        if len(used) != 1:
            return Rows(self.variables, compress(product(*self.ranges.values()), self.holds(cond)), self.tables)
        (var,) = used
        narrower = list(compress(self.ranges[var], self._of(used).holds(cond)))
        return Product({**self.ranges, var: narrower}, self.tables)

    def value(self, term: Term) -> Column:
        """The value of a term in each row, computed once per combination of the variables it mentions."""
        few = self._of(free(term))
        return super().value(term) if few is self else self._spread(few, few.value(term))

    def holds(self, cond: Cond) -> Column:
        """Whether a condition holds in each row, computed once per combination of the variables it mentions."""
        few = self._of(free(cond))
        return super().holds(cond) if few is self else self._spread(few, few.holds(cond))

    def _of(self, variables: frozenset[Var]) -> Product:
        """The combinations for some of the variables."""
        if len(variables) == len(self.ranges):
            return self
        return Product({var: values for var, values in self.ranges.items() if var in variables}, self.tables)

    def _spread(self, few: Product, found: Column) -> Column:
        """A column with a row for each combination of `few` variables, repeated to have one for each combination of
        all."""
        if not len(self):
            return []
        width = 1  # how many places lie between two values of a variable
        for var, values in reversed(self.ranges.items()):
            if var not in few.ranges:
                blocks = (found[at : at + width] * len(values) for at in range(0, len(found), width))
                found = list(chain.from_iterable(blocks))
            width *= len(values)
        return found
