"""Elimination of redundant reads: a value that was read, or compared with something, is not read again.

Requires: each variable is bound in one place of its body.
Ensures:  within a body, and in the bodies inside it, a state variable without parameters is read once, and so is a
          function for the same arguments.  A place whose value was tested is not tested again; one that was read with
          arguments is read again, so that places may be chosen by bits.

    at(from) = mover, x = at(from), x in {1, 2}   ->   at(from) = mover, mover in {1, 2}
"""

from __future__ import annotations

from collections.abc import Mapping

from pysolve.dsl.model import Atom, Body, Find, Game, Get, Step, Table, Test, Var, body_vars
from pysolve.dsl.model.properties import chooses, own_vars
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.bodies import with_game_bodies

Known = dict[tuple[str, tuple[Atom, ...]], Atom]  # values by what was read, and with which arguments


def drop_redundant_reads(game: Game) -> Game:
    return with_game_bodies(game, lambda body, used: _without_them(body, {}, used, game.tables))


def _without_them(body: Body, known: Known, used: set[Var], tables: Mapping[str, Table]) -> Body:
    known, steps = dict(known), list(body)
    found: list[Step] = []
    while steps:
        step = steps.pop(0)
        if isinstance(step, Get) and not any(arg in step.binds for arg in step.args):
            here = step.slot, step.args
            if here in known:
                value = known[here]
                if step.value == value:
                    continue
                if step.value in step.binds and step.value not in used:
                    assert isinstance(step.value, Var)
                    steps = list(renamed(tuple(steps), {step.value: value}))
                    continue
                if step.value not in step.binds:
                    step = Test("=", value, step.value)
            elif not step.args or step.value not in step.binds:
                known[here] = step.value  # what is read is read again, so that places may be chosen by bits
        elif isinstance(step, Get) and step.value not in step.binds:
            known[step.slot, step.args] = step.value
        elif isinstance(step, Find) and _is_function(step, tables):
            here = step.table, step.args[:-1]
            value, (var,) = known.setdefault(here, step.args[-1]), step.binds
            if value != var and var not in used:
                steps = list(renamed(tuple(steps), {var: value}))
                continue
        inner_used = used | set(body_vars((*found, *steps)))
        found.append(with_bodies(step, lambda inner, own=step: _without_them(  # type: ignore[misc]
            inner, known, inner_used | set(own_vars(own)), tables)))  # fmt: skip
    return tuple(found)


def _is_function(step: Find, tables: Mapping[str, Table]) -> bool:
    """Does a step find one value, the last one, for arguments that are known?"""
    return not chooses(step, tables) and len(step.binds) == 1 == len(step.args[tables[step.table].keys :])
