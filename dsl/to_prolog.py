"""Model to Prolog: the meaning of a game as clauses.

In: a Game.  Out: the text of a Prolog program that loads alone in swipl, or, with the runtime of prolog/ behind
it, in a module of its own.  The printer decides nothing: each step of a body is one goal, in the given order.

A position is `state(Mover, Slot, …)`: a slot without parameters is a number, one with parameters a flat term of
numbers, so that `arg(From, At, V)` reads `at(from)`.  Values are numbers throughout; `name/3` knows their words.
Predicates are prefixed so that no author's name can meet one of Prolog:

    def_   a definition            move_    legal moves of one kind       stop_  the end of a walk
    table_, board_, static_, rays_ facts    effect_  what a move changes, as a patch
    demand, shows, against         what `why` is made of
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from dsl.model import (
    Action,
    Again,
    Among,
    Ask,
    Assign,
    Atom,
    Body,
    Choose,
    Collect,
    Compute,
    Const,
    Contest,
    Demand,
    Each,
    Effects,
    EffectStep,
    Either,
    Exists,
    Expr,
    Find,
    Fold,
    ForAll,
    Game,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Op,
    Pick,
    Possible,
    Probe,
    Reach,
    Repeat,
    Result,
    Rule,
    SetSort,
    Slot,
    Sort,
    Stage,
    Step,
    Table,
    Test,
    Var,
    Walk,
    When,
    Winner,
    all_steps,
    tables_asked,
)  # fmt: skip
from dsl.ops import OPERATORS

# ------------------------------------------------------------------------------------------- clauses


@dataclass
class Clause:
    """The goals of one clause, and the names of its variables."""

    game: Game
    names: dict[object, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    state: str = "S"
    slots: dict[str, str] = field(default_factory=dict)  # slots that the head takes apart
    whole: bool = False  # is the state itself needed?
    live: bool = False  # setup: the state changes while the clause runs
    helpers: list[str] = field(default_factory=list)  # clauses written for bodies that need one
    prefix: str = "helper"

    def name(self, key: object, wish: str) -> str:
        """The Prolog variable for something; always the same one."""
        if key not in self.names:
            words = "".join(part[:1].upper() + part[1:] for part in wish.split("_"))
            name, number = words or "V", 1
            while name in self.used or name == self.state:
                number += 1
                name = f"{words}{number}"
            self.used.add(name)
            self.names[key] = name
        return self.names[key]

    def fresh(self, wish: str) -> str:
        return self.name(object(), wish)

    def reserve(self, *names: str) -> Clause:
        """This clause, in which no variable of the author has one of our names."""
        self.used |= set(names)
        return self

    def var(self, var: Var) -> str:
        return self.name(var, var.name)

    def slot(self, slot: str) -> str:
        """The variable that the head binds to a slot."""
        if slot not in self.slots:
            self.slots[slot] = self.name(("slot", slot), slot)
        return self.slots[slot]

    def atom(self, atom: Atom) -> str:
        return self.var(atom) if isinstance(atom, Var) else str(atom.value)

    def expr(self, expr: Expr) -> str:
        """Arithmetic, with brackets around every operation inside another."""
        if not isinstance(expr, Op):
            return self.atom(expr) if not isinstance(expr, Const) or expr.value >= 0 else f"({expr.value})"
        args = []
        for arg in expr.args:
            text = self.expr(arg)
            args.append(f"({text})" if isinstance(arg, Op) else text)
        return OPERATORS[expr.name].prolog.format(*args)

    def head_state(self) -> str:
        """How the head takes the state."""
        if self.live or not self.slots:
            return self.state
        return state_term(self.game, self.slots)

    # ---------------------------------------------------------------------------------------- steps

    def goals(self, body: Iterable[Step]) -> list[str]:
        return [goal for step in body for goal in self.step(step)]

    def step(self, step: Step) -> list[str]:
        """The goals of one step."""
        match step:
            case Each(var, low, high):
                return [f"between({self.atom(low)}, {self.atom(high)}, {self.var(var)})"]
            case Among(item, values, binds):
                words = ", ".join(self.atom(v) for v in values)
                member = "member" if binds else "memberchk"
                return [f"{member}({self.atom(item)}, [{words}])"]
            case Member(item, within, binds):
                member = "member" if binds else "memberchk"
                return [f"{member}({self.atom(item)}, {self.var(within)})"]
            case Get():
                return self._get(step)
            case Find(table, args, _):
                words = ", ".join(self.atom(a) for a in args)
                return [f"{table}({words})"]
            case Walk():
                return self._walk(step)
            case Let(var, expr):
                return [f"{self.var(var)} is {self.expr(expr)}" if isinstance(expr, Op)
                        else f"{self.var(var)} = {self.atom(expr)}"]  # fmt: skip
            case Test(op, left, right):
                return [OPERATORS[op].prolog.format(self.expr(left), self.expr(right))]
            case Ask(rule, args, result):
                return [self._call(rule, [*map(self.atom, args), *([self.var(result)] if result else [])],
                                   self.game.rules[rule].reads)]  # fmt: skip
            case Not(body):
                return [negation(self.goals(body))]
            case Either(bodies):
                return [either([self.goals(body) for body in bodies])]
            case Exists(body):
                return [once(self.goals(body))]
            case Choose(var, test, then, otherwise):
                self.var(var)  # named before either side could give it the name of a slot
                return [choice(self.goals(test), self.goals(then), self.goals(otherwise))]
            case Fold():
                return self._fold(step)
            case Collect(var, item, body):
                found = self.fresh("found")
                return [findall(self.atom(item), self.goals(body), found), f"sort({found}, {self.var(var)})"]
            case Reach():
                return self._reach(step)
            case Possible(action):
                self.whole = True
                kind = next(a for a in self.game.actions if a.name == action)
                return [f"\\+ \\+ {call(f'move_{action}', [self.state, *('_' for _ in kind.params)])}"]
            case Mobility(var, player):
                self.whole = True
                return [f"mobility({self.state}, {self.atom(player)}, {self.var(var)})"]
        assert_never(step)

    def _call(self, predicate: str, args: list[str], with_state: bool) -> str:
        if with_state:
            self.whole = True
            args = [self.state, *args]
        return call(predicate, args)

    def _get(self, step: Get) -> list[str]:
        slot = self.game.slots[step.slot]
        if not slot.params:
            return self._get_single(step, slot)
        value = self.atom(step.value)
        where, before, after = self.index(slot, step.args, bool(set(step.args) & set(step.binds)))
        return [*before, f"arg({where}, {self.holder(slot)}, {value})", *after]

    def _get_single(self, step: Get, slot: Slot) -> list[str]:
        if self.live:
            return [f"arg({slot_number(self.game, slot)}, {self.state}, {self.atom(step.value)})"]
        if step.value in step.binds and step.value not in self.names:
            self.names[step.value] = self.slot(slot.name)  # the head has it already
            return []
        return [f"{self.slot(slot.name)} = {self.atom(step.value)}"]

    def holder(self, slot: Slot) -> str:
        """The variable that holds the values of a slot with parameters."""
        if not self.live:
            return self.slot(slot.name)
        return self.name(("slot", slot.name), slot.name)

    def index(self, slot: Slot, args: tuple[Atom, ...], free: bool) -> tuple[str, list[str], list[str]]:
        """The place of a value in its term, with the goals needed before and after it is used."""
        if len(args) == 1 and slot.params[0].low == 1:
            return self.atom(args[0]), [], []
        if all(isinstance(a, Const) for a in args):
            return str(1 + flat_index(slot, tuple(a.value for a in args if isinstance(a, Const)))), [], []
        at = self.fresh("index")
        if free:
            return at, [], [f"{self.atom(args[0])} is {at} + {slot.params[0].low - 1}"]
        return at, [f"{at} is {self.flat(slot, args)} + 1"], []

    def flat(self, slot: Slot, args: tuple[Atom, ...]) -> str:
        """Arithmetic for the number of a place, from 0."""
        total = ""
        for sort, arg in zip(slot.params, args, strict=True):
            count = sort.high - sort.low + 1
            here = self.atom(arg) if sort.low == 0 else f"({self.atom(arg)} - {sort.low})"
            total = f"({total}) * {count} + {here}" if total else here
        return total or "0"

    def _fold(self, step: Fold) -> list[str]:
        var = self.var(step.var)
        run = _longest_run(step)
        if run is not None:
            return self._run(step, *run)
        down = _counts_down(step)
        if down is not None:
            each, rest = down
            k = self.fresh("below")
            span = self.expr(Op("-", (each.high, each.low)))
            last = self.fresh("last")
            test = [f"{last} is {span}", f"between(0, {last}, {k})", f"{self.var(each.var)} is {self.atom(each.high)} - {k}",
                    *self.goals(rest)]  # fmt: skip
            return [*test[:1], choice(test[1:], [f"{var} = {self.var(each.var)}"], ["fail"])]
        goals = self.goals(step.body)
        if step.kind == "first":
            return [choice(goals, [f"{var} = {self.expr(step.value)}"], ["fail"])]
        value = self.expr(step.value)
        if isinstance(step.value, Op):
            item = self.fresh("item")
            goals.append(f"{item} is {value}")
            value = item
        found = self.fresh("found")
        finish = {"count": "length", "sum": "sum_list", "most": "max_list", "least": "min_list"}[step.kind]
        return [findall(value, goals, found), f"{finish}({found}, {var})"]

    def _run(self, step: Fold, each: Each, every: Each, holds: Body) -> list[str]:
        """`most n in low..high where every k in 1..n has …`: counts up as long as the condition holds."""
        inner = self.inner()
        outside = [v for v in body_vars(holds) if v in self.names and v != every.var]
        args = [inner.name(v, v.name) for v in outside]
        number, last, result = inner.var(every.var), inner.fresh("last"), inner.fresh("most")
        following = inner.fresh("following")
        goals = inner.goals(holds)
        name = self._helper_name("run")
        state, mine, opening = self._handed_on(inner)
        go_on = call(name, [following, last, *state, *args, result])
        body = choice([f"{number} =< {last}", *goals], [f"{following} is {number} + 1", go_on],
                      [f"{result} is {number} - 1"])  # fmt: skip
        self.helpers += inner.helpers
        self.helpers.append(clause(call(name, [number, last, *state, *args, result]), [*opening, body]))
        given = [*mine, *(self.var(v) for v in outside)]
        found = [call(name, ["1", self.atom(each.high), *given, self.var(step.var)])]
        if not (isinstance(each.low, Const) and each.low.value <= 0):
            found.append(f"{self.var(step.var)} >= {self.atom(each.low)}")
        return found

    def _reach(self, step: Reach) -> list[str]:
        near, following, start = self.fresh("near"), self.fresh("next"), self.var(step.start)
        inner = self.inner()
        outside = [v for v in body_vars(step.body) if v in self.names]
        args = [inner.name(v, v.name) for v in outside]
        inner.names[step.near], inner.names[step.next] = near, following
        inner.used |= {near, following}
        goals = inner.goals(step.body)
        name = self._helper(inner, "reach", [*args, near, following], goals)
        self.whole = True
        closure = call(name, [self.state, *(self.var(v) for v in outside)])
        return [f"reach({start}, {closure}, {self.var(step.var)})"]

    def _walk(self, step: Walk) -> list[str]:
        """Walks along each ray; the cells beyond the first that is not clear are out of reach."""
        inner = self.inner()
        outside = [v for v in body_vars(step.clear) if v in self.names]
        args = [inner.name(v, v.name) for v in outside]
        over = inner.var(step.over)
        clear = inner.goals(step.clear)
        rest, target = inner.fresh("rest"), inner.fresh("to")
        name = self._helper_name("walk")
        state, mine, opening = self._handed_on(inner)
        go_on = call(name, [rest, *state, *args, target])
        head = call(name, [f"[{over}|{rest}]", *state, *args, target])
        self.helpers += inner.helpers
        if step.first_only:
            self.helpers.append(clause(head, [*opening, choice(clear, [go_on], [f"{target} = {over}"])]))
        else:
            self.helpers.append(clause(call(name, [f"[{over}|_]", *("_" for _ in [*state, *args]), over]), []))
            self.helpers.append(clause(head, [*opening, *clear, go_on]))
        ray = self.fresh("ray")
        given = [*mine, *map(self.var, outside)]
        walked = [f"{step.rays}({self.atom(step.origin)}, {ray})", call(name, [ray, *given, self.var(step.target)])]
        if not stops_everywhere(self.game, step):
            walked.append(f"{step.stops}({self.atom(step.origin)}, {self.var(step.target)})")
        return walked

    def _handed_on(self, inner: Clause) -> tuple[list[str], list[str], list[str]]:
        """What a helper takes of the position, how this clause gives it, and what the helper must do first.

        A helper gets just the slots that it reads, unless it calls something that needs the whole position.
        """
        if inner.live or inner.whole:
            self.whole = True
            opening = [f"{inner.state} = {inner.head_state()}"] if inner.slots and not inner.live else []
            return [inner.state], [self.state], opening
        return list(inner.slots.values()), [self.slot(name) for name in inner.slots], []

    def inner(self) -> Clause:
        """A clause for a body that needs a predicate of its own."""
        return Clause(self.game, live=self.live, prefix=self.prefix)

    def _helper_name(self, kind: str) -> str:
        taken = {line.split("(")[0] for line in self.helpers}
        name, number = f"{self.prefix}_{kind}", 1
        while name in taken:
            number += 1
            name = f"{self.prefix}_{kind}{number}"
        return name

    def _helper(self, inner: Clause, kind: str, args: list[str], goals: list[str]) -> str:
        name = self._helper_name(kind)
        self.helpers += inner.helpers
        self.helpers.append(inner.finish(name, args, goals))
        return name

    def finish(self, predicate: str, args: list[str], goals: list[str]) -> str:
        """The text of the clause `predicate(State, args…) :- goals`."""
        head = self.state if self.whole or self.live or not self.slots else self.head_state()
        if self.whole and self.slots and not self.live:
            goals = [f"{self.state} = {self.head_state()}", *goals]
        if not (self.whole or self.slots or self.live):
            head = "_"
        return clause(call(predicate, [head, *args]), goals)


# ---------------------------------------------------------------------------------- effects as patches


@dataclass
class Patch:
    """Writes effects as a difference list of byte, value, byte, value, …"""

    clause: Clause

    def goals(self, effects: Effects, first: str, last: str) -> list[str]:
        """Goals that put the changes between the open lists `first` and `last`."""
        goals: list[str] = []
        at = first
        writes = [e for e in effects if not isinstance(e, Compute)]
        if not writes:
            return [*self._computed(effects), f"{first} = {last}"]
        left = len(writes)
        for effect in effects:
            if isinstance(effect, Compute):
                goals += self._computed((effect,))
                continue
            left -= 1
            after = last if left == 0 else self.clause.fresh("w")
            goals += self._effect(effect, at, after)
            at = after
        return goals

    def _computed(self, effects: Effects) -> list[str]:
        goals: list[str] = []
        for effect in effects:
            if isinstance(effect, Compute):
                inner = self.clause.goals(effect.body)
                safe = all(isinstance(step, (Get, Let)) or _total(step) for step in effect.body)
                goals += inner if safe or not inner else [
                    choice(inner, ["true"], [f"impossible({effect.span.line})"])]
        return goals

    def _effect(self, effect: EffectStep, at: str, after: str) -> list[str]:
        clause = self.clause
        match effect:
            case Assign(name, args, value, checked, span):
                slot = clause.game.slots[name]
                goals: list[str] = []
                text = clause.expr(value)
                if isinstance(value, Op):
                    result = clause.fresh(name)
                    goals.append(f"{result} is {text}")
                    text = result
                if checked:
                    goals.append(f"in_range({text}, {slot.sort.lowest}, {slot.sort.high}, {quoted(name)}, {span.line})")
                where, more = self.byte(slot, args)
                return [*goals, *more, *self.write(slot, where, text, at, after)]
            case When(test, then, otherwise, _):
                return [choice(clause.goals(test), self.goals(then, at, after), self.goals(otherwise, at, after))]
            case ForAll(body, effects, _) if (loop := _counted_loop(clause.game, body)) is not None:
                before, each, tests = loop
                return [*clause.goals(before), *self._loop(each, tests, effects, at, after)]
            case ForAll(body, effects, _):
                goals = clause.goals(body)
                one, every = clause.fresh("change"), clause.fresh("changes")
                inner = [*goals, *self.goals(effects, one, "[]")]
                return [findall(one, inner, every), f"joined({every}, {at}, {after})"]
            case Again():
                size, kept_slot = clause.game.size, clause.game.slots.get("again")
                codes = [spell(clause, "0", size)[0], clause.slot("mover")]
                codes += [spell(clause, str(kept_slot.offset), size)[0], "1"] if kept_slot else []
                return [f"{at} = [{', '.join(codes)}|{after}]"]
            case Compute() | Pick() | Repeat():
                raise AssertionError("written elsewhere")
        assert_never(effect)

    def _loop(self, each: Each, tests: Body, effects: Effects, at: str, after: str) -> list[str]:
        """The effects for each number in turn, by a predicate that calls itself with the next."""
        own = self.clause
        low, high = own.atom(each.low), own.atom(each.high)
        inner = own.inner()
        outside = [v for v in body_vars((tests, effects)) if v in own.names and v != each.var]  # type: ignore[arg-type]
        args = [inner.name(v, v.name) for v in outside]
        number, last = inner.var(each.var), inner.fresh("last")
        first, middle, end, following = (inner.fresh(w) for w in ("w0", "w1", "w", "following"))
        goals = Patch(inner).goals(effects, first, middle)
        if tests:
            goals = [choice(inner.goals(tests), goals, [f"{first} = {middle}"])]
        name = own._helper_name("each")
        state, mine, opening = own._handed_on(inner)
        go_on = call(name, [following, last, *state, *args, middle, end])
        body = choice([f"{number} > {last}"], [f"{first} = {end}"],
                      [*goals, f"{following} is {number} + 1", go_on])  # fmt: skip
        own.helpers += inner.helpers
        head = call(name, [number, last, *state, *args, first, end])
        own.helpers.append(clause(head, [*opening, body]))
        given = [*mine, *(own.var(v) for v in outside)]
        return [call(name, [low, high, *given, at, after])]

    def byte(self, slot: Slot, args: tuple[Atom, ...]) -> tuple[str, list[str]]:
        """The byte of a place, with the goals that compute it."""
        clause = self.clause
        if all(isinstance(a, Const) for a in args):
            values = tuple(a.value for a in args if isinstance(a, Const))
            return str(slot.offset + slot.width * flat_index(slot, values)), []
        if len(args) == 1 and slot.width == 1 and slot.offset == slot.params[0].low:
            return clause.atom(args[0]), []
        at = clause.fresh("byte")
        flat = clause.flat(slot, args)
        if len(args) == 1 and slot.width == 1:
            shift = slot.offset - slot.params[0].low
            return at, [f"{at} is {clause.atom(args[0])} + {shift}"]
        return at, [f"{at} is {slot.offset} + ({flat}) * {slot.width}"]

    def write(self, slot: Slot, where: str, value: str, at: str, after: str) -> list[str]:
        """Puts one change on the list; wide values and large boards take two bytes."""
        clause, goals = self.clause, []
        if slot.shift:
            goals.append(f"{(shifted := clause.fresh('shifted'))} is {value} + {slot.shift}")
            value = shifted
        if slot.width == 1:
            spot, more = spell(clause, where, clause.game.size)
            return [*goals, *more, f"{at} = [{spot}, {value}|{after}]"]
        high, low, next_ = clause.fresh("high"), clause.fresh("low"), clause.fresh("following")
        goals += [f"{high} is {value} // 255", f"{low} is {value} mod 255", f"{next_} is {where} + 1"]
        spot, more = spell(clause, where, clause.game.size)
        spot2, more2 = spell(clause, next_, clause.game.size)
        return [*goals, *more, *more2, f"{at} = [{spot}, {high}, {spot2}, {low}|{after}]"]


def spell(clause: Clause, number: str, limit: int) -> tuple[str, list[str]]:
    """A number as bytes below 255: one, or two where numbers reach `limit`."""
    if limit <= 255:
        return number, []
    if number.isdigit():
        return f"{int(number) // 255}, {int(number) % 255}", []
    high, low = clause.fresh("high"), clause.fresh("low")
    return f"{high}, {low}", [f"{high} is {number} // 255", f"{low} is {number} mod 255"]


# ------------------------------------------------------------------------------------ setup, destructive


class Setup(Patch):
    """Writes the effects of the setup: they happen one after another, on a state that is changed in place."""

    def sequence(self, effects: Effects) -> list[str]:
        return [goal for effect in effects for goal in self._happens(effect)] or ["true"]

    def _happens(self, effect: EffectStep) -> list[str]:
        clause = self.clause
        match effect:
            case Compute(body, span):
                goals = clause.goals(body)
                return [choice(goals, ["true"], [f"impossible({span.line})"])] if goals else []
            case Assign(name, args, value, checked, span):
                slot = clause.game.slots[name]
                goals = []
                text = clause.expr(value)
                if isinstance(value, Op):
                    result = clause.fresh(name)
                    goals.append(f"{result} is {text}")
                    text = result
                if checked:
                    goals.append(f"in_range({text}, {slot.sort.lowest}, {slot.sort.high}, {quoted(name)}, {span.line})")
                if not slot.params:
                    return [*goals, f"nb_setarg({slot_number(clause.game, slot)}, S, {text})"]
                where, before, _ = clause.index(slot, args, False)
                return [*goals, *before, f"nb_setarg({where}, {clause.holder(slot)}, {text})"]
            case When(test, then, otherwise, _):
                return [choice(clause.goals(test), self.sequence(then), self.sequence(otherwise))]
            case ForAll(body, effects, _):
                return self._for_all(body, effects)
            case Pick(var, body, span):
                found = clause.fresh("found")
                item = clause.var(var)
                return [findall(item, clause.goals(body), found), f"pick(R, {found}, {span.line}, {item})"]
            case Repeat(times, effects, _):
                return [f"forall(between(1, {clause.atom(times)}, _),\n"
                        f"       {indent(block(self.sequence(effects)), 7)})"]  # fmt: skip
            case Again():
                raise AssertionError("the setup has no turn")
        assert_never(effect)


    def _for_all(self, body: Body, effects: Effects) -> list[str]:
        """The effects for every way that there is before the first of them happens."""
        ways = self.clause.goals(body)
        if not any(isinstance(step, (Get, Ask, Possible, Mobility)) for step in all_steps(body)):
            return [f"forall({block(ways)},\n       {indent(block(self.sequence(effects)), 7)})"]
        changing = body_vars(effects)  # type: ignore[arg-type]
        way = call("way", [self.clause.var(v) for v in body_vars(body) if v in changing])
        every = self.clause.fresh("ways")
        return [findall(way, ways, every),
                f"forall(member({way}, {every}),\n       {indent(block(self.sequence(effects)), 7)})"]  # fmt: skip


# ------------------------------------------------------------------------------------------ the program


def print_prolog(game: Game, runtime: str = "") -> str:
    """The program of a game; `runtime` is the text of prolog/serve.pl, which every game needs behind it."""
    parts = [
        _banner(game),
        *_section("Definitions", [_rule(game, r) for r in game.rules.values() if r.name.startswith("def_")]),
        *_section("Moves", [_action(game, a) for a in game.actions]),
        *_section("The end", [_endings(game)]),
        *_section("Values", [_estimate(game)]),
        *_section("The beginning", [_setup(game)]),
        *_section("What a program asks", [_serve(game)]),
        *_section("Reasons", [_reasons(game)]),
        *_section("Names", [_names(game)]),
        *_section("Tables", _tables(game)),
    ]
    text = "\n\n".join(parts) + "\n"
    return text + ("\n" + runtime if runtime else "")


def _section(title: str, parts: list[str]) -> list[str]:
    body = [part for part in parts if part.strip()]
    return [f"% {'-' * (74 - len(title))} {title}", *body] if body else []


def _banner(game: Game) -> str:
    options = ", ".join(f"{o.name} = {o.sort.label(o.value)}" for o in game.options) or "none"
    slots = ", ".join(_camel(s) for s in game.slots)
    values = [f"%   {s.name}: {_some(s)}" for s in game.sorts.values() if s.labels and s.name != "bool"]
    return "\n".join([
        f"% {game.title}: generated by pysolve from {game.source}; do not edit.",
        f"% Options: {options}.  Rules {game.digest}.",
        "%",
        f"% A position is  state({slots}) ; values are numbers, none is 0 where names count from 1:",
        *values,
        "%",
        "% Ask:  initial(P), legal(P, Move), play(P, Move, Q), outcome(P, Outcome), value(P, Place, V),",
        "%       holds(P, Goal), why(P, Move), show(P), perft(P, Depth, Count).",
        "",
        f"game({quoted(game.name)}, {quoted(game.title)}).",
    ])  # fmt: skip


def _some(sort: Sort) -> str:
    listed = [f"{v} {sort.label(v)}" for v in sort.values()]
    return ", ".join(listed if len(listed) <= 9 else [*listed[:3], "…", listed[-1]])


def _comment(span_line: int, text: str) -> str:
    return f"% {span_line}: {' '.join(text.split())}"


def _rule(game: Game, rule: Rule) -> str:
    clause_ = Clause(game, prefix=rule.name)
    args = [clause_.var(p) for p in rule.params]
    goals = clause_.goals(rule.body)
    if rule.result is not None:
        args.append(clause_.atom(rule.result))
    text = clause_.finish(rule.name, args, goals) if rule.reads else clause(call(rule.name, args), goals)
    return "\n".join([_comment(rule.span.line, rule.text), text, *clause_.helpers])


def _action(game: Game, action: Action) -> str:
    """Legal moves of one kind, and what they change."""
    clause_ = Clause(game, prefix=f"move_{action.name}")
    args = [clause_.var(p) for p in action.params]
    goals: list[str] = []
    for stage in action.stages:
        goals += _with_comment(clause_.goals(stage.steps), stage)
    if action.after:
        clause_.whole = True
        goals.append(call(f"after_{action.name}", [clause_.state, *args]))
    head = f'move {action.name}({", ".join(p.name for p in action.params)}) as "{action.text}"'
    lines = [_comment(action.span.line, head), clause_.finish(f"move_{action.name}", args, goals)]
    lines += clause_.helpers
    lines += ["", _effect(game, action)]
    if action.after:
        lines += ["", _after(game, action)]
    return "\n".join(lines)


def _with_comment(goals: list[str], stage: Stage) -> list[str]:
    if not goals:
        return []
    note = f"    % {stage.span.line}: {' '.join(stage.text.split())}"
    return [f"{goals[0]}\0{note}", *goals[1:]]


def _effect(game: Game, action: Action) -> str:
    """What a move changes, from W0 on.  Each round has a clause of its own, since it reads a position of its own."""
    name = f"effect_{action.name}"
    params = list(action.params)
    if len(action.rounds) < 2:
        return _round(game, name, params, [], action.rounds[0] if action.rounds else ())
    clause_ = Clause(game).reserve("W0", "W")
    for number in range(1, len(action.rounds)):
        clause_.reserve(f"W{number}", f"S{number}")
    args = [clause_.var(p) for p in params]
    carried: list[Var] = []
    goals, lines, state = [], [], "S"
    for number, effects in enumerate(action.rounds, 1):
        last = number == len(action.rounds)
        given = [*params, *carried]
        later = body_vars(action.rounds[number:])  # type: ignore[arg-type]
        bound = [] if last else [v for v in _bound_by(effects) if v in later]
        lines.append(_round(game, f"{name}_{number}", given, bound, effects))
        carried += bound
        words = [*args, *map(clause_.var, carried)]
        after = "W" if last else f"W{number}"
        goals.append(call(f"{name}_{number}", [state, *words, f"W{number - 1}", after]))
        if not last:
            goals.append(f"patched(S, W0, W{number}, S{number})")
            state = f"S{number}"
    return "\n".join([clause(call(name, ["S", *args, "W0", "W"]), goals), *lines])


def _round(game: Game, name: str, given: list[Var], bound: list[Var], effects: Effects) -> str:
    """The clause of one round, with the variables that later rounds need."""
    clause_ = Clause(game, prefix=name)
    args = [clause_.var(v) for v in [*given, *bound]]
    first, last = clause_.name("first", "w0"), clause_.name("last", "w")
    goals = Patch(clause_).goals(effects, first, last)
    return "\n".join([clause_.finish(name, [*args, first, last], goals), *clause_.helpers])


def _bound_by(effects: Effects) -> list[Var]:
    """The variables that the computations of a round bind for all that follows."""
    found: dict[Var, None] = {}
    for effect in effects:
        if isinstance(effect, Compute):
            for step in effect.body:
                own = getattr(step, "binds", ()) or [getattr(step, "var", None), getattr(step, "result", None)]
                found |= {v: None for v in own if isinstance(v, Var)}
    return list(found)


def _after(game: Game, action: Action) -> str:
    """The demands on the position that results, with the mover still the same."""
    clause_ = Clause(game).reserve("W", "S1")
    args = [clause_.var(p) for p in action.params]
    goals = [call(f"effect_{action.name}", ["S", *args, "W", "[]"]), "patched(S, W, [], S1)"]
    lines = []
    for number, demand in enumerate(action.after, 1):
        goals.append(call(f"after_{action.name}_{number}", ["S1", *args]))
        inner = Clause(game, prefix=f"after_{action.name}_{number}")
        inner_args = [inner.var(p) for p in action.params]
        text = inner.finish(f"after_{action.name}_{number}", inner_args, inner.goals(demand.body))
        lines += [_comment(demand.span.line, demand.text), text, *inner.helpers]
    return "\n".join([clause(call(f"after_{action.name}", ["S", *args]), goals), *lines])


def _endings(game: Game) -> str:
    """over(S, Number, Winner, Turns, Times): the first ending that holds; S has as mover who has just moved."""
    lines, helpers = [], []
    for number, ending in enumerate(game.endings, 1):
        clause_ = Clause(game, prefix=f"ending_{number}").reserve("Turns", "Times")
        goals = []
        turns = times = "_"
        if ending.repeated is not None:
            times = "Times"
            goals.append(f"Times >= {ending.repeated}")
        if ending.turns is not None:
            turns = "Turns"
            goals.append(f"Turns >= {ending.turns}")
        goals += clause_.goals(ending.body)
        winner, more = _winner(clause_, ending.result)
        text = clause_.finish("ending", [str(number), winner, turns, times], [*goals, *more])
        lines += [_comment(ending.span.line, ending.reason), text]
        helpers += clause_.helpers  # behind all endings: Prolog wants the clauses of a predicate together
    if not game.endings:
        lines.append("ending(_, _, _, _, _) :-\n    fail.")
    lines += helpers
    if game.stuck is not None:
        clause_ = Clause(game, prefix="stuck")
        winner, more = _winner(clause_, game.stuck)
        lines += ["", "% The player to move has no move.", clause_.finish("stuck", [winner], more),
                  *clause_.helpers]  # fmt: skip
    ranks = [_rule(game, rule) for rule in game.rules.values() if rule.name.startswith("rank_")]
    return "\n".join(lines + ranks)


def _winner(clause_: Clause, result: Result) -> tuple[str, list[str]]:
    """The winner as a number, 0 for a draw, and the goals that find it."""
    match result:
        case Winner(None, None):
            return "0", []
        case Winner(None, "mover"):
            return clause_.slot("mover"), []
        case Winner(None, _):
            winner = clause_.fresh("opponent")
            return winner, [f"opponent({clause_.slot('mover')}, {winner})"]
        case Winner(player, _):
            assert player is not None
            return clause_.atom(player), []
        case Contest(rankings, otherwise):
            winner = clause_.fresh("winner")
            return winner, [_contest(clause_, list(rankings), otherwise, winner)]
    raise AssertionError(result)


def _contest(clause_: Clause, rankings: list[tuple[str, str]], otherwise: Result, winner: str) -> str:
    if not rankings:
        value, goals = _winner(clause_, otherwise)
        return block([*goals, f"{winner} = {value}"])
    (kind, rule), *rest = rankings
    one, two = clause_.fresh("first"), clause_.fresh("second")
    reads = clause_.game.rules[rule].reads
    goals = [clause_._call(rule, ["1", one], reads), clause_._call(rule, ["2", two], reads)]
    more, less = (">", "<") if kind == "most" else ("<", ">")
    inner = choice([f"{one} {less} {two}"], [f"{winner} = 2"], [_contest(clause_, rest, otherwise, winner)])
    return block([*goals, choice([f"{one} {more} {two}"], [f"{winner} = 1"], [inner])])


def _estimate(game: Game) -> str:
    """estimate(S, Me, V): the weighted terms for a player, less those for the other."""
    lines = []
    for term in game.terms:
        lines.append(_rule(game, game.rules[term.rule]))
    goals, total = [], []
    for i, term in enumerate(game.terms):
        state = ["S"] if game.rules[term.rule].reads else []
        goals += [call(term.rule, [*state, "Me", "You", f"A{i}"]), call(term.rule, [*state, "You", "Me", f"B{i}"])]
        total.append(f"{term.weight} * (A{i} - B{i})")
    goals = ["opponent(Me, You)", *goals, f"V is {' + '.join(total)}"] if total else ["V = 0"]
    head = "estimate(S, Me, V)" if total else "estimate(_, _, V)"
    return "\n".join([*lines, clause(head, goals)])


def _setup(game: Game) -> str:
    """setup(Seed, S): the initial position; lots are drawn from the seed."""
    clause_ = Clause(game, live=True, prefix="setup").reserve("Seed", "R")
    body = Setup(clause_).sequence(game.setup)
    holders = [f"arg({slot_number(game, s)}, S, {clause_.names['slot', s.name]})"
               for s in game.slots.values() if ("slot", s.name) in clause_.names]  # fmt: skip
    seeded = ["lots(Seed, R)"] if game.draws_lots else []
    text = clause("setup(Seed, S)", ["blank(S)", *seeded, *holders, *body])
    blank = ", ".join(_blank_slot(s) for s in game.slots.values())
    return "\n".join([text, *clause_.helpers, f"blank(S) :-\n    S = state({blank})."])


def _blank_slot(slot: Slot) -> str:
    if not slot.params:
        return str(slot.default)
    return f"{quoted(slot.name)}({', '.join([str(slot.default)] * slot.count)})"


def _serve(game: Game) -> str:
    """The bytes of a position to its term and back; the records of all legal moves."""
    lines = [_decode(game), _encode(game), _places(game), ""]
    kinds = []
    for kind, action in enumerate(game.actions):
        lines.append(_records(game, kind, action))
        kinds.append(f"records_{action.name}(S, {{}}, {{}})")
    goals = []
    for i, one in enumerate(kinds):
        goals.append(one.format("L0" if i == 0 else f"L{i}", "L" if i == len(kinds) - 1 else f"L{i + 1}"))
    lines.append(clause("records(S, L0, L)", goals or ["L0 = L"]))
    for action in game.actions:
        args = _params(game, action)
        move = call(quoted(action.name), args)
        goal = call(f"move_{action.name}", ["S", *args])
        lines.append(clause(f"move(S, {move})", [goal if action.ordered else f"canonical({move}, {goal})"]))
    for action in game.actions:
        args = _params(game, action)
        move = call(quoted(action.name), args)
        changed = call(f"effect_{action.name}", ["S", *args, "W0", "W"])
        lines.append(clause(f"effect({move}, S, W0, W)", [changed]))
    lines.append("effect(pass, _, W, W)." if game.stuck is None else "")
    lines.append(f"pass_code({len(game.actions)})." if game.stuck is None else "pass_code(none).")
    if game.stuck is not None:
        lines.append(f"stuck_code({len(game.endings) + 1}).")
    else:
        lines.append("stuck(_, _) :-\n    fail.\nstuck_code(0).")
    kept = game.slots.get("again")
    lines.append(f"kept_byte({kept.offset if kept else 'none'}).")
    clause_ = Clause(game).reserve("New")
    slots = {name: clause_.slot(name) for name in game.slots}
    lines.append(clause(f"with_mover({state_term(game, slots)}, New, {state_term(game, {**slots, 'mover': 'New'})})", []))
    number = slot_number(game, kept) if kept else 0
    lines.append(f"kept_slot({number}).")
    return "\n".join(line for line in lines if line)


def _params(game: Game, action: Action) -> list[str]:
    clause_ = Clause(game).reserve("W0", "W")
    return [clause_.var(p) for p in action.params]


def _decode(game: Game) -> str:
    codes, goals, slots = [], [], []
    clause_ = Clause(game)
    for slot in game.slots.values():
        values = []
        for i in range(slot.count):
            name = clause_.fresh(f"{slot.name}{i + 1 if slot.params else ''}")
            values.append(name)
            if slot.width == 2:
                high, low = clause_.fresh(f"{name}h"), clause_.fresh(f"{name}l")
                codes += [high, low]
                goals.append(f"{name} is {high} * 255 + {low} - {slot.shift}")
            elif slot.shift:
                codes.append(clause_.fresh(f"{name}b"))
                goals.append(f"{name} is {codes[-1]} - {slot.shift}")
            else:
                codes.append(name)
        slots.append(f"{quoted(slot.name)}({', '.join(values)})" if slot.params else values[0])
    return clause(f"decode([{', '.join(codes)}],\n       state({', '.join(slots)}))", goals)


def _encode(game: Game) -> str:
    codes, goals, slots = [], [], []
    clause_ = Clause(game)
    for slot in game.slots.values():
        values = []
        for i in range(slot.count):
            name = clause_.fresh(f"{slot.name}{i + 1 if slot.params else ''}")
            values.append(name)
            if slot.width == 2:
                high, low = clause_.fresh(f"{name}h"), clause_.fresh(f"{name}l")
                codes += [high, low]
                goals += [f"{high} is ({name} + {slot.shift}) // 255", f"{low} is ({name} + {slot.shift}) mod 255"]
            elif slot.shift:
                codes.append(clause_.fresh(f"{name}b"))
                goals.append(f"{codes[-1]} is {name} + {slot.shift}")
            else:
                codes.append(name)
        slots.append(f"{quoted(slot.name)}({', '.join(values)})" if slot.params else values[0])
    return clause(f"encode(state({', '.join(slots)}),\n       [{', '.join(codes)}])", goals)


def _places(game: Game) -> str:
    """spot(Byte, Slot, Place, Width, Shift): where the byte of a patch belongs; and the digits of a byte."""
    lines = ["% spot(Byte, Argument of state/N, Argument of the slot or 0, Width, Shift)"]
    for number, slot in enumerate(game.slots.values(), 1):
        for i in range(slot.count):
            byte = slot.offset + i * slot.width
            lines.append(f"spot({byte}, {number}, {i + 1 if slot.params else 0}, {slot.width}, {slot.shift}).")
    lines.append(f"address_digits({1 if game.size <= 255 else 2}).")
    return "\n".join(lines)


def _records(game: Game, kind: int, action: Action) -> str:
    """records_KIND(S, L0, L): 255, kind, parameters, changes for every legal move, in canonical order."""
    clause_ = Clause(game).reserve("L0", "L", "L1", "Moves", "Found")
    names = [clause_.var(p) for p in action.params]
    codes, before = [], []
    for param, name in zip(action.params, names, strict=True):
        assert isinstance(param.sort, Sort)
        spelled, more = param_codes(clause_, param.sort, name)
        codes.append(spelled)
        before += more
    move = call("m", names)
    found = ["Found", "sort(Found, Moves)"] if not action.ordered else ["Moves"]
    goals = [f"findall({move}, {call(f'move_{action.name}', ['S', *names])}, {found[0]})", *found[1:],
             f"spell_{action.name}(Moves, S, L0, L)"]  # fmt: skip
    record = ", ".join(["255", str(kind), *codes])
    return "\n".join([
        clause(f"records_{action.name}(S, L0, L)", goals),
        f"spell_{action.name}([], _, L, L).",
        clause(f"spell_{action.name}([{move}|Moves], S, [{record}|L0], L)", [
            *before, call(f"effect_{action.name}", ["S", *names, "L0", "L1"]),
            f"spell_{action.name}(Moves, S, L1, L)",
        ]),
    ])  # fmt: skip


def param_codes(clause_: Clause, sort: Sort, name: str) -> tuple[str, list[str]]:
    """A parameter as the bytes of a record: less its lowest value where that is negative or the sort is wide."""
    goals = []
    if sort.low < 0:
        shifted = clause_.fresh("shifted")
        goals.append(f"{shifted} is {name} - {sort.low}".replace("- -", "+ "))
        name = shifted
    spelled, more = spell(clause_, name, max(sort.high - min(sort.low, 0), 0) + 1)
    return spelled, goals + more


def _reasons(game: Game) -> str:
    """demand, shows and against: what `why` is made of."""
    checks, shown, counters, lines = [], [], [], []
    for action in game.actions:
        for part, demands in (("when", action.demands), ("after", action.after)):
            for number, demand in enumerate(demands, 1):
                key = [quoted(action.name), part, str(number)]
                checks += _reason_clause(game, action, "demand", key, demand.body, None)
                for at, probe in enumerate(demand.probes):
                    shown += _reason_clause(game, action, "shows", key, probe.body, probe, f"_{at}")
                if demand.counter:
                    counters += _against(game, action, key, demand)
                lines.append(f"line({', '.join(key)}, {demand.span.line}, {quoted(demand.text)}, "
                             f"{quoted(demand.reason) if demand.reason else 'none'}).")  # fmt: skip
    blank = {"demand": 5, "shows": 7, "against": 7, "line": 6}
    groups = {"demand": checks, "shows": shown, "against": counters, "line": lines}
    found = ["% demand(Kind, Part, Number, S, Parameters): the demand holds."]
    for name, clauses in groups.items():
        helpers = [c for c in clauses if not c.startswith(f"{name}(")]
        own = [c for c in clauses if c.startswith(f"{name}(")]
        found += own or [f"{name}({', '.join('_' * blank[name])}) :-\n    fail."]
        found += helpers
    return "\n".join(found)


def _reason_clause(
    game: Game, action: Action, predicate: str, key: list[str], body: Body, probe: Probe | None, more: str = ""
) -> list[str]:
    clause_ = Clause(game, prefix=f"{predicate}_{action.name}_{key[1]}_{key[2]}{more}")
    args = [clause_.var(p) for p in action.params]
    goals = clause_.goals(body)
    extra = [] if probe is None else _probe(clause_, probe)
    state = _reason_state(clause_)
    if clause_.whole and clause_.slots:
        goals = [f"S = {clause_.head_state()}", *goals]
    return [clause(call(predicate, [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]


def _against(game: Game, action: Action, key: list[str], demand: Demand) -> list[str]:
    """against(…, Label, Value): what speaks against an `every` or a `no`, value by value."""
    found: list[str] = []
    for probe in demand.counter_probes:
        clause_ = Clause(game, prefix=f"against_{action.name}_{key[1]}_{key[2]}_{len(found)}")
        args = [clause_.var(p) for p in action.params]
        goals = [*clause_.goals(demand.counter), *clause_.goals(probe.body)]
        extra = _probe(clause_, probe)
        state = _reason_state(clause_)
        if clause_.whole and clause_.slots:
            goals = [f"S = {clause_.head_state()}", *goals]
        found += [clause(call("against", [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]
    return found


def _reason_state(clause_: Clause) -> str:
    if clause_.whole:
        return "S"
    return clause_.head_state() if clause_.slots else "_"


def _probe(clause_: Clause, probe: Probe) -> list[str]:
    """The label and the value of a probe, with their sorts: said("at(~w)", [cell-From]), player-V."""
    words = []
    label = re.sub(r"\{\d+\}", "~w", probe.label)
    for arg in probe.args:
        words.append(f"{sort_name(arg.sort)}-{clause_.atom(arg)}")
    value = f"{sort_name(probe.value.sort)}-{clause_.atom(probe.value)}"
    return [f"said({quoted(label)}, [{', '.join(words)}])", value]


def _names(game: Game) -> str:
    """name(Sort, Number, Word), what a query may ask, and the rows of a diagram."""
    lines = []
    for sort in {sort.name: sort for sort in game.sorts.values()}.values():  # a type may stand for another
        for value, label in enumerate(sort.labels, sort.low):
            lines.append(f"name({quoted(sort.name)}, {value}, {quoted(label)}).")
    lines.append("% asked(Name, Kind, Predicate, Sorts of the arguments, Sort of the value)")
    for name, query in game.queries.items():
        params = ", ".join(sort_name(s) for s in query.params)
        result = "none" if query.result is None else sort_name(query.result)
        kind = query.kind
        if kind == "rule" and not game.rules[query.target].reads:
            kind = "function"
        lines.append(f"asked({quoted(name)}, {kind}, {quoted(query.target)}, [{params}], {result}).")
    for slot in game.slots.values():
        bounds = ", ".join(f"{s.low}-{s.high}" for s in slot.params)
        lines.append(f"slot({quoted(slot.name)}, {slot_number(game, slot)}, [{bounds}]).")
    for row in game.board.rows:
        words = ", ".join("none" if c is None else str(c) for c in row)
        lines.append(f"row([{words}]).")
    for layer in game.layers:
        for glyph in layer.glyphs:
            lines.append(f"glyph([{', '.join(map(quoted, layer.slots))}], [{', '.join(map(str, glyph.values))}], "
                         f"{quoted(glyph.text)}).")  # fmt: skip
    if not game.layers:
        lines.append("glyph(_, _, _) :-\n    fail.")
    return "\n".join(lines)


def sort_name(sort: Sort | SetSort) -> str:
    """A sort as the runtime needs it: a name for its words, a range for its numbers."""
    if isinstance(sort, SetSort):
        return f"set({sort_name(sort.of)})"
    inner = f"named({quoted(sort.name)}, {sort.low}, {sort.high})" if sort.labels else f"number({sort.low}, {sort.high})"
    return f"optional({inner}, {sort.none})" if sort.optional else inner


LINES = """\
% What no rule asks is found when somebody asks.
board_aligned(A, B) :-
    line_of_cells(A, B, _).
