"""Bodies as goals: each step of a body is one goal, in the given order.

In: steps of the model.  Out: goals, and the names of their variables.  A body that must call itself (a walk, a
run, a reach) gets a helper predicate behind its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from pysolve.dsl.language.aggregates import AGGREGATES
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
    Game,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Op,
    Possible,
    Preferred,
    Reach,
    SetSort,
    Slot,
    Sort,
    Step,
    Table,
    Test,
    Var,
    Walk,
    body_vars,
)
from pysolve.dsl.model.properties import chooses, counts_down, is_total, longest_run, stops_everywhere
from pysolve.dsl.model.steps import renamed
from pysolve.dsl.to_prolog.terms import (
    FAIL,
    NIL,
    Goal,
    Operation,
    Term,
    bracketed,
    call,
    choice,
    clause,
    either,
    equal,
    findall,
    infix,
    items,
    let,
    negation,
    once,
    variables,
)
from pysolve.dsl.to_prolog.text import camel, quoted

SHORT = 4  # steps of a condition that is written out where it is asked


@dataclass
class Row:
    """A row of a table in a list: with it can come lines that have its first columns as keys."""

    keys: tuple[Atom, ...]
    lines: dict[str, tuple[str, str]] = field(default_factory=dict)  # those that are asked for: their cells, their list


@dataclass
class Clause:
    """The goals of one clause, and the names of its variables."""

    game: Game
    names: dict[object, Term] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    state: str = "S"
    slots: dict[str, Term] = field(default_factory=dict)  # slots that the head takes apart
    whole: bool = False  # is the state itself needed?
    live: bool = False  # setup: the state changes while the clause runs
    helpers: list[str] = field(default_factory=list)  # clauses written for bodies that need one
    predicates: set[str] = field(default_factory=set)  # their names, and those of the helpers of helpers
    prefix: str = "helper"
    hoisted: dict[Term, Goal] = field(default_factory=dict)  # variables, and the goals that bind them at the beginning
    fast: bool = False  # are short definitions written out, and lines of cells walked along?
    written_out: int = 0  # definitions written out so far
    lines: dict[str, None] = field(default_factory=dict)  # tables that are asked for lines
    row: Row | None = None  # what a loop has of a table
    has_read: dict[object, Term] = field(default_factory=dict)  # places whose value is known, lines whose cells are

    def name(self, key: object, wish: str) -> Term:
        """The Prolog variable for something; always the same one."""
        if key not in self.names:
            self.names[key] = self.fresh(wish)
        return self.names[key]

    def fresh(self, wish: str) -> str:
        """A new variable name, `wish` if it is free."""
        words = camel(wish.replace(" ", "_")) or "V"
        name, number = words, 1
        while name in self.used or name == self.state:
            number += 1
            name = f"{words}{number}"
        self.used.add(name)
        return name

    def reserve(self, *names: str) -> Clause:
        """This clause, with variables of the author renamed where they have one of these names."""
        self.used |= set(names)
        return self

    def var(self, var: Var) -> Term:
        """The Prolog name of a variable of the model."""
        return self.name(var, var.name)

    def slot(self, slot: str) -> Term:
        """The variable that the head binds to a slot."""
        if slot not in self.slots:
            self.slots[slot] = self.name(("slot", slot), slot)
        return self.slots[slot]

    def scope(self, known: list[Var]) -> Clause:
        """A copy of the clause in which only these variables are known."""
        names = {v: name for v, name in self.names.items() if v in known or not isinstance(v, Var)}
        return replace(self, names=names)

    def atom(self, atom: Atom) -> Term:
        """A variable or a constant as a Prolog term."""
        return self.var(atom) if isinstance(atom, Var) else atom.value

    def expr(self, expr: Expr) -> Term:
        """Arithmetic; a negative number stands in brackets."""
        if not isinstance(expr, Op):
            return self.atom(expr) if not isinstance(expr, Const) or expr.value >= 0 else bracketed(expr.value)
        args = tuple(map(self.expr, expr.args))
        if expr.name in ("+", "-") and 0 in args[1:]:
            return args[0]
        return Operation(expr.name, args)

    def head_state(self) -> Term:
        """The argument of the head for the state: a variable, or a term with the slots that the clause reads."""
        if self.live or not self.slots:
            return self.state
        return state_term(self.game, self.slots)

    # ---------------------------------------------------------------------------------------- steps

    def goals(self, body: Iterable[Step]) -> list[Goal]:
        """The goals of a body, in order."""
        steps = [inner for step in body for inner in (self.inlined(step) if self.fast else (step,))]
        return [goal for step in steps for goal in self.step(step)]

    def nested(self, body: Iterable[Step]) -> list[Goal]:
        """The goals of a body that may not be carried out: what they read is not known afterwards."""
        has_read = dict(self.has_read)
        goals = self.goals(body)
        self.has_read = has_read
        return goals

    def step(self, step: Step) -> list[Goal]:
        """The goals of one step."""
        match step:
            case Each(var, low, high):
                return [call("between", [self.atom(low), self.atom(high), self.var(var)])]
            case Among(item, values, binds):
                return [call("member" if binds else "memberchk", [self.atom(item), items(map(self.atom, values))])]
            case Member(item, within, binds):
                return [call("member" if binds else "memberchk", [self.atom(item), self.var(within)])]
            case Get():
                return self._get(step)
            case Find(table, (*keys, number, cell), binds) if (
                ("cells", table, tuple(keys)) in self.has_read and binds == (cell,)
            ):  # fmt: skip
                return self._on_line(table, tuple(keys), number, cell)
            case Find(table, args, _):
                return [call(table, map(self.atom, args))]
            case Walk():
                return self._walk(step)
            case Let(var, expr) if self.fast and var not in self.names and not slow(expr):
                return self._chosen(var, expr)
            case Let(var, expr):
                name = self.var(var)
                return [let(name, self.expr(expr)) if isinstance(expr, Op) else equal(name, self.atom(expr))]
            case Test(op, left, right):
                return [Operation(op, (self.expr(left), self.expr(right)))]
            case Ask(rule, args, result):
                return [self._call(rule, [*map(self.atom, args), *([self.var(result)] if result else [])],
                                   self.game.rules[rule].reads)]  # fmt: skip
            case Not(body):
                return [negation(self.nested(body))]
            case Either(bodies):
                return [either([self.nested(body) for body in bodies])]
            case Exists(body):
                return [once(self.nested(body))]
            case Choose(var, test, then, otherwise):
                self.var(var)  # named before either side could give it the name of a slot
                return [choice(self.nested(test), self.nested(then), self.nested(otherwise))]
            case Fold():
                return self._fold(step)
            case Collect(var, item, body):
                found = self.fresh("found")
                return [findall(self.atom(item), self.nested(body), found), call("sort", [found, self.var(var)])]
            case Reach():
                return self._reach(step)
            case Distance():
                return self._distance(step)
            case Possible(action):
                self.whole = True
                kind = next(a for a in self.game.actions if a.name == action)
                prefix = "candidate" if kind.worth else "move"
                asked = call(f"{prefix}_{action}", [self.state, *("_" for _ in kind.params)])
                return [negation([negation([asked])])]
            case Preferred(action, args):
                self.whole = True
                return [call("preferred", [self.state, call(quoted(action), map(self.atom, args))])]
            case Mobility(var, player):
                self.whole = True
                return [call("mobility", [self.state, self.atom(player), self.var(var)])]
        assert_never(step)

    # ------------------------------------------------------------------------------------- conditions

    def decide(self, body: Body, then: Callable[[], list[Goal]], otherwise: Callable[[], list[Goal]]) -> list[Goal]:
        """Goals that do one thing if a body of steps with one solution at most holds, and another if it does not.

        What cannot fail stands before the condition: where only values are compared, Prolog needs no choice point.
        """
        before: list[Goal] = []
        tests: list[Goal] = []
        called = False
        has_read = dict(self.has_read)
        left = [inner for step in body for inner in self.inlined(step)]
        while left:
            step = left[0]
            if isinstance(step, Test):
                tests.append(self.compare(step))
            elif self.sure(step):
                if tests:
                    break
                before += self.read(step, tests)
            elif tests and not called:
                break
            else:
                tests += self.step(step)
                called = True
            left.pop(0)
        inside = self.decide(tuple(left), then, otherwise) if left else then()
        goals = [*before, choice(tests, inside, otherwise())] if tests else [*before, *inside]
        self.has_read = has_read
        return goals

    def plain(self, step: Step) -> bool:
        """True if a step only compares what can be read or computed."""
        return isinstance(step, Test) or self.sure(step)

    def sure(self, step: Step) -> bool:
        """True if a step cannot fail, but for a comparison at its end."""
        if isinstance(step, Get):
            slot = self.game.slots[step.slot]
            return not set(step.args) & set(step.binds) and all(
                within(arg, sort) for arg, sort in zip(step.args, slot.params, strict=True))  # fmt: skip
        return (isinstance(step, Let) and step.var not in self.names) or total(self.game, step)

    def read(self, step: Step, tests: list[Goal]) -> list[Goal]:
        """The goals of a step that is sure; its comparison goes to the tests."""
        if isinstance(step, Get):
            return self._read_place(step, tests)
        if isinstance(step, Find) and step.table == "opponent" and self._of_mover(step):
            self.names[step.args[1]] = self.opponent()
            return []
        return self.step(step)

    def _read_place(self, step: Get, tests: list[Goal]) -> list[Goal]:
        if not step.args:
            if step.value in step.binds:
                return self.step(step)
            tests.append(infix(self.slot(step.slot), "==", self.atom(step.value)))
            return []
        place, goals = (step.slot, step.args), []
        if step.value in step.binds:
            goals = self.step(step)
            self.has_read[place] = self.atom(step.value)
        elif place not in self.has_read:
            words = "_".join([step.slot, *(a.name for a in step.args if isinstance(a, Var))])
            value = Var(self.fresh(words), step.value.sort)
            self.names[value] = self.has_read[place] = value.name
            goals = self.step(replace(step, value=value, binds=()))
        if step.value not in step.binds:
            tests.append(infix(self.has_read[place], "==", self.atom(step.value)))
        return goals

    def _of_mover(self, step: Find) -> bool:
        """Does a step ask for the mover's opponent, who is nobody else as yet?"""
        mover, opponent = step.args
        asked = self.names.get(mover) == self.slots.get("mover") is not None
        return asked and opponent in step.binds and opponent not in self.names and not self.live

    def opponent(self) -> Term:
        """The opponent of the mover, found at the beginning of the clause."""
        mover, name = self.slot("mover"), self.name("opponent", "opponent")
        self.hoisted[name] = call("opponent", [mover, name])
        return name

    def compare(self, test: Test) -> Goal:
        """A comparison; of two simple values without arithmetic, which is quicker."""
        sides = self.expr(test.left), self.expr(test.right)
        if test.op in ("=", "!=") and not isinstance(test.left, Op) and not isinstance(test.right, Op):
            return infix(sides[0], "==" if test.op == "=" else "\\==", sides[1])
        return Operation(test.op, sides)

    def inlined(self, step: Step) -> Body:
        """The steps of a short definition instead of a call."""
        if not isinstance(step, Ask):
            return (step,)
        rule = self.game.rules[step.rule]
        known = dict(zip(rule.params, step.args, strict=True))
        if step.result is not None:
            if not self.fast or not isinstance(rule.result, Var) or rule.result in known or step.result in self.names:
                return (step,)
            known[rule.result] = step.result
        if len(rule.body) > SHORT or not all(map(self.plain, rule.body)):
            return (step,)
        self.written_out += 1  # a variable of the definition is another one each time
        own = {v: Var(v.name + "_" * self.written_out, v.sort) for v in body_vars(rule.body) if v not in known}
        return tuple(renamed(one, {**known, **own}) for one in rule.body)

    def _chosen(self, var: Var, expr: Expr) -> list[Goal]:
        """A value that stands somewhere already, or the smaller or larger of two."""
        if not isinstance(expr, Op):
            self.names[var] = self.expr(expr)
            return []
        a, b = map(self.expr, expr.args)
        name = self.var(var)
        test = infix(a, "=<" if expr.name == "min" else ">=", b)
        return [choice([test], [equal(name, a)], [equal(name, b)])]

    def _call(self, predicate: str, args: list[Term], with_state: bool) -> Goal:
        if with_state:
            self.whole = True
            args = [self.state, *args]
        return call(predicate, args)

    def _get(self, step: Get) -> list[Goal]:
        slot = self.game.slots[step.slot]
        if not slot.params:
            return self._get_single(step, slot)
        place = step.slot, step.args
        if place in self.has_read and step.value in step.binds and step.value not in self.names:
            self.names[step.value] = self.has_read[place]
            return []
        value = self.atom(step.value)
        where, before, after = self.index(slot, step.args, bool(set(step.args) & set(step.binds)))
        return [*before, call("arg", [where, self.holder(slot), value]), *after]

    def _get_single(self, step: Get, slot: Slot) -> list[Goal]:
        if self.live:
            return [call("arg", [slot_number(self.game, slot), self.state, self.atom(step.value)])]
        if step.value in step.binds and step.value not in self.names:
            self.names[step.value] = self.slot(slot.name)  # the head has it already
            return []
        return [equal(self.slot(slot.name), self.atom(step.value))]

    def holder(self, slot: Slot) -> Term:
        """The variable that holds the values of a slot with parameters."""
        if not self.live:
            return self.slot(slot.name)
        return self.name(("slot", slot.name), slot.name)

    def holders(self) -> list[Goal]:
        """Goals that fetch these variables in setup, where no head gives them."""
        if not self.live:
            return []
        return [call("arg", [slot_number(self.game, slot), self.state, self.names["slot", slot.name]])
                for slot in self.game.slots.values() if ("slot", slot.name) in self.names]  # fmt: skip

    def index(self, slot: Slot, args: tuple[Atom, ...], free: bool) -> tuple[Term, list[Goal], list[Goal]]:
        """The place of a value in its term, with the goals needed before and after it is used."""
        if len(args) == 1 and slot.params[0].low == 1:
            return self.atom(args[0]), [], []
        if all(isinstance(a, Const) for a in args):
            return 1 + slot.index(a.value for a in args if isinstance(a, Const)), [], []
        at = self.fresh("index")
        if free:
            return at, [], [infix(self.atom(args[0]), "is", infix(at, "+", slot.params[0].low - 1))]
        return at, [let(at, infix(self.flat(slot, args), "+", 1))], []

    def flat(self, slot: Slot, args: tuple[Atom, ...]) -> Term:
        """Arithmetic for the number of a place, from 0."""
        total: Term | None = None
        for sort, arg in zip(slot.params, args, strict=True):
            count = sort.high - sort.low + 1
            here = self.atom(arg) if sort.low == 0 else bracketed(infix(self.atom(arg), "-", sort.low))
            total = here if total is None else infix(infix(bracketed(total), "*", count), "+", here)
        return 0 if total is None else total

    def _fold(self, step: Fold) -> list[Goal]:
        var = self.var(step.var)
        run = longest_run(step)
        if run is not None:
            return self._run(step, *run)
        down = counts_down(step)
        if down is not None:
            each, rest = down
            k = self.fresh("below")
            span = self.expr(Op("-", (each.high, each.low)))
            last = self.fresh("last")
            number = let(self.var(each.var), infix(self.atom(each.high), "-", k))
            test = [call("between", [0, last, k]), number, *self.nested(rest)]
            return [let(last, span), choice(test, [equal(var, self.var(each.var))], [FAIL])]
        goals = self.nested(step.body)
        if step.kind == "first":
            return [choice(goals, [equal(var, self.expr(step.value))], [FAIL])]
        value = self.expr(step.value)
        if isinstance(step.value, Op):
            item = self.fresh("item")
            goals.append(let(item, value))
            value = item
        found = self.fresh("found")
        return [findall(value, goals, found), call(AGGREGATES[step.kind].prolog, [found, var])]

    def _run(self, step: Fold, each: Each, every: Each, holds: Body) -> list[Goal]:
        """`most n in low..high where every k in 1..n has …`: counts up as long as the condition holds."""
        inner = self.inner()
        line, holds = self.along(every.var, holds)
        outside = [v for v in body_vars(holds) if v in self.names and v != every.var]
        args = [inner.name(v, v.name) for v in outside]
        number, result, following = inner.var(every.var), inner.fresh("most"), inner.fresh("following")
        last, rest = [inner.fresh("last")], []
        if line:
            cell, rest = inner.var(line.args[-1]), [inner.fresh("rest")]  # type: ignore[arg-type]
            if isinstance(each.high, Const) and self.game.tables[line.table].sorts[-2].high <= each.high.value:
                last = []  # the line ends by itself
        name = self.helper_name("run")
        needed = inner.decide(holds, list, list)
        state, mine, opening = self._handed_on(inner, needed)
        passed = [*last, *state, *args, result]
        counted = bool(line) and number not in variables(needed)  # the steps of the run, from 0
        stop = equal(result, number) if counted else let(result, infix(number, "-", 1))
        go_on: list[Goal] = [let(following, infix(number, "+", 1)), call(name, [*rest, following, *passed])]
        goals = inner.decide(holds, lambda: go_on, lambda: [stop])
        if last:
            goals = [choice([infix(number, "=<", last[0])], goals, [stop])]
        self.helpers += inner.helpers
        if line:
            blanks = ["_" for _ in passed[1:]]
            end = clause(call(name, [NIL, number, *blanks, number])) if counted else (
                clause(call(name, [NIL, number, *blanks, result]), [stop]))  # fmt: skip
            self.helpers.append(end)
        opened = [items([cell], rest[0])] if line else []
        self.helpers.append(clause(call(name, [*opened, number, *passed]), [*opening, *goals]))
        before, cells = self.line(line) if line else ([], [])
        given = [*cells, 0 if counted else 1, *([self.atom(each.high)] if last else []), *mine,
                 *map(self.var, outside)]  # fmt: skip
        found = [*before, call(name, [*given, self.var(step.var)])]
        if not (isinstance(each.low, Const) and each.low.value <= 0):
            found.append(infix(self.var(step.var), ">=", self.atom(each.low)))
        return found

    def along(self, number: Var, body: Body) -> tuple[Find | None, Body]:
        """A look-up that gives the next cell of a line for each number from 1, and the rest of the steps.

        Then the line can be had as a list, once, instead of the cells, one by one.
        """
        first = body[0] if body and self.fast else None
        match first:
            case Find(name, (*keys, count, Var() as cell), (bound,)) if (
                count == number and cell == bound and number not in keys
                and all(isinstance(key, Const) or key in self.names for key in keys)
                and self.game.tables[name].keys == len(first.args) - 1
            ):  # fmt: skip
                return first, body[1:]
        return None, body

    def line(self, step: Find) -> tuple[list[Goal], list[Term]]:
        """A goal for the cells of a line, unless the clause has them already; and the variable for their list."""
        keys = step.args[:-2]
        if ("line", step.table, keys) in self.has_read:
            return [], [self.has_read["line", step.table, keys]]
        cells, line = self.fresh("cells"), self.fresh("line")
        self.has_read["line", step.table, keys] = line
        table = self.game.tables[step.table]
        if unbroken(table):
            self.has_read["cells", step.table, keys] = cells
        if self.row is not None and self.row.keys == keys and all(map(within, keys, table.sorts)):
            self.row.lines[step.table] = cells, line
            return [], [line]
        self.lines[step.table] = None
        found = call(f"line_{step.table}", [*map(self.atom, keys), cells, line])
        return [once([found]) if len(keys) > 1 else found], [line]  # Prolog may index the facts by one key only

    def _on_line(self, table: str, keys: tuple[Atom, ...], number: Atom, cell: Atom) -> list[Goal]:
        """The cell of a number on a line that the clause has."""
        cells, shift = self.has_read["cells", table, keys], 1 - self.game.tables[table].sorts[-2].lowest
        if not shift:
            return [call("arg", [self.atom(number), cells, self.atom(cell)])]
        place = self.fresh("place")
        return [let(place, infix(self.atom(number), "+", shift)), call("arg", [place, cells, self.atom(cell)])]

    def _reach(self, step: Reach) -> list[Goal]:
        start, closure = self.var(step.start), self.repeated(step)
        assert isinstance(step.var.sort, SetSort)
        of = step.var.sort.of
        return [call("reach", [start, closure, 1 - of.lowest, of.size, self.var(step.var)])]

    def _distance(self, step: Distance) -> list[Goal]:
        start, goal, closure = self.var(step.start), self.var(step.goal), self.repeated(step)
        of = step.near.sort
        assert isinstance(of, Sort)
        return [call("steps", [start, goal, closure, 1 - of.lowest, of.size, self.var(step.var)])]

    def repeated(self, step: Reach | Distance) -> Term:
        """The goal for one step of a closure, to be called with two further arguments: its start and its end."""
        near, following = self.fresh("near"), self.fresh("next")
        inner = self.inner()
        outside = [v for v in body_vars(step.body) if v in self.names]
        args = [inner.name(v, v.name) for v in outside]
        inner.names[step.near], inner.names[step.next] = near, following
        inner.used |= {near, following}
        goals = inner.goals(step.body)
        name = self._helper(inner, "reach", [*args, near, following], goals)
        self.whole = True
        return call(name, [self.state, *(self.var(v) for v in outside)])

    def _walk(self, step: Walk) -> list[Goal]:
        """Walks along each ray; the cells beyond the first that is not clear are out of reach."""
        inner = self.inner()
        outside = [v for v in body_vars(step.clear) if v in self.names]
        args = [inner.name(v, v.name) for v in outside]
        over = inner.var(step.over)
        clear = inner.goals(step.clear)
        rest, target = inner.fresh("rest"), inner.fresh("to")
        name = self.helper_name("walk")
        state, mine, opening = self._handed_on(inner)
        go_on = call(name, [rest, *state, *args, target])
        head = call(name, [items([over], rest), *state, *args, target])
        self.helpers += inner.helpers
        if step.first_only:
            self.helpers.append(clause(head, [*opening, choice(clear, [go_on], [equal(target, over)])]))
        else:
            self.helpers.append(clause(call(name, [items([over], "_"), *("_" for _ in [*state, *args]), over])))
            self.helpers.append(clause(head, [*opening, *clear, go_on]))
        ray = self.fresh("ray")
        given = [*mine, *map(self.var, outside)]
        origin = self.atom(step.origin)
        walked: list[Goal] = [call(step.rays, [origin, ray]), call(name, [ray, *given, self.var(step.target)])]
        if not stops_everywhere(step, self.game.tables):
            walked.append(call(step.stops, [origin, self.var(step.target)]))
        return walked

    def _handed_on(self, inner: Clause, goals: list[Goal] | None = None) -> tuple[list[Term], list[Term], list[Goal]]:
        """What a helper takes of the position, how this clause gives it, and what the helper must do first.

        A helper gets just the slots that it reads, unless it calls something that needs the whole position.
        """
        if inner.live or inner.whole:
            self.whole = True
            opening = [equal(inner.state, inner.head_state())] if inner.slots and not inner.live else []
            return [inner.state], [self.state], [*opening, *inner.holders(), *inner.hoisted.values()]
        taken = {its: self.slot(slot) for slot, its in inner.slots.items()}
        taken |= {its: self.opponent() for its in inner.hoisted}
        if goals is not None:  # the helper does nothing else with the position
            names = variables(goals)
            taken = {its: mine for its, mine in taken.items() if its in names}
        return list(taken), list(taken.values()), []

    def inner(self) -> Clause:
        """A clause for a body that needs a predicate of its own."""
        return Clause(
            self.game, live=self.live, prefix=self.prefix, predicates=self.predicates, fast=self.fast, lines=self.lines
        )

    def helper_name(self, kind: str) -> str:
        """A name for a predicate that no other helper has, not even one inside it."""
        name, number = f"{self.prefix}_{kind}", 1
        while name in self.predicates:
            number += 1
            name = f"{self.prefix}_{kind}{number}"
        self.predicates.add(name)
        return name

    def _helper(self, inner: Clause, kind: str, args: list[Term], goals: list[Goal]) -> str:
        name = self.helper_name(kind)
        self.helpers += inner.helpers
        self.helpers.append(inner.finish(name, args, goals))
        return name

    def finish(self, predicate: str, args: Iterable[Term], goals: Iterable[Goal], keys: Iterable[Term] = ()) -> str:
        """The text of the clause `predicate(keys…, State, args…) :- goals`."""
        goals = [*self.holders(), *self.hoisted.values(), *goals]
        head: Term = self.state if self.whole or self.live else self.head_state() if self.slots else "_"
        if self.whole and self.slots and not self.live:
            goals = [equal(self.state, self.head_state()), *goals]
        return clause(call(predicate, [*keys, head, *args]), goals)


