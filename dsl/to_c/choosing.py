"""Choices by bits: a step that chooses a place is, with the tests on it that follow, one set of all choices.

In: steps of a body.  Out: the choice, with the steps that are left to do for each of its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pysolve.dsl.analysis.shifts import WIDEST
from pysolve.dsl.model import (
    Among,
    Body,
    Const,
    Each,
    Find,
    Get,
    Member,
    Not,
    Sort,
    Step,
    Test,
    Var,
    all_steps,
    body_vars,
)
from pysolve.dsl.model.properties import bound, chooses, constants, every, slots_of
from pysolve.dsl.model.steps import mentions
from pysolve.dsl.to_c.bitboards import FEW_TURNS, Tests
from pysolve.dsl.to_c.bits import Bits, braces, word_of, words_for
from pysolve.dsl.to_c.choices import Choice, Printer
from pysolve.dsl.to_c.masks import MANY, Masks, same_range
from pysolve.dsl.to_c.text import identifier
from pysolve.dsl.to_c.value import Value, of_number

MOST_VALUES = 8  # of a state whose places are told apart by what they hold


def find_choice(printer: Printer, masks: Masks, steps: Body) -> Choice | None:
    """The first of the steps, if it chooses a place, with the tests on that place that can be bits."""
    var = _chosen(steps[0])
    if var is None or var in printer.declared or not isinstance(var.sort, Sort) or var.sort.optional:
        return None
    tests = Tests(masks, printer, var)
    if tests.words > WIDEST:
        return None
    if not chooses(steps[0], printer.game.tables):
        return None
    before, masks.local = masks.local, bool(every(steps[0]))
    first = _generated(tests, steps[0])
    more, rest = ([], ()) if first is None else absorbed(tests, steps[1:])
    masks.local = before
    if first is None:
        return None
    if not more and isinstance(steps[0], Each | Find) and var != printer.spread[0]:
        return None  # counting is as good
    masks.tables.sets.add(tests.words)
    return Choice(var, tests.words, (first, *more), rest)


def _chosen(step: Step) -> Var | None:
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


def _generated(tests: Tests, step: Step) -> Bits | None:
    """All values among which a step chooses."""
    low = tests.sort.low
    match step:
        case Each(_, Const(first), Const(last)):
            return tests.masks.tables.constant(range(first - low, last - low + 1))
        case Get(_, _, _, binds):
            return tests.test(replace(step, binds=tuple(v for v in binds if v != tests.var)))
        case Find() | Member():
            return tests.test(replace(step, binds=()))
    return None


def absorbed(tests: Tests, steps: Body) -> tuple[list[Bits], Body]:
    """The steps that test the variable, as bits, and the others."""
    bits, rest = list[Bits](), list[Step]()
    for number, step in enumerate(steps):
        found = tests.about(step) if mentions((step,), tests.var) else None
        if found is not None:
            bits.append(found.bits)
        if found is not None and found.exact:
            continue
        rest.append(step)
        among = _by_value(tests, step, steps[number + 1 :])
        if among is not None:
            bits.append(among)
    return bits, tuple(rest)


def _by_value(tests: Tests, step: Step, after: Body) -> Bits | None:
    """The places whose value passes the tests that follow; the steps are left, since others may use the value."""
    masks, printer = tests.masks, tests.printer
    match step:
        case Get(name, (arg,), Var() as value, binds) if arg == tests.var and binds == (value,):
            slot = printer.game.slots[name]
        case _:
            return None
    settled = tuple(one for one in after if mentions((one,), value) and _is_settled(printer, one, value))
    many = slot.sort.size > MOST_VALUES or slot.count < MANY or slot.width > 1
    if not settled or many or not same_range(slot.params[0], tests.var) or value in printer.names:
        return None
    conditions: list[Value | None] = []
    for number in slot.sort.all_values():
        printer.names[value] = of_number(number)
        conditions.append(printer.plain(settled))
    del printer.names[value]
    if None in conditions:
        return None
    sets = [masks.of(printer, slot, str(byte)) for byte in slot.stored]
    words = [" | ".join(f"({condition} ? {made}.w[{i}] : 0)" for condition, made in zip(conditions, sets, strict=True))
             for i in range(words_for(slot.count))]  # fmt: skip
    key = name, words[0]
    if key not in masks.made:
        masks.made[key] = printer.out.fresh(f"among_{identifier(slot.name)}_")
        masks.at_head(f"const Set{len(words)} {masks.made[key]} = {braces(words)};")
    return word_of(masks.made[key])


def _is_settled(printer: Printer, step: Step, value: Var) -> bool:
    """A test that depends on one value, on who moves, and on nothing else."""
    if not isinstance(step, Test | Not | Find | Among) or bound(step) or slots_of((step,)):
        return False
    return all(var == value or printer.is_role(var) for var in body_vars((step,)))


def directions(printer: Printer, masks: Masks, steps: Body) -> tuple[Var, Sequence[int]] | None:
    """The variable that the first step chooses among a few constants which say how far places are away, and these."""
    var, values = constants(steps[0]) or (None, ())
    if var is None or not 1 < len(values) <= FEW_TURNS or min(values) < 0 or var in printer.declared:
        return None
    for step in all_steps(steps[1:]):
        match step:
            case Find(name, (*given, Var(sort=Sort() as sort)), (_,)) if var in given:
                table = printer.game.tables[name]
                places = [column for column, place in enumerate(given) if isinstance(place, Var)
                          and place != var and place.sort == sort and place not in printer.names]  # fmt: skip
                if any(masks.tables.shifts(table, column, sort) for column in places):
                    return var, values
    return None