board_between(A, B, C) :-
    line_of_cells(A, B, Cells),
    member(C, Cells).
line_of_cells(A, B, Cells) :-
    board_step(A, Direction, Next),
    line_of_cells(Next, Direction, B, Cells).
line_of_cells(B, _, B, []).
line_of_cells(A, Direction, B, [A|Cells]) :-
    board_step(A, Direction, Next),
    line_of_cells(Next, Direction, B, Cells)."""


def _tables(game: Game) -> list[str]:
    """The tables as facts; the lines of a board, which are many, only if the rules look into them."""
    lines = {"board_aligned", "board_between"}
    if "board_step" not in game.tables or lines & tables_asked(game):
        lines = set()
    facts = [_table(game, table) for table in game.tables.values() if table.name not in lines]
    return [*facts, LINES] if lines else facts


def _table(game: Game, table: Table) -> str:
    """The facts of a table; rays are one fact a ray, from the near end."""
    head = [f"% {table.text}"] if table.text else []
    if table.name.startswith("rays_"):
        rays: dict[tuple[int, int], list[int]] = {}
        for origin, line, _far, cell in table.rows:
            rays.setdefault((origin, line), []).append(cell)
        rows = [f"{table.name}({origin}, {_plain(cells)})." for (origin, _), cells in rays.items()]
    else:
        rows = [f"{table.name}({', '.join(map(str, row))})." for row in table.rows]
    if not rows:
        arity = 2 if table.name.startswith("rays_") else len(table.sorts)
        rows = [f"{table.name}({', '.join('_' * arity)}) :-\n    fail."]
    return "\n".join([*head, *rows])


def _plain(values: list[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


# ------------------------------------------------------------------------------------------------ text


def call(predicate: str, args: list[str]) -> str:
    return f"{predicate}({', '.join(args)})" if args else predicate


def clause(head: str, goals: list[str]) -> str:
    """A clause, one goal a line; a comment goes behind its goal; variables used once get an underscore."""
    goals = [goal for goal in goals if goal != "true"] or []
    if not goals:
        return _mark_singletons(f"{head}.")
    lines = []
    for i, goal in enumerate(goals):
        code, _, note = goal.partition("\0")
        mark = "." if i == len(goals) - 1 else ","
        lines.append(f"    {indent(code, 4)}{mark}{note}")
    return _mark_singletons(f"{head} :-\n" + "\n".join(lines))


_WORD = re.compile(r"%[^\n]*|'(?:[^'\\]|\\.|'')*'|\b[A-Z]\w*|\b[a-z]\w*|_\w*")


def _mark_singletons(text: str) -> str:
    counts: dict[str, int] = {}
    for found in _WORD.findall(text):
        if found[:1].isupper():
            counts[found] = counts.get(found, 0) + 1

    def mark(match: re.Match[str]) -> str:
        word = match.group()
        return f"_{word}" if counts.get(word) == 1 else word

    return _WORD.sub(mark, text)


def indent(text: str, by: int) -> str:
    """The text with every line but the first moved to the right."""
    return text.replace("\n", "\n" + " " * by)


def block(goals: list[str]) -> str:
    """Goals as one goal."""
    goals = [g.partition("\0")[0] for g in goals] or ["true"]
    if len(goals) == 1:
        return goals[0]
    return "(   " + ",\n    ".join(indent(g, 4) for g in goals) + "\n)"


def lines_of(goals: list[str]) -> str:
    return ",\n    ".join(indent(g.partition("\0")[0], 4) for g in goals) or "true"


def negation(goals: list[str]) -> str:
    return f"\\+ {indent(block(goals), 3)}"


def once(goals: list[str]) -> str:
    return f"(   {lines_of(goals)}\n->  true\n)"


def choice(test: list[str], then: list[str], otherwise: list[str]) -> str:
    return f"(   {lines_of(test) if test else 'true'}\n->  {lines_of(then)}\n;   {lines_of(otherwise)}\n)"


def either(bodies: list[list[str]]) -> str:
    inner = "\n;   ".join(f"{lines_of(goals)}\n->  true" for goals in bodies)
    return f"(   {inner}\n)"


def findall(template: str, goals: list[str], into: str) -> str:
    return f"findall({template}, {indent(block(goals), 9 + len(template))}, {into})"


def quoted(word: str) -> str:
    """An atom, quoted whatever it is."""
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'"


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


# --------------------------------------------------------------------------------------------- helpers


def state_term(game: Game, slots: dict[str, str]) -> str:
    """The term of a position, with variables for some slots."""
    return f"state({', '.join(slots.get(name, '_') for name in game.slots)})"


def slot_number(game: Game, slot: Slot) -> int:
    """The argument of state/N that holds a slot."""
    return list(game.slots).index(slot.name) + 1


def flat_index(slot: Slot, values: tuple[int, ...]) -> int:
    index = 0
    for sort, value in zip(slot.params, values, strict=True):
        index = index * (sort.high - sort.low + 1) + value - sort.low
    return index


def body_vars(body: Body) -> list[Var]:
    """Every variable that a body mentions, in order of appearance."""
    found: dict[Var, None] = {}

    def look(item: object) -> None:
        if isinstance(item, Var):
            found.setdefault(item)
        elif isinstance(item, tuple):
            for inner in item:
                look(inner)
        elif hasattr(item, "__dataclass_fields__") and not isinstance(item, (Sort, SetSort)):
            for name in item.__dataclass_fields__:
                look(getattr(item, name))

    look(body)
    return list(found)


def stops_everywhere(game: Game, walk: Walk) -> bool:
    """True if every cell of every ray is an admissible target."""
    rays, stops = game.tables[walk.rays], game.tables[walk.stops]
    return {(row[0], row[3]) for row in rays.rows} <= set(stops.rows)


def _total(step: Step) -> bool:
    """True if a step cannot fail."""
    return isinstance(step, Find) and step.table == "opponent"


def _longest_run(step: Fold) -> tuple[Each, Each, Body] | None:
    """The parts of `most n in low..high where every k in 1..n has …`, of n itself."""
    match step:
        case Fold(kind="most", value=Var() as n, body=(Each(m, low, high), Not((Each(_, one, top) as every, Not(holds))))):
            if n == m == top and isinstance(one, Const) and one.value == 1 and n not in body_vars(holds):
                if isinstance(low, Const) and low.value >= 0:
                    return Each(m, low, high), every, holds
    return None


def _counted_loop(game: Game, body: Body) -> tuple[Body, Each, Body] | None:
    """The parts of a body that counts through numbers and does nothing else in several ways."""
    before = 0
    while before < len(body) and isinstance(body[before], Let):
        before += 1
    if before == len(body):
        return None
    each, tests = body[before], body[before + 1 :]
    if isinstance(each, Each) and all(_single(game, step) for step in tests):
        return body[:before], each, tests
    return None


def _single(game: Game, step: Step) -> bool:
    """True if a step can be carried out in one way at most."""
    match step:
        case Test() | Let() | Not() | Either() | Exists() | Choose() | Fold() | Collect() | Ask() | Possible():
            return True
        case Get(_, args, _, binds):
            return not set(args) & set(binds)
        case Find(table, args, binds):
            return not any(arg in binds for arg in args[: game.tables[table].keys])
        case Among(_, _, binds) | Member(_, _, binds):
            return not binds
        case _:
            return False


def _counts_down(step: Fold) -> tuple[Each, Body] | None:
    """`most n in low..high where …` of n itself: tried from the top, so that the first is the most."""
    if step.kind != "most" or not step.body or not isinstance(step.body[0], Each):
        return None
    each = step.body[0]
    return (each, step.body[1:]) if step.value == each.var else None
