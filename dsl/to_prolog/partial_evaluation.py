"""Bodies carried out as far as they do not depend on the position.

In: a body of the model, values for its variables, who is to move.  Out: every way to carry it out, each with the
goals that are left for later.  A cell of the position is a variable of the clause that will be printed;
what is left are comparisons of such variables, arithmetic, and questions to tables.

This is what dsl.to_prolog.unfolded makes its clauses of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeVar

from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model import (
    Among,
    Ask,
    Atom,
    Body,
    Choose,
    Const,
    Each,
    Either,
    Exists,
    Expr,
    Find,
    Fold,
    Game,
    Get,
    Let,
    Not,
    Op,
    Slot,
    Sort,
    Step,
    Test,
    Var,
    Walk,
)
from pysolve.dsl.to_prolog.terms import (
    FAIL,
    Cases,
    Compound,
    Goal,
    Goals,
    Operation,
    Term,
    call,
    choice,
    equal,
    infix,
    joined,
    let,
    together,
)
from pysolve.dsl.to_prolog.terms import negation as denied

ROWS_A_STEP = 10  # of a table, that are looked through in the time of a step
MOST_STEPS = 4_000_000  # that are carried out for one player; what needs more is left to its clauses
LONGEST_SUM = 24  # ways that a count or a sum may have before it is left to its clauses

Value = int | str  # a known number, or the variable that will hold it
Env = dict[Var, Value]


T = TypeVar("T")


class CannotUnfold(Exception):
    """Raised for steps that are better left to the table-driven clauses."""


class NoValue(Exception):
    """Arithmetic without a result, such as a division by zero."""


Way = tuple[Env, Goals]


@dataclass
class Folder:
    """Carries out the bodies of a game for one mover, as far as they do not depend on the position."""

    game: Game
    mover: int
    written: dict[tuple[str, int], Value] = field(default_factory=dict)  # by the rounds so far
    last: int = 0  # number of the last variable
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)  # of variables that are left
    holds: Goals = ()  # what is known to hold where the goals will stand
    steps: int = 0  # that were carried out

    # -------------------------------------------------------------------------------------- reading

    def read(self, slot: Slot, args: tuple[int, ...]) -> Value:
        """The value of a place: a variable of the head, or what an earlier round has put there."""
        if not all(sort.low <= value <= sort.high for sort, value in zip(slot.params, args, strict=True)):
            raise CannotUnfold
        index = slot.index(args)
        if (slot.name, index) in self.written:
            return self.written[slot.name, index]
        if slot.name == "mover":
            return self.mover
        name = place(slot, index)
        self.bounds[name] = slot.sort.lowest, slot.sort.high
        return name

    def variable(self, letter: str = "V") -> str:
        """A new variable of the clause."""
        self.last += 1
        name = f"{letter}{self.last}"
        self.bounds.pop(name, None)  # of another branch
        return name

    def branches(self, writers: Iterable[Callable[[], T]]) -> list[T]:
        """Goals of which only one will be carried out: so they may have the same variables, which saves time."""
        first = most = self.last
        found = []
        for write in writers:
            found.append(write())
            most = max(most, self.last)
            self.last = first
        self.last = most
        return found

    def known(self, atom: Atom, env: Env) -> Value:
        """The value of an atom whose variables are known."""
        return atom.value if isinstance(atom, Const) else env[atom]

    def compute(self, expr: Expr, env: Env) -> Value | Operation:
        """A number, or what is left of the arithmetic; raises `NoValue`."""
        if not isinstance(expr, Op):
            return self.known(expr, env)
        args = [self.compute(arg, env) for arg in expr.args]
        if all(isinstance(arg, int) for arg in args):
            result = OPERATORS[expr.name].evaluate(*args)
            if result is None:
                raise NoValue
            return int(result)
        if expr.name in ("+", "-") and args[1] == 0:
            return args[0]
        return Operation(expr.name, tuple(args))

    # ----------------------------------------------------------------------------------------- steps

    def ways(self, body: Body, env: Env) -> Iterator[Way]:
        """Every way to carry a body out, each with the goals that are left to decide it."""
        if not body:
            yield env, ()
            return
        for here, goals in self.step(body[0], env):
            self.count(1)
            left = goals
            if self.holds:
                left = tuple(goal for goal in goals if goal not in self.holds)
                if any(opposite(goal) in self.holds for goal in left):
                    continue
            for there, more in self.ways(body[1:], here):
                yield there, left + more

    def count(self, steps: int) -> None:
        """Counts what is done; raises `CannotUnfold` when it becomes too much."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise CannotUnfold

    def step(self, step: Step, env: Env) -> Iterator[Way]:
        """The ways to carry out one step with the known values; raises `CannotUnfold` when they are too many."""
        self.count(1)
        match step:
            case Each(var, low, high):
                yield from self._each(var, low, high, env)
            case Among(item, values, binds):
                yield from self._among(item, [self.known(v, env) for v in values], bool(binds), env)
            case Get(slot, args, value, binds):
                yield from self._get(self.game.slots[slot], args, value, binds, env)
            case Find():
                yield from self._find(step, env)
            case Walk():
                yield from self._walk(step, env)
            case Let(var, expr):
                yield from self._let(var, expr, env)
            case Test(op, left, right):
                yield from self._test(op, left, right, env)
            case Ask(rule, args, result):
                yield from self._ask(rule, args, result, env)
            case Not(body):
                goals = negation([goals for _, goals in self.ways(body, env)])
                if goals is not None:
                    yield env, goals
            case Exists(body):
                yield from self._one_of([goals for _, goals in self.ways(body, env)], env)
            case Either(bodies):
                yield from self._one_of([g for body in bodies for _, g in self.ways(body, env)], env)
            case Choose():
                yield from self._choose(step, env)
            case Fold():
                yield from self._fold(step, env)
            case _:
                raise CannotUnfold

    def _each(self, var: Var, low: Atom, high: Atom, env: Env) -> Iterator[Way]:
        first, last = self.known(low, env), self.known(high, env)
        if isinstance(first, str) or isinstance(last, str):
            raise CannotUnfold
        for value in range(first, last + 1):
            yield {**env, var: value}, ()

    def _among(self, item: Atom, values: list[Value], binds: bool, env: Env) -> Iterator[Way]:
        if binds:
            assert isinstance(item, Var)
            if any(isinstance(v, str) for v in values):
                raise CannotUnfold
            for value in sorted({v for v in values if isinstance(v, int)}):
                yield {**env, item: value}, ()
            return
        mine = self.known(item, env)
        if isinstance(mine, int) and mine in values:
            yield env, ()
            return
        left = [v for v in values if isinstance(v, str) or isinstance(mine, str)]
        yield from self._one_of([(same(mine, v),) for v in left], env)

    def _get(self, slot: Slot, args: tuple[Atom, ...], value: Atom, binds: tuple[Var, ...], env: Env) -> Iterator[Way]:
        choices = []
        for arg, sort in zip(args, slot.params, strict=True):
            if arg in binds:
                choices.append(list(sort.values()))
                continue
            number = self.known(arg, env)
            if isinstance(number, str):
                raise CannotUnfold
            choices.append([number] if sort.low <= number <= sort.high else [])
        for numbers in product(*choices):
            here = {**env, **{a: n for a, n in zip(args, numbers, strict=True) if isinstance(a, Var)}}
            yield from self._meet(value, value in binds, self.read(slot, numbers), here)

    def _meet(self, atom: Atom, binds: bool, value: Value, env: Env) -> Iterator[Way]:
        """The atom takes the value, or must be equal to it."""
        if binds:
            assert isinstance(atom, Var)
            yield {**env, atom: value}, ()
        else:
            yield from self._equal(value, self.known(atom, env), env)

    def _equal(self, value: Value | Operation, mine: Value, env: Env) -> Iterator[Way]:
        if mine == value:
            yield env, ()
        elif not isinstance(mine, int) or not isinstance(value, int):
            yield env, (_comparison("=", value, mine),)

    def _find(self, step: Find, env: Env) -> Iterator[Way]:
        table = self.game.tables[step.table]
        values = [None if a in step.binds else self.known(a, env) for a in step.args]
        if any(isinstance(v, str) for v in values):
            yield from self._look_up_later(step, values, env)
            return
        first = tuple(v for v in values[:-1])
        if None not in first:  # by far the most common: everything but the last column is known
            found = table.by_prefix.get(first, ())  # type: ignore[arg-type]
            for value in found:
                if values[-1] is None:
                    yield {**env, step.args[-1]: value}, ()  # type: ignore[dict-item]
                elif values[-1] == value:
                    yield env, ()
            return
        self.count(len(table.rows) // ROWS_A_STEP)
        for row in table.rows:
            if all(v is None or v == r for v, r in zip(values, row, strict=True)):
                yield {**env, **{a: r for a, r in zip(step.args, row, strict=True) if isinstance(a, Var)}}, ()

    def _look_up_later(self, step: Find, values: list[Value | None], env: Env) -> Iterator[Way]:
        """A row that depends on the position: a fact that is asked when the time comes."""
        table = self.game.tables[step.table]
        unknown = [i for i, v in enumerate(values) if v is None]
        if any(i < table.keys for i in unknown):
            raise CannotUnfold
        here, args = dict(env), list[Value]()
        for arg, value in zip(step.args, values, strict=True):
            if value is None:
                assert isinstance(arg, Var)
                value = here[arg] = self.variable()
            args.append(value)
        yield here, (call(table.name, args),)

    def _walk(self, step: Walk, env: Env) -> Iterator[Way]:
        origin = self.known(step.origin, env)
        if isinstance(origin, str):
            raise CannotUnfold
        stops = set(self.game.tables[step.stops].by_prefix.get((origin,), ()))
        clear: Goals = ()
        line = 0
        open_ = True
        for start, number, _far, cell in self.game.tables[step.rays].rows:
            if start != origin:
                continue
            if number != line:
                line, clear, open_ = number, (), True
            if not open_:
                continue
            if cell in stops:
                yield {**env, step.target: cell}, clear
            passed = [goals for _, goals in self.ways(step.clear, {**env, step.over: cell})]
            if not passed:
                open_ = False
            else:
                clear += alternatives(passed)

    def _let(self, var: Var, expr: Expr, env: Env) -> Iterator[Way]:
        try:
            value = self.compute(expr, env)
        except NoValue:
            return
        if var in env:  # a parameter that is computed: it must be the same
            yield from self._equal(value, env[var], env)
        elif isinstance(value, Operation):
            name = self.variable()
            self.bounds[name] = self.range(expr, env)
            yield {**env, var: name}, (_bound(name, value),)
        else:
            yield {**env, var: value}, ()

    def range(self, expr: Expr, env: Env) -> tuple[int, int]:
        """Between which numbers a value lies, as far as that can be told."""
        known = self.compute(expr, env)
        if isinstance(known, int):
            return known, known
        if isinstance(expr, Op):
            ranges = [self.range(arg, env) for arg in expr.args]
            lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
            match expr.name:
                case "min":
                    return min(lows), min(highs)
                case "max":
                    return max(lows), max(highs)
                case "+":
                    return sum(lows), sum(highs)
                case "-":
                    return lows[0] - highs[1], highs[0] - lows[1]
            return -(2**31), 2**31
        if isinstance(known, str) and known in self.bounds:
            return self.bounds[known]
        assert isinstance(expr.sort, Sort)
        return expr.sort.lowest, expr.sort.high

    def _test(self, op: str, left: Expr, right: Expr, env: Env) -> Iterator[Way]:
        try:
            a, b = self.compute(left, env), self.compute(right, env)
        except NoValue:
            return
        if isinstance(a, int) and isinstance(b, int):
            if OPERATORS[op].evaluate(a, b):
                yield env, ()
            return
        if op == ">" and b == 0 and self.range(left, env)[0] == 0:
            op = "!="  # which is quicker
        yield env, (_comparison(op, a, b),)

    def _ask(self, name: str, args: tuple[Atom, ...], result: Var | None, env: Env) -> Iterator[Way]:
        rule = self.game.rules[name]
        inside: Env = {p: self.known(a, env) for p, a in zip(rule.params, args, strict=True)}
        found = self.ways(rule.body, inside)
        if result is None:
            yield from self._one_of([goals for _, goals in found], env)
            return
        assert rule.result is not None
        if not isinstance(rule.result, Const) and not isinstance(rule.result.sort, Sort):
            raise CannotUnfold
        for there, goals in found:
            yield {**env, result: self.known(rule.result, there)}, goals

    def _one_of(self, found: list[Goals], env: Env) -> Iterator[Way]:
        """One way at most: that some of the alternatives hold."""
        if found:
            yield env, alternatives(found)

    def _choose(self, step: Choose, env: Env) -> Iterator[Way]:
        tests = [goals for _, goals in self.ways(step.test, env)]
        if not tests:
            yield from self.ways(step.otherwise, env)
            return
        test = alternatives(tests)
        if not test:
            yield from self.ways(step.then, env)
            return
        name = self.variable()
        sides = []
        for body in (step.then, step.otherwise):
            found = list(self.ways(body, env))
            if len(found) > 1:
                raise CannotUnfold
            sides.append((*found[0][1], equal(name, found[0][0][step.var])) if found else (FAIL,))
        yield {**env, step.var: name}, (choice(test, *sides),)

    def _fold(self, step: Fold, env: Env) -> Iterator[Way]:
        found = [(self.compute(step.value, there), goals) for there, goals in self.ways(step.body, env)]
        row = AGGREGATES[step.kind]
        if row.adds:
            yield from self._total(step.var, found, env)
            return
        known = [(value, goals) for value, goals in found if isinstance(value, int)]
        if row.rank is None or len(known) < len(found):
            raise CannotUnfold
        rank = row.rank
        known.sort(key=lambda one: rank(one[0]))
        sure = next((i for i, (_, goals) in enumerate(known) if not goals), None)
        if sure is not None:
            del known[sure + 1 :]
        if sure == 0:
            yield {**env, step.var: known[0][0]}, ()
        elif known:
            name, values = self.variable(), [value for value, _ in known]
            self.bounds[name] = min(values), max(values)
            yield {**env, step.var: name}, (first_of(name, known),)

    def _total(self, var: Var, found: list[tuple[Value | Operation, Goals]], env: Env) -> Iterator[Way]:
        if len(found) > LONGEST_SUM:
            raise CannotUnfold
        fixed = sum(value for value, goals in found if not goals and isinstance(value, int))
        parts, goals = list[Term](), list[Goal]()
        for value, tests in found:
            if not tests:
                parts += [] if isinstance(value, int) else [value]
                continue
            one = self.variable()
            goals.append(choice(tests, [binding(one, value)], [equal(one, 0)]))
            parts.append(one)
        if not parts:
            yield {**env, var: fixed}, ()
            return
        name = self.variable()
        yield {**env, var: name}, (*goals, let(name, joined([*parts, *([fixed] if fixed else [])], " + ")))


# --------------------------------------------------------------------------------------------- helpers


def place(slot: Slot, index: int) -> str:
    """The variable of the head for a place."""
    name = "".join(part[:1].upper() + part[1:] for part in slot.name.split("_"))
    return f"{name}_{index + 1}" if slot.params else f"{name}_"


def alternatives(found: list[Goals]) -> Goals:
    """Goals that hold if one of several conjunctions does; none if one is empty."""
    if not all(found):
        return ()
    distinct = list(dict.fromkeys(found))
    return distinct[0] if len(distinct) == 1 else (Cases(tuple((None, goals) for goals in distinct)),)


def negation(found: list[Goals]) -> Goals | None:
    """Goals that hold if none of several conjunctions does; None if one is empty, so that they cannot."""
    return tuple(opposite(together(goals)) for goals in dict.fromkeys(found)) if all(found) else None


def opposite(goal: Goal) -> Goal:
    """The goal that holds where another does not."""
    match goal:
        case Compound("\\+", (Compound() | Cases() as one,)):
            return one
        case Compound(" == ", (a, b)):
            return infix(a, "\\==", b)
        case Compound(" \\== ", (a, b)):
            return infix(a, "==", b)
        case Operation(name, operands):
            return Operation(OPERATORS[name].opposite, operands)
    return denied([goal])


def sure(goal: Goal) -> bool:
    """Does a goal only bind a variable, so that it cannot fail?"""
    match goal:
        case Cases((*_, (None, _)) as cases):
            return all(all(map(sure, goals)) for _, goals in cases)
    return isinstance(goal, Compound) and goal.functor in (" is ", " = ")


def first_of(name: str, found: Sequence[tuple[Value, Goals]]) -> Goal:
    """A goal that binds the variable to the first value whose goals hold; what several begin with is asked once."""
    if not found:
        return FAIL
    value, goals = found[0]
    if not goals:
        return equal(name, value)
    after = next((i for i, (_, others) in enumerate(found) if others[:1] != goals[:1]), len(found))
    last = next((i for i in range(1, after) if len(found[i][1]) == 1), 0)
    rest = first_of(name, found[last + 1 :])
    if not last:
        return choice(goals, [equal(name, value)], [rest])
    among = [(value, others[1:]) for value, others in found[: last + 1]]  # one holds if their common goal does
    return choice(goals[:1], [first_of(name, among)], [rest])


def same(a: Value, b: Value) -> Compound:
    """The comparison of two numbers or variables."""
    return infix(b, "==", a) if isinstance(a, int) else infix(a, "==", b)


def _comparison(op: str, a: Value | Operation, b: Value | Operation) -> Goal:
    if op not in ("=", "!=") or isinstance(a, Operation) or isinstance(b, Operation):
        return Operation(op, (a, b))
    return same(a, b) if op == "=" else opposite(same(a, b))


def binding(name: str, value: Value | Operation) -> Goal:
    """The goal that binds a variable to a value."""
    return let(name, value) if isinstance(value, Operation) else equal(name, value)


def _bound(name: str, value: Operation) -> Goal:
    """A goal that binds a variable to a value; of two variables the smaller is quicker found by a comparison."""
    a, b = value.operands[0], value.operands[-1]
    if value.name not in ("min", "max") or isinstance(a, Operation) or isinstance(b, Operation):
        return let(name, value)
    return choice([infix(a, "=<" if value.name == "min" else ">=", b)], [equal(name, a)], [equal(name, b)])