def state_term(game: Game, slots: Mapping[str, Term]) -> Term:
    """The term of a position, with variables for some slots."""
    return call("state", [slots.get(name, "_") for name in game.slots])


def slot_number(game: Game, slot: Slot) -> int:
    """The argument of state/N that holds a slot."""
    return list(game.slots).index(slot.name) + 1


def total(game: Game, step: Step) -> bool:
    """True if a step cannot fail and does not search: what searches stays behind the tests that may spare it."""
    return _total(game, step, {})


def _total(game: Game, step: Step, found: dict[str, bool]) -> bool:
    searches = isinstance(step, Collect | Reach | Distance | Mobility)
    return not searches and is_total(step, lambda rule: _total_rule(game, rule, found))


def _total_rule(game: Game, name: str, found: dict[str, bool]) -> bool:
    """True if a rule has a value for all arguments; `found` says so of the rules that were looked at."""
    if name not in found:
        found[name] = all(
            isinstance(one, Get | Let) or _total(game, one, found)
            for one in game.rules[name].body
        )  # fmt: skip
    return found[name]


def slow(expr: Expr) -> bool:
    """True for arithmetic, but for the smaller or larger of two values: a comparison finds that more quickly."""
    if not isinstance(expr, Op):
        return False
    return expr.name not in ("min", "max") or any(isinstance(arg, Op) for arg in expr.args)


def unbroken(table: Table) -> bool:
    """True if the numbers of every line of a table follow each other, from the lowest on."""
    found: dict[tuple[int, ...], int] = {}
    for row in table.rows:  # in ascending order
        if row[-2] != found.setdefault(row[:-2], table.sorts[-2].lowest):
            return False
        found[row[:-2]] += 1
    return True


def within(arg: Atom, sort: Sort) -> bool:
    """Is an argument certainly one that a place has?"""
    if isinstance(arg, Const):
        return sort.low <= arg.value <= sort.high
    return isinstance(arg.sort, Sort) and sort.low <= arg.sort.lowest and arg.sort.high <= sort.high


def counted_loop(game: Game, body: Body) -> tuple[Body, Each, Body] | None:
    """The parts of a body that counts through numbers and does nothing else in several ways."""
    before = 0
    while before < len(body) and isinstance(body[before], Let):
        before += 1
    if before == len(body):
        return None
    each, tests = body[before], body[before + 1 :]
    if isinstance(each, Each) and not any(chooses(step, game.tables) for step in tests):
        return body[:before], each, tests
    return None
