"""Hoisting: who moves, and the opponent, are read at the beginning of a body, for all that follows.

Requires: a checked game, in which `mover` is a state variable and `opponent` a table.
Ensures:  a body that asks who moves begins with that step, which binds `MOVER`; where it asks who the opponent is, the
          second step binds `OPPONENT`.  What asks for them again later is left for the elimination of redundant reads.

    some c has at(c) = mover   ->   mover' is who moves, some c has (m is who moves, at(c) = m)
"""

from __future__ import annotations

from pysolve.dsl.model import Body, Find, Game, Get, Step, Var
from pysolve.dsl.model.properties import slots_of, tables_of
from pysolve.dsl.passes.bodies import MOVER, OPPONENT, with_game_bodies


def hoist(game: Game) -> Game:
    mover, opponent = Var(MOVER, game.players), Var(OPPONENT, game.players)

    def hoisted(body: Body, _: set[Var]) -> Body:
        if "mover" not in slots_of(body):
            return body
        first: list[Step] = [Get("mover", (), mover, (mover,))]
        if "opponent" in tables_of(body):
            first.append(Find("opponent", (mover, opponent), (opponent,)))
        return *first, *body

    return with_game_bodies(game, hoisted)
