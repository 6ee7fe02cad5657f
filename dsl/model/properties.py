"""Facts about steps and effects, each found in this one place: all analyses and printers ask here.

In: a step or an effect.  Out: what it binds and mentions, what stands inside it, what it asks; and, with the tables and
slots of its game, what it chooses, and in how many ways it can be carried out at most.

Every `match` here lists all kinds of steps, and mypy fails where one is missing.  So a new kind of step must be
described here first; no analysis can overlook it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

from pysolve.dsl.frozen import frozen
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
    effect_bodies,
    inner_effects,
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
    body_vars,
    inner_bodies,
    with_bodies,
)
from pysolve.dsl.model.values import Atom, Const, SetSort, Slot, Sort, Table, Var


@frozen
class Properties:
    """The properties of a single step, without those of the rules that it asks.

    `binds` are the variables that have a value for the steps after it, `local` those that have one only in the bodies
    inside it. `reads` is true if the step itself reads the position or asks a rule that may; its bodies may read, too.
    """

    binds: tuple[Var, ...] = ()
    local: tuple[Var, ...] = ()
    bodies: tuple[Body, ...] = ()
    tables: tuple[str, ...] = ()
    rule: str | None = None
    reads: bool = False


def properties(step: Step) -> Properties:
    """The variables that a step binds, the rules that it asks, and the bodies inside it."""
    match step:
        case Get(binds=binds):
            return Properties(binds, reads=True)
        case Find(table, _, binds):
            return Properties(binds, tables=(table,))
        case Test():
            return Properties()
        case Let(var) | Each(var):
            return Properties((var,))
        case Among(binds=binds) | Member(binds=binds):
            return Properties(binds)
        case Walk(_, target, over, clear, rays, stops):
            return Properties((target, over), bodies=(clear,), tables=(rays, stops))
        case Ask(rule, _, result):
            return Properties(() if result is None else (result,), rule=rule, reads=True)
        case Not() | Exists() | Either():
            return Properties(bodies=inner_bodies(step))
        case Choose(var) | Fold(var) | Collect(var):
            return Properties((var,), bodies=inner_bodies(step))
        case Reach(var, _, near, _, body):
            return Properties((var,), local=(near,), bodies=(body,))
        case Distance(var, _, _, near, _, body):
            return Properties((var,), local=(near,), bodies=(body,))
        case Possible() | Preferred():
            return Properties(reads=True)
        case Mobility(var):
            return Properties((var,), reads=True)
    assert_never(step)


@frozen
class EffectProperties:
    """The effects inside an effect, the variables that it binds for the effects after it, and the slots that it
    writes."""

    bodies: tuple[Body, ...] = ()
    effects: tuple[Effects, ...] = ()
    binds: tuple[Var, ...] = ()
    slot: str | None = None


def effect_properties(effect: EffectStep) -> EffectProperties:
    """The properties of an effect; `Again` and `TurnTo` write the mover."""
    bodies, effects = effect_bodies(effect), inner_effects(effect)
    match effect:
        case Compute(body):
            return EffectProperties(bodies, effects, tuple(var for step in body for var in bound(step)))
        case Pick(var):
            return EffectProperties(bodies, effects, (var,))
        case When() | ForAll() | Repeat():
            return EffectProperties(bodies, effects)
        case Assign(slot) | Push(slot) | Take(slot):
            return EffectProperties(slot=slot)
        case Again() | TurnTo():
            return EffectProperties(slot="mover")
    assert_never(effect)


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
        here = properties(step)
        inside = [var for one in here.bodies for var in free_vars(one)]
        for var in (*own_vars(step), *inside):
            if var not in own and var not in here.binds:
                found.setdefault(var)
        own.update(here.binds)
    return list(found)


def given_vars(body: Body) -> list[Var]:
    """The variables of a body that are bound nowhere in it; each is bound in one place only."""
    inside = set(_bound_anywhere(body))
    return [var for var in free_vars(body) if var not in inside]


def _bound_anywhere(body: Body) -> Iterator[Var]:
    for step in body:
        here = properties(step)
        yield from here.binds
        yield from here.local
        for inner in here.bodies:
            yield from _bound_anywhere(inner)


# ------------------------------------------------------------------------------------------------ ways


def chosen(step: Step, tables: Mapping[str, Table]) -> tuple[Var, ...]:
    """The variables whose values a step chooses, where there may be several ways; none where there is one at most.

    A step is carried out in another way only with another value of one of these, but for a walk: rays may meet.
    """
    match step:
        case Each(var):
            return (var,)
        case Walk(target=target):
            return (target,)
        case Get(_, args, _, binds):
            return tuple(arg for arg in args if isinstance(arg, Var) and arg in binds)
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
        case (
            Each() | Among() | Member() | Get() | Find() | Let() | Test() | Ask() | Not() | Either() | Exists()
            | Choose() | Fold() | Collect() | Possible() | Preferred() | Mobility()
        ):  # fmt: skip
            return 1
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


def is_total(step: Step, rule_is_total: Callable[[str], bool]) -> bool:
    """True if a step can certainly be carried out; `rule_is_total` says whether a rule has a value for all arguments.

    Reading a place and computing are not among these: whether the place is there, and the value, depends on what is
    known where the step stands.
    """
    match step:
        case Find(table, args, binds):
            return table in ("opponent", "next") and args[-1] in binds  # of a player that is known it is a test
        case Fold(kind="count" | "sum"):
            return True
        case Fold():
            run = longest_run(step)
            return run is not None and isinstance(run[0].low, Const) and run[0].low.value <= 0
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
    for step in body:
        here = properties(step)
        if here.reads or any(map(reads_position, here.bodies)):
            return True
    return False


def tables_of(body: Body) -> Iterator[str]:
    """The tables that a body asks, some of them more than once."""
    for step in body:
        here = properties(step)
        yield from here.tables
        for inner in here.bodies:
            yield from tables_of(inner)


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
