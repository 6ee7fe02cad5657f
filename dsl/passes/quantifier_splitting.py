"""Splitting of quantifiers: whether a place exists is asked apart from what it holds.

Requires: each variable is bound in one place of its body.
Ensures:  `every` with a place that may not exist is two conditions: that the place exists for all values, which does
          not read the position and so can be tabulated, and that all these places hold what is asked.  Places that are
          always as far away stay: they are looked at all at once, by bits.

    every k in 0..3 has at(c + k * d) = p   ->   every k has c + k * d, every k and place c + k * d has at(place) = p
"""

from __future__ import annotations

from collections.abc import Mapping

from pysolve.dsl.analysis.shifts import is_shifted
from pysolve.dsl.model import Body, Find, Game, Not, Step, Table, body_vars
from pysolve.dsl.model.properties import bound, chooses
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.bodies import NewNames, with_game_bodies
from pysolve.dsl.passes.evaluation import is_constant


def split_quantifiers(game: Game) -> Game:
    names = NewNames("q")
    return with_game_bodies(game, lambda body, _: _with_split(body, game.tables, names))


def _with_split(body: Body, tables: Mapping[str, Table], names: NewNames) -> Body:
    split = (with_bodies(step, lambda inner: _with_split(inner, tables, names)) for step in body)
    return tuple(new for step in split for new in _split(step, tables, names))


def _split(step: Step, tables: Mapping[str, Table], names: NewNames) -> Body:
    match step:
        case Not((*ranges, Not((*places, test)))) if ranges and places:
            pass
        case _:
            return (step,)
    there = tuple(places)
    single = all(isinstance(one, Find) and not chooses(one, tables) for one in there)
    hidden = {var for one in (*ranges, *there) for var in bound(one)} - set(bound(there[-1]))
    if not single or not all(map(is_constant, (*ranges, *there))) or is_constant(test) or (
        hidden & set(body_vars((test,))) or len(bound(there[-1])) != 1
    ):  # fmt: skip
        return (step,)
    if len(there) == 1 and is_shifted(there[0], tables):
        return (step,)  # all places at once, by bits
    names.next()
    new = names.of_all(var for one in (*ranges, *there) for var in bound(one))
    return Not(renamed((*ranges, Not(there)), new)), Not((*ranges, *there, Not((test,))))
