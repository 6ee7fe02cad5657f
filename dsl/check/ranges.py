"""Between which numbers every value lies, so that all engines compute the same.

In: typed expressions, and what is known where they stand.  Out: the range of each value; an operation whose result may
be beyond `LARGEST` is reported where it is written.

It is interval arithmetic (Moore, Interval Analysis, 1966): the ranges of states, tables and variables are known, the
row of each operator has its rule, and conditions make ranges narrower where they hold: in the branches of an `if`,
behind `and`, `where` and `has`, and in the lines below one under `when`.  A definition is looked at anew for the
arguments of each use, so that `int` needs no bounds.

A value that a condition forbids is never used, but an engine may compute it before it tests the condition: C then drops
the bits that are too many, and Prolog takes as many as there are.  So it may be beyond `LARGEST`, but not by far, and
is never divided by -1, which C cannot do with the lowest number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pysolve.dsl.check.terms import (
    CONDS,
    SETS,
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
    free,
    reads,
    total,
    written_at,
)  # fmt: skip
from pysolve.dsl.errors import Span
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.operators import LARGEST, OPERATORS, Range
from pysolve.dsl.model import INT, Sort, Var
from pysolve.dsl.model.rule_names import given_name

if TYPE_CHECKING:
    from pysolve.dsl.check.symbols import Definition, Symbols

MOST_MOVES = 8_388_608  # legal moves of a position
MOST_LOOKS = 50_000  # expressions of a game that conditions are taken into account for
MOST_USES = 64  # of a definition that are told apart by their arguments
UNASKED = (-1000, 1000)  # what an `int` is taken for where no use says more
MOST_ROWS = 4096  # of a table that is looked at for each range of arguments
ABSURD = 2**1000  # of a value that a condition forbids: a float holds it, for its root
Among = tuple[Range | None, int]  # the range of the members of a set, and how many there are at most
Found = Range | Among | None


@dataclass(frozen=True)
class Use:
    """A definition applied to arguments: the range of its result, and the places where a number may be too large."""

    found: Found
    beyond: list[Span]


@dataclass
class Ranges:
    """The ranges of variables and terms that are known at some place in the rules.

    `plain` has the ranges without what the conditions around that place imply; None if these are all.
    """

    symbols: Symbols
    vars: Mapping[Var, Range] = field(default_factory=dict)
    terms: Mapping[Term, Range] = field(default_factory=dict)
    plain: Ranges | None = None
    told: bool = True  # are mistakes reported?
    dead: bool = False  # does nothing ever come here?
    beyond: list[Span] = field(default_factory=list)  # where results may be too large
    memo: dict[int, tuple[Typed, Found]] = field(default_factory=dict)

    # ---------------------------------------------------------------------------------- what is asked

    def look(self, node: Typed) -> Found:
        """The range of a term, or of the members of a set; and in a condition all terms."""
        if self.dead:
            return (None, 0) if isinstance(node, SETS) else None
        if id(node) not in self.memo:
            self.symbols.looks += 1
            self.memo[id(node)] = node, self._look(node)
        return self.memo[id(node)][1]

    def _look(self, node: Typed) -> Found:
        if isinstance(node, CONDS):
            self._cond(node)
            return None
        return self._set(node) if isinstance(node, SETS) else self._term(node)

    def fits(self, node: Typed) -> bool:
        """True if no value in an expression can be too large, wherever it is computed."""
        if not self.symbols.guarded:
            return True
        alone = Ranges(self.symbols, self.vars, told=False)
        alone.look(node)
        return not alone.beyond

    def value(self, term: Term) -> Range | None:
        """The range of a term; None if it never has a value."""
        return self.look(term)  # type: ignore[return-value]

    def members(self, within: TSet) -> Among:
        """The range of the members of a set, and how many there are at most."""
        return self.look(within)  # type: ignore[return-value]

    # ------------------------------------------------------------------------------------- what is known

    def _unconditional(self) -> Ranges:
        return self.plain or Ranges(self.symbols, self.vars, self.terms, told=False)

    def choosing(self, binders: Iterable[tuple[Var, TSet]]) -> Ranges:
        """These ranges with variables that are chosen from sets; each set may depend on the variables before it."""
        here = self
        for var, within in binders:
            here = here.binding(var, lambda one, within=within: one.members(within)[0])  # type: ignore[misc]
        return here

    def letting(self, var: Var, term: Term) -> Ranges:
        """These ranges with a variable for the value of a term."""
        return self.binding(var, lambda one: one.value(term))

    def binding(self, var: Var, ask: Callable[[Ranges], Range | None]) -> Ranges:
        """These ranges with one more variable, whose range `ask` gives; dead ranges if it can have no value."""
        found = ask(self)
        if found is None:
            return Ranges(self.symbols, dead=True)
        plain = None if self.plain is None else self.plain.binding(var, ask)
        return self._with({**self.vars, var: found}, self.terms, plain)

    def where(self, cond: Cond, holds: bool = True) -> Ranges:
        """These ranges narrowed by a condition that holds, or that does not; dead ranges if this cannot be."""
        if self.symbols.looks > MOST_LOOKS:
            return self
        narrower = _Narrower(self.quiet)
        narrower.take(cond, holds)
        if narrower.never:
            return Ranges(self.symbols, dead=True)
        if not narrower.vars and not narrower.terms:
            return self
        return self._with({**self.vars, **narrower.vars}, {**self.terms, **narrower.terms}, self._unconditional())

    @cached_property
    def quiet(self) -> Ranges:
        """These ranges for looking without reporting mistakes."""
        return Ranges(self.symbols, self.vars, self.terms, self.plain, told=False) if self.told else self

    def later(self) -> Ranges:
        """These ranges without those of terms that read the position, which may have changed."""
        return self._with(self.vars, {term: known for term, known in self.terms.items() if not reads(term)}, self.plain)

    def _with(self, names: Mapping[Var, Range], terms: Mapping[Term, Range], plain: Ranges | None) -> Ranges:
        return Ranges(self.symbols, names, terms, plain, self.told, self.dead, self.beyond)

    # ------------------------------------------------------------------------------------------- terms

    def _term(self, term: Term) -> Range | None:
        found = self._computed(term)
        return None if found is None else meet(found, self.terms.get(term, found))

    def _computed(self, term: Term) -> Range | None:
        match term:
            case TConst(number):
                return number, number
            case TVar(var):
                return self.vars.get(var) or ends(term.sort)
            case TRead(_, args, sort):
                return ends(sort) if self._all(args) is not None else None
            case TLookup(table, args, sort):
                return self._row(table, args, sort)
            case TRule(rule, args, _):
                return self._asked(rule, args)  # type: ignore[return-value]
            case TOp():
                return self._operation(term)
            case TIf(test, then, otherwise, _):
                self.look(test)
                return hull(self.where(test).value(then), self.where(test, False).value(otherwise))
            case TFold():
                return self._fold(term)
            case TReify(cond):
                self.look(cond)
                return 0, 1
            case TNarrow(of, sort):
                found = self.value(of)
                return found if found is None or sort == INT else meet(found, ends(sort))
            case TMobility(player):
                self.look(player)
                return 0, MOST_MOVES
            case TSteps(start, goal, near, following, cond, sort):
                self.members(start), self.members(goal)
                self._step(near, following, cond)
                return ends(sort)

    def _all(self, terms: Iterable[Term]) -> tuple[Range, ...] | None:
        """The ranges of some terms; None if one of them never has a value."""
        found = [self.value(term) for term in terms]
        return None if None in found else tuple(one for one in found if one is not None)

    def _operation(self, term: TOp) -> Range | None:
        found, operands = self._result(term)
        if found is None:
            return None
        if _too_large(found, LARGEST) or not (self.plain is None or self.plain._harmless(term)):
            return self._refused(term, found, operands)
        return found

    def _result(self, term: TOp) -> tuple[Range | None, tuple[Range, ...]]:
        """The range of a result, and those of the operands; a product of a value with itself is a square."""
        operands = self._all(term.args)
        if operands is None:
            return None, ()
        if term.op == "*" and term.args[0] == term.args[1]:
            return OPERATORS["^"].range(operands[0], (2, 2)), operands
        return OPERATORS[term.op].range(*operands), operands

    def _harmless(self, term: TOp) -> bool:
        """True if C and Prolog survive an operation whose result is not used."""
        found, operands = self._result(term)
        if found is None:
            return True
        self.symbols.guarded |= _too_large(found, LARGEST)
        divides = OPERATORS[term.op].divides and operands[1][0] <= -1 <= operands[1][1]
        return not _too_large(operands[0] if divides else found, LARGEST if divides else ABSURD)

    def _refused(self, term: TOp | TFold, found: Range, operands: tuple[Range, ...]) -> Range | None:
        """Takes note of a result that may be too large; nothing follows from it."""
        span = written_at(term)[0]
        if not self.told:
            self.beyond.append(span)
            return None if _too_large(found, ABSURD) else found
        if span not in self.symbols.too_large:
            self.symbols.too_large.add(span)
            refuse(self.symbols, span, found, _way_out(term, operands))
        self.beyond.append(span)
        return None

    def _fold(self, term: TFold) -> Range | None:
        adds, ways, inner = AGGREGATES[term.kind].adds, 1, self
        for var, within in term.binders:
            found, count = inner.members(within)
            ways *= count if found is not None else 0
            inner = inner.choosing([(var, within)])
        if not ways:
            return (0, 0) if adds else None
        inner.look(term.where)
        each = inner.where(term.where).value(term.of)
        if not adds:
            return each
        if each is None:
            return 0, 0
        total = min(0, ways * each[0]), max(0, ways * each[1])
        return self._refused(term, total, ()) if _too_large(total, LARGEST) else total

    # ------------------------------------------------------------------------- tables and definitions

    def _row(self, table: str, args: tuple[Term, ...], sort: Sort) -> Range | None:
        """The values in the last column of a table, for such arguments."""
        given = self._all(args)
        if given is None:
            return None
        if sort.labels:
            return ends(sort)
        found = self.symbols.tables[table]
        narrow = [
            i for i, (one, key) in enumerate(zip(given, found.sorts, strict=False)) if meet(ends(key), one) != ends(key)
        ]
        if narrow and len(found.rows) <= MOST_ROWS:
            last = [row[-1] for row in found.rows if all(given[i][0] <= row[i] <= given[i][1] for i in narrow)]
            return (min(last), max(last)) if last else None
        if table not in self.symbols.columns_of:
            last = [row[-1] for row in found.rows]
            self.symbols.columns_of[table] = (min(last), max(last)) if last else None
        return self.symbols.columns_of[table]

    def _asked(self, rule: str, args: tuple[Term, ...]) -> Found:
        """The range of the result of a definition for arguments within their present ranges."""
        definition = self.symbols.definitions[given_name(rule)]
        given = self._arguments(definition, args)
        if given is None or definition.body is None:
            return (None, 0) if isinstance(definition.body, SETS) else None
        plainly = given if self.plain is None else self.plain._arguments(definition, args) or given
        known = {term: one for term, one in self.terms.items() if not free(term)}
        if len(definition.uses) >= MOST_USES:
            given, known = tuple(ends(_sort(param)) for param in definition.params), {}
            plainly = given
        key = given, plainly, frozenset(known.items()), self.told
        if key not in definition.uses:
            names = dict(zip(definition.params, given, strict=True))
            inner = Ranges(self.symbols, names, known, told=self.told)
            if known or plainly != given:
                inner.plain = Ranges(self.symbols, dict(zip(names, plainly, strict=True)), told=False)
            definition.uses[key] = Use(inner.look(definition.body), inner.beyond)
        use: Use = definition.uses[key]
        self.beyond += use.beyond
        return use.found

    def _arguments(self, definition: Definition, args: tuple[Term, ...]) -> tuple[Range, ...] | None:
        given = self._all(args)
        if given is None:
            return None
        return tuple(_for_parameter(one, param) for one, param in zip(given, definition.params, strict=True))

    # -------------------------------------------------------------------------------- conditions and sets

    def _cond(self, cond: Cond) -> None:
        """Looks at all terms of a condition, each where the conditions before it hold."""
        match cond:
            case CTruth() | CPossible():
                pass
            case CCompare(_, left, right):
                self.look(left)
                self.look(right)
            case CIn(item, within):
                self.look(item)
                self.look(within)
            case CRelation(_, args):
                self._all(args)
            case CRule(rule, args):
                self._asked(rule, args)
            case CNot(of):
                self.look(of)
            case CAnd(parts):
                here = self
                for part in parts:
                    here.look(part)
                    here = here.where(part)
            case COr(parts):
                here = self
                for part in parts:
                    here.look(part)
                    here = here.where(part, False)
            case CSome(binders, inner):
                self.choosing(binders).look(inner)

    def _step(self, near: Var, following: Var, cond: Cond) -> None:
        self.choosing([(near, SSort(_sort(near))), (following, SSort(_sort(following)))]).look(cond)

    def _set(self, within: TSet) -> Among:
        match within:
            case SSort(sort):
                return ((sort.low, sort.high), sort.high - sort.low + 1) if sort.low <= sort.high else (None, 0)
            case SInterval(low, high, _):
                first, last = self.value(low), self.value(high)
                if first is None or last is None or first[0] > last[1]:
                    return None, 0
                return (first[0], last[1]), last[1] - first[0] + 1
            case SItems(items, _):
                return hull(*map(self.value, items)), len(items)
            case STable(table, args, sort):
                self._all(args)
                return ends(sort), self.symbols.tables[table].most_rows(tuple(range(len(args))))
            case SWhere(var, base, cond, _):
                inner = self.choosing([(var, base)])
                inner.look(cond)
                return inner.where(cond).value(TVar(var)), self.members(base)[1]
            case SOp(op, left, right, _):
                (one, some), (other, more) = self.members(left), self.members(right)
                if op == "union":
                    return hull(one, other), some + more
                if op == "except":
                    return one, some
                return (meet(one, other) if one and other else None), min(some, more)
            case SRule(rule, args, sort):
                asked = self._asked(rule, args)
                found, count = asked if asked is not None else (None, 0)
                return (found, min(count, sort.size)) if isinstance(found, tuple) else (None, 0)
            case SReach(start, near, following, cond, sort):
                self.members(start)
                self._step(near, following, cond)
                return ends(sort), sort.size


def check_unasked(symbols: Symbols) -> None:
    """Reports values that may be too large in definitions that nothing uses yet: a query may ask for them."""
    for definition in symbols.definitions.values():
        if definition.body is not None and not definition.uses and definition.state == "ready":
            params = {param: UNASKED if param.sort == INT else ends(_sort(param)) for param in definition.params}
            Ranges(symbols, params).look(definition.body)


@dataclass
class _Narrower:
    """The ranges that follow from conditions."""

    here: Ranges
    vars: dict[Var, Range] = field(default_factory=dict)
    terms: dict[Term, Range] = field(default_factory=dict)
    never: bool = False  # can they not hold together?

    def take(self, cond: Cond, holds: bool) -> None:
        """Adds what is known where a condition holds, or where it does not."""
        match cond:
            case CTruth(truth):
                self.never = self.never or truth != holds
            case CNot(of):
                self.take(of, not holds)
            case CAnd(parts) | COr(parts) if isinstance(cond, CAnd) == holds:
                for part in parts:
                    self.take(part, holds)
                    self.here = replace(self.here, vars={**self.here.vars, **self.vars},
                                        terms={**self.here.terms, **self.terms}, memo={})  # fmt: skip
            case CAnd(parts) | COr(parts):
                self._either(parts, holds)
            case CCompare(op, left, right):
                self._compared(op if holds else OPERATORS[op].opposite, left, right, holds)
            case CIn(item, within) if holds:
                self.never = self.never or self.here.members(within)[0] is None
                self.narrow(item, self.here.members(within)[0])
            case CRelation(table, args) if holds:
                self._row(table, args)
            case CRule(rule, args):
                self._definition(rule, args, holds)
            case CSome(binders, inner) if holds:
                inside = _Narrower(self.here.choosing(binders))
                inside.take(inner, True)
                mine = {var for var, _ in binders}
                self._all({TVar(var): known for var, known in inside.vars.items() if var not in mine})
                self._all({term: known for term, known in inside.terms.items() if not mine & free(term)})
                self.never = self.never or inside.never or inside.here.dead

    def _all(self, found: Mapping[Term, Range]) -> None:
        for term, known in found.items():
            self.narrow(term, known)

    def _either(self, parts: Iterable[Cond], holds: bool) -> None:
        """One of several conditions decides: what is known of a term in each case is known."""
        ways: list[dict[Term, Range]] = []
        for part in parts:
            way = _Narrower(self.here)
            way.take(part, holds)
            if way.never:
                continue
            ways.append({**{TVar(var): known for var, known in way.vars.items()}, **way.terms})
        for term in (term for term in ways[0] if all(term in way for way in ways)) if ways else ():
            self.narrow(term, hull(*(way[term] for way in ways)))
        self.never = self.never or not ways

    def _compared(self, op: str, left: Term, right: Term, holds: bool) -> None:
        """A comparison that holds; one that does not says nothing if a side may have no value."""
        if holds or self._total((left, right)):
            self._operands(op, (left, right), (1, 1))

    def _total(self, terms: tuple[Term, ...]) -> bool:
        return all(total(term, self.here.symbols.tables) for term in terms)

    def _row(self, table: str, args: tuple[Term, ...]) -> None:
        """The arguments are in a row of a table."""
        rows = self.here.symbols.tables[table].rows
        if 0 < len(rows) <= MOST_ROWS:
            for arg, column in zip(args, zip(*rows, strict=True), strict=True):
                if not arg.sort.labels:
                    self.narrow(arg, (min(column), max(column)))

    def _definition(self, rule: str, args: tuple[Term, ...], holds: bool) -> None:
        """The condition that a definition stands for."""
        definition, given = self.here.symbols.definitions[given_name(rule)], self.here._all(args)
        if given is None or not isinstance(definition.body, CONDS) or self.here.symbols.looks > MOST_LOOKS:
            return
        if not holds and not self._total(args):
            return
        self.here.symbols.looks += 1
        params = dict(zip(definition.params, map(_for_parameter, given, definition.params), strict=True))
        inside = _Narrower(Ranges(self.here.symbols, params, told=False))
        inside.take(definition.body, holds)
        self.never = self.never or inside.never
        arguments = dict(zip(definition.params, args, strict=True))
        self._all({arguments[var]: known for var, known in inside.vars.items() if var in arguments})
        self._all({term: known for term, known in inside.terms.items() if not free(term)})

    def narrow(self, term: Term, known: Range | None) -> None:
        """A term lies in a range; so its operands may lie in narrower ones, too."""
        own = self.here.value(term)
        if own is None or known is None:
            return
        before = self.vars.get(term.var, own) if isinstance(term, TVar) else self.terms.get(term, own)
        both = meet(before, known)
        if both is None:
            self.never = True
        if both is None or both == before:
            return
        match term:
            case TConst():
                return
            case TVar(var):
                self.vars[var] = both
                return
            case TNarrow(of):
                self.narrow(of, both)
            case TOp(op, args):
                self._operands(op, args, both)
        self.terms[term] = both

    def _operands(self, op: str, args: tuple[Term, ...], result: Range) -> None:
        """The result of an operation lies in a range; so its operands may lie in narrower ones."""
        ranges, narrower = self.here._all(args), OPERATORS[op].operands
        if ranges is not None and narrower is not None:
            for arg, one in zip(args, narrower(result, *ranges), strict=True):
                self.narrow(arg, one)


def hull(*ranges: Range | None) -> Range | None:
    """The range of the values of several."""
    found = [one for one in ranges if one is not None]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else None


def meet(one: Range, other: Range) -> Range | None:
    """The range of the values that both have."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else None


