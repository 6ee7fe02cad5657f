"""The same game in steps that C is quick at: fewer rules to call, fewer values to read, more that is known beforehand.

In: a checked game.  Out: one with the same moves in the same order, ends and values.  Each body goes through:

    inlined     a small rule stands where it was asked
    known       a place that was read, or compared with something, is not read again
    compared    a value that is read only to be compared is compared in its place
    tabulated   steps that do not read the position become one row of a table
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod

from dsl.model import (
    BOOL,
    Action,
    Among,
    Ask,
    Atom,
    Body,
    Choose,
    Collect,
    Const,
    Each,
    Either,
    Exists,
    Find,
    Fold,
    Game,
    Get,
    Let,
    Mobility,
    Not,
    Reach,
    Rule,
    SetSort,
    Sort,
    Stage,
    Step,
    Table,
    Test,
    Var,
    all_steps,
    body_vars,
)
from dsl.model.ops import OPERATORS
from dsl.model.properties import bound, chooses, free_vars, own_vars
from dsl.model.steps import renamed, with_bodies
from dsl.to_c.constant import TooMuch, is_constant, rows_of
from dsl.to_c.tables import find_shifts
from dsl.to_c.unordered import Unordered

LONGEST = 120  # steps of a rule that is written where it is asked
MOVER, OPPONENT = "mover'", "opponent'"  # names of variables that the rules have not
FEW = 12  # values that are tried one by one
MOST_ROWS = 1 << 15  # combinations of values that a table is made for


def prepared(game: Game, kept: Iterable[str]) -> tuple[Game, dict[str, Body]]:
    """The game as it is printed; the rules in `kept` are asked, since their answers are kept.

    With it the body of each kind of moves for those to whom order and repetition of moves do not matter.
    """
    preparation = Preparation(game, frozenset(kept))
    ready = preparation.game()
    free = {action.name: Unordered(action, ready.tables, preparation.chooses).body() for action in ready.actions}
    return ready, free


@dataclass
class Preparation:
    """What is made while a game is prepared."""

    original: Game
    kept: frozenset[str]
    tables: dict[str, Table] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)  # of rules, inlined
    made: dict[object, Table | None] = field(default_factory=dict)  # by the steps that it stands for
    copies: int = 0

    def game(self) -> Game:
        old = self.original
        self.tables = dict(old.tables)
        rules = {name: replace(rule, body=self.rule(rule)) for name, rule in old.rules.items()}
        actions = tuple(self.action(action) for action in old.actions)
        endings = tuple(replace(one, body=self.body(one.body, body_vars((one.result,)))) for one in old.endings)  # type: ignore[arg-type]
        return replace(old, rules=rules, actions=actions, endings=endings, tables=self.tables)

    def rule(self, rule: Rule) -> Body:
        return self.simpler(self.inlined_rule(rule.name), used_by_rule(rule))

    def action(self, action: Action) -> Action:
        used = set(action.params)
        stage = Stage(action.span, "", self.simpler(self.inlined(action.body), used))
        after = tuple(replace(demand, body=self.body(demand.body, action.params)) for demand in action.after)
        return replace(action, stages=(stage,), after=after)

    def body(self, body: Body, used: Iterable[Var]) -> Body:
        return self.simpler(self.inlined(body), set(used))

    def simpler(self, body: Body, used: set[Var]) -> Body:
        known = self.known(self.movers(immobile(body, used)), {}, used)
        return self.tabulated(self.quantified(self.flat(self.compared(known, used))), used, "order")

    def is_certain(self, step: Step) -> bool:
        """Is a player compared with one that is none?"""
        match step:
            case Test("!=", Var(name=name), Const(value)) if name in (MOVER, OPPONENT):
                return value not in self.original.players.values()
            case Not(body) if any(map(is_never, body)):
                return True
        return truth(step) is True

    def movers(self, body: Body) -> Body:
        """Who moves, and the opponent, at the beginning, for all that follows."""
        asked = list(all_steps(body))
        if not any(isinstance(step, Get) and step.slot == "mover" for step in asked):
            return body
        mover, opponent = Var(MOVER, self.original.players), Var(OPPONENT, self.original.players)
        first: list[Step] = [Get("mover", (), mover, (mover,))]
        if any(isinstance(step, Find) and step.table == "opponent" for step in asked):
            first.append(Find("opponent", (mover, opponent), (opponent,)))
        return *first, *body

    def flat(self, body: Body, free: bool = False) -> Body:
        """Where only some way is asked for: no `some` within it, and what is given, or has few values, comes first."""
        steps: list[Step] = []
        for step in body:
            step = possible_bodies(step)
            inside = isinstance(step, Exists | Not | Either | Collect | Reach)
            step = with_bodies(step, partial(self.flat, free=inside))
            if (
                isinstance(step, Exists)
                and free
                and (any(map(has_few, step.body)) or not any(map(self.chooses, steps)))
            ):
                steps += step.body
            elif not self.is_certain(step):
                steps.append(self._plain_first(step))
        steps = self._once(self._joined(steps) if free else steps)
        given = self._given(steps)
        few = [step for step in steps if free and has_few(step) and not self._is_moved(step, steps)]
        return *given, *few, *(step for step in steps if step not in given and step not in few)

    def _plain_first(self, step: Step) -> Step:
        """`some n has at(n) = none or dying(n)`: is there one with the plain part?  Only else the other is asked."""
        match step:
            case Exists((*choice, Either(bodies))) if choice:
                plain = tuple(body for body in bodies if not looks_around(body))
                slow = tuple(body for body in bodies if looks_around(body))
                if not plain or not slow or looks_around(tuple(choice)):
                    return step
                self.copies += 1
                other = (*choice, Either(slow))
                own = {var for one in all_steps(other) for var in bound(one)}
                names: dict[Var, Atom] = {var: Var(f"{var.name}'{self.copies}", var.sort) for var in own}
                return Either(((Exists((*choice, Either(plain))),), (Exists(renamed(other, names)),)))
        return step

    def _is_moved(self, step: Step, steps: list[Step]) -> bool:
        """Does a step choose a place, and are other places looked at that are always as far away?"""
        return isinstance(step, Each) and any(self._shifts(one, step.var) for one in all_steps(tuple(steps)))

    def _joined(self, steps: list[Step]) -> list[Step]:
        """`some a, b has b in between(a, c) and at(a) = p`: the table gives both, where it has few rows for c."""
        for at, step in enumerate(steps):
            if not isinstance(step, Get) or len(step.binds) != 1 or step.args != step.binds:
                continue
            (var,), open_ = step.binds, {one for other in steps[at:] for one in bound(other)}
            for find in steps[at + 1 :]:
                if not isinstance(find, Find) or not find.binds or find.args.count(var) != 1:
                    continue
                others = [arg for arg in find.args if arg != var and arg not in find.binds]
                if others and not open_ & set(others) and self._rows(find, others) <= FEW:
                    first = (Find(find.table, find.args, (*find.binds, var)), replace(step, binds=()))
                    rest = [one for one in steps[at + 1 :] if one is not find]
                    return [*steps[:at], *first, *rest]
        return steps

    def _rows(self, find: Find, given: list[Atom]) -> float:
        """How many rows a table has for the same values in some columns."""
        rows = self.tables[find.table].rows
        columns = [i for i, arg in enumerate(find.args) if arg in given]
        return len(rows) / max(1, len({tuple(row[i] for i in columns) for row in rows}))

    def _once(self, steps: list[Step]) -> list[Step]:
        """What looks around, and does not depend on what is chosen here, is found out before the choice."""
        open_ = {var for step in steps if self.chooses(step) for var in bound(step)}
        if not open_:
            return steps
        flags: list[Step] = []

        def found_before(body: Body) -> Body:
            free = free_vars(body)
            if set(free) & all_bound or not any(isinstance(one, Fold | Collect | Reach) for one in all_steps(body)):
                return body
            self.copies += 1
            flag = Var(f"flag'{self.copies}", BOOL)
            flags.append(Choose(flag, body, (Let(flag, Const(1, BOOL)),), (Let(flag, Const(0, BOOL)),)))
            return (Test("=", flag, Const(1, BOOL)),)

        all_bound = {var for step in steps for var in bound(step)} - {Var(MOVER, self.original.players)}
        all_bound -= {Var(OPPONENT, self.original.players)}
        changed = [
            Either(tuple(map(found_before, step.bodies))) if isinstance(step, Either) else step for step in steps
        ]
        first = next(i for i, step in enumerate(steps) if self.chooses(step))
        return [*changed[:first], *flags, *changed[first:]]

    def _given(self, steps: list[Step]) -> list[Step]:
        """Simple steps that need nothing of what is chosen in the same body."""
        open_, given = {var for step in steps for var in bound(step)}, []
        for step in steps:
            mine = set(bound(step))
            simple = isinstance(step, Get | Find | Let | Test) and not self.chooses(step)
            if simple and not open_ & (set(body_vars((step,))) - mine):
                given.append(step)
                open_ -= mine
        return given

    # ------------------------------------------------------------------------------------------ rules

    def inlined_rule(self, name: str) -> Body:
        if name not in self.bodies:
            self.bodies[name] = self.inlined(self.original.rules[name].body)
        return self.bodies[name]

    def inlined(self, body: Body) -> Body:
        """A body in which small rules stand where they were asked."""
        return tuple(new for step in body for new in self._inlined_step(step))

    def _inlined_step(self, step: Step) -> Body:
        if not isinstance(step, Ask):
            return (with_bodies(step, self.inlined),)
        rule = self.original.rules[step.rule]
        body = self.inlined_rule(step.rule)
        sorts = [param.sort for param in rule.params]
        if step.rule in self.kept or any(isinstance(sort, SetSort) for sort in sorts):
            return (step,)
        if sum(1 for _ in all_steps(body)) > LONGEST:
            return (step,)
        chooses = any(self.chooses(one) for one in body)
        names: dict[Var, Atom] = {}
        narrowed: list[Step] = []
        self.copies += 1
        for param, arg in zip(rule.params, step.args, strict=True):
            names[param] = arg
            if isinstance(arg, Var) and arg.sort != param.sort and not fits(arg.sort, param.sort):
                names[param] = Var(f"{param.name}'{self.copies}", param.sort)  # the rules say that it is one
                narrowed.append(Let(names[param], arg))  # type: ignore[arg-type]
        if step.result is not None:
            if chooses or not isinstance(rule.result, Var) or rule.result in rule.params:
                return (step,)
            if rule.result.sort != step.result.sort:
                return (step,)
            names[rule.result] = step.result
        for var in body_vars(body):
            names.setdefault(var, Var(f"{var.name}'{self.copies}", var.sort))
        body = renamed(body, names)
        return (*narrowed, Exists(body)) if chooses else (*narrowed, *body)

    def chooses(self, step: Step) -> bool:
        """Can there be several ways to carry a step out?"""
        return chooses(step, self.tables)

    # ----------------------------------------------------------------------------------------- places

    def known(self, body: Body, places: dict[tuple[str, tuple[Atom, ...]], Atom], used: set[Var]) -> Body:
        """A body that reads no place twice: a value that is known takes the place of what would be read."""
        places, steps = dict(places), list(body)
        found: list[Step] = []
        while steps:
            step = steps.pop(0)
            if isinstance(step, Get) and not any(arg in step.binds for arg in step.args):
                here = step.slot, step.args
                if here in places:
                    value = places[here]
                    if step.value == value:
                        continue
                    if step.value in step.binds and step.value not in used:
                        assert isinstance(step.value, Var)
                        steps = list(renamed(tuple(steps), {step.value: value}))
                        continue
                    if step.value not in step.binds:
                        step = Test("=", value, step.value)
                elif not step.args or step.value not in step.binds:
                    places[here] = step.value  # what is read is read again, so that places may be chosen by bits
            elif isinstance(step, Get) and step.value not in step.binds:
                places[step.slot, step.args] = step.value
            elif (
                isinstance(step, Find)
                and not self.chooses(step)
                and len(step.binds) == 1 == len(step.args[self._keys(step) :])
            ):
                here = step.table, step.args[:-1]
                value, (var,) = places.setdefault(here, step.args[-1]), step.binds
                if value != var and var not in used:
                    steps = list(renamed(tuple(steps), {var: value}))
                    continue
            inner_used = used | set(body_vars((*found, *steps)))
            found.append(with_bodies(step, lambda inner, own=step: self.known(  # type: ignore[misc]
                inner, places, inner_used | set(own_vars(own)))))  # fmt: skip
        return tuple(found)

    def _keys(self, step: Find) -> int:
        return self.original.tables[step.table].keys

    def compared(self, body: Body, used: set[Var]) -> Body:
        """A body in which a value that is read only to be compared is compared in its place."""
        steps = self._given_first(body)
        for step in steps:
            if not isinstance(step, Get) or step.value in used or step.binds != (step.value,):
                continue
            slot, var = self.original.slots[step.slot], step.value
            assert isinstance(var, Var)
            if slot.name == "mover" or not all(map(inside, step.args, slot.params)):
                continue
            uses = [other for other in steps if other is not step and var in body_vars((other,))]
            new = {id(other): self._comparison(step, other) for other in uses}
            if None not in new.values():
                at = steps.index(step)
                after = [new.get(id(other)) or other for other in steps[at + 1 :]]
                steps = [*steps[:at], *after]
        own = list(steps)
        return tuple(with_bodies(step, lambda inner, own=step: self.compared(  # type: ignore[misc]
            inner, used | set(own_vars(own)))) for step in own)  # fmt: skip

    def _given_first(self, body: Body) -> list[Step]:
        """Of two places that hold the same, the one that is given is read, and the one that is chosen compared."""
        steps, own = list(body), {var for step in body for var in bound(step)}
        for step in body:
            if not isinstance(step, Get) or step.binds != (step.value,) or not own & set(step.args):
                continue
            for other in steps:
                if (
                    isinstance(other, Get)
                    and other.value == step.value
                    and not other.binds
                    and not own & set(other.args)
                ):
                    given = Get(other.slot, other.args, other.value, step.binds)
                    steps = [Get(step.slot, step.args, step.value, ()) if one is step else one
                             for one in steps if one is not other]  # fmt: skip
                    steps.insert(0, given)
                    break
        return steps

    def _comparison(self, get: Get, step: Step) -> Step | None:
        """A test on the value of a place as a test on the place."""
        equal: Callable[[Atom], Get] = lambda value: Get(get.slot, get.args, value, ())
        match step:
            case Test("=" | "!=" as op, left, right) if get.value in (left, right) and left != right:
                other = right if left == get.value else left
                if not isinstance(other, Var | Const):
                    return None
                return equal(other) if op == "=" else Not((equal(other),))
            case Among(item, values, ()) if item == get.value and all(isinstance(v, Const) for v in values):
                return Either(tuple((equal(value),) for value in values))
        return None

    # ------------------------------------------------------------------------------------ every and some

    def quantified(self, body: Body) -> Body:
        """`every k has at(c + k * d) = p`: there is such a place for every k, and all these places hold p."""
        return tuple(new for step in body for new in self._split(with_bodies(step, self.quantified)))

    def _split(self, step: Step) -> Body:
        match step:
            case Not((*ranges, Not((*places, test)))) if ranges and places:
                pass
            case _:
                return (step,)
        there = tuple(places)
        single = all(isinstance(one, Find) and not self.chooses(one) for one in there)
        hidden = {var for one in (*ranges, *there) for var in bound(one)} - set(bound(there[-1]))
        if not single or not all(map(is_constant, (*ranges, *there))) or is_constant(test) or (
            hidden & set(body_vars((test,))) or len(bound(there[-1])) != 1
        ):  # fmt: skip
            return (step,)
        if len(there) == 1 and self._shifts(there[0]):
            return (step,)  # all places at once, by bits
        self.copies += 1
        names: dict[Var, Atom] = {var: Var(f"{var.name}'{self.copies}", var.sort)
                                  for one in (*ranges, *there) for var in bound(one)}  # fmt: skip
        return Not(renamed((*ranges, Not(there)), names)), Not((*ranges, *there, Not((test,))))

    def _shifts(self, step: Step, place: Var | None = None) -> bool:
        """Does a table give a place that is always as far away, from this one if it is given?"""
        if not isinstance(step, Find):
            return False
        table, there = self.original.tables[step.table], step.args[-1]
        if not isinstance(there, Var) or not isinstance(there.sort, Sort):
            return False
        places = [i for i, arg in enumerate(step.args[:-1])
                  if isinstance(arg, Var) and place in (None, arg) and arg.sort == there.sort]  # fmt: skip
        return any(find_shifts(table, i, there.sort) is not None for i in places)

    # ----------------------------------------------------------------------------------------- tables

    def tabulated(self, body: Body, used: set[Var], matters: str = "") -> Body:
        """A body in which steps that do not read the position are looked up together.

        It may matter how the body is carried out: the number of ways ("ways") or their order ("order").
        """
        steps = []
        for step in body:
            inner = "ways" if isinstance(step, Fold) and step.kind in ("count", "sum") else (
                "order" if isinstance(step, Fold | Choose) else "")  # fmt: skip
            others = used | set(body_vars(tuple(one for one in body if one is not step))) | set(own_vars(step))
            steps.append(with_bodies(step, lambda one, others=others, inner=inner: self.tabulated(one, others, inner)))  # type: ignore[misc]
        for group in self._groups(steps, used):
            steps = self._replaced(steps, group, self._table(group, (), matters == "ways"))
        for group, chosen in self._generators(steps, used) if matters != "order" else ():
            steps = self._replaced(steps, group, self._table(group, chosen, matters == "ways"))
        return tuple(steps)

    def _replaced(self, steps: list[Step], group: list[Step], table: Find | None) -> list[Step]:
        """The steps with one look into a table for some of them: where the first of those stood that it can replace."""
        places = [i for i, step in enumerate(steps) if any(step is one for one in group)]
        if table is None:
            return steps
        between = steps[places[0] : places[-1]]
        given = set(table.args) - set(table.binds)
        others = [step for step in between if not any(step is one for one in group)]
        first = bool(table.binds) and not any(given & set(bound(step)) or isinstance(step, Test) for step in others)
        if not first and any(set(table.binds) & set(body_vars((step,))) for step in between):
            return steps
        at = places[0] if first else places[-1]
        return [table if i == at else step for i, step in enumerate(steps) if i == at or i not in places]

    def _generators(self, steps: list[Step], used: set[Var]) -> list[tuple[list[Step], tuple[Var, ...]]]:
        """Constant steps that choose one or two variables together, by way of others or with tests."""
        constant = [step for step in steps if is_constant(step)]
        rest = used | set(body_vars(tuple(step for step in steps if not is_constant(step))))
        found: list[list[Step]] = []
        for step in constant:
            mine = set(body_vars((step,)))
            near = [one for one in found if mine & {var for s in one for var in bound(s)}]
            found = [one for one in found if not any(one is other for other in near)]
            found.append([*(s for one in near for s in one), step])
        groups = []
        for group in found:
            own = [var for step in group for var in bound(step)]
            chosen = tuple(var for var in own if var in rest)
            if len(group) > 1 and 1 <= len(chosen) <= 2 and not used & set(chosen):
                groups.append((group, chosen))
        return groups

    def _groups(self, steps: list[Step], used: set[Var]) -> list[list[Step]]:
        """Constant steps that belong together, since they share variables that nothing else has."""
        group = [step for step in steps if is_constant(step)]
        while True:
            others = used | set(body_vars(tuple(step for step in steps if not any(step is one for one in group))))
            out = [step for step in group if others & set(bound(step))]
            if not out:
                break
            group = [step for step in group if not any(step is one for one in out)]
        found: list[list[Step]] = []
        for step in group:
            near = [one for one in found if set(body_vars((step,))) & {v for s in one for v in bound(s)}]
            for one in near:
                found = [other for other in found if other is not one]
            found.append([*(s for one in near for s in one), step])
        return [one for one in found if sum(1 for _ in all_steps(tuple(one))) > 2 or len(one) > 1]

    def _table(self, group: list[Step], chosen: tuple[Var, ...], ways: bool) -> Find | None:
        """One look into a table for all of them; None if it would be too large, or would have too few ways."""
        body = tuple(group)
        own = {var for step in group for var in bound(step)}
        columns = [*(var for var in free_vars(body) if var not in own), *chosen]
        if not columns or any(not isinstance(var.sort, Sort) for var in columns):
            return None
        numbered: dict[Var, Atom] = {var: Var(str(i), var.sort) for i, var in enumerate(body_vars(body))}
        key = renamed(body, numbered), renamed(chosen, numbered), ways
        if key not in self.made:
            self.made[key] = self._new_table(body, columns, ways)
        table = self.made[key]
        return Find(table.name, tuple(columns), chosen) if table else None

    def _new_table(self, body: Body, columns: list[Var], ways: bool) -> Table | None:
        if prod(var.sort.size for var in columns if isinstance(var.sort, Sort)) > MOST_ROWS:
            return None
        try:
            found = Counter(rows_of(self.tables, body, columns))
        except TooMuch:
            return None
        if not found or (ways and any(number > 1 for number in found.values())):
            return None
        name = f"fixed{len(self.tables)}"
        self.tables[name] = Table(name, tuple(var.sort for var in columns), tuple(sorted(found)), len(columns))  # type: ignore[misc]
        return self.tables[name]


def used_by_rule(rule: Rule) -> set[Var]:
    return {*rule.params, *([rule.result] if isinstance(rule.result, Var) else [])}


def fits(sort: Sort | SetSort, into: Sort | SetSort) -> bool:
    """Is every value of the one a value of the other?"""
    return isinstance(sort, Sort) and isinstance(into, Sort) and into.lowest <= sort.lowest and sort.high <= into.high


def immobile(body: Body, used: set[Var]) -> Body:
    """A body that asks whether there is a move, where it asked whether their number is 0."""
    steps = list(body)
    for step in body:
        tests = [
            one for one in steps if isinstance(step, Mobility) and one is not step and step.var in body_vars((one,))
        ]
        match tests:
            case [Test("=" | ">" | "!=" as op, Var() as var, Const(0)) as test] if var not in used:
                some = Mobility(Var(f"{var.name}'", BOOL), step.player)  # type: ignore[union-attr]
                wanted = Test("=", some.var, Const(int(op != "="), BOOL))
                steps = [some if one is step else wanted if one is test else one for one in steps]
    return tuple(steps)


def possible_bodies(step: Step) -> Step:
    """Of several bodies those that are not ruled out by numbers that are known."""
    if not isinstance(step, Either):
        return step
    bodies = tuple(body for body in step.bodies if not any(map(is_never, body)))
    if len(bodies) == 1:
        return Exists(bodies[0])
    return Either(bodies) if bodies else Test("=", Const(0, BOOL), Const(1, BOOL))


def truth(step: Step) -> bool | None:
    """What a comparison of numbers that are known comes to."""
    match step:
        case Test(op, Const(left), Const(right)):
            return bool(OPERATORS[op].evaluate(left, right))
        case Among(Const(value), values, ()) if all(isinstance(one, Const) for one in values):
            return value in {one.value for one in values if isinstance(one, Const)}
    return None


def is_never(step: Step) -> bool:
    return truth(step) is False


def looks_around(body: Body) -> bool:
    return any(isinstance(step, Ask | Fold | Collect | Reach) for step in all_steps(body))


def has_few(step: Step) -> bool:
    """Does a step choose among a few numbers?"""
    match step:
        case Each(_, Const(low), Const(high)):
            return high - low < FEW
        case Among(_, values, binds):
            return bool(binds) and len(values) <= FEW and all(isinstance(value, Const) for value in values)
    return False


def inside(arg: Atom, sort: Sort) -> bool:
    """Is there a place for every value?"""
    if isinstance(arg, Const):
        return sort.low <= arg.value <= sort.high
    return isinstance(arg.sort, Sort) and sort.low <= arg.sort.lowest and arg.sort.high <= sort.high
