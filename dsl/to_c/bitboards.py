"""Tests by bits: the places for which a test holds, as one expression of sets.

In: tests on a variable, and what is known where they stand.  Out: an expression: `at(from) = mover` is a set that is
made once for a position (masks.py), `to in neighbours(from)` a row of a table of sets, and both together an `&`.  How
far a ray is clear is found in a set as well: it is cut at its lowest or highest bit that is in the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

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
    Op,
    SetSort,
    Sort,
    Step,
    Test,
    Var,
    body_vars,
)
from pysolve.dsl.model.properties import bound, free_vars, given_vars
from pysolve.dsl.model.steps import mentions, renamed
from pysolve.dsl.to_c.bits import Bits, Places, Seen, braces, constant, exactly, joined, shifted, word_of, words_for
from pysolve.dsl.to_c.choices import Printer
from pysolve.dsl.to_c.masks import Masks, same_range
from pysolve.dsl.to_c.value import NEVER, Value, conjunction

DEEPEST = 6  # tests inside each other that are written as sets
FEW_TURNS = 10  # of a loop that is written out


@dataclass
class Tests:
    """Tests on the places that one variable may be, as sets."""

    masks: Masks
    printer: Printer
    var: Var

    @property
    def sort(self) -> Sort:
        """The places."""
        assert isinstance(self.var.sort, Sort)
        return self.var.sort

    @property
    def words(self) -> int:
        """The number of words of a set of the places."""
        return words_for(self.sort.high - self.sort.low + 1)

    def test(self, step: Step) -> Bits | None:
        """The places for which a test holds; None if that is no set that is there."""
        return exactly(self.about(step))

    def whole(self, body: Body) -> Bits | None:
        """The places for which a body holds; None if that is no set that is there."""
        return exactly(self._about_all(body))

    def about(self, step: Step) -> Places | None:
        """The places for which a test holds, or may hold; None if nothing is known of them.

        What stands inside is looked at in several ways, so it must not be too deep.
        """
        if self.masks.inside >= DEEPEST:
            return None
        self.masks.inside += 1
        try:
            return self._about(step)
        finally:
            self.masks.inside -= 1

    def _about(self, step: Step) -> Places | None:
        match step:
            case Not((Each(Var(sort=Sort()) as k, Const(low), Const(high)), Not(body))) if high - low < FEW_TURNS:
                return self._about_each(body, k, range(low, high + 1))
            case Not((Find() as find, Not(clear))) if self._is_way(find):
                return self._way(find, clear)
            case Not(body):
                inner = self.whole(body)
                return None if inner is None else Places(lambda word: f"~{inner(word)}")
            case Exists(body):
                found = self._about_all(body)
                if found and found.exact:
                    return found
                return self._of_some(body) or self._collected(body) or found
            case Either(bodies):
                either = [one for one in map(self._about_all, bodies) if one]
                if not bodies or len(either) < len(bodies):
                    return None
                text = lambda word: f"({' | '.join(one.bits(word) for one in either)})"
                return Places(text, all(one.exact for one in either))
        bits = self._places(step) if mentions((step,), self.var) else None
        return None if bits is None else Places(bits)

    # --------------------------------------------------------------------------------- whole bodies

    def _about_all(self, body: Body) -> Places | None:
        """The places for which a whole body holds; conditions on what is known already come first."""
        printer = self.printer
        exact, conditions, found = True, list[Value](), list[Bits]()
        names, declared, steps = dict(printer.names), set(printer.declared), list(body)
        while steps:
            step = steps.pop(0)
            condition = None
            if not mentions((step,), self.var):
                condition = self._known(step) or self._looked_up(step)
            together = () if condition else _together(step, steps)
            moved = self._moved((step, *together)) if together else None
            if moved is not None:
                steps = [one for one in steps if one not in together]
            part = None if condition else self.about(step) if moved is None else Places(moved)
            if condition:
                conditions.append(condition)
            elif part is None:
                exact = False
            else:
                found.append(part.bits)
                exact = exact and part.exact
        printer.names, printer.declared = names, declared  # what was looked up on the way has no name behind it
        if not conditions and not found:
            return None
        text = conjunction(conditions)
        return Places(
            lambda word: f"({text} ? {joined(found, word)} : 0)" if text else f"({joined(found, word)})", exact
        )

    def _known(self, step: Step) -> Value | None:
        """A condition on what is known already: it holds for all places, or for none."""
        kinds = Get | Find | Test | Not | Either
        if not isinstance(step, kinds) or bound(step) or not self._is_known(body_vars((step,))):
            return None
        return self.printer.plain((step,))

    def _is_known(self, atoms: Iterable[Var | Const]) -> bool:
        return all(isinstance(one, Const) or one in self.printer.names for one in atoms)

    def _looked_up(self, step: Step) -> Value | None:
        """A value in a table for what is known: it needs no variable; the condition under which there is one."""
        printer = self.printer
        match step:
            case Find(name, args, (Var() as found,)) if args[-1] == found and found not in printer.declared:
                given = args[:-1]
            case _:
                return None
        table = printer.game.tables[name]
        if found in given or len(given) != table.keys or not self._is_known(given):
            return None
        access = self.masks.tables.access(table, tuple(range(table.keys)))
        if access.shape != "function":
            return None
        value = printer.found(access, printer.row(step, access.known))
        printer.names[found] = Value(f"(I){value}")
        return Value(conjunction(value.when) or "1")

    def _about_each(self, body: Body, each: Var, values: range) -> Places | None:
        """`every k in 0..3 has at(c + k * d) = p`: what holds for all values."""
        found: list[Bits] = []
        for value in values:
            one = self.whole(renamed(body, {each: Const(value, each.sort)}))  # type: ignore[arg-type]
            if one is None:
                return None
            found.append(one)
        return Places(lambda word: f"({' & '.join(one(word) for one in found) or '~0ULL'})")

    # --------------------------------------------------------------------- sets that are made beforehand

    def _of_some(self, body: Body) -> Places | None:
        """`some d has … first n in 1..7 where at(c + n * d) != p …`: the places for which that holds, at the head.

        Only where nothing else is mentioned that may change within the function.
        """
        match body:
            case (Each(Var() as some, Const(low), Const(high)), *rest) if high - low < FEW_TURNS:
                pass
            case _:
                return None
        masks, printer, out = self.masks, self.printer, self.printer.out
        given = [one for one in given_vars(body) if one != self.var]
        if not all(printer.is_role(one) for one in given):
            return None
        key = body, self.var, *(printer.name(one) for one in given)
        if key not in masks.made:
            name, declared = out.fresh("some"), set(printer.declared)
            cases = [renamed(tuple(rest), {some: Const(value, some.sort)}) for value in range(low, high + 1)]  # type: ignore[arg-type]
            with out.apart(depth=1) as lines:
                out.line(f"UNUSED Set{self.words} {name};")
                out.line(f"Set{self.words}_clear(&{name});")
                done = all([self._add_first(case, name) for case in cases])
            if not done:
                printer.declared = declared  # what was declared in these lines is not there
                return None
            masks.made[key] = name
            masks.head.lines.append(lines)
        return Places(word_of(masks.made[key]))

    def _add_first(self, body: Body, name: str) -> bool:
        """Adds to a set the places for which the first number that passes some tests passes all others, too."""
        match body:
            case (Fold(Var() as first, "first", value, (Each(number, Const(low), Const(high)), *tests)), *then) if (
                value == number and high - low < FEW_TURNS
            ):
                pass
            case _:
                return False
        out, sort, left = self.printer.out, number.sort, self.printer.out.fresh("left")
        assert isinstance(sort, Sort)
        out.line(f"Set{self.words} {left} = {braces(['~0ULL'] * self.words)};")
        for known in range(low, high + 1):
            here = self.whole(renamed(tuple(tests), {number: Const(known, sort)}))
            too = self.whole(renamed(tuple(then), {first: Const(known, sort)}))
            if here is None or too is None:
                return False
            for word in range(self.words):
                passed = out.fresh("passed")
                out.line(f"UNUSED const u64 {passed} = {left}.w[{word}] & {here(word)};")
                out.line(f"{name}.w[{word}] |= {passed} & {too(word)}, {left}.w[{word}] &= ~{passed};")
        return True

    def _collected(self, body: Body) -> Places | None:
        """`some d has from + n(d) * d = to`: the places that are found so, in a set that is made beforehand."""
        masks, printer, var, out = self.masks, self.printer, self.var, self.printer.out
        own = [step for step in body if mentions((step,), var)]
        finds = [step for step in own if isinstance(step, Find)]
        if not masks.local or len(finds) != 1 or finds[0].args.count(var) != 1:
            return None
        if all(arg == var or arg in finds[0].binds for arg in finds[0].args):
            return None  # nothing says where to look
        at = body.index(finds[0])
        later = _depending(body[:at], var)
        if any(arg in bound(step) for step in later for arg in finds[0].args):
            return None  # what says where to look is itself read there
        if not self._is_known(other for other in free_vars(body) if other != var):
            return None
        before, after = tuple(step for step in body[:at] if step not in later), later + body[at + 1 :]
        found, place = var.beside("found", SetSort(self.sort)), var.beside("tried", self.sort)
        find, kind = replace(finds[0], binds=(*finds[0].binds, var)), f"Set{words_for(self.sort.size)}"
        making: Body = renamed((*before, find, *after), {var: place})
        local, masks.local = masks.local, False
        name = out.fresh("found")
        printer.names[found] = Value(name)
        out.line(f"{kind} {name};")
        out.line(f"{kind}_clear(&{name});")
        changed = printer.unroll, printer.spread
        printer.unroll, printer.spread = 0, (place, lambda choice: choice.join(printer, name))
        with out.block(""):
            put = lambda: printer.put(found, printer.atom(place))
            printer.ways(making, lambda: printer.iff([Value(f"{printer.name(place)} >= {self.sort.low}")], put))
        printer.unroll, printer.spread = changed
        masks.local = local
        return Places(word_of(name))

    # ------------------------------------------------------------------------------------ single tests

    def _places(self, step: Step) -> Bits | None:
        """The places that pass a test which looks at them once."""
        printer, var, low = self.printer, self.var, self.sort.low
        match step:
            case Get(name, (arg,), value, ()) if arg == var and value != var:
                slot = printer.game.slots[name]
                if slot.width > 1 or not same_range(slot.params[0], var):
                    return None
                made = self.masks.holding(printer, slot, value)
                return None if made is None else word_of(made)
            case Test("=" | "!=" as op, left, right) if var in (left, right) and left != right:
                other = right if left == var else left
                if isinstance(other, Op) or not self._is_known((other,)):
                    return None
                sign, one = "" if op == "=" else "~", printer.atom(other)
                return lambda word: f"{sign}bit_of({one} - {low} - 64 * {word})"
            case Get(name, args, value, ()) if value == var and var not in args and set(args) <= set(printer.names):
                there = printer.load(printer.game.slots[name], args)
                if there.when or name == "mover":
                    return None
                return lambda word: f"bit_of({there} - {low} - 64 * {word})"
            case Among(item, values, ()) if item == var and all(isinstance(v, Const) for v in values):
                return self.masks.tables.constant([v.value - low for v in values])  # type: ignore[union-attr]
            case Find(_, args, ()) if args.count(var) == 1:
                return self._row(step)
            case Member(item, Var(sort=SetSort(of)) as within, ()) if item == var:
                if of.lowest != low or within not in printer.names:  # or it is made later
                    return None
                return word_of(printer.name(within)) if words_for(of.size) == self.words else None
        return None

    def _row(self, step: Find) -> Bits | None:
        """A row of a table as a set: the other columns are known, and choose it."""
        if step.table == "opponent" or not self._is_known(arg for arg in step.args if arg != self.var):
            return None
        row = self.masks.tables.row_sets(self.printer.game.tables[step.table], step.args.index(self.var), self.var)
        if row is None:
            return None
        at = self.printer.numbered((step.args[i], low, high) for i, low, high in row.known)
        if at.when:
            return None  # a value for which the table has no row
        if at.number is not None and self.words == 1:
            one = constant(row.sets[at.number], 0)
            return lambda _: one
        return word_of(f"{row.name}[{at.text}]")

    def _is_way(self, find: Find) -> bool:
        """`between(from, to, c)`, where one of the first two is chosen and the other is known."""
        if len(find.args) != 3 or find.binds != (find.args[2],) or self.var not in find.args[:2]:
            return False
        other = find.args[1 - find.args.index(self.var)]
        return other != self.var and self._is_known((other,))

    def _way(self, find: Find, clear: Body) -> Places | None:
        """`every c in between(from, to) has at(c) = none`: what can be seen from one place."""
        printer, words = self.printer, self.words
        column = find.args.index(self.var)
        origin, over = find.args[1 - column], find.args[2]
        if not isinstance(over, Var) or over.sort != self.sort:
            return None
        rays = self.masks.tables.ways(printer.game.tables[find.table], 1 - column, self.sort)
        bits = replace(self, var=over).whole(clear) if rays else None
        if rays is None or bits is None:
            return None
        at = printer.within(origin, self.sort.low, self.sort.high) - self.sort.low
        if at.when:
            return None
        if words == 1:
            return Places(Seen(rays, at, f"~{bits(0)}"))
        blocked = self._variable("blocked", braces(f"~{bits(word)}" for word in range(words)))
        where = f"{rays}_rest + {at}, {rays}_up, {rays}_up_r + {at}, {rays}_down, {rays}_down_r + {at}"
        return Places(word_of(self._variable("seen", f"Set{words}_seen({where}, &{blocked})")))

    # --------------------------------------------------------------------------------- sets that are moved

    def _moved(self, body: Body) -> Bits | None:
        """`at(c + k * d) = p`: the places that hold p, all moved by the same number of bits."""
        printer, var = self.printer, self.var
        match body:
            case (Find(name, args, (Var() as there,)), *tests) if tests and args.count(var) == 1:
                pass
            case _:
                return None
        inner = replace(self, var=there).whole(tuple(tests)) if not mentions(tests, var) else None
        table = printer.game.tables[name]
        if inner is None or there.sort != self.sort or args[table.keys :] != (there,):
            return None
        if not self._is_known(arg for arg in args[: table.keys] if arg != var):
            return None
        arrays = self.masks.tables.shifts(table, args.index(var), self.sort)
        if arrays is None:
            return None
        at = printer.numbered((args[i], low, high) for i, low, high in arrays.shifts.known)
        if at.when:
            return (lambda word: "0ULL") if NEVER in at.when else None
        if at.number is not None:
            return self.moved_by(inner, *arrays.shifts.pairs[at.number])
        by, domain = f"{arrays.name}_by[{at.text}]", word_of(f"{arrays.name}_of[{at.text}]")
        if self.words == 1:
            return lambda word: f"(moved({inner(word)}, {by}) & {domain(word)})"
        given = self._given(inner)
        moved = self._variable("moved", f"Set{self.words}_moved(&{given}, {by})")
        return lambda word: f"({moved}.w[{word}] & {domain(word)})"

    def moved_by(self, inner: Bits, by: int, domain: int) -> Bits:
        """A set moved by a known number of bits, limited to `domain`."""
        if self.words == 1:
            return lambda _: f"({shifted(inner(0), by)} & {domain:#x}ULL)"
        given, (whole, bits), parts = self._given(inner), divmod(abs(by), 64), []
        way = -1 if by > 0 else 1
        for word in range(self.words):
            near, far = word + way * whole, word + way * (whole + 1)
            near_and_far = [shifted(f"{given}.w[{at}]", -way * by) for at, by in ((near, bits), (far, bits - 64))
                            if 0 <= at < self.words and by > -64]  # fmt: skip
            parts.append(f"({' | '.join(near_and_far) or '0'}) & {constant(domain, word)}")
        return word_of(self._variable("moved", braces(parts)))

    def _given(self, bits: Bits) -> str:
        """The name of a variable that has a set."""
        return self._variable("given", braces(bits(word) for word in range(self.words)))

    def _variable(self, wish: str, value: str) -> str:
        """The name of a new variable for a set."""
        name = self.printer.out.fresh(wish)
        self.printer.out.line(f"UNUSED const Set{self.words} {name} = {value};")
        return name


def _together(step: Step, after: list[Step]) -> Body:
    """The later steps that mention the place which a table gives in this step."""
    match step:
        case Find(_, _, (there,)):
            return tuple(one for one in after if mentions((one,), there))
    return ()


def _depending(body: Body, var: Var) -> Body:
    """The steps that mention a variable, or what such steps bind."""
    found: Body = ()
    known = {var}
    for step in body:
        if known & set(body_vars((step,))):
            found = (*found, step)
            known |= set(bound(step))
    return found
