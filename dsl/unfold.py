"""The fast shape of a game's clauses: unfolded, one clause for each player.

In: a Game.  Out: the text of `unfolded(Codes, S, Reply)`, which answers what `expand/2` of prolog/serve.pl answers,
with every cell a variable of the head and every constant in its place.  Nothing new is meant: the same steps are
carried out here as far as they do not depend on the position, and what is left of them is printed:

    move retreat(from, to)          (   At7 == 1
    at(from) = mover                ->  (   At1 == 0
    to in neighbours(from)              ->  L4 = [255, 0, 7, 1, 7, 0, 1, 1|L5]
    at(to) = none                       ;   L4 = L5
    distance(to) > distance(from)       ), …

Every combination of parameters that the constants allow is one branch, in canonical order.  A kind of move that
needs a set, or would become too long, is left to its table-driven clauses; the answer is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, product

from dsl.model import (
    Action,
    Again,
    Among,
    Ask,
    Assign,
    Atom,
    Body,
    Choose,
    Compute,
    Const,
    Each,
    Effects,
    Either,
    Ending,
    Exists,
    Expr,
    Find,
    Fold,
    ForAll,
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
    When,
    Winner,
    all_steps,
    digits,
)  # fmt: skip
from dsl.ops import OPERATORS

BUDGET = 2_000_000  # characters for all kinds of moves of one player together
LONGEST_SUM = 24  # ways that a count or a sum may have before it is left to its clauses
WIDEST_SPLIT = 6  # values of a variable that effects may be written out for

Value = int | str  # a known number, or the Prolog variable that will hold it
Env = dict[Var, Value]


class CannotUnfold(Exception):
    """What stands here is better left to the table-driven clauses."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that is left for later; `opposite` is its negation where that is a single goal too.

    A `sure` goal cannot fail: it only binds a variable.
    """

    text: str
    opposite: str = ""
    sure: bool = False


Way = tuple[Env, tuple[Goal, ...]]


@dataclass
class Unfolder:
    """Carries out the bodies of a game for one mover, as far as they do not depend on the position."""

    game: Game
    mover: int
    written: dict[tuple[str, int], Value] = field(default_factory=dict)  # by the rounds so far
    fresh: Iterator[int] = field(default_factory=lambda: count(1))
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)  # of variables that are left

    # -------------------------------------------------------------------------------------- reading

    def read(self, slot: Slot, args: tuple[int, ...]) -> Value:
        """What a place holds: a variable of the head, or what an earlier round has put there."""
        index = 0
        for sort, value in zip(slot.params, args, strict=True):
            if not sort.low <= value <= sort.high:
                raise CannotUnfold
            index = index * (sort.high - sort.low + 1) + value - sort.low
        if (slot.name, index) in self.written:
            return self.written[slot.name, index]
        if slot.name == "mover":
            return self.mover
        return place(slot, index)

    def variable(self) -> str:
        return f"V{next(self.fresh)}"

    def known(self, atom: Atom, env: Env) -> Value:
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
                raise _NoValue
            return int(result)
        if expr.name in ("+", "-") and args[1] == 0:
            return args[0]
        return operator.prolog.format(*(f"({arg})" if not _simple(arg) else str(arg) for arg in args))

    # ----------------------------------------------------------------------------------------- steps

    def ways(self, body: Body, env: Env) -> Iterator[Way]:
        """Every way to carry a body out, each with the goals that are left to decide it."""
        if not body:
            yield env, ()
            return
        for here, goals in self.step(body[0], env):
            for there, more in self.ways(body[1:], here):
                yield there, goals + more

    def step(self, step: Step, env: Env) -> Iterator[Way]:
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

    def _get(
        self, slot: Slot, args: tuple[Atom, ...], value: Atom, binds: tuple[Var, ...], env: Env
    ) -> Iterator[Way]:
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
        except _NoValue:
            return
        if var in env:  # a parameter that is computed: it must be the same
            yield from self._meet(var, False, value, env)
        elif isinstance(value, int) or _simple(value):
            yield {**env, var: value}, ()
        else:
            name = self.variable()
            self.bounds[name] = self._range(expr, env)
            yield {**env, var: name}, (Goal(f"{name} is {value}", sure=True),)

    def _range(self, expr: Expr, env: Env) -> tuple[int, int]:
        """Between which numbers a value lies, as far as that can be told."""
        if isinstance(expr, Op):
            ranges = [self._range(arg, env) for arg in expr.args]
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
        value = self.known(expr, env)
        if isinstance(value, int):
            return value, value
        if value in self.bounds:
            return self.bounds[value]
        assert isinstance(expr.sort, Sort)
        return expr.sort.lowest, expr.sort.high

    def _test(self, op: str, left: Expr, right: Expr, env: Env) -> Iterator[Way]:
        try:
            a, b = self.compute(left, env), self.compute(right, env)
        except _NoValue:
            return
        if isinstance(a, int) and isinstance(b, int):
            if OPERATORS[op].evaluate(a, b):
                yield env, ()
            return
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
        name, branches = self.variable(), []
        for value, goals in found:
            if not goals:
                branches.append(f"{name} = {value}")
                break
            branches.append(f"{conjunction(goals)} -> {name} = {value}")
        else:
            branches.append("fail")
        if len(branches) == 1:
            if found:
                yield {**env, step.var: found[0][0]}, ()
            return
        values = [value for value, _ in found if isinstance(value, int)]
        self.bounds[name] = min(values), max(values)
        sure = branches[-1] != "fail"
        yield {**env, step.var: name}, (Goal(f"( {' ; '.join(branches)} )", sure=sure),)

    def _total(self, var: Var, found: list[tuple[Value, tuple[Goal, ...]]], env: Env) -> Iterator[Way]:
        if len(found) > LONGEST_SUM:
            raise CannotUnfold
        fixed = sum(value for value, goals in found if not goals and isinstance(value, int))
        parts, goals = [], []
        for value, tests in found:
            if not tests:
                parts += [] if isinstance(value, int) else [value if _simple(value) else f"({value})"]
                continue
            one = self.variable()
            here = f"{one} = {value}" if isinstance(value, int) or _simple(value) else f"{one} is {value}"
            goals.append(Goal(f"( {conjunction(tests)} -> {here} ; {one} = 0 )", sure=True))
            parts.append(one)
        if not parts:
            yield {**env, var: fixed}, ()
            return
        name = self.variable()
        total = " + ".join([*parts, *([str(fixed)] if fixed else [])])
        yield {**env, var: name}, (*goals, Goal(f"{name} is {total}", sure=True))

    # --------------------------------------------------------------------------------------- effects

    def changes(self, effects: Effects, env: Env, codes: list[str], at: str, after: str) -> list[str]:
        """Goals that put codes and then the changes of the effects between the open lists `at` and `after`."""
        goals: list[str] = []
        for number, effect in enumerate(effects):
            rest = effects[number + 1 :]
            match effect:
                case Compute(body, span):
                    found = list(self.ways(body, env))
                    if not found:  # by the constants alone: the circumstances do not arise
                        return [*goals, f"impossible({span.line})"]
                    if len(found) > 1:
                        raise CannotUnfold
                    env, left = found[0]
                    goals += computed(left, span.line)
                    split = self._to_split(body, rest, env)
                    if split is not None:
                        return [*goals, self._split(split, rest, env, codes, at, after)]
                case Assign():
                    goals += self._assign(effect, env, codes)
                case Again():
                    codes += address(self.game, 0) + [str(self.mover)]
                    kept = self.game.slots.get("again")
                    codes += [*address(self.game, kept.offset), "1"] if kept else []
                case When(test, then, otherwise, _):
                    tests = [left for _, left in self.ways(test, env)]
                    condition = alternatives(tests) if tests else None
                    if condition is None or not condition:
                        side = otherwise if condition is None else then
                        return [*goals, *self.changes((*side, *rest), env, codes, at, after)]
                    middle, last = self._flushed(goals, codes, at), f"W{next(self.fresh)}"
                    sides = [self._nested(side, env, middle, last) for side in (then, otherwise)]
                    goals.append(f"( {conjunction(condition)} -> {sides[0]} ; {sides[1]} )")
                    codes, at = [], last
                case ForAll(body, inner, _):
                    for there, conditions in self.ways(body, env):
                        if not conditions:
                            goals += self._inline(inner, there, codes)
                            continue
                        middle, last = self._flushed(goals, codes, at), f"W{next(self.fresh)}"
                        changed = self._nested(inner, there, middle, last)
                        goals.append(f"( {conjunction(conditions)} -> {changed} ; {middle} = {last} )")
                        codes, at = [], last
                case _:
                    raise CannotUnfold
        goals.append(f"{at} = [{', '.join(codes)}|{after}]" if codes else f"{at} = {after}")
        return goals

    def _flushed(self, goals: list[str], codes: list[str], at: str) -> str:
        """Puts the codes so far on the list; the variable of what follows."""
        if not codes:
            return at
        after = f"W{next(self.fresh)}"
        goals.append(f"{at} = [{', '.join(codes)}|{after}]")
        return after

    def _nested(self, effects: Effects, env: Env, at: str, after: str) -> str:
        """Effects under a condition; what they change is not known to later rounds."""
        before = dict(self.written)
        text = ", ".join(self.changes(effects, env, [], at, after))
        if self.written != before:
            self.written = {**before, **{key: "?" for key in self.written if self.written[key] != before.get(key)}}
        return text

    def _inline(self, effects: Effects, env: Env, codes: list[str]) -> list[str]:
        goals: list[str] = []
        for effect in effects:
            if isinstance(effect, Compute):
                found = list(self.ways(effect.body, env))
                if len(found) != 1:
                    raise CannotUnfold
                env, left = found[0]
                goals += computed(left, effect.span.line)
            elif isinstance(effect, Assign):
                goals += self._assign(effect, env, codes)
            else:
                raise CannotUnfold
        return goals

    def _assign(self, effect: Assign, env: Env, codes: list[str]) -> list[str]:
        slot = self.game.slots[effect.slot]
        index = 0
        for sort, arg in zip(slot.params, effect.args, strict=True):
            number = self.known(arg, env)
            if isinstance(number, str):
                raise CannotUnfold
            index = index * (sort.high - sort.low + 1) + number - sort.low
        try:
            value = self.compute(effect.value, env)
        except _NoValue:
            return [f"impossible({effect.span.line})"]
        goals: list[str] = []
        if not isinstance(value, int) and not _simple(value):
            name = self.variable()
            goals.append(f"{name} is {value}")
            value = name
        low, high = slot.sort.lowest, slot.sort.high
        if effect.checked and not (isinstance(value, int) and low <= value <= high):
            goals += self._ranged(value, effect, slot, env)
        self.next_written[slot.name, index] = value
        if slot.shift or slot.width == 2:
            if isinstance(value, str):
                raise CannotUnfold
            spelled = [str(d) for d in digits(value + slot.shift, slot.width)]
        else:
            spelled = [str(value)]
        for i, digit in enumerate(spelled):
            codes += [*address(self.game, slot.offset + index * slot.width + i), digit]
        return goals

    def _ranged(self, value: Value, effect: Assign, slot: Slot, env: Env) -> list[str]:
        """A test that a value fits its slot; only what is not certain anyway is tested."""
        low, high = slot.sort.lowest, slot.sort.high
        least, most = (value, value) if isinstance(value, int) else self._range(effect.value, env)
        tests = [f"{value} >= {low}"] * (least < low) + [f"{value} =< {high}"] * (most > high)
        if not tests:
            return []
        wrong = f"in_range({value}, {low}, {high}, {slot.name}, {effect.span.line})"
        return [f"( {', '.join(tests)} -> true ; {wrong} )"]

    next_written: dict[tuple[str, int], Value] = field(default_factory=dict)

    def _to_split(self, body: Body, rest: Effects, env: Env) -> Var | None:
        """A variable just computed whose few values decide where the rest of the effects goes."""
        wanted = _deciding_vars(rest)
        for step in all_steps(body):
            var = getattr(step, "var", None) or getattr(step, "result", None)
            name = env.get(var) if isinstance(var, Var) else None
            if isinstance(var, Var) and var in wanted and isinstance(name, str):
                low, high = self.bounds.get(name, (0, WIDEST_SPLIT))
                if high - low < WIDEST_SPLIT:
                    return var
        return None

    def _split(self, var: Var, rest: Effects, env: Env, codes: list[str], at: str, after: str) -> str:
        """The rest of the effects, written out for each value of a variable."""
        name = env[var]
        assert isinstance(name, str)
        low, high = self.bounds[name]
        branches = []
        for value in range(low, high + 1):
            goals = self.changes(rest, {**env, var: value}, list(codes), at, after)
            test = f"{name} =:= {value} -> " if value < high else ""
            branches.append(test + ", ".join(goals))
        return f"( {' ; '.join(branches)} )"

    def record(self, action: Action, kind: int, env: Env, at: str, after: str) -> list[str]:
        """Goals that put the record of one move between two open lists."""
        codes = ["255", str(kind)]
        for param in action.params:
            assert isinstance(param.sort, Sort)
            low = min(param.sort.low, 0)
            number = env[param]
            if isinstance(number, str):
                raise CannotUnfold
            codes += [str(d) for d in digits(number - low, 1 if param.sort.high - low + 1 <= 255 else 2)]
        self.written, self.next_written = {}, {}
        goals: list[str] = []
        for effects in action.rounds[:-1]:
            middle = f"W{next(self.fresh)}"
            goals += self.changes(effects, env, codes, at, middle)
            if "?" in self.next_written.values() or any(isinstance(e, (When, ForAll)) for e in effects):
                raise CannotUnfold  # a later round would have to know what happened
            self.written |= self.next_written
            env = self._after_round(effects, env)
            codes, at = [], middle
        goals += self.changes(action.rounds[-1] if action.rounds else (), env, codes, at, after)
        self.written = {}
        return goals

    def _after_round(self, effects: Effects, env: Env) -> Env:
        """The variables that a round has bound for the rounds after it."""
        if any(isinstance(e, Compute) and _reads(e.body) for e in effects):
            raise CannotUnfold
        for effect in effects:
            if isinstance(effect, Compute):
                ((env, _),) = self.ways(effect.body, env)
        return env


class _NoValue(Exception):
    """Arithmetic without a result, such as a division by zero."""


# ---------------------------------------------------------------------------------------- whole clauses


def print_unfolded(game: Game, budget: int = BUDGET) -> str:
    """`unfolded(Codes, S, Reply)` for every player, or an empty text if no kind of move gains by it.

    S is the term of the position, which only what was left to table-driven clauses looks at.
    """
    if any(slot.width > 1 or slot.shift for slot in game.slots.values()) or game.players.high != 2:
        return ""
    texts, needs_state, left = [], False, 0
    for mover in game.players.values():
        text, kinds_left, wants_state = _player(game, mover, budget)
        texts.append(text)
        needs_state = needs_state or wants_state
        left = max(left, kinds_left)
    if left == len(game.actions):
        return ""
    decode = "\n    decode(Codes, S)," if needs_state else ""
    return "\n".join([HEAD.format(decode=decode, state="S" if needs_state else "_"), *texts]) + "\n"


HEAD = """\
% The same moves once more, unfolded for speed: every cell is a variable, every constant in its place.

