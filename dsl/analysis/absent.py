"""Values that never occur: what `tell` and `beside` still list after a variant has forbidden it.

In: a game.  Out: the lines of `tell` and `beside` that list such a value.  A value of a declared type never occurs if
no kind of moves can have it as a parameter, and neither the first position nor an effect can put it anywhere.  What
cannot be decided from the rules alone counts as possible.

    type building = Farm, Tower      move build(kind: building, …)  when kind != Farm …  do  building(to) := kind
    ->  Farm never occurs; "tell price_of", with a parameter of the type building, lists it nonetheless
"""

from __future__ import annotations

from itertools import chain

from pysolve.dsl.errors import Span
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import (
    Action,
    Body,
    Const,
    Effects,
    Expr,
    Find,
    Game,
    Get,
    Query,
    Sort,
    Step,
    Var,
    all_effects,
    all_steps,
    effect_bodies,
    renamed,
)
from pysolve.dsl.model.properties import effect_properties, properties, truth

BUILT_IN = {"player", "cell", "direction", "edge", "corner", "bool"}


@frozen
class Leftover:
    """A line that lists values which never occur; `span` is what excludes them, if the text itself says it."""

    section: str  # tell or beside
    name: str
    values: tuple[str, ...]
    span: Span | None


def leftovers(game: Game) -> list[Leftover]:
    """The lines of `tell` and `beside` that list values which never occur, in the order of the rules."""
    lines = [*(("tell", tell.name) for tell in game.tells), *(("beside", aside.name) for aside in game.asides)]
    never = {sort.name: absent(game, sort) for sort in game.sorts.values() if _is_declared(sort)}
    found = []
    for section, name in lines:
        query = game.queries[name]
        for place, sort in enumerate(query.params):
            listed = never.get(sort.name, set()) & _listed(game, query, place)
            if listed:
                labels = tuple(sort.label(value) for value in sorted(listed))
                found.append(Leftover(section, name, labels, _excluding(game, sort, listed)))
    return found


def absent(game: Game, sort: Sort) -> set[int]:
    """The values of a type that never occur; empty if the type is in neither a state variable nor a kind of moves."""
    values = set(sort.values())
    slots = [slot for slot in game.slots.values() if slot.sort.name == sort.name]
    params = [(action.body, param) for action in game.actions for param in action.params if _is_of(param, sort)]
    if not slots and not params:
        return set()
    possible = {slot.default for slot in slots}.union(*(_choices(game, body, param) for body, param in params))
    possible |= _written(game, None, game.setup, sort)
    for action in game.actions:
        possible |= _written(game, action, tuple(chain.from_iterable(action.rounds)), sort)
    return values - possible


def _is_declared(sort: Sort) -> bool:
    return bool(sort.labels) and sort.name not in BUILT_IN


def _is_of(var: Var, sort: Sort) -> bool:
    return isinstance(var.sort, Sort) and var.sort.name == sort.name


def _choices(game: Game, body: Body, var: Var) -> set[int]:
    """The values of a variable that pass those steps of a body which compare it with constants alone."""
    assert isinstance(var.sort, Sort)
    values = (Const(value, var.sort) for value in var.sort.values())
    return {value.value for value in values if all(_admits(game, step, var, value) for step in body)}


def _admits(game: Game, step: Step, var: Var, value: Const) -> bool:
    if isinstance(step, Find) and var in step.args:
        return any(row[step.args.index(var)] == value.value for row in game.tables[step.table].rows)
    needed = all(_admits(game, inner, var, value) for inner in properties(step).needs)
    return needed and truth(renamed(step, {var: value})) is not False


def _written(game: Game, action: Action | None, effects: Effects, sort: Sort) -> set[int]:
    """The values of a type that effects may put somewhere, besides those that a place of the type holds already."""
    every = list(all_effects(effects))
    bodies = [() if action is None else action.body, *(body for effect in every for body in effect_bodies(effect))]
    steps = [step for body in bodies for step in all_steps(body)]
    found: set[int] = set()
    for effect in every:
        put = effect_properties(effect)
        if put.slot is not None and put.value is not None and game.slots[put.slot].sort.name == sort.name:
            found |= _values(game, action, put.value, steps, sort)
    return found


def _values(game: Game, action: Action | None, value: Expr, steps: list[Step], sort: Sort) -> set[int]:
    if isinstance(value, Const):
        return {value.value}
    if isinstance(value, Var) and _is_of(value, sort):
        binding = [step for step in steps if value in properties(step).binds]
        if binding and all(_copies(game, step, value, sort) for step in binding):
            return set()  # a place of the type holds it already
        if action is not None and value in action.params:
            return _choices(game, action.body, value)
    return set(sort.values())


def _copies(game: Game, step: Step, var: Var, sort: Sort) -> bool:
    return isinstance(step, Get) and step.value == var and game.slots[step.slot].sort.name == sort.name


def _listed(game: Game, query: Query, place: int) -> set[int]:
    """The values that a parameter of a definition or a table can have in what is listed; none for a state variable."""
    if query.kind == "table":
        return {row[place] for row in game.tables[query.target].rows}
    if query.kind == "rule":
        rule = game.rules[query.target]
        return _choices(game, rule.body, rule.params[place])
    return set()


def _excluding(game: Game, sort: Sort, values: set[int]) -> Span | None:
    """The first kind of moves of the text itself that has the type and excludes the values, or what it adds to one."""
    return next(
        (
            span
            for action in game.actions
            for param in action.params
            for span in (action.span, *(demand.span for demand in action.demands))
            if span.source.name == game.source
            and _is_of(param, sort)
            and not _choices(game, action.body, param) & values
        ),
        None,
    )
