"""Bodies as C: a step that chooses is a loop, a step that tests is an if, and what follows stands inside.

In: steps of the model, and what is to happen for every way to carry them out.  Out: lines of C.

A position is a string of bytes, the same as on every engine; `s` is the one that is read and `m` is who moves.  A set
is a row of bits.  A step that fails just does not get to what stands inside it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never

from pysolve.dsl.model import (
    BOOL,
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
    SetSort,
    Sort,
    Step,
    Test,
    Var,
    Walk,
)
from pysolve.dsl.model.properties import counts_down, stops_everywhere
from pysolve.dsl.to_c.bitboards import Choice, Masks, Printer, constants, told_apart
from pysolve.dsl.to_c.leaping import flood_by_leaps
from pysolve.dsl.to_c.scope import Inside, lowest, minus, plus, set_kind, set_words
from pysolve.dsl.to_c.text import identifier
from pysolve.dsl.to_c.value import MOVER, of_number, opponent


class Sieve(Protocol):
    """Decides which of the steps behind the last choice are printed at once, and what they lead to."""

    @property
    def inside(self) -> Inside:
        """Prints what the steps that are carried out at once lead to."""

    def sift(self, steps: Body) -> Body:
        """The steps behind the last choice that are carried out at once."""


@dataclass
class BodyPrinter(Printer):
    """Writes the bodies of one function."""

    rays: bool = True  # may rays be walked by bits?
    written_out: bool = False  # is this within a choice that is written out, value by value?
    later: Sieve | None = None  # what is not carried out at once
    single: dict[Var, Var] = field(default_factory=dict)  # sets of one member, and that

    # ---------------------------------------------------------------------------------------- steps

    def ways(self, body: Iterable[Step], inside: Inside) -> None:
        """Writes a body with `inside` in its innermost place: it happens once for every way."""
        steps = tuple(body)
        if self.later is not None and inside is self.later.inside:
            steps = self.later.sift(steps)
        if not steps:
            inside()
            return
        choice = self._by_bits(steps)
        if choice is not None and not choice.rest and choice.var == self.spread[0]:
            self.spread[1](choice)
            return
        if choice is not None:
            choice.write(self, inside)
            return
        if (
            self.masks is not None
            and self.rays
            and isinstance(steps[0], Walk)
            and self.masks.walk(self, steps[0], steps[1:], inside)
        ):
            return
        if self.masks is not None and not self.written_out and self.masks.is_direction(self, steps):
            self._write_out(steps, inside)
            return
        self.step(steps[0], lambda: self.ways(steps[1:], inside))

    def _write_out(self, steps: tuple[Step, ...], inside: Inside) -> None:
        """A piece of code for each value that the first step may choose, in which it is a constant."""
        var, values = constants(steps[0])
        names, declared = dict(self.names), set(self.declared)
        self.written_out = True  # once is long enough
        for value in values:
            self.names, self.declared = {**names, var: of_number(value)}, set(declared)
            with self.out.block(""):
                self.ways(steps[1:], inside)
        self.names, self.declared, self.written_out = names, declared, False

    def once(self, body: Body, inside: Inside) -> None:
        """Writes a body; `inside` happens for the first way, and then what follows the body goes on."""
        done = self.out.fresh("done")
        with self.out.block(""):
            self.ways(body, both(inside, lambda: self.out.line(f"goto {done};")))
        self.out.line(f"{done}:;")

    def condition(self, body: Body) -> str:
        """A variable that says whether a body can be carried out."""
        simple = self.plain(body)
        if simple is not None:
            return simple
        holds = self.out.fresh("holds")
        self.out.line(f"int {holds} = 0;")
        self.once(body, lambda: self.out.line(f"{holds} = 1;"))
        return holds

    def _alias(self, step: Step) -> bool:
        """Who moves and the opponent need no variable of their own, where that is known to stay so."""
        if self.mover != "m":
            return False
        match step:
            case Get("mover", (), Var() as var, binds) if binds and var not in self.declared:
                self.names[var] = MOVER
            case Find("opponent", (of, Var() as var), (bound,)) if var == bound and var not in self.declared:
                self.names[var] = opponent(self.value(of))
            case _:
                return False
        return True

    def plain(self, body: Body) -> str | None:
        """A body of comparisons alone as one condition."""
        parts: list[str] = []
        for number, step in enumerate(body):
            if self._alias(step):
                continue
            choice = self._by_bits(body[number:])
            if choice is not None:
                return f"({' && '.join([*parts, choice.some()])})" if not choice.rest else None
            match step:
                case Test(op, left, right):
                    one, guards = self.expr(Op(op, (left, right)))
                    parts += [*guards, one]
                case Get(_, _, value, binds) if not binds:
                    parts += self._equals(step, value)
                case Find(_, _, binds) if not binds:
                    parts += self._has_row(step)
                case Not(inner):
                    negated = self.plain(inner)
                    if negated is None:
                        return None
                    parts.append(f"!{negated}")
                case Exists(inner):
                    one_way = self.plain(inner)
                    if one_way is None:
                        return None
                    parts.append(one_way)
                case Either(()):
                    parts.append("0")
                case Either(bodies):
                    either = [self.plain(one) for one in bodies]
                    if None in either:
                        return None
                    parts.append(f"({' || '.join(map(str, either))})")
                case _:
                    return None
        if len(parts) == 1 and isinstance(body[-1], Test | Exists):
            return parts[0]  # which stands in brackets
        return f"({' && '.join(parts)})" if parts else "1"

    def step(self, step: Step, inside: Inside) -> None:
        """Prints one step; `inside` prints what follows wherever the step succeeds."""
        match step:
            case Each(var, low, high):
                self._each(var, self.atom(low), self.atom(high), inside)
            case Among():
                self._among(step, inside)
            case Member():
                self._member(step, inside)
            case Get():
                self._get(step, inside)
            case Find():
                self._find(step, inside)
            case Walk():
                self._walk(step, inside)
            case Let(var, expr):
                value, guards = self.expr(expr)
                self.iff(guards, both(lambda: self.bind(var, value), inside))
            case Test():
                condition = self.plain((step,))
                assert condition is not None
                self.iff([condition], inside)
            case Ask():
                self._ask(step, inside)
            case Not(body):
                condition = self.condition(body)
                self.iff([f"!{condition}"], inside)
            case Exists(body):
                self.iff([self.condition(body)], inside)
            case Either(bodies):
                self._either(bodies, inside)
            case Choose():
                self._choose(step, inside)
            case Fold():
                self._fold(step, inside)
            case Collect(var, item, body):
                self._new_set(var)
                before = self.spread
                if isinstance(item, Var) and isinstance(var.sort, SetSort) and var.sort.of == item.sort:
                    self.spread = item, lambda choice: choice.join(self, self.name(var))
                self.ways(body, lambda: self.put(var, self.atom(item)))
                self.spread = before
                match body:
                    case (Let(one, Var() as member),) if one == item:
                        self.single[var] = member
                inside()
            case Reach():
                self._reach(step, inside)
            case Distance():
                self._distance(step, inside)
            case Possible(action):
                self.iff([f"any_{identifier(action)}({self.state}, {self.mover}{self.memo})"], inside)
            case Preferred(action, args):
                given = ", ".join([f"{self.state}, {self.mover}{self.memo}", *map(self.atom, args)])
                self.iff([f"prefers_{identifier(action)}({given})"], inside)
            case Mobility(var, player):
                asked = "is_mobile" if var.sort == BOOL else "mobility"
                self.bind(var, f"{asked}({self.state}, {self.atom(player)}{self.out.control})")
                inside()
            case _:
                assert_never(step)

    def _each(self, var: Var, low: str, high: str, inside: Inside) -> None:
        self.unroll //= 2  # there are fewer values each time
        if var in self.declared:
            loop = self.out.fresh("k")
            with self.out.loop(f"for (I {loop} = {low}; {loop} <= {high}; {loop}++)"):
                self.bind(var, loop)
                inside()
            return
        name = self.name(var)
        with self.out.loop(f"for (I {name} = {low}; {name} <= {high}; {name}++)"):
            inside()

    def _among(self, step: Among, inside: Inside) -> None:
        values = ", ".join(self.atom(value) for value in step.values)
        if not step.values:  # there is no way; what is inside is written all the same, and has a name for the item
            dead = [lambda var=var: self.bind(var, "0") for var in step.binds]
            self.iff(["0"], functools.reduce(both, [*dead, inside]))
            return
        if not step.binds:
            item = self.atom(step.item)
            self.iff(["(" + " || ".join(f"{item} == {self.atom(value)}" for value in step.values) + ")"], inside)
            return
        assert isinstance(step.item, Var)
        listed, number = self.out.fresh("among"), self.out.fresh("i")
        constant = "static const" if all(isinstance(value, Const) for value in step.values) else "const"
        with self.out.block(""):
            self.out.line(f"{constant} I {listed}[] = {{{values}}};")
            with self.out.loop(f"for (int {number} = 0; {number} < {len(step.values)}; {number}++)"):
                self.bind(step.item, f"{listed}[{number}]")
                inside()

    # ----------------------------------------------------------------------------------------- sets

    def _new_set(self, var: Var) -> None:
        if var not in self.declared:
            self.out.line(f"UNUSED {self.kind(var.sort)} {self.name(var)};")
        self.out.line(f"{set_kind(var.sort)}_clear(&{self.name(var)});")

    def _member(self, step: Member, inside: Inside) -> None:
        within, sort = step.within, step.within.sort
        assert isinstance(sort, SetSort)
        low = sort.of.lowest
        if not step.binds:
            guards = self.within(step.item, low, sort.of.high)
            bit = minus(self.atom(step.item), low)
            self.iff([*guards, f"{set_kind(sort)}_has(&{self.name(within)}, {bit})"], inside)
            return
        assert isinstance(step.item, Var)
        item = step.item
        word, bits = self.out.fresh("word"), self.out.fresh("bits")
        with (
            self.out.block(f"for (int {word} = 0; {word} < {set_words(sort)}; {word}++)"),
            self.out.loop(f"for (u64 {bits} = {self.name(within)}.w[{word}]; {bits}; {bits} &= {bits} - 1)"),
        ):
            self.bind(item, plus(f"{word} * 64 + lowest_bit({bits})", low))
            inside()

    def _reach(self, step: Reach, inside: Inside) -> None:
        out, kind = self.out, set_kind(step.var.sort)
        low = lowest(step.var.sort)
        queue, head, tail = out.fresh("queue"), out.fresh("head"), out.fresh("tail")
        self._begin(step.var, step.start)
        if self.masks is not None:
            shared = self._shared(step)
            if shared is not None:
                self._flood_alike(step, shared, self.masks)
            elif not flood_by_leaps(self, self.masks, step):
                self._flood(step, self.masks)
            inside()
            return
        with out.block(""):
            out.line(f"u16 {queue}[{set_words(step.var.sort)} * 64];")
            out.line(f"int {head} = 0, {tail} = {kind}_list(&{self.name(step.var)}, {queue});")
            with out.loop(f"while ({head} < {tail})"):
                self.bind(step.near, plus(f"(I){queue}[{head}++]", low))

                def found() -> None:
                    at = minus(self.name(step.next), low)
                    with out.block(f"if (!{kind}_has(&{self.name(step.var)}, {at}))"):
                        self.put(step.var, self.name(step.next))
                        out.line(f"{queue}[{tail}++] = (u16)({at});")

                self.ways(step.body, found)
        inside()

    def _begin(self, reached: Var, start: Var) -> None:
        """A new set with the members of `start`."""
        kind = set_kind(reached.sort)
        if (kind, lowest(reached.sort)) == (set_kind(start.sort), lowest(start.sort)):
            new = "" if reached in self.declared else f"{kind} "
            self.out.line(f"{new}{self.name(reached)} = {self.name(start)};")
        else:  # sets of other ranges have other bits
            self._new_set(reached)
            each = Var(f"{start.name} each", start.sort.of)  # type: ignore[union-attr]
            self.step(Member(each, start, (each,)), lambda: self.put(reached, self.name(each)))

    def _distance(self, step: Distance, inside: Inside) -> None:
        """Values in the order in which they are reached, so that the first of the goal is a nearest one."""
        out = self.out
        assert isinstance(step.near.sort, Sort)
        reached, goal = (Var(f"{step.var.name} {part}", SetSort(step.near.sort)) for part in ("reached", "goal"))
        kind, low, words = set_kind(reached.sort), step.near.sort.lowest, set_words(reached.sort)
        if step.var not in self.declared:
            self.declare(step.var)
        out.line(f"{self.name(step.var)} = -1;")
        with out.block(""):
            self._begin(reached, step.start)
            self._begin(goal, step.goal)
            queue, head, tail, steps, end = map(out.fresh, ("queue", "head", "tail", "steps", "end"))
            seen, wanted, found = self.name(reached), self.name(goal), self.name(step.var)
            out.line(f"u16 {queue}[{words} * 64];")
            out.line(f"int {head} = 0, {tail} = {kind}_list(&{seen}, {queue}), {end} = {tail}, {steps} = 1;")
            for word in range(words):
                out.line(f"if ({seen}.w[{word}] & {wanted}.w[{word}]) {found} = 0;")
            with out.loop(f"while ({found} < 0 && {head} < {tail})"):
                out.line(f"if ({head} == {end}) {steps}++, {end} = {tail};")
                self.bind(step.near, plus(f"(I){queue}[{head}++]", low))

                def arrived() -> None:
                    at = minus(self.name(step.next), low)
                    with out.block(f"if (!{kind}_has(&{seen}, {at}))"):
                        self.put(reached, self.name(step.next))
                        out.line(f"{queue}[{tail}++] = (u16)({at});")
                        out.line(f"if ({kind}_has(&{wanted}, {at})) {found} = {steps};")

                self.ways(step.body, arrived)
        self.iff([f"{found} >= 0"], inside)

    def _flood(self, step: Reach, masks: Masks) -> None:
        """A closure by bits: of every cell in the set once, what lies beside it and is not in the set yet."""
        out, kind, name = self.out, set_kind(step.var.sort), self.name(step.var)
        low, words = lowest(step.var.sort), set_words(step.var.sort)
        new, word = out.fresh("open"), out.fresh("word")

        def spread(choice: Choice) -> None:
            more, other = out.fresh("more"), out.fresh("word") if words > 1 else "0"
            with out.block(f"for (int {other} = 0; {other} < {words}; {other}++)" if words > 1 else ""):
                out.line(f"const u64 {more} = {choice.word(other)} & ~{name}.w[{other}];")
                out.line(f"{name}.w[{other}] |= {more}, {new}.w[{other}] |= {more};")
                if words > 1:
                    out.line(f"if ({more} && {other} < {word}) {word} = {other};")

        def found() -> None:
            at = minus(self.name(step.next), low)
            with out.block(f"if (!{kind}_has(&{name}, {at}))"):
                self.put(step.var, self.name(step.next))
                out.line(f"{kind}_put(&{new}, {at});")
                if words > 1:
                    out.line(f"if ({at} >> 6 < {word}) {word} = (int)({at} >> 6);")

        begin = masks.test(self, step.body[0], step.near) if self._is_told(step) else None
        before = self.spread, masks.again
        self.spread, masks.again = (step.next, spread), True
        out.line(f"{kind} {new} = {name};")
        if begin is not None:  # from these alone a step leads on
            for i in range(words):
                out.line(f"{new}.w[{i}] &= {begin(str(i))};")
        with out.loop(f"for (int {word} = 0; {word} < {words};)"):
            with out.block(f"if (!{new}.w[{word}])"):
                out.line(f"{word}++;")
                out.line("continue;")
            self.bind(step.near, plus(f"{word} * 64 + lowest_bit({new}.w[{word}])", low))
            out.line(f"{new}.w[{word}] &= {new}.w[{word}] - 1;")
            self.ways(step.body, found)
        self.spread, masks.again = before

    def _shared(self, step: Reach) -> Get | None:
        """The step that reads a value which all places of a closure share with the one where it begins; None if there
        is none."""
        match step.body:
            case (Get(slot, (near,), Var() as value, (bound,)) as get, *rest) if near == step.near and value == bound:
                alike = Get(slot, (step.next,), value, ())
                if step.start in self.single and alike in rest and told_apart(self.game.slots[slot], step.next):
                    return get
        return None

    def _flood_alike(self, step: Reach, shared: Get, masks: Masks) -> None:
        """A closure among places that hold the same: the set of these is made once."""
        slot, value = self.game.slots[shared.slot], shared.value
        assert isinstance(value, Var)

        def flood() -> None:
            key = slot.name, self.name(value)
            masks.made[key] = masks.made_here(self, slot, value)
            self._flood(replace(step, body=step.body[1:]), masks)
            del masks.made[key]

        self.step(replace(shared, args=(self.single[step.start],)), flood)

    def _is_told(self, step: Reach) -> bool:
        """True if the step of a closure begins with what the place must hold from which it leads."""
        match step.body[:1]:
            case (Get(_, (near,), value, ()),) if near == step.near and lowest(step.var.sort) == near.sort.low:  # type: ignore[union-attr]
                return isinstance(value, Const) or value in self.names
        return False

    # ----------------------------------------------------------------------------------- the position

    def _equals(self, step: Get, value: Atom) -> list[str]:
        slot = self.game.slots[step.slot]
        if slot.name == "mover":
            return [f"{self.mover} == {self.atom(value)}"]
        at, guards = self.index(slot, step.args)
        return [*guards, self.compare(slot, at, value)]

    def _get(self, step: Get, inside: Inside) -> None:
        slot = self.game.slots[step.slot]
        free = [arg for arg in dict.fromkeys(step.args) if arg in step.binds]
        if free:
            var = free[0]
            assert isinstance(var, Var)
            sort = slot.params[step.args.index(var)]
            rest = Get(step.slot, step.args, step.value, tuple(v for v in step.binds if v != var))
            self._each(var, str(sort.low), str(sort.high), lambda: self._get(rest, inside))
            return
        if step.value not in step.binds:
            self.iff(self._equals(step, step.value), inside)
            return
        assert isinstance(step.value, Var)
        var = step.value
        if slot.name == "mover":
            if not self._alias(step):
                self.bind(var, self.mover)
            inside()
            return
        at, guards = self.index(slot, step.args)
        self.iff(guards, both(lambda: self.bind(var, self.load(slot, at)), inside))

    # --------------------------------------------------------------------------------------- tables

    def _known(self, step: Find) -> tuple[tuple[int, ...], list[int]]:
        """The columns that are known when a table is asked, and those that are found."""
        known = tuple(i for i, arg in enumerate(step.args) if arg not in step.binds)
        return known, [i for i in range(len(step.args)) if i not in known]

    def _has_row(self, step: Find) -> list[str]:
        access = self.tables.access(self.game.tables[step.table], tuple(range(len(step.args))))
        at, guards = self.place(step, access.known)
        return [*guards, f"{access.index}[{at}]"]

    def _find(self, step: Find, inside: Inside) -> None:
        known, free = self._known(step)
        if not free:
            self.iff(self._has_row(step), inside)
            return
        if step.table == "opponent" and known == (0,):
            assert isinstance(step.args[1], Var)
            if not self._alias(step):
                self.bind(step.args[1], f"3 - {self.atom(step.args[0])}")
            inside()
            return
        access = self.tables.access(self.game.tables[step.table], known)
        at, guards = self.place(step, access.known)
        if access.shape == "function":
            if access.missing is not None:
                guards.append(f"{access.arrays[0]}[{at}] != {access.missing}")
            self.iff(guards, lambda: self._row(step, free, access.arrays, at, inside))
            return
        number = self.out.fresh("row")

        def rows() -> None:
            with self.out.loop(self._through(number, f"{access.index}[{at}]", f"{access.index}[{at} + 1]")):
                self._row(step, free, access.arrays, number, inside)

        self.iff(guards, rows)

    def _through(self, number: str, first: str, end: str) -> str:
        """The head of a loop over a run of rows."""
        return f"for (int {number} = {first}, {number}_end = {end}; {number} < {number}_end; {number}++)"

    def _row(self, step: Find, free: list[int], arrays: tuple[str, ...], at: str, inside: Inside) -> None:
        """The free columns of one row; a variable that stands in two of them must be the same in both."""
        seen: set[Atom] = set()
        same = []
        for i, name in zip(free, arrays, strict=True):
            var = step.args[i]
            assert isinstance(var, Var)
            if var in seen:
                same.append(f"{self.atom(var)} == {name}[{at}]")
            else:
                self.bind(var, f"{name}[{at}]")
                seen.add(var)
        self.iff(same, inside)

    def _by_bits(self, steps: tuple[Step, ...]) -> Choice | None:
        """The first step with the tests behind it, as bits; None if it is no choice of that kind."""
        return self.masks.choice(self, steps) if self.masks is not None and steps else None

    def _walk(self, step: Walk, inside: Inside) -> None:
        out, game = self.out, self.game
        rays = self.tables.walk(game.tables[step.rays], game.tables[step.stops], step)
        origin = self.atom(step.origin)
        ray, number = out.fresh("ray"), out.fresh("far")
        with (
            out.loop(self._through(ray, f"{rays}_r[{origin}]", f"{rays}_r[{origin} + 1]")),
            out.loop(self._through(number, f"{rays}_c[{ray}]", f"{rays}_c[{ray} + 1]")),
        ):
            self.bind(step.over, f"{rays}[{number}]")
            admissible: list[str] = []
            if not stops_everywhere(step, game.tables, cut=True):
                find = Find(step.stops, (step.origin, step.over), ())
                admissible = self._has_row(find)
            stop = both(lambda: self.bind(step.target, self.name(step.over)), inside)
            if step.first_only:
                clear = self.condition(step.clear)
                out.line(f"if ({clear}) continue;")
                self.iff(admissible, stop)
                out.line("break;")
            else:
                self.iff(admissible, stop)
                clear = self.condition(step.clear)
                out.line(f"if (!{clear}) break;")

    # ------------------------------------------------------------------------------- rules and choices

    def _ask(self, step: Ask, inside: Inside) -> None:
        rule = self.game.rules[step.rule]
        args = [self.state, f"{self.mover}{self.memo}"]
        for param, arg in zip(rule.params, step.args, strict=True):
            args.append(f"&{self.atom(arg)}" if isinstance(param.sort, SetSort) else self.atom(arg))
        call = f"rule_{identifier(step.rule)}"
        if step.result is None:
            self.iff([f"{call}({', '.join(args)})"], inside)
            return
        if step.result not in self.declared:
            self.out.line(f"UNUSED {self.kind(step.result.sort)} {self.name(step.result)};")
        self.iff([f"{call}({', '.join([*args, f'&{self.name(step.result)}'])})"], inside)

    def _either(self, bodies: tuple[Body, ...], inside: Inside) -> None:
        plain = [self.plain(body) for body in bodies] or ["0"]
        if all(plain):
            self.iff([f"({' || '.join(map(str, plain))})"], inside)
            return
        holds, done = self.out.fresh("holds"), self.out.fresh("done")
        self.out.line(f"int {holds} = 0;")
        with self.out.block(""):
            for body in bodies:
                self.ways(body, lambda: self.out.line(f"{{ {holds} = 1; goto {done}; }}"))
        self.out.line(f"{done}:;")
        self.iff([holds], inside)

    def _choose(self, step: Choose, inside: Inside) -> None:
        holds, done = self.out.fresh("holds"), self.out.fresh("done")
        if step.var not in self.declared:
            self.declare(step.var)
        self.out.line(f"int {holds} = 0;")
        settled = lambda: self.out.line(f"{{ {holds} = 1; goto {done}; }}")
        with self.out.block(""):

            def then() -> None:
                self.ways(step.then, settled)
                self.out.line(f"goto {done};")

            self.ways(step.test, then)
            self.ways(step.otherwise, settled)
        self.out.line(f"{done}:;")
        self.iff([holds], inside)

    def _fold(self, step: Fold, inside: Inside) -> None:
        if step.kind in ("count", "sum"):
            if step.var not in self.declared:
                self.out.line(f"UNUSED I {self.name(step.var)} = 0;")
            else:
                self.bind(step.var, "0")
            choice = self._by_bits(step.body)
            if step.kind == "count" and choice is not None and not choice.rest:
                self.out.line(f"{self.name(step.var)} = {choice.count()};")
            else:
                self.ways(step.body, lambda: self._add(step))
            inside()
            return
        found = self.out.fresh("found")
        if step.var not in self.declared:
            self.declare(step.var)
        self.out.line(f"int {found} = 0;")
        if step.kind == "first":
            rays, self.rays = self.rays, False  # here the order matters, which bits may change along rays
            self.once(step.body, lambda: self._take(step, found))
            self.rays = rays
        elif (down := counts_down(step)) is not None:
            each, rest = down
            done, name = self.out.fresh("done"), self.name(each.var)
            with self.out.loop(f"for (I {name} = {self.atom(each.high)}; {name} >= {self.atom(each.low)}; {name}--)"):
                self.ways(rest, both(lambda: self._take(step, found), lambda: self.out.line(f"goto {done};")))
            self.out.line(f"{done}:;")
        else:
            self.ways(step.body, lambda: self._compare(step, found))
        self.iff([found], inside)

    def _add(self, step: Fold) -> None:
        if step.kind == "count":
            self.out.line(f"{self.name(step.var)}++;")
            return
        value, guards = self.expr(step.value)
        self.iff(guards, lambda: self.out.line(f"{self.name(step.var)} += {value};"))

    def _take(self, step: Fold, found: str) -> None:
        value, guards = self.expr(step.value)
        self.iff(guards, lambda: self.out.line(f"{self.name(step.var)} = {value}, {found} = 1;"))

    def _compare(self, step: Fold, found: str) -> None:
        value, guards = self.expr(step.value)
        sign = ">" if step.kind == "most" else "<"
        item = self.out.fresh("item")

        def better() -> None:
            self.out.line(f"I {item} = {value};")
            better_ = f"!{found} || {item} {sign} {self.name(step.var)}"
            self.out.line(f"if ({better_}) {self.name(step.var)} = {item}, {found} = 1;")

        self.iff(guards, better)


def both(first: Inside, second: Inside) -> Inside:
    """One after the other."""

    def write() -> None:
        first()
        second()

    return write
