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
from pysolve.dsl.to_c.bitboards import Tests
from pysolve.dsl.to_c.choices import Choice, Printer
from pysolve.dsl.to_c.choosing import directions, find_choice
from pysolve.dsl.to_c.leaping import flood_by_leaps
from pysolve.dsl.to_c.masks import Masks, told_apart
from pysolve.dsl.to_c.scope import Inside, lowest, set_kind, set_words, type_of
from pysolve.dsl.to_c.text import identifier
from pysolve.dsl.to_c.value import NEVER, Value, either, every, listed, of_number, opponent
from pysolve.dsl.to_c.walking import write_walk


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

    masks: Masks | None = None  # where sets of places are worth their making
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
            and write_walk(self, self.masks, steps[0], steps[1:], inside)
        ):
            return
        turns = None if self.masks is None or self.written_out else directions(self, self.masks, steps)
        if turns is not None:
            self._write_out(*turns, steps[1:], inside)
            return
        self.step(steps[0], lambda: self.ways(steps[1:], inside))

    def _write_out(self, var: Var, values: Iterable[int], rest: Body, inside: Inside) -> None:
        """A piece of code for each value of a choice, in which it is a constant."""
        names, declared = dict(self.names), set(self.declared)
        self.written_out = True  # once is long enough
        for value in values:
            self.names, self.declared = {**names, var: of_number(value)}, set(declared)
            with self.out.block(""):
                self.ways(rest, inside)
        self.names, self.declared, self.written_out = names, declared, False

    def once(self, body: Body, inside: Inside) -> None:
        """Writes a body; `inside` happens for the first way, and then what follows the body goes on."""
        done = self.out.fresh("done")
        with self.out.block(""):
            self.ways(body, both(inside, lambda: self.out.line(f"goto {done};")))
        self.out.line(f"{done}:;")

    def condition(self, body: Body) -> Value:
        """Whether a body can be carried out."""
        simple = self.plain(body)
        if simple is not None:
            return simple
        holds = self.out.fresh("holds")
        self.out.line(f"int {holds} = 0;")
        self.once(body, lambda: self.out.line(f"{holds} = 1;"))
        return Value(holds)

    def _alias(self, step: Step) -> bool:
        """Who moves and the opponent need no variable of their own, where that is known to stay so."""
        if not self.mover.is_role:
            return False
        match step:
            case Get("mover", (), Var() as var, binds) if binds and var not in self.declared:
                self.names[var] = self.mover
            case Find("opponent", (of, Var() as var), (bound,)) if var == bound and var not in self.declared:
                self.names[var] = opponent(self.atom(of))
            case _:
                return False
        return True

    def plain(self, body: Body) -> Value | None:
        """A body of comparisons alone as one condition."""
        parts: list[Value] = []
        for number, step in enumerate(body):
            if self._alias(step):
                continue
            choice = self._by_bits(body[number:])
            if choice is not None:
                return None if choice.rest else every([*parts, Value(choice.some())])
            part = self._plain_step(step)
            if part is None:
                return None
            parts.append(part)
        return every(parts) if parts else Value("1")

    def _plain_step(self, step: Step) -> Value | None:
        match step:
            case Test(op, left, right):
                return self.expr(Op(op, (left, right)))
            case Get(_, _, value, binds) if not binds:
                return self._equals(step, value)
            case Find(_, _, binds) if not binds:
                return self._has_row(step)
            case Not(inner):
                plain = self.plain(inner)
                return None if plain is None else Value(f"!{plain}")
            case Exists(inner):
                return self.plain(inner)
            case Either(bodies):
                return self._plain_either(bodies)
        return None

    def _plain_either(self, bodies: tuple[Body, ...]) -> Value | None:
        """One of several bodies as one condition."""
        plain = [self.plain(body) for body in bodies]
        known = [one for one in plain if one is not None]
        return either(known) if len(known) == len(plain) else None

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
                value = self.expr(expr)
                self.iff(value.when, both(lambda: self.bind(var, value), inside))
            case Test():
                condition = self.plain((step,))
                assert condition is not None
                self.iff([condition], inside)
            case Ask():
                self._ask(step, inside)
            case Not(body):
                self.iff([Value(f"!{self.condition(body)}")], inside)
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
                self.iff([Value(f"any_{identifier(action)}({self.state}, {self.mover}{self.memo})")], inside)
            case Preferred(action, args):
                given = "".join(f", {self.atom(arg)}" for arg in args)
                call = f"prefers_{identifier(action)}({self.state}, {self.mover}{self.memo}{given})"
                self.iff([Value(call)], inside)
            case Mobility(var, player):
                asked = "is_mobile" if var.sort == BOOL else "mobility"
                self.bind(var, f"{asked}({self.state}, {self.atom(player)}{self.out.control})")
                inside()
            case _:
                assert_never(step)

    def _each(self, var: Var, low: Value, high: Value, inside: Inside) -> None:
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
        values = [self.atom(value) for value in step.values]
        if not step.values:  # there is no way; what is inside is written all the same, and has a name for the item
            dead = [lambda var=var: self.bind(var, "0") for var in step.binds]
            self.iff([NEVER], functools.reduce(both, [*dead, inside]))
            return
        if not step.binds:
            item = self.atom(step.item)
            self.iff([either(Value(f"{item} == {value}") for value in values)], inside)
            return
        assert isinstance(step.item, Var)
        among, number = self.out.fresh("among"), self.out.fresh("i")
        constant = "static const" if all(isinstance(value, Const) for value in step.values) else "const"
        with self.out.block(""):
            self.out.line(f"{constant} I {among}[] = {{{listed(values)}}};")
            with self.out.loop(f"for (int {number} = 0; {number} < {len(step.values)}; {number}++)"):
                self.bind(step.item, f"{among}[{number}]")
                inside()

    # ----------------------------------------------------------------------------------------- sets

    def _new_set(self, var: Var) -> None:
        if var not in self.declared:
            self.out.line(f"UNUSED {type_of(var.sort)} {self.name(var)};")
        self.out.line(f"{set_kind(var.sort)}_clear(&{self.name(var)});")

    def _member(self, step: Member, inside: Inside) -> None:
        within, sort = step.within, step.within.sort
        assert isinstance(sort, SetSort)
        low = sort.of.lowest
        if not step.binds:
            bit = self.within(step.item, low, sort.of.high) - low
            self.iff([Value(f"{set_kind(sort)}_has(&{self.name(within)}, {bit.text})", bit.when)], inside)
            return
        assert isinstance(step.item, Var)
        item = step.item
        word, bits = self.out.fresh("word"), self.out.fresh("bits")
        with (
            self.out.block(f"for (int {word} = 0; {word} < {set_words(sort)}; {word}++)"),
            self.out.loop(f"for (u64 {bits} = {self.name(within)}.w[{word}]; {bits}; {bits} &= {bits} - 1)"),
        ):
            self.bind(item, Value(f"{word} * 64 + lowest_bit({bits})") + low)
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
                self.bind(step.near, Value(f"(I){queue}[{head}++]") + low)

                def found() -> None:
                    at = self.atom(step.next) - low
                    with out.block(f"if (!{kind}_has(&{self.name(step.var)}, {at.text}))"):
                        self.put(step.var, self.atom(step.next))
                        out.line(f"{queue}[{tail}++] = (u16){at};")

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
            each = start.beside("each", start.sort.of)  # type: ignore[union-attr]
            self.step(Member(each, start, (each,)), lambda: self.put(reached, self.atom(each)))

    def _distance(self, step: Distance, inside: Inside) -> None:
        """Values in the order in which they are reached, so that the first of the goal is a nearest one."""
        out = self.out
        assert isinstance(step.near.sort, Sort)
        reached, goal = (step.var.beside(part, SetSort(step.near.sort)) for part in ("reached", "goal"))
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
                self.bind(step.near, Value(f"(I){queue}[{head}++]") + low)

                def arrived() -> None:
                    at = self.atom(step.next) - low
                    with out.block(f"if (!{kind}_has(&{seen}, {at.text}))"):
                        self.put(reached, self.atom(step.next))
                        out.line(f"{queue}[{tail}++] = (u16){at};")
                        out.line(f"if ({kind}_has(&{wanted}, {at.text})) {found} = {steps};")

                self.ways(step.body, arrived)
        self.iff([Value(f"{found} >= 0")], inside)

    def _flood(self, step: Reach, masks: Masks) -> None:
        """A closure by bits: of every cell in the set once, what lies beside it and is not in the set yet."""
        out, kind, name = self.out, set_kind(step.var.sort), self.name(step.var)
        low, words = lowest(step.var.sort), set_words(step.var.sort)
        new, word = out.fresh("open"), out.fresh("word")

        def spread(choice: Choice) -> None:
            more, other = out.fresh("more"), out.fresh("word") if words > 1 else 0
            with out.block(f"for (int {other} = 0; {other} < {words}; {other}++)" if words > 1 else ""):
                out.line(f"const u64 {more} = {choice.word(other)} & ~{name}.w[{other}];")
                out.line(f"{name}.w[{other}] |= {more}, {new}.w[{other}] |= {more};")
                if words > 1:
                    out.line(f"if ({more} && {other} < {word}) {word} = {other};")

        def found() -> None:
            at = self.atom(step.next) - low
            with out.block(f"if (!{kind}_has(&{name}, {at.text}))"):
                self.put(step.var, self.atom(step.next))
                out.line(f"{kind}_put(&{new}, {at.text});")
                if words > 1:
                    out.line(f"if ({at} >> 6 < {word}) {word} = (int)({at} >> 6);")

        begin = Tests(masks, self, step.near).test(step.body[0]) if self._is_told(step) else None
        before = self.spread, masks.again
        self.spread, masks.again = (step.next, spread), True
        out.line(f"{kind} {new} = {name};")
        if begin is not None:  # from these alone a step leads on
            for i in range(words):
                out.line(f"{new}.w[{i}] &= {begin(i)};")
        with out.loop(f"for (int {word} = 0; {word} < {words};)"):
            with out.block(f"if (!{new}.w[{word}])"):
                out.line(f"{word}++;")
                out.line("continue;")
            self.bind(step.near, Value(f"{word} * 64 + lowest_bit({new}.w[{word}])") + low)
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

    def _equals(self, step: Get, value: Atom) -> Value:
        if step.slot == "mover":
            return Value(f"{self.mover} == {self.atom(value)}")
        return self.holds(self.game.slots[step.slot], step.args, value)

    def _get(self, step: Get, inside: Inside) -> None:
        slot = self.game.slots[step.slot]
        free = [arg for arg in dict.fromkeys(step.args) if arg in step.binds]
        if free:
            var = free[0]
            assert isinstance(var, Var)
            sort = slot.params[step.args.index(var)]
            rest = Get(step.slot, step.args, step.value, tuple(v for v in step.binds if v != var))
            self._each(var, of_number(sort.low), of_number(sort.high), lambda: self._get(rest, inside))
            return
        if step.value not in step.binds:
            self.iff([self._equals(step, step.value)], inside)
            return
        assert isinstance(step.value, Var)
        var = step.value
        if slot.name == "mover":
            if not self._alias(step):
                self.bind(var, self.mover)
            inside()
            return
        there = self.load(slot, step.args)
        self.iff(there.when, both(lambda: self.bind(var, there), inside))

    # --------------------------------------------------------------------------------------- tables

    def _known(self, step: Find) -> tuple[tuple[int, ...], list[int]]:
        """The columns that are known when a table is asked, and those that are found."""
        known = tuple(i for i, arg in enumerate(step.args) if arg not in step.binds)
        return known, [i for i in range(len(step.args)) if i not in known]

    def _has_row(self, step: Find) -> Value:
        access = self.tables.access(self.game.tables[step.table], tuple(range(len(step.args))))
        at = self.row(step, access.known)
        if access.shape == "search":
            (sought,) = set(range(len(step.args))) - {i for i, _ in access.known}
            return Value(f"{access.index}({at.text}, {self.atom(step.args[sought])})", at.when)
        return Value(f"{access.index}[{at.text}]", at.when)

    def _find(self, step: Find, inside: Inside) -> None:
        known, free = self._known(step)
        if not free:
            self.iff([self._has_row(step)], inside)
            return
        if step.table == "opponent" and known == (0,):
            assert isinstance(step.args[1], Var)
            if not self._alias(step):
                self.bind(step.args[1], f"3 - {self.atom(step.args[0])}")
            inside()
            return
        access = self.tables.access(self.game.tables[step.table], known)
        at = self.row(step, access.known)
        if access.shape == "function":
            self.iff(self.found(access, at).when, lambda: self._row(step, free, access.arrays, at, inside))
            return
        number = self.out.fresh("row")

        def rows() -> None:
            with self.out.loop(self._through(number, f"{access.index}[{at.text}]", f"{access.index}[{(at + 1).text}]")):
                self._row(step, free, access.arrays, Value(number), inside)

        self.iff(at.when, rows)

    def _through(self, number: str, first: str, end: str) -> str:
        """The head of a loop over a run of rows."""
        return f"for (int {number} = {first}, {number}_end = {end}; {number} < {number}_end; {number}++)"

    def _row(self, step: Find, free: list[int], arrays: tuple[str, ...], at: Value, inside: Inside) -> None:
        """The free columns of one row; a variable that stands in two of them must be the same in both."""
        seen: set[Atom] = set()
        same = []
        for i, name in zip(free, arrays, strict=True):
            var = step.args[i]
            assert isinstance(var, Var)
            if var in seen:
                same.append(Value(f"{self.atom(var)} == {name}[{at.text}]"))
            else:
                self.bind(var, f"{name}[{at.text}]")
                seen.add(var)
        self.iff(same, inside)

    def _by_bits(self, steps: tuple[Step, ...]) -> Choice | None:
        """The first step with the tests behind it, as bits; None if it is no choice of that kind."""
        return find_choice(self, self.masks, steps) if self.masks is not None and steps else None

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
            admissible: list[Value] = []
            if not stops_everywhere(step, game.tables, cut=True):
                admissible.append(self._has_row(Find(step.stops, (step.origin, step.over), ())))
            stop = both(lambda: self.bind(step.target, self.atom(step.over)), inside)
            if step.first_only:
                clear = self.condition(step.clear)
                out.line(f"if ({clear.text}) continue;")
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
            args.append(f"{'&' * isinstance(param.sort, SetSort)}{self.atom(arg)}")
        call = f"rule_{identifier(step.rule)}"
        if step.result is None:
            self.iff([Value(f"{call}({', '.join(args)})")], inside)
            return
        if step.result not in self.declared:
            self.out.line(f"UNUSED {type_of(step.result.sort)} {self.name(step.result)};")
        self.iff([Value(f"{call}({', '.join([*args, f'&{self.name(step.result)}'])})")], inside)

    def _either(self, bodies: tuple[Body, ...], inside: Inside) -> None:
        plain = self._plain_either(bodies)
        if plain is not None:
            self.iff([plain], inside)
            return
        holds, done = self.out.fresh("holds"), self.out.fresh("done")
        self.out.line(f"int {holds} = 0;")
        with self.out.block(""):
            for body in bodies:
                self.ways(body, lambda: self.out.line(f"{{ {holds} = 1; goto {done}; }}"))
        self.out.line(f"{done}:;")
        self.iff([Value(holds)], inside)

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
        self.iff([Value(holds)], inside)

    def _fold(self, step: Fold, inside: Inside) -> None:
        match step.kind:
            case "count" | "sum":
                self._sum(step)
                inside()
            case "first" | "most" | "least":
                found = self.out.fresh("found")
                if step.var not in self.declared:
                    self.declare(step.var)
                self.out.line(f"int {found} = 0;")
                self._one_of(step, found)
                self.iff([Value(found)], inside)
            case _:
                assert_never(step.kind)

    def _sum(self, step: Fold) -> None:
        if step.var not in self.declared:
            self.out.line(f"UNUSED I {self.name(step.var)} = 0;")
        else:
            self.bind(step.var, "0")
        choice = self._by_bits(step.body)
        if step.kind == "count" and choice is not None and not choice.rest:
            self.out.line(f"{self.name(step.var)} = {choice.count()};")
        else:
            self.ways(step.body, lambda: self._add(step))

    def _one_of(self, step: Fold, found: str) -> None:
        """Sets the variable of a step, and `found`, to the first, the most or the least of the values."""
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

    def _add(self, step: Fold) -> None:
        if step.kind == "count":
            self.out.line(f"{self.name(step.var)}++;")
            return
        value = self.expr(step.value)
        self.iff(value.when, lambda: self.out.line(f"{self.name(step.var)} += {value.text};"))

    def _take(self, step: Fold, found: str) -> None:
        value = self.expr(step.value)
        self.iff(value.when, lambda: self.out.line(f"{self.name(step.var)} = {value.text}, {found} = 1;"))

    def _compare(self, step: Fold, found: str) -> None:
        value = self.expr(step.value)
        sign = ">" if step.kind == "most" else "<"
        item = self.out.fresh("item")

        def better() -> None:
            self.out.line(f"I {item} = {value.text};")
            better_ = f"!{found} || {item} {sign} {self.name(step.var)}"
            self.out.line(f"if ({better_}) {self.name(step.var)} = {item}, {found} = 1;")

        self.iff(value.when, better)


def both(first: Inside, second: Inside) -> Inside:
    """One after the other."""

    def write() -> None:
        first()
        second()

    return write
