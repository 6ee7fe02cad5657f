"""Rules that divide a board into classes: provinces, chains, groups of stones.

In: a rule.  Out: whether its answer is the same set for each member of that set, and so has to be found only once.
"""

from __future__ import annotations

from pysolve.dsl.model import Body, Collect, Find, Game, Get, Let, Reach, Rule, SetSort, Sort, Table, Var
from pysolve.dsl.model.properties import slots_of


def is_class(game: Game, rule: Rule) -> bool:
    """Is the answer the closure of one cell by a step that goes both ways?"""
    match rule.params, rule.body:
        case (Var(sort=Sort() as sort) as param,), (
            Collect(start, Var() as item, (Let(one, first),)),
            Reach(reached, begin, near, following, body),
        ):
            return (
                (one, first, begin, reached) == (item, param, start, rule.result)
                and isinstance(reached.sort, SetSort) and reached.sort.of == sort and not sort.optional
                and _both_ways(game, body, near, following)
            )  # fmt: skip
    return False


def slots_of_class(rule: Rule) -> list[str]:
    """The names of the state variables that the body of the rule reads, sorted: they alone decide its classes."""
    return sorted(slots_of(rule.body))


def _both_ways(game: Game, body: Body, near: Var, following: Var) -> bool:
    """Does a step lead back whenever it leads on?  True if it compares the same of both ends, and asks for no more."""
    ends = (near, following), (following, near)
    links = [step for step in body if isinstance(step, Find) and step.args in ends]
    read = [[step for step in body if isinstance(step, Get) and step.args == (end,) and step.value not in ends[0]]
            for end in ends[0]]  # fmt: skip
    if not links or len([*links, *read[0], *read[1]]) < len(body):
        return False
    same, other = (sorted(str((step.slot, step.value)) for step in steps) for steps in read)
    return same == other and all(_is_symmetric(game.tables[link.table]) for link in links)


def _is_symmetric(table: Table) -> bool:
    rows = set(table.rows)
    return rows == {(b, a) for a, b in rows}
