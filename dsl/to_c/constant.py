"""Steps that do not read the position, carried out while the program is written.

In: a body of such steps, and the variables that it is given.  Out: the values of those for which it can be carried
out, once for each way.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.model import (
    Among,
    Atom,
    Body,
    Choose,
    Const,
    Each,
    Either,
    Exists,
    Expr,
    Find,
    Let,
    Not,
    Op,
    Sort,
    Step,
    Table,
    Test,
    Var,
    all_steps,
)
from dsl.ops import OPERATORS
from dsl.to_c.steps import free_vars

MOST_STEPS = 200_000  # that may be tried for one table

Env = dict[Var, int]


class TooMuch(Exception):
    """It would take too long."""


def is_constant(step: Step) -> bool:
    """Does a step not read the position?"""
    kinds = Each, Among, Find, Let, Test, Not, Exists, Either, Choose
    return all(isinstance(one, kinds) for one in all_steps((step,)))


def rows_of(tables: dict[str, Table], body: Body, free: list[Var]) -> Iterator[tuple[int, ...]]:
    """The values of `free` for which a body can be carried out."""
    solver = Solver(tables, set(free))
    for env in solver.ways(body, {}):
        for full in solver.spread(free, env):
            yield tuple(full[var] for var in free)


class Solver:
    """Carries bodies out.  A variable that a body is given may be unknown: then all its values are tried."""

    def __init__(self, tables: dict[str, Table], free: set[Var]):
        self.tables, self.free = tables, free
        self.rows: dict[tuple[str, tuple[int, ...]], dict[tuple[int, ...], list[tuple[int, ...]]]] = {}
        self.tried = 0

    def ways(self, body: Body, env: Env) -> Iterator[Env]:
        if not body:
            yield env
            return
        step, *rest = body
        for one in self.step(step, env):
            self.tried += 1
            if self.tried > MOST_STEPS:
                raise TooMuch
            yield from self.ways(tuple(rest), one)

    def step(self, step: Step, env: Env) -> Iterator[Env]:
        match step:
            case Find(table, args, _):
                yield from self._find(table, args, env)
            case Test("=", Var() as var, other) if var not in env:
                for given in self.spread(variables(other), env):
                    value = self.value(other, given)
                    if value is not None and self.may_be(var, value):
                        yield {**given, var: value}
            case Test("=", other, Var() as var) if var not in env:
                yield from self.step(Test("=", var, other), env)
            case Test(op, left, right):
                for given in self.spread([*variables(left), *variables(right)], env):
                    a, b = self.value(left, given), self.value(right, given)
                    if a is not None and b is not None and OPERATORS[op].evaluate(a, b):
                        yield given
            case Let(var, expr):
                for given in self.spread(variables(expr), env):
                    value = self.value(expr, given)
                    if value is not None:
                        yield {**given, var: value}
            case Each(var, low, high):
                for given in self.spread([v for v in (low, high) if isinstance(v, Var)], env):
                    values = range(number(low, given), number(high, given) + 1)
                    yield from ({**given, var: v} for v in values) if var not in given else (
                        [given] if given[var] in values else [])  # fmt: skip
            case Among(item, values, binds):
                yield from self._among(item, values, bool(binds), env)
            case _:
                for given in self.spread(free_vars((step,)), env):
                    yield from self._compound(step, given)

    def _compound(self, step: Step, env: Env) -> Iterator[Env]:
        def some(body: Body) -> bool:
            return next(self.ways(body, env), None) is not None

        match step:
            case Not(body):
                yield from [] if some(body) else [env]
            case Exists(body):
                yield from [env] if some(body) else []
            case Either(bodies):
                yield from [env] if any(map(some, bodies)) else []
            case Choose(var, test, then, otherwise):
                first = next(self.ways(test, env), None)
                chosen = self.ways(otherwise, env) if first is None else self.ways(then, first)
                one = next(chosen, None)
                if one is not None:
                    yield {**env, var: one[var]}

    def _find(self, name: str, args: tuple[Atom, ...], env: Env) -> Iterator[Env]:
        known = tuple(i for i, arg in enumerate(args) if isinstance(arg, Const) or arg in env)
        if (name, known) not in self.rows:
            index = self.rows[name, known] = {}
            for row in self.tables[name].rows:
                index.setdefault(tuple(row[i] for i in known), []).append(row)
        unknown = [(i, arg) for i, arg in enumerate(args) if isinstance(arg, Var) and arg not in env]
        for row in self.rows[name, known].get(tuple(number(args[i], env) for i in known), ()):
            if not unknown:
                yield env
                continue
            new = env.copy()
            if all(new.setdefault(arg, row[i]) == row[i] and self.may_be(arg, row[i]) for i, arg in unknown):
                yield new

    def _among(self, item: Atom, values: tuple[Atom, ...], binds: bool, env: Env) -> Iterator[Env]:
        for given in self.spread([v for v in values if isinstance(v, Var)], env):
            listed = [number(value, given) for value in values]
            if isinstance(item, Const) or item in given:
                yield from [given] if number(item, given) in listed else []
            else:
                yield from (
                    {**given, item: v} for v in (listed if binds else dict.fromkeys(listed)) if self.may_be(item, v)
                )

    def spread(self, given: list[Var], env: Env) -> Iterator[Env]:
        """With every value for those of the variables that have none."""
        unknown = [var for var in given if var not in env]
        if not unknown:
            yield env
            return
        var = unknown[0]
        assert isinstance(var.sort, Sort)
        for value in range(var.sort.lowest, var.sort.high + 1):
            self.tried += 1
            if self.tried > MOST_STEPS:
                raise TooMuch
            yield from self.spread(unknown[1:], {**env, var: value})

    def may_be(self, var: Var, value: int) -> bool:
        """A variable that is given has a value of its sort; one that is bound here has any."""
        return var not in self.free or (isinstance(var.sort, Sort) and var.sort.lowest <= value <= var.sort.high)

    def value(self, expr: Expr, env: Env) -> int | None:
        if not isinstance(expr, Op):
            return number(expr, env)
        args = [self.value(arg, env) for arg in expr.args]
        if None in args:
            return None
        result = OPERATORS[expr.name].evaluate(*args)
        return None if result is None else int(result)


def number(atom: Atom, env: Env) -> int:
    return atom.value if isinstance(atom, Const) else env[atom]


def variables(expr: Expr) -> list[Var]:
    if isinstance(expr, Op):
        return [var for arg in expr.args for var in variables(arg)]
    return [expr] if isinstance(expr, Var) else []
