"""Tabulation: steps that do not read the position become one row of a table.

Requires: each variable is bound in one place of its body.
Ensures:  steps that share variables which nothing else has are one look into a new table, where that has at most
          `MOST_ROWS` combinations of values to be tried.  Where neither the order nor the number of ways matters, or
          where every way is found once, so are steps that choose one or two variables together.

    from + ahead(mover) in {to, to + east, to + west}   ->   fixed4(mover, from, to)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import prod

from pysolve.dsl.model import (
    Atom,
    Body,
    Find,
    Game,
    Sort,
    Step,
    Table,
    Test,
    Var,
    all_steps,
    body_vars,
)
from pysolve.dsl.model.properties import Matters, bound, free_vars, own_vars, what_matters
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.bodies import with_game_bodies
from pysolve.dsl.passes.evaluation import TooMuch, is_constant, rows_of

MOST_ROWS = 1 << 15  # combinations of values that a table is made for


def tabulate(game: Game) -> Game:
    tabulation = _Tabulation(dict(game.tables))
    changed = with_game_bodies(game, lambda body, used: tabulation.tabulated(body, used, "order"))
    return replace(changed, tables=tabulation.tables)


@dataclass
class _Tabulation:
    tables: dict[str, Table]
    made: dict[object, Table | None] = field(default_factory=dict)  # by the steps that it stands for

    def tabulated(self, body: Body, used: set[Var], matters: Matters) -> Body:
        """A body in which steps that do not read the position are looked up together.

        It may matter how the body is carried out: the number of ways, or their order.
        """
        steps = []
        for step in body:
            inner = what_matters(step)
            others = used | set(body_vars(tuple(one for one in body if one is not step))) | set(own_vars(step))
            steps.append(with_bodies(step, lambda one, others=others, inner=inner: self.tabulated(one, others, inner)))  # type: ignore[misc]
        for group in self._groups(steps, used):
            steps = self._replaced(steps, group, self._table(group, (), matters == "number"))
        for group, chosen in self._generators(steps, used) if matters != "order" else ():
            steps = self._replaced(steps, group, self._table(group, chosen, matters == "number"))
        return tuple(steps)

    def _replaced(self, steps: list[Step], group: list[Step], table: Find | None) -> list[Step]:
        """The steps with one look into a table for some of them: where the first of those stood that it can replace."""
        places = [i for i, step in enumerate(steps) if any(step is one for one in group)]
        if table is None:
            return steps
        between = steps[places[0] : places[-1]]
        given = set(table.args) - set(table.binds)
        others = [step for step in between if not any(step is one for one in group)]
        first = bool(table.binds) and not any(given & set(bound(step)) or isinstance(step, Test) for step in others)
        if not first and any(set(table.binds) & set(body_vars((step,))) for step in between):
            return steps
        at = places[0] if first else places[-1]
        return [table if i == at else step for i, step in enumerate(steps) if i == at or i not in places]

    def _generators(self, steps: list[Step], used: set[Var]) -> list[tuple[list[Step], tuple[Var, ...]]]:
        """Constant steps that choose one or two variables together, by way of others or with tests."""
        constant = [step for step in steps if is_constant(step)]
        rest = used | set(body_vars(tuple(step for step in steps if not is_constant(step))))
        found: list[list[Step]] = []
        for step in constant:
            mine = set(body_vars((step,)))
            near = [one for one in found if mine & {var for s in one for var in bound(s)}]
            found = [one for one in found if not any(one is other for other in near)]
            found.append([*(s for one in near for s in one), step])
        groups = []
        for group in found:
            own = [var for step in group for var in bound(step)]
            chosen = tuple(var for var in own if var in rest)
            if len(group) > 1 and 1 <= len(chosen) <= 2 and not used & set(chosen):
                groups.append((group, chosen))
        return groups

    def _groups(self, steps: list[Step], used: set[Var]) -> list[list[Step]]:
        """Constant steps that belong together, since they share variables that nothing else has."""
        group = [step for step in steps if is_constant(step)]
        while True:
            others = used | set(body_vars(tuple(step for step in steps if not any(step is one for one in group))))
            out = [step for step in group if others & set(bound(step))]
            if not out:
                break
            group = [step for step in group if not any(step is one for one in out)]
        found: list[list[Step]] = []
        for step in group:
            near = [one for one in found if set(body_vars((step,))) & {v for s in one for v in bound(s)}]
            for one in near:
                found = [other for other in found if other is not one]
            found.append([*(s for one in near for s in one), step])
        return [one for one in found if sum(1 for _ in all_steps(tuple(one))) > 2 or len(one) > 1]

    def _table(self, group: list[Step], chosen: tuple[Var, ...], ways: bool) -> Find | None:
        """One look into a table for all of them; None if it would be too large, or would have too few ways."""
        body = tuple(group)
        own = {var for step in group for var in bound(step)}
        columns = [*(var for var in free_vars(body) if var not in own), *chosen]
        if not columns or any(not isinstance(var.sort, Sort) for var in columns):
            return None
        numbered: dict[Var, Atom] = {var: Var(str(i), var.sort) for i, var in enumerate(body_vars(body))}
        key = renamed(body, numbered), renamed(chosen, numbered), ways
        if key not in self.made:
            self.made[key] = self._new_table(body, columns, ways)
        table = self.made[key]
        return Find(table.name, tuple(columns), chosen) if table else None

    def _new_table(self, body: Body, columns: list[Var], ways: bool) -> Table | None:
        if prod(var.sort.size for var in columns if isinstance(var.sort, Sort)) > MOST_ROWS:
            return None
        try:
            found = Counter(rows_of(self.tables, body, columns))
        except TooMuch:
            return None
        if not found or (ways and any(number > 1 for number in found.values())):
            return None
        name = f"fixed{len(self.tables)}"
        self.tables[name] = Table(name, tuple(var.sort for var in columns), tuple(sorted(found)), len(columns))  # type: ignore[misc]
        return self.tables[name]
