"""Typed expressions to steps: in which order a body is carried out.

In: variables to choose, and conditions on them.  Out: the flat steps of the model, such that
  * a condition stands as early as its variables allow, cheap ones first;
  * a condition that names few values of a variable chooses it, instead of trying all values:
    an equation, a row of a table, a member of a set, the cells where the position holds a value;
  * conditions that do not read the position are computed now and become one table;
  * a straight line with a condition on every cell between is walked outwards, cell by cell.

The parameters of a move are chosen in declared order and each in ascending order, so that moves come in
canonical order without sorting; only a walk comes ray by ray, and is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from operator import itemgetter

from pysolve.dsl.check import static
from pysolve.dsl.check.names import WORK_LIMIT, Names
from pysolve.dsl.check.symbols import Rejected, Symbols
from pysolve.dsl.check.terms import (
    ALWAYS,
    CONDS,
    SETS,
    TERMS,
    CAnd,
    CCompare,
    CIn,
    CNot,
    Cond,
    COr,
    CPossible,
    CRelation,
    CRule,
    CSome,
    CTruth,
    SInterval,
    SItems,
    SOp,
    SReach,
    SRule,
    SSort,
    STable,
    SWhere,
    TConst,
    Term,
    TFold,
    TIf,
    TLookup,
    TMobility,
    TNarrow,
    TOp,
    TRead,
    TReify,
    TRule,
    TSet,
    TSteps,
    TVar,
    Typed,
    conjuncts,
    free,
    parts,
    players,
    reads,
    rebuilt,
    total,
    wholes,
)  # fmt: skip
from pysolve.dsl.errors import Span
from pysolve.dsl.language import functions
from pysolve.dsl.language.operators import OPERATORS, Operator
from pysolve.dsl.model import (
    Among,
    Ask,
    Atom,
    Body,
    Choose,
    Collect,
    Const,
    Distance,
    Each,
    Either,
    Exists,
    Expr,
    Find,
    Fold,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Op,
    Possible,
    Reach,
    Rule,
    SetSort,
    Sort,
    Stage,
    Step,
    Table,
    Test,
    Var,
    Walk,
)  # fmt: skip
from pysolve.dsl.model.rule_names import given_name, table_of_rays

MERGE_LIMIT = 40_000  # combinations of values that a merged table may have to look at


@dataclass
class Pending:
    """A condition that is still to be placed, and the demand it belongs to."""

    cond: Cond
    origin: int | None = None

    @property
    def free(self) -> frozenset[Var]:
        """The variables that have to be known before it can be tested."""
        return free(self.cond)

    @property
    def reads(self) -> bool:
        """Does it depend on the position?"""
        return reads(self.cond)


@dataclass
class Builder:
    """Writes one body.  What it has read it does not read again."""

    symbols: Symbols
    names: Names
    owner: str
    bound: set[Var] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)
    known: dict[Typed, Atom] = field(default_factory=dict)
    ordered: bool = True

    def inner(self) -> Builder:
        """A builder for a body inside this one: it knows what is known here."""
        return Builder(self.symbols, self.names, self.owner, set(self.bound), [], dict(self.known))

    def fresh_position(self) -> Builder:
        """A builder that knows the variables, but has read nothing: the position has changed."""
        return Builder(self.symbols, self.names, self.owner, set(self.bound))

    def body(self) -> Body:
        """The steps written so far."""
        return tuple(self.steps)

    # -------------------------------------------------------------------------------------- values

    def atom(self, term: Term) -> Atom:
        """The value of a term, in a variable or a constant."""
        expr = self.value(term)
        if isinstance(expr, Op):
            var = self.names.fresh(self.names.wishes.get(term, "value"), term.sort)
            self.steps.append(Let(var, expr))
            self.known[term] = var
            return var
        return expr

    def value(self, term: Term) -> Expr:
        """The value of a term; what has to be read or looked up for it becomes steps."""
        match term:
            case TConst(number, sort):
                return Const(number, sort)
            case TVar(var):
                return var
        known = self.known.get(term)
        if known is not None:
            return known
        match term:
            case TOp(op, args, _):
                row = OPERATORS[op]
                values = tuple(self.atom(arg) if row.repeats(i) else self.value(arg) for i, arg in enumerate(args))
                self._defined(row, args, values)
                return Op(op, values)
            case TNarrow(of, sort):
                atom = self.atom(of)
                self._inside(atom, of.sort, sort)
                return atom
        var = self.names.fresh(self.names.wishes.get(term) or _wish(term), term.sort)
        self.value_into(term, var)
        self.known[term] = var
        return var

    def value_into(self, term: Term, var: Var) -> None:
        """Binds `var` to the value of a term."""
        if term in self.known:
            self.steps.append(Let(var, self.known[term]))
            return
        match term:
            case TRead(slot, args, _):
                self.steps.append(Get(slot, self._atoms(args), var, (var,)))
            case TLookup(table, args, _):
                self.steps.append(Find(table, (*self._atoms(args), var), (var,)))
            case TRule(rule, args, _):
                self.steps.append(Ask(rule, self._atoms(args), var))
            case TMobility(player):
                self.steps.append(Mobility(var, self.atom(player)))
            case TReify(cond):
                test = self.inner()
                test.cond(cond)
                yes, no = (Let(var, Const(n, term.sort)) for n in (1, 0))
                self.steps.append(Choose(var, test.body(), (yes,), (no,)))
            case TIf(test_cond, then, otherwise, _):
                test, a, b = self.inner(), self.inner(), self.inner()
                test.cond(test_cond)
                a.value_into(then, var)
                b.value_into(otherwise, var)
                self.steps.append(Choose(var, test.body(), a.body(), b.body()))
            case TFold(kind, binders, where, of, _):
                self.share(term)
                inner = self.inner()
                inner.choose(list(binders), [Pending(c) for c in conjuncts(where)])
                value = inner.value(of)
                self.steps.append(Fold(var, kind, value, inner.body()))
            case TSteps(start, goal, near, following, cond, _):
                first, last = self.set_value(start), self.set_value(goal)
                self.steps.append(Distance(var, first, last, near, following, self._step(near, following, cond)))
            case _:
                self.steps.append(Let(var, self.value(term)))

    def _atoms(self, terms: Iterable[Term]) -> tuple[Atom, ...]:
        return tuple(self.atom(term) for term in terms)

    def _defined(self, row: Operator, args: tuple[Term, ...], values: tuple[Expr, ...]) -> None:
        """Tests that an operation has a value: no division by zero, no root of a negative number."""
        if row.needs is None:
            return
        sort = args[row.needs.operand].sort
        if not row.needs.met(sort.low, sort.high):
            self.steps.append(Test(row.needs.sign, values[row.needs.operand], Const(0, Sort("number", 0, 0))))

    def _inside(self, atom: Atom, own: Sort, sort: Sort) -> None:
        """Tests that a value of one sort lies in a narrower one."""
        if own.optional and not sort.optional and own.low >= sort.low:
            self.steps.append(Test("!=", atom, Const(own.none, own)))
        elif own.lowest < sort.lowest:
            self.steps.append(Test(">=", atom, Const(sort.lowest, own)))
        if own.high > sort.high:
            self.steps.append(Test("<=", atom, Const(sort.high, own)))

    # ---------------------------------------------------------------------------------- conditions

    def cond(self, cond: Cond) -> None:
        """Adds the steps that test a condition whose variables are all known."""
        match cond:
            case CTruth(holds):
                if not holds:
                    never = Const(0, Sort("number", 0, 1))
                    self.steps.append(Test("=", never, Const(1, never.sort)))
            case CCompare("=", (TRead() | TLookup()) as left, right) if left not in self.known:
                self._equal(left, self.atom(right))
            case CCompare("=", left, (TRead() | TLookup()) as right) if right not in self.known:
                self._equal(right, self.atom(left))
            case CCompare(op, left, right):
                self.steps.append(Test(op, self.value(left), self.value(right)))
            case CIn(item, within):
                self._within(self.atom(item), item.sort, within)
            case CRelation(table, args):
                self.steps.append(Find(table, self._atoms(args), ()))
            case CRule(rule, args):
                self.steps.append(Ask(rule, self._atoms(args), None))
            case CPossible(action):
                self.steps.append(Possible(action))
            case CNot(CSome(binders, inner_cond)):
                self.share(cond)
                inner = self.inner()
                inner.choose(list(binders), [Pending(c) for c in conjuncts(inner_cond)])
                self.steps.append(Not(inner.body()))
            case CNot(of):
                inner = self.inner()
                inner.cond(of)
                self.steps.append(Not(inner.body()))
            case CAnd(parts):
                self.choose([], [Pending(part) for part in parts])
            case COr(parts):
                bodies = []
                for part in parts:
                    inner = self.inner()
                    inner.cond(part)
                    bodies.append(inner.body())
                self.steps.append(Either(tuple(bodies)))
            case CSome(binders, inner_cond):
                self.share(cond)
                inner = self.inner()
                inner.choose(list(binders), [Pending(c) for c in conjuncts(inner_cond)])
                self.steps.append(Exists(inner.body()))

    def _equal(self, term: TRead | TLookup, atom: Atom) -> None:
        if isinstance(term, TRead):
            self.steps.append(Get(term.slot, self._atoms(term.args), atom, ()))
        else:
            self.steps.append(Find(term.table, (*self._atoms(term.args), atom), ()))

    def _within(self, item: Atom, sort: Sort, within: TSet) -> None:
        """Tests that a known value is in a set."""
        match within:
            case SSort(of):
                self._inside(item, sort, of)
            case SInterval(low, high, _):
                self.steps.append(Test(">=", item, self.value(low)))
                self.steps.append(Test("<=", item, self.value(high)))
            case SItems(items, _):
                self._among(item, sort, items)
            case STable(table, args, _):
                self.steps.append(Find(table, (*self._atoms(args), item), ()))
            case SWhere(var, base, cond, _):
                self._within(item, sort, base)
                if isinstance(item, Var):
                    self.bound.add(item)
                self.cond(substituted(cond, var, item))
            case SOp("union", left, right, _):
                bodies = []
                for side in (left, right):
                    inner = self.inner()
                    inner._within(item, sort, side)
                    bodies.append(inner.body())
                self.steps.append(Either(tuple(bodies)))
            case SOp(op, left, right, _):
                self._within(item, sort, left)
                inner = self.inner()
                inner._within(item, sort, right)
                self.steps += inner.steps if op == "intersect" else [Not(inner.body())]
            case _:
                self.steps.append(Member(item, self.set_value(within), ()))

    def _among(self, item: Atom, sort: Sort, items: tuple[Term, ...]) -> None:
        """Tests that a known value is one of some items; an item that has no value is none of them."""
        sure = [i for i in items if self.total(i)]
        if len(sure) == len(items):
            self.steps.append(Among(item, self._atoms(items), ()))
            return
        me: Term = TVar(item) if isinstance(item, Var) else TConst(item.value, sort)
        bodies = []
        for one in items:
            inner = self.inner()
            inner.cond(CCompare("=", me, one))
            bodies.append(inner.body())
        self.steps.append(Either(tuple(bodies)))

    def total(self, term: Term) -> bool:
        """True if a term certainly has a value."""
        return total(term, self.symbols.tables)

    def set_value(self, within: TSet) -> Var:
        """A variable that holds the whole set."""
        if within in self.known:
            found = self.known[within]
            assert isinstance(found, Var)
            return found
        var = self.names.fresh("set", SetSort(within.sort))
        match within:
            case SRule(rule, args, _):
                self.steps.append(Ask(rule, self._atoms(args), var))
            case SReach(start, near, following, cond, _):
                first = self.set_value(start)
                self.steps.append(Reach(var, first, near, following, self._step(near, following, cond)))
            case _:
                inner = self.inner()
                item = self.names.fresh("member", within.sort)
                inner.choose([(item, within)], [])
                self.steps.append(Collect(var, item, inner.body()))
        self.known[within] = var
        return var

    def _step(self, near: Var, following: Var, cond: Cond) -> Body:
        """The ways in which a step leads from `near` to `following`."""
        inner = self.inner()
        inner.bound.add(near)
        inner.choose([(following, SSort(_sort(following)))], [Pending(c) for c in conjuncts(cond)])
        return inner.body()

    # ------------------------------------------------------------------------------------- choosing

    def choose(
        self, unbound: list[tuple[Var, TSet]], pending: list[Pending], declared_order: bool = False
    ) -> list[tuple[tuple[int, ...], Body]]:
        """Adds the steps that choose the variables in every way that meets the conditions.

        Returns the steps in groups, each with the numbers of the demands it comes from.
        """
        pending = [Pending(c, p.origin) for p in pending for c in conjuncts(p.cond)]
        unbound = list(unbound)
        for var, base in unbound:
            pending.append(Pending(CIn(TVar(var), base)))
        groups: list[tuple[tuple[int, ...], Body]] = []
        start = len(self.steps)

        def close(origins: Iterable[int | None]) -> None:
            nonlocal start
            if len(self.steps) > start:
                real = sorted({o for o in origins if o is not None})
                groups.append((tuple(real), tuple(self.steps[start:])))
            start = len(self.steps)

        while True:
            ready = [p for p in pending if p.free <= self.bound]
            pending = [p for p in pending if not p.free <= self.bound]
            for one in sorted(ready, key=lambda p: _cost(p.cond)):
                self.cond(one.cond)
                close([one.origin])
            if not unbound:
                if pending and self.symbols.report.problems:
                    raise Rejected  # its variables come from a phrase that was rejected
                assert not pending, f"a condition is never tested: {pending[0].cond}"
                return groups
            for one in pending:  # what does not depend on the choices is looked up before them, once
                for player in players(one.cond):
                    self.value(player)
                match one.cond:
                    case CIn(_, (SRule() | SReach()) as within) if free(within) <= self.bound:
                        self.set_value(within)
                    case _:
                        self.share(one.cond)
                close([one.origin])
            candidates = unbound[:1] if declared_order else unbound
            best = min((self._generator(var, pending, declared_order) for var, _ in candidates),
                       key=lambda g: g.cost)  # fmt: skip
            best.emit(self)
            self.bound.add(best.var)
            close([p.origin for p in best.uses])
            self.ordered = self.ordered and best.ordered
            pending = [p for p in pending if p not in best.uses]
            unbound = [(var, base) for var, base in unbound if var != best.var]

    def share(self, node: Typed) -> None:
        """Computes the sets of a phrase whose arguments are known, before what is done many times."""
        for found in wholes(node):
            if free(found) <= self.bound and all(self.total(p) for p in parts(found) if isinstance(p, TERMS)):
                self.set_value(found)

    def _generator(self, var: Var, pending: list[Pending], params: bool) -> Generator:
        """The cheapest way to choose a variable."""
        found: list[Generator] = []
        for one in pending:
            found += self._generators(var, one)
        if params:
            found += self._walks(var, pending)
        merged = self._merged(var, pending)
        if merged is not None:
            found.append(merged)
        if not found:  # its set depends on a variable that is not chosen yet
            return Generator(var, 10**9, (), lambda b: None)
        return min(found, key=lambda g: g.cost)

    def _generators(self, var: Var, one: Pending) -> list[Generator]:
        """The ways in which one condition chooses a variable."""
        me, bound, found = TVar(var), self.bound, []
        match one.cond:
            case CCompare("=", left, right):
                for a, b in ((left, right), (right, left)):
                    if a == me and free(b) <= bound:
                        found.append(Generator(var, 1, (one,), partial(Builder._take, var=var, term=b)))
                    if not free(b) <= bound:
                        continue
                    match a:
                        case TRead(slot, (TVar(v),), _) if v == var and self._whole(var, slot):
                            cost = self.symbols.slots[slot].count / max(2, a.sort.size)
                            read = partial(Builder._places, var=var, slot=slot, value=b)
                            found.append(Generator(var, cost, (one,), read))
                        case TLookup(table, args, _) if me in args:
                            others = [x for x in args if x != me]
                            if len(others) == len(args) - 1 and all(free(x) <= bound for x in others):
                                found.append(self._row(var, table, (*args, b), one))
            case CRelation(table, args) if me in args:
                others = [x for x in args if x != me]
                if len(others) == len(args) - 1 and all(free(x) <= bound for x in others):
                    found.append(self._row(var, table, args, one))
            case CIn(item, within) if item == me and free(within) <= bound:
                found.append(self._from_set(var, within, one))
        return found

    def _whole(self, var: Var, slot: str) -> bool:
        """True if a variable ranges over just the places of a slot."""
        param, sort = self.symbols.slots[slot].params[0], _sort(var)
        return (param.low, param.high, param.labels) == (sort.low, sort.high, sort.labels)

    def _row(self, var: Var, table: str, args: tuple[Term, ...], one: Pending) -> Generator:
        rows = self.symbols.tables[table]
        others = [i for i, arg in enumerate(args) if arg != TVar(var)]
        distinct = len(set(map(itemgetter(*others), rows.rows))) if others and rows.rows else 1

        def emit(s: Builder) -> None:
            s.steps.append(Find(table, tuple(var if a == TVar(var) else s.atom(a) for a in args), (var,)))
            s._inside(var, rows.sorts[args.index(TVar(var))], _sort(var))

        return Generator(var, 0.5 + len(rows.rows) / distinct, (one,), emit)

    def _from_set(self, var: Var, within: TSet, one: Pending) -> Generator:
        size = float(within.sort.size)

        def emit(s: Builder) -> None:
            choose(s)
            s._inside(var, within.sort, _sort(var))

        def choose(s: Builder) -> None:
            match within:
                case SSort(sort):
                    s.steps.append(Each(var, Const(sort.low, sort), Const(sort.high, sort)))
                case SInterval(low, high, _):
                    s.steps.append(Each(var, s.atom(low), s.atom(high)))
                case SItems(items, sort) if all(isinstance(i, TConst) for i in items):
                    values = sorted({i.value for i in items if isinstance(i, TConst)})
                    s.steps.append(Among(var, tuple(Const(v, sort) for v in values), (var,)))
                case SItems((item,), _):
                    s.value_into(item, var)
                case SItems(items, _):
                    s._one_of(var, items)
                case STable(table, args, _):
                    s.steps.append(Find(table, (*s._atoms(args), var), (var,)))
                case SWhere(inner, base, cond, _):
                    s._from_set(var, base, one).emit(s)
                    s.bound.add(var)
                    s.cond(substituted(cond, inner, var))
                case SOp(op, left, right, _) if op != "union":
                    s._from_set(var, left, one).emit(s)
                    s.bound.add(var)
                    s.cond(CIn(TVar(var), right) if op == "intersect" else CNot(CIn(TVar(var), right)))
                case SOp():
                    s._union(var, within)
                case _:
                    s.steps.append(Member(var, s.set_value(within), (var,)))

        match within:
            case STable(table, args, _):
                return replace(self._row(var, table, (*args, TVar(var)), one), emit=emit)
            case SItems(items, _):
                return Generator(var, float(len(items)), (one,), emit)
            case SRule() | SReach():
                return Generator(var, 20 + size / 4, (one,), emit)
        return Generator(var, size, (one,), emit)

    def _one_of(self, var: Var, items: tuple[Term, ...]) -> None:
        """Chooses among the items that have a value, each once and in order."""
        inner = self.inner()
        numbers = Sort("number", 1, len(items))
        nth, item = self.names.fresh("nth", numbers), self.names.fresh("item", _sort(var))
        inner.steps.append(Each(nth, Const(1, numbers), Const(len(items), numbers)))
        inner.bound.add(nth)
        *firsts, choice = items
        for i, one in reversed(list(enumerate(firsts, 1))):
            choice = TIf(CCompare("=", TVar(nth), TConst(i, numbers)), one, choice, choice.sort)
        inner.value_into(choice, item)
        everything = self.names.fresh("set", SetSort(_sort(var)))
        self.steps.append(Collect(everything, item, inner.body()))
        self.steps.append(Member(var, everything, (var,)))

    def _union(self, var: Var, within: SOp) -> None:
        """Chooses among two sets, each member once and in order."""
        inner = self.inner()
        each = self.names.fresh("member", within.sort)
        inner._from_set(each, SSort(within.sort), Pending(ALWAYS)).emit(inner)
        inner.bound.add(each)
        inner.cond(COr((CIn(TVar(each), within.left), CIn(TVar(each), within.right))))
        everything = self.names.fresh("set", SetSort(within.sort))
        self.steps.append(Collect(everything, each, inner.body()))
        self.steps.append(Member(var, everything, (var,)))

    def _places(self, var: Var, slot: str, value: Term) -> None:
        """Chooses the places where a slot holds a value."""
        self.steps.append(Get(slot, (var,), self.atom(value), (var,)))

    def _take(self, var: Var, term: Term) -> None:
        """Binds a variable to a value, if it is one of its sort."""
        self.value_into(term, var)
        self._inside(var, term.sort, _sort(var))

    # --------------------------------------------------------------------------------- static tables

    def _merged(self, var: Var, pending: list[Pending]) -> Generator | None:
        """All conditions on a variable that do not read the position, as one table computed now."""
        known = self.bound | {var}
        ours = [p for p in pending if var in p.free and not p.reads and p.free <= known]
        if len(ours) < 2:
            return None
        given = sorted(frozenset().union(*(p.free for p in ours)) - {var}, key=lambda v: v.name)
        if len(given) > 2 or any(_sort(v).size > MERGE_LIMIT for v in [*given, var]):
            return None
        if all(isinstance(p.cond, CIn) and isinstance(p.cond.within, (SSort, SInterval)) for p in ours):
            return None
        tries = prod(_sort(v).size for v in given) * self._tries(var, ours)
        if tries > MERGE_LIMIT or tries * sum(static.work(p.cond) for p in ours) > 10 * WORK_LIMIT:
            return None
        table = self._merge(var, given, ours)
        rows = len(table.rows) / max(1, prod(_sort(v).size for v in given))

        def emit(s: Builder) -> None:
            s.symbols.tables[table.name] = table
            s.steps.append(Find(table.name, (*given, var), (var,)))

        return Generator(var, 0.4 + rows, tuple(ours), emit)

    def _tries(self, var: Var, ours: list[Pending]) -> float:
        """An estimate: how many values of a variable must be tried for each combination of the other variables."""
        return min((g.cost for p in ours for g in self._generators(var, p)), default=_sort(var).size)

    def _merge(self, var: Var, given: list[Var], ours: list[Pending]) -> Table:
        narrow = min(ours, key=lambda p: min((g.cost for g in self._generators(var, p)), default=1e9))
        variables = (*given, var)
        found = self._meeting(variables, narrow.cond)
        for one in sorted(ours, key=lambda p: (len(p.free) > 1, _cost(p.cond))):  # the ranges get shorter first
            found = found if one is narrow else found.where(one.cond)
        sorts = tuple(_sort(v) for v in variables)
        return self._named(Table("", sorts, tuple(found.rows), len(sorts)), var)

    def _named(self, table: Table, var: Var) -> Table:
        """The table under a name of its own; the same rows keep the name that they have."""
        for known in self.symbols.tables.values():
            if known.rows == table.rows and known.sorts == table.sorts and known.name.startswith("static_"):
                return known
        name, number = f"static_{self.owner}_{var.name}", 1
        while name in self.symbols.tables:
            number += 1
            name = f"static_{self.owner}_{var.name}{number}"
        return Table(name, table.sorts, table.rows, table.keys)

    def _meeting(self, variables: tuple[Var, ...], cond: Cond) -> static.Rows:
        """The values of some variables that meet a condition, ascending; the last is to be chosen."""
        *given, var = variables
        found = None
        match cond:
            case CIn(TVar(v), STable(table, args, _)) if v == var:
                found = self._rows(variables, table, (*args, TVar(var)))
            case CRelation(table, args):
                found = self._rows(variables, table, args)
            case CCompare("=", TLookup(table, args, _), other) | CCompare("=", other, TLookup(table, args, _)):
                found = self._rows(variables, table, (*args, other))
            case CIn(TVar(v), within) if v == var and not isinstance(within, SSort):
                found = self._every(given).members(within)
        if found is None:
            return self._every(variables).where(cond)
        return static.Rows(variables, found, self.symbols.tables)

    def _every(self, variables: Iterable[Var]) -> static.Product:
        """All combinations of the values of some variables."""
        return static.Product({v: _sort(v).all_values() for v in variables}, self.symbols.tables)

    def _rows(self, variables: tuple[Var, ...], table: str, args: tuple[Term, ...]) -> Iterable[static.Row] | None:
        """The rows of values of `variables` that a table with these arguments allows, ascending.

        The last variable must stand once among the arguments; otherwise None.
        """
        *given, var = variables
        places = [i for i, arg in enumerate(args) if var in free(arg)]
        if len(places) != 1 or args[places[0]] != TVar(var):
            return None
        (place,) = places
        rows, sorts = self.symbols.tables[table].rows, self.symbols.tables[table].sorts
        column = {arg.var: i for i, arg in enumerate(args) if isinstance(arg, TVar)}
        if (
            given
            and len(column) == len(args)
            and column.keys() == {*variables}
            and (all(_covers(_sort(v), sorts[column[v]]) for v in given))
        ):  # then these are the rows of the table
            return sorted(map(itemgetter(*(column[v] for v in variables)), rows))
        found: dict[tuple[int | None, ...], list[int]] = {}
        for row in rows:
            found.setdefault((*row[:place], *row[place + 1 :]), []).append(row[place])
        cases = self._every(given)
        keys = cases.keys((*args[:place], *args[place + 1 :]))
        return ((*row, member) for row, key in zip(cases.rows, keys, strict=True) for member in found.get(key, ()))

    # ----------------------------------------------------------------------------------------- walks

    def _walks(self, var: Var, pending: list[Pending]) -> list[Generator]:
        """`aligned(a, var)` with a condition on every cell between: a walk outwards from a."""
        if self.symbols.grid.several_ways:
            return []
        for line in pending:
            match line.cond:
                case CRelation(functions.ALIGNED, (TVar(a), TVar(b))) if b == var and a in self.bound:
                    origin = a
                case CRelation(functions.ALIGNED, (TVar(b), TVar(a))) if b == var and a in self.bound:
                    origin = a
                case _:
                    continue
            for way in pending:
                match way.cond:
                    case CNot(CSome(((over, STable(functions.BETWEEN, ends, _)),), blocked)) if set(ends) == {
                        TVar(origin),
                        TVar(var),
                    } and free(blocked) <= self.bound | {over}:
                        return [self._walk(var, origin, over, blocked, line, way, pending)]
        return []

    def _walk(
        self, var: Var, origin: Var, over: Var, blocked: Cond, line: Pending, way: Pending,
        pending: list[Pending],
    ) -> Generator:  # fmt: skip
        ours = [p for p in pending if var in p.free and not p.reads and p.free <= {origin, var}]
        stops = self._merge(var, [origin], ours)
        rays = self._rays(stops)
        stops_first = any(_excludes(p.cond, var, blocked, over) for p in pending)

        def emit(s: Builder) -> None:
            s.symbols.tables[stops.name] = stops
            s.symbols.tables[rays.name] = rays
            inner = s.inner()
            inner.bound.add(over)
            inner.cond(CNot(blocked) if not isinstance(blocked, CNot) else blocked.of)
            s.steps.append(Walk(origin, var, over, inner.body(), rays.name, stops.name, stops_first))

        return Generator(var, 2.5, (*ours, way), emit, ordered=False)

    def _rays(self, stops: Table) -> Table:
        """(origin, line, distance, cell) for every cell on the way to an admissible stop."""
        grid, rows = self.symbols.grid, []
        cell = stops.sorts[0]
        for origin in grid.numbers:
            wanted = set(stops.by_prefix.get((origin,), ()))
            for number, ray in enumerate(grid.lines_from(origin), 1):
                last = max((i for i, c in enumerate(ray, 1) if c in wanted), default=0)
                rows += [(origin, number, i, c) for i, c in enumerate(ray[:last], 1)]
        lines = Sort("line", 1, max((row[1] for row in rows), default=1))
        far = Sort("distance", 1, max((row[2] for row in rows), default=1))
        return Table(table_of_rays(stops.name), (cell, lines, far, cell), tuple(rows), 3)


@dataclass(frozen=True)
class Generator:
    """A way to choose a variable: about how many values it gives, and what it makes superfluous."""

    var: Var
    cost: float
    uses: tuple[Pending, ...]
    emit: Callable[[Builder], None]
    ordered: bool = True


def _excludes(target: Cond, var: Var, blocked: Cond, over: Var) -> bool:
    """True if what is demanded of the target of a walk never holds of a cell that may be passed over."""
    match target, blocked:
        case (
            CCompare("=", TRead(slot, (TVar(v),), _), wanted),
            CNot(CCompare("=", TRead(other, (TVar(o),), _), TConst(clear, _))),
        ) if slot == other and v == var and o == over:
            if isinstance(wanted, TConst):
                return wanted.value != clear
            return not wanted.sort.lowest <= clear <= wanted.sort.high
    return False


# ---------------------------------------------------------------------------------------------- rules


def rule_of(
    symbols: Symbols, name: str, params: tuple[Var, ...], body: Typed, names: Names, span: Span, text: str
) -> Rule:
    """A rule for a typed expression over parameters."""
    builder = Builder(symbols, names, given_name(name), set(params))
    result: Atom | None = None
    if isinstance(body, CONDS):
        builder.cond(body)
    elif isinstance(body, SETS):
        result = builder.set_value(body)
    else:
        result = builder.atom(body)
    return Rule(name, params, result, builder.body(), reads(body), span, text)


def stages_of(
    groups: list[tuple[tuple[int, ...], Body]], lines: list[tuple[Span, str]], otherwise: tuple[Span, str]
) -> tuple[Stage, ...]:
    """Groups of steps with the lines that they come from."""
    stages = []
    for origins, steps in groups:
        span, text = lines[origins[0]] if origins else otherwise
        words = "; ".join(lines[o][1] for o in origins) if origins else text
        stages.append(Stage(span, words, steps))
    return tuple(stages)


# --------------------------------------------------------------------------------------------- helpers


def substituted(node: Cond, var: Var, by: Atom) -> Cond:
    """A condition with one variable replaced by a known value."""
    new: Term = TVar(by) if isinstance(by, Var) else TConst(by.value, by.sort)
    return rebuilt(node, lambda part: new if part == TVar(var) else None)


def _covers(wide: Sort, narrow: Sort) -> bool:
    """True if all values of a sort, `none` too, are among those of another."""
    return wide.low <= narrow.lowest and narrow.high <= wide.high


def _sort(var: Var) -> Sort:
    assert isinstance(var.sort, Sort)
    return var.sort


def _wish(term: Term) -> str:
    """A name for the variable that holds a value: what is read, and where."""
    match term:
        case TRead(slot, args, _):
            return "_".join([slot, *(_wish(a) for a in args)])
        case TLookup(table, args, _):
            return "_".join([given_name(table), *(_wish(a) for a in args if isinstance(a, TVar))])
        case TRule(rule, args, _):
            return "_".join([given_name(rule), *(_wish(a) for a in args if isinstance(a, TVar))])
        case TVar(var):
            return var.name
        case TConst(number, sort):
            return sort.label(number) if sort.labels else "number"
        case TFold(kind):
            return kind
        case TMobility():
            return "mobility"
        case TSteps():
            return "steps"
    return "value"


def _cost(cond: Cond) -> float:
    """About how long a test takes, in reads."""
    match cond:
        case CTruth():
            return 0
        case CCompare(_, left, right):
            return _term_cost(left) + _term_cost(right)
        case CRelation():
            return 2
        case CIn(item, within):
            return 1 + _term_cost(item) + (2 if isinstance(within, (SSort, SInterval, STable, SItems)) else 20)
        case CNot(of):
            return 1 + _cost(of)
        case CAnd(parts) | COr(parts):
            return 1 + sum(_cost(part) for part in parts)
        case CSome():
            return 12
        case CRule():
            return 8
        case CPossible():
            return 100
    return 5


def _term_cost(term: Term) -> float:
    match term:
        case TConst() | TVar():
            return 0
        case TRead(_, args, _):
            return 1 + sum(_term_cost(a) for a in args)
        case TLookup(_, args, _) | TOp(_, args, _):
            return 1.5 + sum(_term_cost(a) for a in args)
        case TNarrow(of):
            return 0.5 + _term_cost(of)
        case TFold() | TMobility():
            return 20
        case TRule() | TIf():
            return 8
    return 2
