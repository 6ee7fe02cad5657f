"""Choices by bits: which places hold a value, as a set that is made once for a position.

In: a step that chooses a place, and the tests on it that follow.  Out: one expression of sets whose bits are the
choices: `at(from) = mover` is a set, `to in neighbours(from)` a row of a table of sets, and a further test is an `&`.
How far a ray is clear is found in a set as well: it is cut at its lowest or highest bit that is in the way.

Sets are made by comparing eight or sixteen bytes of the position at once, at the head of a function that is asked once
for a position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pysolve.dsl.analysis.shifts import WIDEST
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import (
    Among,
    Body,
    Const,
    Each,
    Either,
    Exists,
    Find,
    Fold,
    Get,
    Member,
    Not,
    SetSort,
    Slot,
    Sort,
    Step,
    Test,
    Var,
    Walk,
    all_steps,
    body_vars,
)
from pysolve.dsl.model.properties import bound, free_vars, given_vars
from pysolve.dsl.model.steps import renamed
from pysolve.dsl.to_c.scope import Inside, Scope
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Part, Writer, identifier
from pysolve.dsl.to_c.value import Value, of_number

DEEPEST = 6  # tests inside each other that are written as sets
MOST_VALUES = 8  # of a state whose places are told apart by what they hold
FEW = 4  # values of a slot for each of which a set is made
FEW_TURNS = 10  # of a loop that is written out
MANY = 32  # places from which on it is better to make a set than to look at each
Bits = Callable[[str], str]  # the expression for one word of a set, given its number


@dataclass
class Printer(Scope, ABC):
    """Who prints the body in which sets are written, as far as sets ask."""

    masks: Masks | None = None  # where sets of places are worth their making
    spread: tuple[Var | None, Callable[[Choice], None]] = (None, lambda _: None)  # what a closure does with bits
    unroll: int = 0  # lines that may be used to write the next choice out, value by value

    @abstractmethod
    def ways(self, body: Iterable[Step], inside: Inside) -> None:
        """Writes a body with `inside` in its innermost place."""

    @abstractmethod
    def plain(self, body: Body) -> str | None:
        """A body as one condition, if it is one."""


@dataclass
class Masks:
    """The sets of one function: each is made at its head, when something in it first asks."""

    out: Writer
    tables: Tables
    local: bool = False  # may a set be made for one choice?
    again: bool = False  # is something done for many places, with other values each time?
    walked: set[Walk] = field(default_factory=set)  # those that were written by bits
    head: Part = field(init=False)  # what stands at the head of the function
    made: dict[tuple[str, str], str] = field(default_factory=dict)
    inside: int = 0  # how many tests stand around the one that is looked at

    def __post_init__(self) -> None:
        self.head = self.out.place()

    def of(self, slot: Slot, value: str, state: str) -> str:
        """The set of the places of a slot that hold a value."""
        key = slot.name, value
        if key not in self.made:
            name = self.made[key] = self.out.fresh(f"in_{identifier(slot.name)}_")
            words = (slot.count + 63) // 64
            made = f"places{words}({state} + {slot.offset}, {slot.count}, {value})"
            self._at_head(f"UNUSED const Set{words} {name} = {made};")
            self.tables.sets.add(words)
        return self.made[key]

    def _at_head(self, line: str) -> None:
        self.head.lines.append(f"    {line}")

    def _here(self, printer: Printer, slot: Slot, value: Var | Const) -> str | None:
        """The set of the places with a value that is known only here; None where it is not worth while to make it."""
        if not isinstance(value, Var) or value not in printer.names or slot.count < MANY:
            return None
        if (slot.name, printer.atom(value)) in self.made:
            return self.made[slot.name, printer.atom(value)]
        if self.again and slot.sort.size <= FEW:
            return f"{self._of_every(slot, printer)}[{printer.atom(value)} - ({slot.sort.lowest})]"
        return self.made_here(printer, slot, value) if self.local else None

    def made_here(self, printer: Printer, slot: Slot, value: Var) -> str:
        """The set of the places that hold a value, made where the function is just being written."""
        name, words = self.out.fresh(f"in_{identifier(slot.name)}_"), (slot.count + 63) // 64
        byte = f"{printer.atom(value)} + {slot.shift}" if slot.shift else printer.atom(value)
        made = f"places{words}({printer.state} + {slot.offset}, {slot.count}, {byte})"
        self.out.line(f"UNUSED const Set{words} {name} = {made};")
        self.tables.sets.add(words)
        return name

    def _of_every(self, slot: Slot, printer: Printer) -> str:
        """An array at the head with the places of each value of a slot."""
        key = slot.name, "every"
        if key not in self.made:
            name = self.made[key] = self.out.fresh(f"in_{identifier(slot.name)}_")
            words = (slot.count + 63) // 64
            sets = (f"places{words}({printer.state} + {slot.offset}, {slot.count}, {value + slot.shift})"
                    for value in range(slot.sort.lowest, slot.sort.high + 1))  # fmt: skip
            self._at_head(f"UNUSED const Set{words} {name}[{slot.sort.size}] = {{{', '.join(sets)}}};")
            self.tables.sets.add(words)
        return self.made[key]

    def choice(self, printer: Printer, steps: tuple[Step, ...]) -> Choice | None:
        """The first of the steps, if it chooses a place, with the tests on that place that can be bits."""
        var = chosen(steps[0])
        if var is None or var in printer.declared or not isinstance(var.sort, Sort):
            return None
        words = (var.sort.high - var.sort.low + 64) // 64
        if words > WIDEST or var.sort.optional:
            return None
        match steps[0]:
            case Find(name, args, binds) if not any(arg in binds for arg in args[: printer.game.tables[name].keys]):
                return None  # a function: it has one value
        everywhere = isinstance(steps[0], Each | Get)
        self.local, before = everywhere, self.local
        first = self._generated(printer, steps[0], var)
        more, rest = ([], ()) if first is None else self._absorbed(printer, steps[1:], var)
        self.local = before
        if first is None:
            return None
        if not more and isinstance(steps[0], Each | Find) and var != printer.spread[0]:
            return None  # counting is as good
        self.tables.sets.add(words)
        return Choice(var, words, (first, *more), rest)

    def _generated(self, printer: Printer, step: Step, var: Var) -> Bits | None:
        match step:
            case Each(_, Const(low), Const(high)):
                assert isinstance(var.sort, Sort)
                return self.tables.constant(range(low - var.sort.low, high - var.sort.low + 1))
            case Get(name, args, value, binds):
                return self.test(printer, Get(name, args, value, tuple(v for v in binds if v != var)), var)
            case Find(name, args, _):
                return self.test(printer, Find(name, args, ()), var)
            case Member(_, within, _):
                return self.test(printer, Member(var, within, ()), var)
        return None

    def test(self, printer: Printer, step: Step, var: Var) -> Bits | None:
        """The places for which a test holds; None if that is no set that is there."""
        found = self.about(printer, step, var)
        return found[0] if found and found[1] else None

    def about(self, printer: Printer, step: Step, var: Var) -> tuple[Bits, bool] | None:
        """The places for which a test holds, and whether these are all of its meaning; if not, it may fail for some.

        What stands inside is looked at in several ways, so it must not be too deep.
        """
        if self.inside >= DEEPEST:
            return None
        self.inside += 1
        try:
            return self._about(printer, step, var)
        finally:
            self.inside -= 1

    def _about(self, printer: Printer, step: Step, var: Var) -> tuple[Bits, bool] | None:
        match step:
            case Not((Each(Var(sort=Sort()) as k, Const(low), Const(high)), Not(body))) if high - low < FEW_TURNS:
                return self._about_each(printer, body, var, k, range(low, high + 1))
            case Not((Find() as find, Not(clear))) if self._is_way(printer, find, var):
                return self._way(printer, find, clear, var)
            case Not(body):
                inner = self._about_all(printer, body, var)
                return None if inner is None or not inner[1] else ((lambda word: f"~{inner[0](word)}"), True)
            case Exists(body):
                found = self._about_all(printer, body, var)
                if found and found[1]:
                    return found
                return self._of_some(printer, body, var) or self._collected(printer, body, var) or found
            case Either(bodies):
                either = [one for one in (self._about_all(printer, body, var) for body in bodies) if one]
                if not bodies or len(either) < len(bodies):
                    return None
                return (lambda word: f"({' | '.join(one(word) for one, _ in either)})"), all(
                    exact for _, exact in either
                )
        bits = self._places(printer, step, var) if var in body_vars((step,)) else None
        return None if bits is None else (bits, True)

    def _about_each(
        self, printer: Printer, body: tuple[Step, ...], var: Var, each: Var, values: range
    ) -> tuple[Bits, bool] | None:
        """`every k in 0..3 has at(c + k * d) = p`: what holds for all values."""
        found: list[Bits] = []
        sort = each.sort
        assert isinstance(sort, Sort)
        for value in values:
            one = self._all(printer, renamed(body, {each: Const(value, sort)}), var)
            if one is None:
                return None
            found.append(one)
        return (lambda word: f"({' & '.join(one(word) for one in found) or '~0ULL'})"), True

    def _of_some(self, printer: Printer, body: tuple[Step, ...], var: Var) -> tuple[Bits, bool] | None:
        """`some d has … first n in 1..7 where at(c + n * d) != p …`: the places for which that holds, at the head.

        Only where nothing else is mentioned that may change within the function.
        """
        match body:
            case (Each(Var() as some, Const(low), Const(high)), *rest) if high - low < FEW_TURNS:
                pass
            case _:
                return None
        given = [one for one in given_vars(body) if one != var]
        if not all(is_role(printer, one) for one in given) or not isinstance(var.sort, Sort):
            return None
        key = str(body), str([var, *(printer.names[one].text for one in given)])
        if key not in self.made:
            words, out = (var.sort.high - var.sort.low + 64) // 64, printer.out
            name = out.fresh("some")
            cases = [renamed(tuple(rest), {some: Const(value, some.sort)}) for value in range(low, high + 1)]  # type: ignore[arg-type]
            declared = set(printer.declared)
            with out.apart() as lines:
                out.line(f"UNUSED Set{words} {name};")
                out.line(f"Set{words}_clear(&{name});")
                done = all([self._add_first(printer, case, var, name, words) for case in cases])
            if not done:
                printer.declared = declared  # what was declared in these lines is not there
                return None
            self.made[key] = name
            for line in lines:
                self._at_head(line.strip())
        return (lambda word: f"{self.made[key]}.w[{word}]"), True

    def _add_first(self, printer: Printer, body: tuple[Step, ...], var: Var, name: str, words: int) -> bool:
        """Adds to a set the places for which the first number that passes some tests passes all others, too."""
        match body:
            case (Fold(Var() as first, "first", value, (Each(number, Const(low), Const(high)), *tests)), *then) if (
                value == number and high - low < FEW_TURNS
            ):
                pass
            case _:
                return False
        out, sort = printer.out, number.sort
        assert isinstance(sort, Sort)
        left = out.fresh("left")
        out.line(f"Set{words} {left} = {{{{{', '.join(['~0ULL'] * words)}}}}};")
        for known in range(low, high + 1):
            here = self._all(printer, renamed(tuple(tests), {number: Const(known, sort)}), var)
            too = self._all(printer, renamed(tuple(then), {first: Const(known, sort)}), var)
            if here is None or too is None:
                return False
            for word in map(str, range(words)):
                passed = out.fresh("passed")
                out.line(f"UNUSED const u64 {passed} = {left}.w[{word}] & {here(word)};")
                out.line(f"{name}.w[{word}] |= {passed} & {too(word)}, {left}.w[{word}] &= ~{passed};")
        return True

    def is_direction(self, printer: Printer, steps: tuple[Step, ...]) -> bool:
        """Does the first step choose one of a few constants that say how far places are away?"""
        var, values = constants(steps[0])
        if not 1 < len(values) <= FEW_TURNS or min(values) < 0 or var in printer.declared:
            return False
        for step in all_steps(steps[1:]):
            match step:
                case Find(name, (*given, Var(sort=Sort() as sort)), (_,)) if var in given:
                    table = printer.game.tables[name]
                    places = [column for column, place in enumerate(given) if isinstance(place, Var)
                              and place != var and place.sort == sort and place not in printer.names]  # fmt: skip
                    if any(self.tables.shifts(table, column, sort) for column in places):
                        return True
        return False

    def _is_way(self, printer: Printer, find: Find, var: Var) -> bool:
        """`between(from, to, c)`, where one of the first two is chosen and the other is known."""
        if len(find.args) != 3 or find.binds != (find.args[2],) or var not in find.args[:2]:
            return False
        other = find.args[1 - find.args.index(var)]
        return other != var and (isinstance(other, Const) or other in printer.names)

    def _way(self, printer: Printer, find: Find, clear: tuple[Step, ...], var: Var) -> tuple[Bits, bool] | None:
        """`every c in between(from, to) has at(c) = none`: what can be seen from one place."""
        column = find.args.index(var)
        origin, over = find.args[1 - column], find.args[2]
        if not isinstance(var.sort, Sort) or not isinstance(over, Var) or over.sort != var.sort:
            return None
        rays = self.tables.ways(printer.game.tables[find.table], 1 - column, var.sort)
        bits = self._all(printer, clear, over) if rays else None
        if rays is None or bits is None or printer.within(origin, var.sort.low, var.sort.high):
            return None
        at, words = f"({printer.atom(origin)} - {var.sort.low})", (var.sort.high - var.sort.low + 64) // 64
        if words == 1:
            return Seen(rays, at, f"~{bits('0')}"), True
        blocked, name = printer.out.fresh("blocked"), printer.out.fresh("seen")
        printer.out.line(
            f"UNUSED const Set{words} {blocked} = {{{{{', '.join(f'~{bits(str(word))}' for word in range(words))}}}}};"
        )
        where = f"{rays}_rest + {at}, {rays}_up, {rays}_up_r + {at}, {rays}_down, {rays}_down_r + {at}"
        printer.out.line(f"UNUSED const Set{words} {name} = Set{words}_seen({where}, &{blocked});")
        return (lambda word: f"{name}.w[{word}]"), True

    def _moved(self, printer: Printer, body: tuple[Step, ...], var: Var) -> Bits | None:
        """`at(c + k * d) = p`: the places that hold p, all moved by the same number of bits."""
        match body:
            case (Find(name, args, (Var() as there,)), *tests) if tests and args.count(var) == 1:
                pass
            case _:
                return None
        inner = self._all(printer, tuple(tests), there) if var not in body_vars(tuple(tests)) else None
        table, sort = printer.game.tables[name], var.sort
        if inner is None or there.sort != sort or args[table.keys :] != (there,) or not isinstance(sort, Sort):
            return None
        others = [i for i in range(table.keys) if args[i] != var]
        if any(isinstance(args[i], Var) and args[i] not in printer.names for i in others):
            return None
        arrays = self.tables.shifts(table, args.index(var), sort)
        if arrays is None:
            return None
        at, guards, shifts = "0", [], arrays.shifts
        for i, low, high in shifts.known:
            guards += printer.within(args[i], low, high)
            here = f"({printer.atom(args[i])} - {low})"
            at = here if at == "0" else f"({at}) * {high - low + 1} + {here}"
        if "0" in guards:
            return lambda word: "0ULL"
        if guards:
            return None
        words, known = (sort.high - sort.low + 64) // 64, [printer.constant(args[i]) for i, _, _ in shifts.known]
        if None not in known:
            return self.moved_by(printer, inner, *shifts.at([k for k in known if k is not None]), words)
        by, domain = f"{arrays.name}_by[{at}]", f"{arrays.name}_of[{at}]"
        if words == 1:
            return lambda word: f"(moved({inner(word)}, {by}) & {domain}.w[{word}])"
        given, name = printer.out.fresh("given"), printer.out.fresh("moved")
        text = ", ".join(inner(str(word)) for word in range(words))
        printer.out.line(f"UNUSED const Set{words} {given} = {{{{{text}}}}};")
        printer.out.line(f"UNUSED const Set{words} {name} = Set{words}_moved(&{given}, {by});")
        return lambda word: f"({name}.w[{word}] & {domain}.w[{word}])"

    def _about_all(self, printer: Printer, body: tuple[Step, ...], var: Var) -> tuple[Bits, bool] | None:
        """The places for which a whole body holds; conditions on what is known already come first."""
        exact, conditions, found = True, [], []
        names, declared, steps = dict(printer.names), set(printer.declared), list(body)
        while steps:
            step = steps.pop(0)
            condition = None
            if var not in body_vars((step,)):
                condition = self._known(printer, step) or self._looked_up(printer, step)
            together = () if condition else self._together(step, steps)
            moved = self._moved(printer, (step, *together), var) if together else None
            if moved is not None:
                steps = [one for one in steps if one not in together]
            part = None if condition else self.about(printer, step, var) if moved is None else (moved, True)
            if condition:
                conditions.append(condition)
            elif part is None:
                exact = False
            else:
                found.append(part[0])
                exact = exact and part[1]
        printer.names, printer.declared = names, declared  # what was looked up on the way has no name behind it
        if not conditions and not found:
            return None
        text = " && ".join(conditions)
        return (lambda word: f"({text} ? {joined(found, word)} : 0)" if text else f"({joined(found, word)})"), exact

    def moved_by(self, printer: Printer, inner: Bits, by: int, domain: int, words: int) -> Bits:
        """A set moved by a known number of bits, limited to `domain`, as C text."""
        if words == 1:
            return lambda _: f"({shifted(inner('0'), by)} & {domain:#x}ULL)"
        given, name, (whole, bits) = printer.out.fresh("given"), printer.out.fresh("moved"), divmod(abs(by), 64)
        way, parts = (-1 if by > 0 else 1), []
        for word in range(words):
            near, far = word + way * whole, word + way * (whole + 1)
            near_and_far = [shifted(f"{given}.w[{at}]", -way * by) for at, by in ((near, bits), (far, bits - 64))
                            if 0 <= at < words and by > -64]  # fmt: skip
            parts.append(f"({' | '.join(near_and_far) or '0'}) & {domain >> 64 * word & 2**64 - 1:#x}ULL")
        text = ", ".join(inner(str(word)) for word in range(words))
        printer.out.line(f"UNUSED const Set{words} {given} = {{{{{text}}}}};")
        printer.out.line(f"UNUSED const Set{words} {name} = {{{{{', '.join(parts)}}}}};")
        return lambda word: f"{name}.w[{word}]"

    def _together(self, step: Step, after: list[Step]) -> tuple[Step, ...]:
        """The later steps that mention the place which a table gives in this step."""
        match step:
            case Find(_, _, (there,)):
                return tuple(one for one in after if there in body_vars((one,)))
        return ()

    def _looked_up(self, printer: Printer, step: Step) -> str | None:
        """A value in a table for what is known: it needs no variable; the condition under which there is one."""
        match step:
            case Find(name, args, (Var() as found,)) if args[-1] == found and found not in printer.declared:
                given = args[:-1]
            case _:
                return None
        table = printer.game.tables[name]
        if (
            found in given
            or len(given) != table.keys
            or not all(isinstance(one, Const) or one in printer.names for one in given)
        ):
            return None
        access = self.tables.access(table, tuple(range(table.keys)))
        if access.shape != "function":
            return None
        at, guards = printer.place(step, access.known)
        value = f"{access.arrays[0]}[{at}]"
        printer.names[found] = Value(f"(I){value}")
        return " && ".join([*guards, *([] if access.missing is None else [f"{value} != {access.missing}"])]) or "1"

    def _known(self, printer: Printer, step: Step) -> str | None:
        """A condition on what is known already: it holds for all places, or for none."""
        kinds = Get | Find | Test | Not | Either
        if not isinstance(step, kinds) or bound(step) or not set(body_vars((step,))) <= set(printer.names):
            return None
        return printer.plain((step,))

    def _collected(self, printer: Printer, body: tuple[Step, ...], var: Var) -> tuple[Bits, bool] | None:
        """`some d has from + n(d) * d = to`: the places that are found so, in a set that is made beforehand."""
        own = [step for step in body if var in body_vars((step,))]
        finds = [step for step in own if isinstance(step, Find)]
        if not self.local or len(finds) != 1 or finds[0].args.count(var) != 1:
            return None
        if all(arg == var or arg in finds[0].binds for arg in finds[0].args):
            return None  # nothing says where to look
        at = body.index(finds[0])
        later = _depending(body[:at], var)
        if any(arg in bound(step) for step in later for arg in finds[0].args):
            return None  # what says where to look is itself read there
        before = tuple(step for step in body[:at] if step not in later)
        after = later + body[at + 1 :]
        given = [other for other in free_vars(body) if other != var]
        if not set(given) <= set(printer.names) or not isinstance(var.sort, Sort):
            return None
        sort, out = SetSort(var.sort), printer.out
        found, place = Var(f"{var.name} found", sort), Var(f"{var.name} tried", var.sort)
        find = replace(finds[0], binds=(*finds[0].binds, var))
        making: tuple[Step, ...] = renamed((*before, find, *after), {var: place})
        local, self.local = self.local, False
        name = out.fresh("found")
        printer.names[found] = Value(name)
        out.line(f"Set{(sort.of.size + 63) // 64} {name};")
        out.line(f"Set{(sort.of.size + 63) // 64}_clear(&{name});")
        low = var.sort.low
        changed = printer.unroll, printer.spread
        printer.unroll, printer.spread = 0, (place, lambda choice: choice.join(printer, name))
        with out.block(""):
            printer.ways(making, lambda: printer.iff(
                [f"{printer.name(place)} >= {low}"], lambda: printer.put(found, printer.name(place))))  # fmt: skip
        printer.unroll, printer.spread = changed
        self.local = local
        return (lambda word: f"{name}.w[{word}]"), True

    def _places(self, printer: Printer, step: Step, var: Var) -> Bits | None:
        match step:
            case Get(name, (arg,), value, ()) if arg == var and value != var:
                slot = printer.game.slots[name]
                if slot.width > 1 or not same_range(slot.params[0], var):
                    return None
                text = fixed(printer, slot, value)
                made = self._here(printer, slot, value) if text is None else self.of(slot, text, printer.state)
                return None if made is None else lambda word: f"{made}.w[{word}]"
            case Test("=" | "!=" as op, left, right) if var in (left, right) and left != right:
                other = right if left == var else left
                if not isinstance(other, Const) and other not in printer.names:
                    return None
                low, sign, one = var.sort.low, "" if op == "=" else "~", printer.atom(other)  # type: ignore[union-attr]
                return lambda word: f"{sign}bit_of({one} - {low} - 64 * {word})"
            case Get(name, args, value, ()) if value == var and var not in args and set(args) <= set(printer.names):
                slot = printer.game.slots[name]
                at, guards = printer.index(slot, args)
                if guards or name == "mover":
                    return None
                low = var.sort.low  # type: ignore[union-attr]
                return lambda word: f"bit_of({printer.load(slot, at)} - {low} - 64 * {word})"
            case Among(item, values, ()) if item == var and all(isinstance(v, Const) for v in values):
                low = var.sort.low  # type: ignore[union-attr]
                return self.tables.constant([v.value - low for v in values])  # type: ignore[union-attr]
            case Find(name, args, ()) if args.count(var) == 1:
                return self._row(printer, step, var)
            case Member(item, within, ()) if item == var:
                sort = within.sort
                if not isinstance(sort, SetSort) or sort.of.lowest != var.sort.low:  # type: ignore[union-attr]
                    return None
                if within not in printer.names:
                    return None  # it is made later
                name = printer.name(within)
                if (sort.of.size + 63) // 64 != (var.sort.high - var.sort.low + 64) // 64:  # type: ignore[union-attr]
                    return None
                return lambda word: f"{name}.w[{word}]"
        return None

    def _all(self, printer: Printer, body: tuple[Step, ...], var: Var) -> Bits | None:
        found = self._about_all(printer, body, var)
        return found[0] if found and found[1] else None

    def _row(self, printer: Printer, step: Find, var: Var) -> Bits | None:
        """A row of a table as a set: the other columns are known, and choose it."""
        table = printer.game.tables[step.table]
        column = step.args.index(var)
        others = [i for i in range(len(step.args)) if i != column]
        if step.table == "opponent" or any(
            isinstance(step.args[i], Var) and step.args[i] not in printer.names for i in others
        ):
            return None
        row = self.tables.row_sets(table, column, var)
        if row is None:
            return None
        total = ""
        for i, low, high in row.known:
            arg = step.args[i]
            if printer.within(arg, low, high):
                return None  # a value for which the table has no row
            here = f"({printer.atom(arg)} - {low})"
            total = f"({total}) * {high - low + 1} + {here}" if total else here
        known = [printer.constant(step.args[i]) for i, _, _ in row.known]
        if None not in known:
            words = row.at([k for k in known if k is not None])
            if len(words) == 1:
                return lambda _: f"{words[0]:#x}ULL"
        return lambda word: f"{row.name}[{total or '0'}].w[{word}]"

    def walk(self, printer: Printer, step: Walk, rest: tuple[Step, ...], inside: Inside) -> bool:
        """Writes a walk and what is behind it by bits; False on boards of more than a word, or with bent rays."""
        sort = step.target.sort
        if not isinstance(sort, Sort) or sort.high - sort.low >= 64 or step.target in printer.declared:
            return False
        tables = printer.game.tables
        rays = self.tables.ray_sets(tables[step.rays], tables[step.stops], step)
        clear = self._all(printer, step.clear, step.over)
        if rays is None or clear is None:
            return False
        tests, left = self._absorbed(printer, rest, step.target)
        origin, known = printer.atom(step.origin), printer.constant(step.origin)
        if not rays.all:
            tests.append(lambda _: f"{rays.name}_stops[{origin}]")
        self.walked.add(step)
        out, low = printer.out, sort.low
        hits = out.fresh("hits")
        out.line(f"u64 {hits} = 0;")
        for way in ("up", "down"):
            if known is not None:
                for line in rays.lines[way][known]:
                    with out.block(""):
                        self._reached(printer, step, way, f"{line:#x}ULL", clear("0"), hits)
                continue
            ray, first = out.fresh("ray"), f"{rays.name}_{way}_r[{origin}]"
            with out.block(f"for (int {ray} = {first}, {ray}_end = {rays.name}_{way}_r[{origin} + 1]; "
                           f"{ray} < {ray}_end; {ray}++)"):  # fmt: skip
                self._reached(printer, step, way, f"{rays.name}_{way}[{ray}]", clear("0"), hits)
        if tests:
            out.line(f"{hits} &= {' & '.join(test('0') for test in tests)};")
        if not left and step.target == printer.spread[0]:
            printer.spread[1](Choice(step.target, 1, (lambda _: hits,), ()))
            return True
        with out.loop(f"for (; {hits}; {hits} &= {hits} - 1)"):
            printer.bind(step.over, f"lowest_bit({hits}) + {low}" if low else f"lowest_bit({hits})")
            printer.bind(step.target, printer.name(step.over))
            printer.ways(left, inside)
        return True

    def _reached(self, printer: Printer, step: Walk, way: str, ray: str, clear: str, hits: str) -> None:
        """Adds to `hits` the cells of a ray as far as it is clear, and the first that is not; or that one alone."""
        out = printer.out
        line, stop = out.fresh("line"), out.fresh("stop")
        out.line(f"const u64 {line} = {ray}, {stop} = {line} & ~{clear};")
        one = f"{stop} & -{stop}" if way == "up" else f"highest_of({stop})"
        if step.first_only:
            out.line(f"{hits} |= {one};")
        elif way == "up":
            out.line(f"{hits} |= {line} & ({stop} ^ ({stop} - 1));")
        else:
            out.line(f"{hits} |= {line} & ~(({one}) - !!{stop});")

    def _absorbed(self, printer: Printer, steps: tuple[Step, ...], var: Var) -> tuple[list[Bits], tuple[Step, ...]]:
        """The steps that test a variable, as bits, and the others."""
        bits, rest = [], []
        for number, step in enumerate(steps):
            more = self.about(printer, step, var) if var in body_vars((step,)) else None
            if more is not None:
                bits.append(more[0])
            if more is not None and more[1]:
                continue
            rest.append(step)
            among = self._by_value(printer, step, steps[number + 1 :], var)
            if among is not None:
                bits.append(among)
        return bits, tuple(rest)

    def _by_value(self, printer: Printer, step: Step, after: tuple[Step, ...], var: Var) -> Bits | None:
        """The places whose value passes the tests that follow; the steps are left, since others may use the value."""
        match step:
            case Get(name, (arg,), Var() as value, binds) if arg == var and binds == (value,):
                slot = printer.game.slots[name]
            case _:
                return None
        tests = [one for one in after if value in body_vars((one,)) and self._settled(printer, one, value)]
        many = slot.sort.size > MOST_VALUES or slot.count < MANY or slot.width > 1
        if not tests or many or not same_range(slot.params[0], var) or value in printer.names:
            return None
        conditions = []
        for number in range(slot.sort.lowest, slot.sort.high + 1):
            printer.names[value] = replace(of_number(number), text=str(number) if number >= 0 else f"({number})")
            conditions.append(printer.plain(tuple(tests)))
        del printer.names[value]
        if None in conditions:
            return None
        lowest = slot.sort.lowest + slot.shift
        parts = [(condition, self.of(slot, str(byte), printer.state))
                 for byte, condition in enumerate(conditions, lowest)]  # fmt: skip
        words = (slot.count + 63) // 64
        text = [" | ".join(f"({condition} ? {made}.w[{i}] : 0)" for condition, made in parts) for i in range(words)]
        key = name, text[0]
        if key not in self.made:
            self.made[key] = self.out.fresh(f"among_{slot.name}_")
            self._at_head(f"const Set{words} {self.made[key]} = {{{{{', '.join(text)}}}}};")
        return lambda word: f"{self.made[key]}.w[{word}]"

    def _settled(self, printer: Printer, step: Step, value: Var) -> bool:
        """A test that depends on one value, on who moves, and on nothing else."""
        match step:
            case Find(binds=binds) | Among(binds=binds) if binds:
                return False
            case Test() | Not() | Find() | Among():
                pass
            case _:
                return False
        return all(var == value or is_role(printer, var) for var in body_vars((step,))) and not any(
            isinstance(inner, Get) for inner in all_steps((step,))
        )


@frozen
class Choice:
    """A variable whose values are bits, and the steps that are left to do for each of them."""

    var: Var
    words: int
    bits: tuple[Bits, ...]
    rest: tuple[Step, ...]

    def word(self, number: str) -> str:
        return joined(self.bits, number)

    def some(self) -> str:
        """Is there a value?"""
        return f"(({') | ('.join(self.word(str(i)) for i in range(self.words))}))"

    def count(self) -> str:
        return " + ".join(f"count_bits({self.word(str(i))})" for i in range(self.words))

    def moves(self, printer: Printer, code: Callable[[], str]) -> Iterator[tuple[str, str]]:
        """Word by word the values as bits, and the code of the move that the lowest bit stands for."""
        before = printer.names.get(self.var)
        for word in range(self.words):
            printer.names[self.var] = of_number(self.var.sort.low + 64 * word)  # type: ignore[union-attr]
            yield self.word(str(word)), code()
        del printer.names[self.var]
        if before is not None:
            printer.names[self.var] = before

    def join(self, printer: Printer, name: str) -> None:
        """Adds the values to a set."""
        for word in range(self.words):
            printer.out.line(f"{name}.w[{word}] |= {self.word(str(word))};")

    def write(self, printer: Printer, inside: Inside) -> None:
        """For each value, in order, the steps that are left."""
        out, low = printer.out, self.var.sort.low  # type: ignore[union-attr]
        bits = out.fresh("bits")
        if self.words == 1 and printer.unroll:
            self._write_unrolled(printer, inside)
            return
        if self.words == 1:
            with out.loop(f"for (u64 {bits} = {self.word('0')}; {bits}; {bits} &= {bits} - 1)"):
                printer.bind(self.var, f"lowest_bit({bits}) + {low}")
                printer.ways(self.rest, inside)
            return
        word = out.fresh("word")
        with (
            out.block(f"for (int {word} = 0; {word} < {self.words}; {word}++)"),
            out.loop(f"for (u64 {bits} = {self.word(word)}; {bits}; {bits} &= {bits} - 1)"),
        ):
            printer.bind(self.var, f"{word} * 64 + lowest_bit({bits}) + {low}")
            printer.ways(self.rest, inside)

    def _write_unrolled(self, printer: Printer, inside: Inside) -> None:
        """A piece of code for each value, in which the value is a constant; if that is not too long."""
        out, sort = printer.out, self.var.sort
        assert isinstance(sort, Sort)
        longest, names, declared = printer.unroll, dict(printer.names), set(printer.declared)
        printer.unroll = 0
        with out.apart() as loop:
            self.write(printer, inside)
        if sum(1 for _ in loop) * sort.size > longest:
            out.add(loop)
            return
        name = out.fresh("among")
        out.line(f"const u64 {name} = {self.word('0')};")
        for value in sort.values():
            printer.names = {**names, self.var: of_number(value)}  # each piece of code has variables of its own
            printer.declared = set(declared)
            with out.block(f"if ({name} >> {value - sort.low} & 1)"):
                printer.ways(self.rest, inside)
        del printer.names[self.var]  # an equal step elsewhere has a variable again
        printer.names |= {var: value for var, value in names.items() if var == self.var}


def joined(parts: Sequence[Bits], word: str) -> str:
    """The intersection of several sets as C text; sets that follow rays come last, as far as they matter."""
    text = " & ".join(part(word) for part in parts if not isinstance(part, Seen)) or "~0ULL"
    for part in parts:
        if isinstance(part, Seen):
            text = part.within(text)
    return text


@frozen
class Seen:
    """The places to which the way is clear: those up to the first that is in the way, on each ray from one place."""

    rays: str
    origin: str
    blocked: str

    def __call__(self, word: str) -> str:
        return self.within("~0ULL")

    def within(self, text: str) -> str:
        return (
            f"seen({text}, {self.rays}_rest[{self.origin}].w[0], {self.rays}_up, {self.rays}_up_r + {self.origin}, "
            f"{self.rays}_down, {self.rays}_down_r + {self.origin}, {self.blocked})"
        )


def _depending(body: Body, var: Var) -> Body:
    """The steps that mention a variable, or what such steps bind."""
    found: Body = ()
    known = {var}
    for step in body:
        if known & set(body_vars((step,))):
            found = (*found, step)
            known |= set(bound(step))
    return found


def constants(step: Step) -> tuple[Var, tuple[int, ...]]:
    """The variable that a step chooses and the constants among which it does so; none if they are unknown, or many."""
    match step:
        case Each(var, Const(low), Const(high)):
            return var, tuple(range(low, high + 1)) if high - low < FEW_TURNS else ()
        case Among(Var() as var, values, (_,)):
            known = tuple(one.value for one in values if isinstance(one, Const))
            return var, known if len(known) == len(values) else ()
    return Var("", Sort("", 0, 0)), ()


def shifted(text: str, by: int) -> str:
    """A word moved by some bits, up if that is positive."""
    return f"({text} {'<<' if by > 0 else '>>'} {abs(by)})" if by else text


def chosen(step: Step) -> Var | None:
    """The variable that a step chooses, if it chooses exactly one."""
    match step:
        case Each(var, _, _):
            return var
        case Get(_, (Var() as var,), value, binds) if binds == (var,) and value != var:
            return var
        case Find(_, args, (var,)) if args.count(var) == 1:
            return var
        case Member(Var() as var, _, (_,)):
            return var
    return None


def fixed(printer: Printer, slot: Slot, value: Var | Const) -> str | None:
    """The byte of a value that is the same all through a function; None if it may change."""
    if isinstance(value, Const):
        byte = value.value + slot.shift
        return str(byte) if 0 <= byte < 255 else None
    if value not in printer.names or not printer.names[value].lasts:
        return None
    text = printer.names[value].text
    return f"{text} + {slot.shift}" if slot.shift else text


def is_role(printer: Printer, var: Var) -> bool:
    """Is the value of a variable who moves, or the opponent?"""
    return var in printer.names and printer.names[var].is_role


def told_apart(slot: Slot, var: Var) -> bool:
    """Is it worth while to tell places apart by what a slot holds, and are they those of a variable?"""
    return slot.width == 1 and slot.count >= MANY and same_range(slot.params[0], var)


def same_range(sort: Sort, var: Var) -> bool:
    assert isinstance(var.sort, Sort)
    return (sort.low, sort.high) == (var.sort.low, var.sort.high)
