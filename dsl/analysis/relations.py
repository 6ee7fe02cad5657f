"""What the steps of a body that do not read the position say together: relations between variables.

In: a game, bodies, and the variables that matter outside of them.  Out: the same bodies, in which steps that share
variables which nothing else mentions are one `Relation`: the combinations of values of the other variables, each with
the number of ways to it.

    Find column(to, x), Find column(from, y), Test x != y     ->   a relation between `to` and `from`

A demand on all places of a line, where the line is chosen by such steps too, is part of the relation: `lines` then
holds the set of the places with each combination.  So a line counts as the same from either end.

A set that is only asked whether it reaches another one is a `Link`: of two ends, neither of which comes first.

    some c: cell, d in {east, north} has every k in 0..3 has at(c + k * d) = mover   ->   one of these sets of cells, of
                                                                                          which all are the mover's
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from pysolve.dsl.model import (
    Action,
    Atom,
    Body,
    Collect,
    Exists,
    Find,
    Game,
    Member,
    Not,
    Reach,
    Sort,
    Step,
    Var,
    body_vars,
    inner_bodies,
)
from pysolve.dsl.model.properties import bound, free_vars, given_vars
from pysolve.dsl.passes.evaluation import TooMuch, is_constant, rows_of

MOST_ROWS = 1 << 15  # combinations of values that are tried for a relation

Row = tuple[int, ...]
Line = frozenset[Row]


@dataclass(frozen=True, eq=False)
class Relation:
    """Combinations of the values of `vars`, with the number of ways to each.

    With `items` each combination comes with a set of values of these, for all of which `body` must hold.
    """

    vars: tuple[Var, ...]
    rows: Counter[tuple[Row, Line]]
    items: tuple[Var, ...] = ()
    body: Body = ()

    @cached_property
    def size(self) -> int:
        """How many rows it has, with those of its lines."""
        return sum(1 + len(line) for _, line in self.rows)


@dataclass(frozen=True, eq=False)
class _Every:
    """A demand on all items that belong to the values of `vars`; it fails where those are `asked` but have no line."""

    vars: tuple[Var, ...]
    asked: set[Row]
    lines: dict[Row, Line]
    items: tuple[Var, ...]
    body: Body

    def line(self, row: Row) -> Line | None:
        """The items for values of `vars`; None where it fails, since one of them is missing."""
        return self.lines.get(row) if row in self.asked else Line()


@dataclass(frozen=True, eq=False)
class Link:
    """Some value of `start` and some value of `goal` are linked by steps from `near` to `next`, or are the same.

    Where such a step leads back, too, it does not matter which of them is the start.
    """

    start: tuple[Atom, Body]
    goal: tuple[Atom, Body]
    near: Var
    next: Var
    body: Body


Part = Step | Relation | Link


@dataclass
class Relations:
    """The relations of the steps and bodies of a game, each computed once."""

    game: Game
    rows_found: int = 0  # so far, for all of them
    _of: dict[int, tuple[Step, Relation | None]] = field(default_factory=dict)  # the step is kept, so that its id is
    _given: dict[int, tuple[Body, frozenset[Var]]] = field(default_factory=dict)
    _needs: dict[int, tuple[Part, frozenset[Var]]] = field(default_factory=dict)
    _bodies: dict[str, Body] = field(default_factory=dict)
    _everys: dict[int, tuple[Step, _Every | None]] = field(default_factory=dict)
    _grouped: dict[tuple[int, frozenset[Var]], tuple[Body, tuple[Part, ...]]] = field(default_factory=dict)

    def body(self, action: Action) -> Body:
        """The body of a kind of moves, the same object each time, so that its relations are found again."""
        return self._bodies.setdefault(action.name, action.body)

    def of(self, step: Step) -> Relation | None:
        """What a single step says of all its variables; None if it reads the position, or if that are too many."""
        if id(step) not in self._of:
            self._of[id(step)] = step, self._relation((step,), _variables(step)) if is_constant(step) else None
        return self._of[id(step)][1]

    def needs(self, part: Part) -> frozenset[Var]:
        """The variables that must be known before what stands inside of a part can be compared with another."""
        if id(part) not in self._needs:
            self._needs[id(part)] = part, frozenset(_needed(part))
        return self._needs[id(part)][1]

    def given(self, body: Body) -> frozenset[Var]:
        """The variables that a body mentions and that nothing in it binds."""
        if id(body) not in self._given:
            self._given[id(body)] = body, frozenset(given_vars(body))
        return self._given[id(body)][1]

    def grouped(self, body: Body, outside: frozenset[Var]) -> tuple[Part, ...]:
        """The body with relations, where only these variables matter outside of it."""
        key = id(body), outside
        if key not in self._grouped:
            self._grouped[key] = body, self._parts(body, outside)
        return self._grouped[key][1]

    def _parts(self, body: Body, outside: frozenset[Var]) -> tuple[Part, ...]:
        for reach in body:
            if isinstance(reach, Reach) and (linked := _link(body, reach, outside)) is not None:
                link, others = linked
                return (link, *self._parts(others, outside | frozenset(body_vars(link_bodies(link)))))
        alls = {id(step): every for step in body if (every := self._every(step)) is not None}
        static = [step for step in body if is_constant(step) or id(step) in alls]
        rest = [step for step in body if not (is_constant(step) or id(step) in alls)]
        seen = outside | set(body_vars(tuple(rest)))
        for every in alls.values():
            seen |= set(body_vars(every.body)) - set(every.items)
        found: list[Part] = []
        for component in _components(static, seen):
            component.sort(key=static.index)
            demands = [alls[id(step)] for step in component if id(step) in alls]
            steps = tuple(step for step in component if id(step) not in alls)
            relation = self._with_lines(steps, demands[0], seen) if len(demands) == 1 else None
            if not demands:
                relation = self._relation(steps, [var for var in body_vars(steps) if var in seen])
            found += [relation] if relation is not None else component
        return (*found, *rest)

    def _relation(self, steps: Body, variables: list[Var]) -> Relation | None:
        rows = self._rows(steps, variables)
        return None if rows is None else Relation(tuple(variables), Counter((row, Line()) for row in rows))

    def _rows(self, steps: Body, variables: list[Var]) -> list[Row] | None:
        found = {var for step in steps if isinstance(step, Find) for var in body_vars((step,))}
        spread = [var.sort.size for var in _given(steps) if var not in found and isinstance(var.sort, Sort)]
        if any(not isinstance(var.sort, Sort) for var in variables) or prod(spread) > MOST_ROWS:
            return None
        try:
            rows = list(rows_of(self.game.tables, steps, variables))
        except TooMuch:
            self.rows_found += MOST_ROWS
            return None
        self.rows_found += len(rows)
        return rows

    def _with_lines(self, steps: Body, every: _Every, seen: frozenset[Var] | set[Var]) -> Relation | None:
        own = [var for var in dict.fromkeys((*body_vars(steps), *every.vars)) if var in seen]
        columns = list(dict.fromkeys((*own, *every.vars)))
        rows = self._rows(steps, columns)
        if rows is None:
            return None
        key, mine = [columns.index(var) for var in every.vars], range(len(own))
        found: Counter[tuple[Row, Line]] = Counter()
        for row in rows:
            line = every.line(tuple(row[i] for i in key))
            if line is not None:
                found[tuple(row[i] for i in mine), line] += 1
        return Relation(tuple(own), found, every.items, every.body)

    def _every(self, step: Step) -> _Every | None:
        if id(step) not in self._everys:
            self._everys[id(step)] = step, self._demand(step)
        return self._everys[id(step)][1]

    def _demand(self, step: Step) -> _Every | None:
        """`every k has …`, where each k is asked, or leads to one place that is: Not(k, Not(place, asked))."""
        if not isinstance(step, Not) or not step.body or not isinstance(step.body[-1], Not):
            return None
        choice, inner = step.body[:-1], step.body[-1].body
        ways = tuple(one for one in inner if is_constant(one))
        asked = tuple(one for one in inner if not is_constant(one))
        if not asked or not (choice or ways) or not all(map(is_constant, choice)):
            return None
        mine = {var for one in (*choice, *ways) for var in bound(one)}
        given = [var for var in free_vars((*choice, *ways)) if var not in mine]
        chosen = [var for one in choice for var in bound(one)]
        items = [var for var in body_vars(asked) if var in mine]
        if not given or any(not isinstance(var.sort, Sort) for var in given):
            return None
        columns = [*given, *chosen, *(var for var in items if var not in chosen)]
        wanted, reached = self._rows(choice, [*given, *chosen]), self._rows((*choice, *ways), columns)
        if wanted is None or reached is None or len(set(wanted)) < len(wanted):
            return None
        known, places, at = len(given), len(given) + len(chosen), [columns.index(var) for var in items]
        if len({row[:places] for row in reached}) < len(reached):
            return None
        want, have = Counter(row[:known] for row in wanted), Counter(row[:known] for row in reached)
        lines: dict[Row, set[Row]] = {}
        for row in reached:
            if have[row[:known]] == want[row[:known]]:
                lines.setdefault(row[:known], set()).add(tuple(row[i] for i in at))
        frozen = {key: Line(line) for key, line in lines.items()}
        return _Every(tuple(given), set(want), frozen, tuple(items), asked)


def _needed(part: Part) -> set[Var]:
    if isinstance(part, Relation):
        return set(given_vars(part.body)) - set(part.items)
    if isinstance(part, Link):
        return set(given_vars(link_bodies(part))) - {part.near, part.next}
    return set(given_vars((part,))) if inner_bodies(part) else set()


def link_bodies(link: Link) -> Body:
    """All steps of a link."""
    return (*link.start[1], *link.goal[1], *link.body)


def _link(body: Body, reach: Reach, outside: frozenset[Var]) -> tuple[Link, Body] | None:
    """`{s: …} reaches g`, and the other steps: what is collected, closed and asked for one member alone."""
    start = next((one for one in body if isinstance(one, Collect) and one.var == reach.start), None)
    goal = next((one for one in body if isinstance(one, Exists) and reach.var in body_vars((one,))), None)
    if start is None or goal is None or {reach.var, reach.start} & outside:
        return None
    rest = tuple(step for step in body if step not in (start, reach, goal))
    asked = [step for step in goal.body if isinstance(step, Member) and step.within == reach.var]
    others = tuple(step for step in goal.body if step not in asked)
    if len(asked) != 1 or {reach.var, reach.start} & set(body_vars((*rest, *others, *reach.body, *start.body))):
        return None
    return Link((start.item, start.body), (asked[0].item, others), reach.near, reach.next, reach.body), rest


def _variables(step: Step) -> list[Var]:
    return list(dict.fromkeys((*free_vars((step,)), *bound(step))))


def _given(steps: Body) -> list[Var]:
    """The variables of steps that none of them binds."""
    mine = {var for step in steps for var in bound(step)}
    return [var for var in free_vars(steps) if var not in mine]


def _components(steps: list[Step], seen: frozenset[Var] | set[Var]) -> list[list[Step]]:
    """The steps that share variables which nothing else sees."""
    found: list[tuple[set[Var], list[Step]]] = []
    for step in steps:
        mine, together = {var for var in _variables(step) if var not in seen}, [step]
        for other in [one for one in found if one[0] & mine]:
            found.remove(other)
            mine, together = mine | other[0], other[1] + together
        found.append((mine, together))
    return [together for _, together in found]
