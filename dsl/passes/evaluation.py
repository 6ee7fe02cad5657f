"""Steps that do not read the position, carried out while the program is written.

In: a body of such steps, and the variables that it is given.  Out: the values of those for which it can be carried
out, once for each way.  Each step is carried out for all ways of those before it at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import compress, islice, repeat
from typing import assert_never

from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model import (
    INT,
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
    Preferred,
    Reach,
    Sort,
    Step,
    Table,
    Test,
    Var,
    Walk,
    inner_bodies,
)
from pysolve.dsl.model.properties import free_vars

MOST_STEPS = 200_000  # that may be tried for one table

Row = tuple[int, ...]


class TooMuch(Exception):
    """Raised inside this module when an evaluation would take too many steps."""


def is_constant(step: Step) -> bool:
    """Can a step be carried out here, since it reads no position and no set?"""
    match step:
        case Each() | Among() | Find() | Let() | Test():
            return True
        case Not() | Exists() | Either() | Choose():
            return all(is_constant(one) for body in inner_bodies(step) for one in body)
        case (
            Member() | Get() | Walk() | Ask() | Fold() | Collect() | Reach() | Distance() | Possible() | Preferred()
            | Mobility()
        ):  # fmt: skip
            return False
    assert_never(step)


def rows_of(tables: dict[str, Table], body: Body, free: list[Var]) -> Iterator[Row]:
    """The values of `free` for which a body can be carried out."""
    solver = Solver(tables, set(free))
    ways = solver.spread(free, solver.ways(body, Ways({}, [()])))
    return zip(*map(ways.value, free), strict=True)


@frozen
class Ways:
    """Values of variables: a row for each way, and the place of each variable in it."""

    places: dict[Var, int]
    rows: list[Row]

    def value(self, expr: Expr) -> list[int | None]:
        """The value of an expression in each row; None where it has none."""
        if isinstance(expr, Const):
            return [expr.value] * len(self.rows)
        if isinstance(expr, Var):
            place = self.places[expr]
            return [row[place] for row in self.rows]
        evaluate, operands = OPERATORS[expr.name].evaluate, list(map(self.value, expr.args))
        if any(None in column for column in operands):
            return [None if None in row else evaluate(*row) for row in zip(*operands, strict=True)]
        return list(map(evaluate, *operands))

    def atoms(self, atoms: Iterable[Atom]) -> Iterator[Row]:
        """The values of several atoms in each row; an atom always has a value."""
        columns = list(map(self.value, atoms))
        return zip(*columns, strict=True) if columns else repeat((), len(self.rows))

    def where(self, truths: Iterable[object]) -> Ways:
        return Ways(self.places, list(compress(self.rows, truths)))

    def let(self, var: Var, values: list[int | None]) -> Ways:
        """A new variable, where it has a value."""
        pairs = zip(self.rows, values, strict=True)
        return self.more((var,), [(*row, value) for row, value in pairs if value is not None])

    def more(self, new: Iterable[Var], rows: list[Row]) -> Ways:
        """Longer rows, with new variables at their ends."""
        return Ways({**self.places, **{var: at for at, var in enumerate(new, len(self.places))}}, rows)


class Solver:
    """Carries bodies out.  A variable that a body is given may be unknown: then all its values are tried."""

    def __init__(self, tables: dict[str, Table], free: set[Var]):
        self.tables, self.free = tables, free
        self.tried = 0

    def ways(self, body: Body, given: Ways) -> Ways:
        for step in body:
            given = self.step(step, given)
            self.tried += len(given.rows)
            if self.tried > MOST_STEPS:
                raise TooMuch
        return given

    def step(self, step: Step, given: Ways) -> Ways:
        match step:
            case Find(table, args, _):
                return self._find(self.tables[table], args, given)
            case Test("=", Var() as var, other) if var not in given.places:
                given = self.spread(variables(other), given)
                values = [v if v is None or self._may_be(var, v) else None for v in given.value(other)]
                return given.let(var, values)
            case Test("=", other, Var() as var) if var not in given.places:
                return self.step(Test("=", var, other), given)
            case Test(op, left, right):
                given = self.spread([*variables(left), *variables(right)], given)
                return given.where(given.value(Op(op, (left, right))))
            case Let(var, expr):
                given = self.spread(variables(expr), given)
                return given.let(var, given.value(expr))
            case Each(var, low, high):
                given = self.spread([*variables(low), *variables(high)], given)
                return self._one_of(var, (range(a, b + 1) for a, b in given.atoms((low, high))), given)
            case Among(item, values, binds):
                given = self.spread([value for value in values if isinstance(value, Var)], given)
                listed = given.atoms(values)
                return self._one_of(item, listed if binds else map(dict.fromkeys, listed), given)
            case Not() | Exists() | Either() | Choose():
                return self._compound(step, self.spread(free_vars((step,)), given))
            case (
                Member() | Get() | Walk() | Ask() | Fold() | Collect() | Reach() | Distance() | Possible()
                | Preferred() | Mobility()
            ):  # fmt: skip
                raise AssertionError(f"{step} is not constant")
        assert_never(step)

    def _compound(self, step: Not | Exists | Either | Choose, given: Ways) -> Ways:
        place, rows = len(given.places), given.rows
        mine = Var("number", INT).copy(str(place))  # of a way, to follow it into bodies; those inside have their own
        numbered = given.more((mine,), [(*row, number) for number, row in enumerate(rows)])

        def first(body: Body, ways: Ways) -> Ways:
            """Of the ways in which a body can be carried out, the first of each number."""
            found = self.ways(body, ways)
            return Ways(found.places, list({row[place]: row for row in reversed(found.rows)}.values()))

        match step:
            case Not() | Exists() | Either():
                found = {row[place] for body in inner_bodies(step) for row in self.ways(body, numbered).rows}
                return given.where((number in found) != isinstance(step, Not) for number in range(len(rows)))
            case Choose(var, test, then, otherwise):
                tested = first(test, numbered)
                passed = {row[place] for row in tested.rows}
                failing = numbered.where(number not in passed for number in range(len(rows)))
                chosen = dict[int | None, int | None]()
                for ways in (first(then, tested), first(otherwise, failing)):
                    chosen.update(zip(ways.value(mine), ways.value(var), strict=True))
                return given.let(var, [chosen.get(number) for number in range(len(rows))])
        assert_never(step)

    def _find(self, table: Table, args: tuple[Atom, ...], given: Ways) -> Ways:
        known = [i for i, arg in enumerate(args) if isinstance(arg, Const) or arg in given.places]
        new: dict[Var, int] = {}  # the column of each variable that is not known yet
        for i, arg in enumerate(args):
            if isinstance(arg, Var) and i not in known:
                new.setdefault(arg, i)
        same = [(i, new[arg]) for i, arg in enumerate(args) if i not in known and new[arg] != i]  # type: ignore[index]
        rows: Iterable[Row] = table.rows
        for i, j in same:
            rows = [row for row in rows if row[i] == row[j]]
        for var in self.free.intersection(new):
            rows = [row for row in rows if self._may_be(var, row[new[var]])]
        index: dict[Row, list[Row]] = {}
        rows = list(rows)
        for key, rest in zip(_columns(rows, known), _columns(rows, new.values()), strict=True):
            index.setdefault(key, []).append(rest)
        keys = given.atoms(args[i] for i in known)
        return given.more(new, self._kept(
            row + more for row, key in zip(given.rows, keys, strict=True) for more in index.get(key, ())))  # fmt: skip

    def _one_of(self, item: Atom, listed: Iterable[Collection[int]], given: Ways) -> Ways:
        """The ways in which an item is one of the values listed for its row; an unknown item takes each of them."""
        if isinstance(item, Const) or item in given.places:
            pairs = zip(given.value(item), listed, strict=True)
            return given.where(value is not None and value in values for value, values in pairs)
        rows = zip(given.rows, listed, strict=True)
        return given.more((item,), self._kept(
            (*row, value) for row, values in rows for value in values if self._may_be(item, value)))  # fmt: skip

    def spread(self, wanted: Iterable[Var], given: Ways) -> Ways:
        """With every value for those of the variables that have none."""
        for var in wanted:
            if var not in given.places:
                assert isinstance(var.sort, Sort)
                values = range(var.sort.lowest, var.sort.high + 1)
                given = given.more((var,), self._kept((*row, value) for row in given.rows for value in values))
                self.tried += len(given.rows)
        return given

    def _kept(self, rows: Iterable[Row]) -> list[Row]:
        """Rows, if they are not too many."""
        left = MOST_STEPS - self.tried
        kept = list(islice(rows, left + 1))
        if len(kept) > left:
            raise TooMuch
        return kept

    def _may_be(self, var: Var, value: int) -> bool:
        """A variable that is given has a value of its sort; one that is bound here has any."""
        return var not in self.free or (isinstance(var.sort, Sort) and var.sort.lowest <= value <= var.sort.high)


def _columns(rows: list[Row], wanted: Collection[int]) -> Iterable[Row]:
    """Some columns of each row."""
    columns = list(zip(*rows, strict=True))
    return zip(*[columns[i] for i in wanted], strict=True) if rows and wanted else repeat((), len(rows))


def variables(expr: Expr) -> list[Var]:
    if isinstance(expr, Op):
        return [var for arg in expr.args for var in variables(arg)]
    return [expr] if isinstance(expr, Var) else []