def ends(sort: Sort) -> Range:
    """The range of the values of a sort, `none` included."""
    return sort.lowest, max(sort.lowest, sort.high)


def _sort(var: Var) -> Sort:
    assert isinstance(var.sort, Sort)
    return var.sort


def _for_parameter(given: Range, param: Var) -> Range:
    """The range of an argument; what a parameter does not hold is no argument."""
    return given if param.sort == INT else meet(given, ends(_sort(param))) or ends(_sort(param))


def _too_large(found: Range, largest: int) -> bool:
    return found[0] < -largest or found[1] > largest


def refuse(symbols: Symbols, span: Span, found: Range, hint: str = "") -> None:
    """Reports a value that may be too large."""
    largest = found[1] if found[1] > LARGEST else found[0]
    may = "this is" if found[0] == found[1] else "this may be as large as" if largest > 0 else "this may be as low as"
    symbols.report.add(span, f"{may} {_told(largest)}, but numbers end at {LARGEST if largest > 0 else -LARGEST}", hint)


def _way_out(term: TOp | TFold, operands: tuple[Range, ...]) -> str:
    """A hint: the operand that varies most, and what it might be limited to."""
    if isinstance(term, TFold):
        return "limit what is added, as in  min(…, 1000)"
    place = max(range(len(operands)), key=lambda i: operands[i][1] - operands[i][0])
    (low, high), name = operands[place], written_at(term)[1:][place].words
    if low == high:
        return ""
    given = isinstance(term.args[place], TVar | TRead | TNarrow)
    known = f"{name} is in {_told(low)}..{_told(high)}"
    least, most = 0, max(abs(low), abs(high))
    while least < most:  # the largest limit that is low enough
        limit = (least + most + 1) // 2
        limited = meet((low, high), (-limit, limit)) or (0, 0)
        found = OPERATORS[term.op].range(*(*operands[:place], limited, *operands[place + 1 :]))
        least, most = (least, limit - 1) if found is not None and _too_large(found, LARGEST) else (limit, most)
    if least < 2:
        return f"{known}: give {'it' if given else 'its parts'} a narrower range"
    limited_to = f"max(-{least}, min({name}, {least}))" if low < 0 else f"min({name}, {least})"
    return f"{known}: {'give it a narrower range, or ' * given}limit it:  {limited_to}"


def _told(number: int) -> str:
    """A number as it is read; of a very long one about how long it is."""
    if abs(number) < 10**40:
        return str(number)
    return f"{'-' * (number < 0)}10 ^ {int((abs(number).bit_length() - 1) * math.log10(2))}"
