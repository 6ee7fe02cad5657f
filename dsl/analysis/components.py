"""Rules that divide a board into classes: provinces, chains, groups of stones.

In: a rule.  Out: whether its answer is the same set for each member of that set, and so has to be found only once.
"""

from __future__ import annotations

from pysolve.dsl.model import Body, Collect, Find, Game, Get, Let, Reach, Rule, SetSort, Sort, Var, all_steps


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
    return sorted({step.slot for step in all_steps(rule.body) if isinstance(step, Get)})


def _both_ways(game: Game, body: Body, near: Var, following: Var) -> bool:
    """Does a step lead back whenever it leads on?  True if it compares the same of both ends, and asks for no more."""
    read: dict[Var, list[tuple[str, object]]] = {near: [], following: []}
    linked = False
    for step in body:
        match step:
            case Get(slot, (Var() as arg,), value, _) if arg in read and value not in read:
                read[arg].append((slot, value))
            case Find(name, (one, other), _) if {one, other} == set(read):
                rows = set(game.tables[name].rows)
                if rows != {(b, a) for a, b in rows}:
                    return False
                linked = True
            case _:
                return False
    return linked and sorted(map(str, read[near])) == sorted(map(str, read[following]))
