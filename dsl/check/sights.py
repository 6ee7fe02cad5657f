"""Who sees a state variable.

In: an entry of `state` with `seen by`, and the Symbols.  Out: a rule of the model, which holds for the parameters of
the variable and a player who sees the value.
"""

from __future__ import annotations

from dataclasses import replace

from pysolve.dsl.check.elaborate import Scope, a_kind, same_kind
from pysolve.dsl.check.order import rule_of
from pysolve.dsl.check.symbols import Symbols
from pysolve.dsl.check.terms import CONDS, NEVER, SETS, Cond, TVar
from pysolve.dsl.text import nodes

EXPECTED = "expected who sees it: a player or a set of players"
FORM = "for example:  holder(c: card): player or none seen by holder(c)"
VIEWER = "the player who looks"  # a name that no author can write


def add_sight(symbols: Symbols, entry: nodes.StateEntry) -> None:
    """Adds the rule that says who sees a state variable; raises `Rejected` for what is no player and no set of them."""
    scope, slot = Scope(symbols), symbols.slots.get(entry.name.name)
    if slot is None:  # its type is a mistake
        return
    params = []
    for number, (name, sort) in enumerate(zip(entry.names, slot.params, strict=True), 1):
        params.append(scope.names.fresh(f"place{number}", sort) if name is None else scope.bind(name, sort))
    if entry.sight is None:
        return
    viewer = scope.names.fresh("viewer", symbols.sorts["player"])
    scope.locals[VIEWER] = TVar(viewer)
    cond = scope.computable(_seen(scope, entry.sight))
    symbols.rules[slot.seen] = rule_of(symbols, slot.seen, (*params, viewer), cond, scope.names, entry.sight.span,
                                       entry.sight.span.words)  # fmt: skip


def _seen(scope: Scope, sight: nodes.Sight) -> Cond:
    """The condition under which the viewer sees the value."""
    if sight.who is None:
        return NEVER
    if sight.all:
        return scope.cond(sight.who)
    player = scope.symbols.sorts["player"]
    found = scope.any(sight.who, replace(player, optional=True), wants_set=True)
    if isinstance(found, CONDS):
        hint = f"write  seen by all where {' '.join(sight.who.span.text.split())}"
        raise scope.symbols.reject(sight.who.span, f"{EXPECTED}, got a condition", hint)
    if not same_kind(found.sort, player):
        what = f"a set of {found.sort.name}s" if isinstance(found, SETS) else a_kind(found.sort)
        raise scope.symbols.reject(sight.who.span, f"{EXPECTED}, got {what}", FORM)
    viewer = nodes.Name(sight.who.span, VIEWER)
    if isinstance(found, SETS):
        return scope.cond(nodes.Member(sight.span, viewer, sight.who, False))
    return scope.cond(nodes.Binary(sight.span, "=", sight.who, viewer))
