"""The steps of a body: each is one goal in Prolog, and one line or block in C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any, assert_never

from pysolve.dsl.errors import Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.aggregates import Kind
from pysolve.dsl.model.values import Atom, Const, Expr, SetSort, Sort, Var


@frozen
class Each:
    """Choose `var` in low..high, in ascending order."""

    var: Var
    low: Atom
    high: Atom


@frozen
class Among:
    """Choose `item` among the listed values; if it is bound already: it is one of them."""

    item: Atom
    values: tuple[Atom, ...]
    binds: tuple[Var, ...]


@frozen
class Member:
    """Choose `item` in a set, in ascending order; if it is bound already: it is in the set."""

    item: Atom
    within: Var
    binds: tuple[Var, ...]


@frozen
class Get:
    """Read the position.  Arguments and value may be unbound: then they are chosen, in ascending order."""

    slot: str
    args: tuple[Atom, ...]
    value: Atom
    binds: tuple[Var, ...]


@frozen
class Find:
    """Look a row up.  Unbound arguments are chosen, in ascending order; fails where there is no row."""

    table: str
    args: tuple[Atom, ...]
    binds: tuple[Var, ...]


@frozen
class Walk:
    """Choose `target` on a ray from `origin`: as far as each cell passed over, `over`, meets `clear`.

    `rays` holds (origin, line, distance, cell) for the cells that may be passed over or reached; `stops`
    holds the (origin, target) that are admissible at all.  Targets come ray by ray.  `first_only`: what is
    demanded of a target is never true of a cell that is clear, so only the first other cell counts.
    """

    origin: Atom
    target: Var
    over: Var
    clear: Body
    rays: str
    stops: str
    first_only: bool


@frozen
class Let:
    """Compute; fails where the sum has no value."""

    var: Var
    expr: Expr


@frozen
class Test:
    """Compare."""

    op: str
    left: Expr
    right: Expr


@frozen
class Ask:
    """A rule: holds, or gives its result."""

    rule: str
    args: tuple[Atom, ...]
    result: Var | None


@frozen
class Not:
    """Holds if the body cannot be carried out in any way."""

    body: Body


@frozen
class Either:
    """One of the bodies holds; which one does not matter."""

    bodies: tuple[Body, ...]


@frozen
class Exists:
    """The body can be carried out in some way; which one does not matter."""

    body: Body


@frozen
class Choose:
    """Bind `var` by the one body or the other."""

    var: Var
    test: Body
    then: Body
    otherwise: Body


@frozen
class Fold:
    """Bind `var` to an aggregate of `value` over all ways of `body`."""

    var: Var
    kind: Kind
    value: Expr
    body: Body


@frozen
class Collect:
    """Bind `var` to the set of the values of `item` over all ways of `body`."""

    var: Var
    item: Atom
    body: Body


@frozen
class Reach:
    """Bind `var` to the cells that are reached from the set `start` by repeating `body`: near -> next."""

    var: Var
    start: Var
    near: Var
    next: Var
    body: Body


@frozen
class Distance:
    """Bind `var` to how many times `body`, near -> next, leads from a member of `start` to one of `goal`, at least.

    It fails where no way leads there.
    """

    var: Var
    start: Var
    goal: Var
    near: Var
    next: Var
    body: Body


@frozen
class Possible:
    """Some move of this kind is legal for the mover."""

    action: str


@frozen
class Preferred:
    """Of the moves of all kinds with `prefer` this one begins a turn that is worth the most."""

    action: str
    args: tuple[Atom, ...]


@frozen
class Mobility:
    """Bind `var` to the number of legal moves that `player` would have as the mover."""

    var: Var
    player: Atom


Step = (
    Each | Among | Member | Get | Find | Walk | Let | Test | Ask | Not | Either | Exists | Choose | Fold
    | Collect | Reach | Distance | Possible | Preferred | Mobility
)  # fmt: skip
Body = tuple[Step, ...]


def inner_bodies(step: Step) -> tuple[Body, ...]:
    """The bodies that stand inside a step."""
    match step:
        case (
            Get() | Find() | Test() | Let() | Ask() | Each() | Among() | Member() | Possible() | Preferred()
            | Mobility()
        ):  # fmt: skip
            return ()
        case Not(body) | Exists(body) | Fold(body=body) | Collect(body=body) | Reach(body=body) | Distance(body=body):
            return (body,)
        case Either(bodies):
            return bodies
        case Choose(_, test, then, otherwise):
            return test, then, otherwise
        case Walk(clear=clear):
            return (clear,)
    assert_never(step)


def with_bodies(step: Step, change: Callable[[Body], Body]) -> Step:
    """The step with other bodies inside."""
    match step:
        case (
            Get() | Find() | Test() | Let() | Ask() | Each() | Among() | Member() | Possible() | Preferred()
            | Mobility()
        ):  # fmt: skip
            return step
        case Not(body):
            return Not(change(body))
        case Exists(body):
            return Exists(change(body))
        case Fold() | Collect() | Reach() | Distance():
            return replace(step, body=change(step.body))
        case Either(bodies):
            return Either(tuple(change(body) for body in bodies))
        case Choose(test=test, then=then, otherwise=otherwise):
            return replace(step, test=change(test), then=change(then), otherwise=change(otherwise))
        case Walk(clear=clear):
            return replace(step, clear=change(clear))
    assert_never(step)


def all_steps(body: Body) -> Iterator[Step]:
    """Every step of a body, those inside other steps too."""
    for step in body:
        yield step
        for inner in inner_bodies(step):
            yield from all_steps(inner)


def renamed(item: Any, names: Mapping[Var, Atom]) -> Any:
    """Steps, or parts of steps, with other variables, or constants, in the place of some of their variables."""
    kind: Any = type(item)
    if kind is Var:
        return names.get(item, item)
    if kind is tuple:
        return tuple([renamed(one, names) for one in item])
    if kind in WITHOUT_VARS:
        return item
    return kind(*[renamed(one, names) for one in fields_of(kind)(item)])


WITHOUT_VARS = {Const, Sort, SetSort, str, int, bool, NoneType, Span}


def body_vars(body: Body) -> list[Var]:
    """Every variable that a body mentions, in order of appearance."""
    found: dict[Var, None] = {}

    def look(items: Iterable[Any]) -> None:
        for item in items:
            kind: Any = type(item)
            if kind is Var:
                found[item] = None
            elif kind is tuple:
                look(item)
            elif kind not in WITHOUT_VARS:
                look(fields_of(kind)(item))

    look(body)
    return list(found)


def mentions(items: Iterable[Any], var: Var) -> bool:
    """True if a body, or a part of one, mentions a variable: it is in `body_vars`, which takes longer."""
    for item in items:
        kind: Any = type(item)
        if kind is Var:
            if item.name == var.name:  # which is unique
                return True
        elif kind not in WITHOUT_VARS and mentions(item if kind is tuple else fields_of(kind)(item), var):
            return True
    return False


@cache
def fields_of(kind: Any) -> Callable[[object], tuple[object, ...]]:
    """A function that returns the values of the fields of a record of this class, in order."""
    names: tuple[str, ...] = kind.__slots__
    return attrgetter(*names) if len(names) > 1 else lambda record: tuple(getattr(record, name) for name in names)
