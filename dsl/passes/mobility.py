"""Existence in the place of a number: whether there is a move is asked, where their number was compared with 0.

Requires: a checked game.
Ensures:  no number of moves is found out only to be compared with 0.

    moves(p) = 0   ->   there is no move of p
"""

from __future__ import annotations

from pysolve.dsl.model import BOOL, Body, Const, Game, Mobility, Test, Var, body_vars
from pysolve.dsl.passes.bodies import with_game_bodies


def ask_for_existence(game: Game) -> Game:
    return with_game_bodies(game, _changed)


def _changed(body: Body, used: set[Var]) -> Body:
    steps = list(body)
    for step in body:
        tests = [
            one for one in steps if isinstance(step, Mobility) and one is not step and step.var in body_vars((one,))
        ]
        match tests:
            case [Test("=" | ">" | "!=" as op, Var() as var, Const(0)) as test] if var not in used:
                some = Mobility(var.copy("", BOOL), step.player)  # type: ignore[union-attr]
                wanted = Test("=", some.var, Const(int(op != "="), BOOL))
                steps = [some if one is step else wanted if one is test else one for one in steps]
    return tuple(steps)