expand_unfolded(In, Out) :-
    inference_limit(Limit),
    call_with_inference_limit(unfolded_(In, Out), Limit, Result),
    (   Result == inference_limit_exceeded
    ->  throw(error(pysolve(inference_limit(Limit)), _))
    ;   !
    ).

unfolded_(In, Out) :-
    string_codes(In, Codes),{decode}
    unfolded(Codes, {state}, Reply0),
    (   Reply0 == stuck
    ->  decode(Codes, P),
        no_moves(P, Reply)
    ;   Reply = Reply0
    ),
    string_codes(Out, Reply).
"""


def _player(game: Game, mover: int, budget: int) -> tuple[str, int, bool]:
    """The clause for one mover, how many kinds of moves are left to tables, and whether it needs the term."""
    unfolder = Unfolder(game, mover)
    endings = _endings(game, mover)
    goals: list[str] = []
    left, at, number = 0, "L0", count(1)
    for kind, action in enumerate(game.actions):
        after = f"M{kind}"
        try:
            text = _kind(unfolder, action, kind, at, after, number)
            budget -= len(text)
            if budget < 0:
                raise CannotUnfold
        except CannotUnfold:
            text = f"records_{action.name}(S, {at}, {after})"
            left += 1
        goals.append(text)
        at = after
    goals.append(f"{at} = []")
    head, tests = [str(mover)], endings or ""
    used = set(re.findall(r"[A-Z]\w*_\d*", tests + " ".join(goals)))
    for slot in game.slots.values():
        if slot.name != "mover":
            names = (place(slot, i) for i in range(slot.count))
            head += [name if name in used else "_" for name in names]
    kept = game.slots.get("again")
    changes = [*address(game, 0), str(3 - mover), *([*address(game, kept.offset), "0"] if kept else [])]
    first = "" if endings is None else f"{tests}    "
    over = "(   over(S, E, W)\n    ->  Reply = [E, W]\n    ;   " if endings is None else f"(   {first}"
    body = ",\n        ".join(goals)
    state = "S" if left or endings is None else "_"
    text = (
        f"unfolded([{', '.join(head)}], {state}, Reply) :-\n    {over}{body},\n"
        f"        (   L0 == []\n        ->  Reply = stuck\n        ;   Reply = [0, {', '.join(changes)}|L0]\n        )\n    )."
    )
    return text, left, state == "S"


def _endings(game: Game, mover: int) -> str | None:
    """The tests of all endings, seen by who has just moved; None if they are better asked of their clauses."""
    if "again" in game.slots:
        return None
    unfolder = Unfolder(game, 3 - mover)
    text = ""
    try:
        for number, ending in enumerate(game.endings, 1):
            if (ending.repeated or 1) > 1 or (ending.turns or 0) > 0:
                continue  # these depend on the game so far
            winner = _winner(ending, 3 - mover)
            tests = [goals for _, goals in unfolder.ways(ending.body, {})]
            if not tests:
                continue
            condition = alternatives(tests)
            text += f"{conjunction(condition) or 'true'}\n    ->  Reply = [{number}, {winner}]\n    ;   "
            if len(text) > 40_000:
                return None
    except CannotUnfold:
        return None
    return text


def _winner(ending: Ending, just_moved: int) -> int:
    match ending.result:
        case Winner(None, None):
            return 0
        case Winner(None, role):
            return just_moved if role == "mover" else 3 - just_moved
        case Winner(Const(value, _), _):
            return value
    raise CannotUnfold


def _kind(
    unfolder: Unfolder, action: Action, kind: int, at: str, after: str, number: Iterator[int]
) -> str:
    """The records of all moves of one kind between two open lists."""
    if action.after:
        raise CannotUnfold
    unfolder.written = {}  # an earlier kind may have been given up in the middle
    found = list(unfolder.ways(action.body, {}))
    found.sort(key=lambda way: tuple(_number(way[0][p]) for p in action.params))
    moves = [(goals, env) for env, goals in found]
    return _branches(unfolder, action, kind, moves, 0, at, after, number)


def _number(value: Value) -> int:
    if isinstance(value, str):
        raise CannotUnfold
    return value


def _branches(
    unfolder: Unfolder, action: Action, kind: int, moves: list[tuple[tuple[Goal, ...], Env]], depth: int,
    at: str, after: str, number: Iterator[int],
) -> str:  # fmt: skip
    """Moves that have met their first `depth` goals already; the next goal is asked once for all that share it."""
    texts = []
    groups: list[list[tuple[tuple[Goal, ...], Env]]] = []
    for move in moves:
        mine = move[0][depth : depth + 1]
        if groups and mine and groups[-1][0][0][depth : depth + 1] == mine:
            groups[-1].append(move)
        else:
            groups.append([move])
    for i, group in enumerate(groups):
        here = after if i == len(groups) - 1 else f"L{next(number)}"
        goals, env = group[0]
        if len(group) > 1:
            inner = _branches(unfolder, action, kind, group, depth + 1, at, here, number)
            texts.append(f"(   {goals[depth].text} -> {inner} ; {at} = {here} )")
        else:
            record = ", ".join(unfolder.record(action, kind, env, at, here))
            rest = goals[depth:]
            texts.append(f"(   {conjunction(rest)} -> {record} ; {at} = {here} )" if rest else record)
        at = here
    return ",\n        ".join(texts) if texts else f"{at} = {after}"


# --------------------------------------------------------------------------------------------- helpers


def place(slot: Slot, index: int) -> str:
    """The variable of the head for a place."""
    name = "".join(part[:1].upper() + part[1:] for part in slot.name.split("_"))
    return f"{name}_{index + 1}" if slot.params else f"{name}_"


def address(game: Game, byte: int) -> list[str]:
    """The address of a byte in a patch: two digits on a large board."""
    return [str(d) for d in digits(byte, 1 if game.size <= 255 else 2)]


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


def computed(goals: tuple[Goal, ...], line: int) -> list[str]:
    """Goals that bind variables; if one of them can fail, the failure is an error of that line."""
    if all(goal.sure for goal in goals):
        return [goal.text for goal in goals]
    return [f"( {conjunction(goals)} -> true ; impossible({line}) )"]


def conjunction(goals: tuple[Goal, ...]) -> str:
    return ", ".join(goal.text for goal in goals)


def _same(a: Value, b: Value) -> Goal:
    if isinstance(a, int):
        a, b = b, a
    return Goal(f"{a} == {b}", f"{a} \\== {b}")


_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _comparison(op: str, a: Value, b: Value) -> Goal:
    if op in ("=", "!=") and all(isinstance(x, int) or _simple(x) for x in (a, b)):
        same = _same(a, b)
        return same if op == "=" else Goal(same.opposite, same.text)
    return Goal(OPERATORS[op].prolog.format(a, b), OPERATORS[_OPPOSITES[op]].prolog.format(a, b))


def _simple(value: Value) -> bool:
    """True for a number or a variable, False for arithmetic."""
    return isinstance(value, int) or value.isidentifier()


def _reads(body: Body) -> bool:
    return any(isinstance(step, (Get, Ask)) for step in all_steps(body))


def _deciding_vars(effects: Effects) -> set[Var]:
    """Variables that say which places the effects write or which values they try."""
    found: set[Var] = set()

    def look(body: Body) -> None:
        for step in all_steps(body):
            match step:
                case Find(_, args, binds) | Get(_, args, _, binds):
                    found.update(a for a in args if isinstance(a, Var) and a not in binds)
                case Each(_, low, high):
                    found.update(a for a in (low, high) if isinstance(a, Var))
                case Let(_, expr):
                    found.update(_vars(expr))
                case _:
                    pass

    for effect in effects:
        match effect:
            case Compute(body, _):
                look(body)
            case Assign(_, args, _, _, _):
                found.update(a for a in args if isinstance(a, Var))
            case When(_, then, otherwise, _):
                found |= _deciding_vars(then) | _deciding_vars(otherwise)
            case ForAll(body, inner, _):
                look(body)
                found |= _deciding_vars(inner)
            case _:
                pass
    return found


def _vars(expr: Expr) -> set[Var]:
    if isinstance(expr, Op):
        return set().union(*(_vars(arg) for arg in expr.args))
    return {expr} if isinstance(expr, Var) else set()
