"""Fusion of reads with comparisons: a value that is read only to be compared is compared in its place.

Requires: each variable is bound in one place of its body; who moves is read at the beginning.
Ensures:  a value of a place that surely exists is not bound if all that is done with it is comparing it with a
          variable or a constant, or looking for it among constants.  Of two places that hold the same, the one that is
          given is read, and the one that is chosen is compared.

    x = at(c), x != none   ->   not at(c) = none
"""

from __future__ import annotations

from collections.abc import Callable

from pysolve.dsl.model import Among, Atom, Body, Const, Either, Game, Get, Not, Sort, Step, Test, Var, body_vars
from pysolve.dsl.model.properties import bound, own_vars
from pysolve.dsl.model.steps import with_bodies
from pysolve.dsl.passes.bodies import with_game_bodies


def fuse_comparisons(game: Game) -> Game:
    return with_game_bodies(game, lambda body, used: _fused(body, used, game))


def _fused(body: Body, used: set[Var], game: Game) -> Body:
    steps = _given_first(body)
    for step in steps:
        if not isinstance(step, Get) or step.value in used or step.binds != (step.value,):
            continue
        slot, var = game.slots[step.slot], step.value
        assert isinstance(var, Var)
        if slot.name == "mover" or not all(map(_is_inside, step.args, slot.params)):
            continue
        uses = [other for other in steps if other is not step and var in body_vars((other,))]
        new = {id(other): _comparison(step, other) for other in uses}
        if None not in new.values():
            at = steps.index(step)
            after = [new.get(id(other)) or other for other in steps[at + 1 :]]
            steps = [*steps[:at], *after]
    own = list(steps)
    return tuple(with_bodies(step, lambda inner, own=step: _fused(  # type: ignore[misc]
        inner, used | set(own_vars(own)), game)) for step in own)  # fmt: skip


def _given_first(body: Body) -> list[Step]:
    """Of two places that hold the same, the one that is given is read, and the one that is chosen compared."""
    steps, own = list(body), {var for step in body for var in bound(step)}
    for step in body:
        if not isinstance(step, Get) or step.binds != (step.value,) or not own & set(step.args):
            continue
        for other in steps:
            if isinstance(other, Get) and other.value == step.value and not other.binds and not own & set(other.args):
                given = Get(other.slot, other.args, other.value, step.binds)
                steps = [Get(step.slot, step.args, step.value, ()) if one is step else one
                         for one in steps if one is not other]  # fmt: skip
                steps.insert(0, given)
                break
    return steps


def _comparison(get: Get, step: Step) -> Step | None:
    """A test on the value of a place as a test on the place."""
    equal: Callable[[Atom], Get] = lambda value: Get(get.slot, get.args, value, ())
    if isinstance(step, Among) and step.item == get.value and not step.binds:
        known = all(isinstance(value, Const) for value in step.values)
        return Either(tuple((equal(value),) for value in step.values)) if known else None
    if isinstance(step, Test) and step.op in ("=", "!=") and get.value in (step.left, step.right):
        other = step.right if step.left == get.value else step.left
        if other != get.value and isinstance(other, Var | Const):
            return equal(other) if step.op == "=" else Not((equal(other),))
    return None


def _is_inside(arg: Atom, sort: Sort) -> bool:
    """Is there a place for every value?"""
    if isinstance(arg, Const):
        return sort.low <= arg.value <= sort.high
    return isinstance(arg.sort, Sort) and sort.low <= arg.sort.lowest and arg.sort.high <= sort.high
