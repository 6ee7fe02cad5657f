"""Closures whose step is one of a few leaps: it leads from a place to one that is always as far away.

In: a closure.  Out: its leaps, each with the places that it may lead to, and with tests of either end.

    reach from x by open          open(a, b) = some d in orthogonals has b = a + d and not walled(a, d)
    ->  from a to a + north, where a is not walled to the north; from a to a + east, where …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Body, Const, Find, Reach, SetSort, Sort, Table, Var, body_vars
from pysolve.dsl.model.properties import bound, is_any, properties
from pysolve.dsl.model.steps import renamed

MOST = 8  # leaps: with more it is better to go from place to place


@frozen
class Leap:
    """From each place that passes the tests `before` a closure leads on by as many bits, to places among `targets`
    that pass the tests `behind`."""

    by: int
    targets: int
    before: Body
    behind: Body


def find_leaps(step: Reach, tables: Mapping[str, Table]) -> list[Leap] | None:
    """The leaps of a closure; None if it is no union of a few."""
    found: list[Leap] = []
    for body in _alternatives(step.body, step.next):
        more = list(_leaps(step, body, tables))
        found += [leap for leap in more if leap is not None]
        if None in more or len(found) > MOST:
            return None
    return found


def _alternatives(body: Body, following: Var) -> Iterator[Body]:
    """A body without alternatives, and without `some` around steps, in what says where it leads; one for each way."""
    for at, step in enumerate(body):
        alternatives = properties(step).alternatives
        if alternatives and following in body_vars((step,)):
            for inner in alternatives:
                yield from _alternatives((*body[:at], *inner, *body[at + 1 :]), following)
            return
    yield body


def _leaps(step: Reach, body: Body, tables: Mapping[str, Table]) -> Iterator[Leap | None]:
    """The leaps of a body in which one table says where it leads; None where it does not say that, or other tests
    compare both ends."""
    near, following = step.near, step.next
    links = [one for one in body if isinstance(one, Find) and {near, following} <= set(one.args)]
    others = [one for link in links for one in link.args if one not in (near, following) and isinstance(one, Var)]
    if len(links) != 1 or not _one_range(step) or not set(others) <= set(links[0].binds):
        yield None
        return
    (link,) = links
    rest = tuple(one for one in body if one != link and not is_any(one, following))
    for values, pairs in _grouped(link, tables[link.table], near, following).items():
        known = {var: Const(value, var.sort) for var, value in values if isinstance(var.sort, Sort)}
        yield _leap(pairs, renamed(rest, known), near, following)


def _one_range(step: Reach) -> bool:
    """Do places and sets of them have the same bits?"""
    sorts = [step.near.sort, step.next.sort, *(one.sort.of for one in (step.var, step.start)
                                               if isinstance(one.sort, SetSort))]  # fmt: skip
    return len({(one.low, one.high, one.optional) for one in sorts if isinstance(one, Sort) and not one.optional}) == 1


def _grouped(
    link: Find, table: Table, near: Var, following: Var
) -> dict[tuple[tuple[Var, int], ...], list[tuple[int, int]]]:
    """The two ends of the rows of a table, by the values of what else is found in them."""
    ends = link.args.index(near), link.args.index(following)
    found: dict[tuple[tuple[Var, int], ...], list[tuple[int, int]]] = {}
    for row in table.rows:
        if all(arg.value == value for arg, value in zip(link.args, row, strict=True) if isinstance(arg, Const)):
            others = tuple((arg, row[i]) for i, arg in enumerate(link.args) if isinstance(arg, Var) and i not in ends)
            found.setdefault(others, []).append((row[ends[0]], row[ends[1]]))
    return found


def _leap(pairs: list[tuple[int, int]], rest: Body, near: Var, following: Var) -> Leap | None:
    assert isinstance(near.sort, Sort)
    by = {target - place for place, target in pairs}
    before: Body = ()
    behind: Body = ()
    of_behind = {following}
    for step in rest:
        if of_behind & set(body_vars((step,))):
            behind = (*behind, step)
            of_behind |= set(bound(step))
        else:
            before = (*before, step)
    of_before = {near, *(var for step in before for var in bound(step))}
    if len(by) > 1 or of_before & set(body_vars(behind)):
        return None
    targets = sum(1 << (target - near.sort.low) for _, target in pairs)
    return Leap(by.pop(), targets, before, behind)
