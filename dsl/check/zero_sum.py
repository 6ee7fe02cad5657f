"""Do the payoffs of an ending add up to zero?  Proven where ordinary arithmetic shows it.

In: the terms of what each player gets.  Out: their sum where it is the same in every position, else None.

A term is written as a sum of products: a number, times values that are left as they are, times conditions, each of
which counts as 1 where it holds and 0 elsewhere.  So `if a then x else y` is a·x + y − a·y, a sum over players is the
sum of its cases, and definitions are taken for what they say.  That a player is one of all is used, too: what p = Red,
p = Blue and p = Green count is 1 together.  What is left after all of this is a number, or there is no proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations, islice
from typing import Any

from pysolve.dsl.check import static
from pysolve.dsl.check.ranges import Ranges
from pysolve.dsl.check.symbols import Symbols
from pysolve.dsl.check.terms import (
    CONDS,
    TERMS,
    CAnd,
    CCompare,
    CNot,
    Cond,
    COr,
    CRule,
    CTruth,
    N,
    TConst,
    Term,
    TFold,
    TIf,
    TLookup,
    TNarrow,
    TOp,
    TReify,
    TRule,
    TSet,
    TVar,
    free,
    reads,
    rebuilt,
    total,
)  # fmt: skip
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.model import Var
from pysolve.dsl.model.rule_names import given_name

MOST_PRODUCTS = 400  # of a sum: a longer one is not looked at
MOST_CASES = 64  # of a sum over several things

Factor = Term | Cond  # a condition counts as 1 where it holds
Product = frozenset[tuple[Factor, int]]  # each factor with its power
Sum = dict[Product, int]

ONE: Product = frozenset()


class _NoProofError(Exception):
    """The terms are not of a kind that is looked at, or they are too many."""


def constant_sum(symbols: Symbols, terms: Sequence[Term]) -> int | None:
    """What the terms add up to where that is the same in every position; None where it may depend, or is not known."""
    proof = _Proof(symbols)
    try:
        found: Sum = {}
        for term in terms:
            found = _plus(found, proof.sum_of(term))
        found = proof.exhausted(found)
    except _NoProofError:
        return None
    return found.get(ONE, 0) if set(found) <= {ONE} else None


class _Proof:
    def __init__(self, symbols: Symbols):
        self._symbols = symbols
        self._tables = symbols.tables

    def sum_of(self, term: Term) -> Sum:
        """A term as a sum of products; raises `_NoProofError` for one that may have no value."""
        if not reads(term) and not free(term):
            number = static.value(term, {}, self._tables)
            if number is None:
                raise _NoProofError
            return _number(number)
        match term:
            case TConst(number):
                return _number(number)
            case TOp("+", (left, right)):
                return _plus(self.sum_of(left), self.sum_of(right))
            case TOp("-", (left, right)):
                return _plus(self.sum_of(left), _times(self.sum_of(right), _number(-1)))
            case TOp("*", (left, right)):
                return _times(self.sum_of(left), self.sum_of(right))
            case TOp("negate", (of,)):
                return _times(self.sum_of(of), _number(-1))
            case TIf(test, then, otherwise):
                holds = self.truth_of(test)
                fails = _plus(_number(1), _times(holds, _number(-1)))
                return _plus(_times(holds, self.sum_of(then)), _times(fails, self.sum_of(otherwise)))
            case TReify(cond):
                return self.truth_of(cond)
            case TFold(kind, binders, where, of) if AGGREGATES[kind].adds:
                return self._fold(binders, where, _number(1) if kind == "count" else of)
            case TRule(rule, args):
                return self.sum_of(self._unfolded(rule, args))
            case TNarrow(of, sort):
                found = Ranges(self._symbols, told=False).value(of)
                if found is not None and sort.lowest <= found[0] and found[1] <= sort.high and not of.sort.optional:
                    return self.sum_of(of)
        if not self._has_value(term):
            raise _NoProofError
        return {frozenset({(self._settled(term), 1)}): 1}

    def _has_value(self, term: Term) -> bool:
        """True if a term certainly has a value; so has a quotient by a number other than 0."""
        match term:
            case TOp("//" | "%", (left, TConst(divisor))):
                return divisor != 0 and total(left, self._tables)
        return total(term, self._tables)

    def _settled(self, node: N) -> N:
        """An expression with numbers in the place of all that does not read the position: so equal ones are found."""

        def settled(part: object) -> object | None:
            if not isinstance(part, TERMS) or isinstance(part, TConst) or reads(part) or free(part):
                return None
            number = static.value(part, {}, self._tables)
            return None if number is None else TConst(number, part.sort)

        return rebuilt(node, settled)

    def _unfolded(self, rule: str, args: tuple[Term, ...]) -> Any:
        """What a definition says for some arguments."""
        definition = self._symbols.definitions[given_name(rule)]
        names: Mapping[Var, Term] = dict(zip(definition.params, args, strict=True))
        return _put(definition.body, names)

    def _fold(self, binders: tuple[tuple[Var, TSet], ...], where: Cond, of: Term | Sum) -> Sum:
        bound = frozenset(var for var, _ in binders)
        if any(reads(within) or free(within) - bound for _, within in binders):
            raise _NoProofError
        ways = list(islice(static.bindings(binders, {}, self._tables), MOST_CASES + 1))
        if len(ways) > MOST_CASES:
            raise _NoProofError
        found: Sum = {}
        for way in ways:
            known: dict[Var, Term] = {var: TConst(way[var], of_kind.sort) for var, of_kind in binders}
            value = of if isinstance(of, dict) else self.sum_of(_put(of, known))
            found = _plus(found, _times(self.truth_of(_put(where, known)), value))
        return found

    def truth_of(self, cond: Cond) -> Sum:
        """A condition as a sum that is 1 where it holds and else 0."""
        if not reads(cond) and not free(cond):
            return _number(int(static.holds(cond, {}, self._tables)))
        match cond:
            case CTruth(holds):
                return _number(int(holds))
            case CNot(of):
                return _plus(_number(1), _times(self.truth_of(of), _number(-1)))
            case CAnd(conds):
                return reduce(_times, map(self.truth_of, conds), _number(1))
            case COr(conds):
                fails = reduce(_times, (self.truth_of(CNot(one)) for one in conds), _number(1))
                return _plus(_number(1), _times(fails, _number(-1)))
            case CRule(rule, args):
                return self.truth_of(self._unfolded(rule, args))
            case CCompare("!=", left, right) if total(left, self._tables) and total(right, self._tables):
                return self.truth_of(CNot(CCompare("=", left, right)))
            case CCompare("<", left, right):
                return self.truth_of(CCompare(">", right, left))
            case CCompare("<=" | ">=" as op, left, right) if self._has_value(left) and self._has_value(right):
                return self.truth_of(CNot(CCompare(">" if op == "<=" else "<", left, right)))
            case CCompare("=", TConst() as left, right) if not isinstance(right, TConst):
                return self.truth_of(CCompare("=", right, left))
            case CCompare("=", TLookup(table, (key,)), TConst(value)) if total(key, self._tables):
                rows = [row for row in self._tables[table].rows if row[1] == value]
                cases = (CCompare("=", key, TConst(row[0], key.sort)) for row in rows)
                found: Sum = {}
                for case in cases:
                    found = _plus(found, self.truth_of(case))
                return found
            case CCompare("=", left, TConst(value)):
                cond = CCompare("=", left, TConst(value, left.sort))  # the same for each way to write it
        return {frozenset({(self._settled(cond), 1)}): 1}

    def exhausted(self, found: Sum) -> Sum:
        """The sum, where a value is one of all: of the cases of a comparison, the last is what the others leave."""
        compared = {factor for product in found for factor, _ in product if isinstance(factor, CCompare)}
        for term in {one.left for one in compared if one.op == "=" and isinstance(one.right, TConst)}:
            sort = term.sort
            values = range(sort.lowest, sort.high + 1)
            if not total(term, self._tables) or not sort.labels or len(values) > MOST_CASES:
                continue
            cases = [CCompare("=", term, TConst(value, sort)) for value in values]
            rest = _number(1)
            for case in cases[:-1]:
                rest = _plus(rest, {frozenset({(case, 1)}): -1})
            found = _replaced(found, cases[-1], rest)
        return found


def _put(node: N, names: Mapping[Var, Term]) -> N:
    """An expression with terms in the place of variables."""
    return rebuilt(node, lambda part: names.get(part.var) if isinstance(part, TVar) else None)


def _number(value: int) -> Sum:
    return {ONE: value} if value else {}


def _plus(one: Sum, other: Sum) -> Sum:
    found = dict(one)
    for product, count in other.items():
        found[product] = found.get(product, 0) + count
    if len(found) > MOST_PRODUCTS:
        raise _NoProofError
    return {product: count for product, count in found.items() if count}


def _times(one: Sum, other: Sum) -> Sum:
    found: Sum = {}
    for left, count in one.items():
        for right, times in other.items():
            product = _joined(left, right)
            if product is not None:
                found[product] = found.get(product, 0) + count * times
        if len(found) > MOST_PRODUCTS:
            raise _NoProofError
    return {product: count for product, count in found.items() if count}


def _joined(one: Product, other: Product) -> Product | None:
    """The product of two products; None if it is 0: a term does not have two values at once."""
    powers = dict(one)
    for factor, power in other:
        powers[factor] = powers.get(factor, 0) + power
    compared = [factor for factor in powers if isinstance(factor, CCompare)]
    if any(_exclude(first, second) for first, second in combinations(compared, 2)):
        return None
    return frozenset((factor, 1 if isinstance(factor, CONDS) else power) for factor, power in powers.items())


def _exclude(one: CCompare, other: CCompare) -> bool:
    """True if two comparisons that are not the same never hold together: a term has one value, and an order is one."""
    if one.op == other.op == "=":
        return one.left == other.left and isinstance(one.right, TConst) and isinstance(other.right, TConst)
    return one.op == other.op == ">" and (one.left, one.right) == (other.right, other.left)


def _replaced(found: Sum, case: CCompare, rest: Sum) -> Sum:
    """The sum with another one in the place of a condition."""
    result: Sum = {}
    for product, count in found.items():
        if (case, 1) in product:
            result = _plus(result, _times({product - {(case, 1)}: count}, rest))
        else:
            result = _plus(result, {product: count})
    return result
