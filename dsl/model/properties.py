"""Facts about steps and effects, each found in this one place: all analyses and printers ask here.

In: a step or an effect.  Out: what it binds and mentions, what stands inside it, what it asks; and, with the tables and
slots of its game, what it chooses, and in how many ways it can be carried out at most.

Every `match` here lists all kinds of steps, and mypy fails where one is missing.  So a new kind of step must be
described here first; no analysis can overlook it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, assert_never

from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.functions import NEXT, OPPONENT
from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model.effects import (
    Again,
    Assign,
    Compute,
    Effects,
    EffectStep,
    ForAll,
    Pick,
    Push,
    Repeat,
    Take,
    TurnTo,
    When,
    all_effects,
)
from pysolve.dsl.model.steps import (
    Among,
    Ask,
    Body,
    Choose,
    Collect,
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
    Possible,
    Preferred,
    Reach,
    Step,
    Test,
    Walk,
    all_steps,
    body_vars,
    inner_bodies,
    with_bodies,
)
from pysolve.dsl.model.values import Atom, Const, Expr, SetSort, Slot, Sort, Table, Var


@frozen
class Properties:
    """The properties of a single step, without those of the bodies inside it and of the rules that it asks.

    `binds` are the variables that have a value for the steps after it, `local` those that have one only in the bodies
    inside it.  `tables`, `slot` and `rule` are what it looks into, reads and asks; `moves` is true if it asks for legal
    moves.  It fails where the body that it `needs` does, and, if it has `alternatives`, exactly where all of them do.
    """

    binds: tuple[Var, ...] = ()
    local: tuple[Var, ...] = ()
    tables: tuple[str, ...] = ()
    slot: str | None = None
    rule: str | None = None
    moves: bool = False
    needs: Body = ()
    alternatives: tuple[Body, ...] = ()

    @property
    def reads(self) -> bool:
        """True if the step itself reads the position, or asks what may do so."""
        return self.slot is not None or self.rule is not None or self.moves


def properties(step: Step) -> Properties:
    """What a step binds, what it looks into, and what its bodies must do for it."""
    match step:
        case Get(slot, _, _, binds):
            return Properties(binds, slot=slot)
        case Find(table, _, binds):
            return Properties(binds, tables=(table,))
        case Among(binds=binds) | Member(binds=binds):
            return Properties(binds)
        case Walk(_, target, over, _, rays, stops):
            return Properties((target, over), tables=(rays, stops))
        case Each(var) | Let(var) | Choose(var) | Collect(var):
            return Properties((var,))
        case Test() | Not():
            return Properties()
        case Exists(body):
            return Properties(needs=body, alternatives=(body,))
        case Either(bodies):
            return Properties(alternatives=bodies)
        case Ask(rule, _, result):
            return Properties(() if result is None else (result,), rule=rule)
        case Fold(var, kind, _, body):
            return Properties((var,), needs=() if AGGREGATES[kind].adds else body)
        case Reach(var, near=near) | Distance(var, near=near):
            return Properties((var,), local=(near,))
        case Possible() | Preferred():
            return Properties(moves=True)
        case Mobility(var):
            return Properties((var,), moves=True)
    assert_never(step)


@frozen
class EffectProperties:
    """The variables that an effect binds for the effects after it; the slot that it writes, and the value, if that is
    said, which it puts there."""

    binds: tuple[Var, ...] = ()
    slot: str | None = None
    value: Expr | None = None


def effect_properties(effect: EffectStep) -> EffectProperties:
    """The properties of an effect; `Again` and `TurnTo` write the mover."""
    match effect:
        case Compute(body):
            return EffectProperties(tuple(var for step in body for var in bound(step)))
        case Pick(var):
            return EffectProperties((var,))
        case When() | ForAll() | Repeat():
            return EffectProperties()
        case Assign(slot, _, value) | Push(slot, _, value):
            return EffectProperties(slot=slot, value=value)
        case Take(slot):
            return EffectProperties(slot=slot)
        case Again() | TurnTo():
            return EffectProperties(slot="mover")
    assert_never(effect)


def writes_mover(effects: Effects) -> bool:
    """Do effects say who moves next?"""
    return any(effect_properties(effect).slot == "mover" for effect in all_effects(effects))


# ------------------------------------------------------------------------------------------- variables


def bound(step: Step) -> tuple[Var, ...]:
    """The variables that a step binds for those after it."""
    return properties(step).binds


def own_vars(step: Step) -> list[Var]:
    """The variables that a step mentions itself, without those in its bodies."""
    return body_vars((with_bodies(step, lambda _: ()),))


def free_vars(body: Body) -> list[Var]:
    """The variables that a body is given; what is bound inside a step stays there."""
    found: dict[Var, None] = {}
    own: set[Var] = set()
    for step in body:
        binds = bound(step)
        inside = [var for one in inner_bodies(step) for var in free_vars(one)]
        for var in (*own_vars(step), *inside):
            if var not in own and var not in binds:
                found.setdefault(var)
        own.update(binds)
    return list(found)


def given_vars(body: Body) -> list[Var]:
    """The variables of a body that are bound nowhere in it; each is bound in one place only."""
    inside = {var for here in map(properties, all_steps(body)) for var in (*here.binds, *here.local)}
    return [var for var in free_vars(body) if var not in inside]


# ------------------------------------------------------------------------------------------------ ways


def chosen(step: Step, tables: Mapping[str, Table]) -> tuple[Var, ...]:
    """The variables whose values a step chooses, where there may be several ways; none where there is one at most.

    A step is carried out in another way only with another value of one of these, but for a walk: rays may meet.
    """
    match step:
        case Each() | Get():
            return every(step)
        case Walk(target=target):
            return (target,)
        case Find(table, args, binds):
            if not any(arg in binds for arg in args[: tables[table].keys]):
                return ()
            return tuple(arg for arg in args if isinstance(arg, Var) and arg in binds)
        case Among(item, _, binds) | Member(item, _, binds):
            return (item,) if binds and isinstance(item, Var) else ()
        case (
            Let() | Test() | Ask() | Not() | Either() | Exists() | Choose() | Fold() | Collect() | Reach() | Distance()
            | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return ()
    assert_never(step)


def chooses(step: Step, tables: Mapping[str, Table]) -> bool:
    """Can there be several ways to carry a step out?"""
    return bool(chosen(step, tables))


def every(step: Step) -> tuple[Var, ...]:
    """The variables for which a step tries each value that there is."""
    match step:
        case Each(var):
            return (var,)
        case Get(_, args, _, binds):
            return tuple([arg for arg in args if isinstance(arg, Var) and arg in binds]) if binds else ()
        case (
            Among() | Member() | Find() | Walk() | Let() | Test() | Ask() | Not() | Either() | Exists() | Choose()
            | Fold() | Collect() | Reach() | Distance() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return ()
    assert_never(step)


def constants(step: Step) -> tuple[Var, Sequence[int]] | None:
    """The variable that a step chooses among constants, and these; None if it does anything else."""
    match step:
        case Each(var, Const(low), Const(high)):
            return var, range(low, high + 1)
        case Among(Var() as var, values, (_,)):
            known = tuple(value.value for value in values if isinstance(value, Const))
            return (var, known) if len(known) == len(values) else None
        case (
            Each() | Among() | Member() | Get() | Find() | Walk() | Let() | Test() | Ask() | Not() | Either() | Exists()
            | Choose() | Fold() | Collect() | Reach() | Distance() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return None
    assert_never(step)


def is_any(step: Step, var: Var) -> bool:
    """Does a step choose any value of a variable?"""
    return isinstance(var.sort, Sort) and constants(step) == (var, range(var.sort.low, var.sort.high + 1))


def most_ways(step: Step, tables: Mapping[str, Table], slots: Mapping[str, Slot]) -> int:
    """In how many ways a step can be carried out at most, whatever the position is and whatever it is given.

    Arrays in C are as large as this says, so it must never be too small.
    """
    match step:
        case Each(_, low, high):
            return max(0, highest(high) - lowest(low) + 1)
        case Get(slot, args, _, binds):
            total = 1
            for arg, sort in dict(zip(args, slots[slot].params, strict=True)).items():
                total *= sort.high - sort.low + 1 if arg in binds else 1
            return total
        case Find(name, args, binds):
            table = tables[name]
            known = tuple(i for i, arg in enumerate(args) if arg not in binds)
            return min(1, len(table.rows)) if len(known) == len(args) else table.most_rows(known)
        case Walk(rays=rays):
            return tables[rays].most_rows((0,))
        case Among(_, values, binds):
            return len(values) if binds else 1
        case Member(_, within, binds):
            return set_size(within.sort) if binds else 1
        case (
            Let() | Test() | Ask() | Not() | Either() | Exists() | Choose() | Fold() | Collect() | Reach() | Distance()
            | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return 1
    assert_never(step)


def most_ways_of_body(body: Body, tables: Mapping[str, Table], slots: Mapping[str, Slot]) -> int:
    """In how many ways a body can be carried out at most."""
    total = 1
    for step in body:
        total *= most_ways(step, tables, slots)
    return total


def most_rounds(step: Step) -> int:
    """An upper bound: how often the bodies inside a step are carried out each time that the step is."""
    match step:
        case Walk(target=target):
            assert isinstance(target.sort, Sort)
            return target.sort.size
        case Reach(var):
            return set_size(var.sort)
        case Distance(near=near):
            assert isinstance(near.sort, Sort)
            return near.sort.size
        case Fold(var, kind):
            assert isinstance(var.sort, Sort)
            return AGGREGATES[kind].rounds(var.sort.size)
        case (
            Each() | Among() | Member() | Get() | Find() | Let() | Test() | Ask() | Not() | Either() | Exists()
            | Choose() | Collect() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return 1
    assert_never(step)


def gathers(step: Step) -> bool:
    """Does a step go through all ways of its body: does it count, collect or reach?"""
    match step:
        case Fold() | Collect() | Reach() | Distance():
            return True
        case (
            Each() | Among() | Member() | Get() | Find() | Walk() | Let() | Test() | Ask() | Not() | Either() | Exists()
            | Choose() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return False
    assert_never(step)


Matters = Literal["", "number", "order"]


def what_matters(step: Step) -> Matters:
    """What a step asks of the ways of its bodies, besides whether there is one: their number, or which comes first."""
    match step:
        case Fold(kind=kind):
            return "number" if AGGREGATES[kind].rank is None else "order"
        case Choose():
            return "order"
        case (
            Each() | Among() | Member() | Get() | Find() | Walk() | Let() | Test() | Ask() | Not() | Either() | Exists()
            | Collect() | Reach() | Distance() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return ""
    assert_never(step)


def lowest(atom: Atom) -> int:
    """The smallest value that an atom can have, by its sort."""
    if isinstance(atom, Const):
        return atom.value
    assert isinstance(atom.sort, Sort)
    return atom.sort.lowest


def highest(atom: Atom) -> int:
    """The largest value that an atom can have, by its sort."""
    if isinstance(atom, Const):
        return atom.value
    assert isinstance(atom.sort, Sort)
    return atom.sort.high


def set_size(sort: Sort | SetSort) -> int:
    """The number of values that a set of this type can hold."""
    assert isinstance(sort, SetSort)
    return sort.of.size


# ------------------------------------------------------------------------------------- can it fail?


def truth(step: Step) -> bool | None:
    """Whether a step holds that compares constants alone, or denies such steps; None if that depends on more."""
    match step:
        case Test(op, Const(left), Const(right)):
            return bool(OPERATORS[op].evaluate(left, right))
        case Among(Const(value), values) if all(isinstance(one, Const) for one in values):
            return value in {one.value for one in values if isinstance(one, Const)}
        case Not(body):
            return True if is_never(body) else None
        case (
            Each() | Among() | Member() | Get() | Find() | Walk() | Let() | Test() | Ask() | Either() | Exists()
            | Choose() | Fold() | Collect() | Reach() | Distance() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return None
    assert_never(step)


def is_never(body: Body) -> bool:
    """Is a body ruled out by numbers that are known?"""
    return any(truth(step) is False for step in body)


def is_total(step: Step, rule_is_total: Callable[[str], bool]) -> bool:
    """True if a step can certainly be carried out; `rule_is_total` says whether a rule has a value for all arguments.

    Reading a place and computing are not among these: whether the place is there, and the value, depends on what is
    known where the step stands.
    """
    match step:
        case Find(table, args, binds):
            return table in (OPPONENT, NEXT) and args[-1] in binds  # of a player that is known it is a test
        case Fold(kind=kind):
            low = run[0].low if (run := longest_run(step)) is not None else None
            return AGGREGATES[kind].adds or (isinstance(low, Const) and low.value <= 0)
        case Ask(rule, _, result):
            return result is not None and rule_is_total(rule)
        case Collect() | Reach() | Mobility():
            return True
        case (
            Get() | Let() | Test() | Each() | Among() | Member() | Walk() | Not() | Either() | Exists() | Choose()
            | Distance() | Possible() | Preferred()
        ):  # fmt: skip
            return False
    assert_never(step)


# ------------------------------------------------------------------------------------- what is read


def reads_position(body: Body) -> bool:
    """Does a body look at the position anywhere, or ask what may do so?"""
    return any(properties(step).reads for step in all_steps(body))


def slots_of(body: Body) -> set[str]:
    """The slots that a body reads, without those that the rules read which it asks."""
    return {step.slot for step in all_steps(body) if isinstance(step, Get)}


def tables_of(body: Body) -> set[str]:
    """The tables that a body asks."""
    return {table for step in all_steps(body) for table in properties(step).tables}


# ---------------------------------------------------------------------------------------- known forms


def counts_down(step: Fold) -> tuple[Each, Body] | None:
    """`most n in low..high where …` of n itself: tried from the top, so that the first is the most."""
    if step.kind != "most" or not step.body or not isinstance(step.body[0], Each):
        return None
    each = step.body[0]
    return (each, step.body[1:]) if step.value == each.var else None


def longest_run(step: Fold) -> tuple[Each, Each, Body] | None:
    """The parts of `most n in low..high where every k in 1..n has …`, of n itself."""
    match step:
        case Fold(
            kind="most", value=Var() as n,
            body=(Each(m, Const(low)) as each, Not((Each(_, Const(1), top) as every, Not(holds)))),
        ) if n == m == top and low >= 0 and n not in body_vars(holds):  # fmt: skip
            return each, every, holds
    return None


def stops_everywhere(walk: Walk, tables: Mapping[str, Table], cut: bool = False) -> bool:
    """True if every cell of every ray is an admissible target; with `cut`, of every ray as far as its last target."""
    stops = set(tables[walk.stops].rows)
    return all(set(_as_far(cells, stops) if cut else cells) <= stops for cells in _along_rays(tables[walk.rays]))


def _along_rays(rays: Table) -> Iterable[list[tuple[int, ...]]]:
    """For each ray its cells in order, each with the origin."""
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for origin, line, _far, cell in rays.rows:  # in ascending order
        found.setdefault((origin, line), []).append((origin, cell))
    return found.values()


def _as_far(cells: list[tuple[int, ...]], stops: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The cells of a ray up to the last that is a target."""
    return cells[: max((number for number, cell in enumerate(cells, 1) if cell in stops), default=0)]
