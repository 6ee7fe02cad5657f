"""What the steps of a body mention, bind and hold inside; steps with other variables or other bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsl.model import (
    Among,
    Ask,
    Atom,
    Body,
    Choose,
    Collect,
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
    Reach,
    SetSort,
    Sort,
    Step,
    Var,
    Walk,
    all_steps,
    body_vars,
    inner_bodies,
)


def bound(step: Step) -> tuple[Var, ...]:
    """The variables that a step binds for those after it."""
    match step:
        case Among(binds=binds) | Member(binds=binds) | Get(binds=binds) | Find(binds=binds):
            return binds
        case Each(var) | Let(var) | Fold(var) | Collect(var) | Reach(var) | Choose(var) | Mobility(var):
            return (var,)
        case Walk(_, target, over):
            return target, over
        case Ask(_, _, result):
            return (result,) if result is not None else ()
    return ()


def own_vars(step: Step) -> list[Var]:
    """What a step itself mentions, besides what stands in its bodies."""
    return body_vars((with_bodies(step, lambda _: ()),))


def free_vars(body: Body) -> list[Var]:
    """The variables that a body is given; what is bound inside a step stays there."""
    found: dict[Var, None] = {}
    own: set[Var] = set()
    for step in body:
        inside = [var for one in inner_bodies(step) for var in free_vars(one)]
        for var in (*own_vars(step), *inside):
            if var not in own and var not in bound(step):
                found.setdefault(var)
        own |= set(bound(step))
    return list(found)


def given_vars(body: Body) -> list[Var]:
    """The variables of a body that are bound nowhere in it; each is bound in one place only."""
    inside = {var for step in all_steps(body) for var in bound(step)}
    inside |= {step.near for step in all_steps(body) if isinstance(step, Reach)}
    return [var for var in free_vars(body) if var not in inside]


def with_bodies(step: Step, change: Callable[[Body], Body]) -> Step:
    """The step with other bodies inside."""
    match step:
        case Not(body):
            return Not(change(body))
        case Exists(body):
            return Exists(change(body))
        case Fold() | Collect() | Reach():
            return replace(step, body=change(step.body))
        case Either(bodies):
            return Either(tuple(change(body) for body in bodies))
        case Choose():
            return replace(step, test=change(step.test), then=change(step.then), otherwise=change(step.otherwise))
        case Walk():
            return replace(step, clear=change(step.clear))
    return step


def renamed(item: Any, names: dict[Var, Atom]) -> Any:
    """Steps with other variables; what is bound no longer, since it is known, is left out of `binds`."""
    if isinstance(item, Var):
        return names.get(item, item)
    if isinstance(item, tuple):
        return tuple(renamed(one, names) for one in item)
    if isinstance(item, Sort | SetSort | str | int) or item is None:
        return item
    fields = item.__dataclass_fields__
    return type(item)(*(renamed(getattr(item, name), names) for name in fields))
