"""Bodies carried out as far as they do not depend on the position.

In: a body of the model, values for its variables, who is to move.  Out: every way to carry it out, each with the
goals that are left for later, in Prolog.  A cell of the position is a variable of the clause that will be printed;
what is left are comparisons of such variables, arithmetic, and questions to tables.

This is what dsl.to_prolog.unfolded makes its clauses of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from pysolve.dsl.frozen import frozen
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
from pysolve.dsl.model.ops import OPERATORS

ROWS_A_STEP = 10  # of a table, that are looked through in the time of a step
MOST_STEPS = 4_000_000  # that are carried out for one player; what needs more is left to its clauses
LONGEST_SUM = 24  # ways that a count or a sum may have before it is left to its clauses

Value = int | str  # a known number, or the Prolog variable that will hold it
Env = dict[Var, Value]


class CannotUnfold(Exception):
    """Raised for steps that are better left to the table-driven clauses."""


class NoValue(Exception):
    """Arithmetic without a result, such as a division by zero."""


@frozen
class Goal:
    """A goal that is left for later; `opposite` is its negation where that is a single goal too.

    A `sure` goal cannot fail: it only binds a variable.
    """

    text: str
    opposite: str = ""
    sure: bool = False

    def excludes(self, other: Goal) -> bool:
        """Can it be told that the two do not both hold?"""
        return self.text == other.opposite


Way = tuple[Env, tuple[Goal, ...]]


@dataclass
class Folder:
    """Carries out the bodies of a game for one mover, as far as they do not depend on the position."""

    game: Game
    mover: int
    written: dict[tuple[str, int], Value] = field(default_factory=dict)  # by the rounds so far
    last: int = 0  # number of the last variable
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)  # of variables that are left
    holds: tuple[Goal, ...] = ()  # what is known to hold where the goals will stand
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

    def branches(self, writers: Iterable[Callable[[], str]]) -> list[str]:
        """Texts of which only one will be carried out: so they may have the same variables, which saves time."""
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

    def compute(self, expr: Expr, env: Env) -> Value:
        """A number, or what is left of the arithmetic as text; `None` is no value."""
        if not isinstance(expr, Op):
            return self.known(expr, env)
        args = [self.compute(arg, env) for arg in expr.args]
        operator = OPERATORS[expr.name]
        if all(isinstance(arg, int) for arg in args):
            result = operator.evaluate(*args)
            if result is None:
                raise NoValue
            return int(result)
        if expr.name in ("+", "-") and args[1] == 0:
            return args[0]
        return operator.prolog.format(*(f"({arg})" if not simple(arg) else str(arg) for arg in args))

    # ----------------------------------------------------------------------------------------- steps

    def ways(self, body: Body, env: Env) -> Iterator[Way]:
        """Every way to carry a body out, each with the goals that are left to decide it."""
        if not body:
            yield env, ()
            return
        for here, goals in self.step(body[0], env):
            self.count(1)
            left = tuple(goal for goal in goals if goal not in self.holds)
            if any(goal.excludes(known) for goal in left for known in self.holds):
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
        yield from self._one_of([(_same(mine, v),) for v in left], env)

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
            return
        mine = self.known(atom, env)
        if isinstance(mine, int) and isinstance(value, int):
            if mine == value:
                yield env, ()
        elif mine == value:
            yield env, ()
        else:
            yield env, (_same(value, mine),)

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
        here, words = dict(env), []
        for arg, value in zip(step.args, values, strict=True):
            if value is None:
                assert isinstance(arg, Var)
                value = here[arg] = self.variable()
            words.append(str(value))
        yield here, (Goal(f"{table.name}({', '.join(words)})"),)

    def _walk(self, step: Walk, env: Env) -> Iterator[Way]:
        origin = self.known(step.origin, env)
        if isinstance(origin, str):
            raise CannotUnfold
        stops = set(self.game.tables[step.stops].by_prefix.get((origin,), ()))
        clear: tuple[Goal, ...] = ()
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
            yield from self._meet(var, False, value, env)
        elif isinstance(value, int) or simple(value):
            yield {**env, var: value}, ()
        else:
            name = self.variable()
            self.bounds[name] = self.range(expr, env)
            yield {**env, var: name}, (Goal(self._bound(name, expr, value, env), sure=True),)

    def _bound(self, name: str, expr: Expr, value: Value, env: Env) -> str:
        """A goal that binds a variable to a value; of two variables the smaller is quicker found by a comparison."""
        if isinstance(expr, Op) and expr.name in ("min", "max"):
            a, b = (self.compute(arg, env) for arg in expr.args)
            if all(isinstance(one, int) or simple(one) for one in (a, b)):
                return f"( {a} {'=<' if expr.name == 'min' else '>='} {b} -> {name} = {a} ; {name} = {b} )"
        return f"{name} is {value}"

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
        if known in self.bounds:
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

    def _one_of(self, found: list[tuple[Goal, ...]], env: Env) -> Iterator[Way]:
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
            sides.append(", ".join([*(g.text for g in found[0][1]), f"{name} = {found[0][0][step.var]}"])
                         if found else "fail")  # fmt: skip
        yield {**env, step.var: name}, (Goal(f"( {conjunction(test)} -> {sides[0]} ; {sides[1]} )"),)

    def _fold(self, step: Fold, env: Env) -> Iterator[Way]:
        found = [(self.compute(step.value, there), goals) for there, goals in self.ways(step.body, env)]
        if step.kind in ("count", "sum"):
            yield from self._total(step.var, found, env)
            return
        if any(isinstance(value, str) for value, _ in found):
            raise CannotUnfold
        if step.kind != "first":
            found.sort(key=lambda one: one[0], reverse=step.kind == "most")
        sure = next((i for i, (_, goals) in enumerate(found) if not goals), None)
        if sure is not None:
            del found[sure + 1 :]
        if sure == 0:
            yield {**env, step.var: found[0][0]}, ()
        elif found:
            name = self.variable()
            values = [value for value, _ in found if isinstance(value, int)]
            self.bounds[name] = min(values), max(values)
            yield {**env, step.var: name}, (Goal(first_of(name, found), sure=sure is not None),)

    def _total(self, var: Var, found: list[tuple[Value, tuple[Goal, ...]]], env: Env) -> Iterator[Way]:
        if len(found) > LONGEST_SUM:
            raise CannotUnfold
        fixed = sum(value for value, goals in found if not goals and isinstance(value, int))
        parts, goals = [], []
        for value, tests in found:
            if not tests:
                parts += [] if isinstance(value, int) else [value if simple(value) else f"({value})"]
                continue
            one = self.variable()
            here = f"{one} = {value}" if isinstance(value, int) or simple(value) else f"{one} is {value}"
            goals.append(Goal(f"( {conjunction(tests)} -> {here} ; {one} = 0 )", sure=True))
            parts.append(one)
        if not parts:
            yield {**env, var: fixed}, ()
            return
        name = self.variable()
        total = " + ".join([*parts, *([str(fixed)] if fixed else [])])
        yield {**env, var: name}, (*goals, Goal(f"{name} is {total}", sure=True))


# --------------------------------------------------------------------------------------------- helpers


def place(slot: Slot, index: int) -> str:
    """The variable of the head for a place."""
    name = "".join(part[:1].upper() + part[1:] for part in slot.name.split("_"))
    return f"{name}_{index + 1}" if slot.params else f"{name}_"


def alternatives(found: list[tuple[Goal, ...]]) -> tuple[Goal, ...]:
    """Goals that hold if one of several conjunctions does; none if one is empty."""
    if not all(found):
        return ()
    distinct = list(dict.fromkeys(found))
    if len(distinct) == 1:
        return distinct[0]
    return (Goal(f"( {' ; '.join(conjunction(goals) for goals in distinct)} )"),)


def negation(found: list[tuple[Goal, ...]]) -> tuple[Goal, ...] | None:
    """Goals that hold if none of several conjunctions does; None if one is empty, so that they cannot."""
    if not all(found):
        return None
    goals = []
    for conjuncts in dict.fromkeys(found):
        if len(conjuncts) == 1:
            text, opposite = conjuncts[0].text, conjuncts[0].opposite
            goals.append(Goal(opposite, text) if opposite else Goal(f"\\+ {text}", text))
        else:
            goals.append(Goal(f"\\+ ( {conjunction(conjuncts)} )"))
    return tuple(goals)


def first_of(name: str, found: list[tuple[Value, tuple[Goal, ...]]]) -> str:
    """A goal that binds the variable to the first value whose goals hold; what several begin with is asked once."""
    if not found:
        return "fail"
    value, goals = found[0]
    if not goals:
        return f"{name} = {value}"
    after = next((i for i, (_, others) in enumerate(found) if others[:1] != goals[:1]), len(found))
    last = next((i for i in range(1, after) if len(found[i][1]) == 1), 0)
    test, here = goals[:1] if last else goals, f"{name} = {value}"
    if last:  # one of these holds if their common goal does
        here = first_of(name, [(value, goals[1:]) for value, goals in found[: last + 1]])
    return f"( {conjunction(test)} -> {here} ; {first_of(name, found[last + 1 :])} )"


def conjunction(goals: tuple[Goal, ...]) -> str:
    """The goals joined by commas, on one line."""
    return ", ".join(goal.text for goal in goals)


def _same(a: Value, b: Value) -> Goal:
    if isinstance(a, int):
        a, b = b, a
    return Goal(f"{a} == {b}", f"{a} \\== {b}")


_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _comparison(op: str, a: Value, b: Value) -> Goal:
    if op in ("=", "!=") and all(isinstance(x, int) or simple(x) for x in (a, b)):
        same = _same(a, b)
        return same if op == "=" else Goal(same.opposite, same.text)
    return Goal(OPERATORS[op].prolog.format(a, b), OPERATORS[_OPPOSITES[op]].prolog.format(a, b))


def simple(value: Value) -> bool:
    """True for a number or a variable, False for arithmetic."""
    return isinstance(value, int) or value.isidentifier()
